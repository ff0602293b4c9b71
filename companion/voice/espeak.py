"""Speech through espeak-ng in a separate process. Calls do not block; a new sentence cuts the old one."""

from __future__ import annotations

import logging
import re
import shutil
import subprocess
from pathlib import Path

from companion.language import Language

_MINUS = re.compile(r"[\u2212-](?=\d)")
_PLUS_MINUS = re.compile("±")
_TIMES = re.compile(r"\s*×\s*")
_BETWEEN = re.compile(r"(?<=\d)\s*[–—]\s*(?=\d)")
_INITIAL = re.compile(r"\b([^\W\d_])\.\s(?=[^\W\d_])")
_PAUSE = re.compile(r"\s*[·…]\s*|\s[–—]\s")
_ORDINAL = {"fr": ((re.compile(r"\b1re\b"), "première"), (re.compile(r"\b(\d+)e\b"), r"\1ième"))}
_SECOND = re.compile(r"\b2ième\b")
_SPACES = re.compile(r"[\s\u00a0\u202f_]+")


def to_speech_text(sentence: str, language: str) -> str:
    """Rewrite a sentence so that the voice of that language reads it correctly."""
    translate = Language(language)
    text = _PLUS_MINUS.sub(f" {translate('voice.plus_minus')} ", sentence)
    text = _BETWEEN.sub(f" {translate('voice.to')} ", text)
    text = _MINUS.sub(f" {translate('voice.minus')} ", text)
    text = _TIMES.sub(f" {translate('voice.times')} ", text)
    text = _INITIAL.sub(r"\1 ", text)
    text = _PAUSE.sub(", ", text)
    for pattern, ordinal in _ORDINAL.get(language, ()):
        text = pattern.sub(ordinal, text)
    return _SPACES.sub(" ", _SECOND.sub("deuxième", text)).strip(" ,")


PROGRAM = "espeak-ng"
VOICES = {"fr": "fr", "en": "en-gb"}
WORDS_PER_MINUTE = 165
MAX_AMPLITUDE = 200
"""The espeak-ng amplitude for 100 % volume."""

log = logging.getLogger(__name__)


class EspeakVoice:
    """Speech through the program at `program`. With `file`, the speech is written there as WAV instead."""

    def __init__(self, program: str | Path, file: Path | None = None) -> None:
        self._program, self._file = str(program), file
        self.process: subprocess.Popen[bytes] | None = None
        """The process that speaks the newest sentence."""

    def speak(self, text: str, language: str, volume: int = 100) -> None:
        """Start to speak a text at a volume in percent. Stops the current sentence.

        If the program cannot be started, a warning is logged and nothing is spoken.
        """
        self.stop()
        words = to_speech_text(text, language)
        if not words:
            return
        command = [self._program, "-v", VOICES[language], "-s", str(WORDS_PER_MINUTE), "-b", "1", "--stdin"]
        command += ["-a", str(round(volume / 100 * MAX_AMPLITUDE))]
        if self._file is not None:
            command += ["-w", str(self._file)]
        quiet = subprocess.DEVNULL
        try:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet)
            assert self.process.stdin is not None
            with self.process.stdin as stdin:
                stdin.write(words.encode())
        except OSError as fault:
            log.warning("nothing is said: %s", fault)

    def stop(self) -> None:
        """Stop the current sentence."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def close(self) -> None:
        """Stop speaking and release the process."""
        self.stop()


def find_program() -> str | None:
    """Return the path of espeak-ng, or None if it is not installed."""
    return shutil.which(PROGRAM)
