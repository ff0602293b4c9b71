"""The Kivy app: a window with an `AppContext`, and the handler for unexpected errors."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from kivy.app import App
from kivy.base import ExceptionHandler, ExceptionManager
from kivy.config import Config as KivyConfig
from kivy.uix.widget import Widget

from companion.app import fonts
from companion.app.background import IdleGarbageCollector, IdleTask, preload_steps
from companion.app.preferences import SettingsStore
from companion.app.widgets.button import Tappable
from companion.config import Config
from companion.table.matches import Matches

if TYPE_CHECKING:
    from companion.app.context import AppContext


class TapisVertApp(App):
    """The Kivy application with one window."""

    context: AppContext

    def __init__(self, matches: Matches, config: Config, *, config_file: Path | None = None, **parts: Any) -> None:
        """`config_file` is where settings are saved (None: not saved). `parts` are further arguments of the context."""
        super().__init__(title="Tapis Vert")
        self._matches, self._settings, self._parts = matches, SettingsStore(config, config_file), parts

    def build(self) -> Widget:
        from kivy.core.window import Window  # opens the window
        from kivy.uix import textinput

        from companion.app.context import AppContext

        fonts.register()
        textinput.Label = fonts.TextLayout  # text fields draw their lines with it
        self.context = AppContext(self._matches, self._settings, self.stop, **self._parts)
        ExceptionManager.add_handler(_ErrorHandler(self.context))
        self.context.start(Window)
        self._idle_gc = IdleGarbageCollector(lambda: Tappable.guard.last_tap_at)
        self._idle_gc.start()
        self._preload = IdleTask(preload_steps(self.context.theme), lambda: None)
        return self.context.navigator

    def on_stop(self) -> None:
        self._preload.stop()
        self.context.close()


class _ErrorHandler(ExceptionHandler):
    """Kivy exception handler: continue, and let the app inform the players."""

    def __init__(self, context: AppContext) -> None:
        self._context = context

    def handle_exception(self, exception: BaseException) -> int:
        if not isinstance(exception, Exception):
            return int(ExceptionManager.RAISE)
        self._context.on_unexpected_error(exception)
        return int(ExceptionManager.PASS)


def prepare_window(size: tuple[int, int], fullscreen: bool = False) -> None:
    """Configure Kivy's window before it exists.

    Touch comes from SDL only: with two providers each touch would be reported twice.
    """
    KivyConfig.set("graphics", "width", size[0])
    KivyConfig.set("graphics", "height", size[1])
    KivyConfig.set("graphics", "fullscreen", "auto" if fullscreen else "0")
    KivyConfig.set("graphics", "multisamples", 0)
    KivyConfig.set("kivy", "exit_on_escape", 0)
    KivyConfig.set("kivy", "keyboard_mode", "system")
    for provider in list(KivyConfig["input"]):
        KivyConfig.remove_option("input", provider)
    KivyConfig.set("input", "mouse", "mouse,disable_multitouch")
