"""Tables have unique numbers; keys are shown once and stored as digests; the password is stored as a hash."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from companion.clock import ManualClock
from companion.games.base import Refusal
from companion.hub.core import Core, open_core
from companion.hub.database import DatabaseBusy, DatabaseError, DatabaseNewer, alembic_config
from companion.hub.schema import METADATA
from companion.tournament import facts as fa
from tests.hub.core_kit import ALL_GAMES
from tests.hub.desk_kit import evening


def test_a_table_may_change_its_number_and_name(core: Core) -> None:
    row = core.tables.register("t1", 12, "Fenêtre")
    assert (row.number, row.name) == (12, "Fenêtre")
    assert [each.number for each in core.tables.all()] == [2, 3, 4, 12]
    assert core.tables.number_of("t1") == 12


@pytest.mark.parametrize(
    ("id", "number", "reason"),
    [("t9", 2, "table_taken"), ("t 9", 9, "table_id"), ("é", 9, "table_id"), ("t9", 0, "table_number")],
)
def test_tables_that_cannot_be(core: Core, id: str, number: int, reason: str) -> None:
    with pytest.raises(Refusal) as refused:
        core.tables.register(id, number)
    assert refused.value.rule == reason
    assert refused.value.message.args.get("table", id) in (id, "Table 2")
    assert [each.id for each in core.tables.all()] == ["t1", "t2", "t3", "t4"]


@pytest.mark.parametrize("text", ["a\0b", "a\u202eb", "x" * 61], ids=ascii)
def test_names_and_labels_can_all_be_seen(core: Core, text: str) -> None:
    before = core.tables.all()
    for act in (lambda: core.tables.register("t1", 1, text), lambda: core.keys.issue("organiser", None, text)):
        with pytest.raises(Refusal) as refused:
            act()
        assert refused.value.rule == "bad_field"
    assert (core.tables.all(), core.keys.all()) == (before, ())


def test_a_reason_can_be_seen(core: Core) -> None:
    cup = evening(core)
    before = core.tournaments.state(cup.id)
    for text in ("a\u202eb", "x" * 201):
        with pytest.raises(Refusal):
            cup.decide(fa.Forfeit(next(iter(core.tournaments.progress(cup.id).matches)), "home"), why=text)
        with pytest.raises(Refusal):
            core.archive.set_archived(cup.id, True, "Olga", text)
    assert core.tournaments.state(cup.id) is before
    assert not core.archive.is_archived(cup.id)


def test_a_removed_table_frees_its_number(core: Core) -> None:
    core.tables.remove("t2")
    core.tables.register("t9", 2)
    assert [each.id for each in core.tables.all()] == ["t1", "t9", "t3", "t4"]
    assert not core.tables.known("t2")


def test_a_key_opens_until_it_ends_or_is_revoked(core: Core, clock: ManualClock) -> None:
    table, short = core.keys.issue("table", "t1", "Fenêtre"), core.keys.issue("set_up", seconds=60)
    found = core.keys.check(table)
    assert found is not None
    assert (found.role, found.table, found.label) == ("table", "t1", "Fenêtre")
    assert len({table, short, core.keys.issue("table", "t1")}) == 3
    assert core.keys.check(short) is not None
    clock.advance(61)
    assert core.keys.check(short) is None
    assert core.keys.check(table[:-1]) is None
    assert core.keys.check("") is None
    core.keys.revoke(found.id)
    assert core.keys.check(table) is None
    assert core.keys.revoke_all("table", "t2") == 0
    assert core.keys.revoke_all("table") == 1
    assert core.keys.all() == ()


def test_no_key_is_in_the_file(core: Core, tmp_path: Path) -> None:
    key = core.keys.issue("organiser")
    content = b"".join(path.read_bytes() for path in tmp_path.glob("hub.sqlite*"))
    assert key.encode() not in content


def test_the_password_is_kept_as_it_was_hashed(core: Core, opened: Callable[[], Core]) -> None:
    assert core.keys.password() is None
    core.keys.set_password("$argon2id$one")
    core.keys.set_password("$argon2id$two")
    assert opened().keys.password() == "$argon2id$two"


def test_a_refused_fact_changes_nothing(core: Core) -> None:
    cup = evening(core)
    before = core.tournaments.state(cup.id), core.views.revision()
    with pytest.raises(Refusal):
        cup.decide(fa.Start())
    assert (core.tournaments.state(cup.id), core.views.revision()) == before


def test_one_hub_a_database(core: Core, url: str, clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.hub.database.BUSY_TIMEOUT_S", 0.2)
    with pytest.raises(DatabaseBusy):
        open_core(url, ALL_GAMES, clock)
    assert core.tables.all() != ()


def test_a_newer_database_is_left_alone(url: str, clock: ManualClock) -> None:
    core = open_core(url, ALL_GAMES, clock)
    with core.database.writing() as work:
        work.connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    core.close()
    with pytest.raises(DatabaseNewer, match="9999"):
        open_core(url, ALL_GAMES, clock)


@pytest.mark.parametrize("url", ["nonsense", "mysql://localhost/y", "sqlite://", "sqlite:////proc/none/hub.sqlite"])
def test_addresses_that_cannot_be(url: str, clock: ManualClock) -> None:
    with pytest.raises(DatabaseError):
        open_core(url, ALL_GAMES, clock)


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path, clock: ManualClock) -> None:
    path = tmp_path / "letter.txt"
    path.write_bytes(b"Dear organiser," * 100)
    with pytest.raises(DatabaseError):
        open_core(f"sqlite:///{path}", ALL_GAMES, clock)
    assert path.read_bytes() == b"Dear organiser," * 100


def test_another_program_s_database_is_left_alone(tmp_path: Path, clock: ManualClock) -> None:
    path = tmp_path / "other.sqlite"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE journals (theirs TEXT)")
    other.close()
    before = path.read_bytes()
    with pytest.raises(DatabaseError):
        open_core(f"sqlite:///{path}", ALL_GAMES, clock)
    assert path.read_bytes() == before


def test_the_file_is_its_owner_s_alone(core: Core, tmp_path: Path) -> None:
    for path in tmp_path.glob("hub.sqlite"):
        assert path.stat().st_mode & 0o077 == 0


def test_the_migrations_make_what_the_schema_says(core: Core) -> None:
    with core.database.reading() as connection:
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []


def test_a_database_of_the_first_form_is_brought_up_to_date(opened: Callable[[], Core]) -> None:
    core = opened()
    key = core.keys.issue("referee", "t1", "Rose")
    with core.database.writing() as work:
        config = alembic_config()
        config.attributes["connection"] = work.connection
        command.downgrade(config, "0001")
    again = opened()
    found = again.keys.check(key)
    assert found is not None
    assert (found.label, found.opened_by) == ("Rose", None)
    again.keys.issue("session", "t1", "Rose", opened_by=found.id)
    again.keys.revoke(found.id)
    assert again.keys.all() == ()


def test_the_referees_pin_is_given_to_all_tables_as_a_hash(core: Core, opened: Callable[[], Core]) -> None:
    assert core.tables.referee_pin() is None
    before = core.views.revision()
    for wrong in ("", "123", "123456789", "12a4", "１２３４"):
        with pytest.raises(Refusal) as refused:
            core.tables.set_referee_pin(wrong)
        assert refused.value.rule == "referee_pin"
    assert core.views.revision() == before
    core.tables.set_referee_pin("2580")
    hashed = core.tables.referee_pin()
    assert hashed is not None
    assert hashed.startswith("$argon2id$")
    assert core.views.changes_after(before).tables == {"t1", "t2", "t3", "t4"}, "each table is told"
    assert opened().tables.referee_pin() == hashed
    core.tables.set_referee_pin(None)
    assert core.tables.referee_pin() is None
