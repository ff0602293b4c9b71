"""What the dice of NBA brought beside the exact odds: whole rolls (which level `full` knows), rerolls, mismatches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

from companion.games.base import Fallen, Fields, Luck, Outcome
from companion.games.nba import forecast, odds
from companion.games.nba.cards import TacticCard
from companion.games.nba.sound_player import mean_points
from companion.games.nba.state import State
from companion.games.nba.tables import DEFENCE, FACES, OFFENCE, SKILLS


def luck(before: State, fields: Fields, outcome: Outcome, after: State) -> tuple[Luck, ...]:
    """Points that can be kept: `offence` and `defence` of a first roll, with `_reroll` of one thrown again, `mismatch`.

    A defence counts against the attacks pending when its dice fall, unknown faces by their share of the colours.
    """
    event = fields["event"]
    if event == "mismatch":
        attack, defence = (_kinds(fields[key], kinds) for key, kinds in (("attack", OFFENCE), ("defence", DEFENCE)))
        promised = mean_points(before.setup.dice_set, attack, defence)
        return (Luck(fields["side"], "mismatch", Fraction(outcome["points"]), promised),)
    if event == "activate":
        tactic = before.setup.tactic(fields["tactic"])
        promised = odds.expected(forecast.pools(before, before.mover, tactic))
        return (Luck(before.mover, tactic.type, _kept(before, tactic, fields["dice"]), promised),)
    return _reroll(before, fields) if event == "reroll" else ()


def _reroll(before: State, fields: Fields) -> tuple[Luck, ...]:
    tactic = before.setup.tactic(before.rolling.tactic)
    colours = before.pending_colours(before.mover)
    lying = [{"die": die.die, "value": die.value, "colour": die.colour} for die in before.rolling.dice]
    staying = [die for index, die in enumerate(lying) if index not in fields["dice"]]
    promised = Fraction(0)
    for skill, keep in tactic.keep:
        values = tuple(sorted(_counted(before, die) for die in staying if die["die"] == skill))
        again = sum(die["die"] == skill for die in fields["to"])
        promised += odds.mean(forecast.law(before.setup.dice_set, skill, colours), again, keep, values)
    got = _kept(before, tactic, [*staying, *fields["to"]])
    return (Luck(before.mover, f"{tactic.type}_reroll", got, promised),)


def _kept(before: State, tactic: TacticCard, dice: Iterable[Fields]) -> Fraction:
    """The best total that can be kept of these dice."""
    counts: dict[str, list[int]] = {}
    for die in dice:
        counts.setdefault(die["die"], []).append(_counted(before, die))
    return Fraction(sum(sum(sorted(counts.get(skill, []), reverse=True)[:keep]) for skill, keep in tactic.keep))


def _counted(before: State, die: Fields) -> int:
    counts = die["die"] in OFFENCE or die.get("colour") in before.pending_colours(before.mover)
    return int(die["value"]) if counts else 0


def _kinds(dice: Iterable[Fields], kinds: tuple[str, ...]) -> dict[str, int]:
    thrown = Counter(die["die"] for die in dice)
    return {kind: thrown[kind] for kind in kinds}


def fallen(before: State, fields: Fields) -> tuple[Fallen, ...]:
    """The dice of whole rolls. Of dice that were kept out of a roll nobody knows what else lay there."""
    event = fields["event"]
    if event == "mismatch":
        against = fields.get("against") or next(side for side in before.setup.sides if side != fields["side"])
        thrown = [(fields["side"], fields["attack"]), (against, fields["defence"])]
    elif event in ("activate", "reroll"):
        thrown = [(before.mover, fields["dice" if event == "activate" else "to"])]
    else:
        return ()
    return tuple(Fallen(side, die["die"], str(die["value"])) for side, dice in thrown for die in dice)


def shares(state: State, kind: str) -> dict[str, Fraction]:
    """By number, whatever its colour (NBA-2.2)."""
    values = Counter(str(value) for value, _ in state.setup.dice_set.of(kind)) if kind in SKILLS else Counter[str]()
    return {value: Fraction(count, FACES) for value, count in sorted(values.items())}
