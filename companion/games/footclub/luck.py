"""What the dice of FootClub brought beside the exact odds: goals of shots, successes of tackles and supports."""

from __future__ import annotations

from fractions import Fraction

from companion.games.base import Fallen, Fields, Luck, Outcome
from companion.games.footclub import odds
from companion.games.footclub.state import State
from companion.games.footclub.tables import COLOURS, PENALTY_BONUS, other

FACE = Fraction(1, 6)


def luck(before: State, fields: Fields, outcome: Outcome, after: State) -> tuple[Luck, ...]:
    """`goal` for the shooting club, `duel` for the club that tackles or supports."""
    if fields["event"] == "roll" and before.duel is not None:
        duel = before.duel
        promised = odds.duel(duel.mode, duel.modifier, duel.throw)["success"]
        second = odds.duel(duel.mode, duel.modifier, 2)["success"]
        got = {"success": Fraction(1), "second_throw": second, "foul": Fraction(0)}[outcome["result"]]
        return (Luck(duel.side, "duel", got, promised, duel.player),)
    return _shot(before, outcome) if fields["event"] == "shot" else ()


def _shot(before: State, outcome: Outcome) -> tuple[Luck, ...]:
    offensive, kicks = before.offensive, before.shootout
    if kicks is not None and kicks.next is not None:
        side, player, bonus = kicks.next, outcome.get("shooter"), PENALTY_BONUS
        throw, lying = kicks.throw, kicks.defence_die
    elif offensive is not None:
        side, player, bonus = offensive.side, before.holder, offensive.final
        throw, lying = offensive.throw, offensive.defence_die
    else:
        return ()
    result = outcome["result"]
    if result == "pending":
        got = odds.shot(bonus, throw, outcome["defence"])["goal"]
    else:
        got = {"goal": Fraction(1), "second_throw": odds.HALF, "post": odds.HALF}.get(result, Fraction(0))
    return (Luck(side, "goal", got, odds.shot(bonus, throw, lying)["goal"], player),)


def fallen(before: State, fields: Fields) -> tuple[Fallen, ...]:
    """The dice of duels and shots by the club that throws them; the ball is nobody's."""
    if fields["event"] == "ball":
        return (Fallen(None, "ball", fields["colour"]),)
    if fields["event"] == "roll" and before.duel is not None:
        return tuple(Fallen(before.duel.side, "pips", str(value)) for value in fields["dice"])
    if fields["event"] != "shot":
        return ()
    attackers = before.shootout.next if before.shootout is not None else before.possession
    if attackers is None:
        return ()
    sides = {"defence": other(attackers), "attack": attackers}
    return tuple(Fallen(side, "pips", str(fields[key])) for key, side in sides.items() if key in fields)


def shares(state: State, kind: str) -> dict[str, Fraction]:
    """Six faces alike."""
    return dict.fromkeys(COLOURS if kind == "ball" else [str(value) for value in range(1, 7)], FACE)
