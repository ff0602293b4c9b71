"""The simulated tray with people at it: hands that take and lay down single dice, and lamps that are switched."""

from __future__ import annotations

from vision.cameras.drawn import Die, Drawn
from vision.cameras.tumble import Body
from vision.drawing.material import Light


class Attended(Drawn):
    """A drawn tray at which more can be done than throwing; the deeds `take` and `put` are in its history."""

    def take(self, index: int, *, stays: float = 0.0) -> None:
        """A hand takes one die out, holding still over it for `stays` seconds."""
        die = self._stage.dice[index]
        self._grasping = "take"
        self._stage.reach_in(self.t, lambda: self._stage.take(die), stays=stays, to=die)

    def put(self, die: Die, *, stays: float = 0.0) -> None:
        """A hand lays one die down where there is room."""
        x, y = self._stage.free_place(self._edge)
        kind, face, body = die
        laid = Body(kind, face, body, self._edge, x, y)
        self._grasping = "put"
        self._stage.reach_in(self.t, lambda: self._stage.lay(laid), stays=stays, to=laid)

    def relight(self, light: Light) -> None:
        """The room's light changes from one frame to the next; the camera lets in its usual share of it again."""
        self._stage.relight(light)
        self.let_in(1.0)
