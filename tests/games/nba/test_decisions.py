"""NBA choices: every offered choice is legal once completed, and every barred one names its rule."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.app.screens.table_state import choices_of, fold_hands, plan_edge
from companion.games.base import Choice, Prompt
from companion.games.nba import NBA
from companion.games.nba.decisions import decision, disabled_reason
from companion.games.nba.dice_set import NbaFace
from companion.games.nba.dice_statistics import die_outcomes, expected_vs_actual
from companion.games.nba.state import State
from companion.games.nba.tables import BODY_COLOURS, SKILLS
from companion.games.nba.teams import LaidDice
from tests.games.nba.kit import Match, dice, full, header, solo

TRIES = 80


def answer(ask: Prompt, event: dict[str, Any], random: Random) -> Any:
    """Return a random answer of the shape that the prompt defines."""
    ask = ask.resolved(event)
    options = [option.value for option in ask.options if option.disabled_reason is None]
    if ask.kind == "text":
        return "décision"
    if ask.kind == "count":
        return random.randint(ask.minimum, ask.maximum)
    if ask.kind == "dice" and isinstance(ask.data, dict) and ask.minimum:
        kinds = [kind for kind in SKILLS for _ in range(ask.data.get(kind, 0))]
        return [random.choice([die for die in options if die["die"] == kind]) for kind in kinds]
    if ask.maximum:
        most = min(ask.maximum, max(ask.minimum, random.choice((1, 2, 4))))
        return random.choices(options, k=random.randint(ask.minimum, most)) if options else []
    return random.choice(options)


def completed(choice: Choice, random: Random) -> dict[str, Any]:
    event = dict(choice.event)
    for ask in choice.prompts:
        if ask.kind == "lineup":
            event["court"] = {random.choice(list(dict(ask.data.court))): random.choice(everybody(ask))}
        elif not (ask.optional and random.random() < 0.5):
            event[ask.field] = answer(ask, event, random)
    return event


def everybody(ask: Prompt) -> list[str]:
    return [id for _, ids in ask.data.candidates for id in ids]


def legal(state: State, choice: Choice, random: Random) -> bool:
    return any(disabled_reason(state, completed(choice, random)) is None for _ in range(TRIES))


def affordable(choice: Choice) -> bool:
    """Exclude purchases that may exceed the side's means; only the side knows its hand."""
    return choice.event["event"] not in ("buy_player", "buy_tactic")


@pytest.mark.parametrize("seed", range(8))
def test_what_is_offered_is_legal_once_it_is_completed(seed: int) -> None:
    random = Random(seed)
    state = NBA.initial_state(NBA.random_header(random))
    while not NBA.finished(state):
        if random.random() < 0.3:
            made = decision(state)
            offered = [choice for choice in made.choices if choice.disabled_reason is None and not choice.menu]
            assert offered or made.dice
            for choice in offered:
                assert legal(state, choice, random) or not affordable(choice), choice.event
        event = NBA.parse(NBA.random_event(state, random))
        NBA.validate(state, event)
        state = NBA.apply(state, event)[0]
    assert not decision(state).choices


def named(match: Match) -> dict[str, Choice]:
    return {choice.label.id.removeprefix("nba.do."): choice for choice in decision(match.state).choices}


def test_the_usual_takes_two_taps_at_most() -> None:
    match = attacked().reshape("ann", prepared=("t-out", "t-trap", "t-hard"))
    made = decision(match.state)
    assert made.sides == ("ann",)
    first = [choice for choice in made.choices if choice.prominence == 1 and choice.disabled_reason is None]
    assert [choice.event["tactic"] for choice in first] == ["t-out", "t-trap"]
    assert all(len(choice.prompts) == 1 for choice in first)
    hard = next(choice for choice in made.choices if choice.event.get("tactic") == "t-hard")
    assert hard.disabled_reason is not None
    assert hard.disabled_reason.rule == "NBA-7.2"


def filled(match: Match) -> list[str]:
    """Return the labels of the filled choices."""
    choices = choices_of(decision(match.state), "ann")
    return [choice.label.id for choice in choices if choice.prominence == 1 and choice.disabled_reason is None]


def test_a_defence_that_has_nothing_to_stop_is_not_the_filled_choice() -> None:
    match = Match(full()).reshape("ann", prepared=("t-trap",))
    assert filled(match) == ["nba.do.prepare"]
    match.play("prepare", tactics=["t-trap"])
    assert filled(match) == ["nba.do.end_turn"]
    assert decision(match.state).dice, "the defence may still be rolled"
    match = attacked().reshape("ann", prepared=("t-trap",))
    assert "nba.do.activate" in filled(match)


def market(match: Match) -> list[Choice]:
    """Return the choices in the hand of the market."""
    return [choice for choice in choices_of(decision(match.state), "ann") if choice.hand is not None]


def test_the_market_is_one_choice_beside_the_end_of_the_turn() -> None:
    match = attacked().reshape("ann", prepared=("t-out", "t-trap"))
    made = decision(match.state)
    assert made.title.id == "nba.await.throw_closing"
    plan = plan_edge(fold_hands(choices_of(made, "ann")), 4)
    assert [choice.label.id for choice in plan.visible] == [
        "nba.do.activate",
        "nba.do.activate",
        "nba.do.end_turn",
        "nba.do.market",
    ]
    match.play("activate", tactic="t-trap", dice=dice("block 0 0, stop 0 0 0"))
    match.play("keep", dice=[])
    made = decision(match.state)
    assert made.title.id == "nba.await.throw"
    assert all(choice.disabled_reason and choice.disabled_reason.rule == "NBA-4.4" for choice in market(match))
    folded = next(choice for choice in fold_hands(made.choices) if choice.label.id == "nba.do.market")
    assert folded.disabled_reason is not None


def test_a_payment_tells_the_price_of_the_card_and_what_is_paid_of_it() -> None:
    match = Match(full())
    choice = next(each for each in market(match) if each.event.get("card") == "t-five")
    ask = choice.prompts[0].resolved({})
    assert ask.title.args["cost"] == 2
    assert {option.group.id.rpartition("_")[2] for option in ask.options} == {"offence", "defence"}
    paid_so_far = ask.progress({"paid": ["t-out"]}).args
    assert (paid_so_far["paid"], paid_so_far["cost"]) == (1, 2)
    assert ask.answers_disabled_reason({"paid": ["t-out"]}).rule == "NBA-6.7"
    assert ask.answers_disabled_reason({"paid": ["t-out", "t-out"]}) is None


def test_a_hidden_card_of_the_market_is_named_before_it_is_paid() -> None:
    match = Match(full())
    choice = next(each for each in market(match) if "slot" in each.event)
    assert "card" not in choice.event
    card, paid = choice.prompts
    price = next(option.effect for option in card.options if option.value == "n-ace")
    assert paid.resolved({"card": "n-ace"}).title.args["cost"] == int(price[1:])


def test_dice_awaited_for_several_tactics_are_ranges() -> None:
    match = Match(full()).reshape("ann", prepared=("t-out", "t-trap"))
    due = {each.kind: (each.min_count, each.count) for each in decision(match.state).dice}
    assert due == {"three_points": (0, 3), "block": (0, 2), "stop": (0, 3)}
    match.reshape("ann", prepared=("t-out",))
    assert [(each.kind, each.min_count, each.count) for each in decision(match.state).dice] == [
        ("three_points", None, 3)
    ]


def test_an_open_roll_offers_the_best_first() -> None:
    match = defending("penetration 6, inside 7, three_points 6", "block 0 0, stop 0 0 0")
    choices = named(match)
    assert choices["keep"].event == {"event": "keep", "dice": []}
    assert len(choices["reroll"].event["dice"]) > 1
    assert [choice.prominence for choice in (choices["reroll"], choices["keep"])] == [1, 2]
    assert {each.kind: (each.min_count, each.count) for each in decision(match.state).dice} == {
        "block": (0, 2),
        "stop": (0, 3),
    }
    match.play("reroll", dice=[1], to=dice("block 1r"))
    assert "reroll" not in named(match)
    assert not decision(match.state).dice


def attacked(attack: str = "penetration 6, inside 7, three_points 6", **setup: Any) -> Match:
    """Return a match in which an attack of Ben is pending against Ann."""
    laid = tuple(NbaFace(die["die"], die["value"], BODY_COLOURS[die["die"]]) for die in dice(attack))
    return Match(full(**setup)).reshape("ben", attack=LaidDice(laid))


def defending(attack: str, thrown: str, **setup: Any) -> Match:
    """Return a match in which Ann rolls a defence against an attack of Ben."""
    match = attacked(attack, **setup).reshape("ann", prepared=("t-trap",))
    match.play("activate", tactic="t-trap", dice=dice(thrown))
    return match


def test_a_reroll_and_its_alternatives_show_their_price_in_fatigue() -> None:
    choices = named(defending("penetration 6, inside 7, three_points 6", "block 0 0, stop 0 0 0"))
    details = {id: choices[id].detail for id in ("reroll", "keep", "reroll_others")}
    assert [detail and detail.id.removeprefix("nba.detail.") for detail in details.values()] == [
        "reroll_price",
        "keep_price",
        "fatigue_each",
    ]
    assert details["reroll"].args["n"] == len(choices["reroll"].event["dice"])


def test_a_reroll_that_gains_less_than_its_fatigue_costs_is_offered_but_not_advised() -> None:
    choices = named(defending("three_points 9 9", "block 0 0, stop 0 0 0"))
    assert choices["keep"].prominence == 1
    assert choices["reroll"].prominence == 2
    assert choices["reroll"].detail.args["n"] == len(choices["reroll"].event["dice"])


def test_a_reroll_is_not_advised_when_nothing_is_left_to_take_off() -> None:
    choices = named(defending("penetration 3", "block 3r 0, stop 0 0 0"))
    assert choices["keep"].prominence == 1


def test_the_dice_are_kept_and_the_turn_ended_at_once_after_the_last_tactic() -> None:
    match = Match(full()).reshape("ann", prepared=("t-out", "t-trap"))
    match.play("activate", tactic="t-out", dice=dice("three_points 9 2 0"))
    assert "keep_and_end" not in named(match)
    match.play("keep", dice=[0])
    match.play("activate", tactic="t-trap", dice=dice("block 0 0, stop 0 0 0"))
    choice = named(match)["keep_and_end"]
    assert (choice.event["event"], choice.then) == ("keep", ({"event": "end_turn"},))
    match.play(**choice.event)
    match.play(**choice.then[0])
    assert match.state.active == "ben"


def kept_of(match: Match, tactic: str, entered: str) -> tuple[Choice, ...]:
    """Return the choices that these dice of a tactic's roll allow, before its other dice are entered."""
    choice = next(one for one in decision(match.state).choices if one.event.get("tactic") == tactic)
    early = choice.prompts[0].early
    assert early is not None
    return early.choices(dice(entered))


def test_the_dice_to_keep_are_enough_to_keep_them() -> None:
    match = Match(full()).reshape("ann", prepared=("t-out", "t-trap"))
    (keep,) = kept_of(match, "t-out", "three_points 9 2")
    assert (keep.label.id, keep.effect, keep.prominence) == ("nba.do.keep", "11", 1)
    match.play(**keep.event)
    match.play(**keep.then[0])
    attack = match.state.team("ann").attack
    assert attack is not None
    assert [die.value for die in attack.dice] == [9, 2]
    keep, ending = kept_of(match, "t-trap", "")
    assert (keep.effect, keep.prominence, ending.label.id) == ("0", 2, "nba.do.keep_and_end")
    for event in (ending.event, *ending.then):
        match.play(**event)
    assert match.state.active == "ben"


def test_more_dice_than_may_be_kept_are_kept_by_their_worth() -> None:
    match = Match(full()).reshape("ann", prepared=("t-out",))
    keep, _ = kept_of(match, "t-out", "three_points 2 9 6")
    assert (keep.effect, keep.then[0]["dice"]) == ("15", [1, 2])
    assert not any("unread" in die for die in keep.event["dice"])


def test_with_three_sides_a_defence_die_that_counts_nothing_yet_is_kept_too() -> None:
    match = Match(full("ann", "ben", "cat")).reshape("ann", prepared=("t-trap",))
    keep, _ = kept_of(match, "t-trap", "block 3r, stop 3b")
    assert keep.then[0]["dice"] == [0, 1]


def test_dice_of_which_only_the_kept_ones_are_known_are_no_statistics_of_faces() -> None:
    match = Match(full()).reshape("ann", prepared=("t-out",))
    keep, _ = kept_of(match, "t-out", "three_points 9 2")
    before, after = match.state, match.play(**keep.event)
    assert die_outcomes(before, keep.event) == ()
    (measured,) = expected_vs_actual(before, keep.event, after, match.state)
    assert measured.actual == 11
    assert [die.value for die in NBA.dice_from_event(keep.event)] == [9, 2]


def test_the_first_choice_of_a_turn_is_its_tactics() -> None:
    match = Match(full())
    first = [choice.label.id for choice in decision(match.state).choices if choice.prominence == 1]
    assert first == ["nba.do.prepare"]
    assert decision(match.state).title.id == "nba.await.prepare"
    match.reshape("ann", prepared=("t-out",))
    assert decision(match.state).title.id == "nba.await.throw_closing"


def test_the_tactics_of_a_side_come_first_offence_apart_from_defence() -> None:
    ask = named(Match(full()))["prepare"].prompts[0]
    groups = list(dict.fromkeys(option.group.id for option in ask.options))
    assert groups[:2] == ["nba.group.own_offence", "nba.group.own_defence"]
    assert len({option.group.id for option in ask.options}) == len(groups)
    levels = {option.value: option for option in ask.options}
    assert levels["t-out"].effect is not None
    assert levels["t-hard"].detail.id == "nba.option.level_missing"


@pytest.mark.parametrize("prepared", [(), ("t-out",), ("t-out", "t-trap")])
@pytest.mark.parametrize("fits", [3, 4])
def test_the_end_of_the_turn_is_always_on_the_screen(prepared: tuple[str, ...], fits: int) -> None:
    match = Match(full()).reshape("ann", prepared=prepared)
    plan = plan_edge(choices_of(decision(match.state), "ann"), fits)
    assert "nba.do.end_turn" in [choice.label.id for choice in plan.visible]
    assert len(plan.visible) < fits + 1


def test_level_scores_awaits_kept_dice() -> None:
    match = Match()
    assert len(decision(match.state).dice) == 6
    match.play("attack", dice=[])
    assert [each.kind for each in decision(match.state).dice] == ["interception", "block", "stop"]
    attack = named(match)["attack"]
    assert attack.disabled_reason is not None
    assert attack.disabled_reason.rule == "NBA-7.1"


def test_the_solo_opponents_steps_come_one_by_one() -> None:
    match = Match(solo(first="ben"))
    steps = []
    for event, fields in (("ai_recruit", {"cards": []}), ("ai_tactic", {"market": ["t-five"]})):
        steps.append([choice.event["event"] for choice in decision(match.state).choices if not choice.menu])
        match.play(event, **fields)
    assert steps == [["ai_recruit"], ["ai_tactic"]]


def test_a_tie_offers_overtime_and_a_draw() -> None:
    match = Match(header(market_cards=6)).pass_turns(11)
    assert [choice.event["event"] for choice in decision(match.state).choices] == [
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
        state = NBA.initial_state(NBA.random_header(random))
        while not NBA.finished(state):
            replacing = [choice for choice in decision(state).choices if choice.event["event"] == "replace"]
            prompts = [ask for choice in replacing for ask in choice.prompts]
            owned = {id for ask in prompts if ask.kind == "lineup" for id in ask.data.owned}
            for ask in prompts:
                if ask.kind == "pick":
                    ways = [next(iter(option.value.values())) in owned for option in ask.options]
                    assert ways == sorted(ways, reverse=True)
                    seen += len(set(ways)) == 2
            state = NBA.apply(state, NBA.parse(NBA.random_event(state, random)))[0]
    assert seen


def test_NBA_8_2_the_end_of_a_turn_removes_players_and_tactics_of_the_hand() -> None:
    match = Match(full())
    ask = named(match)["eliminate"].prompts[0]
    values = [option.value for option in ask.options]
    assert {"b-pg", "t-out", "t-trap", "t-five", "n-ace"} <= set(values)
    assert not set(values) & set(match.state.team("ann").court)
    owned = {*match.state.setup.rosters["ann"].bench, *match.state.setup.rosters["ann"].tactics}
    assert set(values[: len(owned)]) == owned
    match.play("end_turn", eliminated=["t-out", "b-pg"])
    assert match.view["eliminated"]["ann"] == ["t-out", "b-pg"]


def test_NBA_6_4_no_fatigue_card_is_taken_to_be_in_the_hand() -> None:
    match = Match(full()).reshape("ann", taken=2)
    ask = next(ask for ask in named(match)["replace"].prompts if ask.field == "fatigue_removed")
    assert (ask.minimum, ask.maximum, ask.suggested) == (0, 1, 0)


def test_NBA_8_3_cards_are_removed_also_when_the_market_is_empty() -> None:
    match = Match(full(clock="market"))
    choice = named(match)["eliminate_market"]
    match.play(**choice.event, eliminated=["b-pg"])
    assert match.view["ultimate"]
    assert "eliminate_market" not in named(match)
    assert "eliminate_market" not in named(Match(full()))
