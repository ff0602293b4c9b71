"""Silent fakes of voice and tones that record their calls."""

from __future__ import annotations

from companion.voice.espeak import to_speech_text


class RecordedVoice:
    """Records every spoken text with its language."""

    def __init__(self) -> None:
        self.utterances: list[tuple[str, str]] = []
        self.speaking = False
        """True until the last text is stopped: this voice never finishes a text."""

    def speak(self, text: str, language: str, volume: int = 100) -> None:
        """Record a text; an empty one leaves silence."""
        speech_text = to_speech_text(text, language)
        self.speaking = bool(speech_text)
        if speech_text:
            self.utterances.append((speech_text, language))

    def stop(self) -> None:
        """Stop the current text."""
        self.speaking = False

    def close(self) -> None:
        """Stop speaking and close."""
        self.stop()


class RecordedTones:
    """Records the names of the played tones."""

    def __init__(self) -> None:
        self.played: list[str] = []

    def play(self, name: str, volume: int = 100) -> None:
        """Record a tone."""
        self.played.append(name)

    def close(self) -> None:
        """Do nothing: no resource is open."""
