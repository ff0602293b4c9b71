"""The tournament's events as stored in its journal: classes, parsing and serialisation."""

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
    """An entry joins; after the start it is a late entry."""

    entry: str
    name: str
    seed: int | None = None
    group: str | None = None
    club: str = ""


@dataclass(frozen=True, slots=True)
class Edit:
    """Name, seed, club and group of an entry are changed.

    A seed or a club that is not given is taken away, a group stays: older journals have none here. An empty group is
    taken away.
    """

    entry: str
    name: str
    seed: int | None = None
    club: str = ""
    group: str | None = None


@dataclass(frozen=True, slots=True)
class Withdraw:
    """An entry leaves the tournament."""

    entry: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Readmit:
    """A withdrawal is undone."""

    entry: str


@dataclass(frozen=True, slots=True)
class Start:
    """Registration closes; the first stage is created from the entries."""


@dataclass(frozen=True, slots=True)
class Draw:
    """The pairings of a Swiss round, home first. `by_hand` if the organiser changed the proposal."""

    round: int
    pairs: tuple[tuple[str, str], ...]
    bye: str | None = None
    stage: int = 1
    by_hand: bool = False


@dataclass(frozen=True, slots=True)
class Seed:
    """The entries of a later stage, strongest seed first."""

    stage: int
    order: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Swap:
    """Two entries of the newest Swiss round change places. Two of one pair change home and away."""

    round: int
    one: str
    other: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Undraw:
    """The newest Swiss round is taken back: none of its matches has begun."""

    round: int
    why: str = ""


@dataclass(frozen=True, slots=True)
class Unseed:
    """The seeds of the newest later stage are taken back: none of its matches has begun."""

    stage: int
    why: str = ""


@dataclass(frozen=True, slots=True)
class Unstart:
    """Registration is open again: no match has begun and no round is drawn."""

    why: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """A match is called to a table."""

    match: str
    table: int
    clock: int


@dataclass(frozen=True, slots=True)
class Uncall:
    """A call is cancelled; the table is free."""

    match: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table is closed or reopened."""

    table: int
    open: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a match. Without `winner` the score decides; `winner` null means a draw that counts (FC-17.2)."""

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
    """The result of a match, also after it was annulled."""


@dataclass(frozen=True, slots=True)
class Correct(Outcome):
    """A changed result: a roll was corrected at the table, or the organiser amends it with a reason."""

    why: str = ""


@dataclass(frozen=True, slots=True)
class Forfeit:
    """One side does not play or cannot continue: the other wins by forfeit ("sur tapis vert")."""

    match: str
    side: Side
    clock: int | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class DoubleForfeit:
    """Neither side plays; neither wins."""

    match: str
    clock: int | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Annul:
    """A wrong result is removed; the match must be played."""

    match: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """The organiser's answer to a question. `order` is used by choices that rank entries.

    The choice `order` is a ruling, `lot` an order drawn by lot.
    """

    question: str
    choice: str
    order: tuple[str, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True)
class Keep:
    """Cards kept by an entry after a match of a legacy tournament: at most one player card and one tactic card."""

    match: str
    entry: str
    player: str | None = None
    player_cost: int = 0
    tactic: str | None = None
    tactic_cost: int = 0


Fact = (
    Enter
    | Edit
    | Withdraw
    | Readmit
    | Start
    | Draw
    | Seed
    | Swap
    | Undraw
    | Unseed
    | Unstart
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

FACT_TYPES: dict[str, type[Fact]] = {
    "enter": Enter,
    "edit": Edit,
    "withdraw": Withdraw,
    "readmit": Readmit,
    "start": Start,
    "draw": Draw,
    "seed": Seed,
    "swap": Swap,
    "undraw": Undraw,
    "unseed": Unseed,
    "unstart": Unstart,
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
FACT_NAMES = {kind: name for name, kind in FACT_TYPES.items()}

IGNORED_FIELDS = ("at", "by_whom", "note")
"""Optional fields of any event that the rules ignore: time of writing, author, remark."""

_CLOCK = validation.optional(validation.whole_number())
_READERS: dict[str, validation.Reader] = {
    "entry": validation.identifier,
    "name": validation.text,
    "seed": validation.optional(validation.whole_number(1)),
    "group": validation.optional(validation.identifier),
    "club": validation.remark,
    "why": validation.remark,
    "round": validation.whole_number(1),
    "pairs": validation.list_of(validation.list_of(validation.identifier, length=2)),
    "bye": validation.optional(validation.identifier),
    "stage": validation.whole_number(1),
    "by_hand": validation.flag,
    "order": validation.list_of(validation.identifier),
    "match": validation.identifier,
    "table": validation.whole_number(1),
    "clock": _CLOCK,
    "open": validation.flag,
    "home": validation.identifier,
    "away": validation.identifier,
    "score": validation.list_of(validation.whole_number(0, 100_000), length=2),
    "winner": validation.optional(validation.one_of(("home", "away", "score"))),
    "by": validation.remark,
    "carry": validation.optional(validation.json_object),
    "side": validation.side,
    "question": validation.identifier,
    "choice": validation.identifier,
    "player": validation.optional(validation.identifier),
    "player_cost": validation.whole_number(),
    "tactic": validation.optional(validation.identifier),
    "tactic_cost": validation.whole_number(),
    "one": validation.identifier,
    "other": validation.identifier,
}
_REQUIRED = {
    Enter: ("entry", "name"),
    Edit: ("entry", "name"),
    Withdraw: ("entry",),
    Readmit: ("entry",),
    Start: (),
    Draw: ("round", "pairs"),
    Seed: ("stage", "order"),
    Swap: ("round", "one", "other"),
    Undraw: ("round",),
    Unseed: ("stage",),
    Unstart: (),
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


def parse(fact_fields: Fields) -> Fact:
    """Parse an event from a JSON object `{"event": name, …}`. Raises: Refusal."""
    event = fact_fields.get("event")
    kind = FACT_TYPES.get(event) if isinstance(event, str) else None
    if kind is None:
        raise refusal("unknown_event", event=str(event))
    readers = {each.name: _READERS[each.name] for each in fields(kind)}
    if kind is Call:
        readers["clock"] = validation.whole_number()
    if kind is Edit:
        readers["group"] = validation.optional(validation.identifier_or_none)
    given = {key: value for key, value in fact_fields.items() if key != "event" and key not in IGNORED_FIELDS}
    make: Callable[..., Fact] = kind
    return validation.read_object(make, readers, _REQUIRED[kind], given, str(event))


def to_json(fact: Fact) -> JsonObject:
    """Return an event as JSON without default values. `parse` restores the same event."""
    changed_fields = {
        each.name: validation.to_json(getattr(fact, each.name))
        for each in fields(fact)
        if getattr(fact, each.name) != each.default
    }
    return {"event": FACT_NAMES[type(fact)], **changed_fields}


# The state of a tournament: its plan and the events so far, indexed by subject. Nothing computed.


@dataclass(frozen=True, slots=True)
class DrawnRound:
    """A drawn Swiss round; `seq` is the number of the event."""

    draw: Draw
    seq: int


@dataclass(frozen=True, slots=True)
class SeededStage:
    """The seeds of a later stage as set, and the order computed from the results of that time.

    After the stage's first result, `gone` holds the entries withdrawn by then: an entry that leaves later still
    qualified.
    """

    order: tuple[str, ...]
    computed: tuple[str, ...]
    gone: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Walkover:
    """A match won without play by `winner`: the other side withdrew or was empty."""

    home: str
    away: str
    winner: Side


@dataclass(frozen=True)
class TournamentState:
    """All events of a tournament.

    - `seq`: the number of events
    - `amended`: number of the last event that changed a result or entry on which draws were based
    - `lengths`: times in seconds of call and end of a match, if both are known
    - `fixed_walkovers`: the walkovers at the last withdrawal, by match; later withdrawals do not change them
    - `early`: entries that withdrew from a round robin before they had played half of it
    - `entered`: every id that an entry ever had, so that none is given again
    """

    plan: Plan
    entries: Mapping[str, Entry] = field(default_factory=dict)
    entered: tuple[str, ...] = ()
    withdrawn: tuple[str, ...] = ()
    fixed_walkovers: Mapping[str, Walkover] = field(default_factory=dict)
    early: tuple[str, ...] = ()
    started: bool = False
    draws: tuple[DrawnRound, ...] = ()
    seeded: Mapping[int, SeededStage] = field(default_factory=dict)
    reports: Mapping[str, tuple[Report, ...]] = field(default_factory=dict)
    calls: Mapping[str, Call] = field(default_factory=dict)
    lengths: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    rulings: Mapping[str, Rule] = field(default_factory=dict)
    closed: tuple[int, ...] = ()
    kept: tuple[Keep, ...] = ()
    seq: int = 0
    amended: int = 0


def initial_state(plan: Plan) -> TournamentState:
    """Return the state before the first event."""
    return TournamentState(plan)
