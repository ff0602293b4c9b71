"""The setup assistant: six questions for a new table, each with a default answer.

The current step is saved in the settings before it is shown, so that the assistant continues there after a power cut.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from threading import Thread
from typing import TYPE_CHECKING, Any

from kivy.graphics import Color, Line
from kivy.input import MotionEvent
from kivy.metrics import dp
from kivy.properties import BooleanProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout

from companion.app.display import display, translate
from companion.app.figures.tray import Photograph
from companion.app.intervals import repeat
from companion.app.page import Page, load_kv
from companion.app.platform import CameraSelector
from companion.app.preferences import DONE, FIRST_START_STEPS, next_step, previous_step
from companion.app.screens.settings import SettingRows, rename, source_text
from companion.app.theme import TEXT_SIZES
from companion.app.widgets.button import PushButton
from companion.app.widgets.components import Box, HBox, Scroller, VBox, bind_geometry, fill
from companion.app.widgets.marks import Icon
from companion.app.widgets.text import BoldText, Text
from companion.table.ports import ReaderPort
from companion.theme import CONTRASTS
from vision.roll import CameraState, TrayPicture

if TYPE_CHECKING:
    from companion.app.context import AppContext


NONE = "none"
CAMERA_POLL_INTERVAL_S = 0.1
"""Seconds between two polls of the camera."""


class CameraStep(BoxLayout):
    """The camera picture beside the list of cameras. `close` releases the camera in a thread; it can be slow."""

    def __init__(self, app: AppContext, eyes: CameraSelector, portrait: bool) -> None:
        super().__init__(spacing=dp(12), orientation="vertical" if portrait else "horizontal")
        self._app, self._eyes = app, eyes
        self._reader: ReaderPort | None = None
        self.photograph = Photograph(whole=True)
        self._status_label = Text("", kind="mini", tone="craie2", halign="center", size_hint_y=None)
        left = VBox(self.photograph, self._status_label, spacing=dp(6))
        self._list = VBox(spacing=dp(8), grows=True)
        column = Scroller(self._list)
        if not portrait:
            column.size_hint_x = 0.62
        fill(self, left, column)
        self._clock = repeat(self._poll_camera, CAMERA_POLL_INTERVAL_S)
        self._offers = {source: self._offer(source) for source in eyes.list_sources()}
        self._mark()
        calibrate = PushButton(
            app.translate("calibration.open"), icon="target", style="quiet", left=True, pad=12, kind="corps"
        )
        calibrate.size_hint_y, calibrate.height = None, dp(62)
        calibrate.bind(on_tap=lambda *_: app.open("calibration"))
        self._list.add_widget(calibrate)
        self._open_preview()

    def close(self) -> None:
        """Stop polling and release the camera."""
        self._clock.cancel()
        self._close_preview()

    def _offer(self, source: str) -> PushButton:
        icon = "camoff" if source == NONE else "cam"
        push = PushButton(source_text(self._app, source), icon=icon, left=True, pad=12, kind="corps", tall=62)
        push.bind(on_tap=lambda *_: self._choose(source))
        self._list.add_widget(push)
        return push

    def _mark(self) -> None:
        for source, push in self._offers.items():
            push.style = "chalk" if source == self._eyes.source else "outlined"

    def _choose(self, source: str) -> None:
        if source != self._eyes.source:
            fault = self._app.settings.save("camera", "source", self._eyes.select(source))
            self._mark()
            self._open_preview()
            if fault is not None:
                self._app.show_error(self._app.text(fault))

    def _open_preview(self) -> None:
        """Open the selected camera, unless a match uses it."""
        self._close_preview()
        self.photograph.show(b"")
        translate = self._app.translate
        if self._eyes.source == NONE:
            self._status_label.text = translate("app.welcome.camera.by_touch")
        elif self._app.session is not None:
            self._status_label.text = translate("app.welcome.camera.in_use")
        else:
            self._status_label.text = translate("app.welcome.camera.opening")
            self._reader = self._eyes.open_preview(self._eyes.source)
            if self._reader is not None:
                self._reader.show_tray(True)

    def _close_preview(self) -> None:
        reader, self._reader = self._reader, None
        if reader is not None:
            Thread(target=partial(_close_reader, reader), name="camera-closing").start()

    def _poll_camera(self, *_: object) -> None:
        for news in self._reader.poll() if self._reader is not None else ():
            if isinstance(news, TrayPicture):
                self.photograph.show(news.picture)
            elif isinstance(news, CameraState):
                self._status_label.text = self._app.translate(_preview_text(news))


def _preview_text(camera: CameraState) -> str:
    """Return the message id of what the preview shows."""
    if not camera.present:
        return "app.welcome.camera.lost"
    return "app.welcome.camera.seen" if camera.sees else f"camera.{camera.trouble}"


def _close_reader(reader: ReaderPort) -> None:
    reader.close()


DEVICE_POLL_INTERVAL_S = 1.0
"""Seconds between two checks for connected or removed devices."""


class DeviceStep:
    """The device step. It is redrawn when a device is connected or removed."""

    def __init__(self, app: AppContext, rows: SettingRows, column: BoxLayout) -> None:
        self._app = app
        self._links = app.hardware_buttons.controls.devices.links
        self._clock = repeat(self._redraw_if_changed, DEVICE_POLL_INTERVAL_S)
        if not self._links:
            column.add_widget(Text(app.translate("app.welcome.devices.none"), halign="left"))
            return
        column.add_widget(Text(app.translate("app.welcome.devices.how"), tone="craie2", halign="left"))
        online = {link.source for link in self._links if link.online}
        fill(column, *(_line(app, link) for link in self._links if link.online or link.source not in online))
        if any(link.online for link in self._links):
            rows.buttons(("hand", "button.test", self._test, False))

    def close(self) -> None:
        """Stop checking."""
        self._clock.cancel()

    def _redraw_if_changed(self, *_: object) -> None:
        if self._app.hardware_buttons.controls.devices.links != self._links and not self._app.navigator.sheets:
            self._app.redraw()

    def _test(self) -> None:
        from companion.app.screens.diagnostic import ButtonTest

        self._app.show_sheet(ButtonTest(self._app.hardware_buttons.controls))


def _line(app: AppContext, link: Any) -> BoxLayout:
    """Return the row of a device: name, whether it responds, and what to do if it does not."""
    line = HBox(spacing=dp(12), tall=72 if app.theme.roomy else 100)
    line.add_widget(Icon("check" if link.online else "minus", side=28, middle=True))
    text_box = VBox(BoldText(app.translate(f"button.device.{link.source}"), kind="bouton", flow="box", halign="left"))
    text_box.add_widget(Text(_state(app, link), kind="mini", tone="craie2", flow="box", halign="left", valign="top"))
    line.add_widget(text_box)
    return line


def _state(app: AppContext, link: Any) -> str:
    if link.simulated:
        return app.translate("app.diagnostic.simulated")
    if link.trouble is not None:
        return app.translate(f"button.trouble.{link.trouble}")
    return app.translate("app.diagnostic.ok")


MARK_POSITIONS = ((0.0, 1.0), (1.0, 1.0), (0.5, 0.5), (0.0, 0.0), (1.0, 0.0))
"""The corners and the centre, as fractions of the free width and height."""
MARK_SIZE_DP, CROSS_HALF_DP, MAX_CROSSES = 64, 10, 12
"""Side of a mark and half of a cross in dp; maximum number of crosses kept."""


class TouchMarks(FloatLayout):
    """Targets that disappear when touched. Crosses mark touches beside them and show the offset of the screen."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._left = set(range(len(MARK_POSITIONS)))
        self._message = Text(
            translate("app.welcome.touch.how"), flow="box", halign="center", tone="craie2", size_hint=(0.6, 0.34)
        )
        self._message.pos_hint = {"center_x": 0.5, "top": 1}
        self.add_widget(self._message)
        self.marks = []
        for at in range(len(MARK_POSITIONS)):
            mark = PushButton(
                icon="target",
                icon_side=36,
                style="todo",
                wide=MARK_SIZE_DP,
                tall=MARK_SIZE_DP,
                act=partial(self._hit, at),
            )
            mark.spoken = translate("app.welcome.touch.mark", n=at + 1)
            self.marks.append(mark)
            self.add_widget(mark)
        self._missed: list[tuple[float, float]] = []
        bind_geometry(self, self._spread)

    def on_touch_down(self, touch: MotionEvent) -> bool:
        if super().on_touch_down(touch):
            return True
        if self._left and self.collide_point(*touch.pos):
            self._missed = [*self._missed[1 - MAX_CROSSES :], (touch.x - self.x, touch.y - self.y)]
            self._message.text = translate("app.welcome.touch.beside")
            self._draw()
            return True
        return False

    def _hit(self, at: int) -> None:
        mark = self.marks[at]
        mark.icon, mark.style = "check", "chalk"
        self._left.discard(at)
        left = len(self._left)
        self._message.text = (
            translate("app.welcome.touch.left", n=left) if left else translate("app.welcome.touch.good")
        )

    def _spread(self, *_: object) -> None:
        for mark, (across, up) in zip(self.marks, MARK_POSITIONS, strict=True):
            mark.pos = (
                self.x + across * (self.width - mark.width),
                self.y + up * (self.height - mark.height),
            )
        self._draw()

    def _draw(self) -> None:
        self.canvas.after.clear()
        reach = dp(CROSS_HALF_DP)
        with self.canvas.after:
            Color(*display.theme.craie)
            for across, up in self._missed:
                x, y = self.x + across, self.y + up
                Line(points=(x - reach, y, x + reach, y), width=dp(1.2))
                Line(points=(x, y - reach, x, y + reach), width=dp(1.2))


load_kv(__file__)

MIN_BRIGHTNESS_PERCENT = 20
TABLE_NAME_COUNT = 4
"""Number of suggested names."""
LANGUAGES = (("fr", "Français"), ("en", "English"))


class WelcomePage(Page):
    """The setup assistant, one step at a time; `step` is in the route's memory and in the settings."""

    filled = BooleanProperty(False)

    def build(self) -> None:
        translate = self.app.translate
        self.step = str(self.memory.setdefault("step", self.route.args.get("step", FIRST_START_STEPS[0])))
        if self.memory.get("kept") != self.step:
            self._save_step(self.step)
        self.rows = SettingRows(self.app, self.ids.rows, self.portrait)
        self.ids.bar.title = translate(f"app.welcome.{self.step}")
        self.ids.bar.sub = translate(
            "app.welcome.count", at=FIRST_START_STEPS.index(self.step) + 1, of=len(FIRST_START_STEPS)
        )
        self.ids.bar.at_end(
            PushButton(translate("app.welcome.later"), style="outlined", kind="corps", hug=True, act=self.finish)
        )
        self._live: CameraStep | DeviceStep | None = None
        builders: dict[str, Callable[[], None]] = {
            "language": self._language,
            "display": self._display,
            "touch": self._touch,
            "camera": self._camera,
            "devices": self._devices,
            "name": self._name,
        }
        builders[self.step]()
        last = next_step(self.step) is None
        word = "app.welcome.finish" if last else "app.welcome.next"
        forward = PushButton(
            translate(word), icon="check" if last else "right", style="chalk", kind="titre", icon_side=26
        )
        forward.bind(on_tap=lambda *_: self.forward())
        self.ids.foot.add_widget(forward)

    def leave(self) -> None:
        if self._live is not None:
            self._live.close()

    def back(self) -> bool:
        """Go to the previous step; on the first step, leave the assistant, which the next start asks again."""
        earlier = previous_step(self.step)
        if earlier is None:
            return False
        self._go(earlier)
        return True

    def forward(self) -> None:
        """Go to the next step, or finish."""
        later = next_step(self.step)
        if later is None:
            self.finish()
        else:
            self._go(later)

    def finish(self) -> None:
        """Finish the assistant and leave the remaining settings unchanged. Returns to the previous page."""
        self._save_step(DONE)
        self.app.navigator.go_back()

    def _go(self, step: str) -> None:
        self.memory["step"] = step
        self.app.redraw()

    def _save_step(self, step: str) -> None:
        """Save the current step. A write error is ignored: the assistant then appears again on the next start."""
        self.memory["kept"] = step
        self.app.settings.save("table", "first_steps", step)

    # Steps

    def _language(self) -> None:
        self.filled = True
        now = self.app.preferences.language
        choices = Box(spacing=dp(12), orientation="vertical" if self.portrait else "horizontal")
        for code, name in LANGUAGES:
            push = PushButton(
                name, style="chalk" if code == now else "well", kind="grand", act=partial(self._choose_language, code)
            )
            choices.add_widget(push)
        self.ids.rows.add_widget(choices)

    def _choose_language(self, code: str) -> None:
        """Set the language and go to the next step."""
        self.memory["step"] = next_step(self.step)
        self.app.apply_preferences(replace(self.app.preferences, language=code))

    def _display(self) -> None:
        rows = self.rows
        self.rows.sentence("app.welcome.display.how")
        rows.row("text_scale", rows.named("text_scale", TEXT_SIZES))
        rows.row("contrast", rows.named("contrast", CONTRASTS))
        rows.slide("brightness", "sun", MIN_BRIGHTNESS_PERCENT)
        rows.panel()

    def _touch(self) -> None:
        self.filled = True
        self.ids.rows.add_widget(TouchMarks())

    def _camera(self) -> None:
        eyes = self.app.idle_monitor.platform.cameras
        if eyes is None:
            self.rows.sentence("app.welcome.camera.none")
            return
        self.filled = True
        self._live = CameraStep(self.app, eyes, self.portrait)
        self.ids.rows.add_widget(self._live)

    def _devices(self) -> None:
        self._live = DeviceStep(self.app, self.rows, self.ids.rows)

    def _name(self) -> None:
        translate, name = self.app.translate, self.app.settings.config.table.name
        self.rows.sentence("app.welcome.name.how")
        self.ids.rows.add_widget(BoldText(name, kind="grand", halign="center", flow="wrap"))
        line = HBox(spacing=dp(10), tall=58)
        for number in range(1, TABLE_NAME_COUNT + 1):
            table = translate("app.welcome.table", n=number)
            push = PushButton(table, style="chalk" if table == name else "outlined", kind="corps", pad=4)
            push.bind(on_tap=lambda _, table=table: self._set_table_name(table))
            line.add_widget(push)
        self.ids.rows.add_widget(line)
        self.rows.buttons(("edit", "app.welcome.name.other", lambda: rename(self.app), False))

    def _set_table_name(self, name: str) -> None:
        self.app.settings.save("table", "name", name)
        self.app.redraw()
