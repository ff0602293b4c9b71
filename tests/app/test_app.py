"""Tests of app behaviour: settings apply at once and are saved, early taps are ignored, errors are shown and
survived."""

from __future__ import annotations

from tests.app.test_new_match import play


def test_settings_are_seen_at_once_and_kept(tmp_path):
    first = play("settle", tmp_path, "800x480", "fr")
    assert (first.returncode, first.stdout) == (0, ""), first.stdout + first.stderr
    again = play("settled", tmp_path, "720x1280", "fr")
    assert (again.returncode, again.stdout) == (0, ""), again.stdout + again.stderr


def test_the_app_bears_with_players_and_faults(tmp_path):
    played = play("misbehave", tmp_path, "800x480", "fr")
    assert (played.returncode, played.stdout) == (0, ""), played.stdout + played.stderr
