"""Screen 19: the settings, applied and saved at once. Contains the setting rows, the slider and the size sheet."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

from kivy.clock import Clock
from kivy.core.window import Window
from kivy.graphics import Color, Ellipse, RoundedRectangle
from kivy.input import MotionEvent
from kivy.metrics import Metrics, dp
from kivy.properties import NumericProperty
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.display import display
from companion.app.intervals import repeat
from companion.app.page import Page, load_kv
from companion.app.pin_lock import PinLock
from companion.app.platform import CameraSelector, LearnedFaces, folder_label
from companion.app.screens.join import JoinForm
from companion.app.screens.pin import choose_pin
from companion.app.screens.print_sheets import show_games_sheet
from companion.app.screens.report import written_text
from companion.app.theme import DP_PER_MILLIMETRE, TEXT_SIZES
from companion.app.tournament_follower import POLL_INTERVAL_S
from companion.app.widgets.button import PushButton, Tappable
from companion.app.widgets.components import Card, HBox, SegmentedControl, VBox, bind_geometry, fill
from companion.app.widgets.marks import Framed, Icon
from companion.app.widgets.name_sheet import naming_sheet
from companion.app.widgets.sheet import Sheet, SheetEntry, list_sheet
from companion.app.widgets.text import Name, Text
from companion.journal.database import StoreError
from companion.language import reason_of
from companion.table.hub_port import HubPort, LinkState
from companion.theme import CONTRASTS
from companion.tournament.clock import CLOCK_MODES

Value = TypeVar("Value")

if TYPE_CHECKING:
    from companion.app.context import AppContext


MEGABYTE = 1_000_000
PICTURE_LIMITS_MB = (500, 2000, 8000)
"""Maximum sizes of pictures in megabytes."""
PICTURE_RETENTION_DAYS = (0, 30, 90, 365)
"""Days after which pictures are deleted; 0: only when the space is needed."""


def source_text(app: AppContext, source: str) -> str:
    """Return the name of a camera source for players."""
    word, _, number = source.partition(":")
    known = ("none", "auto", "simulated", "picamera", "camera")
    return app.translate(f"app.eyes.{word}", number=number) if word in known else source


def apply_setting(app: AppContext, section: str, key: str, value: bool | int | str) -> None:
    """Save a setting; shows an error if it cannot be written."""
    fault = app.settings.save(section, key, value)
    app.redraw()
    if fault is not None:
        app.show_error(app.text(fault))


# The table


def rename(app: AppContext) -> None:
    """Ask for the name of the table."""
    name = app.settings.config.table.name
    app.show_sheet(
        naming_sheet(app.translate("app.settings.table_name"), name, partial(apply_setting, app, "table", "name"))
    )


# Dice and camera


def _choose_camera(app: AppContext, eyes: CameraSelector) -> None:
    def select(source: str) -> None:
        apply_setting(app, "camera", "source", eyes.select(source))

    entries = [
        SheetEntry(source_text(app, source), partial(select, source), icon="camoff" if source == "none" else "cam",
              on=source == eyes.source)
        for source in eyes.list_sources()
    ]  # fmt: skip
    app.show_sheet(list_sheet(app.translate("app.settings.camera"), entries))


def _forget(app: AppContext, own: LearnedFaces) -> None:
    try:
        own.forget()
    except OSError as fault:
        app.show_error(app.translate("app.settings.own_dice.kept", reason=reason_of(fault)))
        return
    app.redraw()


# Stored data


def _storage_text(app: AppContext) -> str:
    """Return the size of the stored matches and the free space beside them."""
    file = app.matches.store.path
    size = sum(path.stat().st_size for path in file.parent.glob(f"{file.name}*"))
    free = shutil.disk_usage(file.parent).free
    return app.translate("app.settings.room_taken", mb=-(-size // MEGABYTE), free=free // MEGABYTE)


def _back_up(app: AppContext, backup: Callable[[Path], object]) -> None:
    """Ask for a target folder, then write the backup in a thread."""
    places = app.export_config.list_folders() if app.export_config else ()
    name = f"tapis-vert-{app.matches.store.clock.now():%Y-%m-%d-%H%M%S}.zip"
    entries = []
    for place in places:
        label = folder_label(place, places[0], app.translate)
        entries.append(SheetEntry(label, partial(_write, app, backup, place / name), icon="disk"))
    app.show_sheet(list_sheet(app.translate("app.settings.backup"), entries))


def _write(app: AppContext, backup: Callable[[Path], object], file: Path) -> None:
    place = app.navigator.back_stack[-1]

    def show_status(message: str) -> None:
        place.memory["backup"] = message
        if app.navigator.back_stack and app.navigator.back_stack[-1] is place and not app.navigator.sheets:
            app.redraw()

    def work() -> None:
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            backup(file)
            reason = None
        except (StoreError, OSError) as fault:
            reason = reason_of(fault)
        Clock.schedule_once(lambda *_: show_status(written_text(file, reason)))

    show_status(app.translate("app.report.writing", file=file.name))
    Thread(target=work, name="backup").start()


class LockRow(BoxLayout):
    """The possible actions on a PIN lock. `can_lock` adds the button that locks at once."""

    def __init__(self, app: AppContext, lock: PinLock, can_lock: bool = True) -> None:
        super().__init__(spacing=dp(8))
        self._app, self._lock = app, lock
        acts = (
            {"now": self._lock_now, "change": self._choose, "remove": self._remove}
            if lock.has_pin
            else {"choose": self._choose}
        )
        if not can_lock:
            acts.pop("now", None)
        for word, act in acts.items():
            self.add_widget(PushButton(app.translate(f"app.settings.lock.{word}"), kind="corps", pad=8, act=act))

    def _choose(self) -> None:
        choose_pin(self._app, self._lock, self._app.redraw)

    def _lock_now(self) -> None:
        """Lock now and return to the home page."""
        self._lock.lock()
        self._app.home()

    def _remove(self) -> None:
        self._lock.remove_pin()
        self._app.redraw()


def _leave(app: AppContext, hub: HubPort) -> None:
    hub.leave()
    app.redraw()


def _link_texts(app: AppContext, hub: HubPort) -> list[str]:
    """Return the link state and the number of waiting items as sentences."""
    snapshot = hub.snapshot()
    lines = [_state(app, snapshot.link, snapshot.tournament or "", snapshot.table)]
    if snapshot.link.trouble is not None:
        lines.append(app.text(snapshot.link.trouble))
    if snapshot.link.waiting:
        lines.append(app.translate("app.settings.hub.waiting", n=snapshot.link.waiting))
    return lines


def _state(app: AppContext, link: LinkState, name: str, table: int | None) -> str:
    if link.since is None:
        return app.translate("app.settings.hub.state.never")
    since = app.tournament_follower.format_time(link.since)
    if not link.online:
        return app.translate("app.settings.hub.state.off", since=since)
    return app.translate("app.settings.hub.state.on", name=name, table="–" if table is None else table, since=since)


CARD_LONG_MM, CARD_SHORT_MM = 85.60, 53.98
"""Size of a bank card in millimetres."""
MIN_WIDTH_MM, MAX_WIDTH_MM = 40.0, 2000.0
"""Range of the width setting in millimetres."""
FINE_STEP = 0.01
SIZE_STEPS = (("minus", -0.04), ("minus", -FINE_STEP), ("plus", FINE_STEP), ("plus", 0.04))
"""The resize buttons: icon and change of the card, as a fraction of its size."""


class SizeSheet(Sheet):
    """A sheet to set the display size with a bank card. `accept` gets the picture width in mm; None: the default."""

    def __init__(self, app: AppContext, accept: Callable[[float | None], None]) -> None:
        self._width_mm = app.preferences.width_mm or Window.width / Metrics.density / DP_PER_MILLIMETRE
        self._accept = accept
        self.drawn = Card(size_hint=(None, None), surface="creux", line=app.theme.laiton, padding=dp(10))
        self.drawn.add_widget(Text(app.translate("app.sizing.how"), flow="box", halign="center", kind="mini"))
        around = AnchorLayout()
        around.add_widget(self.drawn)
        foot = VBox(spacing=dp(8), tall=120) if app.portrait else HBox(spacing=dp(8), tall=56)
        steps, ends = HBox(spacing=dp(8)), HBox(spacing=dp(8))
        for icon, by in SIZE_STEPS:
            word = app.translate("app.sizing.larger" if by > 0 else "app.sizing.smaller", n=round(abs(by) * 100))
            push = PushButton(icon=icon, icon_side=34 if abs(by) > FINE_STEP else 20, style="outlined", spoken=word)
            push.bind(on_tap=lambda _, by=by: self._change(by))
            steps.add_widget(push)
        for word, style, done in (
            ("app.sizing.automatic", "outlined", self._automatic),
            ("app.done", "chalk", self._done),
        ):
            push = PushButton(app.translate(word), style=style, kind="corps", pad=6, act=done)
            ends.add_widget(push)
        fill(foot, steps, ends)
        body = VBox(around, foot, spacing=dp(8))
        super().__init__(app.translate("app.sizing.title"), body, box=(0.0, 0.0, 1.0, 1.0))
        self._app = app
        self._show()

    @property
    def width_mm(self) -> float:
        """The picture width that corresponds to the card as drawn."""
        return self._width_mm

    def _change(self, by: float) -> None:
        """Resize the card. A larger card means more pixels per millimetre, so a smaller picture width."""
        self._width_mm = min(MAX_WIDTH_MM, max(MIN_WIDTH_MM, self._width_mm / (1 + by)))
        self._show()

    def _show(self) -> None:
        pixels = Window.width / self._width_mm
        wide, high = (CARD_SHORT_MM, CARD_LONG_MM) if self._app.portrait else (CARD_LONG_MM, CARD_SHORT_MM)
        self.drawn.size = (wide * pixels, high * pixels)

    def _automatic(self) -> None:
        self._app.close_sheet()
        self._accept(None)

    def _done(self) -> None:
        self._app.close_sheet()
        self._accept(round(self._width_mm, 1))


def show_size_sheet(app: AppContext) -> None:
    """Show the size sheet and save its result."""

    def accept(width_mm: float | None) -> None:
        app.apply_preferences(replace(app.preferences, width_mm=width_mm))

    app.show_sheet(SizeSheet(app, accept))


RAIL, KNOB = 10, 44
"""Height of the slider's track and width of its knob, in dp."""


class ValueSlider(Tappable, Framed):
    """A slider for a value of `scale`. `moved` receives the value during the move, `done` on release."""

    value = NumericProperty(0)

    def __init__(
        self,
        value: int,
        scale: range,
        *,
        name: str,
        done: Callable[[int], None],
        moved: Callable[[int], None] = lambda _: None,
        **kwargs: Any,
    ) -> None:
        super().__init__(explored=False, **kwargs)
        self._least, self._most, self._step = scale[0], scale[-1], scale.step
        self._name, self._done, self._moved = name, done, moved
        theme = display.theme
        with self.canvas:
            Color(*theme.creux)
            self._rail = RoundedRectangle(radius=[dp(RAIL) / 2])
            Color(*theme.craie)
            self._full = RoundedRectangle(radius=[dp(RAIL) / 2])
            self._knob = Ellipse()
        self.value = value
        bind_geometry(self, self._draw, "value")

    def spoken_name(self) -> str:
        return f"{self._name} {int(self.value)} %"

    def on_touch_down(self, touch: MotionEvent) -> bool:
        if not self.collide_point(*touch.pos):
            return False
        touch.grab(self)
        self._follow(touch.x)
        return True

    def on_touch_move(self, touch: MotionEvent) -> bool:
        if touch.grab_current is not self:
            return False
        self._follow(touch.x)
        return True

    def on_touch_up(self, touch: MotionEvent) -> bool:
        if touch.grab_current is not self:
            return False
        touch.ungrab(self)
        self._done(int(self.value))
        return True

    def _follow(self, x: float) -> None:
        left, wide = self._span()
        share = min(1.0, max(0.0, (x - left) / max(1.0, wide)))
        steps = round(share * (self._most - self._least) / self._step)
        self.value = self._least + steps * self._step
        self._moved(int(self.value))

    def _span(self) -> tuple[float, float]:
        """Return the left end and the length of the range of the knob's centre."""
        return self.x + dp(KNOB) / 2, self.width - dp(KNOB)

    def _draw(self) -> None:
        left, wide = self._span()
        at = left + wide * (self.value - self._least) / (self._most - self._least)
        low, knob = self.center_y - dp(RAIL) / 2, dp(KNOB)
        self._rail.pos, self._rail.size = (left, low), (wide, dp(RAIL))
        self._full.pos, self._full.size = (left, low), (at - left, dp(RAIL))
        self._knob.pos, self._knob.size = (at - knob / 2, self.center_y - knob / 2), (knob, knob)


ROTATIONS = (0, 90, 180, 270)
SLIDER_STEP_PERCENT = 5
"""Step of a slider in percent."""


class SettingRows:
    """A builder of setting rows. Settings are named as in `Preferences`, their texts `app.settings.<name>`."""

    def __init__(self, app: AppContext, column: BoxLayout, portrait: bool) -> None:
        self._app, self._column, self._portrait = app, column, portrait

    def named(self, name: str, values: Sequence[Value]) -> list[tuple[Value, str]]:
        """Return values with their texts."""
        return [(value, self._app.translate(f"app.settings.{name}.{value}")) for value in values]

    def row(self, name: str, options: Sequence[tuple[object, str]], detail: str = "") -> None:
        """Add a choice between a few values of a preference."""
        self.choice(name, options, getattr(self._app.preferences, name), lambda to: self._prefer(name, to), detail)

    def choice(
        self,
        name: str,
        options: Sequence[tuple[Value, str]],
        value: Value,
        chosen: Callable[[Value], None],
        detail: str = "",
    ) -> None:
        """Add a choice between a few values of any setting."""
        kind = "corps" if self._portrait or not self._app.theme.roomy or len(options) > 3 else "bouton"
        self.line(name, SegmentedControl(options, value, chosen, kind=kind), detail)

    def slide(self, name: str, icon: str, least: int) -> None:
        """Add a slider for a preference in percent. Brightness changes during the move."""
        rail = ValueSlider(
            max(least, getattr(self._app.preferences, name)),
            range(least, 101, SLIDER_STEP_PERCENT),
            name=self._app.translate(f"app.settings.{name}"),
            moved=self._app.idle_monitor.set_brightness if name == "brightness" else lambda _: None,
            done=lambda chosen: self._prefer(name, chosen),
        )
        row = HBox(Icon(icon, side=26, middle=True), rail, spacing=dp(8))
        self.line(name, row, "")

    def buttons(self, *actions: tuple[str, str, Callable[[], object], bool]) -> None:
        """Add a row of buttons: icon, message id, action, whether a long press is required."""
        narrow = self._portrait and len(actions) > 2
        line = (
            VBox(spacing=dp(10), tall=58 * len(actions) + 10 * (len(actions) - 1))
            if narrow
            else HBox(spacing=dp(10), tall=58)
        )
        fill(
            line,
            *(
                self.button(word, act, icon=icon, needs_long_press=needs_long_press)
                for icon, word, act, needs_long_press in actions
            ),
        )
        self._column.add_widget(line)

    def button(self, word: str, act: Callable[[], object], **kwargs: Any) -> PushButton:
        """Return a button with the text of a message id."""
        return PushButton(self._app.translate(word), kind="corps", pad=8, act=act, **kwargs)

    def panel(self) -> None:
        """Add the rotation of the panel (kiosk mode only) and the display size."""
        if self._app.idle_monitor.platform.is_kiosk_mode:
            self.row("rotation", self.named("rotation", ROTATIONS))
        push = self.button("app.settings.sizing.with", lambda: show_size_sheet(self._app), icon="cards")
        self.line("sizing", push, "")

    def sentence(self, word: str) -> None:
        """Add an introductory sentence, by its message id."""
        self._column.add_widget(Text(self._app.translate(word), tone="craie2", halign="left"))

    def note(self, sentence: str) -> None:
        """Add a small secondary sentence."""
        self._column.add_widget(Text(sentence, kind="mini", tone="craie2", halign="left"))

    def line(self, name: str, what: Widget, detail: str) -> None:
        """Add a name with a secondary detail before any control."""
        over = self._portrait or not self._app.theme.roomy
        line = VBox(spacing=dp(4), tall=96) if over else HBox(spacing=dp(12), tall=58)
        text_box = HBox(spacing=dp(8), tall=32) if over else VBox(spacing=dp(8), wide=150)
        name_ = Name(self._app.translate(f"app.settings.{name}"), kinds=["bouton", "corps", "mini"], halign="left")
        name_.valign = "bottom" if detail and self._app.theme.roomy and not over else "middle"
        text_box.add_widget(name_)
        if detail and self._app.theme.roomy:
            quiet = Text(
                detail, kind="mini", tone="craie2", flow="box", halign="left", valign="middle" if over else "top"
            )
            text_box.add_widget(quiet)
        fill(line, text_box, what)
        self._column.add_widget(line)

    def _prefer(self, name: str, value: Any) -> None:
        if value != getattr(self._app.preferences, name):
            self._app.apply_preferences(replace(self._app.preferences, **{name: value}))


load_kv(__file__)

SECTIONS = {
    "screen": "globe", "sound": "sound", "dice": "dice", "seats": "users", "tournament": "cup", "house": "lock",
    "data": "disk",
}  # fmt: skip
"""The sections of the settings with their icons."""
HIGH, GAP = 56, 6
"""Height of the sections and gap between them, in dp. Lower screens use a smaller height."""
SAVER_MINUTES = (5, 10, 30, 0)
CLOCK_MINUTES, CLOCK_SECONDS = (0, 30, 45, 60, 90), (0, 30, 60, 90, 120)
"""Times of a match and of a turn that the page offers; 0: no limit."""
MIN_BRIGHTNESS_PERCENT = 20
"""The minimum brightness: the screen must remain readable so that it can be made brighter."""


class SettingsPage(Page):
    """The settings page. `args`: `room`, the first section. The selected section is in the route's memory."""

    def build(self) -> None:
        translate = self.app.translate
        self.ids.bar.title = translate("app.settings.title")
        self.ids.bar.sub = translate("app.settings.at_once") if self.app.theme.roomy else ""
        here = str(self.memory.setdefault("room", self.route.args.get("room", "screen")))
        for section, icon in SECTIONS.items():
            push = PushButton(translate(f"app.settings.room.{section}"), icon=icon, icon_side=24, left=True, pad=12)
            push.style, push.size_hint_y, push.height = "raised" if section == here else "quiet", None, self._high()
            push.kind = "bouton" if self.app.theme.roomy else "corps"
            push.bind(on_tap=lambda _, section=section: self._open_section(section))
            self.ids.rooms.add_widget(push)
        self.rows = SettingRows(self.app, self.ids.rows, self.portrait)
        {
            "screen": self._screen,
            "sound": self._sound,
            "dice": lambda: self._dice_rows(),
            "seats": self._seats,
            "tournament": lambda: self._tournament_rows(),
            "house": self._device_section,
            "data": lambda: self._data_rows(),
        }[here]()

        self._poll_event = repeat(self._redraw_if_link_changed, POLL_INTERVAL_S) if here == "tournament" else None
        self._seen = self._link()

    def leave(self) -> None:
        if self._poll_event is not None:
            self._poll_event.cancel()

    def _link(self) -> object:
        hub = self.app.idle_monitor.platform.hub
        return None if hub is None else hub.snapshot().link

    def _redraw_if_link_changed(self, *_: object) -> None:
        """Redraw when the link state changes, but not while a sheet is open."""
        if self._link() != self._seen and not self.app.navigator.sheets:
            self.app.redraw()

    def _high(self) -> float:
        """Return the height of a section button. All fit on the screen, with a spare dp so that nothing scrolls."""
        if self.portrait:
            return float(dp(HIGH))
        free = self.app.navigator.height - self.ids.bar.height - dp(21 + GAP * (len(SECTIONS) - 1))
        return float(min(dp(HIGH), free / len(SECTIONS)))

    def _open_section(self, section: str) -> None:
        self.memory["room"] = section
        self.app.redraw()

    # Sections

    def _screen(self) -> None:
        translate, rows = self.app.translate, self.rows
        rows.row("language", [("fr", "Français"), ("en", "English")], translate("app.settings.language.other"))
        rows.row("text_scale", rows.named("text_scale", TEXT_SIZES))
        rows.row("contrast", rows.named("contrast", CONTRASTS))
        motions = [(False, translate("app.settings.motion.full")), (True, translate("app.settings.motion.less"))]
        rows.row("less_motion", motions)
        rows.row("moments", [(True, translate("app.settings.on")), (False, translate("app.settings.off"))])
        rows.slide("brightness", "sun", MIN_BRIGHTNESS_PERCENT)
        rows.panel()

    def _sound(self) -> None:
        translate, rows = self.app.translate, self.rows
        detail = "" if self.app.idle_monitor.platform.voice else translate("app.settings.voice.none")
        rows.row(
            "voice", rows.named("voice", ("off", "results", "all")), detail or translate("app.settings.voice.detail")
        )
        if self.app.preferences.voice == "all":
            rows.note(translate("app.settings.voice.explored"))
        detail = "" if self.app.idle_monitor.platform.chimes else translate("app.settings.effects.none")
        rows.row("effects", [(True, translate("app.settings.on")), (False, translate("app.settings.off"))], detail)
        rows.slide("volume", "sound", 0)

    def _seats(self) -> None:
        translate, rows = self.app.translate, self.rows
        rows.row("seats", rows.named("seats", ("beside", "facing")))
        if self.app.preferences.facing:
            rows.note(translate("app.settings.seats.explained"))
        rows.row("hand", rows.named("hand", ("right", "left")))
        places = [(False, translate("app.settings.places.left")), (True, translate("app.settings.places.right"))]
        rows.row("swapped", places, translate("app.settings.swapped.detail"))
        self._clock_rows()

    def _clock_rows(self) -> None:
        """Add the clock of the matches that no tournament sets."""
        app, rows, clock = self.app, self.rows, self.app.settings.config.clock
        modes = [(mode, app.translate(f"app.clock.mode.{mode}")) for mode in CLOCK_MODES]
        detail = app.translate("app.settings.clock_mode.detail")
        rows.choice("clock_mode", modes, clock.mode, partial(apply_setting, app, "clock", "mode"), detail)
        if clock.mode == "off":
            return
        rows.note(app.translate(f"app.clock.explained.{clock.mode}"))
        for key, values in (("match_minutes", CLOCK_MINUTES), ("turn_seconds", CLOCK_SECONDS)):
            options = [
                (n, app.translate(f"app.clock.{key}", n=n) if n else app.translate("app.clock.none")) for n in values
            ]
            rows.choice(f"clock_{key}", options, getattr(clock, key), partial(apply_setting, app, "clock", key))

    def _device_section(self) -> None:
        translate, rows = self.app.translate, self.rows
        self._table_rows()
        minutes = [
            (m, translate("app.settings.saver.after", minutes=m) if m else translate("app.settings.off"))
            for m in SAVER_MINUTES
        ]
        rows.row("saver_minutes", minutes, translate("app.settings.saver_minutes.detail"))
        rows.row("keyboard", rows.named("keyboard", ("auto", "shown", "hidden")))
        platform = self.app.idle_monitor.platform
        if platform.lock is not None:
            detail = translate("app.settings.lock.on" if platform.lock.has_pin else "app.settings.lock.off")
            rows.line("lock", LockRow(self.app, platform.lock), detail)
        rows.buttons(
            ("pulse", "app.settings.diagnostic", lambda: self.app.open("diagnostic"), False),
            ("hand", "app.settings.first_steps", lambda: self.app.open("welcome"), False),
            *([("power", "app.settings.leave", self.app.stop, True)] if platform.is_kiosk_mode else []),
        )

    def _table_rows(self) -> None:
        """Add the name of this table."""
        app = self.app
        name = self.rows.button("app.settings.rename", lambda: rename(app), icon="edit")
        name.text = app.settings.config.table.name
        self.rows.line("table_name", name, app.translate("app.settings.table_name.detail"))

    def _dice_rows(self) -> None:
        """Add the camera and the learned faces of the players' own dice."""
        app, rows, platform = self.app, self.rows, self.app.idle_monitor.platform
        if platform.cameras is not None:
            push = rows.button("app.settings.camera", partial(_choose_camera, app, platform.cameras), icon="cam")
            push.text = source_text(app, platform.cameras.source)
            rows.line("camera", push, app.translate("app.settings.camera.detail"))
        switch = [(True, app.translate("app.settings.on")), (False, app.translate("app.settings.off"))]
        misreads = app.settings.config.data.misreads
        rows.choice(
            "misreads",
            switch,
            misreads,
            partial(apply_setting, app, "data", "misreads"),
            app.translate("app.settings.next_start"),
        )
        if not platform.learned_faces:
            rows.note(app.translate("app.settings.own_dice.none"))
        for game, own in platform.learned_faces.items():
            known, of = own.known_and_total
            rows.note(app.translate("app.settings.own_dice", game=app.translate(f"app.game.{game}"), n=known, of=of))
            if known:
                rows.buttons(("bin", "app.settings.own_dice.forget", partial(_forget, app, own), True))

    def _data_rows(self) -> None:
        """Add the data folder, the space used by matches and pictures, and the backup."""
        app, rows, kept = self.app, self.rows, self.app.settings.config.data
        rows.note(_storage_text(app))
        soon = app.translate("app.settings.next_start")
        sizes = [(size, app.translate("app.settings.pictures_mb.of", n=size)) for size in PICTURE_LIMITS_MB]
        rows.choice("pictures_mb", sizes, kept.pictures_mb, partial(apply_setting, app, "data", "pictures_mb"), soon)
        days = [
            (n, app.translate("app.settings.pictures_days.of", n=n) if n else app.translate("app.settings.never"))
            for n in PICTURE_RETENTION_DAYS
        ]
        rows.choice(
            "pictures_days", days, kept.pictures_days, partial(apply_setting, app, "data", "pictures_days"), soon
        )
        backup = app.idle_monitor.platform.write_backup
        if backup is not None and app.export_config is not None:
            rows.buttons(("out", "app.settings.backup", partial(_back_up, app, backup), False))
            status = self.memory.get("backup", app.translate("app.settings.backup.detail"))
            rows.note(status)
        rows.buttons(("list", "app.home.look_back", lambda: app.open("matches"), False))
        if app.export_config is not None and app.export_config.sheets is not None:
            rows.buttons(("out", "app.sheets.open", lambda: show_games_sheet(app, self._show_sheet_status), False))
            rows.note(self.memory.get("sheet", app.translate("app.sheets.detail")))

    def _show_sheet_status(self, status: str) -> None:
        """Show whether a sheet was written, on the page as it is then."""
        self.memory["sheet"] = status
        page = self.app.navigator.page
        if page is not None and page.route is self.route and not self.app.navigator.sheets:
            self.app.redraw()

    def _tournament_rows(self) -> None:
        """Add the tournament settings, or a sentence if there is no hub link."""
        app, rows, hub = self.app, self.rows, self.app.idle_monitor.platform.hub
        if hub is None:
            rows.note(app.translate("app.settings.hub.unsupported"))
            return
        snapshot = hub.snapshot()
        if not snapshot.link.joined:
            rows.sentence("app.settings.hub.none")
            form = JoinForm(app, hub)
            if form.can_scan:
                rows.buttons(("cam", "app.settings.hub.scan", form.scan, False))
            if form.can_pair:
                rows.buttons(("hand", "app.settings.hub.pair", form.ask_pages_address, False))
            rows.buttons(("cup", "app.settings.hub.join", form.ask_address, False))
            return
        for sentence in _link_texts(app, hub):
            rows.note(sentence)
        join = rows.button("app.settings.hub.join", JoinForm(app, hub).ask_address, icon="edit")
        join.text = snapshot.tournament or app.translate("app.settings.hub.join")
        rows.line("hub", join, app.translate("app.settings.hub.detail"))
        referee = app.tournament_follower.referee_lock
        if referee is not None:
            if referee.is_adopted:
                rows.sentence("app.settings.referee.given")
            else:
                detail = app.translate("app.settings.referee.on" if referee.has_pin else "app.settings.referee.off")
                rows.line("referee", LockRow(app, referee, can_lock=False), detail)
        rows.buttons(("power", "app.settings.hub.leave", partial(_leave, app, hub), True))
