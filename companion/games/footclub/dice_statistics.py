"""FootClub's dice results compared with the exact probabilities: goals of shots, successes of tackles and supports."""

from __future__ import annotations

from fractions import Fraction

from companion.games.base import DieOutcome, ExpectedVsActual, Fields, Outcome
from companion.games.footclub import odds
from companion.games.footclub.state import State
from companion.games.footclub.tables import COLOURS, PENALTY_BONUS, opponent

FACE_PROBABILITY = Fraction(1, 6)


def expected_vs_actual(before: State, fields: Fields, outcome: Outcome, after: State) -> tuple[ExpectedVsActual, ...]:
    """Return `goal` for the shooting club, or `duel` for the club that tackles or supports."""
    if fields["event"] == "roll" and before.duel is not None:
        duel = before.duel
        expected = odds.duel(duel.mode, duel.modifier, duel.throw)["success"]
        second = odds.duel(duel.mode, duel.modifier, 2)["success"]
        actual = {"success": Fraction(1), "second_throw": second, "foul": Fraction(0)}[outcome["result"]]
        return (ExpectedVsActual(duel.side, "duel", actual, expected, duel.player),)
    return _shot_expected_vs_actual(before, outcome) if fields["event"] == "shot" else ()


def _shot_expected_vs_actual(before: State, outcome: Outcome) -> tuple[ExpectedVsActual, ...]:
    offensive, kicks = before.offensive, before.shootout
    if kicks is not None and kicks.next is not None:
        side, player, bonus = kicks.next, outcome.get("shooter"), PENALTY_BONUS
        throw, defence_die = kicks.throw, kicks.defence_die
    elif offensive is not None:
        side, player, bonus = offensive.side, before.holder, offensive.final
        throw, defence_die = offensive.throw, offensive.defence_die
    else:
        return ()
    result = outcome["result"]
    if result == "pending":
        actual = odds.shot(bonus, throw, outcome["defence"])["goal"]
    else:
        actual = {"goal": Fraction(1), "second_throw": odds.HALF, "post": odds.HALF}.get(result, Fraction(0))
    return (ExpectedVsActual(side, "goal", actual, odds.shot(bonus, throw, defence_die)["goal"], player),)


def die_outcomes(before: State, fields: Fields) -> tuple[DieOutcome, ...]:
    """Return the dice of duels and shots by the club that rolls them; the ball belongs to no side."""
    if fields["event"] == "ball":
        return (DieOutcome(None, "ball", fields["colour"]),)
    if fields["event"] == "roll" and before.duel is not None:
        return tuple(DieOutcome(before.duel.side, "pips", str(value)) for value in fields["dice"])
    if fields["event"] != "shot":
        return ()
    attackers = before.shootout.next if before.shootout is not None else before.possession
    if attackers is None:
        return ()
    sides = {"defence": opponent(attackers), "attack": attackers}
    return tuple(DieOutcome(side, "pips", str(fields[key])) for key, side in sides.items() if key in fields)


def face_probabilities(state: State, kind: str) -> dict[str, Fraction]:
    """Return six equal probabilities."""
    return dict.fromkeys(COLOURS if kind == "ball" else [str(value) for value in range(1, 7)], FACE_PROBABILITY)
