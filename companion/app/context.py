"""The context that every page receives: settings, matches, navigation, and services beside the screen.

The composition root (`companion.commands.run`) injects all real parts: the matches of this table, the settings and
their storage, and the factory for dice readers.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from kivy.clock import Clock

from companion.app.audio_feedback import AudioFeedback
from companion.app.display import display
from companion.app.hardware_buttons import HardwareButtons
from companion.app.idle_monitor import IdleMonitor
from companion.app.intervals import repeating
from companion.app.match_runner import MatchRunner, MatchSessionHolder, ReaderFactory
from companion.app.match_timer import MatchTimer
from companion.app.navigator import Navigator
from companion.app.page import Overlay, Route
from companion.app.platform import Platform
from companion.app.preferences import Preferences, SettingsStore
from companion.app.prompts.flow import RecentPicks
from companion.app.start_trouble import StartTrouble
from companion.app.theme import Theme
from companion.app.tournament_follower import TournamentFollower
from companion.app.widgets.button import TapGuard, Tappable
from companion.config import ConfigError
from companion.games.base import Message, Refusal
from companion.journal.database import StoreError
from companion.language import Language
from companion.table.catalogues.card_store import CardStoreError
from companion.table.history import MatchHistory
from companion.table.matches import Matches
from companion.table.session import StorageError
from vision.files import DamagedFile, take_damaged_files

if TYPE_CHECKING:
    from kivy.core.window import WindowBase

log = logging.getLogger(__name__)

TOUCH_PAUSE_S = 0.5
"""Seconds after a tap in which people count as busy."""
DAMAGE_CHECK_INTERVAL_S = 1.0
"""Seconds between two checks for files that could not be used."""

_FILE_CONTENTS = {"hub.json": "hub", "market.json": "market", "calibration.json": "calibration"}
"""What is in a file of state, for the message about a damaged one. A dice set is named after its game."""


def damaged_file_message(damaged: DamagedFile) -> Message:
    """Return what was lost with a damaged file, and what happened to it."""
    content = _FILE_CONTENTS.get(damaged.path.name, "dice" if damaged.path.suffix == ".toml" else "other")
    if damaged.moved_to is None:
        return Message("app.damaged.unreadable", {"file": damaged.path.name, "lost": Message(f"app.damaged.{content}")})
    args = {"file": damaged.path.name, "aside": damaged.moved_to.name, "lost": Message(f"app.damaged.{content}")}
    return Message("app.damaged.aside", args)


class AppContext(MatchSessionHolder):
    """Application context, created once by the app. `stop` ends the app."""

    def __init__(
        self,
        matches: Matches,
        settings: SettingsStore,
        stop: Callable[[], None],
        *,
        reader_factory: ReaderFactory | None = None,
        squads: Path | None = None,
        platform: Platform | None = None,
    ) -> None:
        """`settings` holds the current settings and saves them; `squads` is the folder with the players' own clubs."""
        self.matches, self.squads, self.reader_factory, self.stop = matches, squads, reader_factory, stop
        self.settings = settings
        self.preferences = self._saved_preferences = Preferences.of(settings.config)
        platform = platform or Platform()
        self.export_config = platform.export_config
        self.runner = MatchRunner(lambda: self.session, self.attempt, self._play_opponents)
        self.audio, self.idle_monitor = AudioFeedback(self, platform), IdleMonitor(self, platform)
        self.hardware_buttons, self.tournament_follower = (
            HardwareButtons(self, platform),
            TournamentFollower(self, platform),
        )
        self.match_timer = MatchTimer(self, platform)
        self.recent_picks = RecentPicks()
        self.open_setups = {}
        self._damage_check = repeating(self._tell_damaged_files, DAMAGE_CHECK_INTERVAL_S)
        self.history: MatchHistory | None = None
        """Statistics over all matches; None until first requested."""
        self._apply_display_settings()
        self.navigator = Navigator(self)

    def start(self, window: WindowBase) -> None:
        """Start all services in `window` and open the first page."""
        Tappable.guard, Tappable.allows = TapGuard(Clock.get_time), lambda tap: self.audio.allows_tap(tap)
        self.navigator.attach_window(window)
        self.idle_monitor.start(window)
        self.hardware_buttons.start()
        self.runner.start()
        self._damage_check()
        self.open("home")
        self.tournament_follower.start()
        if self.start_trouble is not None:
            self.open("trouble")
        elif self.idle_monitor.platform.first_step is not None:
            self.open("welcome", step=self.idle_monitor.platform.first_step)

    def close(self) -> None:
        """Stop all services and end the session."""
        self.runner.stop()
        self._damage_check.cancel()
        self.end_session()
        self.idle_monitor.close()
        self.audio.close()
        self.hardware_buttons.close()
        self.match_timer.close()
        self.tournament_follower.close()

    @property
    def start_trouble(self) -> StartTrouble | None:
        """What is wrong since the start; None if all is well."""
        return self.idle_monitor.platform.start_trouble

    def reopen_matches(self) -> bool:
        """Try to open the matches for writing after a start that could only show them. Returns True if they are open.

        The open session ends, since it belongs to the view.
        """
        trouble = self.start_trouble
        if trouble is None or trouble.reopen is None:
            return True
        try:
            store, messages = trouble.reopen()
        except StoreError as fault:
            log.info("the matches cannot be written yet: %s", fault)
            return False
        self.end_session()
        self.matches.replace_store(store)
        self.history = None
        trouble.reopen, trouble.messages = None, messages
        return True

    @property
    def theme(self) -> Theme:
        return display.theme

    @property
    def translate(self) -> Language:
        return display.language

    @property
    def portrait(self) -> bool:
        return display.portrait

    # Navigation

    def open(self, name: str, **args: object) -> None:
        """Open a page by name, one level deeper. Asks for the PIN first if the page is locked."""
        self.idle_monitor.open_guarded(name, lambda: self.navigator.push(Route(name, args)))

    def back(self) -> None:
        """Go up one level: close the top sheet, else let the page handle it, else open the previous page."""
        if self.navigator.sheets:
            self.navigator.sheets[-1].leave()
        elif self.navigator.page is None or not self.navigator.page.back():
            self.navigator.go_back()

    def home(self) -> None:
        """Return to the first page."""
        self.navigator.go_home()

    def redraw(self) -> None:
        """Rebuild the open page from its route."""
        self.navigator.show()

    def show_sheet(self, sheet: Overlay) -> None:
        """Show a sheet over the page."""
        self.navigator.show_sheet(sheet)

    def close_sheet(self) -> None:
        """Close the top sheet."""
        self.navigator.close_sheet()

    def show_error(self, sentence: str) -> None:
        """Show an error sentence to the players in a sheet."""
        self.navigator.show_notice(sentence)

    def attempt(self, action: Callable[[], object]) -> bool:
        """Run `action`. On a refusal or a storage error, show it to the players and return False."""
        try:
            action()
        except Refusal as refusal:
            self.show_error(self.format_refusal(refusal))
            return False
        except (CardStoreError, StorageError) as trouble:
            self.show_error(self.text(trouble.message))
            return False
        return True

    # Settings

    def apply_preferences(self, preferences: Preferences) -> None:
        """Apply new settings at once and save them if a settings file exists."""
        self.preferences = preferences
        self._apply_display_settings()
        self.navigator.apply_preferences()
        self.idle_monitor.apply_preferences()
        self.redraw()
        if self.settings.file is None:
            return
        try:
            preferences.save(self.settings.file, self._saved_preferences)
            self._saved_preferences = preferences
        except ConfigError as fault:
            log.warning("settings not kept: %s", fault)
            self.show_error(self.text(fault.message))

    def swap_sides(self) -> None:
        """Swap the two sides on the screen."""
        self.apply_preferences(replace(self.preferences, swapped=not self.preferences.swapped))

    def text(self, message: Message) -> str:
        """Return a message of a game or of the table in the players' language."""
        return self.translate.text(message)

    def format_refusal(self, refusal: Refusal) -> str:
        """Return the reason of a refusal with its rule number."""
        return self.translate("app.refused", reason=refusal.message, rule=refusal.rule)

    # Internals

    def _play_opponents(self) -> None:
        """Let the opponents act while people look at the match and have no question before them."""
        if self.opponents is None or not self.opponents.sides:
            return
        page = self.navigator.page
        is_followed = page is not None and page.route.args.get("session") is self.session and page.shows_match
        tapped = Clock.get_time() - Tappable.guard.last_tap_at < TOUCH_PAUSE_S
        self.opponents.poll(busy=not is_followed or bool(self.navigator.sheets) or tapped)

    def _tell_damaged_files(self, *_: object) -> None:
        """Say which files could not be used, and where they are now."""
        for damaged in take_damaged_files():
            log.warning("%s cannot be used (%s); it is now %s", damaged.path, damaged.fault, damaged.moved_to)
            self.show_error(self.text(damaged_file_message(damaged)))

    def _apply_display_settings(self) -> None:
        display.theme, display.language = self.preferences.theme(), Language(self.preferences.language)
        display.left_handed = self.preferences.left_handed

    def on_unexpected_error(self, fault: BaseException) -> None:
        """Log an unexpected error with its traceback and show a sentence. The match is safe in its journal."""
        if isinstance(fault, StorageError):
            log.warning("not written: %s", fault)
            self.show_error(self.text(fault.message))
        else:
            log.error("unexpected error", exc_info=fault)
            Clock.schedule_once(lambda *_: self.show_error(self.translate("app.surprise")))
