"""Backup and restore with real files: the restored data, refused archives by reason, and data moved aside."""

from __future__ import annotations

import json
import os
import struct
import zipfile
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from random import Random

import apsw
import pytest

from companion.clock import ManualClock, SystemClock
from companion.commands.backup import SUMS, run_backup, run_restore
from companion.games.registry import GAMES, find_player
from companion.journal.store import Picture, Store
from companion.table.autoplay import play

DONE, FAILED, REFUSED = 0, 1, 2


class TableFolder:
    """A table's settings and data in a folder."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.config = folder / "config.toml"
        self.data = folder / "data"
        self.config.write_text(f'# ours\n[display]\nlanguage = "en"\n[data]\nfolder = "{self.data}"\n')

    def fill(self, seed: int = 1) -> None:
        """Add a played match with a picture, and a club."""
        header, *events = play(GAMES["hoops21"], Random(seed), find_player(GAMES["hoops21"], "random"))
        with Store.open(self.data / "matches.sqlite", SystemClock()) as store:
            match = store.create(header, events)
            store.append(match, {"type": "note", "text": "last"}, [Picture("tray", os.urandom(5000))])
        (self.data / "clubs").mkdir(exist_ok=True)
        (self.data / "clubs" / f"club {seed}.toml").write_text(f"seed = {seed}\n")
        (self.data / "kivy").mkdir(exist_ok=True)
        (self.data / "kivy" / "log").write_text("made by itself")

    def contents(self) -> tuple[list[tuple[str, int, int]], list[str]]:
        """Return the matches with their numbers of lines and pictures, and the clubs."""
        with Store.open(self.data / "matches.sqlite", SystemClock()) as store:
            assert store.check() == ()
            matches = [
                (match.id, match.lines, sum(p.image is not None for p in store.pictures(match.id, match.lines + 1)))
                for match in store.matches()
            ]
        return matches, sorted(path.name for path in (self.data / "clubs").iterdir())


@pytest.fixture
def table(tmp_path):
    made = TableFolder(tmp_path / "table")
    made.fill()
    return made


@pytest.fixture
def archive(table, tmp_path):
    file = tmp_path / "one.zip"
    assert run_backup(table.config, file, None, pictures=True) == DONE
    return file


def rewritten(archive: Path, change) -> None:
    """Rewrite the archive: `change` takes and returns a dict of names and contents."""
    with zipfile.ZipFile(archive) as old:
        members = {name: old.read(name) for name in old.namelist()}
    with zipfile.ZipFile(archive, "w") as new:
        for name, content in change(members).items():
            new.writestr(name, content)


def test_a_backup_comes_back_on_another_machine(table, archive, tmp_path):
    other = TableFolder(tmp_path / "other")
    assert run_restore(other.config, archive, settings=False) == DONE
    assert other.contents() == table.contents()
    assert other.contents()[0][0][2] == 1, "its picture came too"
    assert sorted(path.name for path in other.data.iterdir()) == ["clubs", "matches.sqlite", "matches.sqlite.lock"]


def test_a_backup_is_taken_while_the_app_writes(table, tmp_path):
    with Store.open(table.data / "matches.sqlite", SystemClock()) as store:
        match = store.matches()[0]
        store.append(match.id, {"type": "note", "text": "in the log, not yet in the main file"})
        assert run_backup(table.config, tmp_path / "live.zip", None, pictures=True) == DONE
    other = TableFolder(tmp_path / "other")
    assert run_restore(other.config, tmp_path / "live.zip", settings=False) == DONE
    assert other.contents()[0][0][1] == match.lines + 1


def test_what_was_there_is_put_aside(table, archive, capsys):
    table.fill(seed=2)
    before = table.contents()
    capsys.readouterr()
    assert run_restore(table.config, archive, settings=False) == DONE
    assert table.contents()[1] == ["club 1.toml"]
    (aside,) = table.data.glob("before-restore-*")
    assert str(aside) in capsys.readouterr().err
    with Store.open(aside / "matches.sqlite", SystemClock()) as store:
        assert len(store.matches()) == len(before[0]) == 2
    assert sorted(path.name for path in (aside / "clubs").iterdir()) == ["club 1.toml", "club 2.toml"]
    assert (table.data / "kivy" / "log").exists(), "what no backup holds is left where it is"


def test_a_table_in_use_is_left_alone(table, archive, capsys):
    with Store.open(table.data / "matches.sqlite", SystemClock()):
        assert run_restore(table.config, archive, settings=False) == FAILED
    assert "close the app first" in capsys.readouterr().err
    assert list(table.data.glob("before-restore-*")) == []


def changed_club(members):
    return {**members, "data/clubs/club 1.toml": b"seed = 7\n"}


def without_club(members):
    return {name: content for name, content in members.items() if "club" not in name}


def with_stranger(members):
    return {**members, "data/stranger": b"?"}


def leading_out(members):
    name = "data/../../out"
    sums = members[SUMS].replace(b"data/clubs/club 1.toml", name.encode())
    return {name: members["data/clubs/club 1.toml"], **without_club(members), SUMS: sums}


@pytest.mark.parametrize(
    ("change", "named", "expected"),
    [
        (changed_club, "!data/clubs/club 1.toml", "damaged"),
        (without_club, "!data/clubs/club 1.toml", "missing"),
        (with_stranger, "!data/stranger", "not on the list"),
        (leading_out, "!data/../../out", "leads out"),
        (lambda members: {**members, SUMS: b"nonsense\n"}, f"!{SUMS}", "damaged"),
        (lambda members: {**members, "about.json": b"{}"}, "!about.json", "not a backup of Tapis Vert"),
        (
            lambda members: {
                **members,
                "about.json": json.dumps({"kind": "tapis-vert backup", "format": 9, "version": "8.0"}).encode(),
            },
            "!about.json",
            "newer version of the program, 8.0",
        ),
    ],
)
def test_a_damaged_archive_is_refused_by_the_name_of_the_file(table, archive, capsys, change, named, expected):
    before = table.contents()
    rewritten(archive, change)
    capsys.readouterr()
    assert run_restore(table.config, archive, settings=False) == REFUSED
    error = capsys.readouterr().err
    assert f"{archive}{named}: " in error
    assert expected in error
    assert table.contents() == before
    assert not (table.data.parent / "out").exists()
    assert [path.name for path in table.data.iterdir() if path.name.startswith((".", "before"))] == []


@pytest.mark.parametrize("seed", range(40))
def test_no_flipped_byte_goes_unseen_or_harms(table, archive, seed, capsys):
    before, random = table.contents(), Random(seed)
    raw = bytearray(archive.read_bytes())
    at = random.randrange(len(raw))
    raw[at] ^= 1 << random.randrange(8)
    archive.write_bytes(raw)
    status = run_restore(table.config, archive, settings=False)
    assert table.contents() == before, "refused and untouched, or harmless to what it holds"
    assert status in (DONE, REFUSED)
    if status == REFUSED:
        assert str(archive) in capsys.readouterr().err


@pytest.mark.parametrize("kept", ["offset of the directory", "offset of a file"])
@pytest.mark.parametrize("moved", [-1000, 1000, 1 << 30])
def test_an_offset_outside_the_archive_is_refused(table, archive, capsys, kept, moved):
    raw = bytearray(archive.read_bytes())
    at = raw.rindex(b"PK\x05\x06") + 16 if kept == "offset of the directory" else raw.index(b"PK\x01\x02") + 42
    raw[at : at + 4] = struct.pack("<L", (struct.unpack_from("<L", raw, at)[0] + moved) % (1 << 32))
    archive.write_bytes(raw)
    before = table.contents()
    capsys.readouterr()
    assert run_restore(table.config, archive, settings=False) == REFUSED
    assert capsys.readouterr().err.startswith(f"{archive}")
    assert table.contents() == before


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.99])
def test_an_archive_cut_off_is_refused(table, archive, capsys, share):
    raw = archive.read_bytes()
    archive.write_bytes(raw[: int(len(raw) * share)])
    capsys.readouterr()
    assert run_restore(table.config, archive, settings=False) == REFUSED
    assert capsys.readouterr().err.startswith(f"{archive}: not a backup")


def test_an_archive_that_is_not_there_is_said(table, tmp_path, capsys):
    assert run_restore(table.config, tmp_path / "none.zip", settings=False) == FAILED
    assert f"{tmp_path / 'none.zip'}: " in capsys.readouterr().err


def test_a_damaged_store_is_never_backed_up_over_a_good_backup(table, archive, capsys):
    good = archive.read_bytes()
    raw = bytearray((table.data / "matches.sqlite").read_bytes())
    raw[4096 * 2 : 4096 * 6] = os.urandom(4096 * 4)
    (table.data / "matches.sqlite").write_bytes(raw)
    assert run_backup(table.config, archive, None, pictures=True) == FAILED
    assert str(table.data / "matches.sqlite") in capsys.readouterr().err
    assert archive.read_bytes() == good
    assert run_restore(table.config, archive, settings=False) == DONE, "the way back from a damaged store"
    assert len(table.contents()[0]) == 1


def test_matches_of_a_newer_program_are_refused(table, archive, tmp_path, capsys):
    newer = apsw.Connection(str(table.data / "matches.sqlite"))
    newer.execute("CREATE TABLE later (id)")
    newer.pragma("user_version", 99)
    newer.close()
    assert run_backup(table.config, tmp_path / "n.zip", None, pictures=True) == FAILED
    assert "99" in (stderr := capsys.readouterr().err)
    assert str(table.data / "matches.sqlite") in stderr
    raw = (table.data / "matches.sqlite").read_bytes()
    sums = f"{sha256(raw).hexdigest()}  data/matches.sqlite\n".encode()
    rewritten(archive, lambda of: {"about.json": of["about.json"], "data/matches.sqlite": raw, SUMS: sums})
    assert run_restore(table.config, archive, settings=False) == REFUSED
    assert f"{archive}!data/matches.sqlite: " in (stderr := capsys.readouterr().err)
    assert "99" in stderr


def test_settings_come_back_on_demand_with_the_folder_of_this_machine(table, archive, tmp_path):
    other = TableFolder(tmp_path / "other")
    own = other.config.read_text()
    (table.config.parent / "pins.toml").write_text("[buttons]\n")
    assert run_backup(table.config, archive, None, pictures=True) == DONE
    table_settings = table.config.read_text()
    assert run_restore(other.config, archive, settings=False) == DONE
    assert other.config.read_text() == own
    assert run_restore(other.config, archive, settings=True) == DONE
    assert other.config.read_text() == table_settings.replace(str(table.data), str(other.data))
    assert (other.config.parent / "pins.toml").read_text() == "[buttons]\n"
    (aside,) = other.config.parent.glob("config.toml.before-restore-*")
    assert aside.read_text() == own


def test_settings_that_cannot_be_written_leave_all_as_it_was(table, tmp_path, capsys):
    """Otherwise a read-only system gets the data without the settings, and the data belong to root."""
    table.config.with_name("pins.toml").write_text("[buttons]\n")
    archive = tmp_path / "one.zip"
    assert run_backup(table.config, archive, None, pictures=True) == DONE
    other = TableFolder(tmp_path / "other")
    other.fill(2)
    before = other.config.read_bytes(), other.contents()
    (other.config.with_name("pins.toml") / "a folder in its place").mkdir(parents=True)
    assert run_restore(other.config, archive, settings=True) == FAILED
    assert "pins.toml" in capsys.readouterr().err
    assert (other.config.read_bytes(), other.contents()) == before
    names = sorted(path.name for path in (*other.data.iterdir(), *other.config.parent.iterdir()))
    assert [name for name in names if "before-restore" in name] == []


def test_a_backup_in_the_data_folder_stays_where_it_is(table):
    archive = table.data / "one.zip"
    assert run_backup(table.config, archive, None, pictures=True) == DONE
    before = archive.read_bytes()
    for _ in range(2):
        assert run_restore(table.config, archive, settings=False) == DONE
        assert archive.read_bytes() == before


def test_data_that_cannot_be_moved_leave_the_settings_as_they_were(table, archive, tmp_path, monkeypatch):
    other = TableFolder(tmp_path / "other")
    other.fill(2)
    before = other.config.read_bytes()

    def no_room(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("companion.commands.backup.swap_data", no_room)
    assert run_restore(other.config, archive, settings=True) == FAILED
    assert other.config.read_bytes() == before
    assert sorted(path.name for path in other.config.parent.iterdir()) == ["config.toml", "data"]


def test_restores_within_one_second_put_aside_apart(table, archive, monkeypatch):
    clock = ManualClock(datetime(2026, 6, 1, tzinfo=UTC))
    monkeypatch.setattr("companion.commands.backup.SystemClock", lambda: clock)
    set_aside, settings = [], []
    for number in range(3):
        table.config.write_text(f"{table.config.read_text()}# {number}\n")
        settings.append(table.config.read_bytes())
        (table.data / "clubs" / "mine.toml").write_text(f"mine = {number}\n")
        assert run_restore(table.config, archive, settings=True) == DONE
    for path in sorted(table.data.glob("before-restore-*")):
        set_aside.append((path / "clubs" / "mine.toml").read_text())
        assert (path / "matches.sqlite").exists()
    assert set_aside == [f"mine = {number}\n" for number in range(3)]
    kept = sorted(table.config.parent.glob("config.toml.before-restore-*"))
    assert [path.read_bytes() for path in kept] == settings


def test_backups_in_a_folder_rotate(table, tmp_path, monkeypatch):
    folder = table.data / "backups"
    folder.mkdir()
    for day in range(1, 5):
        (folder / f"tapis-vert-2020-01-0{day}-050000.zip").write_bytes(b"old")
    assert run_backup(table.config, folder, 3, pictures=False) == DONE
    names = sorted(path.name for path in folder.iterdir())
    assert names[:2] == ["tapis-vert-2020-01-03-050000.zip", "tapis-vert-2020-01-04-050000.zip"]
    assert len(names) == 3
    other = TableFolder(tmp_path / "other")
    assert run_restore(other.config, folder / names[2], settings=False) == DONE
    assert other.contents()[0][0][1:] == (table.contents()[0][0][1], 0), "every fact, no picture"


def test_backups_of_a_hub_on_the_same_stick_are_not_counted(table, tmp_path):
    stick = tmp_path / "stick"
    stick.mkdir()
    hubs = {f"tapis-vert-hub-2026-06-01T20300{number}Z.zip" for number in range(3)}
    for name in hubs:
        (stick / name).write_bytes(b"a hub's")
    for status in (run_backup(table.config, stick, 1, pictures=False) for _ in range(2)):
        assert status == DONE
    names = {path.name for path in stick.iterdir()}
    assert names >= hubs
    assert len(names - hubs) == 1, "the table's newest one"


def test_keep_needs_a_folder(table, tmp_path, capsys):
    assert run_backup(table.config, tmp_path / "x.zip", 3, pictures=True) == REFUSED
    assert "--keep" in capsys.readouterr().err


def test_a_folder_that_is_not_there_is_said(table, tmp_path, capsys):
    assert run_backup(table.config, tmp_path / "no" / "x.zip", None, pictures=True) == FAILED
    assert "could not be written" in capsys.readouterr().err
    assert [path.name for path in table.data.iterdir() if path.name.startswith(".")] == []


def test_remnants_of_a_power_cut_are_no_hindrance(table, archive):
    for name in (".backup", ".restore"):
        (table.data / name / "data").mkdir(parents=True)
        (table.data / name / "data" / "half").write_text("half")
    assert run_backup(table.config, archive, None, pictures=True) == DONE
    assert run_restore(table.config, archive, settings=False) == DONE
    assert not (table.data / "half").exists()
    assert not (table.data / ".restore").exists()
