"""hoops21 offers exactly the legal choices: tests try every choice in random matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from companion.games.base import Choice, Decision, Die, Prompt, Refusal
from companion.games.hoops21 import HOOPS21
from companion.games.hoops21.state import State
from companion.games.hoops21.tables import SYMBOLS
from companion.games.hoops21.view import waiting_for
from companion.games.wording import percent
from companion.language import Language
from tests.games.hoops21.kit import ADVANCED, MIXED, Match, dice, shooting, under_way


def states(seed: int) -> Iterator[State]:
    """Yield the situations of one random match, including the last one."""
    random = Random(seed)
    state = HOOPS21.initial_state(HOOPS21.random_header(random))
    yield state
    while not HOOPS21.finished(state):
        state, _ = HOOPS21.apply(state, HOOPS21.parse(HOOPS21.random_event(state, random)))
        yield state


def refusal(state: State, fields: Any) -> str | None:
    try:
        HOOPS21.validate(state, HOOPS21.parse(fields))
    except Refusal as refused:
        return refused.rule
    return None


def answer(ask: Prompt, random: Random) -> Any:
    """Return a random valid answer to a prompt."""
    if ask.kind == "text":
        return "Ballon perdu sous la table"
    pool = [option.value for option in ask.options for _ in range(option.maximum or 1)]
    if ask.maximum:
        return random.sample(pool, min(len(pool), random.randint(ask.minimum, ask.maximum)))
    return random.choice(pool) if ask.pick_count == 1 else random.sample(pool, ask.pick_count)


def completed(state: State, choice: Choice, random: Random) -> dict[str, Any]:
    """Return the complete event of a choice; a reroll reports as many dice as were thrown."""
    fields = {**choice.event, **{ask.field: answer(ask, random) for ask in choice.prompts}}
    if fields["event"] == "reroll":
        again = sum(state.open_contest.counts_of(state.token_holder)) - len(fields["kept"])
        fields["rolled"] = random.choices(SYMBOLS, k=again)
    return fields


@pytest.mark.parametrize("seed", range(5))
def test_every_choice_is_legal_and_every_barred_one_is_not(seed: int) -> None:
    random = Random(seed)
    for state in states(seed):
        made = HOOPS21.decision(state)
        assert made.sides == (() if state.phase == "over" else waiting_for(state))
        check_dice(state, made)
        for choice in made.choices:
            if choice.disabled_reason is not None:
                asked = {ask.field: answer(ask, random) for ask in choice.prompts}
                assert refusal(state, {**choice.event, **asked}) == choice.disabled_reason.rule
            else:
                fields = completed(state, choice, random)
                assert refusal(state, fields) is None, fields


def check_dice(state: State, made: Decision) -> None:
    """Check that the awaited dice make a legal event; separate groups make one each."""
    throws = [[one] for one in made.dice] if any(one.independent for one in made.dice) else [list(made.dice)]
    for awaited in throws:
        thrown = [Die(one.kind, symbol="ball") for one in awaited for _ in range(one.count)]
        assert (HOOPS21.event_from_dice(state, thrown) is not None) == bool(thrown)


def test_no_phase_is_a_dead_end() -> None:
    seen: Counter[str] = Counter()
    for seed in range(5):
        for state in states(seed):
            seen[state.phase] += 1
            made = HOOPS21.decision(state)
            usual = [choice for choice in made.choices if not choice.menu and choice.disabled_reason is None]
            assert bool(usual or made.dice) == (state.phase != "over")
    assert set(seen) == {"jump_ball", "throw", "tie", "reroll", "choose", "shot", "free_throw", "inbound", "over"}


def offered(match: Match) -> dict[str, Choice]:
    """Return the choices outside the menu by their labels."""
    language = Language("fr")
    return {language.text(choice.label): choice for choice in HOOPS21.decision(match.state).choices if not choice.menu}


def offered_rows(match: Match) -> list[tuple[str, str, str | None]]:
    language = Language("fr")
    return [
        (language.text(choice.label), language.text(choice.detail) if choice.detail else "", choice.effect)
        for choice in HOOPS21.decision(match.state).choices
        if not choice.menu
    ]


def test_the_choices_of_the_design() -> None:
    """Orange on section 12 with three balls: shoot for 2 points or advance to section 15."""
    match = under_way(12)
    match.throw("bbbpsf", "sspbfp")
    assert offered_rows(match) == [
        ("Tirer à 2 points", "réussi", percent(Fraction(62, 100))),
        ("Avancer", "jusqu’à la case 15", "+3"),
    ]


def test_only_a_choice_that_scores_at_once_is_filled() -> None:
    """A shot made in 18 % of cases was filled beside a move that brings the pawn inside the arc."""
    match = under_way(9)
    match.throw("bbbpsf", "sspbfp")
    assert {choice.prominence for choice in offered(match).values()} == {2}
    match = under_way(14)
    match.throw("bbbpsf", "sspbfp")
    first = next(iter(offered(match).values()))
    assert (first.event["action"], first.prominence) == ("advance", 1), "a dunk"


def test_a_pass_says_that_the_other_team_throws_fewer_dice() -> None:
    match = under_way(9)
    match.throw("bbbppp", "sspbff")
    rows = {name: (detail, effect) for name, detail, effect in offered_rows(match)}
    assert rows["Avancer"] == ("jusqu’à la case 12", "+3")
    assert rows["Passe aveugle"] == ("jusqu’à la case 12, puis 5 dés pour Quai Nord", "+3")


def test_every_symbol_of_an_own_tie_is_one_tap() -> None:
    match = under_way(14)
    match.throw("ppssff", MIXED)
    match.play("token", use=False)
    assert match.phase == "choose"
    names = [name for name, _, _ in offered_rows(match)]
    assert sorted(names) == ["Lancers francs", "Passe aveugle", "Tirer à 2 points"]
    assert ("Passe aveugle", "Dunk\N{NARROW NO-BREAK SPACE}! 2 points", "+3") in offered_rows(match)
    assert all(not choice.prompts for choice in offered(match).values())
    match = under_way(9)
    match.throw("bpssff", "bbbppp")
    assert ("Repousser le ballon", "interception, case 6", "−3") in offered_rows(match)


def test_the_one_tap_ends_of_the_race() -> None:
    match = shooting()
    match.shot("pssssf", "pssssf")
    choices = offered(match)
    assert choices["Ligne passée"].side == "white"
    stolen = choices["Interception"]
    assert stolen.side == "orange"
    assert [option.value for option in stolen.prompts[0].options] == list(range(16, 8, -1))


def test_the_reroll_advised_is_offered_first() -> None:
    match = shooting(13, **ADVANCED)
    match.play("ruling", text="x", token="orange")
    match.shot("bbbpsf", "bbbbbs")
    first, *rest = HOOPS21.decision(match.state).choices
    assert (first.event["kept"], first.effect, first.prominence) == (dice("bbb"), percent(Fraction(26, 100)), 1)
    assert first.prompts[0].field == "rolled"
    assert [ask.field for ask in rest[1].prompts] == ["kept", "rolled"]
    kept = rest[1].prompts[0]
    assert (kept.kind, kept.minimum, kept.maximum, kept.suggested) == ("dice", 0, 5, dice("bbb"))
    assert [option.value for option in kept.options] == dice("bbbpsf")
    stays = kept.progress({"kept": dice("bb")})
    assert stays is not None
    assert stays.args == {"kept": 2, "n": 4}


def test_what_people_look_for_is_barred_with_its_rule() -> None:
    match = under_way()
    match.throw("pppbsf", "sssbbf")
    refused = offered(match)["Relancer des dés"].disabled_reason
    assert refused is not None
    assert refused.rule == "HB-11.1"
    step = offered(shooting(9))["Sortir de l’arc"].disabled_reason
    assert step is not None
    assert step.rule == "HB-7.5"
    assert offered(shooting(13))["Sortir de l’arc"].effect == percent(Fraction(18, 100))


def test_the_menu_holds_rulings_and_giving_up() -> None:
    menu = [choice for choice in HOOPS21.decision(Match().state).choices if choice.menu]
    assert {choice.event["event"] for choice in menu} == {"ruling", "concede"}
    restarts = {choice.event.get("restart"): [ask.field for ask in choice.prompts] for choice in menu}
    assert restarts["throw"] == ["section", "token", "text"]
    assert restarts["inbound"] == ["team", "token", "text"]
    assert all(choice.needs_long_press for choice in menu if choice.event["event"] == "concede")
    fewer = {
        choice.event.get("restart"): choice for choice in HOOPS21.decision(under_way().state).choices if choice.menu
    }
    assert [ask.field for ask in fewer["throw"].prompts] == ["section", "text"]


def test_titles_in_players_words() -> None:
    language = Language("fr")
    match = under_way()
    match.throw("pppbsf", MIXED)
    made = HOOPS21.decision(match.state)
    assert language.text(made.title) == "Les deux équipes lancent ensemble"
    assert made.detail is not None
    assert language.text(made.detail) == "Seulement 5 dés pour Quai Nord"
    assert [(one.side, one.kind, one.count) for one in made.dice] == [("orange", "orange", 6), ("white", "white", 5)]
