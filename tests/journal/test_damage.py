"""Damaged stores: the app opens each of them, names what is damaged, and keeps everything else."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import apsw
import pytest

from companion.clock import ManualClock
from companion.journal.database import LineDamaged, StoreDamaged
from companion.journal.integrity import CHANGED, MISSING, STATE
from companion.journal.pages import PAGE_BYTES
from companion.journal.recovery import open_or_recover, recover, recover_in_place
from companion.journal.store import Picture, Store
from companion.journal.store_files import StoreFiles
from companion.language import LANGUAGES, Language
from tests.journal.counting_game import GAMES, add, header
from tests.journal.damage import Content, change_byte, content_of, copy_files, opened_content, write_store

CHANGES_A_SEED = 50


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Content]:
    """A closed store and its content."""
    path = tmp_path_factory.mktemp("written") / "matches.sqlite"
    return path, write_store(path)


@pytest.fixture(scope="module")
def crashed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Content]:
    """A store whose writer was killed: its newest lines are in the log."""
    folder = tmp_path_factory.mktemp("crashed")
    path = folder / "open" / "matches.sqlite"
    write_store(path, matches=2)
    with Store.open(path, ManualClock()) as store:
        match = store.matches()[0].id
        for number in range(30):
            store.append(match, add("left", number), [Picture("tray", bytes([number]) * 5000)])
        return copy_files(path, folder / "killed"), content_of(store)


def changed_positions(raw: bytes, seed: int) -> Iterator[tuple[int, int]]:
    """Yield offsets and new values: file header, page headers, cell pointers and anywhere; bits and whole bytes."""
    random = Random(seed)
    for number in range(CHANGES_A_SEED):
        page = random.randrange(len(raw) // PAGE_BYTES) * PAGE_BYTES
        offset = (random.randrange(100), page + random.randrange(12), page + random.randrange(60), None)[number % 4]
        at = random.randrange(len(raw)) if offset is None else offset
        yield at, random.randrange(256) if number % 3 == 0 else raw[at] ^ 1 << random.randrange(8)


@pytest.mark.parametrize("seed", range(4))
def test_one_changed_byte_never_costs_more_than_one_match_and_is_told(
    written: tuple[Path, Content], tmp_path: Path, seed: int
) -> None:
    path, whole = written
    for offset, value in changed_positions(path.read_bytes(), seed):
        damaged = copy_files(path, tmp_path / "damaged")
        change_byte(damaged, offset, value)
        opened = opened_content(damaged)
        where = f"byte {offset} set to {value}: {opened}"
        assert isinstance(opened, tuple), where
        content, messages = opened
        touched = [match for match in whole if content.get(match) != whole[match]]
        assert len(touched) <= 1, where
        assert messages or not touched, where
        for match in touched:
            assert whole[match][: len(content.get(match, ()))] == content.get(match, ()), where


def test_a_damaged_text_is_told_by_the_name_of_its_match(written: tuple[Path, Content], tmp_path: Path) -> None:
    path, whole = written
    raw = path.read_bytes()
    damaged_count = 0
    for offset in [at for at in range(len(raw)) if raw.startswith("é".encode(), at)][::400]:
        damaged = copy_files(path, tmp_path / "damaged")
        change_byte(damaged, offset, 0xFF)
        store, messages = open_or_recover(damaged, ManualClock())
        with store:
            assert len(store.matches()) == len(whole)
            if content_of(store) == whole:  # the byte is in a copy of a line that is not in use any more
                assert store.check() == ()
                continue
            assert store.check() != ()
        damaged_count += 1
        assert [message.id.rpartition(".")[0] for message in messages] == ["journal.damage"], offset
        for code in LANGUAGES:
            sentence = Language(code).text(messages[0])
            assert "Left" in sentence or "2026-06-01" in sentence
            assert "{" not in sentence
    assert damaged_count > 10


# The first page, and the log.


def test_a_store_whose_first_sector_is_torn_is_read_from_its_log(crashed: tuple[Path, Content], tmp_path: Path) -> None:
    path, whole = crashed
    torn = copy_files(path, tmp_path / "torn")
    with torn.open("r+b") as file:
        file.write(bytes(512))
    with Store.open(torn, ManualClock()) as store:
        assert content_of(store) == whole
        assert store.check() == ()


def test_a_torn_first_sector_without_a_copy_in_the_log_is_recovered(
    written: tuple[Path, Content], tmp_path: Path
) -> None:
    path, whole = written
    torn = copy_files(path, tmp_path / "torn")
    with torn.open("r+b") as file:
        file.write(bytes(512))
    opened = opened_content(torn)
    assert opened == (whole, ("journal.recovery.done",))


@pytest.mark.parametrize("main", ["missing", "empty"])
@pytest.mark.parametrize("beside", [("-wal",), ("-wal", "-shm"), ("-wal", "-shm", "-last")])
def test_a_log_without_its_store_is_set_aside_whole(tmp_path: Path, main: str, beside: tuple[str, ...]) -> None:
    path = tmp_path / "open" / "matches.sqlite"
    with Store.open(path, ManualClock()) as store:
        match = store.create(header())
        store.append(match, add("left", 3))
        left = tmp_path / "left" / "matches.sqlite"
        left.parent.mkdir()
        kept = {suffix: path.with_name(path.name + suffix).read_bytes() for suffix in beside}
    for suffix, content in kept.items():
        left.with_name(left.name + suffix).write_bytes(content)
    if main == "empty":
        left.touch()
    store, messages = open_or_recover(left, ManualClock())
    with store:
        assert store.matches() == []
        store.append(store.create(header()), add("right", 1))
        assert store.check() == ()
    assert [message.id for message in messages] == [
        "journal.recovery.gone" if "-last" in beside else "journal.recovery.orphans"
    ]
    for suffix, content in kept.items():
        assert left.with_name(f"{left.name}.damaged{suffix}").read_bytes() == content
    with Store.open(left, ManualClock()) as again:
        assert len(again.matches()) == 1
        assert again.notices == ()


def test_lines_after_a_damaged_frame_of_the_log_are_found_again(crashed: tuple[Path, Content], tmp_path: Path) -> None:
    path, whole = crashed
    damaged = copy_files(path, tmp_path / "damaged")
    log = StoreFiles.of(damaged).log
    raw = bytearray(log.read_bytes())
    frame = 32 + (24 + PAGE_BYTES) * (len(raw) // (2 * (24 + PAGE_BYTES)))
    raw[frame + 16 : frame + 24] = bytes(8)  # checksum of the frame: SQLite ends reading here
    log.write_bytes(raw)
    opened = opened_content(damaged)
    assert isinstance(opened, tuple)
    content, messages = opened
    assert content == whole
    assert messages == ("journal.recovery.done",)


def test_it_is_said_how_many_lines_a_cut_log_lost(crashed: tuple[Path, Content], tmp_path: Path) -> None:
    path, whole = crashed
    for parts in (1, 2, 3):
        damaged = copy_files(path, tmp_path / "damaged")
        log = StoreFiles.of(damaged).log
        raw = log.read_bytes()
        log.write_bytes(raw[: len(raw) * parts // 4])
        store, messages = open_or_recover(damaged, ManualClock())
        with store:
            content = content_of(store)
            assert store.check() == ()
        missing = sum(len(whole[match]) - len(content[match]) for match in whole)
        assert missing > 0
        assert [(message.id, message.args["n"]) for message in messages] == [("journal.recovery.lost", missing)]
        assert all(content[match] == whole[match][: len(content[match])] for match in whole)
        for code in LANGUAGES:
            assert "Left" in Language(code).text(messages[0])


def test_nothing_is_said_to_be_lost_after_purges_and_for_the_note_of_another_store(
    path: Path, clock: ManualClock, tmp_path: Path
) -> None:
    with Store.open(path, clock) as store:
        match = store.create(header(), [add("left", 1)] * 5)
        store.append(match, add("left", 2))
        store.remove(match)
        clock.advance(30 * 86400)
        assert store.purge_removed() == 1
    note = StoreFiles.of(path).note
    with Store.open(path, clock) as store:
        assert store.lost is None
    with Store.open(tmp_path / "other.db", clock) as other:
        other.create(header())
    StoreFiles.of(tmp_path / "other.db").note.write_bytes(note.read_bytes())
    with Store.open(tmp_path / "other.db", clock) as other:
        assert other.lost is None
    torn = bytearray(note.read_bytes())
    torn[100] ^= 1
    note.write_bytes(torn)
    with Store.open(path, clock) as store:
        assert store.lost is None


# Lines that are changed but legal.


def rewrite(path: Path, *statements: str) -> None:
    connection = apsw.Connection(str(path))
    for statement in statements:
        connection.execute(statement)
    connection.close()


CHANGES: dict[str, tuple[tuple[str, ...], int, str]] = {
    "a number": (("UPDATE entries SET fields = replace(fields, '\"n\": 3', '\"n\": 4') WHERE seq = 3",), 4, CHANGED),
    "a time": (("UPDATE entries SET at = replace(at, '2026', '2027') WHERE seq = 3",), 4, CHANGED),
    "two lines swapped": (
        (
            "UPDATE entries SET seq = 100 WHERE seq = 3",
            "UPDATE entries SET seq = 3 WHERE seq = 4",
            "UPDATE entries SET seq = 4 WHERE seq = 100",
        ),
        4,
        CHANGED,
    ),
    "a line from elsewhere": (
        ("UPDATE entries SET fields = (SELECT fields FROM entries WHERE seq = 2) WHERE seq = 3",),
        4,
        CHANGED,
    ),
    "a line gone": (("DELETE FROM entries WHERE seq = 3",), 4, MISSING),
    "the last line gone": (("DELETE FROM entries WHERE seq = 6",), 7, MISSING),
    "a line too much": (
        ("INSERT INTO entries SELECT match, 7, fields, at, sum FROM entries WHERE seq = 6",),
        8,
        CHANGED,
    ),
    "the header": (("UPDATE matches SET header = replace(header, '100', '101')",), 1, CHANGED),
    "the game": (("UPDATE matches SET game = 'countinG'",), 1, CHANGED),
    "the day": (("UPDATE matches SET created = replace(created, '2026', '2025')",), 1, CHANGED),
    "the number": (("UPDATE matches SET epoch = epoch + 1",), 1, CHANGED),
    "the end": (("UPDATE matches SET ended = created",), 8, STATE),
    "the sum itself": (("UPDATE entries SET sum = NULL WHERE seq = 3",), 4, CHANGED),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_but_legal_row_is_noticed(path: Path, clock: ManualClock, change: str) -> None:
    statements, line, problem = CHANGES[change]
    with Store.open(path, clock) as store:
        match = store.create(header())
        other = store.create(header(50), [add("left", 1)]) if line > 1 else None
        for number in range(1, 7):
            store.append(match, add("left", number))
    rewrite(path, *(f"{text} AND match = '{match}'" if "entries SET" in text else text for text in statements))
    with Store.open(path, clock) as store:
        (damaged,) = (each for each in store.damaged_matches() if each.id == match)
        assert (damaged.line, damaged.problem) == (line, problem)
        assert damaged.names == "Left – Right"
        assert store.check() != ()
        with pytest.raises(LineDamaged) as caught:
            store.resume(match, GAMES)
        assert caught.value.line == line
        if other is not None and problem != STATE:
            assert len(store.events(other)) == 1
        if line > 1:
            assert len(store.events(match, until_line=line - 1)) == line - 2


def test_a_changed_picture_is_noticed_and_not_shown(path: Path, clock: ManualClock) -> None:
    with Store.open(path, clock) as store:
        match = store.create(header())
        store.append(match, add("left", 1), [Picture("tray", b"abc"), Picture("reading", b"{}")])
    rewrite(path, "UPDATE pictures SET image = x'616264' WHERE what = 'tray'")
    with Store.open(path, clock) as store:
        assert store.pictures(match, 2) == (Picture("tray", None), Picture("reading", b"{}"))
        assert store.check() == ("pictures: 1 changed",)


def test_a_match_with_a_damaged_end_takes_no_event_that_would_hide_it(path: Path, clock: ManualClock) -> None:
    with Store.open(path, clock) as store:
        match = store.create(header(), [add("left", 1)] * 3)
    rewrite(path, "DELETE FROM entries WHERE seq = 3")
    with Store.open(path, clock) as store:
        with pytest.raises(LineDamaged):
            store.append(match, add("left", 1))
        assert store.damaged_matches()[0].line == 4


def test_an_older_store_gets_its_sums_once(path: Path, clock: ManualClock) -> None:
    with Store.open(path, clock) as store:
        match = store.create(header(), [add("left", 1)] * 3)
        store.append(match, add("right", 1), [Picture("reading", b"{}"), Picture("tray", b"x")])
        whole = content_of(store)
    rewrite(
        path,
        "ALTER TABLE matches DROP COLUMN sum",
        "ALTER TABLE matches DROP COLUMN lines",
        "ALTER TABLE matches DROP COLUMN state_sum",
        "ALTER TABLE entries DROP COLUMN sum",
        "ALTER TABLE pictures DROP COLUMN sum",
        "DROP TABLE store",
        "PRAGMA user_version = 2",
    )
    with Store.open(path, clock) as store:
        assert content_of(store) == whole
        assert store.check() == ()
        assert store.lost is None
    rewrite(path, "UPDATE entries SET fields = replace(fields, '1', '2') WHERE seq = 2")
    with Store.open(path, clock) as store:
        assert [(each.line, each.problem) for each in store.damaged_matches()] == [(3, CHANGED)]


# Recovery.


def test_a_whole_store_is_recovered_whole(crashed: tuple[Path, Content], tmp_path: Path) -> None:
    path, whole = crashed
    source = copy_files(path, tmp_path / "source")
    before = {file.name: file.read_bytes() for file in source.parent.iterdir()}
    recovery = recover(StoreFiles.of(source), tmp_path / "new.sqlite")
    assert all(match.is_whole for match in recovery.matches)
    assert (recovery.homeless, recovery.lost) == (0, None)
    assert {file.name: file.read_bytes() for file in source.parent.iterdir()} == before
    with Store.open(source, ManualClock()) as old, Store.open(tmp_path / "new.sqlite", ManualClock()) as new:
        assert content_of(new) == whole
        assert new.matches() == old.matches()
        assert new.check() == ()
        for match in whole:
            for line in old.lines_with_pictures(match):
                assert new.pictures(match, line) == old.pictures(match, line)


@pytest.mark.parametrize("page", range(1, 12))
def test_a_zeroed_page_costs_its_own_rows_only(written: tuple[Path, Content], tmp_path: Path, page: int) -> None:
    path, whole = written
    damaged = copy_files(path, tmp_path / "damaged")
    with damaged.open("r+b") as file:
        file.seek((page - 1) * PAGE_BYTES)
        file.write(bytes(PAGE_BYTES))
    before = damaged.read_bytes()
    recovery, aside = recover_in_place(damaged)
    assert aside is not None
    assert aside.read_bytes() == before
    with Store.open(damaged, ManualClock()) as store:
        content = content_of(store)
        damaged_ids = {match.id for match in store.damaged_matches()}
        entries = sum(match.lines for match in recovery.matches)
    assert set(content) <= set(whole)
    assert all(content[match] == whole[match] for match in set(content) - damaged_ids)
    assert {match.id for match in recovery.matches if not match.is_whole} == damaged_ids
    assert entries >= sum(len(lines) - 1 for lines in whole.values()) - 60


def test_lines_without_their_header_stay_together(path: Path, clock: ManualClock, tmp_path: Path) -> None:
    with Store.open(path, clock) as store:
        match = store.create(header(), [add("left", 1)] * 3)
    rewrite(path, "PRAGMA foreign_keys = 0", "DELETE FROM matches", "VACUUM")
    recovery = recover(StoreFiles.of(path), tmp_path / "new.sqlite")
    assert [(each.id, each.lines, each.header_fits) for each in recovery.matches] == [(match, 3, False)]
    with Store.open(tmp_path / "new.sqlite", clock) as store:
        (listed,) = store.matches()
        assert (listed.id, listed.header_fits, listed.lines) == (match, False, 3)


def test_a_recovery_that_the_power_cut_ended_is_finished_at_the_next_start(
    written: tuple[Path, Content], tmp_path: Path
) -> None:
    path, whole = written
    for moved in (False, True):
        damaged = copy_files(path, tmp_path / "damaged")
        files = StoreFiles.of(damaged)
        recover(files, files.recovered)
        if moved:
            files.set_aside()
        store, messages = open_or_recover(damaged, ManualClock())
        with store:
            assert content_of(store) == whole
        assert [message.id for message in messages] == ["journal.recovery.finished"]
        assert not files.recovered.exists()
        assert damaged.with_name(f"{damaged.name}.damaged").read_bytes() == path.read_bytes()


def test_a_foreign_file_is_set_aside_untouched_when_the_app_opens(path: Path, clock: ManualClock) -> None:
    path.parent.mkdir()
    for content in (b"Dear diary, " * 200, os.urandom(50_000), b"x"):
        path.write_bytes(content)
        store, messages = open_or_recover(path, clock)
        store.close()
        assert [message.id for message in messages] == ["journal.recovery.foreign"]
        newest = max(path.parent.glob("*.damaged*"), key=lambda file: (len(file.name), file.name))
        assert newest.read_bytes() == content
        path.unlink()
        StoreFiles.of(path).note.unlink(missing_ok=True)


def test_maintenance_that_meets_damage_leads_to_recovery(written: tuple[Path, Content], tmp_path: Path) -> None:
    path, whole = written
    damaged = copy_files(path, tmp_path / "damaged")
    calls: list[int] = []

    def maintain(store: Store) -> None:
        calls.append(1)
        raise StoreDamaged("damaged", store.path, reason="test")

    store, messages = open_or_recover(damaged, ManualClock(), maintain)
    with store:
        assert content_of(store) == whole
    assert [message.id for message in messages] == ["journal.recovery.done"]
    assert calls == [1]


WRONG_FILES: dict[str, Callable[[bytes], bytes]] = {
    "cut to a page": lambda raw: raw[:PAGE_BYTES],
    "cut in a page": lambda raw: raw[: len(raw) // 2 + 100],
    "first page lost": lambda raw: raw[PAGE_BYTES:],
    "zeros at the end": lambda raw: raw[:-PAGE_BYTES] + bytes(PAGE_BYTES),
    "all pages twice": lambda raw: raw + raw,
}


@pytest.mark.parametrize("wrong", WRONG_FILES)
def test_a_cut_or_shifted_file_opens_too(written: tuple[Path, Content], tmp_path: Path, wrong: str) -> None:
    path, whole = written
    damaged = copy_files(path, tmp_path / "damaged")
    damaged.write_bytes(WRONG_FILES[wrong](path.read_bytes()))
    opened = opened_content(damaged)
    assert isinstance(opened, tuple)
    assert set(opened[0]) <= set(whole)
    assert opened[1] or opened[0] == whole
