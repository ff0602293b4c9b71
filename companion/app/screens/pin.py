"""The sheet that asks for a PIN, and the one that sets it: twelve large keys, and what to do when it is forgotten."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.display import display
from companion.app.lock import LEAST_DIGITS, MOST_DIGITS, Lock
from companion.app.widgets.pieces import Grid, VBox, fill
from companion.app.widgets.push import Push
from companion.app.widgets.sheet import Sheet
from companion.app.widgets.text import Head, Text

if TYPE_CHECKING:
    from companion.app.context import AppContext

LOOK = 0.25
"""Seconds between two looks at how long one has to wait."""
_DOT, _FREE = "●", "–"


class PinPad(BoxLayout):
    """Digits, what was typed as dots, and a line that says what is wanted. `done` gets the PIN."""

    secret = True
    """Nobody is told what is typed."""

    def __init__(self, say: str, done: Callable[[str], None], **kwargs: Any) -> None:
        upright = display.portrait
        super().__init__(orientation="vertical" if upright else "horizontal", spacing=dp(16), **kwargs)
        self._typed, self._done = "", done
        words = VBox(spacing=dp(8))
        if upright:
            words.size_hint_y, words.height = None, dp(60) + 6 * display.theme.type("corps")
        self._dots = Head("", kind="grand", flow="box", halign="center", tall=52)
        self._line = Text(say, flow="box", halign="center", valign="top", tone="craie2")
        fill(words, self._dots, self._line)
        self.add_widget(words)
        keys = Grid(cols=3, spacing=dp(8))
        fill(keys, *(self._key(digit, digit, partial(self._type, digit)) for digit in "123456789"))
        keys.add_widget(self._key("", display.say("app.key.back"), self._take_back, icon="backspace"))
        keys.add_widget(self._key("0", "0", partial(self._type, "0")))
        self._ok = self._key(display.say("app.pin.ok"), display.say("app.pin.ok"), self._finish)
        keys.add_widget(self._ok)
        self.add_widget(keys)
        self._show()

    def tell(self, sentence: str, tone: str = "laiton") -> None:
        """Another line; what was typed is gone."""
        self._typed, self._line.text, self._line.tone = "", sentence, tone
        self._show()

    def _key(self, text: str, spoken: str, act: Callable[[], None], icon: str = "") -> Push:
        key = _PadKey(text, icon=icon, icon_side=28, look="well", kind="titre", spoken=spoken)
        key.bind(on_tap=lambda *_: act())
        return key

    def _type(self, digit: str) -> None:
        if len(self._typed) < MOST_DIGITS:
            self._typed += digit
            self._show()

    def _take_back(self) -> None:
        self._typed = self._typed[:-1]
        self._show()

    def _finish(self) -> None:
        if len(self._typed) >= LEAST_DIGITS:
            self._done(self._typed)

    def _show(self) -> None:
        self._dots.text = _FREE * LEAST_DIGITS if not self._typed else "".join(_DOT for _ in self._typed)
        self._ok.look = "chalk" if len(self._typed) >= LEAST_DIGITS else "dashed"


class _PadKey(Push):
    def passes(self) -> bool:
        """Every tap counts: whoever types a PIN is fast."""
        return True


def ask_pin(app: AppContext, lock: Lock, enter: Callable[[], None]) -> None:
    """Lays the sheet that opens the lock, then goes in."""

    def tried(pin: str) -> None:
        if lock.try_pin(pin):
            sheet.leave()
            enter()
        elif lock.waiting():
            waited()
        else:
            pad.tell(app.say("app.pin.wrong"))

    def waited(*_: object) -> bool:
        """Counts down while one has to wait; False ends the count."""
        left = lock.waiting()
        pad.tell(app.say("app.pin.wait", n=left) if left else app.say("app.pin.again"))
        if left and pad.get_root_window() is not None:
            Clock.schedule_once(waited, LOOK)
        return False

    pad = PinPad(app.say("app.pin.ask"), tried)
    sheet = pin_sheet(app.say("app.pin.title"), pad)
    app.lay(sheet)
    if lock.waiting():
        waited()


def choose_pin(app: AppContext, lock: Lock, done: Callable[[], None]) -> None:
    """Asks for a new PIN twice."""
    first: list[str] = []

    def typed(pin: str) -> None:
        if not first:
            first.append(pin)
            pad.tell(app.say("app.pin.repeat"), "craie2")
        elif first.pop() != pin:
            pad.tell(app.say("app.pin.differs"))
        else:
            try:
                lock.choose(pin)
            except OSError as fault:
                pad.tell(app.say("app.pin.not_kept", reason=fault.strerror))
                return
            sheet.leave()
            done()

    pad = PinPad(app.say("app.pin.new"), typed)
    sheet = pin_sheet(app.say("app.pin.new_title"), pad)
    app.lay(sheet)


def pin_sheet(title: str, pad: PinPad) -> Sheet:
    """The sheet around a pad; its cross goes back to where one was."""
    return Sheet(title, pad, box=(0.04, 0.04, 0.92, 0.92))
