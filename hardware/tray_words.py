"""What host and tray say to each other, in the house's words and in the messages of `firmware.protocol`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from firmware import protocol
from hardware.ports import Lid, Moment, Moving, Press, Role, Show, Source


def to_tray(show: Show, moment: Moment | None) -> list[object]:
    """The message that shows this. Lamps and sound are not the tray's."""
    colours = bytes(part for colour in show.colours for part in colour)
    score = list(show.score) if show.score is not None else None
    return [protocol.SHOW, show.scene.value, show.reading, score, colours, moment.value if moment else None]


def roles_of(about: dict[str, Any]) -> tuple[Role | None, ...]:
    """The roles of the buttons as the tray numbers them; None for one that this host does not know."""
    named = about.get("buttons")
    if not isinstance(named, list):
        return ()
    known = {role.value: role for role in Role}
    return tuple(known.get(name) if isinstance(name, str) else None for name in named)


def from_tray(message: object, at: float, roles: Sequence[Role | None]) -> Press | Moving | Lid | None:
    """What a message says that happened `at`; None for one that says nothing to the house."""
    match message:
        case [protocol.PRESS, int(index), bool(held)] if 0 <= index < len(roles):
            role = roles[index]
            return Press(role, held, Source.TRAY, at) if role is not None else None
        case [protocol.MOVING, bool(on)]:
            return Moving(on, at)
        case [protocol.LID, bool(opened)]:
            return Lid(opened, at)
    return None


def version_of(about: dict[str, Any]) -> str:
    """The firmware's release, for people; empty where it says none."""
    version = about.get("version")
    return version if isinstance(version, str) else ""
