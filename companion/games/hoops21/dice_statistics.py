"""hoops21's dice results compared with the exact expected values: throws won, points, races, rerolls."""

from __future__ import annotations

from fractions import Fraction

from companion.games.base import DieOutcome, ExpectedVsActual, Fields, Outcome
from companion.games.hoops21 import odds, throws
from companion.games.hoops21.dice_checks import count_symbols
from companion.games.hoops21.state import State
from companion.games.hoops21.tables import BALL, DICE, FREE_THROW_BALLS, FREE_THROW_POINTS, SIDES, STEAL, SYMBOLS


def expected_vs_actual(before: State, fields: Fields, outcome: Outcome, after: State) -> tuple[ExpectedVsActual, ...]:
    """Return the luck of an event. A tie goes to the team that holds the token (HB-5.1).

    - `throw`, `reroll`: in throws won
    - `points`: of shots and free throws
    - `race`: in balls and S of inbounding
    """
    event = fields["event"]
    if event == "throw":
        chances = odds.throw_odds(before.setup.faces, before.dice_next)
        return tuple(
            ExpectedVsActual(
                side,
                "throw",
                Fraction(_leads(before, outcome, side)),
                chances[side] + (chances["tie"] if before.token == side else 0),
            )
            for side in SIDES
        )
    if event == "shot" and before.attack is not None:
        points = outcome["range"] * _leads(before, outcome, before.attack)
        return (
            ExpectedVsActual(before.attack, "points", Fraction(points), odds.expected_points(before, before.distance)),
        )
    if event == "free_throw":
        return _free_throw(before, fields)
    if event == "inbound_throw":
        return _race(before, fields)
    return _reroll(before, fields, outcome) if event == "reroll" else ()


def _leads(before: State, outcome: Outcome, side: str) -> bool:
    leader = outcome["leader"]
    return leader == side if leader is not None else before.token == side


def _free_throw(before: State, fields: Fields) -> tuple[ExpectedVsActual, ...]:
    side = next(side for side in SIDES if side in fields)
    made = count_symbols(tuple(fields[side]))[BALL] >= FREE_THROW_BALLS
    chance = odds.free_throw_chance(before.setup.faces)
    return (ExpectedVsActual(side, "points", Fraction(FREE_THROW_POINTS * made), FREE_THROW_POINTS * chance),)


def _race(before: State, fields: Fields) -> tuple[ExpectedVsActual, ...]:
    symbol = BALL if fields["team"] == before.attack else STEAL
    found = count_symbols(tuple(fields["dice"]))[symbol]
    expected = Fraction(len(fields["dice"]) * before.setup.faces[symbol], DICE)
    return (ExpectedVsActual(fields["team"], "race", Fraction(found), expected),)


def _reroll(before: State, fields: Fields, outcome: Outcome) -> tuple[ExpectedVsActual, ...]:
    """Return whether the reroll won outright, with the probability of winning for the dice kept."""
    holder, keep = before.token_holder, count_symbols(tuple(fields["kept"]))
    chance = next(option.win for option in odds.reroll_options(before) if option.keep == keep)
    won = outcome["made"] if before.open_contest.kind == "free_throw" else outcome["leader"] == holder
    return (ExpectedVsActual(holder, "reroll", Fraction(bool(won)), chance),)


def die_outcomes(before: State, fields: Fields) -> tuple[DieOutcome, ...]:
    """Return every rolled die; for a reroll only the rerolled ones."""
    if fields["event"] == "reroll":
        return tuple(DieOutcome(before.token_holder, before.token_holder, symbol) for symbol in fields["rolled"])
    return tuple(DieOutcome(die.kind, die.kind, str(die.symbol)) for die in throws.dice_from_event(fields))


def face_probabilities(state: State, kind: str) -> dict[str, Fraction]:
    """Return the probabilities by the faces of the setup (HB-2.1)."""
    return {symbol: Fraction(face, DICE) for symbol, face in zip(SYMBOLS, state.setup.faces, strict=True)}
