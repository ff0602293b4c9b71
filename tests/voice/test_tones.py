"""The tones are audible, distinct, free of clicks, and played by any available player."""

from __future__ import annotations

import io
import resource
import time
import wave
from pathlib import Path

import numpy as np
import pytest

from companion.voice.tones import SAMPLE_RATE_HZ, TONE_NAMES, Tones, find_player, tone, wav
from tests.voice.recorded import RecordedTones


@pytest.mark.parametrize("name", TONE_NAMES)
def test_a_tone_is_short_loud_enough_and_begins_and_ends_in_silence(name):
    samples = tone(name)
    assert 0.05 < len(samples) / SAMPLE_RATE_HZ <= 1.0
    assert np.abs(samples).max() == pytest.approx(1.0)
    assert abs(samples[0]) < 0.01
    assert abs(samples[-1]) < 0.01


def test_no_two_tones_sound_alike():
    def pitch(name: str) -> tuple[float, float]:
        """Return the strongest frequency of the first and of the last third."""
        samples = tone(name)
        third = len(samples) // 3
        parts = (samples[:third], samples[-third:])
        first, last = (float(np.abs(np.fft.rfft(part)).argmax()) * SAMPLE_RATE_HZ / len(part) for part in parts)
        return round(first, -1), round(last, -1)

    assert len({pitch(name) for name in TONE_NAMES}) == len(TONE_NAMES)


@pytest.mark.parametrize("volume", [0, 50, 100])
def test_the_file_holds_the_volume(volume):
    with wave.open(io.BytesIO(wav("goal", volume))) as file:
        samples = np.frombuffer(file.readframes(file.getnframes()), dtype="<i2")
    assert np.abs(samples).max() == pytest.approx(0.8 * 32767 * volume / 100, abs=1)


def noting(folder: Path) -> tuple[tuple[str, ...], Path]:
    """Return a player that records its arguments, and its log file."""
    notes, program = folder / "notes", folder / "player"
    program.write_text(f'#!/bin/sh\nhead -c 4 "$1" >>"{notes}"\necho " $(basename "$1")" >>"{notes}"\n')
    program.chmod(0o755)
    return (str(program),), notes


@pytest.fixture(params=["player", "recorded"])
def tones(request, tmp_path):
    made = Tones(noting(tmp_path)[0]) if request.param == "player" else RecordedTones()
    yield made
    made.close()


def test_every_tone_can_be_played_one_over_the_other(tones):
    for name in TONE_NAMES:
        assert tones.play(name) is None


def test_the_player_gets_a_sound_file_at_the_present_volume(tmp_path):
    command, notes = noting(tmp_path)
    tones = Tones(command)
    for volume in (30, 80):
        tones.play("goal", volume)
        deadline = time.monotonic() + 20
        while f"goal-{volume}.wav" not in (notes.read_text() if notes.exists() else ""):
            assert time.monotonic() < deadline, "the player was never called"
    tones.close()
    assert notes.read_text().splitlines() == ["RIFF goal-30.wav", "RIFF goal-80.wav"]


def test_a_player_that_is_gone_is_silence(tmp_path, caplog):
    tones = Tones((str(tmp_path / "nothing"),))
    tones.play("read")
    tones.close()
    assert "no tone is played" in caplog.text


def test_nothing_stays_on_the_disk(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    tones = Tones((str(tmp_path / "nothing"),))
    tones.play("read")
    assert list(tmp_path.iterdir())
    tones.close()
    assert not list(tmp_path.iterdir())


def test_a_tone_cut_off_by_a_full_disk_is_written_again(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    tones = Tones(("true",))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))  # bytes; every tone is longer
    try:
        tones.play("read")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert "no tone is played" in caplog.text
    tones.play("read")
    contents = [path.read_bytes() for path in tmp_path.glob("*/*")]
    tones.close()
    assert contents == [wav("read", 100)]


def test_an_unknown_tone_is_an_error(tmp_path):
    tones = Tones(("true",))
    with pytest.raises(ValueError, match="trumpet"):
        tones.play("trumpet")
    tones.close()


def test_the_first_player_found_is_taken(tmp_path):
    def there(name):
        program = tmp_path / name
        program.touch(mode=0o755)
        return str(program)

    assert find_player(str(tmp_path)) is None
    aplay = there("aplay")
    assert find_player(str(tmp_path)) == (aplay, "-q")
    paplay = there("paplay")
    assert find_player(str(tmp_path)) == (paplay,)
