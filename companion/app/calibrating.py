"""The camera on the bench: the orders that set it up, what it answered, and how many dice it read right."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.table.ports import Calibrates, ReaderPort
from vision.calibration_words import (
    Aspect,
    Calibrate,
    CalibrationKept,
    CalibrationOrder,
    Finding,
    KeepCalibration,
    LeaveCalibration,
    Place,
    Step,
    StepDone,
)
from vision.roll import CameraState, RollRequest, SeenRoll, TrayPicture

if TYPE_CHECKING:
    from companion.app.app import TapisVertApp

STEPS = tuple(Step)
"""In their order."""

_INSET = 0.12
"""Where corners that were not found begin, as a share of the picture."""


@dataclass
class Bench:
    """Outlives the page being drawn anew. `in_match`: the reader belongs to a match that is going on."""

    reader: ReaderPort | None
    in_match: bool = False
    step: Step = Step.PICTURE
    busy: Step | None = None
    done: dict[Step, StepDone] = field(default_factory=dict)
    picture: bytes = b""
    camera: str = ""
    lost: bool = False
    seen: SeenRoll | None = None
    judged: bool = False
    misread: bool = False
    right: int = 0
    trials: int = 0
    edges: list[float] = field(default_factory=list)
    made: str = ""
    kept: bool = False
    fault: str = ""

    @classmethod
    def of(cls, app: TapisVertApp) -> Bench:
        """With the match's own reader if there is a match, since nobody else can have its camera; else with one more
        of classic dice."""
        if app.session is not None and app.session.dice.reader is not None:
            bench = cls(app.session.dice.reader, in_match=True)
        else:
            bench = cls(app.readers("pips") if app.readers else None)
            if bench.reader is not None:
                bench.reader.request(RollRequest("pips"))
        if bench.reader is not None:
            bench.reader.show_tray(True)
        return bench

    @property
    def usable(self) -> bool:
        """Whether there is a camera that can be set up."""
        return _calibrates(self.reader) is not None

    @property
    def corners_known(self) -> bool:
        """Whether the tray was found."""
        return Step.CORNERS in self.done and self.done[Step.CORNERS].done

    def begin(self, step: Step, corners: tuple[Place, ...] = ()) -> None:
        """Do a step now, for the first time or again."""
        self.step, self.busy = step, step
        self.next_trial()
        self._order(Calibrate(step, corners))

    def poll(self) -> bool:
        """Take in what came; whether something but the picture is new."""
        changed = False
        for news in self.reader.poll() if self.reader else ():
            if isinstance(news, TrayPicture):
                self.picture = news.picture
            elif isinstance(news, StepDone) and news.step is self.busy:
                self.busy, self.done[news.step], changed = None, news, True
            elif isinstance(news, CalibrationKept):
                self.busy, self.kept, self.fault, changed = None, True, news.fault, True
            elif isinstance(news, SeenRoll):
                changed = self._read(news) or changed
            elif isinstance(news, CameraState):
                changed = self._camera(news) or changed
        return changed

    def next_trial(self) -> None:
        """Another die is to be laid down."""
        self.seen, self.judged, self.misread = None, False, False

    def judge(self, right: bool) -> None:
        """A player says whether what was read is what lies there."""
        if self.seen is None or self.judged:
            return
        dice = self.seen.roll.dice
        self.trials += len(dice)
        self.judged, self.misread = True, not right
        if right:
            self.right += len(dice)
            self.edges += [min(die.box[2:]) for die in dice]

    def keep(self, made: str) -> None:
        """Keep what was found; `made`: day and time now (ISO 8601)."""
        self.made, self.busy = made, self.step
        self._order(KeepCalibration(made, self.right, self.trials, tuple(self.edges)))

    def close(self) -> None:
        """Leave the camera as it was kept last; a reader of our own goes."""
        if not self.kept or self.fault:
            self._order(LeaveCalibration())
        if self.reader is not None and not self.in_match:
            self.reader.close()

    def findings(self) -> tuple[Finding, ...]:
        """All that the steps found, the newest of each aspect, and the trial."""
        found: dict[Aspect, Finding] = {}
        for step in (Step.CORNERS, Step.LIGHT, Step.CARD):
            if step in self.done and (self.done[step].done or step is not Step.CARD):
                found |= {finding.aspect: finding for finding in self.done[step].findings}
        if self.trials:
            found[Aspect.TRIAL] = Finding(Aspect.TRIAL, self.right / self.trials, float(self.trials))
        return tuple(found.values())

    def guessed(self, size: tuple[int, int]) -> tuple[Place, ...]:
        """Corners to begin dragging with, where none were found."""
        width, height = size
        left, top, right, bottom = _INSET * width, _INSET * height, (1 - _INSET) * width, (1 - _INSET) * height
        return ((left, top), (right, top), (right, bottom), (left, bottom))

    def _order(self, order: CalibrationOrder) -> None:
        reader = _calibrates(self.reader)
        if reader is not None:
            reader.calibrate(order)

    def _camera(self, state: CameraState) -> bool:
        """The camera came, or went. After a loss all begins anew: another process may look through it, and it may hang
        elsewhere."""
        was_lost, self.lost, self.camera = self.lost, not state.present, state.name
        if was_lost and state.present and not self.kept:
            self.done.clear()
            self.begin(Step.PICTURE)
        return was_lost is state.present

    def _read(self, seen: SeenRoll) -> bool:
        """A roll that came to rest, while dice are tried."""
        if self.step is not Step.TRY or self.busy is not None or self.kept or not seen.roll.dice:
            return False
        self.next_trial()
        self.seen = seen
        return True


def _calibrates(reader: object) -> Calibrates | None:
    return reader if isinstance(reader, Calibrates) else None
