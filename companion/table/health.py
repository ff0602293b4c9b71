"""How a part of the table is: in order, worth a look, not there, or played by a simulated one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from companion.games.base import Message


class Health(StrEnum):
    """In order, worth a look, or not there (which may be right: every part but the disk has a substitute)."""

    OK = "ok"
    LOOK = "look"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Check:
    """One part: what was found, and the remedy when something can be done about it.

    `simulated`: a simulated part stands in for it.
    """

    part: str
    health: Health
    found: str
    remedy: Message | None = None
    simulated: bool = False
