"""Sheets that ask for a PIN or set one, with twelve large keys. They also explain what to do if it is forgotten."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.display import display
from companion.app.pin_lock import PinLock
from companion.app.widgets.button import PushButton
from companion.app.widgets.components import Grid, VBox, fill
from companion.app.widgets.sheet import Sheet
from companion.app.widgets.text import BoldText, Text
from companion.language import reason_of
from companion.messages.pin import MAX_PIN_DIGITS, MIN_PIN_DIGITS

if TYPE_CHECKING:
    from companion.app.context import AppContext

COUNTDOWN_INTERVAL_S = 0.25
"""Seconds between two updates of the countdown."""
_DOT, _FREE = "●", "–"


class PinPad(BoxLayout):
    """Number pad with the typed digits as dots and a line of instructions. `done` receives the PIN."""

    secret = True
    """Typed digits are never spoken."""

    def __init__(self, prompt: str, done: Callable[[str], None], **kwargs: Any) -> None:
        upright = display.portrait
        super().__init__(orientation="vertical" if upright else "horizontal", spacing=dp(16), **kwargs)
        self._typed, self._done = "", done
        text_box = VBox(spacing=dp(8))
        if upright:
            text_box.size_hint_y, text_box.height = None, dp(60) + 6 * display.theme.type("corps")
        self._dots = BoldText("", kind="grand", flow="box", halign="center", tall=52)
        self._line = Text(prompt, flow="box", halign="center", valign="top", tone="craie2")
        fill(text_box, self._dots, self._line)
        self.add_widget(text_box)
        keys = Grid(cols=3, spacing=dp(8))
        fill(keys, *(self._key(digit, digit, partial(self._type, digit)) for digit in "123456789"))
        keys.add_widget(self._key("", display.language("app.key.back"), self._take_back, icon="backspace"))
        keys.add_widget(self._key("0", "0", partial(self._type, "0")))
        self._ok = self._key(display.language("app.pin.ok"), display.language("app.pin.ok"), self._finish)
        keys.add_widget(self._ok)
        self.add_widget(keys)
        self._show()

    def show_message(self, sentence: str, tone: str = "laiton") -> None:
        """Show another line of text and clear the typed digits."""
        self._typed, self._line.text, self._line.tone = "", sentence, tone
        self._show()

    def _key(self, text: str, spoken: str, act: Callable[[], None], icon: str = "") -> PushButton:
        key = _PadKey(text, icon=icon, icon_side=28, style="well", kind="titre", spoken=spoken)
        key.bind(on_tap=lambda *_: act())
        return key

    def _type(self, digit: str) -> None:
        if len(self._typed) < MAX_PIN_DIGITS:
            self._typed += digit
            self._show()

    def _take_back(self) -> None:
        self._typed = self._typed[:-1]
        self._show()

    def _finish(self) -> None:
        if len(self._typed) >= MIN_PIN_DIGITS:
            self._done(self._typed)

    def _show(self) -> None:
        self._dots.text = _FREE * MIN_PIN_DIGITS if not self._typed else "".join(_DOT for _ in self._typed)
        self._ok.style = "chalk" if len(self._typed) >= MIN_PIN_DIGITS else "dashed"


class _PadKey(PushButton):
    def accepts_tap(self) -> bool:
        """Accept every tap without debounce, because people type a PIN fast."""
        return True


def ask_pin(app: AppContext, lock: PinLock, enter: Callable[[], None]) -> None:
    """Show the sheet that unlocks `lock`, then call `enter`."""

    def check(pin: str) -> None:
        if lock.try_pin(pin):
            sheet.leave()
            enter()
        elif lock.seconds_until_retry():
            count_down()
        else:
            pad.show_message(app.translate("app.pin.damaged" if lock.is_damaged else "app.pin.wrong"))

    def count_down(*_: object) -> bool:
        """Update the countdown until the next attempt. Returns False, which ends the clock event."""
        left = lock.seconds_until_retry()
        pad.show_message(app.translate("app.pin.wait", n=left) if left else app.translate("app.pin.again"))
        if left and pad.get_root_window() is not None:
            Clock.schedule_once(count_down, COUNTDOWN_INTERVAL_S)
        return False

    pad = PinPad(app.translate("app.pin.damaged" if lock.is_damaged else "app.pin.ask"), check)
    sheet = pin_sheet(app.translate("app.pin.title"), pad)
    app.show_sheet(sheet)
    if lock.seconds_until_retry():
        count_down()


def choose_pin(app: AppContext, lock: PinLock, done: Callable[[], None]) -> None:
    """Ask for a new PIN twice and set it."""
    first: list[str] = []

    def on_pin(pin: str) -> None:
        if not first:
            first.append(pin)
            pad.show_message(app.translate("app.pin.repeat"), "craie2")
        elif first.pop() != pin:
            pad.show_message(app.translate("app.pin.differs"))
        else:
            try:
                lock.set_pin(pin)
            except OSError as fault:
                pad.show_message(app.translate("app.pin.not_kept", reason=reason_of(fault)))
                return
            sheet.leave()
            done()

    pad = PinPad(app.translate("app.pin.new"), on_pin)
    sheet = pin_sheet(app.translate("app.pin.new_title"), pad)
    app.show_sheet(sheet)


def pin_sheet(title: str, pad: PinPad) -> Sheet:
    """Return the sheet around a PIN pad. Its close button returns to the previous view."""
    return Sheet(title, pad, box=(0.04, 0.04, 0.92, 0.92))
