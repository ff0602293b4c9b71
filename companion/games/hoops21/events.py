"""The events of hoops21 as immutable values: player actions and dice results (chapter 15)."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.hoops21.tables import Action, Restart, Side, Symbol

Dice = tuple[Symbol | None, ...]
"""Dice as written in the journal; None is an entry that is not a symbol (HB-1.6)."""


@dataclass(frozen=True, slots=True)
class JumpBall:
    orange: Dice
    white: Dice


@dataclass(frozen=True, slots=True)
class Throw:
    orange: Dice
    white: Dice


@dataclass(frozen=True, slots=True)
class Token:
    use: bool


@dataclass(frozen=True, slots=True)
class Choose:
    symbol: Symbol | None = None
    action: Action | None = None


@dataclass(frozen=True, slots=True)
class StepBack:
    pass


@dataclass(frozen=True, slots=True)
class Shot:
    orange: Dice
    white: Dice


@dataclass(frozen=True, slots=True)
class FreeThrow:
    """A free throw. Pairs are (orange, white).

    They hold the dice, None if they are not a list, and whether the key was present (HB-8.1).
    """

    dice: tuple[Dice | None, Dice | None]
    given: tuple[bool, bool]


@dataclass(frozen=True, slots=True)
class InboundThrow:
    team: Side
    dice: Dice


@dataclass(frozen=True, slots=True)
class InboundEnd:
    stolen: bool
    section: int | None = None


@dataclass(frozen=True, slots=True)
class Reroll:
    kept: Dice
    rolled: Dice


@dataclass(frozen=True, slots=True)
class Stand:
    pass


@dataclass(frozen=True, slots=True)
class Ruling:
    """A table ruling. `points` are (orange, white); values that do not apply are None."""

    text: str
    points: tuple[int, int] = (0, 0)
    token: Side | None = None
    restart: Restart | None = None
    section: int | None = None
    team: Side | None = None


@dataclass(frozen=True, slots=True)
class Concede:
    team: Side
