"""NBA's dice results compared with exact expected values: whole rolls (level `full` only), rerolls, mismatches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

from companion.games.base import DieOutcome, ExpectedVsActual, Fields, Outcome
from companion.games.nba import forecast, odds
from companion.games.nba.cards import TacticCard
from companion.games.nba.dice_set import was_read
from companion.games.nba.greedy_player import mean_points
from companion.games.nba.state import State
from companion.games.nba.tables import DEFENCE, FACES_PER_DIE, OFFENCE, SKILLS


def expected_vs_actual(before: State, fields: Fields, outcome: Outcome, after: State) -> tuple[ExpectedVsActual, ...]:
    """Return the luck of an event, in points that can be kept.

    - `offence`, `defence`: a first roll, with the suffix `_reroll` a reroll
    - `mismatch`: a mismatch

    A defence counts against the attacks pending when its dice are rolled, unknown faces by their share of the
    colours.
    """
    event = fields["event"]
    if event == "mismatch":
        attack, defence = (_kinds(fields[key], kinds) for key, kinds in (("attack", OFFENCE), ("defence", DEFENCE)))
        promised = mean_points(before.setup.dice_set, attack, defence)
        return (ExpectedVsActual(fields["side"], "mismatch", Fraction(outcome["points"]), promised),)
    if event == "activate":
        tactic = before.setup.tactic(fields["tactic"])
        promised = odds.expected_total(forecast.pools(before, before.active_side, tactic))
        return (ExpectedVsActual(before.active_side, tactic.type, _kept(before, tactic, fields["dice"]), promised),)
    return _reroll(before, fields) if event == "reroll" else ()


def _reroll(before: State, fields: Fields) -> tuple[ExpectedVsActual, ...]:
    tactic = before.setup.tactic(before.open_roll.tactic)
    colours = before.pending_colours(before.active_side)
    roll_dice = [{"die": die.die, "value": die.value, "colour": die.colour} for die in before.open_roll.dice]
    staying = [die for index, die in enumerate(roll_dice) if index not in fields["dice"]]
    expected = Fraction(0)
    for skill, keep in tactic.keep:
        values = tuple(sorted(_die_value(before, die) for die in staying if die["die"] == skill))
        again = sum(die["die"] == skill for die in fields["to"])
        expected += odds.mean_of_best(forecast.law(before.setup.dice_set, skill, colours), again, keep, values)
    got = _kept(before, tactic, [*staying, *fields["to"]])
    return (ExpectedVsActual(before.active_side, f"{tactic.type}_reroll", got, expected),)


def _kept(before: State, tactic: TacticCard, dice: Iterable[Fields]) -> Fraction:
    """Return the best total that can be kept of these dice."""
    counts: dict[str, list[int]] = {}
    for die in dice:
        counts.setdefault(die["die"], []).append(_die_value(before, die))
    return Fraction(sum(sum(sorted(counts.get(skill, []), reverse=True)[:keep]) for skill, keep in tactic.keep))


def _die_value(before: State, die: Fields) -> int:
    counts = die["die"] in OFFENCE or die.get("colour") in before.pending_colours(before.active_side)
    return int(die["value"]) if counts else 0


def _kinds(dice: Iterable[Fields], kinds: tuple[str, ...]) -> dict[str, int]:
    thrown = Counter(die["die"] for die in dice)
    return {kind: thrown[kind] for kind in kinds}


def die_outcomes(before: State, fields: Fields) -> tuple[DieOutcome, ...]:
    """Return the dice of whole rolls. Dice of which only the kept ones are known are left out: they are the best."""
    event = fields["event"]
    if event == "mismatch":
        against = fields.get("against") or next(side for side in before.setup.sides if side != fields["side"])
        thrown = [(fields["side"], fields["attack"]), (against, fields["defence"])]
    elif event in ("activate", "reroll"):
        thrown = [(before.active_side, fields["dice" if event == "activate" else "to"])]
    else:
        return ()
    if not all(was_read(die) for _, dice in thrown for die in dice):
        return ()
    return tuple(DieOutcome(side, die["die"], str(die["value"])) for side, dice in thrown for die in dice)


def face_probabilities(state: State, kind: str) -> dict[str, Fraction]:
    """Return the probabilities by number, whatever its colour (NBA-2.2)."""
    values = Counter(str(value) for value, _ in state.setup.dice_set.of(kind)) if kind in SKILLS else Counter[str]()
    return {value: Fraction(count, FACES_PER_DIE) for value, count in sorted(values.items())}
