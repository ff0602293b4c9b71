"""What the dice of hoops21 brought beside the exact odds: throws won, points, races, rerolls."""

from __future__ import annotations

from fractions import Fraction

from companion.games.base import Fallen, Fields, Luck, Outcome
from companion.games.hoops21 import odds, throws
from companion.games.hoops21.dice_checks import counted
from companion.games.hoops21.state import State
from companion.games.hoops21.tables import BALL, DICE, FREE_THROW_BALLS, FREE_THROW_POINT, SIDES, STEAL, SYMBOLS


def luck(before: State, fields: Fields, outcome: Outcome, after: State) -> tuple[Luck, ...]:
    """`throw` and `reroll` in throws won, `points` of shots and free throws, `race` in balls and S of inbounding.

    A tie goes to the team that holds the token (HB-5.1).
    """
    event = fields["event"]
    if event == "throw":
        chances = odds.throw(before.setup.faces, before.dice_next)
        return tuple(
            Luck(
                side,
                "throw",
                Fraction(_leads(before, outcome, side)),
                chances[side] + (chances["tie"] if before.token == side else 0),
            )
            for side in SIDES
        )
    if event == "shot" and before.attack is not None:
        points = outcome["range"] * _leads(before, outcome, before.attack)
        return (Luck(before.attack, "points", Fraction(points), odds.expected_points(before, before.distance)),)
    if event == "free_throw":
        return _free_throw(before, fields)
    if event == "inbound_throw":
        return _race(before, fields)
    return _reroll(before, fields, outcome) if event == "reroll" else ()


def _leads(before: State, outcome: Outcome, side: str) -> bool:
    leader = outcome["leader"]
    return leader == side if leader is not None else before.token == side


def _free_throw(before: State, fields: Fields) -> tuple[Luck, ...]:
    side = next(side for side in SIDES if side in fields)
    made = counted(tuple(fields[side]))[BALL] >= FREE_THROW_BALLS
    chance = odds.free_throw(before.setup.faces)
    return (Luck(side, "points", Fraction(FREE_THROW_POINT * made), FREE_THROW_POINT * chance),)


def _race(before: State, fields: Fields) -> tuple[Luck, ...]:
    symbol = BALL if fields["team"] == before.attack else STEAL
    found = counted(tuple(fields["dice"]))[symbol]
    promised = Fraction(len(fields["dice"]) * before.setup.faces[symbol], DICE)
    return (Luck(fields["team"], "race", Fraction(found), promised),)


def _reroll(before: State, fields: Fields, outcome: Outcome) -> tuple[Luck, ...]:
    """Whether it won outright, beside the chance of keeping these dice."""
    holder, keep = before.holder, counted(tuple(fields["kept"]))
    chance = next(way.win for way in odds.ways_to_reroll(before) if way.keep == keep)
    won = outcome["made"] if before.lying.kind == "free_throw" else outcome["leader"] == holder
    return (Luck(holder, "reroll", Fraction(bool(won)), chance),)


def fallen(before: State, fields: Fields) -> tuple[Fallen, ...]:
    """Every die that was thrown; of a reroll those thrown again."""
    if fields["event"] == "reroll":
        return tuple(Fallen(before.holder, before.holder, symbol) for symbol in fields["rolled"])
    return tuple(Fallen(die.kind, die.kind, str(die.symbol)) for die in throws.dice(fields))


def shares(state: State, kind: str) -> dict[str, Fraction]:
    """By the faces of the setup (HB-2.1)."""
    return {symbol: Fraction(face, DICE) for symbol, face in zip(SYMBOLS, state.setup.faces, strict=True)}
