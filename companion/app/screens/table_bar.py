"""The bar under the table: menu, last fact, camera, devices, undo; and the sheet with the picture of the tray."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kivy.clock import Clock
from kivy.graphics import Color, Ellipse
from kivy.metrics import dp
from kivy.properties import StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.display import at_hyphen, context_of, display, say, text
from companion.app.figures.tray import Boxed, Photograph
from companion.app.help.rules import hint, hint_sheet
from companion.app.screens.table_state import TAKEN_BACK_SHOWN, TakenBack
from companion.app.widgets.marks import Framed, Icon
from companion.app.widgets.pieces import HBox, Scroller, VBox, fill, whenever_placed
from companion.app.widgets.push import Push, TapOrHold
from companion.app.widgets.sheet import Sheet
from companion.app.widgets.text import Head, Text
from companion.games.base import Message
from companion.table.controls import Devices
from companion.table.session import Session

if TYPE_CHECKING:
    from companion.app.context import AppContext
    from companion.app.screens.table import TablePage


def missed_devices(context: AppContext) -> list[Widget]:
    """The sign in the bar; nothing while every device that was there still is."""
    devices = context.presses.controls.devices
    if not devices.missed:
        return []
    push = Push(icon="unplugged", icon_side=28, look="brass", spoken=say("button.offline"), wide=56)
    push.bind(on_tap=lambda *_: context.lay(missed_sheet(devices)))
    return [push]


def missed_sheet(devices: Devices) -> Sheet:
    """Each device that is missed, and the one thing to do."""
    body = VBox(spacing=dp(8), grows=True)
    for link in devices.missed:
        body.add_widget(Head(say(f"button.device.{link.source}"), kind="bouton", tone="laiton", halign="left"))
        body.add_widget(Text(say(f"button.{link.source}_gone"), halign="left"))
        if link.trouble is not None:
            body.add_widget(Text(say(f"button.trouble.{link.trouble}"), halign="left", tone="craie2"))
    return Sheet(say("button.offline"), Scroller(body), box=(0.1, 0.14, 0.8, 0.72))


_TRAY_EVERY = 0.1


class CameraSheet(Sheet):
    """The whole picture of the tray as it is now, with every die boxed, and what the camera says of itself."""

    def __init__(self, session: Session) -> None:
        self._session = session
        camera = session.dice.camera
        if session.dice.reader is not None:
            session.dice.reader.show_tray(True)  # until the next event, also where no dice are awaited
        boxes = [Boxed(die.box, asked=not die.reading.certain) for die in session.dice.lying]
        self._photograph = Photograph(session.dice.picture, boxes, whole=True, boxes_in=session.dice.picture_size)
        if camera is not None and not camera.present:
            words = say("app.table.camera_gone", name=camera.name)
        else:
            words = say("app.table.camera_sees", name=camera.name if camera else "", n=len(boxes))
        calibrate = Push(say("calibration.open"), icon="target", hug=True)
        calibrate.bind(on_tap=lambda *_: context_of(self).open("calibration"))
        foot = HBox(Text(words, tone="craie2", flow="box", halign="left"), calibrate, spacing=dp(8), tall=56)
        body = VBox(self._photograph, foot, spacing=dp(8))
        super().__init__(say("app.table.camera"), body, box=(0.04, 0.04, 0.92, 0.92))
        self._pulse = Clock.schedule_interval(self._show, _TRAY_EVERY)

    def _show(self, *_: object) -> None:
        if self.parent is None:
            self._pulse.cancel()
            return
        self._photograph.show(self._session.dice.picture)


def last_fact(session: Session) -> Message | None:
    """The newest standing fact."""
    newest = session.ledger.newest
    if newest is None:
        return None
    return session.game.describe(newest.state_after, newest.fields, newest.outcome)


class Bar(Framed, BoxLayout):
    """Always there, whatever the table shows; for the left hand the other way round."""

    def __init__(self, page: TablePage, **kwargs: Any) -> None:
        super().__init__(padding=(dp(6), dp(2)), spacing=dp(4), radius=1, **kwargs)
        self.fill = display.theme.nuit
        self._page = page
        self._fact: LastFact | None = None
        self._undo_push: Push | None = None
        self._shape = self._shape_now()
        taken = page.kept.taken_back()
        pieces = [*self._menu(), *(self._undone(taken) if taken else self._called() or self._usual())]
        fill(self, *(reversed(pieces) if display.left_handed else pieces))

    def show(self) -> bool:
        """Tells the newest fact in place; False if other things must stand here, and the bar be made anew."""
        if self._fact is None or self._shape != self._shape_now():
            return False
        self._tell()
        return True

    def _shape_now(self) -> tuple[object, ...]:
        """What decides which things stand in the bar."""
        camera = self._page.session.dice.camera
        seen = camera is not None and camera.present
        signs = self._page.app.presses.signs()
        return self._page.kept.taken_back() is not None, camera is not None, seen, self._page.is_guided(), signs

    def _menu(self) -> list[Widget]:
        words = say("app.table.menu")
        menu = Push(icon="menu", icon_side=28, look="quiet", spoken=words, wide=52)
        menu.bind(on_tap=lambda *_: self._page.app.lay(self._page.menu_sheet()))
        return [menu]

    def _usual(self) -> list[Widget]:
        page = self._page
        guided = page.is_guided()
        self._fact = LastFact("", icon="help" if guided else "list", act=self._open_fact)
        self._fact.bind(on_hold=lambda *_: page.mend_newest())
        missed = missed_devices(page.app)
        self._undo_push = self._small_undo() if missed and page.portrait else self._large_undo()
        self._tell()
        return [self._fact, *missed, *(self._close_guide() if guided else self._camera()), self._undo_push]

    def _called(self) -> list[Widget]:
        """The referee is called: that stands in the bar until somebody says that it is settled."""
        presses = self._page.app.presses
        if not presses.controls.referee:
            return []
        words = say("button.referee")
        fact = LastFact(words, spoken=words, icon="hand", tone="laiton")
        settled = Push(say("button.referee_settled"), icon="check", look="brass", hug=True)
        settled.bind(on_tap=lambda *_: presses.settle_referee())
        return [fact, settled, self._small_undo()]

    def _open_fact(self) -> None:
        """The hint with its rules while the match is guided, the timeline otherwise."""
        if self._page.is_guided():
            self._page.app.lay(hint_sheet(self._page.session))
        else:
            self._page.app.open("timeline", session=self._page.session)

    def _close_guide(self) -> list[Widget]:
        close = Push(icon="cross", look="quiet", spoken=say("app.help.hide_guide"), wide=52)
        close.bind(on_tap=lambda *_: self._page.guide(False))
        return [close, *self._camera()]

    def _tell(self) -> None:
        last = last_fact(self._page.session)
        words = text(last) if last else say("app.table.no_fact")
        if self._fact is not None and self._undo_push is not None:
            spoken = say("app.table.last_fact", fact=words)
            if self._page.is_guided():
                words = hint(self._page.session)
                spoken = say("app.help.hint", hint=words)
            self._fact.text, self._fact.spoken = words, spoken
            self._undo_push.look = "outlined" if last else "dashed"

    def _undone(self, taken: TakenBack) -> list[Widget]:
        words = say("app.table.taken_back", fact=text(taken.text))
        fact = LastFact(words, spoken=words, icon="undo")
        again = Push(say("app.table.redo"), look="brass", hug=True, act=lambda: self._page.redo(taken.sequence))
        Clock.schedule_once(self._usual_again, TAKEN_BACK_SHOWN + 0.05)
        return [fact, again, self._small_undo()]

    def _large_undo(self) -> Push:
        return Push(say("app.table.undo"), icon="undo", hug=True, act=lambda: self._page.take_back())

    def _small_undo(self) -> Push:
        return Push(icon="undo", look="outlined", spoken=say("app.table.undo"), wide=56, act=self._page.take_back)

    def _camera(self) -> list[Widget]:
        camera = self._page.session.dice.camera
        if camera is None:
            return []
        if camera.present:
            push = Watching("", icon="cam", icon_side=28, look="quiet", spoken=say("app.table.camera"), wide=52)
        else:
            words = "" if display.portrait else say("app.table.camera_lost")
            push = Push(
                words,
                icon="camoff",
                icon_side=26,
                look="brass",
                kind="corps",
                hug=bool(words),
                spoken=say("app.table.camera_lost"),
                wide=56,
            )
        push.bind(on_tap=lambda *_: self._page.app.lay(CameraSheet(self._page.session)))
        return [push]

    def _usual_again(self, *_: object) -> None:
        if self.get_root_window() is not None:
            self._page.pieces.show_bar()


class LastFact(TapOrHold, Framed, BoxLayout):
    """The newest fact on one line, or in smaller letters on two where that is not enough. Held, it mends a roll."""

    text = StringProperty("")

    def __init__(self, words: str, icon: str = "list", tone: str = "", **kwargs: Any) -> None:
        super().__init__(spacing=dp(8), padding=(dp(8), 0), text=words, **kwargs)
        self.add_widget(Icon(icon, side=24, tone=tone or "craie", middle=True))
        self._words = Text(words, tone=tone or "craie2", flow="box", halign="left")
        self._words.fbind("size", self._fit)
        self.fbind("text", self._fit)
        self.add_widget(self._words)

    def shine(self, on: bool) -> None:
        theme = display.theme
        self.fill = theme.feutre if on else (0, 0, 0, 0)

    def _fit(self, *_: object) -> None:
        """Sizes never shrink nor words leave but here: the whole fact is one tap away."""
        words = self._words
        if words.width < dp(20):
            return
        words.text, words.kind = self.text, "corps"
        if words._label.get_extents(words.text)[0] <= words.width:
            return
        words.kind = "mini"
        long = [word for word in self.text.split(" ") if words._label.get_extents(word)[0] > words.width]
        kept = [at_hyphen(word) if word in long else word for word in self.text.split(" ")]
        words.text = " ".join(kept)
        while len(kept) > 1 and not _whole(words):
            kept.pop()
            words.text = " ".join(kept) + "…"


def _whole(words: Text) -> bool:
    """Whether all words stand in their box. Kivy writes lines beyond it, but leaves out some that would just fit."""
    words.text_size = (words.width, None)
    words.texture_update()
    tall = words.texture_size[1]
    words.text_size = words.size
    words.texture_update()
    lines = getattr(words._label, "_cached_lines", ())
    shown = [part for line in lines for part in "".join(word.text for word in line.words).split()]
    return tall <= words.height and shown == words.text.split()


class Watching(Push):
    """The camera's button with the dot that says that it sees."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        with self.canvas.after:
            Color(*display.theme.craie)
            self._dot = Ellipse(size=(dp(10), dp(10)))
        whenever_placed(self, self._put_dot)

    def _put_dot(self) -> None:
        self._dot.pos = (self.right - dp(17), self.top - dp(19))
