"""The events of hoops21 as frozen values: what the players do and what the dice show (chapter 15)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from companion.games.base import Message
from companion.games.hoops21.tables import Action, Restart, Side, Symbol

Dice = tuple[Symbol | None, ...]
"""Dice as they were written; None stands for an entry that is no symbol (HB-1.6)."""


@dataclass(frozen=True, slots=True)
class Faulty:
    """An event whose fields break a rule that is looked at after the phase (HB-1.7)."""

    name: str
    rule: str
    message: Message = field(hash=False)


@dataclass(frozen=True, slots=True)
class JumpBall:
    name: ClassVar[str] = "jump_ball"
    orange: Dice
    white: Dice


@dataclass(frozen=True, slots=True)
class Throw:
    name: ClassVar[str] = "throw"
    orange: Dice
    white: Dice


@dataclass(frozen=True, slots=True)
class Token:
    name: ClassVar[str] = "token"
    use: bool


@dataclass(frozen=True, slots=True)
class Choose:
    name: ClassVar[str] = "choose"
    symbol: Symbol | None = None
    action: Action | None = None


@dataclass(frozen=True, slots=True)
class StepBack:
    name: ClassVar[str] = "step_back"


@dataclass(frozen=True, slots=True)
class Shot:
    name: ClassVar[str] = "shot"
    orange: Dice
    white: Dice


@dataclass(frozen=True, slots=True)
class FreeThrow:
    """Pairs are (orange, white): the dice, None if they are no list; and whether the key was there at all (HB-8.1)."""

    name: ClassVar[str] = "free_throw"
    dice: tuple[Dice | None, Dice | None]
    given: tuple[bool, bool]


@dataclass(frozen=True, slots=True)
class InboundThrow:
    name: ClassVar[str] = "inbound_throw"
    team: Side
    dice: Dice


@dataclass(frozen=True, slots=True)
class InboundEnd:
    name: ClassVar[str] = "inbound_end"
    stolen: bool
    section: int | None = None


@dataclass(frozen=True, slots=True)
class Reroll:
    name: ClassVar[str] = "reroll"
    kept: Dice
    rolled: Dice


@dataclass(frozen=True, slots=True)
class Stand:
    name: ClassVar[str] = "stand"


@dataclass(frozen=True, slots=True)
class Ruling:
    """A table ruling. `points` are (orange, white); what does not apply is None."""

    name: ClassVar[str] = "ruling"
    text: str
    points: tuple[int, int] = (0, 0)
    token: Side | None = None
    restart: Restart | None = None
    section: int | None = None
    team: Side | None = None


@dataclass(frozen=True, slots=True)
class Concede:
    name: ClassVar[str] = "concede"
    team: Side


Event = (
    Faulty
    | JumpBall
    | Throw
    | Token
    | Choose
    | StepBack
    | Shot
    | FreeThrow
    | InboundThrow
    | InboundEnd
    | Reroll
    | Stand
    | Ruling
    | Concede
)
