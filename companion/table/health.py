"""Health of a part of the table: ok, attention, missing, off, or simulated."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from companion.games.base import Message

CheckDetail = Message | str
"""A finding: a message, or a plain name."""


class Health(StrEnum):
    """Health of a part. MISSING may be fine: every part but the disk has a substitute. OFF means disabled."""

    OK = "ok"
    ATTENTION = "attention"
    MISSING = "missing"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Check:
    """Check result of one part: the findings, and the next step unless it is OK.

    `simulated`: a simulated part replaces it. Raises: ValueError for a part that is not OK and has no next step.
    """

    part: str
    health: Health
    details: tuple[CheckDetail, ...] = ()
    remedy: Message | None = None
    simulated: bool = False

    def __post_init__(self) -> None:
        if (self.remedy is None) is not (self.health is Health.OK):
            raise ValueError(f"{self.part}: every part but one in order has one next step")
