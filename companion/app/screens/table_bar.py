"""The bar below the table (menu, last event, camera, devices, undo), and the sheet with the tray picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kivy.clock import Clock
from kivy.graphics import Color, Ellipse
from kivy.metrics import dp
from kivy.properties import StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.display import break_at_hyphen, camera_name, context_of, display, text, translate
from companion.app.figures.tray import DieBox, Photograph
from companion.app.help.rules import hint, hint_sheet
from companion.app.intervals import repeat
from companion.app.screens.table_clock import ClockButton
from companion.app.screens.table_state import UNDO_NOTICE_S, UndoneEvent
from companion.app.widgets.button import LongPressable, PushButton
from companion.app.widgets.components import HBox, Scroller, VBox, bind_geometry, fill
from companion.app.widgets.marks import Framed, Icon
from companion.app.widgets.sheet import Sheet
from companion.app.widgets.text import UNBREAKABLE, BoldText, Text
from companion.games.base import Message
from companion.games.registry import SPECS
from companion.journal.ledger import AnyAppliedEvent
from companion.table.controls import Devices
from companion.table.session import Session

if TYPE_CHECKING:
    from companion.app.context import AppContext
    from companion.app.screens.table import TablePage


def missed_devices(context: AppContext) -> list[Widget]:
    """Return the warning button for lost devices, or nothing while all devices are connected."""
    devices = context.hardware_buttons.controls.devices
    if not devices.lost_links:
        return []
    push = PushButton(icon="unplugged", icon_side=28, style="brass", spoken=translate("button.offline"), wide=56)
    push.bind(on_tap=lambda *_: context.show_sheet(missing_devices_sheet(devices)))
    return [push]


def clock_widgets(context: AppContext) -> list[Widget]:
    """Return the clock of the match, or nothing for a match without limits."""
    clock = context.match_timer.clock
    return [] if clock is None else [ClockButton(context, clock)]


def missing_devices_sheet(devices: Devices) -> Sheet:
    """Return a sheet that lists each lost device and what to do."""
    body = VBox(spacing=dp(8), grows=True)
    for link in devices.lost_links:
        body.add_widget(
            BoldText(translate(f"button.device.{link.source}"), kind="bouton", tone="laiton", halign="left")
        )
        body.add_widget(Text(translate(f"button.{link.source}_gone"), halign="left"))
        if link.trouble is not None:
            body.add_widget(Text(translate(f"button.trouble.{link.trouble}"), halign="left", tone="craie2"))
    return Sheet(translate("button.offline"), Scroller(body), box=(0.1, 0.14, 0.8, 0.72))


_TRAY_UPDATE_INTERVAL_S = 0.1


class CameraSheet(Sheet):
    """The live tray picture with a box around every die, and the camera status."""

    def __init__(self, session: Session) -> None:
        self._session = session
        camera = session.dice.camera
        if session.dice.reader is not None:
            session.dice.reader.show_tray(True)  # until the next event, even if no dice are awaited
        boxes = [DieBox(die.box, is_questioned=not die.reading.certain) for die in session.dice.placed_dice]
        self._photograph = Photograph(session.dice.picture, boxes, whole=True, boxes_in=session.dice.picture_size)
        if camera is not None and not camera.present:
            message = translate("app.table.camera_gone", name=camera_name(camera.name))
        elif camera is not None and not camera.sees:
            message = text(Message(f"camera.{camera.trouble}"))
        else:
            name = camera_name(camera.name if camera else "")
            word = "app.table.camera_sees" if boxes else "app.table.camera_empty"
            message = translate(word, name=name, **({"n": len(boxes)} if boxes else {}))
        calibrate = PushButton(translate("calibration.open"), icon="target", hug=True)
        calibrate.bind(on_tap=lambda *_: context_of(self).open("calibration"))
        foot = HBox(Text(message, tone="craie2", flow="box", halign="left"), calibrate, spacing=dp(8), tall=56)
        body = VBox(self._photograph, foot, spacing=dp(8))
        super().__init__(translate("app.table.camera"), body, box=(0.04, 0.04, 0.92, 0.92))
        self._update_event = repeat(self._show, _TRAY_UPDATE_INTERVAL_S)

    def _show(self, *_: object) -> None:
        if self.parent is None:
            self._update_event.cancel()
            return
        self._photograph.show(self._session.dice.picture)


def last_event_text(session: Session) -> Message | None:
    """Return the description of the newest valid event."""
    return event_text(session, session.ledger.newest)


def event_text(session: Session, event: AnyAppliedEvent | None) -> Message | None:
    """Return the description of an event, None if there is none."""
    return None if event is None else session.game.describe(event.state_after, event.fields, event.outcome)


def has_dice(session: Session) -> bool:
    """True if the game of the match is played with dice."""
    return bool(SPECS[session.game.id].screens.tile_dice)


class TableBar(Framed, BoxLayout):
    """The bar, shown in every state of the table; mirrored for left-handed players."""

    def __init__(self, page: TablePage, **kwargs: Any) -> None:
        super().__init__(padding=(dp(6), dp(2)), spacing=dp(4), radius=1, **kwargs)
        self.fill = display.theme.nuit
        self._page = page
        self._last_event: LastEventButton | None = None
        self._undo_push: PushButton | None = None
        self._hint: PushButton | None = None
        self._shape = self._shape_now()
        taken = page.table_memory.recent_undo()
        pieces = [
            *self._menu(),
            *(self._undo_notice(taken) if taken else self._referee_call() or self._default_widgets()),
        ]
        fill(self, *(reversed(pieces) if display.left_handed else pieces))

    def show(self) -> bool:
        """Update the last event in place. Returns False if other widgets are needed and the bar must be rebuilt."""
        if self._last_event is None or self._shape != self._shape_now():
            return False
        self._update_text()
        return True

    def _shape_now(self) -> tuple[object, ...]:
        """Return the values that determine the widgets of the bar."""
        camera = self._page.session.dice.camera
        seen = camera is not None and camera.sees
        signs = self._page.app.hardware_buttons.device_status()
        return (
            self._page.table_memory.recent_undo() is not None,
            camera is not None,
            seen,
            None if camera is None else camera.trouble,
            self._page.is_guided(),
            signs,
        )

    def _menu(self) -> list[Widget]:
        label = translate("app.table.menu")
        menu = PushButton(icon="menu", icon_side=28, style="quiet", spoken=label, wide=52)
        menu.bind(on_tap=lambda *_: self._page.app.show_sheet(self._page.menu_sheet()))
        return [menu]

    def _default_widgets(self) -> list[Widget]:
        page = self._page
        guided = page.is_guided()
        self._last_event = LastEventButton("", act=self._open_last_event)
        self._last_event.bind(on_hold=lambda *_: page.fix_newest_roll())
        missed = missed_devices(page.app)
        clock = clock_widgets(page.app)
        self._undo_push = self._small_undo() if (missed or clock) and page.portrait else self._large_undo()
        devices = self._guide() if guided else self._camera()
        self._update_text()
        return [self._last_event, *missed, *clock, *devices, self._undo_push]

    def _referee_call(self) -> list[Widget]:
        """Return the widgets of a referee call, shown until somebody marks it as settled."""
        presses = self._page.app.hardware_buttons
        if not presses.controls.is_referee_called:
            return []
        message = translate("button.referee")
        fact = LastEventButton(message, spoken=message, icon="hand", tone="laiton")
        done_button = PushButton(translate("button.referee_settled"), icon="check", style="brass", hug=True)
        done_button.bind(on_tap=lambda *_: presses.dismiss_referee_call())
        return [fact, *clock_widgets(self._page.app), done_button, self._small_undo()]

    def _open_last_event(self) -> None:
        self._page.app.open("timeline", session=self._page.session)

    def _guide(self) -> list[Widget]:
        self._hint = PushButton(icon="help", style="quiet", spoken="", wide=52)
        self._hint.bind(on_tap=lambda *_: self._page.app.show_sheet(hint_sheet(self._page.session)))
        close = PushButton(icon="cross", style="quiet", spoken=translate("app.help.hide_guide"), wide=52)
        close.bind(on_tap=lambda *_: self._page.guide(False))
        return [self._hint, close, *self._camera()]

    def _update_text(self) -> None:
        last = last_event_text(self._page.session)
        message = text(last) if last else translate("app.table.no_fact")
        if self._last_event is not None and self._undo_push is not None:
            spoken = translate("app.table.last_fact", fact=message)
            self._last_event.text, self._last_event.spoken = message, spoken
            if self._hint is not None:
                self._hint.spoken = translate("app.help.hint", hint=hint(self._page.session))
            self._undo_push.style = "outlined" if last else "dashed"

    def _undo_notice(self, undone: UndoneEvent) -> list[Widget]:
        message = translate("app.table.taken_back", fact=text(undone.text))
        fact = LastEventButton(message, spoken=message, icon="undo")
        again = PushButton(
            translate("app.table.redo"), style="brass", hug=True, act=lambda: self._page.redo(undone.sequence)
        )
        Clock.schedule_once(self._usual_again, UNDO_NOTICE_S + 0.05)
        return [fact, again, self._small_undo()]

    def _large_undo(self) -> PushButton:
        return PushButton(translate("app.table.undo"), icon="undo", hug=True, act=lambda: self._page.undo())

    def _small_undo(self) -> PushButton:
        return PushButton(
            icon="undo", style="outlined", spoken=translate("app.table.undo"), wide=56, act=self._page.undo
        )

    def _camera(self) -> list[Widget]:
        camera = self._page.session.dice.camera
        if camera is None or not has_dice(self._page.session):
            return []
        if camera.sees:
            push = CameraButton(
                "", icon="cam", icon_side=28, style="quiet", spoken=translate("app.table.camera"), wide=52
            )
        else:
            fault = translate(f"app.table.camera_{camera.trouble if camera.present else 'lost'}")
            label = "" if display.portrait else fault
            push = PushButton(
                label,
                icon="camoff",
                icon_side=26,
                style="brass",
                kind="corps",
                hug=bool(label),
                spoken=fault,
                wide=56,
            )
        push.bind(on_tap=lambda *_: self._page.app.show_sheet(CameraSheet(self._page.session)))
        return [push]

    def _usual_again(self, *_: object) -> None:
        if self.get_root_window() is not None:
            self._page.pieces.show_bar()


class LastEventButton(LongPressable, Framed, BoxLayout):
    """The last event on one line, or on two in smaller type. A long press corrects the newest roll."""

    text = StringProperty("")

    def __init__(self, content: str, icon: str = "list", tone: str = "", **kwargs: Any) -> None:
        super().__init__(spacing=dp(8), padding=(dp(8), 0), text=content, **kwargs)
        self.add_widget(Icon(icon, side=24, tone=tone or "craie", middle=True))
        self._label = Text(content, tone=tone or "craie2", flow="box", halign="left")
        self._label.fbind("size", self._fit)
        self.fbind("text", self._fit)
        self.add_widget(self._label)

    def show_pressed(self, on: bool) -> None:
        theme = display.theme
        self.fill = theme.feutre if on else (0, 0, 0, 0)

    def _fit(self, *_: object) -> None:
        """Fit the text: the only place where type shrinks or words are dropped, because a tap shows the whole event."""
        label = self._label
        if label.width < dp(20):
            return
        label.text, label.kind = self.text, "corps"
        if label._label.get_extents(label.text)[0] <= label.width:
            return
        label.kind = "mini"
        long = [word for word in self.text.split(" ") if label._label.get_extents(word)[0] > label.width]
        kept = [break_at_hyphen(word) if word in long else word for word in self.text.split(" ")]
        label.text = " ".join(kept)
        while kept[0] and not _fits_box(label):
            if len(kept) > 1:
                kept.pop()
            else:  # a name of 40 Chinese or Japanese signs is one word
                kept[0] = kept[0][:-1].rstrip()
            label.text = " ".join(kept) + "…"


def _fits_box(label: Text) -> bool:
    """True if all words fit in the box. Kivy draws lines beyond the box but omits some that would just fit."""
    label.text_size = (label.width, None)
    label.texture_update()
    tall = label.texture_size[1]
    label.text_size = label.size
    label.texture_update()
    lines = getattr(label._label, "_cached_lines", ())
    rendered = [part for line in lines for part in UNBREAKABLE.findall("".join(word.text for word in line.words))]
    return tall <= label.height and rendered == UNBREAKABLE.findall(label.text)


class CameraButton(PushButton):
    """The camera button, with a dot while the camera works."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        with self.canvas.after:
            Color(*display.theme.craie)
            self._dot = Ellipse(size=(dp(10), dp(10)))
        bind_geometry(self, self._put_dot)

    def _put_dot(self) -> None:
        self._dot.pos = (self.right - dp(17), self.top - dp(19))
