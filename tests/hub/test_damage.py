"""A database that is damaged, empty or full: the message names the file, and nothing unsaved is acknowledged."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from companion.clock import ManualClock
from companion.hub.core import Core, open_core
from companion.hub.database import DatabaseDamaged, DatabaseError, DatabaseUnavailable
from companion.language import Language
from tests.hub.conftest import START
from tests.hub.core_kit import ALL_GAMES
from tests.hub.desk_kit import plan_of
from tests.hub.web.pages_kit import pages, visitor
from tests.tournament import plans

PAGE = 4096


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return the database of a stopped hub, with a tournament of some length."""
    path = tmp_path / "hub.sqlite"
    with closing(opened(path)) as core:
        for number in range(1, 200):
            core.tables.register(f"t{number}", number, "Table " * 9)
        core.tournaments.create(plan_of(plans.swiss("Coupe", "occasion", 3)), "Claire")
    return path


def opened(path: Path) -> Core:
    return open_core(f"sqlite:///{path}", ALL_GAMES, ManualClock(START))


def half(raw: bytes) -> bytes:
    return raw[: len(raw) // 2]


def page_five(raw: bytes) -> bytes:
    return raw[: 4 * PAGE] + os.urandom(PAGE) + raw[5 * PAGE :]


@pytest.mark.parametrize("damage", [half, page_five])
def test_a_damaged_file_is_named_and_left_as_it_is(file: Path, damage: Callable[[bytes], bytes]) -> None:
    content = damage(file.read_bytes())
    file.write_bytes(content)
    with pytest.raises(DatabaseDamaged) as refused:
        opened(file)
    text = Language("en").text(refused.value.message)
    assert str(file) in text
    assert "companion hub --restore" in text
    assert "decided again" in text
    assert file.read_bytes() == content
    with pytest.raises(DatabaseDamaged):
        opened(file)  # and not “another hub uses it”


def test_an_empty_file_is_no_new_hub(tmp_path: Path) -> None:
    path = tmp_path / "hub.sqlite"
    path.touch()
    with pytest.raises(DatabaseDamaged, match="empty"):
        opened(path)
    assert path.stat().st_size == 0
    path.unlink()
    opened(path).close()


@pytest.mark.parametrize("name", ["/dev/null", "folder", "pipe"])
def test_what_is_no_plain_file_is_refused_at_once(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if name == "folder":
        path.mkdir()
    if name == "pipe":
        os.mkfifo(path)
    with pytest.raises(DatabaseError, match="no_file") as refused:
        opened(path)
    assert str(path) in Language("fr").text(refused.value.message)


def test_a_file_that_is_damaged_while_the_hub_runs_is_told_to_the_organiser(file: Path) -> None:
    clock = ManualClock(START)
    with closing(open_core(f"sqlite:///{file}", ALL_GAMES, clock)) as core:
        app = pages(core, clock)
        raw = file.read_bytes()
        with file.open("r+b") as found:
            found.seek(PAGE)
            found.write(os.urandom(len(raw) - PAGE))
        with pytest.raises(DatabaseDamaged) as caught:
            core.tables.register("t500", 500)
        assert str(file) in str(caught.value.message.args["path"])
        public = TestClient(app, base_url="http://hub.example:8000").get("/")
        assert public.status_code == 503
        assert str(file) not in public.text, "where it lies is nobody else's business"


def test_a_disk_without_room_is_named_and_the_hub_goes_on_once_there_is_some(file: Path) -> None:
    clock = ManualClock(START)
    with closing(open_core(f"sqlite:///{file}", ALL_GAMES, clock)) as core:
        raw = core.database._writer_connection().connection.driver_connection
        assert raw is not None
        most = raw.execute("PRAGMA page_count").fetchone()[0]
        raw.execute(f"PRAGMA max_page_count = {most}")
        with pytest.raises(DatabaseUnavailable) as caught:
            core.tournaments.create(plan_of(plans.swiss("C" * 200, "occasion", 3)), "Claire " * 20_000)
        assert caught.value.message.id == "tournament.hub.no_room"
        assert str(file) in Language("fr").text(caught.value.message)
        assert visitor(pages(core, clock)).get("/").status_code == 200, "what is there can be read"
        raw.execute("PRAGMA max_page_count = 1000000")
        core.tables.register("t999", 999)
        assert core.tables.number_of("t999") == 999


def test_a_text_that_is_not_utf8_is_told_as_damage(file: Path) -> None:
    file.write_bytes(file.read_bytes().replace(b"Table Table", b"Table \xff\xfeble"))
    with closing(opened(file)) as core, pytest.raises(DatabaseDamaged) as refused:
        core.tables.all()
    assert str(file) in Language("en").text(refused.value.message)


def test_the_log_of_a_database_that_is_gone_is_not_mixed_with_a_new_one(file: Path) -> None:
    core = opened(file)
    core.tables.register("t500", 500, "later")
    log, index = (file.with_name(file.name + end) for end in ("-wal", "-shm"))
    kept = log.read_bytes(), index.read_bytes()
    core.close()
    file.unlink()
    log.write_bytes(kept[0])
    index.write_bytes(kept[1])
    with closing(opened(file)) as core:
        assert core.tables.all() == ()
    assert (file.with_name(log.name + ".damaged")).read_bytes() == kept[0]


def test_a_header_that_only_the_log_has_is_recovered(file: Path) -> None:
    """The power fails while SQLite writes the first page of its log into the file."""
    core = opened(file)
    core.tables.register("t500", 500, "later")
    with core.database.writing() as work:
        work.connection.exec_driver_sql("CREATE TABLE page_one_in_the_log (id)")
    log = file.with_name(file.name + "-wal")
    content, kept = file.read_bytes(), log.read_bytes()
    core.close()
    file.write_bytes(bytes(512) + content[512:])
    log.write_bytes(kept)
    with closing(opened(file)) as core:
        assert len(core.tables.all()) == 200
