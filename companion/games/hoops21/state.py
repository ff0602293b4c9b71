"""The state of a hoops21 match as immutable values, with simple derived numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from companion.games.hoops21.setup import Setup
from companion.games.hoops21.tables import BALL, DICE, SYMBOLS, Phase, Side, Symbol, side_index

Counts = tuple[int, ...]
"""Dice by symbol, in the order of SYMBOLS."""

NO_DICE: Counts = (0, 0, 0, 0)
ALL_DICE = (DICE, DICE)


@dataclass(frozen=True, slots=True)
class Contest:
    """Dice on the table until the contest is decided: (orange, white). A free throw has only one team's dice.

    `winner` is set while the winner of a throw still has to choose.
    """

    kind: Literal["throw", "shot", "free_throw"]
    dice: tuple[Counts, Counts]
    winner: Side | None = None

    def counts_of(self, side: Side) -> Counts:
        return self.dice[side_index(side)]

    def with_dice(self, side: Side, counts: Counts) -> Contest:
        """Return the contest with other dice of one side."""
        orange, white = self.dice
        return replace(self, dice=(counts, white) if side == "orange" else (orange, counts))


@dataclass(frozen=True, slots=True)
class FreeThrows:
    team: Side
    number: int = 1


@dataclass(frozen=True, slots=True)
class Stats:
    """A side's statistics so far (chapter 16)."""

    throws_won: int = 0
    dunks: int = 0
    slam_dunks: int = 0
    two_made: int = 0
    two_tried: int = 0
    three_made: int = 0
    three_tried: int = 0
    ft_made: int = 0
    ft_tried: int = 0
    steals: int = 0


@dataclass(frozen=True, slots=True)
class State:
    """The full state of a match. Two equal states are the same situation. Pairs are (orange, white).

    `set_aside` counts the S dice collected in an inbounding race and is None outside one; the inbounding team is then
    the attack.
    """

    setup: Setup
    phase: Phase = "jump_ball"
    score: tuple[int, int] = (0, 0)
    attack: Side | None = None
    pawn: int | None = None
    token: Side | None = None
    dice_next: tuple[int, int] = ALL_DICE
    contest: Contest | None = None
    free_throws: FreeThrows | None = None
    set_aside: int | None = None
    winner: Side | None = None
    stats: tuple[Stats, Stats] = (Stats(), Stats())

    @property
    def attack_and_pawn(self) -> tuple[Side, int]:
        """The attack and its pawn, once the jump ball is decided."""
        if self.attack is None or self.pawn is None:
            raise ValueError("the pawn is not on the court")
        return self.attack, self.pawn

    @property
    def token_holder(self) -> Side:
        """The holder of the token, once the jump ball is decided."""
        if self.token is None:
            raise ValueError("nobody holds the token")
        return self.token

    @property
    def open_contest(self) -> Contest:
        """The dice that need a decision. Only in phases `tie`, `reroll` and `choose`."""
        if self.contest is None:
            raise ValueError("no dice wait for a decision")
        return self.contest

    @property
    def distance(self) -> int:
        """The distance of the pawn, once it is on the court."""
        attack, pawn = self.attack_and_pawn
        return self.setup.court.distance(attack, pawn)

    def incremented_stats(self, side: Side, *stat_names: str) -> tuple[Stats, Stats]:
        """Return the stats with each of these increased by one for a side."""
        stats = self.stats[side_index(side)]
        stats = replace(stats, **{name: getattr(stats, name) + 1 for name in stat_names})
        return (stats, self.stats[1]) if side == "orange" else (self.stats[0], stats)


def highest_count(counts: Counts) -> int:
    """Return a team's count in a throw (HB-4.2)."""
    return max(counts)


def playable_symbols(counts: Counts) -> tuple[Symbol, ...]:
    """Return the symbols that a team may play (HB-4.2)."""
    most = max(counts)
    return tuple([symbol for symbol, count in zip(SYMBOLS, counts, strict=True) if count == most])


def balls(counts: Counts) -> int:
    return counts[BALL]
