"""A calibrated camera: delivers rectified images of the tray and runs the calibration steps.

It wraps a source, so that reader, watcher and screen all see the same image.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from math import hypot
from pathlib import Path

import msgspec
import numpy as np

from vision.calibration.monitor import CalibrationMonitor, Lockable, focal_length, unwrap_camera
from vision.calibration.record import Calibration, LearnedCamera, LockedLight, save, written_findings, written_picture
from vision.calibration.rectification import Rectification, significant_or_none, tray_frame
from vision.calibration.steps import CalibrationDraft, StepGenerator, run_step, trial_findings
from vision.calibration_messages import (
    CalibrateStep,
    CalibrationCommand,
    CalibrationNews,
    CalibrationSaved,
    CalibrationStep,
    SaveCalibration,
)
from vision.cameras.protocol import Camera, ForwardingCamera, Frame
from vision.detection.fixed_camera import LEARNT_FOCAL_SD, LEARNT_TILT_SD, CameraPrior
from vision.detection.table_plane import Overhead
from vision.pictures import Picture

_NEWS_DEGREES, _NEWS_FOCAL = 1.0, 0.05
"""Minimum changes of tilt (degrees) and focal length (share) for which a learnt camera is saved again."""


class CalibratedCamera(ForwardingCamera):
    """A source with its stored calibration. `file` is the calibration file; None: nothing is stored."""

    def __init__(self, source: Camera, file: Path | None) -> None:
        super().__init__(source)
        self._device = unwrap_camera(source)
        self._monitor = CalibrationMonitor(source, file)
        self._draft = CalibrationDraft()
        self._step_generator: StepGenerator | None = None
        self._active_step: CalibrationStep | None = None

    def open(self) -> None:
        self.source.open()
        self._monitor.reset()

    def limit_light(self, share: float) -> bool:
        """Limit the light, except during calibration, because its light is being measured."""
        return self._active_step in (None, CalibrationStep.TEST) and self.source.limit_light(share)

    @property
    def view(self) -> Overhead | None:
        """The camera position relative to the delivered images; None if unknown."""
        straight = self._monitor.rectification
        return None if straight is None or focal_length(self._device) is None else straight.view

    @property
    def learned_camera(self) -> CameraPrior | None:
        """The camera position learnt from earlier rolls, relative to the delivered images; None if there is none."""
        kept, straight = self._monitor.calibration, self._monitor.rectification
        if kept is None or kept.learnt is None or straight is None:
            return None
        return CameraPrior(straight.view.foot, kept.learnt.tilt, LEARNT_TILT_SD, kept.learnt.focal, LEARNT_FOCAL_SD)

    def save_learned_camera(self, camera: CameraPrior) -> None:
        """Save what the dice revealed about the camera, if it changed. An unwritable file stays unchanged."""
        kept, file = self._monitor.calibration, self._monitor.file
        if kept is None or file is None or self._active_step is not None or not _is_news(kept.learnt, camera):
            return
        tilt = (round(camera.tilt[0], 3), round(camera.tilt[1], 3))
        made = msgspec.structs.replace(kept, learnt=LearnedCamera(tilt, round(camera.focal, 4)))
        self._monitor.update(made)
        with suppress(OSError):
            save(file, made)

    def set_busy_context(self, busy: Callable[[], AbstractContextManager[None]]) -> None:
        """Set the context that is entered around work that may take a second."""
        self._monitor.busy = busy

    def frame(self, timeout: float) -> Frame:
        """Return the next frame: the rectified tray if it is known, the full camera image during calibration."""
        raw = self.source.frame(timeout)
        self._monitor.load_saved(raw)
        if self._step_generator is not None:
            self._feed_step(self._step_generator, raw.picture)
        if self._active_step is None:
            self._monitor.check(raw)
        straight = self._monitor.rectification
        if straight is None or self._active_step not in (None, CalibrationStep.TEST):
            return raw
        return tray_frame(raw, straight, self._monitor.gains)

    def carry_out(self, order: CalibrationCommand) -> None:
        """Carry out an order. Its results are reported as news."""
        if isinstance(order, CalibrateStep):
            self._start_step(order)
        elif isinstance(order, SaveCalibration):
            self._save(order)
        else:
            self._finish()
            self._monitor.apply()

    def pop_news(self) -> list[CalibrationNews]:
        """Return the news since the last call."""
        news, self._monitor.news = self._monitor.news, []
        return news

    def _start_step(self, order: CalibrateStep) -> None:
        if order.step is CalibrationStep.PICTURE:
            self._draft = CalibrationDraft()
        if order.step is not CalibrationStep.TEST:
            self.source.limit_light(1.0)
        self._active_step = order.step
        self._step_generator = run_step(order, self._draft, self._device, focal_length(self._device))
        next(self._step_generator)
        draft = self._draft
        if order.step is CalibrationStep.TEST and draft.corners is not None:
            self._monitor.rectification = Rectification.from_corners(
                draft.corners, draft.size, focal_length(self._device)
            )
            self._monitor.gains = significant_or_none(None if draft.balance is None else draft.balance.gains)

    def _feed_step(self, running: StepGenerator, picture: Picture) -> None:
        try:
            with self._monitor.busy():
                running.send(picture)
        except StopIteration as done:
            self._step_generator = None
            self._monitor.news.append(done.value)

    def _save(self, order: SaveCalibration) -> None:
        """Save the results of the calibration and use them from now on."""
        draft, file = self._draft, self._monitor.file
        if draft.corners is None or file is None:
            self._monitor.news.append(CalibrationSaved("no corners were found, or there is nowhere to keep them"))
            return
        draft.note(trial_findings(order.right, order.trials, order.edges))
        locked_light = self._device.locked_light if isinstance(self._device, Lockable) else None
        made = Calibration(
            camera=self._monitor.identity,
            size=draft.size,
            made=order.made,
            corners=tuple((float(x), float(y)) for x, y in draft.corners),
            focal=focal_length(self._device),
            gains=None if draft.balance is None else draft.balance.gains,
            dioptres=draft.dioptres,
            held=None
            if locked_light is None
            else LockedLight(locked_light.exposure_us, locked_light.gain, locked_light.colours),
            edge=float(np.median(order.edges)) if order.edges else None,
            right=order.right,
            trials=order.trials,
            findings=written_findings(list(draft.findings.values())),
            empty="" if draft.empty is None else written_picture(draft.empty),
        )
        try:
            save(file, made)
        except OSError as fault:
            self._monitor.news.append(CalibrationSaved(f"{file}: {fault.strerror or fault}"))
            return
        self._monitor.news.append(CalibrationSaved())
        self._finish()
        self._monitor.adopt(made)

    def _finish(self) -> None:
        self._step_generator, self._active_step, self._draft = None, None, CalibrationDraft()


def _is_news(kept: LearnedCamera | None, camera: CameraPrior) -> bool:
    if kept is None:
        return True
    turned = hypot(kept.tilt[0] - camera.tilt[0], kept.tilt[1] - camera.tilt[1])
    return turned > _NEWS_DEGREES or abs(camera.focal / kept.focal - 1) > _NEWS_FOCAL
