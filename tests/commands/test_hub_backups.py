"""The hub's automatic backups: schedule, content, rotation; restore, or refusal with a reason."""

from __future__ import annotations

import os
import sqlite3
import threading
import zipfile
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.clock import ManualClock, SystemClock
from companion.commands.backup import SUMS, run_backup, run_restore
from companion.commands.hub import backups as pace
from companion.commands.hub.backups import (
    DATABASE,
    KEPT_DAYS,
    KEPT_HOURS,
    KEPT_NEWEST,
    HubBackups,
    HubLocation,
    backups_in,
    retained_times,
    run_hub_restore,
    write_backup,
)
from companion.hub.core import Core, open_core
from companion.hub.database import DatabaseError
from companion.journal.store import Store
from companion.tournament import facts as fa
from tests.hub.core_kit import ALL_GAMES
from tests.hub.desk_kit import RunningTournament
from tests.hub.desk_kit import evening as begun

DONE, FAILED, REFUSED = 0, 1, 2
START = datetime(2026, 6, 1, 20, 30, tzinfo=UTC)


class HubMachine:
    """A machine with a hub's folder, settings, and the core that a hub would have."""

    def __init__(self, folder: Path, name: str = "hub.sqlite") -> None:
        folder.mkdir()
        self.data, self.folder = folder / "data", folder / "data" / "hub"
        self.config = folder / "config.toml"
        self.config.write_text(f'[display]\nlanguage = "en"\n[data]\nfolder = "{self.data}"\n')
        self.clock = ManualClock(START)
        self.database = self.folder / name
        self.place = HubLocation(self.folder, self.database)

    def opened(self) -> Core:
        return open_core(f"sqlite:///{self.database}", ALL_GAMES, self.clock)

    def file(self, name: str, content: str) -> None:
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(content)

    def restore(self, archive: Path) -> int:
        return run_hub_restore(self.config, archive, f"sqlite:///{self.database}")


@pytest.fixture
def hub(tmp_path: Path) -> HubMachine:
    """Return a hub with keys and other broker files."""
    made = HubMachine(tmp_path / "here")
    made.file("broker/hub.key", "the key")
    made.file("broker/tables.json", "{}")
    made.file("broker/jetstream/big", "on its way")
    made.file("broker/nats.log", "talk")
    return made


@pytest.fixture
def core(hub: HubMachine) -> Iterator[Core]:
    core = hub.opened()
    for number in range(1, 5):
        core.tables.register(f"t{number}", number)
    yield core
    core.close()


@pytest.fixture
def night(core: Core) -> RunningTournament:
    """Start a tournament of four entries with one match played."""
    evening = begun(core)
    match = next(iter(core.tournaments.progress(evening.id).matches))
    evening.call(match, 1)
    evening.send(evening.played("t1", 5))
    return evening


@pytest.fixture
def archive(hub: HubMachine, night: RunningTournament, tmp_path: Path) -> Path:
    """Return a backup made while the core was open."""
    return write_backup(hub.place, [tmp_path], START).files[0]


def facts(core: Core, evening: RunningTournament) -> list[tuple[object, str, str]]:
    return [(each.fact, each.by, each.why) for each in core.tournaments.trace(evening.id)]


def test_a_hub_comes_back_on_another_machine_and_tables_fill_it(
    hub: HubMachine, core: Core, night: RunningTournament, archive: Path, tmp_path: Path
) -> None:
    key = core.keys.issue("table", "t2")
    decided = facts(core, night)
    later = next(id for id, match in core.tournaments.progress(night.id).matches.items() if match.status == "ready")
    night.call(later, 2)
    lost = night.played("t2", 9)
    night.send(lost)
    core.keys.revoke_all("table", "t2")
    whole = facts(core, night)
    core.close()

    other = HubMachine(tmp_path / "there")
    assert other.restore(archive) == DONE
    kept = sorted(path.relative_to(other.folder).as_posix() for path in other.folder.rglob("*") if path.is_file())
    assert kept == ["broker/hub.key", "broker/tables.json", "hub.lock", "hub.sqlite", "hub.sqlite.lock"]
    modes = {path.stat().st_mode & 0o077 for path in (other.folder / "broker", *other.folder.glob("broker/*"))}
    assert modes == {0}, "keys are nobody else's"
    back = other.opened()
    try:
        again = RunningTournament(back, night.id)
        assert facts(back, again) == decided
        assert back.keys.check(key) is None, "it was given after the backup"
        assert back.inbox.receipts("t2") == ()
        again.call(later, 2)
        again.send(lost)
        assert back.views.journal("t2", lost.epoch) == lost.file
        assert [each[0] for each in facts(back, again)] == [each[0] for each in whole]
    finally:
        back.close()


def test_it_is_one_moment_whatever_is_written_meanwhile(
    hub: HubMachine, core: Core, night: RunningTournament, tmp_path: Path
) -> None:
    ended = threading.Event()

    def decide() -> None:
        number = 0
        while not ended.is_set():
            number += 1
            night.decide(fa.Table(1 + number % 4, number % 8 > 3), why=str(number))

    writer = threading.Thread(target=decide)
    writer.start()
    try:
        for number in range(5):
            write_backup(hub.place, [tmp_path], START + timedelta(seconds=number))
    finally:
        ended.set()
        writer.join()
    whole = facts(core, night)
    core.close()
    for number, archive in enumerate(sorted(backups_in(tmp_path))):
        other = HubMachine(tmp_path / f"there {number}")
        assert other.restore(archive) == DONE
        back = other.opened()
        found = facts(back, RunningTournament(back, night.id))
        back.close()
        assert found == whole[: len(found)]


def test_decisions_are_backed_up_soon_lines_later_nothing_twice(
    hub: HubMachine, core: Core, night: RunningTournament
) -> None:
    backups = HubBackups(hub.place, core.database, hub.clock)
    steps = []

    def backed_up_after(seconds: float) -> int:
        hub.clock.advance(seconds)
        steps.append(backups.back_up_if_due())
        return steps[-1]

    assert not backed_up_after(0)
    assert backed_up_after(pace.DECISION_DELAY_S), "the first one, for what was there before"
    assert not backed_up_after(10 * pace.TABLE_DATA_DELAY_S), "nothing has changed"
    night.decide(fa.Table(4, False), "no light")
    assert not backed_up_after(pace.CHECK_INTERVAL_S)
    assert backed_up_after(pace.DECISION_DELAY_S)
    later = next(id for id, match in core.tournaments.progress(night.id).matches.items() if match.status == "ready")
    night.call(later, 2)
    assert not backed_up_after(0)
    assert backed_up_after(pace.DECISION_DELAY_S)
    card = night.played("t2", 9)
    core.inbox.accept([card.batch(1, 20)])
    assert not backed_up_after(0)
    assert not backed_up_after(pace.DECISION_DELAY_S), "the table would tell it again"
    assert backed_up_after(pace.TABLE_DATA_DELAY_S)
    core.retention.sweep()
    backed_up_after(0)
    assert not backed_up_after(pace.TABLE_DATA_DELAY_S), "what deletes nothing changes nothing"
    hub.file("broker/tables.json", '{"t1": "x"}')
    backed_up_after(0)
    assert backed_up_after(pace.DECISION_DELAY_S), "a key was given"
    core.inbox.accept([card.batch(21, 30)])
    hub.clock.advance(1)
    assert backups.finish()
    assert len(backups_in(hub.folder / "backups")) == sum(steps) + 1
    assert backups.state().newest == hub.clock.now().isoformat(timespec="seconds")


def test_a_second_place_that_goes_away_is_told_and_written_again(
    hub: HubMachine, core: Core, night: RunningTournament, tmp_path: Path
) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    backups = HubBackups(hub.place, core.database, hub.clock, stick)
    backups.back_up_if_due()
    hub.clock.advance(pace.DECISION_DELAY_S)
    assert backups.back_up_if_due()
    assert len(backups_in(stick)) == 1
    stick.rename(tmp_path / "pulled")
    night.decide(fa.Table(4, False))
    backups.back_up_if_due()
    hub.clock.advance(pace.DECISION_DELAY_S)
    assert backups.back_up_if_due(), "the own folder has it"
    trouble = backups.state().trouble
    assert trouble is not None
    assert trouble.args["folder"] == stick
    (tmp_path / "pulled").rename(stick)
    hub.clock.advance(pace.DECISION_DELAY_S)
    assert not backups.back_up_if_due(), "not at once again"
    hub.clock.advance(pace.RETRY_DELAY_S)
    assert backups.back_up_if_due(), "nothing is new, but the stick has not got it"
    assert backups.state().trouble is None
    assert max(backups_in(stick)).name == max(backups_in(hub.folder / "backups")).name
    backups.finish()


def test_what_was_deleted_for_good_goes_from_older_backups(
    hub: HubMachine, night: RunningTournament, tmp_path: Path
) -> None:
    core = night.core
    (older,) = write_backup(hub.place, [tmp_path], START).files
    own = tmp_path / "tapis-vert-hub-of the club.zip"
    own.write_bytes(older.read_bytes())
    hub.clock.advance(60)
    core.retention.forget_entry(night.id, "e1", "Olga")
    (newer,) = write_backup(hub.place, [tmp_path], START + timedelta(seconds=60)).files
    assert sorted(tmp_path.glob("tapis-vert-hub-*.zip")) == sorted([newer, own]), "ours only"
    with zipfile.ZipFile(newer) as opened:
        assert b"Player 1" not in opened.read(DATABASE)
        assert b"Player 2" in opened.read(DATABASE)


def test_pictures_are_left_out(hub: HubMachine, core: Core, tmp_path: Path) -> None:
    face = b"\x89PNG a face"
    with core.database.writing() as work:
        work.connection.exec_driver_sql(
            "INSERT INTO journals (table_id, epoch, branch, seq, chain, over, confirmed, outcome, begun, last,"
            " revision) VALUES ('t1', 1, 0, 0, x'00', 0, 0, '', '', '', 1)"
        )
        work.connection.exec_driver_sql(
            "INSERT INTO pictures (journal, seq, what, image, at) VALUES (1, 1, 'tray', ?, '')", (face,)
        )
    (archive,) = write_backup(hub.place, [tmp_path], START).files
    with zipfile.ZipFile(archive) as opened:
        assert face not in opened.read(DATABASE)
        assert opened.read("hub/broker/hub.key") == b"the key"


@given(st.lists(st.integers(0, 40 * 24 * 60), unique=True))
def test_the_newest_stay_and_never_too_many(minutes: list[int]) -> None:
    times = {START + timedelta(minutes=each) for each in minutes}
    stay = retained_times(times)
    assert stay <= times
    assert len(stay) <= KEPT_NEWEST + KEPT_HOURS + KEPT_DAYS
    assert set(sorted(times)[-KEPT_NEWEST:]) <= stay
    assert {each.date() for each in stay} >= set(sorted({each.date() for each in times})[-KEPT_DAYS:])
    assert retained_times(stay) == stay, "what stayed stays"


def test_what_was_there_is_put_aside_with_what_its_log_holds(
    hub: HubMachine, night: RunningTournament, archive: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    night.decide(fa.Table(4, False), "later")
    newer = facts(night.core, night)
    hub.file("broker/hub.key", "another key")
    night.core.close()
    assert hub.restore(archive) == DONE
    (aside,) = hub.folder.glob("before-restore-*")
    stderr = capsys.readouterr().err
    assert str(aside) in stderr
    assert "Keys that were revoked since this backup are valid again" in stderr
    assert (hub.folder / "broker" / "hub.key").read_text() == "the key"
    assert (aside / "broker" / "hub.key").read_text() == "another key"
    old = open_core(f"sqlite:///{aside / 'hub.sqlite'}", ALL_GAMES, hub.clock)
    assert facts(old, RunningTournament(old, night.id)) == newer
    old.close()
    now = hub.opened()
    assert facts(now, RunningTournament(now, night.id)) == newer[:-1]
    now.close()


def test_restores_within_one_second_put_aside_apart(
    hub: HubMachine,
    night: RunningTournament,
    archive: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    night.core.close()
    monkeypatch.setattr("companion.commands.hub.backups.SystemClock", lambda: hub.clock)
    for number in range(3):
        hub.file("broker/hub.key", f"key {number}")
        assert hub.restore(archive) == DONE
    aside = sorted(hub.folder.glob("before-restore-*"))
    assert [(each / "broker" / "hub.key").read_text() for each in aside] == ["key 0", "key 1", "key 2"]
    stderr = capsys.readouterr().err
    assert all(f"{each}.\n" in stderr for each in aside)


def test_a_restore_into_what_is_no_database_is_refused(
    hub: HubMachine, archive: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for url in ("nonsense", "mysql://localhost/cup", "sqlite://"):
        assert run_hub_restore(hub.config, archive, url) == FAILED
        assert f"“{url}” is not the address of a database" in capsys.readouterr().err


def test_a_database_elsewhere_comes_back_there(night: RunningTournament, archive: Path, tmp_path: Path) -> None:
    night.core.close()
    other = HubMachine(tmp_path / "there")
    other.database = tmp_path / "disk" / "cup.sqlite"
    for _ in range(2):
        assert other.restore(archive) == DONE
    back = other.opened()
    assert back.tournaments.state(night.id).started
    back.close()
    assert not (other.folder / "hub.sqlite").exists()
    assert [path.name for path in (tmp_path / "disk").glob("before-restore-*/*")] == ["cup.sqlite"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_what_root_takes_back_belongs_to_the_hubs_owner(
    night: RunningTournament, archive: Path, tmp_path: Path
) -> None:
    night.core.close()
    for name in ("hub.sqlite", "cup.sqlite"):
        other = HubMachine(tmp_path / name)
        other.file("broker/hub.key", "another key")
        os.chown(other.folder, 12345, 12345)
        other.database = (other.folder if name == "hub.sqlite" else tmp_path / "disk") / name
        for _ in range(2):
            assert other.restore(archive) == DONE
        found = [*other.folder.rglob("*"), *(tmp_path / "disk").glob("*")]
        assert {(each.stat().st_uid, each.stat().st_gid) for each in found} == {(12345, 12345)}


def test_a_hub_that_runs_is_left_alone(
    hub: HubMachine, core: Core, archive: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    backups = HubBackups(hub.place, core.database, hub.clock)
    assert hub.restore(archive) == FAILED
    assert f"process {os.getpid()}" in capsys.readouterr().err
    backups.finish()
    assert hub.restore(archive) == FAILED, "its database is open"
    assert list(hub.folder.glob("before-restore-*")) == []


def rewritten(archive: Path, members: dict[str, bytes]) -> None:
    """Rewrite the archive with other members and correct checksums."""
    with zipfile.ZipFile(archive) as old:
        content = {name: old.read(name) for name in old.namelist()} | members
    sums = [f"{sha256(raw).hexdigest()}  {name}\n" for name, raw in content.items() if name not in ("about.json", SUMS)]
    with zipfile.ZipFile(archive, "w") as new:
        for name, raw in {**content, SUMS: "".join(sums).encode()}.items():
            new.writestr(name, raw)


def damaged(raw: bytes) -> bytes:
    return raw[: 4096 * 3] + os.urandom(4096 * 4) + raw[4096 * 7 :]


def foreign(raw: bytes) -> bytes:
    return raw[:68] + b"else" + raw[72:]


@pytest.mark.parametrize(
    ("change", "expected"), [(damaged, "is damaged"), (foreign, DATABASE), (lambda raw: b"", "missing")]
)
def test_a_database_that_is_not_sound_is_refused(
    hub: HubMachine,
    night: RunningTournament,
    archive: Path,
    change: object,
    expected: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    before = facts(night.core, night)
    night.core.close()
    with zipfile.ZipFile(archive) as opened:
        raw = opened.read(DATABASE)
    rewritten(archive, {DATABASE: change(raw)})  # type: ignore[operator]
    assert hub.restore(archive) == REFUSED
    error = capsys.readouterr().err
    assert f"{archive}!{DATABASE}: " in error
    assert expected in error
    core = hub.opened()
    assert facts(core, RunningTournament(core, night.id)) == before
    core.close()
    assert [path.name for path in hub.folder.iterdir() if path.name.startswith((".", "before"))] == []


def test_flipped_bits_are_found(
    hub: HubMachine, night: RunningTournament, archive: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Flip sixteen bits: a single flip may leave the unpacked data unchanged, such as a copy offset in a run of
    zeros."""
    night.core.close()
    raw = bytearray(archive.read_bytes())
    middle = len(raw) // 2
    raw[middle : middle + 16] = bytes(byte ^ 4 for byte in raw[middle : middle + 16])
    archive.write_bytes(raw)
    assert hub.restore(archive) == REFUSED
    assert f"{archive}!" in capsys.readouterr().err


def test_a_newer_hubs_database_is_refused(
    hub: HubMachine, night: RunningTournament, archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    night.core.close()
    with zipfile.ZipFile(archive) as opened:
        (tmp_path / "newer.sqlite").write_bytes(opened.read(DATABASE))
    with closing(sqlite3.connect(tmp_path / "newer.sqlite")) as newer, newer:
        newer.execute("UPDATE alembic_version SET version_num = 'of tomorrow'")
    rewritten(archive, {DATABASE: (tmp_path / "newer.sqlite").read_bytes()})
    assert hub.restore(archive) == REFUSED
    assert "of tomorrow" in capsys.readouterr().err


def test_a_damaged_database_is_never_backed_up_over_good_ones(
    hub: HubMachine, night: RunningTournament, tmp_path: Path
) -> None:
    night.core.close()
    hub.database.write_bytes(damaged(hub.database.read_bytes()))
    with pytest.raises(DatabaseError, match="unsound"):
        write_backup(hub.place, [tmp_path], START)
    assert backups_in(tmp_path) == {}


def test_backups_of_tables_and_hubs_are_told_apart(
    hub: HubMachine, night: RunningTournament, archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    night.core.close()
    with Store.open(hub.data / "matches.sqlite", SystemClock()):
        pass
    assert run_restore(hub.config, archive, settings=False) == REFUSED
    assert "companion hub --restore" in capsys.readouterr().err
    table = tmp_path / "table.zip"
    assert run_backup(hub.config, table, None, pictures=True) == DONE
    with zipfile.ZipFile(table) as opened:
        assert [name for name in opened.namelist() if "hub" in name] == [], "a hub has backups of its own"
    assert hub.restore(table) == REFUSED
    assert "companion restore" in capsys.readouterr().err
    assert run_restore(hub.config, table, settings=False) == DONE
    assert hub.database.exists(), "a table's restore leaves the hub alone"


def test_a_running_hub_sees_nothing_of_a_tables_backup_and_restore(hub: HubMachine, core: Core, tmp_path: Path) -> None:
    """This includes a backup from before hubs were excluded: its hub data does not overwrite the local hub."""
    with Store.open(hub.data / "matches.sqlite", SystemClock()):
        pass
    table = tmp_path / "table.zip"
    assert run_backup(hub.config, table, None, pictures=True) == DONE
    rewritten(table, {"data/hub/hub.sqlite": b"another hub's", "data/hub/broker/hub.key": b"another key"})
    before = {path: path.stat().st_ino for path in hub.folder.rglob("*")}
    assert run_restore(hub.config, table, settings=False) == DONE
    assert {path: path.stat().st_ino for path in hub.folder.rglob("*")} == before
    assert not list(hub.data.glob("before-restore-*/hub*"))
    core.tables.register("t9", 9)
    core.close()
    assert (hub.folder / "broker" / "hub.key").read_text() == "the key"
    with closing(hub.opened()) as again:
        assert "t9" in {each.id for each in again.tables.all()}


def test_a_server_keeps_its_own_database(hub: HubMachine, core: Core, capsys: pytest.CaptureFixture[str]) -> None:
    """With PostgreSQL the archive has keys and certificate; they are not restored into a hub with SQLite."""
    core.close()
    place = HubLocation.of(hub.folder, "postgresql://localhost/cup")
    stick = hub.data / "stick"
    stick.mkdir()
    (archive,) = write_backup(place, [stick], START).files
    with zipfile.ZipFile(archive) as opened:
        assert [name for name in opened.namelist() if "sqlite" in name] == []
    assert hub.restore(archive) == REFUSED
    assert "postgresql" in capsys.readouterr().err
    hub.file("broker/hub.key", "another key")
    assert run_hub_restore(hub.config, archive, "postgresql://localhost/cup") == DONE
    assert "pg_restore" in capsys.readouterr().err
    assert (hub.folder / "broker" / "hub.key").read_text() == "the key"
    assert hub.database.exists(), "what is no part of it stays"
