"""What a game is: the contract that each of the four games fulfils, and the words in which it speaks to the table.

Pure: no clock, file, randomness, screen or log. A game turns a journal of physical facts into a state
(`begin`, `decide`, `apply`), says what it awaits (`awaits`) and what there is to see (`scene`). Texts are message ids
with arguments; the sentences live in the catalogues of `companion.language`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar, runtime_checkable

if TYPE_CHECKING:
    from companion.games.figures import Figure

JsonObject = dict[str, Any]
"""A JSON object, decoded or to be written. Whoever reads one from outside checks its values."""

Fields = Mapping[str, Any]
"""The JSON object of a header or an event, decoded: what a line of a journal file holds."""

Outcome = JsonObject
"""What an event came to, as `log` shows it (docs/rules/README.md)."""


@dataclass(frozen=True, slots=True)
class Message:
    """A text of the catalogues: an id such as `footclub.refusal.FC-8.2` and its named arguments.

    An argument may itself be a Message, translated first. `n`, if given, chooses the plural.
    """

    id: str
    args: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.id}({', '.join(f'{k}={v}' for k, v in self.args.items())})" if self.args else self.id


@dataclass(frozen=True, slots=True, order=True)
class Die:
    """One die with the face that counts. What a kind of die lacks is None."""

    kind: str
    value: int | None = None
    colour: str | None = None
    symbol: str | None = None


class Refusal(Exception):
    """An event that breaks a rule. The state stays as it was.

    `rule` is the number of the first rule broken, in the game's order of checks; `message` the sentence for the
    players.
    """

    def __init__(self, rule: str, message: Message) -> None:
        super().__init__(f"{rule}: {message}")
        self.rule = rule
        self.message = message


@dataclass(frozen=True, slots=True)
class JournalRules:
    """Rule numbers that a game gives to faults of the journal itself (docs/rules/README.md, "The journal")."""

    unreadable: str
    """A line that is no JSON object, an unknown event, an empty file, a header of another game or version."""
    malformed: str
    """A malformed `undo` or `correct`."""
    nothing_standing: str
    """`undo` with nothing standing, `correct` for a line without a standing event."""
    nested: str
    """A `correct` whose `with` is itself an `undo` or a `correct`."""
    unlisted_refused: bool = False
    """Whether an `undo` or `correct` with a field it does not list is malformed (otherwise the field is ignored)."""


# What the table needs to know of the dice.


@dataclass(frozen=True, slots=True)
class DiceAwait:
    """Dice that the game awaits: whose, of which kind and how many. `order` 0 is thrown first (0 twice: any order).

    Dice `apart` make an event by themselves, whatever else is awaited: a race in which each side throws at its own
    pace.

    With `least` so few of them are enough, and the game says by `throw` whether the dice together make an event;
    without it exactly `count` are due. With `staying` those of this kind that lie there already, unmoved, count with
    the new ones: some dice of a throw are thrown again.
    """

    side: str | None
    kind: str
    count: int
    order: int = 0
    purpose: Message | None = None
    apart: bool = False
    least: int | None = None
    staying: bool = False


# What a player may do.

AskKind = Literal["pick", "place", "count", "counts", "value", "dice", "lineup", "text"]


@dataclass(frozen=True, slots=True)
class Barred:
    """Not legal now, but people look for it here."""

    rule: str
    reason: Message


@dataclass(frozen=True, slots=True)
class Option:
    """One answer to an Ask: the value that goes into the event, and how it is shown; `die` is drawn as it lies."""

    value: object
    label: Message
    detail: Message | None = None
    effect: str | None = None
    most: int | None = None
    barred: Barred | None = None
    die: Die | None = None


@dataclass(frozen=True, slots=True)
class Ask:
    """What is still missing of a choice.

    The answer goes into the event under `field`. `pick`, `place` and `dice` take `times` of the options (a plain
    value when `times` is 1, a list otherwise; with `most` above 0 always a list, of `least` to `most` of them); `count`
    an integer from `least` to `most`; `counts` an object from option values to integers that sum to `total` (any sum
    when None), each at most its option's `most`; `lineup` an object whose keys become fields of the event (`lineup`,
    `captain`, …), with the game's own `data` for the editor.
    An optional ask may be left out.
    """

    kind: AskKind
    field: str
    title: Message
    options: tuple[Option, ...] = ()
    times: int = 1
    least: int = 0
    most: int = 0
    total: int | None = None
    optional: bool = False
    secret: bool = False
    suggested: object = None
    data: object = None
    """What the game adds: `DependentAsk`, `AnswerCheck`, or what an editor needs."""

    def resolved(self, answers: Fields) -> Ask:
        """The ask as the answers before it (by field) leave it."""
        return self.data.after(answers) if isinstance(self.data, DependentAsk) else self

    def answers_barred(self, answers: Fields) -> Barred | None:
        """Why these answers (by field, this ask's among them) cannot be given together, as far as the game can tell."""
        return self.data.barred(answers) if isinstance(self.data, AnswerCheck) else None


@runtime_checkable
class DependentAsk(Protocol):
    """The `data` of an ask that depends on the answers before it."""

    def after(self, answers: Fields) -> Ask: ...


@runtime_checkable
class AnswerCheck(Protocol):
    """The `data` of an ask whose options cannot all be taken together."""

    def barred(self, answers: Fields) -> Barred | None: ...


@dataclass(frozen=True, slots=True)
class Choice:
    """Something a player may do: the event it will append, with the fields that are fixed already filled in."""

    event: Fields
    label: Message
    side: str | None = None
    detail: Message | None = None
    effect: str | None = None
    rank: Literal[1, 2, 3] = 2
    asks: tuple[Ask, ...] = ()
    held: bool = False
    barred: Barred | None = None
    menu: bool = False
    """Reached from the menu only (forfeit and the like)."""


@dataclass(frozen=True, slots=True)
class Awaits:
    """What the game awaits now. `sides` are those who may act (the names that get the brass stroke)."""

    title: Message
    detail: Message | None = None
    sides: tuple[str, ...] = ()
    dice: tuple[DiceAwait, ...] = ()
    choices: tuple[Choice, ...] = ()


# What there is to see. Drawn by shared widgets; only `board` is drawn per game.


@dataclass(frozen=True, slots=True)
class Fact:
    label: Message
    value: str


@dataclass(frozen=True, slots=True)
class SideScene:
    """One side: its name as the players wrote it, its colour token (`blue`, `red`, …), its letter and at most five
    facts.
    """

    side: str
    name: str
    colour: str
    letter: str
    facts: tuple[Fact, ...] = ()


class Board(Protocol):
    """A game's own frozen value for its scoreboard panel."""

    @property
    def score(self) -> Sequence[int]:
        """The points in the order of the scene's sides."""
        ...


@dataclass(frozen=True, slots=True)
class Scene:
    """All that the screen shows besides the choices."""

    sides: tuple[SideScene, ...]
    board: Board
    figures: tuple[Figure, ...] = ()


# What statistics over journals need to know of chance.


@dataclass(frozen=True, slots=True)
class Luck:
    """What dice brought beside what the exact odds promised before they fell.

    `what` names the measure (`goal`, `points`, …; chances of 0 to 1 or points), `player` is whose throw it was, if the
    game says. A throw in parts is reckoned part by part: what one part promised is what the next is held against, so
    that sums over a match are those of the whole throws.
    """

    side: str
    what: str
    got: Fraction
    expected: Fraction
    player: str | None = None


@dataclass(frozen=True, slots=True)
class Fallen:
    """A die that fell, and the side that threw it. `face` tells its faces apart: a number, a symbol or a colour."""

    side: str | None
    kind: str
    face: str


class GameState(Protocol):
    """A state of any game, as the other packages know it: a value to hand back to its game."""

    @property
    def phase(self) -> str: ...


StateIn = TypeVar("StateIn", contravariant=True)


class Chances(Protocol[StateIn]):
    """A game's module `luck`: what statistics ask of it. `before` and `after` are the states around an event."""

    def luck(self, before: StateIn, fields: Fields, outcome: Outcome, after: StateIn) -> tuple[Luck, ...]:
        """What the dice of an event brought; nothing for an event without chance."""
        ...

    def fallen(self, before: StateIn, fields: Fields) -> tuple[Fallen, ...]:
        """The dice that fell in an event. Dice of which only the best were noted say nothing and are left out."""
        ...

    def shares(self, state: StateIn, kind: str) -> dict[str, Fraction]:
        """How often each face of a fair die of this kind lies on top."""
        ...


State = TypeVar("State")
Event = TypeVar("Event")


class Game(Protocol[State, Event]):
    """A game. States and events are immutable values; two equal states are the same match situation.

    `parse` raises `Refusal` for malformed events (fields), `begin` for a bad header, `decide` for an event that
    breaks a rule in this state; `apply` is called with an event that `decide` let pass and refuses nothing.
    """

    id: str
    sides: tuple[str, ...]
    journal_rules: JournalRules

    def begin(self, header: Fields) -> State: ...

    def parse(self, fields: Fields) -> Event: ...

    def decide(self, state: State, event: Event) -> None: ...

    def apply(self, state: State, event: Event) -> tuple[State, Outcome]: ...

    def view(self, state: State) -> JsonObject:
        """The `state` object of `companion replay`, without `last` (the journal adds it)."""
        ...

    def finished(self, state: State) -> bool: ...

    def awaits(self, state: State) -> Awaits: ...

    def scene(self, state: State) -> Scene: ...

    def throw(self, state: State, dice: Sequence[Die]) -> Fields | None:
        """The event that these dice make now, in the order given; None if they are not the dice awaited."""
        ...

    def dice(self, fields: Fields) -> tuple[Die, ...]:
        """The dice that made an event, in the order in which they count; none for an event that no dice make."""
        ...

    def faces(self, state: State, kind: str) -> tuple[Die, ...]:
        """What a die of this kind can show in this match: each face once, in the order in which a question offers
        them; none for a kind that the match has no dice of.
        """
        ...

    def roll(self, state: State, kind: str, random: Random) -> Die:
        """A die of this kind as it falls; only for a kind that the match has dice of."""
        ...

    def describe(self, state: State, fields: Fields, outcome: Outcome) -> Message:
        """One line of the timeline for an event of this match; names are looked up in `state`."""
        ...

    def random_header(self, random: Random) -> JsonObject:
        """A header with invented sides and a legal setup."""
        ...

    def random_event(self, state: State, random: Random) -> JsonObject:
        """Some event that is legal now, for the random player. Only for a match that is not finished."""
        ...


AnyGame = Game[GameState, object]
"""A game of which nothing but its id is known; its states and events are those that it made itself."""
