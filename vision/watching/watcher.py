"""The watcher: connects camera, settling and reader. Frames go in, and each settled roll comes out once.

A roll is a vote of several readings of the same rest. Disagreement becomes a doubt. A die that has not moved is not
reported again, whatever the light.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Protocol

import cv2
import numpy as np

from vision.cameras.protocol import Camera, CameraLost, EndOfSource, Frame
from vision.detection.exposure import DIMMING_STEP, is_overexposed, overexposed_share
from vision.pictures import Picture
from vision.roll import Box, DieReading, Doubt, Face, Note, Roll, RollRequest, SeenRoll, Status, TrayPicture
from vision.watching.motion import (
    Mask,
    Small,
    change_mask,
    colour_similarity,
    erase,
    is_change,
    lighting_invariant_change,
    relit_share,
    share_of,
    similarity,
)
from vision.watching.picture_faults import FrameUse, PictureFaults
from vision.watching.rest_detector import Cleared, Rest, RestDetector, RestTimings, TrayState

MIN_SIMILARITY = 0.94
"""Minimum similarity (see `motion.similarity`) of a die's place for a die that was not moved."""

SAME_LOOK_RELIT = 0.84
"""The same if the light changed on a RELIT share of it, which changes shading and gloss."""

RELIT = 0.25

SAME_COLOURS = 0.85
"""Minimum colour similarity for a die with the same face in the same place after a light change.

See `motion.colour_similarity`. Above it the die counts as not moved.
"""

SAME_COLOURS_ANOTHER_LAMP = 0.5
"""The same under another lamp: the light changed on nearly the whole image (ANOTHER_LAMP), or between two images.

Nobody moves a die within that time.
"""

ANOTHER_LAMP = 0.7

SHADOW_EDGE_SHARE = 0.12
"""Less than RELIT: the edge of a shadow or of a patch of sun. A die that moved changes less than this."""

MAX_UNCHANGED_SHARE = 0.02
"""Below this changed share of a box nothing happened, even if two readings differ."""

MIN_OBJECT_SHARE = 0.3
"""Minimum share of a die's box that differs from the empty tray."""

MAX_PLACE_GAP = 0.5
"""Maximum distance, as a share of the die's width, between two readings of the same die."""

MIN_CANDIDATE_SHARE = 0.03
"""Below this changed share, compared with the empty tray, a doubtful candidate is part of the tray: a knot, a seam."""

MIN_OVERLOOKED_SHARE = 0.5
"""Minimum changed share of the box of a die that is no longer read, if something is still there.

The shadow of a neighbour covers less.
"""

MIN_GLARE_SHARE = 0.5
"""Minimum overexposed share of a die's place at which glare hides the die."""

FRAMES_PER_ROLL = 2
"""Stills read for a roll. One more is read if they disagree."""

MAX_BLURRED_RETRIES = 5
"""Maximum retries of a rest with a turning die. After that the roll is reported with a doubt."""

MAX_UNSURE_RETRIES = 2
"""Maximum retries of a rest with a doubtful face. Another still often resolves the doubt."""

DOUBT_WAIT = 0.75
"""Maximum seconds after the rest for such retries, so that a question appears soon."""

BURNT_OUT_WAIT = 1.5
"""Maximum seconds of retries for overexposed dice, however often the camera reduces the light."""

NOISE_DOUBTS = {Doubt.FACE, Doubt.FOREIGN}
"""Doubts that image noise can cause, as well as the die."""

DIE_JPEG_SIDE = 160
"""Longest side of a die crop in pixels."""

TRAY_JPEG_SIDE = 640
"""Longest side of a tray image in pixels."""

ROLL_JPEG_SIDE = 1280
"""Longest side of a settled roll's image. Large enough to read again when players report a misreading."""

MARGIN = 0.3
"""Margin around a die in its crop, as a share of its size on each side."""

QUALITY = 85


class DiceReader(Protocol):
    """The reader interface that the watcher needs (`vision.decision.reader.Reader`)."""

    def read(self, picture: Picture, request: RollRequest | None = None) -> Roll:
        """Read the dice of one image (BGR)."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class SettledRoll:
    """A settled roll, the image that it was read from, and `since`, the second when it came to rest.

    Its boxes are in pixels of that image.
    """

    roll: Roll
    picture: Picture
    since: float


@dataclass(frozen=True, slots=True, eq=False)
class LastRoll:
    """The reported roll that is in the tray, with the small image and the image size of its reading."""

    roll: Roll
    small: Small
    size: tuple[int, int]


class Watcher:
    """Turns frames into rolls: returns a roll whenever a new one is still. The caller owns the camera and the loop."""

    def __init__(
        self,
        reader: DiceReader,
        *,
        request_of: Callable[[], RollRequest | None] = lambda: None,
        timings: RestTimings | None = None,
        ahead: Executor | None = None,
        busy: Callable[[], AbstractContextManager[None]] = nullcontext,
        limit_light: Callable[[float], bool] = lambda share: False,
    ) -> None:
        """Create a watcher.

        - `ahead`: executor with one thread that starts reading before the rest is certain. Readings never overlap.
        - `busy`: context entered around a reading, which may take long if the CPU is busy.
        - `limit_light`: the camera's `Camera.limit_light`. Overexposed dice are read again in less light.
        """
        self._reader = reader
        self._request_of = request_of
        self._rest_detector = RestDetector(timings, stills=FRAMES_PER_ROLL + 1)
        self._last_roll: LastRoll | None = None
        self._deferred: _DeferredRest | None = None
        self._ended = False
        self._executor = ahead
        self._early_readings: list[_EarlyReading] = []
        self._busy = busy
        self._limit_light = limit_light
        self._relit = False

    def on_frame(self, frame: Frame) -> SettledRoll | None:
        """Process the next frame. A frame that makes a rest certain is read within this call.

        Frames during a light change of the camera are ignored.
        """
        if frame.dimming:
            self._relit = True
            return None
        if self._relit:
            self._relit = False
            self._rest_detector.on_relight(frame)
        found = self._rest_detector.on_frame(frame)
        if isinstance(found, Rest):
            with self._busy():
                return self._read_rest(found, frame.t)
        self._read_ahead()
        if isinstance(found, Cleared):
            released = self._release()
            self._last_roll = None
            return released
        return self._release_if_overdue(frame.t)

    def on_interruption(self) -> SettledRoll | None:
        """Report what was held back, because the camera gives no frames."""
        return None if self._deferred is None or self._deferred.roll is None else self._release()

    def on_unseen(self) -> SettledRoll | None:
        """Note a frame that shows nothing (see `PictureFaults`). It is not read. Report what was held back."""
        self._rest_detector.on_unseen()
        return self.on_interruption()

    def on_motion(self, moving: bool | None) -> None:
        """Set the state of the tray's own sensor (see `RestDetector.on_motion`). The image decides, but a few frames
        sooner."""
        self._rest_detector.on_motion(moving)

    def end(self) -> SettledRoll | None:
        """Finish at the end of the source. Return the roll that was still at its end, if any."""
        found = self._rest_detector.end()
        self._ended = True
        return self._release() if found is None else self._read_rest(found, found.t)

    def _read_ahead(self) -> None:
        """Start reading frames that may soon be a rest. Cancel those that moved again."""
        if self._executor is None:
            return
        early = self._rest_detector.early
        wanted = [reading for reading in self._early_readings if any(reading.frame is frame for frame in early)]
        self._early_readings = [
            reading for reading in self._early_readings if reading in wanted or not _is_finished(reading.roll)
        ]
        request = self._request_of()
        for frame in early:
            if not any(reading.frame is frame for reading in self._early_readings):
                roll = self._executor.submit(self._reader.read, frame.picture, request)
                self._early_readings.append(_EarlyReading(frame, request, roll))

    def _roll_of(self, frame: Frame, request: RollRequest | None) -> Roll:
        """Return the reading of a still, from the early readings if available."""
        while self._early_readings:
            reading = self._early_readings.pop(0)
            if reading.frame is frame and reading.request == request:
                return reading.roll.result()
            if not _is_finished(reading.roll):
                reading.roll.result()
        return self._reader.read(frame.picture, request)

    def _read_rest(self, rest: Rest, t: float) -> SettledRoll | None:
        request = self._request_of()
        rest, earlier = self._with_deferred(rest, request)
        stills = rest.frames[:FRAMES_PER_ROLL]
        readings = [self._read_frame(frame, rest, request) for frame in stills]
        if len(rest.frames) > FRAMES_PER_ROLL and not all(
            same_reading(readings[0], reading) for reading in readings[1:]
        ):
            stills = rest.frames
            readings.append(self._read_frame(rest.frames[FRAMES_PER_ROLL], rest, request))
        roll = vote(readings)
        if roll.status is Status.ERROR:
            return self._release()
        roll = self._with_overlooked(rest, vote([*readings, *earlier]) if earlier else roll, request)
        if not roll.dice:
            released = self._release()
            self._rest_detector.mark_empty()
            self._last_roll = None
            return released
        roll = replace(roll, t=max(frame.t for frame in stills))
        self._deferred = self._defer_for_exposure(rest, request, roll, t) or self._defer_for_doubt(
            rest, request, roll, (*readings, *earlier), t
        )
        if self._deferred is not None:
            self._rest_detector.offer_again(t)
            return None
        return self._announce(rest, roll)

    def _with_deferred(self, rest: Rest, request: RollRequest | None) -> tuple[Rest, tuple[Roll, ...]]:
        """Return the rest, merged with a held one if nothing moved, and the earlier readings that still count."""
        deferred = self._deferred
        if deferred is None:
            return rest, ()
        first = deferred.rest
        if not deferred.readings or is_change(change_mask(rest.small, first.small, slack=0)):
            return replace(rest, blind=rest.blind or first.blind, is_instant=rest.is_instant and first.is_instant), ()
        rest = replace(rest, since=first.since, blind=first.blind, is_instant=first.is_instant)
        return rest, deferred.readings if deferred.request == request else ()

    def _defer_for_exposure(
        self, rest: Rest, request: RollRequest | None, roll: Roll, t: float
    ) -> _DeferredRest | None:
        """Hold the rest if its dice are overexposed and the camera accepted a reduced light; else None."""
        before = self._deferred if self._deferred is not None and self._deferred.overexposed else None
        until = t + BURNT_OUT_WAIT if before is None else before.until
        turns = any(die.doubt is Doubt.BLURRED for die in roll.dice)
        still = rest.frames[0]
        if self._ended or turns or t >= until or not is_overexposed(still.picture, roll.dice):
            return None
        if not self._limit_light(still.dimmed * DIMMING_STEP):
            return None
        return _DeferredRest(rest, request, (), roll, 0 if self._deferred is None else self._deferred.retries, until)

    def _defer_for_doubt(
        self, rest: Rest, request: RollRequest | None, roll: Roll, readings: tuple[Roll, ...], t: float
    ) -> _DeferredRest | None:
        """Hold the rest if another reading may resolve a doubt: a die still turns, or the image is noisy; else None."""
        times = 0 if self._deferred is None else self._deferred.retries
        doubts = {die.doubt for die in roll.dice if die.doubt is not None}
        deferred = self._deferred
        turns = Doubt.BLURRED in doubts and (deferred is None or deferred.roll is None or deferred.overexposed)
        unsure = bool(doubts) and doubts <= NOISE_DOUBTS and t - rest.since < DOUBT_WAIT
        if self._ended or times >= (MAX_BLURRED_RETRIES if turns else MAX_UNSURE_RETRIES if unsure else 0):
            return None
        return _DeferredRest(
            rest, request, () if turns else readings, None if turns else roll, times + 1, rest.since + DOUBT_WAIT
        )

    def _release_if_overdue(self, t: float) -> SettledRoll | None:
        """Report a held rest when no retry is possible: something moves, or the time is up."""
        deferred = self._deferred
        if deferred is None or deferred.roll is None:
            return None
        soon = self._rest_detector.state is TrayState.AT_REST and t < deferred.until
        return None if soon else self._release()

    def _release(self) -> SettledRoll | None:
        """Report the held rest unchanged."""
        deferred, self._deferred = self._deferred, None
        self._rest_detector.offer_again(None)
        return None if deferred is None or deferred.roll is None else self._announce(deferred.rest, deferred.roll)

    def _read_frame(self, frame: Frame, rest: Rest, request: RollRequest | None) -> Roll:
        """Read one still. Drops doubtful candidates at places that look like the empty tray."""
        roll = self._roll_of(frame, request)
        height, width = frame.picture.shape[:2]
        mask = rest.new_mask
        if mask is None or roll.status is Status.ERROR:
            return roll
        dice = tuple(
            die
            for die in roll.dice
            if die.certain or share_of(mask, as_share(die.box, (width, height))) >= MIN_CANDIDATE_SHARE
        )
        return roll if len(dice) == len(roll.dice) else _with_dice(roll, dice, request)

    def _with_overlooked(self, rest: Rest, roll: Roll, request: RollRequest | None) -> Roll:
        """Add dice that were seen before and are not read now although something, or glare, is at their place.

        If that place has not changed, or shows only glare, the die keeps its face. Otherwise it is in doubt.
        """
        before = self._last_roll
        height, width = rest.frames[0].picture.shape[:2]
        if before is None or rest.objects_mask is None or before.size != (width, height):
            return roll
        unread = rest.objects_mask.copy()
        for die in roll.dice:
            erase(unread, as_share(die.box, before.size))
        step = change_mask(rest.small, before.small, slack=0)
        overlooked = []
        for die, now in zip(before.roll.dice, paired(before.roll.dice, roll.dice), strict=True):
            box = as_share(die.box, before.size)
            if now is not None:
                continue
            if self._is_in_glare(rest, die, box):
                overlooked.append(die)
            elif die.certain and share_of(unread, box) >= MIN_OVERLOOKED_SHARE:
                unchanged = share_of(step, box) < MAX_UNCHANGED_SHARE
                overlooked.append(die if unchanged else replace(die, doubt=Doubt.HIDDEN))
        dice = (*roll.dice, *overlooked)
        return _with_dice(roll, dice, request) if overlooked else roll

    @staticmethod
    def _is_in_glare(rest: Rest, die: DieReading, box: Box) -> bool:
        """Return True if the place of a die is overexposed now, but not in the empty tray.

        `box` is its place in shares of the image.
        """
        if overexposed_share(rest.frames[0].picture, die.box) < MIN_GLARE_SHARE:
            return False
        return rest.new_mask is None or share_of(rest.new_mask, box) >= MIN_OVERLOOKED_SHARE

    def _announce(self, rest: Rest, roll: Roll) -> SettledRoll | None:
        """Return the roll to report, None if it says nothing new."""
        picture = rest.frames[0].picture
        size = (picture.shape[1], picture.shape[0])
        before = self._last_roll
        self._last_roll = LastRoll(roll, rest.small, size)
        if before is None:
            return SettledRoll(roll, picture, rest.since)
        stayed, added = stayed_and_added(before, self._last_roll, rest)
        if any(die is old for die in roll.dice for old in before.roll.dice):
            rest = replace(rest, small=before.small)  # dice that cannot be seen now are compared with this image later
        self._last_roll = LastRoll(roll, rest.small, size)
        settled_a_doubt = before.roll.status is not Status.OK and roll.status is Status.OK
        if stayed == len(before.roll.dice) and not added and not settled_a_doubt:
            self._last_roll = LastRoll(before.roll, rest.small, size)
            return None
        return SettledRoll(replace(roll, again=not rest.blind or stayed > 0), picture, rest.since)


def watch(
    source: Camera,
    reader: DiceReader,
    *,
    request_of: Callable[[], RollRequest | None] = lambda: None,
    timings: RestTimings | None = None,
    timeout: float = 2.0,
    on_loss: Callable[[CameraLost, int], None] = lambda loss, in_a_row: None,
) -> Iterator[SettledRoll]:
    """Yield the settled rolls of an open source until it ends.

    Waits for a lost camera: `on_loss` is called every `timeout` seconds without a frame, with the number of consecutive
    losses. It may raise to give up.
    """
    watcher = Watcher(reader, request_of=request_of, timings=timings, limit_light=source.limit_light)
    faults = PictureFaults(source.is_recorded)
    in_a_row = 0
    while True:
        try:
            seen = watch_frame(watcher, faults, source.frame(timeout))
        except CameraLost as loss:
            in_a_row += 1
            seen = watcher.on_interruption()
            if seen is not None:
                yield seen
            on_loss(loss, in_a_row)
            continue
        except EndOfSource:
            break
        in_a_row = 0
        if seen is not None:
            yield seen
    seen = watcher.end()
    if seen is not None:
        yield seen


def watch_frame(watcher: Watcher, faults: PictureFaults, frame: Frame) -> SettledRoll | None:
    """Process the next frame, unless it shows nothing. Return the settled roll, if any."""
    use = faults.on_frame(frame)
    if use is FrameUse.UNSEEN:
        return watcher.on_unseen()
    return watcher.on_frame(frame) if use is FrameUse.READ else None


def seen_roll(settled_roll: SettledRoll) -> SeenRoll:
    """Convert a settled roll for the table.

    Its boxes stay in pixels of the image that was read, whatever the size of the JPEG.
    """
    crops = tuple(jpeg(crop(settled_roll.picture, die.box), DIE_JPEG_SIDE) for die in settled_roll.roll.dice)
    height, width = settled_roll.picture.shape[:2]
    return SeenRoll(settled_roll.roll, jpeg(settled_roll.picture, ROLL_JPEG_SIDE), crops, (width, height))


def tray_picture(picture: Picture) -> TrayPicture:
    """Convert a tray image for the screen."""
    return TrayPicture(jpeg(picture, TRAY_JPEG_SIDE))


def vote(readings: Sequence[Roll]) -> Roll:
    """Combine several readings of the same dice, best first, into one roll with the boxes and `t` of the best.

    A die is certain only if most readings are certain and all agree on the face. A die that is missing in a reading is
    kept with a doubt: the players are asked whether it is one. `ms` is the sum.

    Raises: ValueError without readings.
    """
    if not readings:
        raise ValueError("a roll needs at least one look")
    readings = [replace(reading, dice=_without_duplicates(reading.dice)) for reading in readings]
    best = readings[0]
    if len(readings) == 1:
        return best
    columns = _group_by_place(readings)
    dice = tuple(_voted_die(column, len(readings)) for column in columns)
    statuses = [reading.status for reading in readings]
    status = max(dict.fromkeys(statuses), key=statuses.count)
    if any(not die.certain for die in dice) or (status is Status.EMPTY and dice):
        status = Status.ASK
    return replace(best, status=status, dice=dice, ms=sum(reading.ms for reading in readings))


def same_reading(one: Roll, other: Roll) -> bool:
    """Return True if two readings agree, including their certainty, so that no third one is needed."""
    if one.status is not other.status or len(one.dice) != len(other.dice):
        return False
    pairs = paired(one.dice, other.dice)
    return all(
        match is not None and (match.kind, match.face, match.doubt) == (die.kind, die.face, die.doubt)
        for die, match in zip(one.dice, pairs, strict=True)
    )


def stayed_and_added(before: LastRoll, after: LastRoll, rest: Rest) -> tuple[int, int]:
    """Return how many dice did not move between two rolls, and how many are new. `rest` is that of the second roll."""
    any_step = change_mask(rest.small, before.small, slack=0)
    pairs = paired(before.roll.dice, after.roll.dice)
    stayed = sum(
        shows_same_face(die, now, share_of(any_step, as_share(die.box, before.size)))
        and looks_as_before(die, now, before, rest)
        for die, now in zip(before.roll.dice, pairs, strict=True)
    )
    others = [die for die in after.roll.dice if not any(die is now for now in pairs)]
    moved = lighting_invariant_change(rest.small, before.small)
    return stayed, sum(is_new(die, any_step if die.certain else moved, rest, after.size) for die in others)


def shows_same_face(old: DieReading, now: DieReading | None, differs: float) -> bool:
    """Return True if a die still shows its face. `differs` is the changed share of its box.

    A different reading of an unchanged image is not a change.
    """
    if now is None or not (old.certain and now.certain):
        return True
    return (old.kind, old.face) == (now.kind, now.face) or differs < MAX_UNCHANGED_SHARE


def looks_as_before(old: DieReading, now: DieReading | None, before: LastRoll, rest: Rest) -> bool:
    """Return True if a die's place looks as before, or cannot be seen (the reading is the old one).

    The more the light changed, the lower the threshold.
    """
    if now is old:
        return True
    box = as_share(old.box, before.size)
    like = similarity(rest.small, before.small, box)
    if like >= MIN_SIMILARITY:
        return True
    light = relit_share(rest.small, before.small, box)
    if light > RELIT and like >= SAME_LOOK_RELIT:
        return True
    if now is None or now.face != old.face or light <= SHADOW_EDGE_SHARE:
        return False
    lamp = rest.is_instant or relit_share(rest.small, before.small, (0.0, 0.0, 1.0, 1.0)) > ANOTHER_LAMP
    least = SAME_COLOURS_ANOTHER_LAMP if lamp else SAME_COLOURS
    return colour_similarity(rest.small, before.small, box) >= least


def is_new(die: DieReading, moved: Mask, rest: Rest, size: tuple[int, int]) -> bool:
    """Return True if a die that was not read before is new or was missed."""
    box = as_share(die.box, size)
    overlooked = die.certain and rest.new_mask is not None and share_of(rest.new_mask, box) >= MIN_OBJECT_SHARE
    return overlooked or share_of(moved, box) >= MAX_UNCHANGED_SHARE


def as_share(box: Box, size: tuple[int, int]) -> Box:
    """Convert a box from pixels to shares of an image of that size."""
    width, height = size
    return box[0] / width, box[1] / height, box[2] / width, box[3] / height


def is_same_place(one: DieReading, other: DieReading) -> bool:
    """Return True if two readings can be the same die, by their distance."""
    return one.gap(other) < MAX_PLACE_GAP


def paired(dice: Sequence[DieReading], others: Sequence[DieReading]) -> list[DieReading | None]:
    """Return for each of `dice` the one of `others` at its place, each used at most once, or None."""
    left = list(others)
    found: list[DieReading | None] = []
    for die in dice:
        match = next((other for other in left if is_same_place(die, other)), None)
        if match is not None:
            left.remove(match)
        found.append(match)
    return found


def jpeg(picture: Picture, longest: int) -> bytes:
    """Encode the image as JPEG, scaled down to `longest` pixels on its longer side; empty bytes for an empty image."""
    if not picture.size:
        return b""
    scale = longest / max(picture.shape[:2])
    if scale < 1:
        picture = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return data.tobytes()


def crop(picture: Picture, box: Box) -> Picture:
    """Crop the box with a margin, clipped to the image."""
    x, y, width, height = box
    margin = MARGIN * max(width, height)
    left, top = max(0, int(x - margin)), max(0, int(y - margin))
    return picture[top : max(0, int(y + height + margin) + 1), left : max(0, int(x + width + margin) + 1)]


def _without_duplicates(dice: Sequence[DieReading]) -> tuple[DieReading, ...]:
    """Merge duplicate readings of one place: keep the one with higher confidence, with a doubt if they differ."""
    kept: dict[int, DieReading] = {}
    for index, die in sorted(enumerate(dice), key=lambda pair: -pair[1].confidence):
        double = next((place for place, other in kept.items() if is_same_place(die, other)), None)
        if double is None:
            kept[index] = die
        elif (die.kind, die.face) != (kept[double].kind, kept[double].face):
            surer = kept[double]
            possible = tuple(dict.fromkeys((*surer.possible, *die.possible)))
            kept[double] = replace(surer, doubt=surer.doubt or Doubt.FACE, possible=possible)
    return tuple(kept[index] for index in sorted(kept))


def _group_by_place(readings: Sequence[Roll]) -> list[list[DieReading]]:
    """Group the readings by place. Each group has at least one reading, that of the first look first."""
    columns = [[die] for die in readings[0].dice]
    for reading in readings[1:]:
        pairs = paired([column[0] for column in columns], reading.dice)
        for column, match in zip(columns, pairs, strict=True):
            if match is not None:
                column.append(match)
        used = [match for match in pairs if match is not None]
        columns += [[die] for die in reading.dice if not any(die is match for match in used)]
    return columns


def _voted_die(readings: Sequence[DieReading], reading_count: int) -> DieReading:
    first, certain = readings[0], [reading for reading in readings if reading.certain]
    one_face = len({(reading.kind, reading.face) for reading in readings}) == 1
    if one_face and len(readings) == reading_count and 2 * len(certain) > reading_count:
        return replace(certain[0], box=first.box, confidence=min(reading.confidence for reading in certain))
    unseen = Doubt.HIDDEN if len(readings) < reading_count else Doubt.FACE
    doubt = next((reading.doubt for reading in readings if reading.doubt is not None), unseen)
    possible = _mean_faces(readings)
    face, chance = possible[0] if possible else (first.face, first.confidence)
    kind = next((reading.kind for reading in readings if reading.face == face), first.kind)
    confidence = min(chance, *(reading.confidence for reading in readings))
    return replace(first, kind=kind, face=face, confidence=confidence, doubt=doubt, possible=possible)


def _mean_faces(readings: Sequence[DieReading]) -> tuple[tuple[Face, float], ...]:
    weights: dict[Face, float] = {}
    for reading in readings:
        for face, probability in reading.possible or ((reading.face, reading.confidence),):
            weights[face] = weights.get(face, 0.0) + probability / len(readings)
    return tuple(sorted(weights.items(), key=lambda item: -item[1]))


@dataclass(frozen=True, slots=True, eq=False)
class _DeferredRest:
    """A rest that will be read again, after `retries` tries.

    - `readings`: the readings that still count, made for `request`.
    - `roll`: their result, reported if there is no other reading by second `until`. None if a die was still turning.
    """

    rest: Rest
    request: RollRequest | None
    readings: tuple[Roll, ...]
    roll: Roll | None
    retries: int
    until: float

    @property
    def overexposed(self) -> bool:
        """True if the rest is held because of overexposed dice."""
        return self.roll is not None and not self.readings


@dataclass(frozen=True, slots=True, eq=False)
class _EarlyReading:
    """A reading that was started before the rest was certain."""

    frame: Frame
    request: RollRequest | None
    roll: Future[Roll]


def _is_finished(roll: Future[Roll]) -> bool:
    """Return True if the reading is finished or could be cancelled."""
    return roll.cancel() or roll.done()


def _with_dice(roll: Roll, dice: tuple[DieReading, ...], request: RollRequest | None) -> Roll:
    """Return the roll with other dice and the resulting status."""
    awaited = None if request is None else request.count
    seen_well = Note.POOR_LIGHT not in roll.notes or awaited == len(dice)
    certain = seen_well and all(die.certain for die in dice) and awaited in (None, len(dice))
    return replace(roll, dice=dice, status=Status.EMPTY if not dice else Status.OK if certain else Status.ASK)
