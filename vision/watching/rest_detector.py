"""Settle detection: finds out when a throw has come to rest. Sits between camera and reader.

This module does not know what a die is. It takes frames with their times and returns rests. All limits are in seconds,
so that the same source settles at the same moment at any frame rate.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property, partial

from vision.cameras.protocol import Frame
from vision.watching.motion import (
    Mask,
    Small,
    change_mask,
    drifted,
    is_change,
    is_dark,
    is_hand,
    is_motion,
    is_scene_cut,
    lighting_invariant_change,
    relight,
    sharpness,
    shrink,
)

_EARLY = (2, 4)
"""Steady frames after which a first and a second early reading are worthwhile for waiting players."""

_SWITCH = 0.07
"""Seconds within which a lamp is switched but no die is moved."""

_GLIMPSE = 0.1
"""Seconds of stillness that show the tray before a hand came in, even if too short for a rest."""

_CUT_QUIET = 0.2

_CUT_STEP = 0.15
"""A sudden large change is a cut in a clip after this many quiet seconds and with at most this gap between frames."""


class TrayState(StrEnum):
    """The current state of the tray image."""

    EMPTY = "empty"
    MOVING = "moving"
    AT_REST = "settled"
    HAND = "hand"
    UNSEEN = "unseen"


@dataclass(frozen=True, slots=True)
class RestTimings:
    """Minimum durations in seconds. `drift` is in grey levels per second.

    - `still`: nothing changes except camera trembling.
    - `calm`: only light, insects and dust change.
    - `frames`, `steady`: this many frames without any trembling, over at least `steady` seconds, also suffice (0:
      never).
    - `felt_still_frames`, `felt_still_s`: the same after the tray's own sensor reported that its dice rest
      (`RestDetector.on_motion`).
    - `max_feel_lead_s`: how much older than the stillness in the image the sensor's report may be.
    """

    still: float = 0.35
    frames: int = 0
    steady: float = 0.13
    felt_still_frames: int = 3
    felt_still_s: float = 0.06
    max_feel_lead_s: float = 0.1
    calm: float = 0.7
    hand: float = 3.0
    cleared: float = 0.1
    blind: float = 2.0
    drift: float = 1.5


LIVE_TIMINGS = RestTimings(frames=5)
"""For waiting players. Dice that move again after such a short rest are read again as the same roll."""


@dataclass(frozen=True, slots=True, eq=False)
class Rest:
    """A new still scene.

    - `frames`: its sharpest stills, best first.
    - `small`: the image that it was judged by.
    - `since`, `t`: when it came to rest, and when this was certain.
    - `blind`: the tray was not visible all the time since the previous rest: the lens was covered, frames were missing,
      or the whole scene was replaced.
    - `is_instant`: one still image directly followed another, as when a lamp is switched.
    - `new_mask`: where the tray differs from the empty one.
    - `objects_mask`: where it differs in any light. Both masks are None if the empty tray was never seen.
    """

    frames: tuple[Frame, ...]
    small: Small
    since: float
    t: float
    blind: bool = False
    is_instant: bool = False
    new_mask: Mask | None = None
    objects_mask: Mask | None = None


@dataclass(frozen=True, slots=True)
class Cleared:
    """The tray was seen empty. The next rest is a new roll."""

    t: float


class RestDetector:
    """State machine that watches small images and reports new rests and a cleared tray."""

    def __init__(self, timings: RestTimings | None = None, stills: int = 3) -> None:
        self.timings = timings or RestTimings()
        self.state = TrayState.MOVING
        self._stills = stills
        self._quiet: StillStretch | None = None
        self._calm: StillStretch | None = None
        self._empty: Small | None = None
        self._rest: Small | None = None
        self._rest_seen: float | None = None
        self._before_hand: Small | None = None
        self._empty_since: float | None = None
        self._blind = False
        self._moved_ever = False
        self._occupied = False
        self._solid = False
        self._offer_again = False
        self._last: tuple[Frame, Small] | None = None
        self._assume_motion = False
        self._felt_motion = False
        self._felt_still_at: float | None = None

    @property
    def early(self) -> tuple[Frame, ...]:
        """Frames of a stillness that is still too short for a rest. If it becomes one, the rest offers them first."""
        return () if self._quiet is None or self._quiet.judged else self._quiet.early

    def on_motion(self, moving: bool | None) -> None:
        """Set the state of the tray's own sensor: dice move, dice are still, or None if the sensor is disconnected.

        Only a stillness after a movement counts, once, and only for images in which nothing moves any more. It reduces
        the number of frames needed. A silent, stuck or wrong sensor costs time at most.
        """
        if moving is not False:
            self._felt_still_at = None
        elif self._felt_motion and self._last is not None:
            self._felt_still_at = self._last[0].t
        self._felt_motion = bool(moving)

    def on_frame(self, frame: Frame) -> Rest | Cleared | None:
        """Process the next frame. Return what has just become certain, at most one result per frame."""
        if self._last is not None and frame.t - self._last[0].t > self.timings.blind:
            self._blind = True
        small = shrink(frame)
        self._last = (frame, small)
        if is_dark(small):
            self.on_unseen()
            return None
        quiet, calm = self._stretches(small, frame.t)
        last_seen, quiet.seen = quiet.seen, frame.t
        if quiet.judged:
            self._follow_the_light(quiet, small, frame.t - last_seen)
            return None
        quiet.check_steady(small, frame.t)
        if self.timings.frames and quiet.steady_frames in _EARLY:
            known = _is_unchanged(small, self._rest, slack=0) or _is_unchanged(small, self._empty)
            quiet.early = () if known else (*quiet.early, frame)
        shot = SharpFrame(frame)
        quiet.add(shot, self._stills, self.timings.still / 2)
        if not calm.judged:
            calm.add(shot, self._stills, self.timings.calm / 2)
        cleared = self._check_empty(small, frame.t)
        if cleared is not None:
            return cleared
        if _is_still(quiet, frame.t, self.timings, self._felt_still_at):
            return self._judge(quiet, small, frame.t)
        if not calm.judged and frame.t - calm.since >= self.timings.calm:
            return self._judge(calm, small, frame.t)
        return None

    def _stretches(self, small: Small, t: float) -> tuple[StillStretch, StillStretch]:
        """Return the stretch without any change and the stretch with only light and small changes.

        Both include this image.
        """
        quiet, calm = self._quiet, self._calm
        if quiet is None or calm is None:
            self.state = TrayState.MOVING
            self._quiet, self._calm = quiet, calm = StillStretch(small, t, t), StillStretch(small, t, t)
        elif is_change(change_mask(small, quiet.anchor)):
            self._moved_ever = True
            if self._before_hand is None and quiet.seen - quiet.since >= _GLIMPSE:
                self._before_hand = quiet.anchor
            cut = (
                quiet.seen - quiet.since >= _CUT_QUIET
                and t - quiet.seen <= _CUT_STEP
                and _is_sudden_change(small, quiet)
            )
            self._quiet = quiet = StillStretch(small, t, t, cut=cut)
            # Moving objects most likely move in the next image too. Skip every second check, which is expensive.
            assumed, self._assume_motion = self._assume_motion, False
            if assumed or is_motion(
                lighting_invariant_change(small, calm.anchor), partial(self._objects_mask, calm.anchor)
            ):
                self.state, self._assume_motion = TrayState.MOVING, not assumed
                self._calm = calm = StillStretch(small, t, t)
        else:
            self._assume_motion = False
        return quiet, calm

    def _objects_mask(self, small: Small) -> Mask | None:
        """Return where the tray differs from the empty one, None if the empty tray was never seen."""
        return None if self._empty is None else lighting_invariant_change(small, self._empty)

    def on_unseen(self) -> None:
        """Note that an image shows nothing of the tray. Dice may be moved, added or taken meanwhile."""
        self.state, self._quiet, self._calm, self._blind, self._empty_since = TrayState.UNSEEN, None, None, True, None

    def on_relight(self, frame: Frame) -> None:
        """Start a new light level: from this frame on the same scene appears in other light, set by the camera."""
        small = shrink(frame)
        if self._last is not None:
            known = partial(relight, before=self._last[1], now=small)
            self._empty, self._rest, self._before_hand = map(known, (self._empty, self._rest, self._before_hand))
        for stretch in (self._quiet, self._calm):
            if stretch is not None:
                stretch.anchor = small
        self._last = (frame, small)

    def end(self) -> Rest | None:
        """Finish at the end of the source.

        A scene that was still for half the usual time, or that never moved, counts as a rest.
        """
        quiet, calm, last = self._quiet, self._calm, self._last
        if quiet is None or calm is None or last is None or quiet.judged or not quiet.stills:
            return None
        frame, small = last
        if self._moved_ever and frame.t - quiet.since < self.timings.still / 2:
            if calm.judged or frame.t - calm.since < self.timings.calm / 2:
                return None
            quiet = calm
        found = self._judge(quiet, small, frame.t, ended=True)
        return found if isinstance(found, Rest) else None

    def mark_empty(self) -> None:
        """Take the last rest as the new reference for the empty tray, because the reader found no die in it."""
        if self._rest is not None:
            self._empty, self._rest, self.state = self._rest, None, TrayState.EMPTY
            self._occupied = False

    def offer_again(self, t: float | None) -> None:
        """Offer the last rest again after the still time from `t`, because it could not be read (a die still turns).

        None cancels this.
        """
        if t is None:
            self._offer_again = False
        elif self._quiet is not None and self._calm is not None:
            self._quiet.restart(t)
            self._calm.restart(t)
            self._offer_again = True

    def _judge(self, quiet: StillStretch, small: Small, t: float, ended: bool = False) -> Rest | Cleared | None:
        """Classify a long enough stillness: nothing new, the empty tray, a resting hand, or a rest to read."""
        if _is_unchanged(small, self._empty):
            self._conclude(quiet, TrayState.EMPTY)
            return self._clear(t)
        hand = self._is_hand_in(small, quiet)
        if hand and t - quiet.since < self.timings.hand and not ended:
            self.state = TrayState.HAND
            return None
        self._conclude(quiet, TrayState.AT_REST)
        at_once = self._rest_seen is not None and quiet.since - self._rest_seen <= _SWITCH
        self._rest_seen, self._before_hand = t, self._before_hand if hand else small
        # No slack: a small die turned over in place differs by a few pixels, and reading twice does no harm.
        mask: Mask | None = None if self._rest is None else change_mask(small, self._rest, slack=0)
        if mask is not None and not is_change(mask) and not self._offer_again:
            self._blind = False
            return None
        blind = self._blind or (mask is not None and is_scene_cut(mask))
        return self._record_rest(Rest(quiet.best(), small, quiet.since, t, blind, at_once))

    def _record_rest(self, rest: Rest) -> Rest:
        """Add the differences from the empty tray to the rest, and remember it as the last one."""
        small = rest.small
        self._rest, self._blind, self._occupied, self._offer_again = small, False, True, False
        new = None if self._empty is None else change_mask(small, self._empty)
        things = self._objects_mask(small)
        self._solid = things is not None and is_motion(things)
        return replace(rest, new_mask=new, objects_mask=things)

    def _is_hand_in(self, small: Small, quiet: StillStretch) -> bool:
        """Return True if a hand rests in the tray, compared with the empty tray or the scene before."""
        reference = self._empty if self._empty is not None else self._before_hand
        return reference is not None and not quiet.cut and _has_hand(small, reference)

    def _conclude(self, stretch: StillStretch, scene: TrayState) -> None:
        """Mark a stretch as judged. A judged still stretch also marks the calm one."""
        stretch.judged, self.state, self._felt_still_at = True, scene, None
        if self._calm is not None:
            self._calm.judged = True

    def _check_empty(self, small: Small, t: float) -> Cleared | None:
        """Detect an empty tray without a rest. Between two throws it is often visible for a moment only."""
        if not self._occupied or not (_is_unchanged(small, self._empty) or self._is_bare(small)):
            self._empty_since = None
            return None
        if self._empty_since is None:
            self._empty_since = t
        return self._clear(t) if t - self._empty_since >= self.timings.cleared else None

    def _is_bare(self, small: Small) -> bool:
        """Return True if the tray is empty except for light and small things, and the last scene had more than that."""
        return self._empty is not None and self._solid and not is_motion(lighting_invariant_change(small, self._empty))

    def _clear(self, t: float) -> Cleared | None:
        self._rest, self._blind, self._empty_since, self._offer_again = None, False, None, False
        self._rest_seen = None
        if not self._occupied:
            return None
        self._occupied = False
        return Cleared(t)

    def _follow_the_light(self, quiet: StillStretch, small: Small, seconds: float) -> None:
        """Adapt a judged reference to the sun, too slowly to follow a hand."""
        quiet.anchor = drifted(quiet.anchor, small, self.timings.drift * seconds)
        if self.state is TrayState.EMPTY:
            self._empty = quiet.anchor
        else:
            self._rest, self._rest_seen = quiet.anchor, quiet.seen


class SharpFrame:
    """A frame that may be read. Its sharpness is computed on demand, because that is expensive."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame

    @cached_property
    def sharp(self) -> float:
        """See `motion.sharpness`."""
        return sharpness(self.frame.picture if self.frame.small is None else self.frame.small)


@dataclass(slots=True)
class StillStretch:
    """A stretch of frames without movement. All are compared with the first one, so that slow movement adds up.

    - `cut`: it directly followed another stretch, as after a cut in a clip. Nothing was seen coming in.
    - `steady`: the image since which nothing moved at all.
    - `steady_frames`: the number of frames since then.
    """

    anchor: Small
    since: float
    seen: float
    stills: list[_CandidateFrame] = field(default_factory=list)
    judged: bool = False
    cut: bool = False
    steady: Small | None = None
    steady_since: float = 0.0
    steady_frames: int = 0
    early: tuple[Frame, ...] = ()

    def check_steady(self, small: Small, t: float) -> None:
        """Count the frames that equal the previous ones without any pixel slack."""
        if self.steady is not None and not is_change(change_mask(small, self.steady, slack=0)):
            self.steady_frames += 1
            return
        self.steady, self.steady_since, self.steady_frames, self.early = small, t, 1, ()
        for still in self.stills:
            still.priority = min(still.priority, 1)

    def add(self, shot: SharpFrame, max_frames: int, late: float) -> None:
        """Keep the frame if it is among the best `max_frames`.

        Frames are ranked by sharpness within three groups, best first: frames equal to the previous one, frames at
        least `late` seconds into the stillness, and earlier frames, in which something may still move imperceptibly.
        """
        priority = 2 if self.steady_frames > 1 else int(shot.frame.t - self.since >= late)
        self.stills.append(_CandidateFrame(shot, priority))
        if len(self.stills) > max_frames:
            self.stills = self._ranked()[:max_frames]

    def best(self) -> tuple[Frame, ...]:
        """Return the sharpest frames. Frames offered for early reading come first, because they may have been read."""
        frames = [still.shot.frame for still in self._ranked()]
        others = [frame for frame in frames if not any(frame is early for early in self.early)]
        return (*self.early, *others)[: len(frames)]

    def _ranked(self) -> list[_CandidateFrame]:
        return sorted(self.stills, key=lambda still: still.worth, reverse=True)

    def is_steady(self, t: float, frames: int, seconds: float) -> bool:
        """Return True if at least this many frames, over at least this many seconds, were equal."""
        return self.steady_frames >= frames and t - self.steady_since >= seconds

    def restart(self, t: float) -> None:
        """Judge the stretch again, from frames at second `t` and later."""
        self.judged, self.since, self.stills = False, t, []
        self.steady, self.steady_frames, self.early = None, 0, ()


@dataclass(slots=True, eq=False)
class _CandidateFrame:
    shot: SharpFrame
    priority: int

    @property
    def worth(self) -> tuple[int, float, float]:
        """Sort key; higher is better."""
        return self.priority, self.shot.sharp, self.shot.frame.t


def _is_still(quiet: StillStretch, t: float, timings: RestTimings, felt_still_at: float | None) -> bool:
    """Return True if nothing has moved for long enough at second `t`.

    `felt_still_at` is the time when the tray's own sensor reported rest.
    """
    if t - quiet.since >= timings.still:
        return True
    if timings.frames and quiet.is_steady(t, timings.frames, timings.steady):
        return True
    felt_still = felt_still_at is not None and felt_still_at >= quiet.since - timings.max_feel_lead_s
    return felt_still and quiet.is_steady(t, timings.felt_still_frames, timings.felt_still_s)


def _is_unchanged(small: Small, known: Small | None, slack: int = 1) -> bool:
    """Return True if nothing differs from a known image."""
    return known is not None and not is_change(change_mask(small, known, slack))


def _is_sudden_change(small: Small, before: StillStretch) -> bool:
    """Return True if something as large as a hand, or another scene, appeared between two images."""
    return is_scene_cut(change_mask(small, before.anchor)) or _has_hand(small, before.anchor)


def _has_hand(small: Small, before: Small) -> bool:
    return is_hand(change_mask(small, before), lighting_invariant_change(small, before))
