"""How a part of the table is: in order, worth a look, missing, switched off, or played by a simulated one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from companion.games.base import Message

CheckDetail = Message | str
"""Something that was found: a sentence, or a name as it is."""


class Health(StrEnum):
    """In order; worth a look; missing (which may be right: every part but the disk has a substitute); switched off."""

    OK = "ok"
    ATTENTION = "attention"
    MISSING = "missing"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Check:
    """One part: what was found, and the one thing to do next; of a part in order there is nothing to do.

    `simulated`: a simulated part stands in for it. Raises ValueError for a part not in order without a next step.
    """

    part: str
    health: Health
    details: tuple[CheckDetail, ...] = ()
    remedy: Message | None = None
    simulated: bool = False

    def __post_init__(self) -> None:
        if (self.remedy is None) is not (self.health is Health.OK):
            raise ValueError(f"{self.part}: every part but one in order has one next step")
