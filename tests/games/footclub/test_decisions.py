"""FootClub offers exactly the legal choices: tests try every choice in random matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest

from companion.games.base import Choice, Decision, Die, Message, Option, Prompt, Refusal
from companion.games.footclub import FOOTCLUB
from companion.games.footclub.decisions import Completion, best_lineup, decision, public_state
from companion.games.footclub.discipline import without_player
from companion.games.footclub.squads import header, sample_clubs
from companion.games.footclub.state import Club, State
from companion.games.footclub.tables import FORMATIONS, POSTS, SIDES, Formation
from companion.games.wording import literal, percent
from tests.games.footclub.scenes import ATTACK, KICK_OFF, played, states

SEEDS = range(12)
ATTEMPTS = 1000
TEAM_SHEET = {"event": "team_sheet", "side": "blue"}


def refusal(state: State, fields: Any) -> str | None:
    try:
        FOOTCLUB.validate(state, FOOTCLUB.parse(fields))
    except Refusal as refused:
        return refused.rule
    return None


def answer(ask: Prompt, answers: dict[str, Any], random: Random) -> dict[str, Any]:
    """Return random valid fields for a prompt."""
    if ask.kind == "lineup":
        return dict(ask.suggested)
    if ask.kind == "counts":
        counts = Counter[str]()
        while counts.total() < (ask.total or 0):
            option = random.choice(ask.options)
            counts[option.value] += counts[option.value] < (option.maximum or 0)
        return {ask.field: dict(counts)}
    options = [option for option in ask.options if not option.disabled_reason]
    if ask.pick_count == 1:
        return {ask.field: random.choice(options).value}
    return {
        ask.field: random.sample(
            [option.value for option in options for _ in range(option.maximum or 1)], ask.pick_count
        )
    }


def completed(choice: Choice, random: Random) -> dict[str, Any] | None:
    """Return the complete event of a choice with random answers, or None if no legal answers were found."""
    for _ in range(ATTEMPTS):
        answers: dict[str, Any] = {}
        fits = True
        for ask in choice.prompts:
            made = ask.resolved(answers)
            answers |= answer(made, answers, random)
            fits = fits and made.answers_disabled_reason(answers) is None
        if fits:
            return {**choice.event, **answers}
    return None


def betrays(state: State, rule: str) -> bool:
    """Return True if only a secret card choice makes an offered event illegal (FC-4.5)."""
    return rule == "FC-4.7" and any(club.tactics_known for club in state.clubs)


def check_choice(state: State, choice: Choice, random: Random) -> None:
    known = public_state(state)
    if choice.disabled_reason:
        assert choice.disabled_reason.rule in {refusal(known, fields) for fields in barred_forms(known, choice)}, choice
        return
    if any(ask.kind == "lineup" and ask.suggested is None for ask in choice.prompts):
        return  # several replacements together may be legal where no single one is
    fields = completed(choice, random)
    assert fields is not None, choice
    assert refusal(known, fields) is None, fields
    rule = refusal(state, fields)
    assert rule is None or betrays(state, rule), fields
    for ask in choice.prompts:
        for option in ask.options:
            if option.disabled_reason:
                check_barred_option(known, choice, ask, option)


def barred_forms(state: State, choice: Choice) -> Iterator[dict[str, Any]]:
    """Yield possible events of a barred choice, completed with any available value."""
    event = dict(choice.event)
    name = event["event"]
    if name not in ("permute", "change", "press", "tackle", "offensive", "defensive_support"):
        yield event
        return
    club = state.club(event["side"])
    if name == "permute":
        yield from ({**event, "players": list(line[:2])} for line in club.lineup or () if len(line) > 1)
    elif name == "change":
        yield from ({**event, "subs": [{"out": out, "in": into}]} for out in club.players for into in club.players)
    elif name == "press":
        yield from ({**event, "section": [f"{post}_l", f"{post}_r"]} for post in POSTS)
    else:
        yield from ({**event, "section": f"{post}_l"} for post in POSTS)


def check_barred_option(state: State, choice: Choice, ask: Prompt, option: Option) -> None:
    """Check that a barred option is refused with any other answers, first of all by the rule it names."""
    assert option.disabled_reason is not None
    value = option.value if ask.pick_count == 1 else [option.value] * ask.pick_count
    switches = [one for one in choice.prompts if one is not ask and one.pick_count == 1]
    rules = [
        refusal(
            state,
            {
                **choice.event,
                ask.field: value,
                **{one.field: at.value for one, at in zip(switches, taken, strict=True)},
            },
        )
        for taken in product(*(one.options for one in switches))
    ]
    assert None not in rules
    assert option.disabled_reason.rule in rules


def check_dice(state: State, made: Decision) -> None:
    """Check that the awaited dice make a legal event, unless a choice is required before them (FC-9.8)."""
    now = [await_ for await_ in made.dice if await_.order == min(one.order for one in made.dice)]
    dice = [
        Die("ball", colour="green") if await_.kind == "ball" else Die(await_.kind, value=3)
        for await_ in now
        for _ in range(await_.count)
    ]
    if made.required_before_dice is not None:
        assert FOOTCLUB.event_from_dice(state, dice) is None
        event = FOOTCLUB.parse(made.required_before_dice.event)
        FOOTCLUB.validate(state, event)
        state, _ = FOOTCLUB.apply(state, event)
    fields = FOOTCLUB.event_from_dice(state, dice)
    assert (fields is not None) == bool(dice), made
    if fields:
        assert refusal(state, fields) is None


@pytest.mark.parametrize("seed", SEEDS)
def test_every_choice_is_legal_and_nothing_is_a_dead_end(seed: int) -> None:
    random = Random(seed)
    for state in states(seed):
        made = decision(state)
        assert decision(state) == made
        if state.phase == "finished":
            assert not made.choices
            assert not made.dice
            assert not made.sides
            continue
        open_choices = [choice for choice in made.choices if not choice.disabled_reason and not choice.menu]
        stuck = any(club.is_too_small or club.lacks_captain for club in state.clubs) or state.phase == "pre_match"
        assert open_choices or made.dice or stuck, state
        assert [choice.event["side"] for choice in made.choices if choice.menu] == ["blue", "red"]
        for choice in made.choices:
            if choice.disabled_reason is None or choice.disabled_reason.rule != "FC-2.8":
                check_choice(state, choice, random)
        check_dice(state, made)


def test_a_squad_that_can_field_no_team_is_told_so() -> None:
    """FC-2.8"""
    made = deepcopy(header(*sample_clubs()[:2]))
    players = made["setup"]["squads"]["blue"]["players"]
    made["setup"]["squads"]["blue"]["players"] = [
        {**one, "posts": ["fw"], "strength": None} for one in players if one.get("strength") != "versatile"
    ]
    choice = next(one for one in decision(FOOTCLUB.initial_state(made)).choices if one.event == TEAM_SHEET)
    assert choice.disabled_reason is not None
    assert choice.disabled_reason.rule == "FC-2.8"


def test_a_suggested_team_sheet_is_the_strongest_of_the_squad() -> None:
    """No other legal team of this small squad has more stars; all players are tried at every post (FC-3.2, FC-3.6)."""
    made = header(*sample_clubs()[:2])
    club = FOOTCLUB.initial_state(made).club("blue")
    for formation in sorted(FORMATIONS)[::5]:
        lines = best_lineup(club.players.values(), formation)
        assert lines is not None
        assert tuple(map(len, lines)) == formation
        assert sum(club.players[id].level for line in lines for id in line) == most_stars(club, formation)


def most_stars(club: Club, formation: Formation) -> int:
    """Compute the result by brute force over the posts of the versatile players."""
    able = list(club.players.values())
    best = 0
    for posts in product(*(player.card.posts for player in able)):
        placed = list(zip(able, posts, strict=True))
        lines = [sorted((one.level for one, at in placed if at == post), reverse=True) for post in POSTS]
        if all(len(line) >= count for line, count in zip(lines, formation, strict=True)):
            best = max(best, sum(sum(line[:count]) for line, count in zip(lines, formation, strict=True)))
    return best


def test_kop_and_supporters_show_what_they_add() -> None:
    """Check the choices of the example offensive in the design: labels, effects, ranks."""
    state = played(*KICK_OFF, *ATTACK)[0]
    offered = [
        (choice.side, choice.event["event"], choice.effect, choice.prominence) for choice in decision(state).choices
    ]
    assert offered[:2] == [("blue", "spend", "+1", 1), ("red", "spend", "−1", 1)]
    assert ("blue", "attacking_support", "+2", 2) in offered
    assert ("red", "defensive_support", "−2", 2) in offered
    assert [(die.side, die.order) for die in decision(state).dice] == [("red", 0), ("blue", 1)]


def test_a_tackle_shows_whom_each_place_names_and_the_odds() -> None:
    state = played(*KICK_OFF)[0]
    mode, section = next(choice.prompts for choice in decision(state).choices if choice.event["event"] == "tackle")
    assert [(one.value, one.effect) for one in mode.options] == [
        ("regular", percent(Fraction(58, 100))),
        ("aggressive", percent(Fraction(76, 100))),
    ]
    places = {option.value: option for option in section.options}
    assert list(places)[:5] == ["fw_l", "am_l", "dm_l", "cb_l", "fb_l"]
    assert places["cb_l"].detail == literal("M. Brandt")
    assert places["cb_l"].effect is None
    assert places["fb_l"].effect == percent(Fraction(88, 100))  # N. Castaing is rugged: aggressive, one more (FC-7.5)
    assert isinstance(section.data, Completion)
    assert section.data.disabled_reason({"mode": "regular", "section": "cb_l"}) is None
    refused = section.data.disabled_reason({"mode": "regular", "section": "fb_l"})
    assert refused is not None
    assert refused.rule == "FC-7.5"


def without(state: State, *ids: str, status: str = "sent_off") -> State:
    """Return the state after these players of Valcendre have left the pitch."""
    club = state.club("blue")
    for id in ids:
        club = without_player(club, id, status)
    return replace(state, clubs=state.with_clubs(club))


def test_where_a_place_is_empty_the_whole_ribbon_may_be_read() -> None:
    """FC-5.6 and FC-5.7: Valcendre has lost its only defensive midfielder."""
    state = without(played(*KICK_OFF)[0], "vc-lescure")
    random = Random(1)
    choices = decision(state).choices
    for event, empty in (("tackle", "dm_l"), ("press", "dm_r")):
        section, ribbon = [one for one in choices if one.event["event"] == event and one.prompts[-1].field != "pay"][:2]
        reasons = {option.value: option.disabled_reason for option in section.prompts[-1].options}
        assert [place for place, reason in reasons.items() if reason] == ["dm_l", "dm_r"]
        reason = reasons[empty]
        assert reason is not None
        assert reason.rule == "FC-5.7"
        assert (ribbon.prompts[-1].field, ribbon.prompts[-1].pick_count) == ("ribbon", 6)
        fields = completed(ribbon, random)
        assert fields is not None
        assert refusal(state, fields) is None


def test_a_team_that_is_too_small_must_replace_its_injured_player_first() -> None:
    """FC-13.9"""
    state = without(played(*KICK_OFF)[0], "vc-lescure", "vc-almas", "vc-ferrier")
    state = without(state, "vc-vidal", status="injured_off")
    made = decision(state)
    assert made.sides == ("blue",)
    assert not made.dice
    (change,) = [choice for choice in made.choices if not choice.menu]
    assert (change.event, change.prominence, change.disabled_reason) == ({"event": "change", "side": "blue"}, 1, None)
    fields = completed(change, Random(1))
    assert fields is not None
    assert fields["subs"][0]["out"] == "vc-vidal"
    assert refusal(state, fields) is None


def test_a_vacant_armband_is_filled_before_anything_else() -> None:
    """FC-3.9: the choice of captains follows FC-3.8."""
    state = without(played(*KICK_OFF)[0], "vc-garance")
    made = decision(state)
    assert made.sides == SIDES
    captain = made.choices[0]
    assert (captain.event, captain.prominence) == ({"event": "captain", "side": "blue"}, 1)
    assert [option.value for option in captain.prompts[0].options] == ["vc-marchal", "vc-delmas"]
    assert {choice.event["event"] for choice in made.choices} == {"captain", "change", "forfeit"}


def test_a_side_that_may_only_add_or_change_is_told_so() -> None:
    state = played(*KICK_OFF)[0]
    assert decision(state).roles == {"red": Message("footclub.role.has_ball")}
    state = played(*KICK_OFF, *ATTACK)[0]
    assert state.phase == "offensive"
    may_add = Message("footclub.role.may_add")
    assert decision(state).roles == {"blue": may_add, "red": may_add}
    tackled = {"event": "tackle", "side": "blue", "mode": "regular", "section": "fw_l"}
    assert decision(played(*KICK_OFF, tackled)[0]).roles == {"red": Message("footclub.role.may_change")}
