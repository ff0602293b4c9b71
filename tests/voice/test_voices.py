"""The voice contract for both voices; the real one is checked by the WAV file that it writes."""

from __future__ import annotations

import shutil
import time
import wave
from pathlib import Path

import pytest

from companion.voice.espeak import EspeakVoice, find_program, to_speech_text
from tests.voice.recorded import RecordedVoice

PROGRAM = find_program()
needs_espeak = pytest.mark.skipif(PROGRAM is None, reason="espeak-ng is not installed")


def seconds(file: Path) -> float:
    """Return the duration of a WAV by its actual samples."""
    with wave.open(str(file)) as heard:
        return len(heard.readframes(heard.getnframes())) / heard.getsampwidth() / heard.getframerate()


def speaking(voice: EspeakVoice | RecordedVoice) -> bool:
    """Return True while a sentence is spoken."""
    if isinstance(voice, RecordedVoice):
        return voice.speaking
    return voice.process is not None and voice.process.poll() is None


def finish(voice: EspeakVoice) -> None:
    deadline = time.monotonic() + 20
    while speaking(voice):
        assert time.monotonic() < deadline, "the voice never came to an end"


def endless(folder: Path) -> str:
    """Return a program that takes its sentence and never ends."""
    program = folder / "endless"
    program.write_text("#!/bin/sh\ncat >/dev/null\nexec sleep 600\n")
    program.chmod(0o755)
    return str(program)


@pytest.fixture(params=["endless", "recorded"])
def voice(request, tmp_path):
    made = EspeakVoice(endless(tmp_path)) if request.param == "endless" else RecordedVoice()
    yield made
    made.close()


def test_a_voice_is_silent_until_it_is_told_something(voice):
    assert not speaking(voice)


def test_saying_does_not_wait_for_the_end(voice):
    voice.speak("Attaque placée", "fr")
    assert speaking(voice)


def test_hushing_ends_it_at_once_and_may_be_done_twice(voice):
    voice.speak("Attaque placée", "fr")
    voice.stop()
    voice.stop()
    assert not speaking(voice)


def test_the_newest_sentence_cuts_the_one_before(voice):
    voice.speak("Attaque placée", "fr")
    voice.speak("Corner", "en")
    assert speaking(voice)
    voice.stop()
    assert not speaking(voice), "the first one is gone too"


def test_an_empty_sentence_only_ends_the_one_before(voice):
    voice.speak("Attaque placée", "fr")
    voice.speak(" … ", "fr")
    assert not speaking(voice)


def test_an_unknown_language_is_refused(voice):
    with pytest.raises(ValueError, match="xx"):
        voice.speak("hello", "xx")


def test_a_program_that_is_gone_is_silence(tmp_path, caplog):
    voice = EspeakVoice(tmp_path / "nothing")
    voice.speak("Attaque placée", "fr")
    assert not speaking(voice)
    assert "nothing is said" in caplog.text


def test_the_recorded_voice_keeps_words_and_language():
    voice = RecordedVoice()
    voice.speak("bonus −17", "fr")
    assert voice.utterances == [("bonus moins 17", "fr")]


@needs_espeak
@pytest.mark.parametrize("language", ["fr", "en"])
def test_the_real_voice_speaks_longer_for_a_longer_sentence(tmp_path, language):
    lengths = []
    for text in ("But", "Attaque placée : Karim Delmas, bonus −17. Port-Mélian lance le dé de défense."):
        file = tmp_path / "said.wav"
        voice = EspeakVoice(PROGRAM, file=file)
        voice.speak(text, language)
        finish(voice)
        lengths.append(seconds(file))
    assert 0.2 < lengths[0] < lengths[1] / 3


@needs_espeak
def test_the_real_voice_is_as_loud_as_it_is_set(tmp_path):
    def loudness(volume: int) -> int:
        file = tmp_path / f"{volume}.wav"
        voice = EspeakVoice(PROGRAM, file=file)
        voice.speak("Attaque placée", "fr", volume)
        finish(voice)
        with wave.open(str(file)) as heard:
            samples = memoryview(heard.readframes(heard.getnframes())).cast("h")
        return max(abs(sample) for sample in samples)

    assert loudness(10) < loudness(70) / 3


@needs_espeak
def test_a_sentence_is_never_taken_for_an_option(tmp_path):
    file = tmp_path / "said.wav"
    voice = EspeakVoice(PROGRAM, file=file)
    voice.speak("--version", "en")
    finish(voice)
    assert seconds(file) > 0.2


def test_the_program_is_the_one_on_the_path():
    assert shutil.which("espeak-ng") == PROGRAM


@pytest.mark.parametrize(
    ("displayed", "language", "heard"),
    [
        ("Attaque placée\u00a0: K. Delmas, −17", "fr", "Attaque placée : K Delmas, moins 17"),
        ("Arrêt, 3 – 1", "fr", "Arrêt, 3 à 1"),
        ("3 – 1", "en", "3 to 1"),
        ("J.-P. Sartre", "fr", "J.-P Sartre"),
        ("Ballon violet, 1re mi-temps", "fr", "Ballon violet, première mi-temps"),
        ("2e tour, 3e tour", "fr", "deuxième tour, 3ième tour"),
        ("AL_D · DC_G…", "fr", "AL D, DC G"),
        ("poste ±0", "en", "poste plus or minus 0"),
        ("Port-Mélian - Valcendre", "fr", "Port-Mélian - Valcendre"),
        ("28\u00a0%", "fr", "28 %"),
    ],
)
def test_signs_that_a_voice_would_swallow_become_words(displayed, language, heard):
    assert to_speech_text(displayed, language) == heard
