"""The two events that are the journal's own, `undo` and `correct`: their shape, and the refusals of both."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from companion.games.base import Fields, JournalRules, Message, Refusal
from companion.journal.envelope import CORRECT, FREE_FIELDS, UNDO, event_name, is_whole


@dataclass(frozen=True, slots=True)
class Correction:
    """A well-formed `correct`: the line it amends and the event that shall stand there."""

    line: int
    event: Fields


def check_undo(rules: JournalRules, fields: Fields) -> None:
    """Raises Refusal when the event carries what an `undo` of this game may not."""
    _refuse_unlisted(rules, fields, {"event"}, UNDO)


def read_correction(rules: JournalRules, fields: Fields) -> Correction:
    """The correction that the event asks for. Raises Refusal when it is malformed."""
    line, event = fields.get("line"), fields.get("with")
    if not is_whole(line):
        raise Refusal(rules.malformed, Message("journal.refusal.correct_line"))
    if not isinstance(event, dict):
        raise Refusal(rules.malformed, Message("journal.refusal.correct_with"))
    name = event_name(event)
    if name is None:
        raise Refusal(rules.malformed, Message("journal.refusal.correct_event"))
    _refuse_unlisted(rules, fields, {"event", "line", "with"}, CORRECT)
    if name in (UNDO, CORRECT):
        raise Refusal(rules.nested, Message("journal.refusal.correct_nested", {"event": name}))
    return Correction(line, event)


def nothing_to_undo(rules: JournalRules) -> Refusal:
    return Refusal(rules.nothing_standing, Message("journal.refusal.nothing_to_undo"))


def nothing_on_line(rules: JournalRules, line: int) -> Refusal:
    return Refusal(rules.nothing_standing, Message("journal.refusal.nothing_on_line", {"line": line}))


def later_event_breaks(line: int, broken: Refusal) -> Refusal:
    """The refusal of a correction after which the event standing on `line` breaks a rule."""
    reason = {"line": line, "reason": broken.message}
    return Refusal(broken.rule, Message("journal.refusal.later_event", reason))


def _refuse_unlisted(rules: JournalRules, fields: Fields, listed: Set[str], event: str) -> None:
    if not rules.unlisted_refused:
        return
    for key in fields:
        if key not in listed and key not in FREE_FIELDS:
            where = {"event": event, "field": key}
            raise Refusal(rules.malformed, Message("journal.refusal.unlisted", where))
