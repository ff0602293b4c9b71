"""What is awaited: whatever is offered is legal once it is completed, whatever is barred says by which rule."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.games.base import Ask, Choice
from companion.games.nba import NBA
from companion.games.nba.awaits import awaits, barred
from companion.games.nba.state import State
from companion.games.nba.tables import SKILLS
from tests.games.nba.kit import Match, dice, full, header, solo

TRIES = 80


def answer(ask: Ask, event: dict[str, Any], random: Random) -> Any:
    """Some answer of the shape that the ask promises."""
    ask = ask.resolved(event)
    options = [option.value for option in ask.options if option.barred is None]
    if ask.kind == "text":
        return "décision"
    if ask.kind == "count":
        return random.randint(ask.least, ask.most)
    if ask.kind == "dice" and isinstance(ask.data, dict) and ask.least:
        kinds = [kind for kind in SKILLS for _ in range(ask.data.get(kind, 0))]
        return [random.choice([die for die in options if die["die"] == kind]) for kind in kinds]
    if ask.most:
        most = min(ask.most, max(ask.least, random.choice((1, 2, 4))))
        return random.choices(options, k=random.randint(ask.least, most)) if options else []
    return random.choice(options)


def completed(choice: Choice, random: Random) -> dict[str, Any]:
    event = dict(choice.event)
    for ask in choice.asks:
        if ask.kind == "lineup":
            event["court"] = {random.choice(list(dict(ask.data.court))): random.choice(everybody(ask))}
        elif not (ask.optional and random.random() < 0.5):
            event[ask.field] = answer(ask, event, random)
    return event


def everybody(ask: Ask) -> list[str]:
    return [id for _, ids in ask.data.candidates for id in ids]


def legal(state: State, choice: Choice, random: Random) -> bool:
    return any(barred(state, completed(choice, random)) is None for _ in range(TRIES))


def affordable(choice: Choice) -> bool:
    """What is offered for sale may cost more than the side can pay; only the side knows its hand."""
    return choice.event["event"] not in ("buy_player", "buy_tactic")


@pytest.mark.parametrize("seed", range(8))
def test_what_is_offered_is_legal_once_it_is_completed(seed: int) -> None:
    random = Random(seed)
    state = NBA.begin(NBA.random_header(random))
    while not NBA.finished(state):
        if random.random() < 0.3:
            made = awaits(state)
            offered = [choice for choice in made.choices if choice.barred is None and not choice.menu]
            assert offered or made.dice
            for choice in offered:
                assert legal(state, choice, random) or not affordable(choice), choice.event
        event = NBA.parse(NBA.random_event(state, random))
        NBA.decide(state, event)
        state = NBA.apply(state, event)[0]
    assert not awaits(state).choices


def named(match: Match) -> dict[str, Choice]:
    return {choice.label.id.removeprefix("nba.do."): choice for choice in awaits(match.state).choices}


def test_the_usual_takes_two_taps_at_most() -> None:
    match = Match(full()).reshape("ann", prepared=("t-out", "t-trap", "t-hard"))
    made = awaits(match.state)
    assert made.sides == ("ann",)
    first = [choice for choice in made.choices if choice.rank == 1 and choice.barred is None]
    assert [choice.event["tactic"] for choice in first] == ["t-out", "t-trap"]
    assert all(len(choice.asks) == 1 for choice in first)
    hard = next(choice for choice in made.choices if choice.event.get("tactic") == "t-hard")
    assert hard.barred is not None
    assert hard.barred.rule == "NBA-7.2"


def test_dice_awaited_for_several_tactics_are_ranges() -> None:
    match = Match(full()).reshape("ann", prepared=("t-out", "t-trap"))
    due = {each.kind: (each.least, each.count) for each in awaits(match.state).dice}
    assert due == {"three_points": (0, 3), "block": (0, 2), "stop": (0, 3)}
    match.reshape("ann", prepared=("t-out",))
    assert [(each.kind, each.least, each.count) for each in awaits(match.state).dice] == [("three_points", None, 3)]


def test_an_open_roll_offers_the_best_first() -> None:
    match = Match(full()).reshape("ann", prepared=("t-trap",))
    match.reshape("ben", prepared=("t-out",))
    match.play("activate", tactic="t-trap", dice=dice("block 3r 0, stop 1y 0 0"))
    choices = named(match)
    assert choices["keep"].event == {"event": "keep", "dice": []}
    assert choices["reroll"].event["dice"] == [0, 1, 2, 3, 4]
    assert {each.kind: (each.least, each.count) for each in awaits(match.state).dice} == {
        "block": (0, 2),
        "stop": (0, 3),
    }
    match.play("reroll", dice=[1], to=dice("block 1r"))
    assert "reroll" not in named(match)
    assert not awaits(match.state).dice


def test_level_scores_awaits_kept_dice() -> None:
    match = Match()
    assert len(awaits(match.state).dice) == 6
    match.play("attack", dice=[])
    assert [each.kind for each in awaits(match.state).dice] == ["interception", "block", "stop"]
    attack = named(match)["attack"]
    assert attack.barred is not None
    assert attack.barred.rule == "NBA-7.1"


def test_the_solo_opponents_steps_come_one_by_one() -> None:
    match = Match(solo(first="ben"))
    steps = []
    for event, fields in (("ai_recruit", {"cards": []}), ("ai_tactic", {"market": ["t-five"]})):
        steps.append([choice.event["event"] for choice in awaits(match.state).choices if not choice.menu])
        match.play(event, **fields)
    assert steps == [["ai_recruit"], ["ai_tactic"]]


def test_a_tie_offers_overtime_and_a_draw() -> None:
    match = Match(header(market_cards=6)).pass_turns(11)
    assert [choice.event["event"] for choice in awaits(match.state).choices] == [
        "overtime",
        "accept_draw",
        "concede",
        "concede",
    ]


def test_where_the_market_is_the_clock_its_end_is_told() -> None:
    assert "market_empty" in named(Match(header(clock="market")))
    assert "market_empty" not in named(Match())


def test_only_two_sides_may_concede() -> None:
    assert "concede" in named(Match())
    assert "concede" not in named(Match(header("ann", "ben", "cat")))


def test_own_players_come_before_those_of_the_market_as_replacements() -> None:
    seen = 0
    for seed in range(6):
        random = Random(seed)
        state = NBA.begin(NBA.random_header(random))
        while not NBA.finished(state):
            replacing = [choice for choice in awaits(state).choices if choice.event["event"] == "replace"]
            asks = [ask for choice in replacing for ask in choice.asks]
            owned = {id for ask in asks if ask.kind == "lineup" for id in ask.data.owned}
            for ask in asks:
                if ask.kind == "pick":
                    ways = [next(iter(option.value.values())) in owned for option in ask.options]
                    assert ways == sorted(ways, reverse=True)
                    seen += len(set(ways)) == 2
            state = NBA.apply(state, NBA.parse(NBA.random_event(state, random)))[0]
    assert seen
