"""Screen 15: camera calibration in steps. Each step is checked and can be repeated; then the result is saved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kivy.clock import Clock
from kivy.graphics import Color, Ellipse, Line, Rectangle, RoundedRectangle
from kivy.input import MotionEvent
from kivy.metrics import dp
from kivy.properties import ObjectProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.display import camera_name, display, translate
from companion.app.figures.slots import face_mark
from companion.app.figures.tray import DieBox, Photograph, picture_texture
from companion.app.intervals import repeat
from companion.app.page import Page, load_kv
from companion.app.screens.matches import format_day
from companion.app.theme import Theme, faded
from companion.app.widgets.button import PushButton
from companion.app.widgets.components import HBox, Scroller, VBox, bind_geometry, fill
from companion.app.widgets.marks import Icon
from companion.app.widgets.text import BoldText, Text
from companion.table.ports import CalibratableReader, ReaderPort, SimulatedCalibration
from vision.calibration_messages import (
    GOOD_SCORE,
    Aspect,
    CalibrateStep,
    CalibrationCommand,
    CalibrationSaved,
    CalibrationStep,
    Finding,
    ImagePoint,
    RevertCalibration,
    SaveCalibration,
    StepResult,
    overall_health,
)
from vision.roll import CameraState, RollRequest, SeenRoll, TrayPicture

if TYPE_CHECKING:
    from companion.app.context import AppContext


STEPS = tuple(CalibrationStep)
"""The steps in order."""

_INSET = 0.12
"""Initial position of corners that were not found, as a fraction of the picture."""


@dataclass
class CalibrationSession:
    """State of a calibration; survives redraws of the page. `in_match`: the reader belongs to a running match."""

    reader: ReaderPort | None
    in_match: bool = False
    step: CalibrationStep = CalibrationStep.PICTURE
    busy: CalibrationStep | None = None
    done: dict[CalibrationStep, StepResult] = field(default_factory=dict)
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
    is_saved: bool = False
    fault: str = ""

    @classmethod
    def of(cls, app: AppContext) -> CalibrationSession:
        """Create a calibration.

        It uses the reader of the open match, because that reader holds the camera, else a new reader for classic dice.
        """
        if app.session is not None and app.session.dice.reader is not None:
            bench = cls(app.session.dice.reader, in_match=True)
        else:
            bench = cls(app.reader_factory("pips") if app.reader_factory else None)
            if bench.reader is not None:
                bench.reader.request(RollRequest("pips"))
        if bench.reader is not None:
            bench.reader.show_tray(True)
        return bench

    @property
    def usable(self) -> bool:
        """True if there is a camera that can be calibrated."""
        return _calibrates(self.reader) is not None

    @property
    def corners_known(self) -> bool:
        """True if the tray was found."""
        return CalibrationStep.CORNERS in self.done and self.done[CalibrationStep.CORNERS].done

    def start_step(self, step: CalibrationStep, corners: tuple[ImagePoint, ...] = ()) -> None:
        """Run a step, for the first time or again."""
        self.step, self.busy = step, step
        self.next_trial()
        self._send(CalibrateStep(step, corners))

    def poll(self) -> bool:
        """Process the reader's messages. Returns True if anything besides the picture is new."""
        changed = False
        for news in self.reader.poll() if self.reader else ():
            if isinstance(news, TrayPicture):
                self.picture = news.picture
            elif isinstance(news, StepResult) and news.step is self.busy:
                self.busy, self.done[news.step], changed = None, news, True
            elif isinstance(news, CalibrationSaved):
                self.busy, self.is_saved, self.fault, changed = None, True, news.fault, True
            elif isinstance(news, SeenRoll):
                changed = self._read(news) or changed
            elif isinstance(news, CameraState):
                changed = self._camera(news) or changed
        return changed

    def next_trial(self) -> None:
        """Prepare for the next test die."""
        self.seen, self.judged, self.misread = None, False, False

    def judge(self, right: bool) -> None:
        """Record whether the dice were read correctly, as judged by a player."""
        if self.seen is None or self.judged:
            return
        dice = self.seen.roll.dice
        self.trials += len(dice)
        self.judged, self.misread = True, not right
        if right:
            self.right += len(dice)
            self.edges += [min(die.box[2:]) for die in dice]

    def save(self, made: str) -> None:
        """Save the calibration. `made` is the current date and time (ISO 8601)."""
        self.made, self.busy = made, self.step
        self._send(SaveCalibration(made, self.right, self.trials, tuple(self.edges)))

    def close(self) -> None:
        """Restore the last saved calibration and close the reader, unless it belongs to a match."""
        if not self.is_saved or self.fault:
            self._send(RevertCalibration())
        if self.reader is not None and not self.in_match:
            self.reader.close()

    def findings(self) -> tuple[Finding, ...]:
        """Return the findings of all steps, the newest of each aspect, and the result of the test."""
        found: dict[Aspect, Finding] = {}
        for step in (CalibrationStep.CORNERS, CalibrationStep.LIGHT, CalibrationStep.CARD):
            if step in self.done and (self.done[step].done or step is not CalibrationStep.CARD):
                found |= {finding.aspect: finding for finding in self.done[step].findings}
        if self.trials:
            found[Aspect.TRIAL] = Finding(Aspect.TRIAL, self.right / self.trials, float(self.trials))
        return tuple(found.values())

    @property
    def left_out(self) -> tuple[str, ...]:
        """Return which checks of the reading were left out: the colour card, the trial with dice."""
        card = self.done.get(CalibrationStep.CARD)
        checked = {"card": card is not None and card.done, "trial": bool(self.trials)}
        return tuple(check for check, is_done in checked.items() if not is_done)

    def default_corners(self, size: tuple[int, int]) -> tuple[ImagePoint, ...]:
        """Return initial corners for dragging if none were found."""
        width, height = size
        left, top, right, bottom = _INSET * width, _INSET * height, (1 - _INSET) * width, (1 - _INSET) * height
        return ((left, top), (right, top), (right, bottom), (left, bottom))

    def _send(self, order: CalibrationCommand) -> None:
        reader = _calibrates(self.reader)
        if reader is not None:
            reader.calibrate(order)

    def _camera(self, state: CameraState) -> bool:
        """Handle the loss or return of the camera.

        After a loss the calibration restarts: another process may use the camera, or the camera may have moved.
        """
        was_lost, self.lost, self.camera = self.lost, not state.present, state.name
        if was_lost and state.present and not self.is_saved:
            self.done.clear()
            self.start_step(CalibrationStep.PICTURE)
        return was_lost is state.present

    def _read(self, seen: SeenRoll) -> bool:
        """Store a settled roll during the test step. Returns False in other steps."""
        if self.step is not CalibrationStep.TEST or self.busy is not None or self.is_saved or not seen.roll.dice:
            return False
        self.next_trial()
        self.seen = seen
        return True


def _calibrates(reader: object) -> CalibratableReader | None:
    return reader if isinstance(reader, CalibratableReader) else None


_MAX_FACES = 4


def steps_list(bench: CalibrationSession, whole: bool) -> list[Widget]:
    """Return the list of steps: completed ones with a check, the current one in brass.

    Without `whole`, only the current step is included, because there is no space for the list.
    """
    rows: list[Widget] = []
    for number, step in enumerate(STEPS, 1):
        if not whole and step is not bench.step:
            continue
        now, done = step is bench.step, step in bench.done and bench.done[step].done
        tone = "laiton" if now else "craie" if done else "craie3"
        row = HBox(spacing=dp(8), tall=27)
        if done and not now:
            row.add_widget(Icon("check", side=22, tone=tone, middle=True))
        else:
            row.add_widget(BoldText(str(number), kind="corps", tone=tone, flow="box", wide=22))
        label = (BoldText if now else Text)(translate(f"calibration.name.{step}"), kind="corps", tone=tone, flow="box")
        label.halign, label.valign = "left", "middle"
        row.add_widget(label)
        rows.append(row)
    return rows


def finding_texts(bench: CalibrationSession) -> list[Widget]:
    """Return the findings of the current step as texts, with possible improvements."""
    if bench.busy is not None:
        return [_text(f"calibration.busy.{bench.busy}")]
    if bench.is_saved:
        return _saved_texts(bench)
    if bench.step is CalibrationStep.TEST and bench.corners_known:
        return _trial(bench)
    done = bench.done.get(bench.step)
    if done is None:
        return []
    texts = [_text(f"calibration.{'found' if done.done else 'failed'}.{bench.step}")]
    poor = [finding for finding in done.findings if finding.score < GOOD_SCORE]
    if done.done or bench.step is CalibrationStep.LIGHT:
        texts += [_text(f"calibration.mend.{finding.aspect}", tone="laiton") for finding in poor]
    return texts


def action_buttons(bench: CalibrationSession, page: CalibrationPage) -> list[PushButton]:
    """Return the buttons of the current state, the default one last."""
    if bench.busy is not None:
        return []
    if bench.is_saved:
        return [_button("calibration.done", page.app.back, style="chalk", icon="check")]
    if bench.step is CalibrationStep.TEST and bench.corners_known:
        return _trial_buttons(bench, page)
    found = (
        [_button("calibration.lay_card", page.lay_card, icon="plus")]
        if _has_card_control(bench, CalibrationStep.CARD)
        else []
    )
    step, done = bench.step, bench.done.get(bench.step)
    found.append(_button(f"calibration.again.{step}", lambda: page.start_step(step), icon="target"))
    if done is not None and done.done and step is not CalibrationStep.TEST:
        found.append(_button(f"calibration.next.{step}", page.next_step, style="chalk", end="right"))
    elif step is CalibrationStep.CARD:
        found.append(_button("calibration.without_card", page.next_step, end="right"))
    return found


def _trial_buttons(bench: CalibrationSession, page: CalibrationPage) -> list[PushButton]:
    if bench.seen is not None and not bench.judged:
        return [
            _button("calibration.no", lambda: page.judge(False), icon="cross"),
            _button("calibration.yes", lambda: page.judge(True), style="chalk", icon="check"),
        ]
    found = (
        [_button("calibration.throw_one", page.throw, icon="roll")]
        if _has_card_control(bench, CalibrationStep.TEST)
        else []
    )
    return [*found, _button("calibration.keep", page.keep, style="chalk" if bench.trials else "outlined", icon="disk")]


def _trial(bench: CalibrationSession) -> list[Widget]:
    texts: list[Widget] = []
    if bench.seen is None:
        texts.append(_text("calibration.lay_die"))
    elif bench.judged:
        texts.append(_text("calibration.wrong" if bench.misread else "calibration.right"))
    else:
        texts += [_text("calibration.read"), _faces(bench.seen)]
    if bench.trials:
        texts.append(_text("calibration.trials", tone="craie2", right=bench.right, n=bench.trials))
    return texts


def _saved_texts(bench: CalibrationSession) -> list[Widget]:
    if bench.fault:
        return [_text("calibration.not_kept", tone="laiton")]
    figure, mend = overall_health(bench.findings())
    texts = [_text("calibration.kept", day=format_day(bench.made[:10]), camera=camera_name(bench.camera))]
    left_out = bench.left_out
    if left_out:
        texts.append(_text(f"calibration.left_out.{'_'.join(left_out)}", tone="laiton"))
    else:
        texts.append(BoldText(translate("calibration.figure", figure=figure), kind="titre", halign="left"))
    if mend is not None:
        texts.append(_text(f"calibration.mend.{mend}", tone="laiton"))
    if bench.in_match:
        texts.append(_text("calibration.clear_first", tone="laiton"))
    return texts


def _faces(seen: SeenRoll) -> BoxLayout:
    """Return the faces that were read."""
    row = HBox(spacing=dp(8), tall=60)
    fill(row, *(face_mark(die.face, 54, die.kind) for die in seen.roll.dice[:_MAX_FACES]), Widget())
    return row


def _text(id: str, tone: str = "craie", **args: Any) -> Widget:
    return Text(translate(id, **args), halign="left", tone=tone)


def _has_card_control(bench: CalibrationSession, step: CalibrationStep) -> bool:
    """True if a simulated table replaces this manual action with a button."""
    reader: object = bench.reader
    return bench.step is step and isinstance(reader, SimulatedCalibration)


def _button(
    message_id: str, act: Callable[[], Any], style: str = "outlined", icon: str = "", end: str = ""
) -> PushButton:
    return PushButton(translate(message_id), style=style, icon=icon, end=end, act=lambda: act())


_HANDLE, _GRASP = 27, 40
"""Radius in dp of the ring around a corner, and of its touch area."""


class TrayView(Widget):
    """A whole JPEG picture with marks. Positions are pixels of the camera picture, whatever the size of the JPEG."""

    texture = ObjectProperty(None, allownone=True)
    corners = ObjectProperty(())
    card = ObjectProperty(())
    cells = ObjectProperty(())

    def __init__(self, dragged: Callable[[tuple[ImagePoint, ...]], None] | None = None, **kwargs: Any) -> None:
        """`dragged` receives the four corners after a drag; without it they cannot be moved."""
        self._dragged = dragged
        self._size_of = (0, 0)
        self._columns = 1
        self._dragged_corner: int | None = None
        super().__init__(**kwargs)
        bind_geometry(self, self._draw, "texture", "corners", "card", "cells")

    def show(self, jpeg: bytes) -> None:
        """Show another picture."""
        self.texture = picture_texture(jpeg)

    def mark(
        self,
        size: tuple[int, int],
        corners: Sequence[ImagePoint] = (),
        card: Sequence[ImagePoint] = (),
        cells: Sequence[float] = (),
        columns: int = 1,
    ) -> None:
        """Mark findings, in pixels of a picture of `size`."""
        self._size_of, self._columns = size, max(1, columns)
        if self._dragged_corner is None:
            self.corners = tuple(corners)
        self.card, self.cells = tuple(card), tuple(cells)

    def place_of(self, number: int) -> tuple[float, float]:
        """Return the screen position of a corner."""
        return self._on_screen(self.corners[number])

    def on_touch_down(self, touch: MotionEvent) -> bool:
        if self._dragged is None or not self.corners or not self.collide_point(*touch.pos):
            return bool(super().on_touch_down(touch))
        gaps = [_gap(self._on_screen(corner), touch.pos) for corner in self.corners]
        nearest = min(range(len(gaps)), key=gaps.__getitem__)
        if gaps[nearest] > dp(_GRASP):
            return bool(super().on_touch_down(touch))
        self._dragged_corner = nearest
        touch.grab(self)
        return True

    def on_touch_move(self, touch: MotionEvent) -> bool:
        if touch.grab_current is not self or self._dragged_corner is None:
            return bool(super().on_touch_move(touch))
        corners = list(self.corners)
        corners[self._dragged_corner] = self._in_picture(touch.pos)
        self.corners = tuple(corners)
        return True

    def on_touch_up(self, touch: MotionEvent) -> bool:
        if touch.grab_current is not self or self._dragged_corner is None:
            return bool(super().on_touch_up(touch))
        touch.ungrab(self)
        self._dragged_corner = None
        if self._dragged is not None:
            self._dragged(tuple(self.corners))
        return True

    # Conversion between picture and screen

    def _frame(self) -> tuple[float, float, float]:
        """Return left and top of the picture on the screen, and screen pixels per camera pixel."""
        width, height = self._size_of if min(self._size_of) > 0 else (self.texture.width, self.texture.height)
        scale = min(self.width / width, self.height / height)
        return self.center_x - width * scale / 2, self.center_y + height * scale / 2, scale

    def _on_screen(self, place: ImagePoint) -> tuple[float, float]:
        left, top, scale = self._frame()
        return left + place[0] * scale, top - place[1] * scale

    def _in_picture(self, pos: tuple[float, float]) -> ImagePoint:
        left, top, scale = self._frame()
        x, y = (pos[0] - left) / scale, (top - pos[1]) / scale
        width, height = self._size_of
        return min(max(0.0, x), width - 1.0), min(max(0.0, y), height - 1.0)

    # Drawing

    def _draw(self) -> None:
        theme = display.theme
        self.canvas.clear()
        if self.width < 4 or self.height < 4:
            return
        with self.canvas:
            Color(*theme.creux)
            RoundedRectangle(pos=self.pos, size=self.size, radius=[dp(8)])
            if self.texture is None:
                return
            left, top, scale = self._frame()
            width, height = self._size_of if min(self._size_of) > 0 else self.texture.size
            Color(1, 1, 1, 1)
            Rectangle(
                texture=self.texture,
                pos=(left, top - height * scale),
                size=(width * scale, height * scale),
                tex_coords=(0, 1, 1, 1, 1, 0, 0, 0),
            )
            self._draw_cells(theme)
            self._draw_outline(theme, self.card, False)
            self._draw_outline(theme, self.corners, self._dragged is not None)

    def _draw_outline(self, theme: Theme, places: Sequence[ImagePoint], handles: bool) -> None:
        if len(places) < 3:
            return
        points = [value for place in places for value in self._on_screen(place)]
        Color(*theme.nuit)
        Line(points=points, close=True, width=dp(2.4))
        Color(*theme.laiton)
        Line(points=points, close=True, width=dp(1.5))
        for place in places if handles else ():
            x, y = self._on_screen(place)
            Color(*faded(theme.nuit, 0.35))
            Ellipse(pos=(x - dp(_HANDLE), y - dp(_HANDLE)), size=(dp(2 * _HANDLE), dp(2 * _HANDLE)))
            Color(*theme.laiton)
            Line(circle=(x, y, dp(_HANDLE)), width=dp(1.6))
            Ellipse(pos=(x - dp(5), y - dp(5)), size=(dp(10), dp(10)))

    def _draw_cells(self, theme: Theme) -> None:
        """Highlight parts of the tray whose brightness is below 0.6 or above 1.6 of the usual."""
        if len(self.corners) != 4 or not self.cells:
            return
        rows = len(self.cells) // self._columns
        for number, share in enumerate(self.cells):
            if 0.6 <= share <= 1.6:
                continue
            row, column = divmod(number, self._columns)
            corner = self._within((column + 0.1) / self._columns, (row + 0.1) / rows)
            other = self._within((column + 0.9) / self._columns, (row + 0.9) / rows)
            Color(*faded(theme.nuit if share < 1 else theme.craie, 0.55))
            Rectangle(pos=(corner[0], other[1]), size=(other[0] - corner[0], corner[1] - other[1]))

    def _within(self, across: float, down: float) -> tuple[float, float]:
        """Return the screen position of a point of the tray, given as fractions of its sides."""
        a, b, c, d = (self._on_screen(corner) for corner in self.corners)
        top = (a[0] + (b[0] - a[0]) * across, a[1] + (b[1] - a[1]) * across)
        foot = (d[0] + (c[0] - d[0]) * across, d[1] + (c[1] - d[1]) * across)
        return top[0] + (foot[0] - top[0]) * down, top[1] + (foot[1] - top[1]) * down


def _gap(one: tuple[float, float], other: tuple[float, float]) -> float:
    return float(((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2) ** 0.5)


load_kv(__file__)

_POLL_INTERVAL_S = 1 / 20


class CalibrationPage(Page):
    """The calibration page. Its state is in the route's memory; the camera is in the reader process."""

    def build(self) -> None:
        self.ids.bar.title = translate("calibration.title")
        self._view: Any = None
        bench = self.memory.get("bench")
        if bench is None:
            bench = self.memory["bench"] = CalibrationSession.of(self.app)
        self.bench: CalibrationSession = bench
        if self.bench.usable:
            if not self.bench.busy and not self.bench.done:
                self.bench.start_step(CalibrationStep.PICTURE)
            self._poll_event = repeat(self._poll, _POLL_INTERVAL_S)
            if self.bench.in_match:
                self.app.runner.pause()
        self._refresh()

    def leave(self) -> None:
        """Release the camera only if the players left the page, not if the page is redrawn."""
        if self.bench.usable:
            self._poll_event.cancel()
            self.app.runner.resume()
        Clock.schedule_once(lambda *_: self._close_if_left(), 0)

    def _close_if_left(self) -> None:
        if not any(route is self.route for route in self.app.navigator.back_stack):
            self.bench.close()

    def _poll(self, *_: object) -> None:
        changed = self.bench.poll()
        if changed:
            self._refresh()
        elif self._view is not None:
            self._view.show(self.bench.picture)

    # Display

    def _refresh(self) -> None:
        """Rebuild picture and panel for the current state."""
        for box in (self.ids.view, self.ids.panel):
            box.clear_widgets()
        self._view = None
        if not self.bench.usable or self.bench.lost:
            self._no_camera()
            return
        step = self.bench.step
        self.ids.bar.sub = translate("calibration.step", n=STEPS.index(step) + 1, of=len(STEPS))
        self.ids.view.add_widget(self._picture(step))
        ways = action_buttons(self.bench, self)
        whole = self.app.theme.roomy and not (self.portrait and len(ways) > 2)
        scroller = Scroller(VBox(*steps_list(self.bench, whole), *finding_texts(self.bench), spacing=dp(5), grows=True))
        self.ids.panel.add_widget(scroller)
        for push in ways:
            push.size_hint_y, push.height = None, dp(54)
            self.ids.panel.add_widget(push)

    def _no_camera(self) -> None:
        self.ids.bar.sub = ""
        message_id = "calibration.no_camera" if self.bench.reader is None else "calibration.camera_lost"
        self.ids.view.add_widget(Text(translate(message_id), flow="box", halign="center"))
        self.ids.panel.add_widget(Widget())
        push = PushButton(
            translate("calibration.to_diagnostic"), icon="pulse", tall=58, act=lambda: self.app.open("diagnostic")
        )
        self.ids.panel.add_widget(push)

    def _picture(self, step: CalibrationStep) -> Widget:
        """Return the camera picture with the findings of the step, or in the test the tray with the dice as read."""
        bench, done = self.bench, self.bench.done.get(step)
        if step is CalibrationStep.TEST and bench.seen is not None:
            seen = bench.seen
            boxes = [DieBox(die.box, str(die.face), is_questioned=not die.certain) for die in seen.roll.dice]
            return Photograph(seen.picture, boxes, whole=True, boxes_in=seen.size)
        view = TrayView(self._dragged if step is CalibrationStep.CORNERS and not bench.busy else None)
        view.show(bench.picture)
        if done is not None:
            corners = done.corners or (bench.default_corners(done.size) if step is CalibrationStep.CORNERS else ())
            view.mark(done.size, corners, done.card, done.cells, done.columns)
        self._view = view
        return view

    # Actions

    def start_step(self, step: CalibrationStep, corners: tuple[ImagePoint, ...] = ()) -> None:
        """Run a step, for the first time or again."""
        self.bench.start_step(step, corners)
        self._refresh()

    def _dragged(self, corners: tuple[ImagePoint, ...]) -> None:
        self.start_step(CalibrationStep.CORNERS, corners)

    def next_step(self) -> None:
        """Go to the next step."""
        reader: object = self.bench.reader
        if self.bench.step is CalibrationStep.CARD and isinstance(reader, SimulatedCalibration):
            reader.lay_card(False)
        self.start_step(STEPS[STEPS.index(self.bench.step) + 1])

    def lay_card(self) -> None:
        """Put the calibration card on a simulated table."""
        reader: object = self.bench.reader
        if isinstance(reader, SimulatedCalibration):
            reader.lay_card(True)
        self.start_step(CalibrationStep.CARD)

    def throw(self) -> None:
        """Roll a die on a simulated table."""
        self.bench.next_trial()
        reader: object = self.bench.reader
        if isinstance(reader, SimulatedCalibration):
            reader.throw_test_die()
        self._refresh()

    def judge(self, right: bool) -> None:
        """Record a player's judgement of the reading."""
        self.bench.judge(right)
        self._refresh()

    def keep(self) -> None:
        """Save the calibration."""
        self.bench.save(self.app.matches.store.clock.now().isoformat(timespec="seconds"))
        self._refresh()

    def back(self) -> bool:
        """Go back one step; leave the page from the first step or after saving."""
        bench = self.bench
        if (
            not bench.usable
            or bench.lost
            or bench.is_saved
            or bench.step is CalibrationStep.PICTURE
            or bench.busy is not None
        ):
            return False
        self.start_step(STEPS[STEPS.index(bench.step) - 1])
        return True
