"""Short constructors for dice readings as a reader produces them."""

from __future__ import annotations

from collections.abc import Sequence

from companion.table.ports import ReaderNews
from vision.roll import DieReading, Doubt, Face, Roll, RollRequest, SeenRoll, Status


def pips(value: int, x: float = 100, y: float = 100, body: str = "white") -> DieReading:
    face = Face(value=value)
    return DieReading("pips", face, (x, y, 40, 40), 0.999, None, body, ((face, 0.999),))


def doubtful(*values: int, x: float = 100, y: float = 100, why: Doubt = Doubt.FACE) -> DieReading:
    """Return a classic die with these possible values, the most likely first."""
    share = 1 / max(1, len(values))
    possible = tuple((Face(value=value), share) for value in values)
    return DieReading("pips", Face(value=values[0] if values else None), (x, y, 40, 40), share, why, "white", possible)


def strange(x: float = 500, y: float = 400) -> DieReading:
    """Return an object that is no die of the game."""
    return DieReading("pips", Face(value=3), (x, y, 30, 30), 0.2, Doubt.FOREIGN, None, ((Face(value=3), 0.2),))


def ball(colour: str, x: float = 100, y: float = 100) -> DieReading:
    face = Face(colour=colour)
    return DieReading("ball", face, (x, y, 40, 40), 0.999, None, None, ((face, 0.999),))


def roll(*dice: DieReading, again: bool = False) -> Roll:
    status = Status.OK if all(die.certain for die in dice) else Status.ASK
    return Roll(status, dice, ms=1.0, t=1.0, again=again)


def seen(*dice: DieReading, again: bool = False) -> SeenRoll:
    """Return a roll with fake pictures of the tray and of each die."""
    return SeenRoll(roll(*dice, again=again), b"tray", tuple(f"die {index}".encode() for index in range(len(dice))))


class ScriptedReader:
    """A reader with scripted rolls that records its requests."""

    def __init__(self) -> None:
        self.requests: list[RollRequest] = []
        self.coming: list[ReaderNews] = []
        self.closed = False

    def request(self, request: RollRequest) -> None:
        self.requests.append(request)

    def poll(self) -> Sequence[ReaderNews]:
        coming, self.coming = self.coming, []
        return coming

    def show_tray(self, on: bool) -> None:
        """Do nothing: there is no picture."""

    def close(self) -> None:
        self.closed = True
