"""The figures in the centre of the table: game data, besides the scoreboard, that shared widgets draw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from companion.games.base import Die, Message


@dataclass(frozen=True, slots=True)
class Headline:
    """The current situation. `badge` is a dice colour identifier (the ball's), drawn as its shape and number."""

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
    """A running total with all its terms. `detail` is shown in place of the title where there is space to read."""

    title: Message
    total: int
    terms: tuple[Term, ...] = ()
    detail: Message | None = None


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
    """The result of one total of a roll.

    `result` is an identifier (`success`, `foul`, `second_throw`), `mark` a card that is shown.
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
class NoticeFigure:
    text: Message
    rule: str | None = None


@dataclass(frozen=True, slots=True)
class LaneDie:
    """A die in a lane. `mark` says whether it counts (`yes`), does not count (`no`) or is best rerolled (`again`).

    `word` is shown beside the mark; `sentence` is the full sentence.
    """

    die: Die
    mark: Literal["", "yes", "no", "again"] = ""
    word: Message | None = None
    sentence: Message | None = None


@dataclass(frozen=True, slots=True)
class LaneRow:
    """The dice of one side, lane by lane; `detail` is their result."""

    side: str
    label: Message
    detail: str
    cells: tuple[tuple[LaneDie, ...], ...]


@dataclass(frozen=True, slots=True)
class Lanes:
    """The dice of both sides, compared by colour. The lane without a colour (None) holds dice without effect.

    `parts` are the numbers of the calculation, each with its side; the later ones are subtracted from the first in
    turn. `total` is the result, for `side`, and `outcome` explains it.
    """

    title: Message
    colours: tuple[str | None, ...]
    rows: tuple[LaneRow, ...]
    total: int
    outcome: Message
    side: str | None = None
    parts: tuple[tuple[int, str], ...] = ()
    between: tuple[str, str] | None = None
    """The two sides of this match, if there are several matches."""


@dataclass(frozen=True, slots=True)
class DuelLine:
    """One line of a column. A `bonus` is written with its sign; `due` is expected now; `hidden` is face down.

    Lines marked `mergeable` may be merged into one when space is short.
    """

    label: Message
    value: int | None
    mark: Literal["", "bonus", "due", "hidden"] = ""
    mergeable: bool = False


@dataclass(frozen=True, slots=True)
class DuelColumn:
    """One side's points, line by line. `total` is None until the side has joined."""

    side: str
    name: str
    detail: Message
    lines: tuple[DuelLine, ...] = ()
    total: int | None = None


@dataclass(frozen=True, slots=True)
class DuelScene:
    """Two columns of points against each other, and the difference once both are complete."""

    columns: tuple[DuelColumn, DuelColumn]
    margin: int | None
    title: Message
    detail: Message


@dataclass(frozen=True, slots=True)
class DiceGroup:
    """Dice of a roll that show the same face; the dice in `counts` make up the side's number."""

    die: Die
    count: int
    counts: bool = False


@dataclass(frozen=True, slots=True)
class ThrowRow:
    """One side's roll, counted groups first: its `number` and the unit of that number."""

    side: str
    groups: tuple[DiceGroup, ...]
    number: int
    label: Message


@dataclass(frozen=True, slots=True)
class Throws:
    """The rolls of the sides against each other, sorted by face."""

    rows: tuple[ThrowRow, ...]


@dataclass(frozen=True, slots=True)
class RaceLane:
    """One side's progress in a race: `done` of `due` steps, and the kind of step."""

    side: str
    label: Message
    done: int
    due: int


@dataclass(frozen=True, slots=True)
class Race:
    """A race in which each side rolls at its own pace; the first to complete all steps ends it."""

    lanes: tuple[RaceLane, ...]


AttemptMark = Literal["made", "missed", "now", "due"]


@dataclass(frozen=True, slots=True)
class AttemptRow:
    """One side's attempts in order: made, missed, the current one, and those that may still come."""

    side: str
    label: Message
    marks: tuple[AttemptMark, ...]


@dataclass(frozen=True, slots=True)
class Attempts:
    """The attempts of both sides in turn, such as the kicks of a shoot-out."""

    rows: tuple[AttemptRow, ...]


@dataclass(frozen=True, slots=True)
class PitchPlace:
    """One place of a team: its `label` and the short name of the player there, if any.

    - `tokens`: his tokens that may be spent now; None if none may be
    - `effect`: his own odds, if they differ from the usual ones
    """

    label: Message
    name: str = ""
    tokens: int | None = None
    effect: Message | None = None


@dataclass(frozen=True, slots=True)
class PitchBall:
    """The ball: `colour` is a dice colour identifier, `name` its holder's short name, `side` the holder's side.

    `column` is the holder's line, counted like the columns of the pitch.
    """

    colour: str
    name: str
    side: str
    column: int


@dataclass(frozen=True, slots=True)
class Pitch:
    """The places of the side that acts, and the ball. `detail` is what any player there may do, with its odds.

    `rows` are two rows of places, those on the left first, each from the own goal to the opponent's.
    """

    side: str
    rows: tuple[tuple[PitchPlace, ...], tuple[PitchPlace, ...]]
    ball: PitchBall
    detail: Message | None = None


@dataclass(frozen=True, slots=True)
class PathZone:
    """One zone of a path. `next` are the ids of the zones that it leads to; `shot` marks one with a shot at goal.

    - `posts`: of each side, the posts with an advantage there, with the side
    - `state`: behind the ball, with it, open to it now, or ahead of it
    - `player`: who keeps the ball there, if anybody
    """

    id: str
    next: tuple[str, ...]
    shot: bool
    posts: tuple[tuple[Message, str], ...]
    state: Literal["past", "here", "option", "ahead"]
    player: str = ""


@dataclass(frozen=True, slots=True)
class ZonePath:
    """The zones of an attack of `side`, row by row towards the goal. `title` names it where there are several."""

    side: str
    rows: tuple[tuple[PathZone, ...], ...]
    title: Message | None = None


@dataclass(frozen=True, slots=True)
class DiceTable:
    """How many dice of each kind the sides throw. `dice` are blank dice, in the order of the counts of each row."""

    dice: tuple[Die, ...]
    rows: tuple[tuple[str, tuple[int, ...]], ...]
    """Each side with its counts."""


Figure = (
    Headline
    | Sum
    | OddsBar
    | Ruler
    | NoticeFigure
    | Lanes
    | DuelScene
    | Throws
    | Race
    | Attempts
    | Pitch
    | ZonePath
    | DiceTable
)


@dataclass(frozen=True, slots=True)
class PlainBoard:
    """The scoreboard of a game that does not draw its own: two sides with their points."""

    sides: tuple[str, str]
    score: tuple[int, int]
    clock: Message | None = None
