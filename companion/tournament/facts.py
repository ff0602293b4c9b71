"""The facts of a tournament as its journal holds them: what happened, what the organiser decided. Read and printed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Literal

from companion.games.base import Fields, JsonObject
from companion.tournament import validation
from companion.tournament.validation import refusal
from companion.tournament.values import Entry, Plan, Report, Side


@dataclass(frozen=True, slots=True)
class Enter:
    """Someone takes part; after the start it is a late entry."""

    entry: str
    name: str
    seed: int | None = None
    group: str | None = None


@dataclass(frozen=True, slots=True)
class Withdraw:
    """An entry plays no more."""

    entry: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Readmit:
    """A withdrawal is taken back."""

    entry: str


@dataclass(frozen=True, slots=True)
class Start:
    """The entries are in; the first stage is made of them."""


@dataclass(frozen=True, slots=True)
class Draw:
    """The pairings of a Swiss round, home first; `by_hand` when the organiser made other ones than were proposed."""

    round: int
    pairs: tuple[tuple[str, str], ...]
    bye: str | None = None
    stage: int = 1
    by_hand: bool = False


@dataclass(frozen=True, slots=True)
class Seed:
    """Who goes on to a later stage, the strongest seed first."""

    stage: int
    order: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Call:
    """A match is called to a table."""

    match: str
    table: int
    clock: int


@dataclass(frozen=True, slots=True)
class Uncall:
    """A call is taken back; the table is free."""

    match: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table is closed, or open again."""

    table: int
    open: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended. `winner` may be left out: the score says it. With `winner` null a draw stands (FC-17.2)."""

    match: str
    home: str
    away: str
    score: tuple[int, int]
    winner: Side | Literal["score"] | None = "score"
    by: str = ""
    clock: int | None = None
    carry: Fields | None = None


@dataclass(frozen=True, slots=True)
class Result(Outcome):
    """A match is over, or stands again after it was annulled."""


@dataclass(frozen=True, slots=True)
class Correct(Outcome):
    """The result of a match is another: a roll was corrected at the table, or the organiser amends it and says why."""

    why: str = ""


@dataclass(frozen=True, slots=True)
class Forfeit:
    """One side does not play, or cannot go on: the other wins "sur tapis vert"."""

    match: str
    side: Side
    clock: int | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class DoubleForfeit:
    """Neither side plays: neither wins."""

    match: str
    clock: int | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Annul:
    """A result that should not be there is taken away; the match is to be played."""

    match: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """The organiser's answer to a question. `order` is for choices that put entries in order."""

    question: str
    choice: str
    order: tuple[str, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True)
class Keep:
    """What an entry keeps after a match of a legacy tournament: at most one player card and one tactic."""

    match: str
    entry: str
    player: str | None = None
    player_cost: int = 0
    tactic: str | None = None
    tactic_cost: int = 0


Fact = (
    Enter
    | Withdraw
    | Readmit
    | Start
    | Draw
    | Seed
    | Call
    | Uncall
    | Table
    | Result
    | Correct
    | Forfeit
    | DoubleForfeit
    | Annul
    | Rule
    | Keep
)

CLASSES: dict[str, type[Fact]] = {
    "enter": Enter,
    "withdraw": Withdraw,
    "readmit": Readmit,
    "start": Start,
    "draw": Draw,
    "seed": Seed,
    "call": Call,
    "uncall": Uncall,
    "table": Table,
    "result": Result,
    "correct": Correct,
    "forfeit": Forfeit,
    "double_forfeit": DoubleForfeit,
    "annul": Annul,
    "rule": Rule,
    "keep": Keep,
}
NAMES = {kind: name for name, kind in CLASSES.items()}

FREE = ("at", "by_whom", "note")
"""Fields that any fact may carry and the rules ignore: the written time, who entered it, a remark."""

_CLOCK = validation.optional(validation.whole())
_READERS: dict[str, validation.Reader] = {
    "entry": validation.name,
    "name": validation.text,
    "seed": validation.optional(validation.whole(1)),
    "group": validation.optional(validation.name),
    "why": validation.remark,
    "round": validation.whole(1),
    "pairs": validation.listed(validation.listed(validation.name, length=2)),
    "bye": validation.optional(validation.name),
    "stage": validation.whole(1),
    "by_hand": validation.flag,
    "order": validation.listed(validation.name),
    "match": validation.name,
    "table": validation.whole(1),
    "clock": _CLOCK,
    "open": validation.flag,
    "home": validation.name,
    "away": validation.name,
    "score": validation.listed(validation.whole(0, 100_000), length=2),
    "winner": validation.optional(validation.one_of(("home", "away", "score"))),
    "by": validation.remark,
    "carry": validation.optional(validation.mapping),
    "side": validation.side,
    "question": validation.name,
    "choice": validation.name,
    "player": validation.optional(validation.name),
    "player_cost": validation.whole(),
    "tactic": validation.optional(validation.name),
    "tactic_cost": validation.whole(),
}
_REQUIRED = {
    Enter: ("entry", "name"),
    Withdraw: ("entry",),
    Readmit: ("entry",),
    Start: (),
    Draw: ("round", "pairs"),
    Seed: ("stage", "order"),
    Call: ("match", "table", "clock"),
    Uncall: ("match",),
    Table: ("table", "open"),
    Result: ("match", "home", "away", "score"),
    Correct: ("match", "home", "away", "score"),
    Forfeit: ("match", "side"),
    DoubleForfeit: ("match",),
    Annul: ("match",),
    Rule: ("question", "choice"),
    Keep: ("match", "entry"),
}


def parse(told: Fields) -> Fact:
    """The fact in a JSON object `{"event": name, …}`. Raises `Refusal` for one that is none."""
    event = told.get("event")
    kind = CLASSES.get(event) if isinstance(event, str) else None
    if kind is None:
        raise refusal("unknown_event", event=str(event))
    readers = {each.name: _READERS[each.name] for each in fields(kind)}
    if kind is Call:
        readers["clock"] = validation.whole()
    given = {key: value for key, value in told.items() if key != "event" and key not in FREE}
    make: Callable[..., Fact] = kind
    return validation.read(make, readers, _REQUIRED[kind], given, str(event))


def printed(fact: Fact) -> JsonObject:
    """A fact as JSON, without what it leaves at its usual value; `parse` makes the same fact of it."""
    shown = {
        each.name: validation.plain(getattr(fact, each.name))
        for each in fields(fact)
        if getattr(fact, each.name) != each.default
    }
    return {"event": NAMES[type(fact)], **shown}


# The state of a tournament: its plan and the facts so far, sorted by what they are about. Nothing computed.


@dataclass(frozen=True, slots=True)
class Drawn:
    """A Swiss round as it was drawn; `seq` is the number of the fact."""

    draw: Draw
    seq: int


@dataclass(frozen=True, slots=True)
class Seeded:
    """The seeds of a later stage as they were set, and the order that the results of then gave.

    From its first result on `gone` are those who had withdrawn by then: who leaves later qualified all the same.
    """

    order: tuple[str, ...]
    computed: tuple[str, ...]
    gone: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Walkover:
    """A match that nobody plays, as it was won: by `winner`, the other having withdrawn or never sat there."""

    home: str
    away: str
    winner: Side


@dataclass(frozen=True)
class State:
    """All facts. `seq` counts them; `amended` is the number of the last one that changed what had been drawn on.

    `lengths` are the seconds at which a match was called and at which it ended, for those of which both are known.
    `settled` are the walkovers by match as they stood at the last withdrawal: they stand, whoever leaves afterwards.
    `early` are those who withdrew from a round robin before having played half of it.
    """

    plan: Plan
    entries: Mapping[str, Entry] = field(default_factory=dict)
    withdrawn: tuple[str, ...] = ()
    settled: Mapping[str, Walkover] = field(default_factory=dict)
    early: tuple[str, ...] = ()
    started: bool = False
    draws: tuple[Drawn, ...] = ()
    seeded: Mapping[int, Seeded] = field(default_factory=dict)
    reports: Mapping[str, tuple[Report, ...]] = field(default_factory=dict)
    calls: Mapping[str, Call] = field(default_factory=dict)
    lengths: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    rulings: Mapping[str, Rule] = field(default_factory=dict)
    closed: tuple[int, ...] = ()
    kept: tuple[Keep, ...] = ()
    seq: int = 0
    amended: int = 0


def begin(plan: Plan) -> State:
    """A tournament before its first fact."""
    return State(plan)
