"""The rule engine of all games: each event is declared once, and parsed, checked, applied and told by its declaration.

A game gives an `EventRule` for each event and the checks of its chapter on the order of checks; `Rulebook` does the
rest. `RuleGame` puts a rulebook and the game's views together to what the other packages know as a `Game`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Generic, TypeVar

from companion.games.base import (
    Awaits,
    Die,
    Fields,
    GameState,
    JournalRules,
    JsonObject,
    Message,
    Outcome,
    Refusal,
    Scene,
)
from companion.games.forms import Field, Form, Forms, Refuse
from companion.games.random_player import random_event

State = TypeVar("State", bound=GameState)

RuleEvent = Any
"""An event of the type that its `EventRule` names: the rules of all events stand in one table."""

Check = Callable[[State, RuleEvent], None]
"""Raises `Refusal` if an event breaks a rule in a state."""
Apply = Callable[[State, RuleEvent], tuple[State, Outcome]]
"""The state after a legal event, and what the event came to."""
Sentence = Callable[[State, Fields, Outcome], Message]
"""The line of the timeline for an event, from the state after it, its fields and its outcome."""


def no_check(state: object, event: object) -> None:
    """An event without checks of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRule(Generic[State]):
    """The declaration of one event.

    `event` is the type of its parsed value, made by `make` of the `fields` (by the type itself if None). `also`,
    `needs`, `more` and `complete` are those of `Form`. `phases` are those in which it is legal, as far as `admit` asks
    for them; `before` is checked before the fields are. `elsewhere` gives a finer rule number than the usual one by
    phase, under None in any phase.
    """

    event: type[object]
    apply: Apply[State]
    sentence: Sentence[State]
    phases: frozenset[str] = frozenset()
    fields: tuple[Field, ...] = ()
    check: Check[State] = no_check
    before: Callable[[State], None] | None = None
    make: Callable[..., object] | None = None
    also: frozenset[str] = frozenset()
    needs: tuple[str, ...] = ()
    more: Mapping[str, Field] = field(default_factory=dict)
    complete: Callable[[Fields, dict[str, object]], None] | None = None
    elsewhere: Mapping[str | None, str] = field(default_factory=dict)

    def form(self) -> Form[object]:
        """How the fields are read."""
        return Form(self.make or self.event, self.fields, self.also, self.needs, self.more, self.complete)


@dataclass(frozen=True, slots=True)
class Malformed:
    """An event of a known name with a bad field, in a game that checks the phase before the fields."""

    name: str
    rule: str
    message: Message = field(hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOrder(Generic[State]):
    """A game's order of checks: match over, `admit`, then the fields, then the event's own checks.

    `admit` is called with the state, the event's rule and the event, which may be `Malformed`. With `fields_first` a
    bad field is refused by `parse`, before everything else. `refuse` makes the refusal of a malformed event;
    `unlisted_refused` says whether a field that the event does not list is one.
    """

    over: str
    """The phase of a finished match."""
    when_over: Callable[[], Refusal]
    refuse: Refuse
    admit: Callable[[State, EventRule[State], RuleEvent], None] | None = None
    fields_first: bool = False
    unlisted_refused: bool = False


class Rulebook(Generic[State]):
    """All events of a game with their rules."""

    def __init__(
        self,
        rules: Mapping[str, EventRule[State]],
        order: CheckOrder[State],
        prepare: Callable[[State, RuleEvent], State] | None = None,
    ) -> None:
        """`prepare` is applied before any event's own effect."""
        self.rules = rules
        self.events = tuple(rules)
        self._order, self._prepare = order, prepare
        self._over, self._admit = order.over, order.admit
        self._by_type = {rule.event: rule for rule in rules.values()}
        forms = {name: rule.form() for name, rule in rules.items()}
        self._forms: Forms[object] = Forms(forms, order.refuse, order.unlisted_refused)

    def parse(self, fields: Fields) -> object:
        """The typed event. Raises `Refusal` for an unknown event, and for a bad field if fields are checked first."""
        name, form = self._forms.form(fields)
        try:
            return self._forms.made(name, form, fields)
        except Refusal as fault:
            if self._order.fields_first:
                raise
            return Malformed(name, fault.rule, fault.message)

    def decide(self, state: State, event: object) -> None:
        """Raises `Refusal` with the first rule broken, in the game's order of checks."""
        if state.phase == self._over:
            raise self._order.when_over()
        rule = self.rules[event.name] if isinstance(event, Malformed) else self._by_type[type(event)]
        if self._admit is not None:
            self._admit(state, rule, event)
        if rule.before is not None:
            rule.before(state)
        if isinstance(event, Malformed):
            raise Refusal(event.rule, event.message)
        rule.check(state, event)

    def check_time(self, state: State, kind: type[object]) -> None:
        """Raises `Refusal` if events of a kind are not legal now, whatever their fields."""
        if state.phase == self._over:
            raise self._order.when_over()
        before = self._by_type[kind].before
        if before is not None:
            before(state)

    def legal(self, state: State, event: object) -> Refusal | None:
        """Why an event is not legal now, or None if it is."""
        try:
            self.decide(state, event)
        except Refusal as reason:
            return reason
        return None

    def apply(self, state: State, event: object) -> tuple[State, Outcome]:
        """The state after a legal event, and what the event came to."""
        if self._prepare is not None:
            state = self._prepare(state, event)
        return self._by_type[type(event)].apply(state, event)

    def over(self, state: State) -> bool:
        """Whether the match is finished."""
        return state.phase == self._over

    def describe(self, state: State, fields: Fields, outcome: Outcome) -> Message:
        """The timeline's line for an event."""
        return self.rules[fields["event"]].sentence(state, fields, outcome)


@dataclass(eq=False)
class RuleGame(Generic[State]):
    """A game made of its rulebook and its views (`companion.games.base.Game`)."""

    id: str
    sides: tuple[str, ...]
    journal_rules: JournalRules
    rulebook: Rulebook[State]
    start: Callable[[Fields], State]
    show: Callable[[State], JsonObject]
    ask: Callable[[State], Awaits]
    draw: Callable[[State], Scene]
    invent: Callable[[Random], JsonObject]
    # What dice do; a game without dice gives none of these.
    event_of: Callable[[State, Sequence[Die]], Fields | None] = lambda _, __: None
    dice_of: Callable[[Fields], tuple[Die, ...]] = lambda _: ()
    faces_of: Callable[[State, str], tuple[Die, ...]] = lambda _, __: ()
    roll_of: Callable[[State, str, Random], Die] | None = None
    """A die of a kind as it falls, where some faces are on it more often than others."""

    def begin(self, header: Fields) -> State:
        return self.start(header)

    def parse(self, fields: Fields) -> object:
        return self.rulebook.parse(fields)

    def decide(self, state: State, event: object) -> None:
        self.rulebook.decide(state, event)

    def apply(self, state: State, event: object) -> tuple[State, Outcome]:
        return self.rulebook.apply(state, event)

    def view(self, state: State) -> JsonObject:
        return self.show(state)

    def finished(self, state: State) -> bool:
        return self.rulebook.over(state)

    def awaits(self, state: State) -> Awaits:
        return self.ask(state)

    def scene(self, state: State) -> Scene:
        return self.draw(state)

    def throw(self, state: State, dice: Sequence[Die]) -> Fields | None:
        return self.event_of(state, dice)

    def dice(self, fields: Fields) -> tuple[Die, ...]:
        return self.dice_of(fields)

    def faces(self, state: State, kind: str) -> tuple[Die, ...]:
        return self.faces_of(state, kind)

    def describe(self, state: State, fields: Fields, outcome: Outcome) -> Message:
        return self.rulebook.describe(state, fields, outcome)

    def roll(self, state: State, kind: str, random: Random) -> Die:
        return random.choice(self.faces(state, kind)) if self.roll_of is None else self.roll_of(state, kind, random)

    def random_header(self, random: Random) -> JsonObject:
        return self.invent(random)

    def random_event(self, state: State, random: Random) -> JsonObject:
        return random_event(self, state, random)
