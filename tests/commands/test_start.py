"""The start of the app with a full or read-only disk, a damaged store, and faults in the settings."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import apsw
import pytest

from companion.clock import ManualClock
from companion.commands.start import STRICT_VARIABLE, Start, open_table
from companion.config import last_good_file, read_config
from companion.games.base import Die
from companion.games.registry import GAMES
from companion.journal.database import StoreError
from companion.journal.read_only import ReadOnlyStore
from companion.journal.store import Store
from companion.journal.store_files import STORE_FILE
from companion.language import LANGUAGES, Language
from companion.table.matches import Matches
from companion.table.session import StorageError
from tests.small_disk import small_disk
from tests.table.sample_match import sample_header, until_duel

HEADER = sample_header()


def settings(folder: Path, more: str = "") -> Path:
    file = folder / "config.toml"
    file.write_text(f'[data]\nfolder = "{folder}/data"\n{more}')
    return file


def played(folder: Path) -> str:
    """Write a match into the data folder and return its id."""
    with Store.open(folder / "data" / STORE_FILE, ManualClock()) as store:
        session = Matches(store, GAMES).start("footclub", HEADER)
        for fields in until_duel(HEADER):
            session.record(fields)
        return session.match_id


def started(file: Path, clock: ManualClock | None = None) -> Start:
    return open_table(file, clock or ManualClock(), lambda: None)


def ids(start: Start) -> list[str]:
    """Return the ids of the messages; each has a sentence without gaps in both languages."""
    messages = start.trouble.messages if start.trouble else ()
    for language in LANGUAGES:
        for message in messages:
            sentence = Language(language).text(message)
            assert sentence != message.id
            assert "{" not in sentence
    return [message.id for message in messages]


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a file system of 8 MB."""
    with small_disk(tmp_path / "disk") as folder:
        yield folder


def fill(ballast: Path) -> None:
    """Write until no page is free."""
    ballast.parent.mkdir(exist_ok=True)
    with ballast.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(4096))


def test_a_good_start_says_nothing_and_keeps_the_settings(tmp_path: Path) -> None:
    file = settings(tmp_path)
    match = played(tmp_path)
    start = started(file)
    assert (start.trouble, [each.id for each in start.store.matches()]) == (None, [match])
    assert last_good_file(file).read_bytes() == file.read_bytes()
    start.store.close()


def test_a_full_disk_shows_the_matches_and_goes_on_with_room(disk: Path) -> None:
    file, match = settings(disk), played(disk)
    ballast = disk / "data" / "exchange" / "ballast"
    fill(ballast)
    start = started(file)
    assert ids(start) == ["start.no_room", "start.full"]
    assert start.trouble is not None
    assert start.trouble.reopen is not None
    assert isinstance(start.store, ReadOnlyStore)
    matches = Matches(start.store, GAMES)
    (summary,) = matches.recent()
    assert (summary.match_id, summary.trouble) == (match, None)
    session = matches.resume(match)
    with pytest.raises(StorageError):
        session.enter_dice([Die("pips", 6), Die("pips", 2)])
    with pytest.raises(StorageError):
        session.undo()
    with pytest.raises(StorageError):
        matches.start("footclub", HEADER)
    with pytest.raises(StoreError):
        start.trouble.reopen()
    ballast.unlink()
    store, _ = start.trouble.reopen()
    matches.replace_store(store)
    session = matches.resume(match)
    before = session.sequence
    session.undo()
    assert session.sequence == before + 1
    store.close()


def test_a_read_only_disk_shows_the_matches(disk: Path) -> None:
    file, match = settings(disk), played(disk)
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    start = started(file)
    assert ids(start) == ["journal.store.read_only", "start.read_only"]
    assert [each.id for each in start.store.matches()] == [match]
    start.store.close()


def test_a_store_in_use_is_shown_until_it_is_free(tmp_path: Path) -> None:
    file, match = settings(tmp_path), played(tmp_path)
    other = Store.open(tmp_path / "data" / STORE_FILE, ManualClock())
    start = started(file)
    assert ids(start) == ["journal.store.busy", "start.busy"]
    assert [each.id for each in start.store.matches()] == [match]
    other.close()
    assert start.trouble is not None
    assert start.trouble.reopen is not None
    start.store.close()
    start.trouble.reopen()[0].close()


@pytest.mark.parametrize("content", [b"a letter to the editor", b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_file_that_is_no_store_is_reported_and_set_aside(tmp_path: Path, content: bytes) -> None:
    file, path = settings(tmp_path), tmp_path / "data" / STORE_FILE
    path.parent.mkdir()
    path.write_bytes(content)
    start = started(file)
    assert ids(start) == ["journal.recovery.foreign"]
    assert start.store.matches() == []
    start.store.close()
    assert content in [each.read_bytes() for each in path.parent.rglob(f"*{STORE_FILE}*") if each.is_file()]


def test_a_store_of_a_newer_version_is_told_and_left_alone(tmp_path: Path) -> None:
    file = settings(tmp_path)
    played(tmp_path)
    path = tmp_path / "data" / STORE_FILE
    newer = apsw.Connection(str(path))
    newer.pragma("user_version", 99)
    newer.execute("CREATE TABLE of_a_later_version (id TEXT)")
    newer.close()
    content = path.read_bytes()
    start = started(file)
    assert ids(start) == ["journal.store.newer"]
    start.store.close()
    assert path.read_bytes() == content


def test_a_strict_start_fails_instead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = settings(tmp_path)
    played(tmp_path)
    monkeypatch.setenv(STRICT_VARIABLE, "1")
    with Store.open(tmp_path / "data" / STORE_FILE, ManualClock()), pytest.raises(StoreError):
        started(file)


def test_a_wrong_key_is_told_and_the_table_plays(tmp_path: Path) -> None:
    file = settings(tmp_path, '[display]\nlangage = "en"\n')
    played(tmp_path)
    start = started(file)
    assert ids(start) == ["config.unknown_key_near", "start.defaults"]
    assert start.trouble is not None
    assert not start.trouble.is_read_only
    assert start.trouble.restore_settings is None, "there is no good file yet"
    assert not last_good_file(file).exists(), "a file with faults is not kept as good"
    start.store.close()


def test_a_broken_file_is_replaced_on_request(tmp_path: Path) -> None:
    file, match = settings(tmp_path), played(tmp_path)
    started(file).store.close()
    good = read_config(file)
    file.write_text("[display\n")
    start = started(file)
    assert ids(start) == ["config.syntax", "start.last_good"]
    assert [each.id for each in start.store.matches()] == [match], "the last good data folder is used"
    start.store.close()
    assert start.trouble is not None
    assert start.trouble.restore_settings is not None
    start.trouble.restore_settings()
    assert read_config(file) == good


def test_an_unknown_data_folder_is_not_replaced_by_an_empty_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    file = tmp_path / "config.toml"
    file.write_text(f'[data]\nfoldr = "{tmp_path}/data"\n')
    start = started(file)
    assert ids(start) == ["journal.store.folder_unknown", "config.unknown_key_near", "start.defaults"]
    assert start.trouble is not None
    assert start.trouble.reopen is not None
    with pytest.raises(StoreError):
        start.trouble.reopen()
    assert not (tmp_path / "home").exists()


def test_a_data_folder_that_is_gone_is_not_made_anew(tmp_path: Path) -> None:
    file, match = settings(tmp_path), played(tmp_path)
    started(file).store.close()
    (tmp_path / "data").rename(tmp_path / "unplugged")
    start = started(file)
    assert ids(start) == ["journal.store.folder_gone"]
    assert start.trouble is not None
    assert start.trouble.reopen is not None
    with pytest.raises(StoreError):
        start.trouble.reopen()
    assert not (tmp_path / "data").exists()
    (tmp_path / "unplugged").rename(tmp_path / "data")
    store, _ = start.trouble.reopen()
    assert [each.id for each in store.matches()] == [match]
    store.close()


@pytest.mark.parametrize(("years", "kept"), [(0, False), (-20, True), (10, True)])
def test_a_clock_that_is_wrong_by_years_deletes_nothing(tmp_path: Path, years: int, kept: bool) -> None:
    file, removed, clock = settings(tmp_path), played(tmp_path), ManualClock()
    played(tmp_path)
    with Store.open(tmp_path / "data" / STORE_FILE, clock) as store:
        store.remove(removed)
    start = started(file, ManualClock(clock.now().replace(year=clock.now().year + years) + timedelta(days=8)))
    assert bool(start.store.events(removed)) is kept
    start.store.close()


@pytest.mark.slow
@pytest.mark.parametrize("what", ["full", "read-only", "broken settings"])
def test_the_real_app_comes_up_and_goes_on(disk: Path, tmp_path: Path, what: str) -> None:
    """The window is drawn, systemd hears of it, and nothing is written over what was there."""
    file = settings(disk, '[camera]\nsource = "none"\n')
    played(disk)
    stored = (disk / "data" / STORE_FILE).read_bytes()
    if what == "full":
        fill(disk / "ballast")
    elif what == "read-only":
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    else:
        file.write_text(file.read_text() + "[display\n")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd, (tmp_path / "output").open("w+b") as output:
        systemd.bind(str(tmp_path / "notify"))
        systemd.settimeout(60.0)
        environ = {**os.environ, "NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "1500000"}
        environ |= {"SDL_VIDEODRIVER": "offscreen", "KIVY_NO_CONSOLELOG": "1"}
        command = [sys.executable, "-m", "companion", "--config", str(file), "run"]
        app = subprocess.Popen(command, env=environ, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        try:
            assert b"READY=1" in systemd.recv(4096)
            for _ in range(2):
                assert systemd.recv(4096) == b"WATCHDOG=1"
        finally:
            app.terminate()
            app.wait(timeout=20)
    assert "Traceback" not in (tmp_path / "output").read_text()
    assert (disk / "data" / STORE_FILE).read_bytes() == stored
