"""Whether an event would be legal now, as the choices ask: the rule and the reason of what is barred."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.base import Barred, Refusal
from companion.games.nba import events as ev
from companion.games.nba.rulebook import RULEBOOK
from companion.games.nba.state import State


def barred_kind(state: State, kind: type[ev.Sound]) -> Barred | None:
    """Why events of a kind are barred now whatever their fields."""
    try:
        RULEBOOK.check_time(state, kind)
    except Refusal as reason:
        return Barred(reason.rule, reason.message)
    return None


def barred(state: State, fields: Mapping[str, Any]) -> Barred | None:
    """Why this event would be refused."""
    reason = RULEBOOK.legal(state, RULEBOOK.parse(fields))
    return None if reason is None else Barred(reason.rule, reason.message)


@dataclass(frozen=True, slots=True)
class Completion:
    """The last ask of a choice: whether its answers can be taken together."""

    state: State
    event: Mapping[str, Any]

    def barred(self, answers: Mapping[str, Any]) -> Barred | None:
        return barred(self.state, {**self.event, **answers})
