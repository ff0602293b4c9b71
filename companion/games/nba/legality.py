"""Why an event would be refused, for the choices and their answers."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.base import DisabledReason, Fields, Refusal
from companion.games.nba import events as ev
from companion.games.nba.rulebook import RULEBOOK
from companion.games.nba.state import State


def kind_disabled_reason(state: State, kind: type[ev.AnyEvent]) -> DisabledReason | None:
    """Return why events of a kind are barred now, whatever their fields."""
    try:
        RULEBOOK.check_timing(state, kind)
    except Refusal as reason:
        return DisabledReason(reason.rule, reason.message)
    return None


def disabled_reason(state: State, fields: Fields) -> DisabledReason | None:
    """Return why this event would be refused, or None."""
    reason = RULEBOOK.refusal_for(state, RULEBOOK.parse(fields))
    return None if reason is None else DisabledReason(reason.rule, reason.message)


@dataclass(frozen=True, slots=True)
class CompletionCheck:
    """The `data` of the last ask of a choice: validates its answers together."""

    state: State
    event: Fields

    def disabled_reason(self, answers: Fields) -> DisabledReason | None:
        return disabled_reason(self.state, {**self.event, **answers})
