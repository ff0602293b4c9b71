"""Short ways to say what a check found: in order, worth a look, missing, switched off."""

from __future__ import annotations

from companion.games.base import Message
from companion.table.health import Check, Fact, Health


def found(id: str, **args: object) -> Message:
    """A fact in words (`doctor.found.…`)."""
    return Message(f"doctor.found.{id}", args)


def good(part: str, *facts: Fact) -> Check:
    """In order."""
    return Check(part, Health.OK, facts)


def look(part: str, *facts: Fact, do: str, **args: object) -> Check:
    """Worth a look; `do` is the one thing to do (`doctor.next.…`)."""
    return Check(part, Health.LOOK, facts, Message(f"doctor.next.{do}", args))


def missing(part: str, *facts: Fact, do: str, **args: object) -> Check:
    """Not there; the table plays without it."""
    return Check(part, Health.ABSENT, facts, Message(f"doctor.next.{do}", args))


def off(part: str, *facts: Fact, do: str, **args: object) -> Check:
    """Switched off in the settings, or not set up."""
    return Check(part, Health.OFF, facts, Message(f"doctor.next.{do}", args))
