"""The figures in the centre of the table: what a game gives to see besides its scoreboard, drawn by shared widgets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from companion.games.base import Die, Message


@dataclass(frozen=True, slots=True)
class Headline:
    """What is going on. `badge` is a dice colour identifier (the ball's) drawn as its form and number."""

    text: Message
    detail: Message | None = None
    badge: str | None = None


@dataclass(frozen=True, slots=True)
class Term:
    """One term of a sum; `side` is the side it favours."""

    label: Message
    value: int
    side: str | None = None


@dataclass(frozen=True, slots=True)
class Sum:
    """A running number with every term it is made of."""

    title: Message
    total: int
    terms: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class OddsPart:
    """One part of an odds bar: `chance` is an exact fraction as text; `side` None is the undecided part (hatched)."""

    label: Message
    chance: str
    side: str | None = None


@dataclass(frozen=True, slots=True)
class OddsBar:
    parts: tuple[OddsPart, ...]


@dataclass(frozen=True, slots=True)
class RulerCell:
    """What one total of a throw comes to: `result` is an identifier (`success`, `foul`, `second_throw`), `mark` a
    card shown.
    """

    total: int
    result: str
    chance: str
    side: str | None = None
    mark: str | None = None


@dataclass(frozen=True, slots=True)
class Ruler:
    title: Message
    cells: tuple[RulerCell, ...]


@dataclass(frozen=True, slots=True)
class Notice:
    text: Message
    rule: str | None = None


@dataclass(frozen=True, slots=True)
class LaneDie:
    """A die in a lane: `mark` says whether it counts (`yes`), does not (`no`) or is best thrown again (`again`).

    `word` stands beside the mark; `says` is the whole sentence.
    """

    die: Die
    mark: Literal["", "yes", "no", "again"] = ""
    word: Message | None = None
    says: Message | None = None


@dataclass(frozen=True, slots=True)
class LaneRow:
    """The dice of one side, lane by lane; `detail` is what they come to."""

    side: str
    label: Message
    detail: str
    cells: tuple[tuple[LaneDie, ...], ...]


@dataclass(frozen=True, slots=True)
class Lanes:
    """Dice of both sides set against each other by colour; the lane without a colour (None) holds those without effect.

    `parts` are the numbers of the reckoning with the side each belongs to, taken from the first one by one; `total` is
    what remains, for `side`, and `outcome` says what it means.
    """

    title: Message
    colours: tuple[str | None, ...]
    rows: tuple[LaneRow, ...]
    total: int
    outcome: Message
    side: str | None = None
    parts: tuple[tuple[int, str], ...] = ()
    between: tuple[str, str] | None = None
    """The two sides whose match this is, where there are several matches."""


@dataclass(frozen=True, slots=True)
class DuelLine:
    """One line of a column: a number, a `bonus` written with its sign; `due` is asked for now, `hidden` face down.

    Lines `alike` may be told in one where room is short.
    """

    label: Message
    value: int | None
    mark: Literal["", "bonus", "due", "hidden"] = ""
    alike: bool = False


@dataclass(frozen=True, slots=True)
class DuelColumn:
    """One side's points, line by line. Without a `total` the side has not joined yet."""

    side: str
    name: str
    detail: Message
    lines: tuple[DuelLine, ...] = ()
    total: int | None = None


@dataclass(frozen=True, slots=True)
class Duel:
    """Two columns of points against each other, and the margin between them once both are there."""

    columns: tuple[DuelColumn, DuelColumn]
    margin: int | None
    title: Message
    detail: Message


@dataclass(frozen=True, slots=True)
class DiceGroup:
    """Dice of a throw that show the same; `counts` are those of which the side's number is made."""

    die: Die
    count: int
    counts: bool = False


@dataclass(frozen=True, slots=True)
class ThrowRow:
    """One side's throw, the groups that count first: its `number`, and what that is a number of."""

    side: str
    groups: tuple[DiceGroup, ...]
    number: int
    label: Message


@dataclass(frozen=True, slots=True)
class Throws:
    """What the sides have thrown against each other, sorted by faces."""

    rows: tuple[ThrowRow, ...]


@dataclass(frozen=True, slots=True)
class RaceLane:
    """One side's way in a race: `done` of `due` steps, and what the steps are."""

    side: str
    label: Message
    done: int
    due: int


@dataclass(frozen=True, slots=True)
class Race:
    """A race in which every side throws at its own pace; whoever has gone its whole way first ends it."""

    lanes: tuple[RaceLane, ...]


Figure = Headline | Sum | OddsBar | Ruler | Notice | Lanes | Duel | Throws | Race


@dataclass(frozen=True, slots=True)
class PlainBoard:
    """The scoreboard of a game that draws none of its own: two sides with their points."""

    sides: tuple[str, str]
    score: tuple[int, int]
    clock: Message | None = None
