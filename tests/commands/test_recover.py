"""`companion recover`, and what backup, restore and doctor do with a damaged store."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from companion.clock import ManualClock, SystemClock
from companion.commands import checks
from companion.commands.backup import run_backup, run_restore
from companion.commands.exit_codes import DONE, FAILED, REFUSED
from companion.commands.recover import run_recover
from companion.commands.report import run_report
from companion.journal.pages import PAGE_BYTES
from companion.journal.store import Store
from companion.journal.store_files import StoreFiles
from companion.table.health import Health
from tests.journal.counting_game import add, header
from tests.journal.damage import Content, content_of, write_store


@pytest.fixture
def config(tmp_path: Path) -> Path:
    file = tmp_path / "config.toml"
    file.write_text(f'[display]\nlanguage = "en"\n[data]\nfolder = "{tmp_path / "data"}"\n')
    return file


@pytest.fixture
def store_path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "matches.sqlite"


@pytest.fixture
def whole(store_path: Path) -> Content:
    return write_store(store_path, matches=2, lines=12)


def break_structure(path: Path) -> None:
    """Zero the page with the rows of all matches, as a failed card does."""
    with path.open("r+b") as file:
        file.seek(2 * PAGE_BYTES)
        file.write(bytes(PAGE_BYTES))


def change_line(path: Path) -> None:
    connection = apsw.Connection(str(path))
    connection.execute("UPDATE entries SET fields = replace(fields, 'left', 'LEFT') WHERE seq = 3")
    connection.close()


def test_a_damaged_store_is_recovered_and_set_aside_whole(
    config: Path, store_path: Path, whole: Content, capsys: pytest.CaptureFixture[str]
) -> None:
    break_structure(store_path)
    before = store_path.read_bytes()
    assert run_recover(config, None, None) == DONE
    output = capsys.readouterr().err
    aside = store_path.with_name("matches.sqlite.damaged")
    assert str(aside) in output
    assert aside.read_bytes() == before
    with Store.open(store_path, SystemClock()) as store:
        assert {match.id for match in store.matches()} == set(whole)
        assert [(match.header_fits, match.lines) for match in store.matches()] == [(False, 12)] * 2
    assert output.count("the header is damaged; 12 lines saved, 0 missing, 0 not as recorded") == 2


def test_recovery_to_another_file_touches_nothing(
    config: Path, store_path: Path, whole: Content, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change_line(store_path)
    before = {path.name: path.read_bytes() for path in store_path.parent.iterdir() if path.suffix != ".lock"}
    out = tmp_path / "saved.sqlite"
    assert run_recover(config, store_path, out) == DONE
    assert "11 lines saved, 0 missing, 1 not as recorded" in capsys.readouterr().err
    after = {path.name: path.read_bytes() for path in store_path.parent.iterdir() if path.suffix != ".lock"}
    assert after == before
    assert run_recover(config, store_path, out) == REFUSED
    with Store.open(out, SystemClock()) as store:
        assert len(store.matches()) == len(whole)


def test_what_cannot_be_recovered_is_told(
    config: Path, store_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_recover(config, None, None) == FAILED
    assert str(store_path) in capsys.readouterr().err
    foreign = tmp_path / "diary"
    foreign.write_bytes(b"Dear diary, " * 100)
    assert run_recover(config, foreign, None) == REFUSED
    assert foreign.read_bytes() == b"Dear diary, " * 100
    with Store.open(store_path, ManualClock()) as store:
        store.create(header())
        assert run_recover(config, None, None) == FAILED
        assert "already open" in capsys.readouterr().err


def test_a_backup_with_a_damaged_match_never_replaces_an_older_one(
    config: Path, store_path: Path, whole: Content, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    good = folder / "tapis-vert-2020-01-01-000000.zip"
    assert run_backup(config, good, None, pictures=True) == DONE
    content = good.read_bytes()
    change_line(store_path)
    assert run_backup(config, good, None, pictures=True) == FAILED
    assert good.read_bytes() == content
    capsys.readouterr()
    assert run_backup(config, folder, 1, pictures=False) == FAILED
    output = capsys.readouterr().err
    assert "Left – Right" in output
    (newer,) = set(folder.glob("*.zip")) - {good}
    assert str(newer) in output
    assert run_restore(config, newer, settings=False) == DONE
    with Store.open(store_path, SystemClock()) as store:
        assert len(store.matches()) == len(whole)
        assert len(store.damaged_matches()) == 2


@pytest.mark.parametrize("main", ["missing", "empty"])
def test_a_restore_never_meets_the_log_of_another_store(
    config: Path, store_path: Path, whole: Content, tmp_path: Path, main: str
) -> None:
    archive = tmp_path / "one.zip"
    assert run_backup(config, archive, None, pictures=True) == DONE
    with Store.open(store_path, SystemClock()) as store:
        store.append(store.matches()[0].id, add("left", 1), ended=False)
        log = StoreFiles.of(store_path).log.read_bytes()
    store_path.unlink()
    if main == "empty":
        store_path.touch()
    StoreFiles.of(store_path).log.write_bytes(log)
    assert run_backup(config, tmp_path / "two.zip", None, pictures=True) == FAILED
    assert not (tmp_path / "two.zip").exists()
    assert run_restore(config, archive, settings=False) == DONE
    (aside,) = store_path.parent.glob("before-restore-*")
    assert (aside / "matches.sqlite-wal").read_bytes() == log
    with Store.open(store_path, SystemClock()) as store:
        assert content_of(store) == whole
        assert store.check() == ()
        assert (store.lost, store.notices) == (None, ())


def test_a_report_of_a_damaged_match_names_the_line(
    config: Path, store_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Store.open(store_path, ManualClock()) as store:
        match = store.create(header(), [add("left", 1)] * 4)
    change_line(store_path)
    assert run_report(config, [match], None, tmp_path / "out.csv") == REFUSED
    assert f"{match}:4: This event is not as it was recorded." in capsys.readouterr().err
    assert not (tmp_path / "out.csv").exists()


def test_the_doctor_names_a_damaged_match_and_a_log_without_its_store(store_path: Path, whole: Content) -> None:
    assert checks.journal(store_path.parent, 60.0).health is Health.OK
    change_line(store_path)
    found = checks.journal(store_path.parent, 60.0)
    assert found.health is Health.ATTENTION
    assert sum("journal.damage.match" in str(detail) for detail in found.details) == 2
    store_path.unlink()
    StoreFiles.of(store_path).log.write_bytes(b"log")
    gone = checks.journal(store_path.parent, 60.0)
    assert gone.health is Health.ATTENTION
    assert gone.remedy is not None
    assert gone.remedy.id == "doctor.next.journal_gone"
