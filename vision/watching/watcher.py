"""Joins a source, the settling and the reader: frames go in, settled rolls come out, each one once.

A roll is the vote of several looks at the same rest; what the looks disagree about becomes a doubt. A die that lies as
it did before, in whatever light, is not told again.
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
from vision.detection.exposure import DIMMING_STEP, is_overexposed
from vision.pictures import Picture
from vision.roll import Box, DieReading, Doubt, Face, Note, Roll, RollRequest, SeenRoll, Status, TrayPicture
from vision.watching.motion import (
    Mask,
    Small,
    changed,
    changed_in_any_light,
    colour_similarity,
    erase,
    is_change,
    relit_share,
    share_of,
    similarity,
)
from vision.watching.settle import Cleared, Patience, Rest, Scene, Settle

SAME_LOOK = 0.94
"""A die whose place looks at least this much alike (see `motion.similarity`) has not been moved."""

SAME_LOOK_RELIT = 0.84
"""The same where the light has changed on a RELIT share of it: shading and gloss are others then."""

RELIT = 0.25

SAME_COLOURS = 0.85
"""A die that is read with the same face in the same place, where the light has changed, has not been moved if its
colours are at least this much alike (see `motion.colour_similarity`)."""

SAME_COLOURS_ANOTHER_LAMP = 0.5
"""The same under another lamp: where the light has changed on nearly the whole picture (ANOTHER_LAMP), or from one
picture to the next, for within that time nobody moves a die."""

ANOTHER_LAMP = 0.7

LIT = 0.12
"""Less than RELIT: the edge of a shadow or of a patch of sun. Where only a die has moved it is less than this."""

SAME_PIXELS = 0.02
"""Where less of a box differs from the picture before, nothing has happened, whatever two readings make of it."""

A_THING = 0.3
"""At least so much of a die's box differs from the empty tray."""

SAME_PLACE = 0.5
"""Two readings of one picture or one rest are of one die if their middles are nearer than this share of its width."""

GHOST = 0.03
"""A doubtful candidate of whose box less than this differs from the empty tray belongs to the tray: a knot, a seam."""

STILL_THERE = 0.5
"""At least so much of the box of a die that is not read any more differs from the empty tray if something still lies
there: its neighbour's shadow covers less."""

LOOKS = 2
"""So many stills are read for a roll, one more if they disagree."""

STILL_BLURRED = 5
"""So many times a rest with a die that still turns is put off; after that it is said to be in doubt."""

STILL_UNSURE = 2
"""The same for a rest with a die whose face is in doubt: what one still leaves open another one often settles."""

DOUBT_WAIT = 0.75
"""Seconds after it came to rest within which such a rest is put off: nobody waits long to be asked."""

BURNT_OUT_WAIT = 1.5
"""Seconds within which a rest is put off for dice that are burnt out, however often the camera lets in less light."""

OF_NOISE = {Doubt.FACE, Doubt.FOREIGN}
"""Doubts that come of the noise in a picture as well as of the die."""

CROP = 160
"""Longest side of a die's picture in pixels."""

TRAY = 640
"""Longest side of the tray's picture in pixels."""

ROLL = 1280
"""Longest side of a settled roll's picture: large enough to be read again when players say that it was misread."""

MARGIN = 0.3
"""What is shown around a die, as a share of its size on each side."""

QUALITY = 85


class ReadsDice(Protocol):
    """What the watch needs of the reader (`vision.decision.reader.Reader`)."""

    def read(self, picture: Picture, request: RollRequest | None = None) -> Roll:
        """The dice of one picture (BGR)."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """A roll that has come to rest, the picture it was read from (its boxes are in that picture's pixels), and `since`,
    the second at which it came to rest."""

    roll: Roll
    picture: Picture
    since: float


@dataclass(frozen=True, slots=True, eq=False)
class LastRoll:
    """The roll that lies in the tray and was said already, with the small picture and the size it was read at."""

    roll: Roll
    small: Small
    size: tuple[int, int]


class Watcher:
    """Takes frames, gives a roll whenever a new one lies still. Camera and loop are the caller's."""

    def __init__(
        self,
        reader: ReadsDice,
        *,
        request_of: Callable[[], RollRequest | None] = lambda: None,
        patience: Patience | None = None,
        ahead: Executor | None = None,
        busy: Callable[[], AbstractContextManager[None]] = nullcontext,
        limit_light: Callable[[float], bool] = lambda share: False,
    ) -> None:
        """`ahead`, of one thread, begins to read stills while the stillness lasts; the reader is never asked for two at
        a time. `busy` is entered around a reading, which may take long where others keep the processor. `limit_light`
        is the camera's (`Camera.limit_light`): dice that are burnt out are read again in less light."""
        self._reader = reader
        self._request_of = request_of
        self._settle = Settle(patience, stills=LOOKS + 1)
        self._standing: LastRoll | None = None
        self._held: _Held | None = None
        self._ended = False
        self._ahead = ahead
        self._begun: list[_Begun] = []
        self._busy = busy
        self._limit_light = limit_light
        self._relit = False

    def see(self, frame: Frame) -> Settled | None:
        """Take the next frame; reading happens here, on the frame that makes a rest certain. What comes while the
        camera's light is being changed is not looked at."""
        if frame.dimming:
            self._relit = True
            return None
        if self._relit:
            self._relit = False
            self._settle.relit(frame)
        found = self._settle.see(frame)
        if isinstance(found, Rest):
            with self._busy():
                return self._read(found, frame.t)
        self._look_ahead()
        if isinstance(found, Cleared):
            said = self._release()
            self._standing = None
            return said
        return self._given_up(frame.t)

    def interrupted(self) -> Settled | None:
        """The camera gives no frames for now: what was held is said."""
        return None if self._held is None or self._held.roll is None else self._release()

    def stirred(self, moving: bool | None) -> None:
        """What the tray itself feels (see `Settle.stirred`): the picture decides, but a few frames sooner."""
        self._settle.stirred(moving)

    def end(self) -> Settled | None:
        """The source is over: a roll that lay still at its end, if there is one."""
        found = self._settle.end()
        self._ended = True
        return self._release() if found is None else self._read(found, found.t)

    def _look_ahead(self) -> None:
        """Begin to read what may soon have come to rest; what has moved again in between needs no reading."""
        if self._ahead is None:
            return
        early = self._settle.early
        wanted = [begun for begun in self._begun if any(begun.frame is frame for frame in early)]
        self._begun = [begun for begun in self._begun if begun in wanted or not _is_over(begun.roll)]
        request = self._request_of()
        for frame in early:
            if not any(begun.frame is frame for begun in self._begun):
                roll = self._ahead.submit(self._reader.read, frame.picture, request)
                self._begun.append(_Begun(frame, request, roll))

    def _roll_of(self, frame: Frame, request: RollRequest | None) -> Roll:
        """What the reader makes of a still, which it may have read already."""
        while self._begun:
            begun = self._begun.pop(0)
            if begun.frame is frame and begun.request == request:
                return begun.roll.result()
            if not _is_over(begun.roll):
                begun.roll.result()
        return self._reader.read(frame.picture, request)

    def _read(self, rest: Rest, t: float) -> Settled | None:
        request = self._request_of()
        rest, earlier = self._resumed(rest, request)
        stills = rest.frames[:LOOKS]
        looks = [self._look(frame, rest, request) for frame in stills]
        if len(rest.frames) > LOOKS and not all(same_reading(looks[0], look) for look in looks[1:]):
            stills = rest.frames
            looks.append(self._look(rest.frames[LOOKS], rest, request))
        roll = vote(looks)
        if roll.status is Status.ERROR:
            return self._release()
        roll = self._with_overlooked(rest, vote([*looks, *earlier]) if earlier else roll, request)
        if not roll.dice:
            said = self._release()
            self._settle.empty_tray()
            self._standing = None
            return said
        roll = replace(roll, t=max(frame.t for frame in stills))
        self._held = self._in_less_light(rest, request, roll, t) or self._to_be_held(
            rest, request, roll, (*looks, *earlier), t
        )
        if self._held is not None:
            self._settle.look_again(t)
            return None
        return self._announced(rest, roll)

    def _resumed(self, rest: Rest, request: RollRequest | None) -> tuple[Rest, tuple[Roll, ...]]:
        """A rest that was held as it first came, with the looks at it; what has come of it where anything has moved."""
        held = self._held
        if held is None:
            return rest, ()
        first = held.rest
        if not held.looks or is_change(changed(rest.small, first.small, slack=0)):
            return replace(rest, blind=rest.blind or first.blind, at_once=rest.at_once and first.at_once), ()
        rest = replace(rest, since=first.since, blind=first.blind, at_once=first.at_once)
        return rest, held.looks if held.request == request else ()

    def _in_less_light(self, rest: Rest, request: RollRequest | None, roll: Roll, t: float) -> _Held | None:
        """The rest, if dice are burnt out in it and the camera now lets in less light."""
        before = self._held if self._held is not None and self._held.overexposed else None
        until = t + BURNT_OUT_WAIT if before is None else before.until
        turns = any(die.doubt is Doubt.BLURRED for die in roll.dice)
        still = rest.frames[0]
        if self._ended or turns or t >= until or not is_overexposed(still.picture, roll.dice):
            return None
        if not self._limit_light(still.dimmed * DIMMING_STEP):
            return None
        return _Held(rest, request, (), roll, 0 if self._held is None else self._held.times, until)

    def _to_be_held(
        self, rest: Rest, request: RollRequest | None, roll: Roll, looks: tuple[Roll, ...], t: float
    ) -> _Held | None:
        """The rest, if another look may settle what is in doubt: a die still turns, or a picture's noise is in the
        way."""
        times = 0 if self._held is None else self._held.times
        doubts = {die.doubt for die in roll.dice if die.doubt is not None}
        held = self._held
        turns = Doubt.BLURRED in doubts and (held is None or held.roll is None or held.overexposed)
        unsure = bool(doubts) and doubts <= OF_NOISE and t - rest.since < DOUBT_WAIT
        if self._ended or times >= (STILL_BLURRED if turns else STILL_UNSURE if unsure else 0):
            return None
        return _Held(rest, request, () if turns else looks, None if turns else roll, times + 1, rest.since + DOUBT_WAIT)

    def _given_up(self, t: float) -> Settled | None:
        """What was held, once no other look at it can be hoped for: something moves, or it has taken too long."""
        held = self._held
        if held is None or held.roll is None:
            return None
        soon = self._settle.scene is Scene.SETTLED and t < held.until
        return None if soon else self._release()

    def _release(self) -> Settled | None:
        """What is held, said as it is."""
        held, self._held = self._held, None
        self._settle.look_again(None)
        return None if held is None or held.roll is None else self._announced(held.rest, held.roll)

    def _look(self, frame: Frame, rest: Rest, request: RollRequest | None) -> Roll:
        """One still's reading, without the doubtful candidates where the tray looks as it does when it is empty."""
        roll = self._roll_of(frame, request)
        height, width = frame.picture.shape[:2]
        mask = rest.new
        if mask is None or roll.status is Status.ERROR:
            return roll
        dice = tuple(
            die for die in roll.dice if die.certain or share_of(mask, as_share(die.box, (width, height))) >= GHOST
        )
        return roll if len(dice) == len(roll.dice) else _with_dice(roll, dice, request)

    def _with_overlooked(self, rest: Rest, roll: Roll, request: RollRequest | None) -> Roll:
        """The roll with the dice that were certain before and are not read now, though something lies in their place.

        Where that place has not changed the die shows what it showed; elsewhere it is in doubt.
        """
        before = self._standing
        height, width = rest.frames[0].picture.shape[:2]
        if before is None or rest.things is None or before.size != (width, height):
            return roll
        unread = rest.things.copy()
        for die in roll.dice:
            erase(unread, as_share(die.box, before.size))
        step = changed(rest.small, before.small, slack=0)
        overlooked = []
        for die, now in zip(before.roll.dice, paired(before.roll.dice, roll.dice), strict=True):
            box = as_share(die.box, before.size)
            if now is None and die.certain and share_of(unread, box) >= STILL_THERE:
                unchanged = share_of(step, box) < SAME_PIXELS
                overlooked.append(die if unchanged else replace(die, doubt=Doubt.HIDDEN))
        dice = (*roll.dice, *overlooked)
        return _with_dice(roll, dice, request) if overlooked else roll

    def _announced(self, rest: Rest, roll: Roll) -> Settled | None:
        """The roll to be said, None if it says nothing that the one before did not say."""
        picture = rest.frames[0].picture
        size = (picture.shape[1], picture.shape[0])
        before = self._standing
        self._standing = LastRoll(roll, rest.small, size)
        if before is None:
            return Settled(roll, picture, rest.since)
        stayed, added = stayed_and_added(before, self._standing, rest)
        settled_a_doubt = before.roll.status is not Status.OK and roll.status is Status.OK
        if stayed == len(before.roll.dice) and not added and not settled_a_doubt:
            self._standing = LastRoll(before.roll, rest.small, size)
            return None
        return Settled(replace(roll, again=not rest.blind or stayed > 0), picture, rest.since)


def watch(
    source: Camera,
    reader: ReadsDice,
    *,
    request_of: Callable[[], RollRequest | None] = lambda: None,
    patience: Patience | None = None,
    timeout: float = 2.0,
    on_loss: Callable[[CameraLost, int], None] = lambda loss, in_a_row: None,
) -> Iterator[Settled]:
    """The settled rolls of a source that is already open, until it ends.

    A lost camera is waited for: `on_loss` is called every `timeout` seconds without a frame, with the number of losses
    in a row, and may raise to give up.
    """
    watcher = Watcher(reader, request_of=request_of, patience=patience, limit_light=source.limit_light)
    in_a_row = 0
    while True:
        try:
            seen = watcher.see(source.frame(timeout))
        except CameraLost as loss:
            in_a_row += 1
            seen = watcher.interrupted()
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


def seen_roll(settled: Settled) -> SeenRoll:
    """A settled roll as the table gets it. Its boxes stay in pixels of the picture that was read, whatever the JPEG's
    size."""
    crops = tuple(jpeg(crop(settled.picture, die.box), CROP) for die in settled.roll.dice)
    height, width = settled.picture.shape[:2]
    return SeenRoll(settled.roll, jpeg(settled.picture, ROLL), crops, (width, height))


def tray_picture(picture: Picture) -> TrayPicture:
    """The tray for the screen."""
    return TrayPicture(jpeg(picture, TRAY))


def vote(looks: Sequence[Roll]) -> Roll:
    """One roll of several looks at the same dice, the best look first; its boxes and `t` are those of the best look.

    A die is certain only if most looks hold it certain and none prefers another face. A die that some look does not
    show is kept, in doubt: whether it is one must be asked, not guessed. `ms` is the sum. Without looks: ValueError.
    """
    if not looks:
        raise ValueError("a roll needs at least one look")
    looks = [replace(look, dice=_without_doubles(look.dice)) for look in looks]
    best = looks[0]
    if len(looks) == 1:
        return best
    columns = _by_place(looks)
    dice = tuple(_voted_die(column, len(looks)) for column in columns)
    statuses = [look.status for look in looks]
    status = max(dict.fromkeys(statuses), key=statuses.count)
    if any(not die.certain for die in dice) or (status is Status.EMPTY and dice):
        status = Status.ASK
    return replace(best, status=status, dice=dice, ms=sum(look.ms for look in looks))


def same_reading(one: Roll, other: Roll) -> bool:
    """Whether two looks say the same with the same certainty: no third one is needed."""
    if one.status is not other.status or len(one.dice) != len(other.dice):
        return False
    pairs = paired(one.dice, other.dice)
    return all(
        match is not None and (match.kind, match.face, match.doubt) == (die.kind, die.face, die.doubt)
        for die, match in zip(one.dice, pairs, strict=True)
    )


def stayed_and_added(before: LastRoll, after: LastRoll, rest: Rest) -> tuple[int, int]:
    """How many dice of a roll still lie as they did in the next one, read from `rest`, and how many came in since."""
    any_step = changed(rest.small, before.small, slack=0)
    pairs = paired(before.roll.dice, after.roll.dice)
    stayed = sum(
        has_its_face(die, now, share_of(any_step, as_share(die.box, before.size)))
        and looks_as_before(die, now, before, rest)
        for die, now in zip(before.roll.dice, pairs, strict=True)
    )
    others = [die for die in after.roll.dice if not any(die is now for now in pairs)]
    moved = changed_in_any_light(rest.small, before.small)
    return stayed, sum(is_new(die, any_step if die.certain else moved, rest, after.size) for die in others)


def has_its_face(old: DieReading, now: DieReading | None, differs: float) -> bool:
    """Whether a die shows what it showed. `differs` is the share of its box that differs from the picture before: what
    a reader makes of an unchanged picture is no proof."""
    if now is None or not (old.certain and now.certain):
        return True
    return (old.kind, old.face) == (now.kind, now.face) or differs < SAME_PIXELS


def looks_as_before(old: DieReading, now: DieReading | None, before: LastRoll, rest: Rest) -> bool:
    """Whether a die's place looks as it did; the more the light has changed, the less is asked."""
    box = as_share(old.box, before.size)
    like = similarity(rest.small, before.small, box)
    if like >= SAME_LOOK:
        return True
    light = relit_share(rest.small, before.small, box)
    if light > RELIT and like >= SAME_LOOK_RELIT:
        return True
    if now is None or now.face != old.face or light <= LIT:
        return False
    lamp = rest.at_once or relit_share(rest.small, before.small, (0.0, 0.0, 1.0, 1.0)) > ANOTHER_LAMP
    least = SAME_COLOURS_ANOTHER_LAMP if lamp else SAME_COLOURS
    return colour_similarity(rest.small, before.small, box) >= least


def is_new(die: DieReading, moved: Mask, rest: Rest, size: tuple[int, int]) -> bool:
    """Whether a die that was not read before came since, or was overlooked."""
    box = as_share(die.box, size)
    overlooked = die.certain and rest.new is not None and share_of(rest.new, box) >= A_THING
    return overlooked or share_of(moved, box) >= SAME_PIXELS


def as_share(box: Box, size: tuple[int, int]) -> Box:
    """A box in pixels of a picture of that size, as shares of it."""
    width, height = size
    return box[0] / width, box[1] / height, box[2] / width, box[3] / height


def same_place(one: DieReading, other: DieReading) -> bool:
    """Whether two readings can be of one die: dice have no place twice."""
    return one.gap(other) < SAME_PLACE


def paired(dice: Sequence[DieReading], others: Sequence[DieReading]) -> list[DieReading | None]:
    """For each of `dice` the one of `others` that lies in its place, each of them used once at the most."""
    left = list(others)
    found: list[DieReading | None] = []
    for die in dice:
        match = next((other for other in left if same_place(die, other)), None)
        if match is not None:
            left.remove(match)
        found.append(match)
    return found


def jpeg(picture: Picture, longest: int) -> bytes:
    """The picture as JPEG, made smaller if its longer side exceeds `longest` pixels; nothing for an empty picture."""
    if not picture.size:
        return b""
    scale = longest / max(picture.shape[:2])
    if scale < 1:
        picture = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return data.tobytes()


def crop(picture: Picture, box: Box) -> Picture:
    """The part of the picture that shows the box with a margin, as far as it lies in the picture."""
    x, y, width, height = box
    margin = MARGIN * max(width, height)
    left, top = max(0, int(x - margin)), max(0, int(y - margin))
    return picture[top : max(0, int(y + height + margin) + 1), left : max(0, int(x + width + margin) + 1)]


def _without_doubles(dice: Sequence[DieReading]) -> tuple[DieReading, ...]:
    """The dice of one look, each place once: of two readings of one place the surer, in doubt if they differ."""
    kept: dict[int, DieReading] = {}
    for index, die in sorted(enumerate(dice), key=lambda pair: -pair[1].confidence):
        double = next((place for place, other in kept.items() if same_place(die, other)), None)
        if double is None:
            kept[index] = die
        elif (die.kind, die.face) != (kept[double].kind, kept[double].face):
            surer = kept[double]
            possible = tuple(dict.fromkeys((*surer.possible, *die.possible)))
            kept[double] = replace(surer, doubt=surer.doubt or Doubt.FACE, possible=possible)
    return tuple(kept[index] for index in sorted(kept))


def _by_place(looks: Sequence[Roll]) -> list[list[DieReading]]:
    """What the looks say about each place: always at least one reading, the first look's first."""
    columns = [[die] for die in looks[0].dice]
    for look in looks[1:]:
        pairs = paired([column[0] for column in columns], look.dice)
        for column, match in zip(columns, pairs, strict=True):
            if match is not None:
                column.append(match)
        used = [match for match in pairs if match is not None]
        columns += [[die] for die in look.dice if not any(die is match for match in used)]
    return columns


def _voted_die(readings: Sequence[DieReading], looks: int) -> DieReading:
    first, certain = readings[0], [reading for reading in readings if reading.certain]
    one_face = len({(reading.kind, reading.face) for reading in readings}) == 1
    if one_face and len(readings) == looks and 2 * len(certain) > looks:
        return replace(certain[0], box=first.box, confidence=min(reading.confidence for reading in certain))
    unseen = Doubt.HIDDEN if len(readings) < looks else Doubt.FACE
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
class _Held:
    """A rest that is to be looked at once more, `times` so far. `looks` are those that still count, for a `request`;
    `roll` is what they say, to be said after all if there is no other look until second `until`. None for dice that
    still turned."""

    rest: Rest
    request: RollRequest | None
    looks: tuple[Roll, ...]
    roll: Roll | None
    times: int
    until: float

    @property
    def overexposed(self) -> bool:
        """Whether it is put off for dice that are burnt out."""
        return self.roll is not None and not self.looks


@dataclass(frozen=True, slots=True, eq=False)
class _Begun:
    """A look that was begun before the rest was certain."""

    frame: Frame
    request: RollRequest | None
    roll: Future[Roll]


def _is_over(roll: Future[Roll]) -> bool:
    """Whether nobody reads for this look any more: it is read, or need not be."""
    return roll.cancel() or roll.done()


def _with_dice(roll: Roll, dice: tuple[DieReading, ...], request: RollRequest | None) -> Roll:
    """The roll with other dice, and what it says of them as a whole."""
    awaited = None if request is None else request.count
    seen_well = Note.POOR_LIGHT not in roll.notes or awaited == len(dice)
    certain = seen_well and all(die.certain for die in dice) and awaited in (None, len(dice))
    return replace(roll, dice=dice, status=Status.EMPTY if not dice else Status.OK if certain else Status.ASK)
