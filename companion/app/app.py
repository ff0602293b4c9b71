"""The app itself: the window, the page that is open, the sheets over it, the settings, and what to do with a surprise.

Everything real is handed in by the composition root (`companion.commands.run`): the matches of this table, the
settings and how to keep them, and how to get a reader of dice.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

from kivy.app import App
from kivy.base import ExceptionHandler, ExceptionManager
from kivy.clock import Clock
from kivy.config import Config as KivyConfig
from kivy.properties import BooleanProperty, ObjectProperty
from kivy.uix.widget import Widget

from companion.app import fonts
from companion.app.asks.flow import Recent
from companion.app.background import Slices, Tidying
from companion.app.hearing import Hearing
from companion.app.house import House
from companion.app.kiosk import Kiosk
from companion.app.manners import Manners
from companion.app.match_runner import MatchKeeper, MatchRunner, ReaderFactory
from companion.app.page import Place
from companion.app.preferences import Preferences, Settled
from companion.app.pressing import Pressing
from companion.config import Config, ConfigError
from companion.games.base import Message, Refusal
from companion.language import Language
from companion.table.matches import Matches
from companion.table.session import StorageTrouble

log = logging.getLogger(__name__)


class TapisVertApp(MatchKeeper, App):
    """One window. `say` turns message ids into the players' language, `theme` gives every colour and size."""

    theme = ObjectProperty()
    say = ObjectProperty()
    portrait = BooleanProperty(False)

    def __init__(
        self,
        matches: Matches,
        config: Config,
        *,
        config_file: Path | None = None,
        reader_factory: ReaderFactory | None = None,
        squads: Path | None = None,
        house: House | None = None,
    ) -> None:
        """`config_file` is where settings are kept (None: nowhere), `squads` the folder of the players' own clubs."""
        self.matches = matches
        self.preferences = Preferences.of(config)
        self.squads = squads
        self.settled = Settled(config, config_file)
        self.readers = reader_factory
        self._config_file = config_file
        house = house or House()
        self.papers = house.papers
        self.runner = MatchRunner(lambda: self.session)
        self.hearing, self.manners = Hearing(self, house), Manners(self, house)
        self.pressing, self.kiosk = Pressing(self, house), Kiosk(self, house)
        super().__init__(title="Tapis Vert")
        self.room: Any = None
        self.recent = Recent()
        self._adopt()

    # Kivy's own course

    def build(self) -> Widget:
        from kivy.core.window import Window

        from companion.app.background import warmth
        from companion.app.room import Room
        from companion.app.widgets.push import TapGuard

        fonts.register()
        self.guard = TapGuard(Clock.get_time)
        ExceptionManager.add_handler(_Surprise(self))
        self.room = Room(self)
        self.room.watch(Window)
        self.manners.start(Window)
        self.pressing.start()
        self.runner.start()
        self.open("home")
        self.kiosk.start()
        if self.manners.house.first_step is not None:
            self.open("welcome", step=self.manners.house.first_step)
        self._tidying = Tidying(lambda: self.guard.last)
        self._tidying.start()
        self._warming = Slices(warmth(self.theme), lambda: None)
        return self.room

    def on_stop(self) -> None:
        self.runner.stop()
        self.end_session()
        self._warming.stop()
        self.manners.close()
        self.hearing.close()
        self.pressing.close()
        self.kiosk.close()

    # Places

    def open(self, name: str, **args: Any) -> None:
        """Goes one level deeper, to the page of that name; behind the PIN if that one is locked."""
        self.manners.guarded(name, lambda: self.room.go(Place(name, args)))

    def back(self) -> None:
        """Up one level: a sheet first, then the page's own way, then the page before."""
        if self.room.sheets:
            self.room.sheets[-1].leave()
        elif not self.room.page.back():
            self.room.go_back()

    def home(self) -> None:
        """All the way up."""
        self.room.go_home()

    def redraw(self) -> None:
        """Builds the open page anew, from its place."""
        if self.room:
            self.room.show()

    def lay(self, sheet: Any) -> None:
        """Lays a sheet over the page."""
        self.room.lay(sheet)

    def lift(self) -> None:
        """Takes the uppermost sheet away."""
        self.room.lift()

    def sorry(self, sentence: str) -> None:
        """Tells the players, in a sheet, what could not be done."""
        self.room.notice(sentence)

    # Settings

    def prefer(self, preferences: Preferences) -> None:
        """New settings: shown at once, kept if they can be."""
        before, self.preferences = self.preferences, preferences
        self._adopt()
        self.room.adopt()
        self.manners.adopt()
        self.redraw()
        if self._config_file is None:
            return
        try:
            preferences.keep(self._config_file, before)
        except ConfigError as fault:
            log.warning("settings not kept: %s", fault)
            self.sorry(self.text(fault.message))

    def text(self, message: Message) -> str:
        """A message of a game or of the table in the players' language."""
        return str(self.say.text(message))

    def ruled(self, refusal: Refusal) -> str:
        """Why something is refused, with the number of the rule."""
        return str(self.say("app.refused", reason=refusal.message, rule=refusal.rule))

    # Inside

    def _adopt(self) -> None:
        self.theme = self.preferences.theme()
        self.say = Language(self.preferences.language)

    def surprised(self, fault: BaseException) -> None:
        """An error nobody expected: the log gets it whole, the players a sentence; the match is safe in its journal."""
        log.error("unexpected error", exc_info=fault)
        if isinstance(fault, StorageTrouble):
            self.sorry(self.text(fault.message))
        elif self.room:
            Clock.schedule_once(lambda *_: self.sorry(self.say("app.surprise")))


class _Surprise(ExceptionHandler):
    """Kivy asks it what to do with an exception: go on, and let the app tell the players."""

    def __init__(self, app: TapisVertApp) -> None:
        self._app = app

    def handle_exception(self, exception: BaseException) -> int:
        if not isinstance(exception, Exception):
            return int(ExceptionManager.RAISE)
        self._app.surprised(exception)
        return int(ExceptionManager.PASS)


def prepare_window(size: tuple[int, int], fullscreen: bool = False) -> None:
    """Tells Kivy about its window before there is one. Touch comes from SDL alone: two providers touch twice."""
    KivyConfig.set("graphics", "width", size[0])
    KivyConfig.set("graphics", "height", size[1])
    KivyConfig.set("graphics", "fullscreen", "auto" if fullscreen else "0")
    KivyConfig.set("graphics", "multisamples", 0)
    KivyConfig.set("kivy", "exit_on_escape", 0)
    KivyConfig.set("kivy", "keyboard_mode", "system")
    for provider in list(KivyConfig["input"]):
        KivyConfig.remove_option("input", provider)
    KivyConfig.set("input", "mouse", "mouse,disable_multitouch")
