"""The contract that each game implements (`Game`), and the value types that games use to talk to the table.

Pure: no clock, files, randomness, screen or logging. A game turns a journal of physical events into a state
(`initial_state`, `validate`, `apply`), lists what it expects next (`decision`) and describes what to draw (`scene`).
Texts are message ids with arguments; the sentences are in the catalogues of `companion.language`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar, runtime_checkable

if TYPE_CHECKING:
    from companion.games.figures import Figure

JsonObject = dict[str, Any]
"""A JSON object, decoded or to be written. Code that reads one from outside must check its values."""

Fields = Mapping[str, Any]
"""The decoded JSON object of a header or an event, i.e. one line of a journal file."""

Outcome = JsonObject
"""The result of an event, as `log` shows it (docs/rules/README.md)."""


@dataclass(frozen=True, slots=True)
class Message:
    """A translatable text: a catalogue id such as `footclub.refusal.FC-8.2` and its named arguments.

    An argument may itself be a Message; it is translated first. `n`, if given, selects the plural form.
    """

    id: str
    args: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.id}({', '.join(f'{k}={v}' for k, v in self.args.items())})" if self.args else self.id


@dataclass(frozen=True, slots=True, order=True)
class Die:
    """One die with the face that counts. Attributes that its kind does not have are None."""

    kind: str
    value: int | None = None
    colour: str | None = None
    symbol: str | None = None


class Refusal(Exception):
    """An event that breaks a rule. The state does not change.

    `rule` is the number of the first rule broken, in the game's order of checks; `message` is the sentence for the
    players.
    """

    def __init__(self, rule: str, message: Message) -> None:
        super().__init__(f"{rule}: {message}")
        self.rule = rule
        self.message = message


@dataclass(frozen=True, slots=True)
class JournalRules:
    """The rule numbers that a game uses for errors in the journal itself (docs/rules/README.md, "The journal")."""

    unreadable: str
    """A line that is not a JSON object, an unknown event, an empty file, or a header of another game or version."""
    malformed: str
    """A malformed `undo` or `correct`."""
    nothing_standing: str
    """`undo` when no event is left to undo, or `correct` for a line whose event was undone or is not an event."""
    nested: str
    """A `correct` whose `with` is itself an `undo` or a `correct`."""
    refuses_unknown_fields: bool = False
    """True if an `undo` or `correct` with an unlisted field is malformed; otherwise the field is ignored."""


# Dice that the game expects.


@dataclass(frozen=True, slots=True)
class DiceRequest:
    """Dice that the game expects next: the side that rolls, the kind and the number.

    - `order`: 0 is rolled first; several entries with 0 may be rolled in any order.
    - `independent`: these dice make an event of their own, whatever else is expected. Used for a race in which each
      side rolls at its own pace.
    - `min_count`: this many dice are enough, and `Game.event_from_dice` decides whether the dice together make an
      event. Without it, exactly `count` dice are required.
    - `counts_unmoved`: dice of this kind that already lie on the tray, unmoved, count with the new ones. Used for
      partial rerolls.
    """

    side: str | None
    kind: str
    count: int
    order: int = 0
    purpose: Message | None = None
    independent: bool = False
    min_count: int | None = None
    counts_unmoved: bool = False


@dataclass(frozen=True, slots=True)
class EarlierDie:
    """A die of this throw that already counts while other dice are still due: it stays in its slot."""

    side: str | None
    die: Die
    purpose: Message | None = None


# Choices of the players.

PromptKind = Literal["pick", "place", "count", "counts", "value", "dice", "lineup", "text"]


@dataclass(frozen=True, slots=True)
class DisabledReason:
    """The reason why something is not legal now. It is shown because players look for it here."""

    rule: str
    reason: Message


@dataclass(frozen=True, slots=True)
class Option:
    """One answer to an Ask: the value that goes into the event, and its label. `die` is drawn with this face up.

    Options of one `group` are listed together under its name, in the order in which the groups first appear.
    """

    value: object
    label: Message
    detail: Message | None = None
    effect: str | Message | None = None
    maximum: int | None = None
    disabled_reason: DisabledReason | None = None
    die: Die | None = None
    group: Message | None = None


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt for one missing field of a choice.

    The answer goes into the event under `field`. Its form depends on `kind`:
    - `pick`, `place`, `dice`: `pick_count` of the options. A plain value when `pick_count` is 1, otherwise a
      list. With `maximum` above 0 always a list of `minimum` to `maximum` options.
    - `count`: an integer from `minimum` to `maximum`.
    - `counts`: an object from option values to integers that sum to `total` (any sum when None), each at most its
      option's `maximum`.
    - `text`: a text; options are usual answers, each the words of its label
    - `lineup`: an object whose keys become fields of the event (`lineup`, `captain`, …), with game-specific `data`
      for the editor.

    An optional ask may be left out.
    """

    kind: PromptKind
    field: str
    title: Message
    options: tuple[Option, ...] = ()
    pick_count: int = 1
    minimum: int = 0
    maximum: int = 0
    total: int | None = None
    optional: bool = False
    secret: bool = False
    suggested: object = None
    data: object = None
    """Game-specific data: `DependentPrompt`, `AnswerCheck`, or what an editor needs."""
    skip_label: Message | None = None
    """What leaving an optional prompt out means (`no card`), as the text of its button."""
    early: EarlyChoices | None = None
    """The choices that an incomplete answer already allows."""

    def resolved(self, answers: Fields) -> Prompt:
        """Return the prompt adapted to the earlier answers (by field)."""
        return self.data.with_answers(answers) if isinstance(self.data, DependentPrompt) else self

    def answers_disabled_reason(self, answers: Fields) -> DisabledReason | None:
        """Return why these answers (by field, including this one) are illegal together, or None if no reason is
        found.
        """
        return self.data.disabled_reason(answers) if isinstance(self.data, AnswerCheck) else None

    def progress(self, answers: Fields) -> Message | None:
        """Return what these answers (by field, including this one) come to, or None if their number says it."""
        return self.data.progress(answers) if isinstance(self.data, AnswerProgress) else None


@runtime_checkable
class DependentPrompt(Protocol):
    """The `data` of an ask that depends on earlier answers."""

    def with_answers(self, answers: Fields) -> Prompt: ...


@runtime_checkable
class AnswerCheck(Protocol):
    """The `data` of an ask whose options are not all legal together."""

    def disabled_reason(self, answers: Fields) -> DisabledReason | None: ...


@runtime_checkable
class AnswerProgress(Protocol):
    """The `data` of an ask whose picks come to something else than their number (a price that is paid)."""

    def progress(self, answers: Fields) -> Message:
        """Return how far these answers (by field, including this one) are."""
        ...


class EarlyChoices(Protocol):
    """Choices that need no more than the dice entered so far, offered while a prompt asks for all of them."""

    def choices(self, answer: Sequence[JsonObject]) -> tuple[Choice, ...]:
        """Return the choices with these dice of the journal (values of the prompt's options); they ask for nothing."""
        ...


@dataclass(frozen=True, slots=True)
class Hand:
    """Choices of one kind behind one button, which stays on the screen while one of them is legal.

    The button has the label and detail; it opens a list of the choices, which `title` asks.
    """

    label: Message
    title: Message
    detail: Message | None = None


TOSS = "toss"
"""The `note` of an event that the table has drawn by lot."""


class ChoiceThrow(Protocol):
    """The dice that carry out a choice: its last prompt asks for their faces, but thrown dice answer it too.

    `fields` is the event of the choice with the answers to its earlier prompts.
    """

    def dice(self, fields: Fields) -> tuple[DiceRequest, ...]:
        """Return the dice to throw."""
        ...

    def thrown_again(self, fields: Fields) -> tuple[Die, ...]:
        """Return which dice on the table are picked up for it; empty if they are other dice, or any."""
        ...

    def event(self, fields: Fields, dice: Sequence[Die]) -> Fields | None:
        """Return the event that these dice make of the choice; None if they do not fit it."""
        ...


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice of a player: the event to append, with its fixed fields already filled in."""

    event: Fields
    label: Message
    side: str | None = None
    detail: Message | None = None
    effect: str | Message | None = None
    prominence: Literal[1, 2, 3] = 2
    prompts: tuple[Prompt, ...] = ()
    needs_long_press: bool = False
    disabled_reason: DisabledReason | None = None
    menu: bool = False
    """True if the choice is only offered in the menu (forfeit and the like)."""
    by_lot: tuple[Fields, ...] = ()
    """If not empty, the table records one of these events, drawn by lot, with the note `TOSS`."""
    throw: ChoiceThrow | None = None
    """If set, and if the dice are read, the choice makes the table await this throw instead of asking for faces."""
    pinned: bool = False
    """True if the choice stays on the screen where others are folded into a list of further choices."""
    then: tuple[Fields, ...] = ()
    """The events that the table records right after this one, each as an event of its own."""
    hand: Hand | None = None
    """If set, the choice is in the list of this hand instead of having a button of its own."""
    group: Message | None = None
    """The name under which the list of the hand shows the choice."""


def surrender_choices(event: str, label: Message, sides: Iterable[str], field: str = "side") -> tuple[Choice, ...]:
    """Return a choice for each side to give the match up: in the menu, after a long press. `field` names the side."""
    return tuple(
        Choice({"event": event, field: side}, label, side, prominence=3, needs_long_press=True, menu=True)
        for side in sides
    )


@dataclass(frozen=True, slots=True)
class Decision:
    """What the game expects now. `sides` are the sides that may act; their names are underlined in brass.

    `required_before_dice`: the choice that must be made before the dice count: recorded, or, if it is carried out by
    its own `throw`, tapped. Dice thrown without it are not lost: the table asks whether that choice was made.
    `earlier_dice`: the dice of the same throw that are already read.
    `roles`: by side, what it may do now, where "to play" says too little.
    """

    title: Message
    detail: Message | None = None
    sides: tuple[str, ...] = ()
    dice: tuple[DiceRequest, ...] = ()
    choices: tuple[Choice, ...] = ()
    required_before_dice: Choice | None = None
    earlier_dice: tuple[EarlierDie, ...] = ()
    roles: Mapping[str, Message] = field(default_factory=dict)


# What the screen shows. Shared widgets draw it; only `board` is drawn by each game.


@dataclass(frozen=True, slots=True)
class SideStat:
    label: Message
    value: str


@dataclass(frozen=True, slots=True)
class SideScene:
    """One side: the name its players chose, its colour token (`blue`, `red`, …), its letter and at most five facts.

    `crest` stands in its badge instead of the letter: an icon of the theme or the file of a photo. Games give none.
    """

    side: str
    name: str
    colour: str
    letter: str
    stats: tuple[SideStat, ...] = ()
    crest: str | Path = ""


class Board(Protocol):
    """The immutable value that a game's own scoreboard panel draws."""

    @property
    def score(self) -> Sequence[int]:
        """Return the points, in the order of the scene's sides."""
        ...


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything on the screen except the choices."""

    sides: tuple[SideScene, ...]
    board: Board
    figures: tuple[Figure, ...] = ()


# Probabilities, for statistics over journals.


@dataclass(frozen=True, slots=True)
class ExpectedVsActual:
    """The result of a roll beside its exact expected value before the roll.

    `measure` names the measure (`goal`, `points`, …), either a probability of 0 to 1 or points. `player` is the player
    who rolled, if the game knows. A roll in several parts has one entry per part: the expected value after one part
    is the baseline of the next, so that sums over a match equal those of whole rolls.
    """

    side: str
    measure: str
    actual: Fraction
    expected: Fraction
    player: str | None = None


@dataclass(frozen=True, slots=True)
class DieOutcome:
    """A rolled die and the side that rolled it. `face` identifies the face: a number, a symbol or a colour."""

    side: str | None
    kind: str
    face: str


class GameState(Protocol):
    """A state of any game. Other packages treat it as an opaque value and pass it back to its game."""

    @property
    def phase(self) -> str: ...


StateIn = TypeVar("StateIn", contravariant=True)


class DiceStatistics(Protocol[StateIn]):
    """The interface of a game's `dice_statistics` module. `before` and `after` are the states around an event."""

    def expected_vs_actual(
        self, before: StateIn, fields: Fields, outcome: Outcome, after: StateIn
    ) -> tuple[ExpectedVsActual, ...]:
        """Return the luck of the dice of an event; empty for an event without chance."""
        ...

    def die_outcomes(self, before: StateIn, fields: Fields) -> tuple[DieOutcome, ...]:
        """Return the dice rolled in an event.

        Dice are left out if the event records only the best of a roll: they would bias the statistics.
        """
        ...

    def face_probabilities(self, state: StateIn, kind: str) -> dict[str, Fraction]:
        """Return the probability of each face of a fair die of this kind."""
        ...


State = TypeVar("State")
Event = TypeVar("Event")


class Game(Protocol[State, Event]):
    """A game. States and events are immutable values; two equal states are the same match situation.

    - `initial_state` returns the first state. Raises: Refusal for a bad header.
    - `parse` returns a typed event. Raises: Refusal for malformed fields.
    - `validate` validates an event in a state. Raises: Refusal if it breaks a rule.
    - `apply` returns the next state. Call it only with an event that passed `validate`; it never refuses.
    """

    id: str
    sides: tuple[str, ...]
    journal_rules: JournalRules

    def initial_state(self, header: Fields) -> State: ...

    def parse(self, fields: Fields) -> Event: ...

    def validate(self, state: State, event: Event) -> None: ...

    def apply(self, state: State, event: Event) -> tuple[State, Outcome]: ...

    def view(self, state: State) -> JsonObject:
        """Return the `state` object of `companion replay`, without `last` (the journal adds it)."""
        ...

    def finished(self, state: State) -> bool: ...

    def decision(self, state: State) -> Decision: ...

    def scene(self, state: State) -> Scene: ...

    def event_from_dice(self, state: State, dice: Sequence[Die]) -> Fields | None:
        """Return the event that these dice, in the order given, make now; None if they are not the expected dice."""
        ...

    def dice_from_event(self, fields: Fields) -> tuple[Die, ...]:
        """Return the dice of an event, in the order in which they count; empty for an event without dice."""
        ...

    def faces(self, state: State, kind: str) -> tuple[Die, ...]:
        """Return the faces that a die of this kind can show in this match.

        Each face appears once, in the order in which a question offers them. Empty if the match has no such dice.
        """
        ...

    def roll(self, state: State, kind: str, random: Random) -> Die:
        """Return a random roll of one die. The match must have dice of this kind."""
        ...

    def describe(self, state: State, fields: Fields, outcome: Outcome) -> Message:
        """Return the timeline line for an event of this match. Names are looked up in `state`."""
        ...

    def random_header(self, random: Random) -> JsonObject:
        """Return a header with invented sides and a legal setup."""
        ...

    def random_event(self, state: State, random: Random) -> JsonObject:
        """Return a random legal event, for the random player. The match must not be finished."""
        ...


AnyGame = Game[GameState, object]
"""Any game, known only by its id. Pass it only states and events that it made itself."""
