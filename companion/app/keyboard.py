"""The on-screen keyboard: layouts by language, keys, and docking in the window."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kivy.clock import Clock
from kivy.config import Config as KivyConfig
from kivy.input import MotionEvent
from kivy.metrics import dp
from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.behaviors import FocusBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.textinput import TextInput
from kivy.uix.widget import Widget

from companion.app.display import context_of, display, translate
from companion.app.intervals import repeat, repeating
from companion.app.widgets.button import PushButton
from companion.app.widgets.components import HBox
from companion.app.widgets.marks import Framed

if TYPE_CHECKING:
    from companion.app.context import AppContext


SHIFT, BACK, SPACE, DONE, DIGITS, LETTERS = "SHIFT", "BACK", "SPACE", "DONE", "DIGITS", "LETTERS"
ACTION_KEYS = frozenset({SHIFT, BACK, SPACE, DONE, DIGITS, LETTERS})

VARIANTS = {
    "a": "à â ä á æ", "e": "é è ê ë", "i": "î ï í", "o": "ô œ ö ó", "u": "ù û ü ú", "c": "ç", "y": "ÿ", "n": "ñ",
    "s": "ß", "’": "' “ ”", "-": "– _", ".": ", : ; … ! ?",
}  # fmt: skip
"""Characters offered by a long press on a key."""

KEY_WIDTHS = {SPACE: 4.0, DONE: 2.0, DIGITS: 1.5, LETTERS: 1.5}
"""Widths of wide keys, relative to a letter key."""

Rows = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class KeyLayouts:
    """The letter keys of a language, for a wide and for a tall screen."""

    letters: Rows
    letters_tall: Rows


def _rows(*rows: str) -> Rows:
    return tuple(tuple(row.split()) for row in rows)


_LAST = "DIGITS SPACE . DONE"
LAYOUTS = {
    "fr": KeyLayouts(
        _rows("a z e r t y u i o p", "q s d f g h j k l m", "SHIFT w x c v b n ’ - BACK", "é è ê ë ç à ù ï ô œ", _LAST),
        _rows(
            "a z e r t y u i o", "q s d f g h j k l", "w x c v b n m p ’", "é è ê ç à ù ï ô œ",
            "SHIFT DIGITS SPACE - BACK", ". DONE",
        ),
    ),
    "en": KeyLayouts(
        _rows("q w e r t y u i o p", "a s d f g h j k l ’", "SHIFT z x c v b n m - BACK", _LAST),
        _rows("q w e r t y u i o", "a s d f g h j k l", "z x c v b n m p ’", "SHIFT DIGITS SPACE - BACK", ". DONE"),
    ),
}  # fmt: skip
SIGNS = _rows("1 2 3 4 5 6 7 8 9 0", "( ) / & + = * # % @", ', . : ; ! ? ’ " - BACK', "LETTERS SPACE DONE")
SIGNS_TALL = _rows("1 2 3 4 5 6 7", "8 9 0 ( ) / &", '+ = * # % @ "', ", . : ; ! ? ’", "LETTERS SPACE - BACK", "DONE")
NUMBERS = _rows("1 2 3 4 5 BACK", "6 7 8 9 0 , - DONE")
NUMBERS_TALL = _rows("1 2 3", "4 5 6", "7 8 9", ", 0 -", "BACK DONE")


def key_rows(language: str, tall: bool, page: str) -> Rows:
    """Return the rows of a page: `letters`, `signs` or `numbers` (for a field that accepts numbers only)."""
    if page == "signs":
        return SIGNS_TALL if tall else SIGNS
    if page == "numbers":
        return NUMBERS_TALL if tall else NUMBERS
    sheets = LAYOUTS.get(language, LAYOUTS["fr"])
    return sheets.letters_tall if tall else sheets.letters


def variants(key: str) -> tuple[str, ...]:
    """Return the characters that a long press on a key offers; none for most keys."""
    return tuple(VARIANTS.get(key, "").split())


def capital(letter: str) -> str:
    """Return the capital of a letter; ß and non-letters are unchanged."""
    upper = letter.upper()
    return upper if len(upper) == 1 else letter


HEIGHT, GAP = 53, 5
"""Height of a key and gap between keys, in dp."""
TALL_GAP = 2
LONG_PRESS_S = 0.45
"""Seconds after which a pressed key shows its variants."""
TARGET_CHECK_INTERVAL_S = 0.2
"""Seconds between two checks that the field still exists."""
_ICONS = {SHIFT: "shift", BACK: "backspace"}


class KeyButton(PushButton):
    """One key. It accepts every tap without debounce, because people type fast."""

    value = StringProperty("")

    def __init__(self, value: str, label: str, **kwargs: Any) -> None:
        is_action = value in ACTION_KEYS
        icon = _ICONS.get(value, "")
        kwargs.setdefault("style", "chalk" if value == DONE else "outlined" if is_action else "well")
        super().__init__(
            "" if icon else label,
            icon=icon,
            icon_side=26,
            kind="bouton" if is_action else "titre",
            pad=2,
            radius=7,
            **kwargs,
        )
        self.value, self.spoken = value, label
        self.has_shown_variants = False
        """True after a long press has shown the variants: releasing the key then types nothing."""

    def accepts_tap(self) -> bool:
        """Announce the key if everything is spoken, and accept the tap at once."""
        if self.has_shown_variants:
            return False
        context = context_of(self)
        if context.preferences.voice == "all":
            context.audio.speak(self.spoken)
        return True


class OnScreenKeyboard(Framed, BoxLayout):
    """The keyboard at the lower edge. `target` is the text field that it writes into."""

    def __init__(self, target: TextInput, **kwargs: Any) -> None:
        self._tall = display.portrait
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
        self.fill = display.theme.nuit
        self.target = target
        self._page = "numbers" if target.input_filter in ("int", "float") else "letters"
        self._shift = "once" if self._page == "letters" and not target.text else ""
        self._pressed: Any = None
        self._fill()
        self._clock = repeat(self._check_target, TARGET_CHECK_INTERVAL_S)

    def close(self) -> None:
        """Cancel the clock events."""
        self._clock.cancel()
        if self._pressed is not None:
            self._pressed.cancel()

    def on_touch_down(self, touch: MotionEvent) -> bool:
        """Keep the focus on the text field for every touch on the keyboard."""
        if not self.collide_point(*touch.pos):
            return False
        FocusBehavior.ignored_touch.append(touch)
        super().on_touch_down(touch)
        return True

    def _fill(self, variants: tuple[str, ...] = ()) -> None:
        """Rebuild all keys. With `variants`, the first row shows only these."""
        self.clear_widgets()
        self._is_showing_variants = bool(variants)
        rows = key_rows(display.language.code, self._tall, self._page)
        if variants:
            rows = ((*variants, LETTERS), *rows[1:])
        for row in rows:
            self.add_widget(HBox(*(self._key(value) for value in row), spacing=self.spacing, tall=HEIGHT))
        self.height = len(rows) * dp(HEIGHT) + (len(rows) - 1) * self.spacing + dp(16)

    def _key(self, value: str) -> KeyButton:
        key = KeyButton(value, self._label(value), size_hint_x=KEY_WIDTHS.get(value, 1.0))
        if value == SHIFT:
            key.style = {"": "outlined", "once": "brass", "lock": "chalk"}[self._shift]
        key.bind(on_tap=lambda *_: self._tapped(value))
        if variants(value):
            key.bind(on_press=self._start_long_press, on_release=lambda *_: self._cancel_long_press())
        return key

    def _label(self, value: str) -> str:
        if value in ACTION_KEYS:
            return translate(f"app.key.{value.lower()}")
        return capital(value) if self._shift else value

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
            self._write(" " if value == SPACE else self._label(value))

    def _write(self, sign: str) -> None:
        if self.target.selection_text:
            self.target.delete_selection()
        self.target.insert_text(sign)
        if self._shift == "once" or self._is_showing_variants:
            self._shift = "" if self._shift == "once" else self._shift
            self._fill()

    def _done(self) -> None:
        """Act like the Enter key of a physical keyboard."""
        target = self.target
        if not target.multiline:
            target.dispatch("on_text_validate")
        target.focus = False

    def _start_long_press(self, key: KeyButton) -> None:
        self._cancel_long_press()
        self._pressed = Clock.schedule_once(lambda *_: self._show_variants(key), LONG_PRESS_S)

    def _show_variants(self, key: KeyButton) -> None:
        key.has_shown_variants = True
        self._fill(variants(key.value))

    def _cancel_long_press(self) -> None:
        if self._pressed is not None:
            self._pressed.cancel()
            self._pressed = None

    def _check_target(self, *_: object) -> None:
        """Remove the focus from a field whose page or sheet was closed."""
        if self.target.get_root_window() is None:
            self.target.focus = False


FIELD_MARGIN_DP = 10
"""Gap between field and keys, in dp."""
DOCK_CHECK_INTERVAL_S = 0.1
"""Seconds between two checks that the field is visible."""


class DockedKeyboard(Widget):
    """The virtual keyboard widget of Kivy's window. It has no size; it adds the `OnScreenKeyboard` to the navigator."""

    target = ObjectProperty(None, allownone=True)
    callback = ObjectProperty(None, allownone=True)
    docked = BooleanProperty(True)
    scale = NumericProperty(1.0)

    __events__ = ("on_key_down", "on_key_up", "on_textinput")

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(size_hint=(None, None), size=(0, 0), **kwargs)
        self._sheet: OnScreenKeyboard | None = None
        self._shifted: tuple[Any, float] | None = None
        self._watch = repeating(self._keep_field_visible, DOCK_CHECK_INTERVAL_S)

    def on_key_down(self, *_: object) -> None:
        """Never dispatched: the keys write directly into the field."""

    def on_key_up(self, *_: object) -> None:
        """Never dispatched."""

    def on_textinput(self, *_: object) -> None:
        """Never dispatched."""

    def setup_mode(self) -> None:
        """Called by the window when a field gets the focus."""
        self._remove_keyboard()
        navigator = context_of(self.target).navigator
        self._sheet = OnScreenKeyboard(self.target)
        navigator.on_screen_keyboard = self._sheet
        navigator.add_widget(self._sheet)
        self._watch()

    def on_parent(self, _: object, parent: Widget | None) -> None:
        """Remove the keys when the window removes the keyboard: the field has lost the focus."""
        if parent is None:
            self._remove_keyboard()

    def _keep_field_visible(self, *_: object) -> None:
        """Move the sheet or page up until its field is above the keys, even if the field moves."""
        if self._sheet is None:
            return
        navigator = self._sheet.parent
        holder = next(
            (candidate for candidate in (*navigator.sheets, navigator.page) if _holds(candidate, self.target)), None
        )
        if holder is None or getattr(holder, "sliding", False):
            return
        low = self.target.to_window(self.target.x, self.target.y)[1]
        up = min(
            self._sheet.height + dp(FIELD_MARGIN_DP) - low,
            navigator.height - dp(FIELD_MARGIN_DP) - low - self.target.height,
        )
        if up > 1:
            if self._shifted is None:
                self._shifted = (holder, holder.y)
            holder.y += up

    def _remove_keyboard(self) -> None:
        self._watch.cancel()
        if self._shifted is not None:
            holder, y = self._shifted
            holder.y, self._shifted = y, None
        if self._sheet is not None:
            navigator = self._sheet.parent
            self._sheet.close()
            navigator.remove_widget(self._sheet)
            navigator.on_screen_keyboard = self._sheet = None


def dock(app: AppContext, wanted: bool) -> None:
    """Switch text fields to the on-screen keyboard, or to a physical keyboard only."""
    from kivy.core.window import Window

    mode = "systemanddock" if wanted else "system"
    if KivyConfig.get("kivy", "keyboard_mode") == mode and getattr(Window, "docks_keys", None) == wanted:
        return
    Window.release_all_keyboards()
    KivyConfig.set("kivy", "keyboard_mode", mode)
    Window.configure_keyboards()
    Window.set_vkeyboard_class(DockedKeyboard)
    Window.docks_keys = wanted


def _holds(holder: Widget, widget: Widget) -> bool:
    while widget is not None and widget.parent is not widget:
        if widget is holder:
            return True
        widget = widget.parent
    return False
