"""How Kivy's text fields get our keys: they ask the window for a keyboard, and it gives this one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kivy.app import App
from kivy.clock import Clock
from kivy.config import Config as KivyConfig
from kivy.metrics import dp
from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty
from kivy.uix.widget import Widget

from companion.app.keys.sheet import KeySheet

if TYPE_CHECKING:
    from companion.app.app import TapisVertApp

FREE = 10
"""Room between field and keys, in dp."""
LOOK = 0.1
"""Seconds between two looks at whether the field stands free."""


class Docked(Widget):
    """What the window takes for a keyboard on the screen: it has no size, and lays the key sheet into the room."""

    target = ObjectProperty(None, allownone=True)
    callback = ObjectProperty(None, allownone=True)
    docked = BooleanProperty(True)
    scale = NumericProperty(1.0)

    __events__ = ("on_key_down", "on_key_up", "on_textinput")

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(size_hint=(None, None), size=(0, 0), **kwargs)
        self._sheet: KeySheet | None = None
        self._moved: tuple[Any, float] | None = None
        self._watch = Clock.create_trigger(self._uncover, LOOK, interval=True)

    def on_key_down(self, *_: object) -> None:
        """Never sent: the keys write into the field by themselves."""

    def on_key_up(self, *_: object) -> None:
        """Never sent."""

    def on_textinput(self, *_: object) -> None:
        """Never sent."""

    def setup_mode(self) -> None:
        """The window has taken it in for a field."""
        self._take_away()
        room = App.get_running_app().room
        self._sheet = KeySheet(self.target)
        room.keys = self._sheet
        room.add_widget(self._sheet)
        self._watch()

    def on_parent(self, _: Any, parent: Any) -> None:
        """Taken out of the window: the field has lost the focus."""
        if parent is None:
            self._take_away()

    def _uncover(self, *_: object) -> None:
        """Moves the sheet or the page up until its field stands above the keys, wherever it has come to stand."""
        room = App.get_running_app().room
        holder = next((held for held in (*room.sheets, room.page) if _holds(held, self.target)), None)
        if self._sheet is None or holder is None or getattr(holder, "sliding", False):
            return
        low = self.target.to_window(self.target.x, self.target.y)[1]
        up = min(self._sheet.height + dp(FREE) - low, room.height - dp(FREE) - low - self.target.height)
        if up > 1:
            if self._moved is None:
                self._moved = (holder, holder.y)
            holder.y += up

    def _take_away(self) -> None:
        self._watch.cancel()
        if self._moved is not None:
            holder, y = self._moved
            holder.y, self._moved = y, None
        if self._sheet is not None:
            room = App.get_running_app().room
            self._sheet.close()
            room.remove_widget(self._sheet)
            room.keys = self._sheet = None


def dock(app: TapisVertApp, wanted: bool) -> None:
    """Gives text fields the keys on the screen, or a plugged keyboard only."""
    from kivy.core.window import Window

    mode = "systemanddock" if wanted else "system"
    if KivyConfig.get("kivy", "keyboard_mode") == mode and getattr(Window, "docks_keys", None) == wanted:
        return
    Window.release_all_keyboards()
    KivyConfig.set("kivy", "keyboard_mode", mode)
    Window.configure_keyboards()
    Window.set_vkeyboard_class(Docked)
    Window.docks_keys = wanted


def _holds(holder: Any, widget: Any) -> bool:
    while widget is not None and widget.parent is not widget:
        if widget is holder:
            return True
        widget = widget.parent
    return False
