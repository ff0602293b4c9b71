"""A camera as it was set up over its tray: gives the tray's pictures, and carries out the steps of setting it up.

Stands between a source and whoever watches it, so that reader, watcher and screen all see the same.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from math import hypot
from pathlib import Path

import msgspec
import numpy as np

from vision.calibration.monitor import CalibrationMonitor, Lockable, device_of, focal_of
from vision.calibration.record import Calibration, HeldLight, LearntCamera, save, written_findings, written_picture
from vision.calibration.rectification import Rectification, significant_gains, tray_frame
from vision.calibration.steps import Draft, Running, step, trial_findings
from vision.calibration_words import (
    Calibrate,
    CalibrationKept,
    CalibrationNews,
    CalibrationOrder,
    KeepCalibration,
    Step,
)
from vision.cameras.protocol import Camera, ForwardingCamera, Frame
from vision.detection.fixed_camera import LEARNT_FOCAL_SD, LEARNT_TILT_SD, CameraPrior
from vision.detection.table_plane import Overhead
from vision.pictures import Picture

_NEWS_DEGREES, _NEWS_FOCAL = 1.0, 0.05
"""Another tilt (degrees) and focal length (share) than those kept is written from here on."""


class Calibrated(ForwardingCamera):
    """A source with what was kept of its calibration. `file` is where that is; None: nothing is kept."""

    def __init__(self, source: Camera, file: Path | None) -> None:
        super().__init__(source)
        self._device = device_of(source)
        self._care = CalibrationMonitor(source, file)
        self._draft = Draft()
        self._running: Running | None = None
        self._setting_up: Step | None = None

    def open(self) -> None:
        self.source.open()
        self._care.start_anew()

    def limit_light(self, share: float) -> bool:
        """Not while it is set up: its light is being judged."""
        return self._setting_up in (None, Step.TRY) and self.source.limit_light(share)

    @property
    def view(self) -> Overhead | None:
        """Where the camera stands over the pictures that are given; None where that is not known."""
        straight = self._care.straight
        return None if straight is None or focal_of(self._device) is None else straight.view

    @property
    def learnt(self) -> CameraPrior | None:
        """Where the camera stands over the pictures that are given, as earlier rolls told; None if none did."""
        kept, straight = self._care.kept, self._care.straight
        if kept is None or kept.learnt is None or straight is None:
            return None
        return CameraPrior(straight.view.foot, kept.learnt.tilt, LEARNT_TILT_SD, kept.learnt.focal, LEARNT_FOCAL_SD)

    def keep_learnt(self, camera: CameraPrior) -> None:
        """Keep what dice told of the camera, if that is new. A file that cannot be written is left as it was."""
        kept, file = self._care.kept, self._care.file
        if kept is None or file is None or self._setting_up is not None or not _is_news(kept.learnt, camera):
            return
        tilt = (round(camera.tilt[0], 3), round(camera.tilt[1], 3))
        made = msgspec.structs.replace(kept, learnt=LearntCamera(tilt, round(camera.focal, 4)))
        self._care.note(made)
        with suppress(OSError):
            save(file, made)

    def while_busy(self, busy: Callable[[], AbstractContextManager[None]]) -> None:
        """`busy` is entered around what may take a second."""
        self._care.busy = busy

    def frame(self, timeout: float) -> Frame:
        """The next frame, of the tray where that is known; of all that the camera sees while it is set up."""
        raw = self.source.frame(timeout)
        self._care.take_up(raw)
        if self._running is not None:
            self._work(self._running, raw.picture)
        if self._setting_up is None:
            self._care.look_after(raw)
        straight = self._care.straight
        if straight is None or self._setting_up not in (None, Step.TRY):
            return raw
        return tray_frame(raw, straight, self._care.gains)

    def order(self, order: CalibrationOrder) -> None:
        """Carry out an order; what comes of it is told."""
        if isinstance(order, Calibrate):
            self._begin(order)
        elif isinstance(order, KeepCalibration):
            self._keep(order)
        else:
            self._end()
            self._care.use()

    def take_news(self) -> list[CalibrationNews]:
        """What there is to tell since the last call."""
        news, self._care.news = self._care.news, []
        return news

    def _begin(self, order: Calibrate) -> None:
        if order.step is Step.PICTURE:
            self._draft = Draft()
        if order.step is not Step.TRY:
            self.source.limit_light(1.0)
        self._setting_up = order.step
        self._running = step(order, self._draft, self._device, focal_of(self._device))
        next(self._running)
        draft = self._draft
        if order.step is Step.TRY and draft.corners is not None:
            self._care.straight = Rectification.of(draft.corners, draft.size, focal_of(self._device))
            self._care.gains = significant_gains(None if draft.balance is None else draft.balance.gains)

    def _work(self, running: Running, picture: Picture) -> None:
        try:
            with self._care.busy():
                running.send(picture)
        except StopIteration as done:
            self._running = None
            self._care.news.append(done.value)

    def _keep(self, order: KeepCalibration) -> None:
        """Write what was found, and use it from now on."""
        draft, file = self._draft, self._care.file
        if draft.corners is None or file is None:
            self._care.news.append(CalibrationKept("no corners were found, or there is nowhere to keep them"))
            return
        draft.note(trial_findings(order.right, order.trials, order.edges))
        held = self._device.held if isinstance(self._device, Lockable) else None
        made = Calibration(
            camera=self._care.identity,
            size=draft.size,
            made=order.made,
            corners=tuple((float(x), float(y)) for x, y in draft.corners),
            focal=focal_of(self._device),
            gains=None if draft.balance is None else draft.balance.gains,
            dioptres=draft.dioptres,
            held=None if held is None else HeldLight(held.exposure_us, held.gain, held.colours),
            edge=float(np.median(order.edges)) if order.edges else None,
            right=order.right,
            trials=order.trials,
            findings=written_findings(list(draft.findings.values())),
            empty="" if draft.empty is None else written_picture(draft.empty),
        )
        try:
            save(file, made)
        except OSError as fault:
            self._care.news.append(CalibrationKept(f"{file}: {fault.strerror or fault}"))
            return
        self._care.news.append(CalibrationKept())
        self._end()
        self._care.keep(made)

    def _end(self) -> None:
        self._running, self._setting_up, self._draft = None, None, Draft()


def _is_news(kept: LearntCamera | None, camera: CameraPrior) -> bool:
    if kept is None:
        return True
    turned = hypot(kept.tilt[0] - camera.tilt[0], kept.tilt[1] - camera.tilt[1])
    return turned > _NEWS_DEGREES or abs(camera.focal / kept.focal - 1) > _NEWS_FOCAL
