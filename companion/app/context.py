"""What every page is given: settings, matches, the way to other pages, and what the app does beside its screen.

Everything real is handed in by the composition root (`companion.commands.run`): the matches of this table, the
settings and how to keep them, and how to get a reader of dice.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from kivy.clock import Clock

from companion.app.asks.flow import Recent
from companion.app.display import display
from companion.app.house import House
from companion.app.kiosk import Kiosk
from companion.app.match_runner import MatchKeeper, MatchRunner, ReaderFactory
from companion.app.page import Layer, Place
from companion.app.preferences import Preferences, Settled
from companion.app.presses import Presses
from companion.app.room import Room
from companion.app.sounds import Sounds
from companion.app.standby import Standby
from companion.app.theme import Theme
from companion.app.widgets.push import Tap, TapGuard
from companion.config import ConfigError
from companion.games.base import Message, Refusal
from companion.language import Language
from companion.table.catalogues.shelf import ShelfTrouble
from companion.table.history import History
from companion.table.matches import Matches
from companion.table.session import StorageTrouble

if TYPE_CHECKING:
    from kivy.core.window import WindowBase

log = logging.getLogger(__name__)


class AppContext(MatchKeeper):
    """Built once, when the app is. `stop` ends the app."""

    def __init__(
        self,
        matches: Matches,
        settled: Settled,
        stop: Callable[[], None],
        *,
        reader_factory: ReaderFactory | None = None,
        squads: Path | None = None,
        house: House | None = None,
    ) -> None:
        """`settled` are the settings in force, `squads` is the folder of the players' own clubs."""
        self.matches, self.squads, self.readers, self.stop = matches, squads, reader_factory, stop
        self.settled = settled
        self.preferences = Preferences.of(settled.config)
        house = house or House()
        self.papers = house.papers
        self.runner = MatchRunner(lambda: self.session)
        self.sounds, self.standby = Sounds(self, house), Standby(self, house)
        self.presses, self.kiosk = Presses(self, house), Kiosk(self, house)
        self.recent = Recent()
        self.history: History | None = None
        """What was counted over all matches, once somebody has asked."""
        self._adopt()
        self.room = Room(self)

    def start(self, window: WindowBase) -> None:
        """Begins in a window, with the first page."""
        Tap.guard, Tap.lets = TapGuard(Clock.get_time), lambda tap: self.sounds.lets(tap)
        self.room.watch(window)
        self.standby.start(window)
        self.presses.start()
        self.runner.start()
        self.open("home")
        self.kiosk.start()
        if self.standby.house.first_step is not None:
            self.open("welcome", step=self.standby.house.first_step)

    def close(self) -> None:
        """Ends everything that runs."""
        self.runner.stop()
        self.end_session()
        self.standby.close()
        self.sounds.close()
        self.presses.close()
        self.kiosk.close()

    @property
    def theme(self) -> Theme:
        return display.theme

    @property
    def say(self) -> Language:
        return display.say

    @property
    def portrait(self) -> bool:
        return display.portrait

    # Places

    def open(self, name: str, **args: object) -> None:
        """Goes one level deeper, to the page of that name; behind the PIN if that one is locked."""
        self.standby.guarded(name, lambda: self.room.go(Place(name, args)))

    def back(self) -> None:
        """Up one level: a sheet first, then the page's own way, then the page before."""
        if self.room.sheets:
            self.room.sheets[-1].leave()
        elif self.room.page is None or not self.room.page.back():
            self.room.go_back()

    def home(self) -> None:
        """All the way up."""
        self.room.go_home()

    def redraw(self) -> None:
        """Builds the open page anew, from its place."""
        self.room.show()

    def lay(self, sheet: Layer) -> None:
        """Lays a sheet over the page."""
        self.room.lay(sheet)

    def lift(self) -> None:
        """Takes the uppermost sheet away."""
        self.room.lift()

    def sorry(self, sentence: str) -> None:
        """Tells the players, in a sheet, what could not be done."""
        self.room.notice(sentence)

    def attempt(self, action: Callable[[], object]) -> bool:
        """Does what a rule may refuse or the disk may not take; False, and the players told, if so."""
        try:
            action()
        except Refusal as refusal:
            self.sorry(self.ruled(refusal))
            return False
        except (ShelfTrouble, StorageTrouble) as trouble:
            self.sorry(self.text(trouble.message))
            return False
        return True

    # Settings

    def prefer(self, preferences: Preferences) -> None:
        """New settings: shown at once, kept if they can be."""
        before, self.preferences = self.preferences, preferences
        self._adopt()
        self.room.adopt()
        self.standby.adopt()
        self.redraw()
        if self.settled.file is None:
            return
        try:
            preferences.keep(self.settled.file, before)
        except ConfigError as fault:
            log.warning("settings not kept: %s", fault)
            self.sorry(self.text(fault.message))

    def swap_sides(self) -> None:
        """The sides change places on the screen."""
        self.prefer(replace(self.preferences, swapped=not self.preferences.swapped))

    def text(self, message: Message) -> str:
        """A message of a game or of the table in the players' language."""
        return self.say.text(message)

    def ruled(self, refusal: Refusal) -> str:
        """Why something is refused, with the number of the rule."""
        return self.say("app.refused", reason=refusal.message, rule=refusal.rule)

    # Inside

    def _adopt(self) -> None:
        display.theme, display.say = self.preferences.theme(), Language(self.preferences.language)
        display.left_handed = self.preferences.left_handed

    def surprised(self, fault: BaseException) -> None:
        """An error nobody expected: the log gets it whole, the players a sentence; the match is safe in its journal."""
        log.error("unexpected error", exc_info=fault)
        if isinstance(fault, StorageTrouble):
            self.sorry(self.text(fault.message))
        else:
            Clock.schedule_once(lambda *_: self.sorry(self.say("app.surprise")))
