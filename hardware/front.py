"""What every panel does, whatever it is made of: switches become presses, what is shown becomes light and sound."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import replace

from hardware.buttons import Buttons
from hardware.lighting import brightness, tone
from hardware.ports import MOMENT_SECONDS, Link, Press, Role, Show, Source


class Front:
    """Turned by hand: `edge` may be called from any thread, everything else from the one that turns it."""

    def __init__(self, roles: Iterable[Role]) -> None:
        self._buttons = Buttons(Source.PANEL, roles)
        self._edges: deque[tuple[Role, bool, float]] = deque()
        self._show = Show()
        self._moment_at: float | None = None
        self._links: list[Link] = []

    def begin(self, role: Role, down: bool) -> None:
        """The level in which a switch is found."""
        self._buttons.begin(role, down)

    def forget(self) -> None:
        """The switches are out of reach: whatever a finger was doing is over."""
        self._edges.clear()
        for role in self._buttons.roles:
            self._buttons.begin(role, False)

    def edge(self, role: Role, down: bool, at: float) -> None:
        """A switch closes (`down`) or opens at a time."""
        self._edges.append((role, down, at))

    def found(self, role: Role, down: bool, at: float) -> None:
        """The level of a switch as it is read now: an edge that nobody told is made good."""
        if not self._edges and self._buttons.is_down(role) != down:
            self.edge(role, down, at)

    def tell(self, link: Link) -> None:
        """The device is otherwise than before."""
        self._links.append(link)

    def show(self, show: Show, now: float) -> None:
        """What is to be seen from now on; a moment is played out before one that is none takes its place."""
        if show.moment is not None:
            self._moment_at = now
        elif self._playing(now):
            show = replace(show, moment=self._show.moment)
        self._show = show

    def presses(self, now: float) -> list[Link | Press]:
        """What is to be told by now."""
        while self._edges:
            self._buttons.edge(*self._edges.popleft())
        links, self._links = self._links, []
        return [*links, *self._buttons.due(now)]

    def lamps(self, now: float) -> dict[Role, float]:
        """Each lamp's share of full brightness, 0 to 1."""
        return brightness(self._show, self._since(now), now)

    def tone(self, now: float) -> float | None:
        """The note of the buzzer in hertz."""
        return tone(self._show, self._since(now))

    def _since(self, now: float) -> float | None:
        return None if self._moment_at is None else now - self._moment_at

    def _playing(self, now: float) -> bool:
        since = self._since(now)
        return self._show.moment is not None and since is not None and since < MOMENT_SECONDS
