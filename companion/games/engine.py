"""The rule engine of all games: one declaration per event defines how it is parsed, validated, applied and described.

A game provides an `EventRule` for each event and a `ValidationOrder` (its chapter on the order of checks); `Rulebook`
does the rest. `RuleGame` combines a rulebook and the game's views into the `Game` that other packages use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Generic, TypeVar

from companion.games.base import (
    Decision,
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
from companion.games.event_schema import EventField, EventSchema, EventSchemas, RefusalFactory
from companion.games.random_player import random_event

State = TypeVar("State", bound=GameState)

RuleEvent = Any
"""An event of the type that its `EventRule` names. Typed as Any because the rules of all events are in one table."""

Check = Callable[[State, RuleEvent], None]
"""Validates an event in a state. Raises: Refusal."""
Apply = Callable[[State, RuleEvent], tuple[State, Outcome]]
"""Applies a legal event. Returns the next state and the result of the event."""
Sentence = Callable[[State, Fields, Outcome], Message]
"""Makes the timeline line of an event, from the state after it, its fields and its outcome."""


def no_check(state: object, event: object) -> None:
    """Accept any event."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRule(Generic[State]):
    """The declaration of one event.

    - `event`: the type of the parsed value
    - `constructor`: makes it from the `fields`; by default the type itself
    - `extra_fields`, `any_of`, `conditional_fields`, `complete_values`: see `EventSchema`
    - `phases`: the phases in which the event is legal, if the game's `precondition` checks them
    - `precheck`: checked before the fields
    - `phase_rules`: a more specific rule number by phase; None is the key for any phase
    """

    event: type[object]
    apply: Apply[State]
    sentence: Sentence[State]
    phases: frozenset[str] = frozenset()
    fields: tuple[EventField, ...] = ()
    check: Check[State] = no_check
    precheck: Callable[[State], None] | None = None
    constructor: Callable[..., object] | None = None
    extra_fields: frozenset[str] = frozenset()
    any_of: tuple[str, ...] = ()
    conditional_fields: Mapping[str, EventField] = field(default_factory=dict)
    complete_values: Callable[[Fields, dict[str, object]], None] | None = None
    phase_rules: Mapping[str | None, str] = field(default_factory=dict)

    def schema(self) -> EventSchema[object]:
        """Return the form that parses the fields."""
        return EventSchema(
            self.constructor or self.event,
            self.fields,
            self.extra_fields,
            self.any_of,
            self.conditional_fields,
            self.complete_values,
        )


@dataclass(frozen=True, slots=True)
class MalformedEvent:
    """A known event with an invalid field, in a game that checks the phase before the fields."""

    name: str
    rule: str
    message: Message = field(hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidationOrder(Generic[State]):
    """A game's order of checks: match over, `precondition`, then the fields, then the event's own checks.

    - `precondition`: called with the state, the event's rule and the event, which may be `MalformedEvent`
    - `fields_first`: `parse` refuses a bad field before everything else
    - `refuse`: makes the refusal of a malformed event
    - `refuses_unknown_fields`: an unlisted field makes an event malformed
    """

    finished_phase: str
    """The phase of a finished match."""
    finished_refusal: Callable[[], Refusal]
    refuse: RefusalFactory
    precondition: Callable[[State, EventRule[State], RuleEvent], None] | None = None
    fields_first: bool = False
    refuses_unknown_fields: bool = False


class Rulebook(Generic[State]):
    """All events of a game with their rules."""

    def __init__(
        self,
        rules: Mapping[str, EventRule[State]],
        order: ValidationOrder[State],
        before_apply: Callable[[State, RuleEvent], State] | None = None,
    ) -> None:
        """Args: prepare: applied to the state before any event's own effect."""
        self.rules = rules
        self.events = tuple(rules)
        self._order, self._before_apply = order, before_apply
        self._finished_phase, self._precondition = order.finished_phase, order.precondition
        self._by_type = {rule.event: rule for rule in rules.values()}
        schemas = {name: rule.schema() for name, rule in rules.items()}
        self._schemas: EventSchemas[object] = EventSchemas(schemas, order.refuse, order.refuses_unknown_fields)

    def parse(self, fields: Fields) -> object:
        """Return the typed event.

        Raises: Refusal for an unknown event, and for a bad field if fields are checked first.
        """
        name, schema = self._schemas.schema_of(fields)
        try:
            return self._schemas.build(name, schema, fields)
        except Refusal as fault:
            if self._order.fields_first:
                raise
            return MalformedEvent(name, fault.rule, fault.message)

    def validate(self, state: State, event: object) -> None:
        """Validate an event in a state. Raises: Refusal with the first rule broken, in the game's order of checks."""
        if state.phase == self._finished_phase:
            raise self._order.finished_refusal()
        rule = self.rules[event.name] if isinstance(event, MalformedEvent) else self._by_type[type(event)]
        if self._precondition is not None:
            self._precondition(state, rule, event)
        if rule.precheck is not None:
            rule.precheck(state)
        if isinstance(event, MalformedEvent):
            raise Refusal(event.rule, event.message)
        rule.check(state, event)

    def check_timing(self, state: State, kind: type[object]) -> None:
        """Check that events of a kind are legal now, whatever their fields. Raises: Refusal."""
        if state.phase == self._finished_phase:
            raise self._order.finished_refusal()
        precheck = self._by_type[kind].precheck
        if precheck is not None:
            precheck(state)

    def refusal_for(self, state: State, event: object) -> Refusal | None:
        """Return why an event is not legal now, or None if it is."""
        try:
            self.validate(state, event)
        except Refusal as reason:
            return reason
        return None

    def apply(self, state: State, event: object) -> tuple[State, Outcome]:
        """Apply a legal event. Returns the next state and the result of the event."""
        if self._before_apply is not None:
            state = self._before_apply(state, event)
        return self._by_type[type(event)].apply(state, event)

    def is_finished(self, state: State) -> bool:
        """Return True if the match is finished."""
        return state.phase == self._finished_phase

    def describe(self, state: State, fields: Fields, outcome: Outcome) -> Message:
        """Return the timeline line of an event."""
        return self.rules[fields["event"]].sentence(state, fields, outcome)


@dataclass(eq=False)
class RuleGame(Generic[State]):
    """A game (`companion.games.base.Game`) made of a rulebook and view functions."""

    id: str
    sides: tuple[str, ...]
    journal_rules: JournalRules
    rulebook: Rulebook[State]
    initial_state_fn: Callable[[Fields], State]
    view_fn: Callable[[State], JsonObject]
    decision_fn: Callable[[State], Decision]
    scene_fn: Callable[[State], Scene]
    random_header_fn: Callable[[Random], JsonObject]
    # Dice functions; a game without dice provides none of these.
    event_from_dice_fn: Callable[[State, Sequence[Die]], Fields | None] = lambda _, __: None
    dice_from_event_fn: Callable[[Fields], tuple[Die, ...]] = lambda _: ()
    faces_fn: Callable[[State, str], tuple[Die, ...]] = lambda _, __: ()
    roll_fn: Callable[[State, str, Random], Die] | None = None
    """Rolls a die of a kind whose faces are not equally likely."""

    def initial_state(self, header: Fields) -> State:
        return self.initial_state_fn(header)

    def parse(self, fields: Fields) -> object:
        return self.rulebook.parse(fields)

    def validate(self, state: State, event: object) -> None:
        self.rulebook.validate(state, event)

    def apply(self, state: State, event: object) -> tuple[State, Outcome]:
        return self.rulebook.apply(state, event)

    def view(self, state: State) -> JsonObject:
        return self.view_fn(state)

    def finished(self, state: State) -> bool:
        return self.rulebook.is_finished(state)

    def decision(self, state: State) -> Decision:
        return self.decision_fn(state)

    def scene(self, state: State) -> Scene:
        return self.scene_fn(state)

    def event_from_dice(self, state: State, dice: Sequence[Die]) -> Fields | None:
        return self.event_from_dice_fn(state, dice)

    def dice_from_event(self, fields: Fields) -> tuple[Die, ...]:
        return self.dice_from_event_fn(fields)

    def faces(self, state: State, kind: str) -> tuple[Die, ...]:
        return self.faces_fn(state, kind)

    def describe(self, state: State, fields: Fields, outcome: Outcome) -> Message:
        return self.rulebook.describe(state, fields, outcome)

    def roll(self, state: State, kind: str, random: Random) -> Die:
        return random.choice(self.faces(state, kind)) if self.roll_fn is None else self.roll_fn(state, kind, random)

    def random_header(self, random: Random) -> JsonObject:
        return self.random_header_fn(random)

    def random_event(self, state: State, random: Random) -> JsonObject:
        return random_event(self, state, random)
