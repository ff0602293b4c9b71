"""What the app lets hear: the match as it goes, short sounds, and the names of things before they are done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kivy.clock import Clock

from companion.app.platform import Platform
from companion.table.announcer import Announcement, Announcer, Cue
from companion.table.ports import News, NewsKind
from companion.table.session import Session

if TYPE_CHECKING:
    from kivy.uix.widget import Widget

    from companion.app.context import AppContext
    from companion.app.widgets.button import Tappable

EXPLORE_TIMEOUT_S = 8.0
"""Seconds within which the second tap does what the first one said."""


class AudioFeedback:
    """One for the app; silent where the house has no voice, no tones, or the settings say so."""

    def __init__(self, app: AppContext, platform: Platform) -> None:
        self._app = app
        self._voice, self._chimes = platform.voice, platform.chimes
        self._last_explored: tuple[object, float] = (None, 0.0)

    def close(self) -> None:
        """The voice falls silent."""
        for part in (self._voice, self._chimes):
            if part is not None:
                part.close()

    def apply_preferences(self) -> None:
        """The settings are other ones."""
        if self._voice is not None and self._app.preferences.voice == "off":
            self._voice.stop()

    def attach(self, session: Session) -> None:
        """Listens to a match from now on."""
        announcer = Announcer(session)

        def on_news(news: News) -> None:
            if news.kind is not NewsKind.TRAY:
                self._app.idle_monitor.wake()
                self._play(announcer.announce(news))

        session.outputs.subscribe(on_news)
        self._play(announcer.greeting())

    def announce_refusal(self, reason: str = "") -> None:
        """Something was refused; the screen says why, too."""
        self.chime(Cue.REFUSAL)
        if self._app.preferences.voice == "all" and reason:
            self.speak(reason)

    def speak(self, sentence: str) -> None:
        """Says a sentence of the present language, unless the voice is off."""
        preferences = self._app.preferences
        if self._voice is not None and preferences.voice != "off":
            self._voice.speak(sentence, preferences.language, preferences.volume)

    def chime(self, cue: Cue) -> None:
        """A short sound, unless they are off."""
        preferences = self._app.preferences
        if self._chimes is not None and preferences.effects:
            self._chimes.play(cue.value, preferences.volume)

    def allows_tap(self, tap: Tappable) -> bool:
        """Whether a tap does something: with everything spoken, the first tap only says what it would do."""
        if self._voice is None or self._app.preferences.voice != "all" or not tap.explored or _is_secret(tap):
            return True
        now, key = Clock.get_time(), (tap.spoken_name(), *map(round, tap.to_window(*tap.center)))
        before, at = self._last_explored
        if before == key and now - at < EXPLORE_TIMEOUT_S:
            self._last_explored = (None, 0.0)
            return True
        self._last_explored = (key, now)
        self.speak(tap.spoken_name())
        return False

    def _play(self, heard: Announcement) -> None:
        if heard.cue is not None:
            self.chime(heard.cue)
        messages = heard.messages(self._app.preferences.voice)
        if messages:
            self.speak(" ".join(_sentence(self._app.text(message)) for message in messages))


def _sentence(text: str) -> str:
    """With a mark at its end, at which a voice rests."""
    return text if text[-1:] in ".!?:" else f"{text}."


def _is_secret(widget: Widget) -> bool:
    """Whether it stands on a page or a sheet whose answers the other side must not hear."""
    while widget is not None and widget.parent is not widget:
        if getattr(widget, "secret", False):
            return True
        widget = widget.parent
    return False
