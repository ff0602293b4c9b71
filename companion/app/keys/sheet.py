"""The keys themselves: they write into the text field that has the focus, and go when it loses it."""

from __future__ import annotations

from typing import Any

from kivy.app import App
from kivy.clock import Clock
from kivy.metrics import dp
from kivy.properties import StringProperty
from kivy.uix.behaviors import FocusBehavior
from kivy.uix.boxlayout import BoxLayout

from companion.app.keys import layouts
from companion.app.keys.layouts import BACK, DIGITS, DOING, DONE, LETTERS, SHIFT, SPACE, WIDE
from companion.app.widgets.framed import Framed
from companion.app.widgets.push import Push

HEIGHT, GAP = 53, 5
"""Of a key and between two, in dp."""
TALL_GAP = 2
LONG_PRESS = 0.45
"""Seconds after which a key shows its variants."""
LOOK = 0.2
"""Seconds between two looks at whether the field is still there."""
_ICONS = {SHIFT: "shift", BACK: "backspace"}


class Key(Push):
    """One key. It answers every tap, however soon after the last: whoever types is fast."""

    value = StringProperty("")

    def __init__(self, value: str, words: str, **kwargs: Any) -> None:
        doing = value in DOING
        icon = _ICONS.get(value, "")
        kwargs.setdefault("look", "chalk" if value == DONE else "outlined" if doing else "well")
        super().__init__(
            "" if icon else words,
            icon=icon,
            icon_side=26,
            kind="bouton" if doing else "titre",
            pad=2,
            radius=7,
            **kwargs,
        )
        self.value, self.spoken = value, words
        self.offered = False
        """Its variants were shown: the finger that goes up chooses nothing."""

    def passes(self) -> bool:
        """Says itself, if all is said, and writes at once."""
        if self.offered:
            return False
        app = App.get_running_app()
        if app.preferences.voice == "all":
            app.hearing.speak(self.spoken)
        return True


class KeySheet(Framed, BoxLayout):
    """Lies at the lower edge. `target` is the text field that it writes into."""

    def __init__(self, target: Any, **kwargs: Any) -> None:
        app = App.get_running_app()
        self._tall = bool(app.portrait)
        gap = dp(TALL_GAP if self._tall else GAP)
        beside = 0 if self._tall else gap
        super().__init__(
            orientation="vertical",
            size_hint=(1, None),
            spacing=gap,
            padding=(beside, dp(8), beside, dp(8)),
            radius=1,
            **kwargs,
        )
        self.fill = app.theme.nuit
        self.target = target
        self._page = "numbers" if target.input_filter in ("int", "float") else "letters"
        self._shift = "once" if self._page == "letters" and not target.text else ""
        self._pressed: Any = None
        self._fill()
        self._clock = Clock.schedule_interval(self._look, LOOK)

    def close(self) -> None:
        """Its clocks end."""
        self._clock.cancel()
        if self._pressed is not None:
            self._pressed.cancel()

    def on_touch_down(self, touch: Any) -> bool:
        """The field keeps the focus whatever is touched here."""
        if not self.collide_point(*touch.pos):
            return False
        FocusBehavior.ignored_touch.append(touch)
        super().on_touch_down(touch)
        return True

    def _fill(self, variants: tuple[str, ...] = ()) -> None:
        """All keys anew; with variants of a letter these alone in the first row."""
        self.clear_widgets()
        self._offering = bool(variants)
        rows = layouts.rows(App.get_running_app().preferences.language, self._tall, self._page)
        if variants:
            rows = ((*variants, LETTERS), *rows[1:])
        for row in rows:
            line = BoxLayout(size_hint_y=None, height=dp(HEIGHT), spacing=self.spacing)
            for value in row:
                line.add_widget(self._key(value))
            self.add_widget(line)
        self.height = len(rows) * dp(HEIGHT) + (len(rows) - 1) * self.spacing + dp(16)

    def _key(self, value: str) -> Key:
        key = Key(value, self._words(value), size_hint_x=WIDE.get(value, 1.0))
        if value == SHIFT:
            key.look = {"": "outlined", "once": "brass", "lock": "chalk"}[self._shift]
        key.bind(on_tap=lambda *_: self._tapped(value))
        if layouts.variants(value):
            key.bind(on_press=self._may_be_long, on_release=lambda *_: self._not_long())
        return key

    def _words(self, value: str) -> str:
        if value in DOING:
            return str(App.get_running_app().say(f"app.key.{value.lower()}"))
        return layouts.capital(value) if self._shift else value

    def _tapped(self, value: str) -> None:
        if value == SHIFT:
            self._shift = {"": "once", "once": "lock", "lock": ""}[self._shift]
            self._fill()
        elif value in (DIGITS, LETTERS):
            self._page = "signs" if value == DIGITS else "letters"
            self._fill()
        elif value == DONE:
            self._done()
        elif value == BACK:
            self.target.do_backspace()
        else:
            self._write(" " if value == SPACE else self._words(value))

    def _write(self, sign: str) -> None:
        if self.target.selection_text:
            self.target.delete_selection()
        self.target.insert_text(sign)
        if self._shift == "once" or self._offering:
            self._shift = "" if self._shift == "once" else self._shift
            self._fill()

    def _done(self) -> None:
        """As the enter key of a plugged keyboard."""
        target = self.target
        if not target.multiline:
            target.dispatch("on_text_validate")
        target.focus = False

    def _may_be_long(self, key: Key) -> None:
        self._not_long()
        self._pressed = Clock.schedule_once(lambda *_: self._offer(key), LONG_PRESS)

    def _offer(self, key: Key) -> None:
        key.offered = True
        self._fill(layouts.variants(key.value))

    def _not_long(self) -> None:
        if self._pressed is not None:
            self._pressed.cancel()
            self._pressed = None

    def _look(self, *_: object) -> None:
        """A field whose page or sheet has gone cannot be written into."""
        if self.target.get_root_window() is None:
            self.target.focus = False
