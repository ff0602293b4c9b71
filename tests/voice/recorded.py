"""Twins of voice and tones that make no noise: they keep what was to be heard."""

from __future__ import annotations

from companion.voice.espeak import to_speech_text


class RecordedVoice:
    """Keeps every text as it would be read aloud, with its language."""

    def __init__(self) -> None:
        self.said: list[tuple[str, str]] = []
        self.speaking = False
        """Whether the last text was not cut since: this voice never comes to its end by itself."""

    def speak(self, text: str, language: str, volume: int = 100) -> None:
        """Takes a text down; an empty one leaves silence."""
        words = to_speech_text(text, language)
        self.speaking = bool(words)
        if words:
            self.said.append((words, language))

    def stop(self) -> None:
        """Ends what is being said."""
        self.speaking = False

    def close(self) -> None:
        """Silence from now on."""
        self.stop()


class RecordedTones:
    """Keeps the names of the tones that were to be played."""

    def __init__(self) -> None:
        self.played: list[str] = []

    def play(self, name: str, volume: int = 100) -> None:
        """Takes a tone down."""
        self.played.append(name)

    def close(self) -> None:
        """Nothing is open."""
