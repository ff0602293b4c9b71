"""Stretches of frames in which nothing moves, and which of the frames are worth to be read."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from vision.cameras.protocol import Frame
from vision.change import Small, changed, is_change, sharpness


class Readable:
    """A frame that may be read. Its sharpness is measured only where frames have to be compared, for that is dear."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame

    @cached_property
    def sharp(self) -> float:
        """See `change.sharpness`."""
        return sharpness(self.frame.picture if self.frame.small is None else self.frame.small)


@dataclass(slots=True, eq=False)
class _Still:
    sight: Readable
    rank: int

    @property
    def worth(self) -> tuple[int, float, float]:
        """The greater the better."""
        return self.rank, self.sight.sharp, self.sight.frame.t


@dataclass(slots=True)
class Quiet:
    """A stretch of frames in which nothing moved, all compared with its first one so that slow movement adds up.

    `cut` says that it followed another one from one frame to the next, as after a cut in a film: nothing came in.
    `steady` is the picture since which nothing has shown even the least movement, `steady_frames` counts from it on.
    """

    anchor: Small
    since: float
    seen: float
    stills: list[_Still] = field(default_factory=list)
    judged: bool = False
    cut: bool = False
    steady: Small | None = None
    steady_since: float = 0.0
    steady_frames: int = 0
    early: tuple[Frame, ...] = ()

    def feel(self, small: Small, t: float) -> None:
        """Whether this picture is quite the same as those before: no pixel's slack is left to it."""
        if self.steady is not None and not is_change(changed(small, self.steady, slack=0)):
            self.steady_frames += 1
            return
        self.steady, self.steady_since, self.steady_frames, self.early = small, t, 1, ()
        for still in self.stills:
            still.rank = min(still.rank, 1)

    def keep(self, sight: Readable, most: int, late: float) -> None:
        """Keep the frame if it is among the sharpest `most`. One taken `late` seconds into the quiet or later goes
        before all earlier ones, in which something may still have moved by less than shows, and one that is quite the
        same as the one before goes before all."""
        rank = 2 if self.steady_frames > 1 else int(sight.frame.t - self.since >= late)
        self.stills.append(_Still(sight, rank))
        if len(self.stills) > most:
            self.stills = self._ranked()[:most]

    def best(self) -> tuple[Frame, ...]:
        """The sharpest frames; those that were worth an early look first, for they may have had it."""
        frames = [still.sight.frame for still in self._ranked()]
        others = [frame for frame in frames if not any(frame is early for early in self.early)]
        return (*self.early, *others)[: len(frames)]

    def _ranked(self) -> list[_Still]:
        return sorted(self.stills, key=lambda still: still.worth, reverse=True)

    def is_steady(self, t: float, frames: int, seconds: float) -> bool:
        """Whether so many frames, over so many seconds at least, were quite the same."""
        return self.steady_frames >= frames and t - self.steady_since >= seconds

    def anew(self, t: float) -> None:
        """Judge it once more, of frames from second `t` on."""
        self.judged, self.since, self.stills = False, t, []
        self.steady, self.steady_frames, self.early = None, 0, ()
