"""What the tray feels, as far as it can be believed: dice that roll, a hand or an open lid. Pure: time comes in."""

from __future__ import annotations

from hardware.ports import Lid, Moving

LONGEST = 10.0
"""Seconds after which dice that are felt to roll all the time are a broken sensor, and a lid was left open."""


class Feeling:
    """Of one tray. Nothing is known before it has told anything, and after it is gone."""

    def __init__(self) -> None:
        self._since: dict[type[Moving] | type[Lid], float | None] = {}

    def told(self, hint: Moving | Lid, now: float) -> None:
        """The tray tells what it feels."""
        on = hint.on if isinstance(hint, Moving) else hint.open
        since = self._since.get(type(hint))
        self._since[type(hint)] = (now if since is None else since) if on else None

    def gone(self) -> None:
        """The tray is lost."""
        self._since.clear()

    def moving(self, now: float) -> bool | None:
        """Whether something moves in the tray; None where nothing is known or what is told cannot be true."""
        lasting = [now - since for since in self._since.values() if since is not None]
        if not self._since or any(seconds >= LONGEST for seconds in lasting):
            return None
        return bool(lasting)
