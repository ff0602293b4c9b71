"""Tells when what was thrown has come to rest, between the camera and the reader.

Nothing here knows what a die is. Frames go in with their times, rests come out; all limits are in seconds, so that the
same source at another frame rate settles at the same moment.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property, partial

from vision.cameras.protocol import Frame
from vision.watching.motion import (
    Mask,
    Small,
    changed,
    changed_in_any_light,
    drifted,
    in_other_light,
    is_change,
    is_cut,
    is_dark,
    is_hand,
    is_motion,
    sharpness,
    shrink,
)

_EARLY = (2, 4)
"""Steady frames after which a first look, and a second one, are worth their while, for those who wait."""

_SWITCH = 0.07
"""Seconds within which a lamp is switched and no die is moved."""

_GLIMPSE = 0.1
"""So many seconds of stillness show what lay there before a hand came in, even if they were too few for a rest."""

_CUT_QUIET = 0.2

_CUT_STEP = 0.15
"""So many quiet seconds before, and no more of them between two frames, make a sudden large change a cut in a film."""


class Scene(StrEnum):
    """What the tray shows at this moment."""

    EMPTY = "empty"
    MOVING = "moving"
    SETTLED = "settled"
    HAND = "hand"
    DARK = "dark"


@dataclass(frozen=True, slots=True)
class Patience:
    """How long things must last, in seconds; `drift` is in grey levels a second.

    `still` is enough where nothing changes but for a camera's trembling, `calm` where only light, insects and dust do.
    `frames` pictures that do not even tremble, over `steady` seconds at least, are enough too (0: never); after a tray
    has felt its dice come to rest `told_frames` over `told` seconds are (`Settle.stirred`). `heed`: so much older than
    the stillness in the picture the tray's word may be.
    """

    still: float = 0.35
    frames: int = 0
    steady: float = 0.13
    told_frames: int = 3
    told: float = 0.06
    heed: float = 0.1
    calm: float = 0.7
    hand: float = 3.0
    cleared: float = 0.1
    blind: float = 2.0
    drift: float = 1.5


LIVE = Patience(frames=5)
"""Where players wait for the roll: what moves again after so short a rest is read anew, as the same roll."""


@dataclass(frozen=True, slots=True, eq=False)
class Rest:
    """Something new lies still. `frames` are its sharpest stills, the best first; `small` the picture it was judged by.

    `since` is when it came to rest, `t` when that was certain. `blind` says that the tray was not seen all the time
    since the rest before: the lens was covered, frames were missing, or the whole scene was replaced. `at_once` says
    that one still picture followed the other with nothing between them, as when a lamp is switched. `new` is where the
    tray differs from the empty one, `things` where it does so in any light, None while that was never seen.
    """

    frames: tuple[Frame, ...]
    small: Small
    since: float
    t: float
    blind: bool = False
    at_once: bool = False
    new: Mask | None = None
    things: Mask | None = None


@dataclass(frozen=True, slots=True)
class Cleared:
    """The tray was seen empty; what comes to rest after this is another roll."""

    t: float


class Settle:
    """Watches small pictures and says when something new has come to rest, or the tray was cleared."""

    def __init__(self, patience: Patience | None = None, stills: int = 3) -> None:
        self.patience = patience or Patience()
        self.scene = Scene.MOVING
        self._stills = stills
        self._quiet: StillStretch | None = None
        self._calm: StillStretch | None = None
        self._ground: Small | None = None
        self._rest: Small | None = None
        self._rest_seen: float | None = None
        self._handless: Small | None = None
        self._empty_since: float | None = None
        self._blind = False
        self._moved_ever = False
        self._occupied = False
        self._solid = False
        self._offer_anew = False
        self._last: tuple[Frame, Small] | None = None
        self._stirring = False
        self._felt = False
        self._told_at: float | None = None

    @property
    def early(self) -> tuple[Frame, ...]:
        """Frames of a stillness that is still too short, worth a look already: the rest will offer them first, if it
        becomes one."""
        return () if self._quiet is None or self._quiet.judged else self._quiet.early

    def stirred(self, moving: bool | None) -> None:
        """What the tray itself feels from now on: its dice move, or lie still; None if it is gone and feels nothing.

        Only a stillness after a movement is heeded, once, and only for pictures in which nothing moves any more: it
        makes a few frames less enough. A tray that is silent, stuck or wrong costs time at the most.
        """
        if moving is not False:
            self._told_at = None
        elif self._felt and self._last is not None:
            self._told_at = self._last[0].t
        self._felt = bool(moving)

    def see(self, frame: Frame) -> Rest | Cleared | None:
        """Take the next frame; says what has just become certain, at most one thing a frame."""
        if self._last is not None and frame.t - self._last[0].t > self.patience.blind:
            self._blind = True
        small = shrink(frame)
        self._last = (frame, small)
        if is_dark(small):
            self.scene, self._quiet, self._calm, self._blind, self._empty_since = Scene.DARK, None, None, True, None
            return None
        quiet, calm = self._stretches(small, frame.t)
        last_seen, quiet.seen = quiet.seen, frame.t
        if quiet.judged:
            self._follow_the_light(quiet, small, frame.t - last_seen)
            return None
        quiet.check_steady(small, frame.t)
        if self.patience.frames and quiet.steady_frames in _EARLY:
            known = _is_like(small, self._rest, slack=0) or _is_like(small, self._ground)
            quiet.early = () if known else (*quiet.early, frame)
        shot = SharpFrame(frame)
        quiet.keep(shot, self._stills, self.patience.still / 2)
        if not calm.judged:
            calm.keep(shot, self._stills, self.patience.calm / 2)
        cleared = self._look_for_empty(small, frame.t)
        if cleared is not None:
            return cleared
        if _is_still(quiet, frame.t, self.patience, self._told_at):
            return self._judge(quiet, small, frame.t)
        if not calm.judged and frame.t - calm.since >= self.patience.calm:
            return self._judge(calm, small, frame.t)
        return None

    def _stretches(self, small: Small, t: float) -> tuple[StillStretch, StillStretch]:
        """The stretch in which nothing changes and the one in which nothing but light and small things does, with
        this picture in them."""
        quiet, calm = self._quiet, self._calm
        if quiet is None or calm is None:
            self.scene = Scene.MOVING
            self._quiet, self._calm = quiet, calm = StillStretch(small, t, t), StillStretch(small, t, t)
        elif is_change(changed(small, quiet.anchor)):
            self._moved_ever = True
            if self._handless is None and quiet.seen - quiet.since >= _GLIMPSE:
                self._handless = quiet.anchor
            cut = quiet.seen - quiet.since >= _CUT_QUIET and t - quiet.seen <= _CUT_STEP and _at_once(small, quiet)
            self._quiet = quiet = StillStretch(small, t, t, cut=cut)
            # What has stirred most likely stirs in the next picture too, and that look is dear: half of them are saved.
            assumed, self._stirring = self._stirring, False
            if assumed or is_motion(changed_in_any_light(small, calm.anchor), partial(self._things, calm.anchor)):
                self.scene, self._stirring = Scene.MOVING, not assumed
                self._calm = calm = StillStretch(small, t, t)
        else:
            self._stirring = False
        return quiet, calm

    def _things(self, small: Small) -> Mask | None:
        """Where the tray differs from the empty one, None while that was never seen."""
        return None if self._ground is None else changed_in_any_light(small, self._ground)

    def relit(self, frame: Frame) -> None:
        """What is seen from this frame on is the same in another light, by the camera's own doing."""
        small = shrink(frame)
        if self._last is not None:
            known = partial(in_other_light, before=self._last[1], now=small)
            self._ground, self._rest, self._handless = map(known, (self._ground, self._rest, self._handless))
        for stretch in (self._quiet, self._calm):
            if stretch is not None:
                stretch.anchor = small
        self._last = (frame, small)

    def end(self) -> Rest | None:
        """The source is over: what has lain still for half the usual time, or never moved at all, still counts."""
        quiet, calm, last = self._quiet, self._calm, self._last
        if quiet is None or calm is None or last is None or quiet.judged or not quiet.stills:
            return None
        frame, small = last
        if self._moved_ever and frame.t - quiet.since < self.patience.still / 2:
            if calm.judged or frame.t - calm.since < self.patience.calm / 2:
                return None
            quiet = calm
        found = self._judge(quiet, small, frame.t, ended=True)
        return found if isinstance(found, Rest) else None

    def empty_tray(self) -> None:
        """The reader saw no die in the last rest: from now on this is how the empty tray looks."""
        if self._rest is not None:
            self._ground, self._rest, self.scene = self._rest, None, Scene.EMPTY
            self._occupied = False

    def look_again(self, t: float | None) -> None:
        """The last rest could not be read yet (something in it still turns): offer it once more, a still time later.

        None: it need not be offered once more after all.
        """
        if t is None:
            self._offer_anew = False
        elif self._quiet is not None and self._calm is not None:
            self._quiet.anew(t)
            self._calm.anew(t)
            self._offer_anew = True

    def _judge(self, quiet: StillStretch, small: Small, t: float, ended: bool = False) -> Rest | Cleared | None:
        """Decide what a long enough stillness is: nothing new, the empty tray, a resting hand, or a rest to be read."""
        if _is_like(small, self._ground):
            self._conclude(quiet, Scene.EMPTY)
            return self._clear(t)
        hand = self._is_hand_in(small, quiet)
        if hand and t - quiet.since < self.patience.hand and not ended:
            self.scene = Scene.HAND
            return None
        self._conclude(quiet, Scene.SETTLED)
        at_once = self._rest_seen is not None and quiet.since - self._rest_seen <= _SWITCH
        self._rest_seen, self._handless = t, self._handless if hand else small
        # Exactly here: a small die turned over in its place differs by a few pixels, and reading twice does no harm.
        mask: Mask | None = None if self._rest is None else changed(small, self._rest, slack=0)
        if mask is not None and not is_change(mask) and not self._offer_anew:
            self._blind = False
            return None
        blind = self._blind or (mask is not None and is_cut(mask))
        return self._rested(Rest(quiet.best(), small, quiet.since, t, blind, at_once))

    def _rested(self, rest: Rest) -> Rest:
        """The rest with what differs from the empty tray; it is the last one from now on."""
        small = rest.small
        self._rest, self._blind, self._occupied, self._offer_anew = small, False, True, False
        new = None if self._ground is None else changed(small, self._ground)
        things = self._things(small)
        self._solid = things is not None and is_motion(things)
        return replace(rest, new=new, things=things)

    def _is_hand_in(self, small: Small, quiet: StillStretch) -> bool:
        """Whether a hand rests in the tray, beside the empty one or what lay there before."""
        reference = self._ground if self._ground is not None else self._handless
        return reference is not None and not quiet.cut and _hand_in(small, reference)

    def _conclude(self, stretch: StillStretch, scene: Scene) -> None:
        """What this stretch shows is known; what lies calm is known too once it lay quite still."""
        stretch.judged, self.scene, self._told_at = True, scene, None
        if self._calm is not None:
            self._calm.judged = True

    def _look_for_empty(self, small: Small, t: float) -> Cleared | None:
        """Between two throws the tray is often seen empty for a moment only, with no rest in it."""
        if not self._occupied or not (_is_like(small, self._ground) or self._is_bare(small)):
            self._empty_since = None
            return None
        if self._empty_since is None:
            self._empty_since = t
        return self._clear(t) if t - self._empty_since >= self.patience.cleared else None

    def _is_bare(self, small: Small) -> bool:
        """Whether the tray is empty but for light and small things, and what lay there last was more than that."""
        return self._ground is not None and self._solid and not is_motion(changed_in_any_light(small, self._ground))

    def _clear(self, t: float) -> Cleared | None:
        self._rest, self._blind, self._empty_since, self._offer_anew = None, False, None, False
        self._rest_seen = None
        if not self._occupied:
            return None
        self._occupied = False
        return Cleared(t)

    def _follow_the_light(self, quiet: StillStretch, small: Small, seconds: float) -> None:
        """Let a judged picture follow the sun, so slowly that nothing a hand does is followed."""
        quiet.anchor = drifted(quiet.anchor, small, self.patience.drift * seconds)
        if self.scene is Scene.EMPTY:
            self._ground = quiet.anchor
        else:
            self._rest, self._rest_seen = quiet.anchor, quiet.seen


class SharpFrame:
    """A frame that may be read. Its sharpness is measured only where frames have to be compared, for that is dear."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame

    @cached_property
    def sharp(self) -> float:
        """See `motion.sharpness`."""
        return sharpness(self.frame.picture if self.frame.small is None else self.frame.small)


@dataclass(slots=True)
class StillStretch:
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

    def check_steady(self, small: Small, t: float) -> None:
        """Whether this picture is quite the same as those before: no pixel's slack is left to it."""
        if self.steady is not None and not is_change(changed(small, self.steady, slack=0)):
            self.steady_frames += 1
            return
        self.steady, self.steady_since, self.steady_frames, self.early = small, t, 1, ()
        for still in self.stills:
            still.rank = min(still.rank, 1)

    def keep(self, shot: SharpFrame, most: int, late: float) -> None:
        """Keep the frame if it is among the sharpest `most`. One taken `late` seconds into the quiet or later goes
        before all earlier ones, in which something may still have moved by less than shows, and one that is quite the
        same as the one before goes before all."""
        rank = 2 if self.steady_frames > 1 else int(shot.frame.t - self.since >= late)
        self.stills.append(_Still(shot, rank))
        if len(self.stills) > most:
            self.stills = self._ranked()[:most]

    def best(self) -> tuple[Frame, ...]:
        """The sharpest frames; those that were worth an early look first, for they may have had it."""
        frames = [still.shot.frame for still in self._ranked()]
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


@dataclass(slots=True, eq=False)
class _Still:
    shot: SharpFrame
    rank: int

    @property
    def worth(self) -> tuple[int, float, float]:
        """The greater the better."""
        return self.rank, self.shot.sharp, self.shot.frame.t


def _is_still(quiet: StillStretch, t: float, patience: Patience, told_at: float | None) -> bool:
    """Whether nothing has moved for long enough, at second `t`; the tray itself felt so at second `told_at`."""
    if t - quiet.since >= patience.still:
        return True
    if patience.frames and quiet.is_steady(t, patience.frames, patience.steady):
        return True
    told = told_at is not None and told_at >= quiet.since - patience.heed
    return told and quiet.is_steady(t, patience.told_frames, patience.told)


def _is_like(small: Small, known: Small | None, slack: int = 1) -> bool:
    """Whether nothing differs from a picture that is known."""
    return known is not None and not is_change(changed(small, known, slack))


def _at_once(small: Small, before: StillStretch) -> bool:
    """Whether something as large as a hand, or another scene, has come from one picture to the next."""
    return is_cut(changed(small, before.anchor)) or _hand_in(small, before.anchor)


def _hand_in(small: Small, before: Small) -> bool:
    return is_hand(changed(small, before), changed_in_any_light(small, before))
