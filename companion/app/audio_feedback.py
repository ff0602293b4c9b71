"""Audio output of the app: match announcements, short sounds, and spoken names of controls."""

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
"""Seconds within which a second tap triggers the control that the first tap announced."""


class AudioFeedback:
    """Audio feedback, one instance per app. Silent without voice or tones, or if the settings disable them."""

    def __init__(self, app: AppContext, platform: Platform) -> None:
        self._app = app
        self._voice, self._chimes = platform.voice, platform.chimes
        self._last_explored: tuple[object, float] = (None, 0.0)

    def close(self) -> None:
        """Stop and close voice and tones."""
        for part in (self._voice, self._chimes):
            if part is not None:
                part.close()

    def apply_preferences(self) -> None:
        """Apply changed settings."""
        if self._voice is not None and self._app.preferences.voice == "off":
            self._voice.stop()

    def attach(self, session: Session) -> None:
        """Start to announce the events of a match."""
        announcer = Announcer(session)

        def on_news(news: News) -> None:
            if news.kind is not NewsKind.TRAY:
                self._app.idle_monitor.wake()
                self._play(announcer.announce(news))

        session.outputs.subscribe(on_news)
        self._play(announcer.greeting())

    def announce_refusal(self, reason: str = "") -> None:
        """Announce a refusal. The screen shows its reason as well."""
        self.chime(Cue.REFUSAL)
        if self._app.preferences.voice == "all" and reason:
            self.speak(reason)

    def speak(self, sentence: str) -> None:
        """Speak a sentence in the current language, unless the voice is off."""
        preferences = self._app.preferences
        if self._voice is not None and preferences.voice != "off":
            self._voice.speak(sentence, preferences.language, preferences.volume)

    def chime(self, cue: Cue) -> None:
        """Play a short sound, unless sounds are off."""
        preferences = self._app.preferences
        if self._chimes is not None and preferences.effects:
            self._chimes.play(cue.value, preferences.volume)

    def allows_tap(self, tap: Tappable) -> bool:
        """Return True if a tap triggers its action.

        If everything is spoken, the first tap only announces the action and the second one triggers it.
        """
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
    """Add a full stop if the text has no final punctuation, so that the voice pauses."""
    return text if text[-1:] in ".!?:" else f"{text}."


def _is_secret(widget: Widget) -> bool:
    """True if the widget is on a page or sheet with answers that the other side must not hear."""
    while widget is not None and widget.parent is not widget:
        if getattr(widget, "secret", False):
            return True
        widget = widget.parent
    return False
