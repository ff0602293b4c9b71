"""Screen 15: the camera is set up step by step; each step checks itself and may be done again; then all is kept."""

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

from companion.app.display import display, translate
from companion.app.figures.slots import face_mark
from companion.app.figures.tray import DieBox, Photograph, picture_texture
from companion.app.page import Page, load_kv
from companion.app.screens.matches import format_day
from companion.app.theme import Theme, faded
from companion.app.widgets.button import PushButton
from companion.app.widgets.components import HBox, Scroller, VBox, bind_geometry, fill
from companion.app.widgets.marks import Icon
from companion.app.widgets.text import BoldText, Text
from companion.table.ports import CalibratableReader, ReaderPort, SimulatedCalibration
from vision.calibration_words import (
    WELL,
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
    health_of,
)
from vision.roll import CameraState, RollRequest, SeenRoll, TrayPicture

if TYPE_CHECKING:
    from companion.app.context import AppContext


STEPS = tuple(Step)
"""In their order."""

_INSET = 0.12
"""Where corners that were not found begin, as a share of the picture."""


@dataclass
class CalibrationSession:
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
    is_saved: bool = False
    fault: str = ""

    @classmethod
    def of(cls, app: AppContext) -> CalibrationSession:
        """With the match's own reader if there is a match, since nobody else can have its camera; else with one more
        of classic dice."""
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
        """Whether there is a camera that can be set up."""
        return _calibrates(self.reader) is not None

    @property
    def corners_known(self) -> bool:
        """Whether the tray was found."""
        return Step.CORNERS in self.done and self.done[Step.CORNERS].done

    def start_step(self, step: Step, corners: tuple[Place, ...] = ()) -> None:
        """Do a step now, for the first time or again."""
        self.step, self.busy = step, step
        self.next_trial()
        self._send(Calibrate(step, corners))

    def poll(self) -> bool:
        """Take in what came; whether something but the picture is new."""
        changed = False
        for news in self.reader.poll() if self.reader else ():
            if isinstance(news, TrayPicture):
                self.picture = news.picture
            elif isinstance(news, StepDone) and news.step is self.busy:
                self.busy, self.done[news.step], changed = None, news, True
            elif isinstance(news, CalibrationKept):
                self.busy, self.is_saved, self.fault, changed = None, True, news.fault, True
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

    def save(self, made: str) -> None:
        """Keep what was found; `made`: day and time now (ISO 8601)."""
        self.made, self.busy = made, self.step
        self._send(KeepCalibration(made, self.right, self.trials, tuple(self.edges)))

    def close(self) -> None:
        """Leave the camera as it was kept last; a reader of our own goes."""
        if not self.is_saved or self.fault:
            self._send(LeaveCalibration())
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

    def default_corners(self, size: tuple[int, int]) -> tuple[Place, ...]:
        """Corners to begin dragging with, where none were found."""
        width, height = size
        left, top, right, bottom = _INSET * width, _INSET * height, (1 - _INSET) * width, (1 - _INSET) * height
        return ((left, top), (right, top), (right, bottom), (left, bottom))

    def _send(self, order: CalibrationOrder) -> None:
        reader = _calibrates(self.reader)
        if reader is not None:
            reader.calibrate(order)

    def _camera(self, state: CameraState) -> bool:
        """The camera came, or went. After a loss all begins anew: another process may look through it, and it may hang
        elsewhere."""
        was_lost, self.lost, self.camera = self.lost, not state.present, state.name
        if was_lost and state.present and not self.is_saved:
            self.done.clear()
            self.start_step(Step.PICTURE)
        return was_lost is state.present

    def _read(self, seen: SeenRoll) -> bool:
        """A roll that came to rest, while dice are tried."""
        if self.step is not Step.TRY or self.busy is not None or self.is_saved or not seen.roll.dice:
            return False
        self.next_trial()
        self.seen = seen
        return True


def _calibrates(reader: object) -> CalibratableReader | None:
    return reader if isinstance(reader, CalibratableReader) else None


_MAX_FACES = 4


def steps_list(bench: CalibrationSession, whole: bool) -> list[Widget]:
    """The steps one under the other: those that are done with a check, the present one in brass; it alone, unless the
    `whole` list has room."""
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
    """What the step found, in words, and what could be better."""
    if bench.busy is not None:
        return [_text(f"calibration.busy.{bench.busy}")]
    if bench.is_saved:
        return _saved_texts(bench)
    if bench.step is Step.TRY and bench.corners_known:
        return _trial(bench)
    done = bench.done.get(bench.step)
    if done is None:
        return []
    texts = [_text(f"calibration.{'found' if done.done else 'failed'}.{bench.step}")]
    poor = [finding for finding in done.findings if finding.score < WELL]
    if done.done or bench.step is Step.LIGHT:
        texts += [_text(f"calibration.mend.{finding.aspect}", tone="laiton") for finding in poor]
    return texts


def action_buttons(bench: CalibrationSession, page: CalibrationPage) -> list[PushButton]:
    """The buttons of this moment, the usual one last."""
    if bench.busy is not None:
        return []
    if bench.is_saved:
        return [_button("calibration.done", page.app.back, style="chalk", icon="check")]
    if bench.step is Step.TRY and bench.corners_known:
        return _trial_buttons(bench, page)
    found = [_button("calibration.lay_card", page.lay_card, icon="plus")] if _has_card_control(bench, Step.CARD) else []
    step, done = bench.step, bench.done.get(bench.step)
    found.append(_button(f"calibration.again.{step}", lambda: page.start_step(step), icon="target"))
    if done is not None and done.done and step is not Step.TRY:
        found.append(_button(f"calibration.next.{step}", page.next_step, style="chalk", end="right"))
    elif step is Step.CARD:
        found.append(_button("calibration.without_card", page.next_step, end="right"))
    return found


def _trial_buttons(bench: CalibrationSession, page: CalibrationPage) -> list[PushButton]:
    if bench.seen is not None and not bench.judged:
        return [
            _button("calibration.no", lambda: page.judge(False), icon="cross"),
            _button("calibration.yes", lambda: page.judge(True), style="chalk", icon="check"),
        ]
    found = [_button("calibration.throw_one", page.throw, icon="roll")] if _has_card_control(bench, Step.TRY) else []
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
    figure, mend = health_of(bench.findings())
    texts = [
        _text("calibration.kept", day=format_day(bench.made[:10]), camera=bench.camera),
        BoldText(translate("calibration.figure", figure=figure), kind="titre", halign="left"),
    ]
    if mend is not None:
        texts.append(_text(f"calibration.mend.{mend}", tone="laiton"))
    if bench.in_match:
        texts.append(_text("calibration.clear_first", tone="laiton"))
    return texts


def _faces(seen: SeenRoll) -> BoxLayout:
    """The faces that were read, as they are drawn everywhere."""
    row = HBox(spacing=dp(8), tall=60)
    fill(row, *(face_mark(die.face, 54, die.kind) for die in seen.roll.dice[:_MAX_FACES]), Widget())
    return row


def _text(id: str, tone: str = "craie", **args: Any) -> Widget:
    return Text(translate(id, **args), halign="left", tone=tone)


def _has_card_control(bench: CalibrationSession, step: Step) -> bool:
    """Whether what is done by hand at a real table is done by a tap here."""
    reader: object = bench.reader
    return bench.step is step and isinstance(reader, SimulatedCalibration)


def _button(
    message_id: str, act: Callable[[], Any], style: str = "outlined", icon: str = "", end: str = ""
) -> PushButton:
    return PushButton(translate(message_id), style=style, icon=icon, end=end, act=lambda: act())


_HANDLE, _GRASP = 27, 40
"""Radius in dp of the ring about a corner, and of what a finger may miss it by."""


class TrayView(Widget):
    """Shows JPEG pictures whole. Places are pixels of the camera's picture of `size_of`, whatever the JPEG's size."""

    texture = ObjectProperty(None, allownone=True)
    corners = ObjectProperty(())
    card = ObjectProperty(())
    cells = ObjectProperty(())

    def __init__(self, dragged: Callable[[tuple[Place, ...]], None] | None = None, **kwargs: Any) -> None:
        """`dragged` is told the four corners when one was dragged; without it they stay where they are."""
        self._dragged = dragged
        self._size_of = (0, 0)
        self._columns = 1
        self._dragged_corner: int | None = None
        super().__init__(**kwargs)
        bind_geometry(self, self._draw, "texture", "corners", "card", "cells")

    def show(self, jpeg: bytes) -> None:
        """Another picture."""
        self.texture = picture_texture(jpeg)

    def mark(
        self,
        size: tuple[int, int],
        corners: Sequence[Place] = (),
        card: Sequence[Place] = (),
        cells: Sequence[float] = (),
        columns: int = 1,
    ) -> None:
        """What was found, in pixels of a picture of `size`."""
        self._size_of, self._columns = size, max(1, columns)
        if self._dragged_corner is None:
            self.corners = tuple(corners)
        self.card, self.cells = tuple(card), tuple(cells)

    def place_of(self, number: int) -> tuple[float, float]:
        """Where the corner of that number is on the screen."""
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

    # From the picture to the screen and back

    def _frame(self) -> tuple[float, float, float]:
        """Left and top of the picture on the screen, and pixels of the screen to one of the camera's."""
        width, height = self._size_of if min(self._size_of) > 0 else (self.texture.width, self.texture.height)
        scale = min(self.width / width, self.height / height)
        return self.center_x - width * scale / 2, self.center_y + height * scale / 2, scale

    def _on_screen(self, place: Place) -> tuple[float, float]:
        left, top, scale = self._frame()
        return left + place[0] * scale, top - place[1] * scale

    def _in_picture(self, pos: tuple[float, float]) -> Place:
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

    def _draw_outline(self, theme: Theme, places: Sequence[Place], handles: bool) -> None:
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
        """Parts of the tray that are much darker or brighter than the usual, with their share in per cent of it."""
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
        """A place of the tray, by shares of its sides, on the screen."""
        a, b, c, d = (self._on_screen(corner) for corner in self.corners)
        top = (a[0] + (b[0] - a[0]) * across, a[1] + (b[1] - a[1]) * across)
        foot = (d[0] + (c[0] - d[0]) * across, d[1] + (c[1] - d[1]) * across)
        return top[0] + (foot[0] - top[0]) * down, top[1] + (foot[1] - top[1]) * down


def _gap(one: tuple[float, float], other: tuple[float, float]) -> float:
    return float(((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2) ** 0.5)


load_kv(__file__)

_POLL_INTERVAL_S = 1 / 20


class CalibrationPage(Page):
    """What was found so far is in the memory of the place (`Bench`), the camera in the reader's process."""

    def build(self) -> None:
        self.ids.bar.title = translate("calibration.title")
        self._view: Any = None
        bench = self.memory.get("bench")
        if bench is None:
            bench = self.memory["bench"] = CalibrationSession.of(self.app)
        self.bench: CalibrationSession = bench
        if self.bench.usable:
            if not self.bench.busy and not self.bench.done:
                self.bench.start_step(Step.PICTURE)
            self._poll_event = Clock.schedule_interval(self._poll, _POLL_INTERVAL_S)
            if self.bench.in_match:
                self.app.runner.pause()
        self._refresh()

    def leave(self) -> None:
        """The camera is let go of once the players are elsewhere, not when the page is only drawn anew."""
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

    # What is seen

    def _refresh(self) -> None:
        """Picture and panel for what is known now."""
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

    def _picture(self, step: Step) -> Widget:
        """The camera's picture with what the step found in it; in a trial the tray with the dice it read."""
        bench, done = self.bench, self.bench.done.get(step)
        if step is Step.TRY and bench.seen is not None:
            seen = bench.seen
            boxes = [DieBox(die.box, str(die.face), is_questioned=not die.certain) for die in seen.roll.dice]
            return Photograph(seen.picture, boxes, whole=True, boxes_in=seen.size)
        view = TrayView(self._dragged if step is Step.CORNERS and not bench.busy else None)
        view.show(bench.picture)
        if done is not None:
            corners = done.corners or (bench.default_corners(done.size) if step is Step.CORNERS else ())
            view.mark(done.size, corners, done.card, done.cells, done.columns)
        self._view = view
        return view

    # What taps do

    def start_step(self, step: Step, corners: tuple[Place, ...] = ()) -> None:
        """Does a step, again or for the first time."""
        self.bench.start_step(step, corners)
        self._refresh()

    def _dragged(self, corners: tuple[Place, ...]) -> None:
        self.start_step(Step.CORNERS, corners)

    def next_step(self) -> None:
        """On to the next step."""
        reader: object = self.bench.reader
        if self.bench.step is Step.CARD and isinstance(reader, SimulatedCalibration):
            reader.lay_card(False)
        self.start_step(STEPS[STEPS.index(self.bench.step) + 1])

    def lay_card(self) -> None:
        """Lays the card down at a simulated table."""
        reader: object = self.bench.reader
        if isinstance(reader, SimulatedCalibration):
            reader.lay_card(True)
        self.start_step(Step.CARD)

    def throw(self) -> None:
        """Throws a die at a simulated table."""
        self.bench.next_trial()
        reader: object = self.bench.reader
        if isinstance(reader, SimulatedCalibration):
            reader.throw_test_die()
        self._refresh()

    def judge(self, right: bool) -> None:
        """A player says whether the die was read right."""
        self.bench.judge(right)
        self._refresh()

    def keep(self) -> None:
        """Keeps what was found."""
        self.bench.save(self.app.matches.store.clock.now().isoformat(timespec="seconds"))
        self._refresh()

    def back(self) -> bool:
        """One step back; from the first one, or when all is kept, off the page."""
        bench = self.bench
        if not bench.usable or bench.lost or bench.is_saved or bench.step is Step.PICTURE or bench.busy is not None:
            return False
        self.start_step(STEPS[STEPS.index(bench.step) - 1])
        return True
