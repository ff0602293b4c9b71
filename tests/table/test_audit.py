"""Audit files verify completely; every change is reported by byte, line or rule."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from random import Random

import pytest

from companion.games.registry import GAMES
from companion.journal.ledger import replay
from companion.journal.store import Picture
from companion.table.audit import (
    ABOUT,
    JOURNAL,
    LINES,
    POINTS,
    STATE,
    SUMS,
    AuditResult,
    audit,
    check,
    checksums,
    line_sums,
    pack,
    unpack,
)
from tests.table.sample_match import ledger_of, sample_header, until_duel
from tests.table.sample_reports import JPEG, amended, played, seen_roll

VERSIONS = {"tapis-vert": "9.9", "faces.onnx": "0123456789abcdef"}


def evidenced(purged: bool = False) -> bytes:
    ledger = ledger_of(
        sample_header(), [*until_duel(sample_header()), {"event": "roll", "dice": [5, 4], "by": "camera"}]
    )
    kept = seen_roll(5, 4)
    if purged:
        kept = tuple(Picture(each.what, None if each.image == JPEG else each.image, each.die) for each in kept)
    line = ledger.events[-1].line
    return audit(ledger, {line: kept}, match="m1", made="2026-01-01T12:00:00+00:00", versions=VERSIONS)


def checked(raw: bytes) -> AuditResult:
    return check(raw, GAMES)


def places(raw: bytes) -> list[tuple[str, int | None, str]]:
    return [(fault.file, fault.line, fault.message.id) for fault in checked(raw).faults]


def changed(raw: bytes, name: str, change: Callable[[bytes], bytes], sealed: bool = False) -> bytes:
    """Return the audit with a changed file; with `sealed` all checksums are updated."""
    files = unpack(raw)
    files[name] = change(files[name])
    if sealed:
        files[LINES] = line_sums(files[JOURNAL])
        files[SUMS] = checksums({other: content for other, content in files.items() if other != SUMS})
    return pack(files)


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_audit_is_found_good(game: str) -> None:
    ledger = played(game, 2)
    found = checked(audit(ledger, {}, match="m", made="now", versions=VERSIONS))
    assert found.faults == ()
    assert (found.event_count, found.match, found.versions) == (len(ledger.events), "m", VERSIONS)


def test_corrections_and_undone_facts_come_along() -> None:
    ledger = amended()
    raw = audit(ledger, {}, match="m", made="now", versions=VERSIONS)
    assert checked(raw).faults == ()
    again = replay(unpack(raw)[JOURNAL].splitlines(keepends=True), GAMES).ledger
    assert [entry.status for entry in again.all_events] == [entry.status for entry in ledger.all_events]


def test_pictures_and_readings_lie_in_it() -> None:
    files = unpack(evidenced())
    pictures = [name for name in files if name.startswith("pictures/")]
    assert [name.partition("-")[2] for name in pictures] == ["tray.jpg", "die-0.jpg", "die-1.jpg"]
    assert all(files[name] == JPEG for name in pictures)
    (reading,) = (json.loads(content) for name, content in files.items() if name.startswith("readings/"))
    assert [die["face"]["value"] for die in reading["dice"]] == [5, 4]
    with zipfile.ZipFile(io.BytesIO(evidenced())) as archive:
        assert archive.testzip() is None


def test_purged_pictures_are_said_to_be_gone() -> None:
    raw = evidenced(purged=True)
    found = checked(raw)
    assert (found.faults, found.picture_count, found.purged_count) == ((), 0, 3)
    about = json.loads(unpack(raw)[ABOUT])
    assert [gone["what"] for gone in about["purged"]] == ["tray", "crop", "crop"]


def test_each_changed_byte_of_each_file_is_named_by_its_file() -> None:
    """Flip one bit per byte: every byte of the small files, a few hundred of the large ones."""
    raw, random = evidenced(), Random(1)
    for name, content in unpack(raw).items():
        spots = range(len(content)) if len(content) < 80 else sorted(random.sample(range(len(content)), 25))
        start = raw.index(name.encode()) + len(name)
        for spot in spots:
            tampered = bytearray(raw)
            tampered[start + spot] ^= 1 << random.randrange(8)
            found = places(bytes(tampered))
            named_files = [file for file, _, _ in found]
            assert name in named_files or name == SUMS, (name, spot, found)
            assert found, (name, spot)


def test_each_changed_byte_between_the_files_is_found() -> None:
    raw, random = evidenced(), Random(2)
    inside = set()
    for name, content in unpack(raw).items():
        start = raw.index(name.encode()) + len(name)
        inside |= set(range(start, start + len(content)))
    around = [spot for spot in range(len(raw)) if spot not in inside]
    for spot in random.sample(around, 150):
        tampered = bytearray(raw)
        tampered[spot] ^= 1 << random.randrange(8)
        assert places(bytes(tampered)) != [], spot


def test_a_changed_line_of_the_journal_is_named_by_its_number() -> None:
    raw = evidenced()
    number = len(unpack(raw)[JOURNAL].splitlines())
    tampered = changed(raw, JOURNAL, lambda content: content.replace(b'"dice": [5, 4]', b'"dice": [6, 4]'))
    assert (JOURNAL, number, "report.audit.line_changed") in places(tampered)
    assert (JOURNAL, None, "report.audit.changed") in places(tampered)


def test_a_line_changed_with_all_its_sums_is_found_by_the_rules() -> None:
    def fouled(content: bytes) -> bytes:
        return content.replace(b'"dice": [5, 4]', b'"dice": [1, 1]')

    found = places(changed(evidenced(), JOURNAL, fouled, sealed=True))
    assert [(file, id) for file, _, id in found] == [(STATE, "report.audit.differs")]


def test_a_line_that_breaks_a_rule_is_named_with_it() -> None:
    tampered = changed(evidenced(), JOURNAL, lambda content: content.replace(b"[5, 4]", b"[5, 7]"), sealed=True)
    ((file, line, id),) = places(tampered)
    assert (file, line, id) == (JOURNAL, len(unpack(tampered)[JOURNAL].splitlines()), "report.audit.refused")


def test_points_that_nobody_scored_are_found() -> None:
    raw = audit(played("footclub", 1), {}, match="m", made="now", versions=VERSIONS)

    def more(content: bytes) -> bytes:
        points = json.loads(content)
        points[0]["score"]["blue"] += 1
        return json.dumps(points).encode()

    assert [(file, id) for file, _, id in places(changed(raw, POINTS, more, sealed=True))] == [
        (POINTS, "report.audit.differs")
    ]


def test_missing_and_added_files_are_named() -> None:
    files = unpack(evidenced())
    picture = next(name for name in files if name.startswith("pictures/"))
    without = pack({name: content for name, content in files.items() if name != picture})
    assert [(file, id) for file, _, id in places(without)] == [(SUMS, "report.audit.sum_line")]
    added = pack({**files, "pictures/00099-tray.jpg": JPEG})
    assert [(file, id) for file, _, id in places(added)] == [("pictures/00099-tray.jpg", "report.audit.unlisted")]
    no_state = pack({name: content for name, content in files.items() if name != STATE})
    assert (STATE, None, "report.audit.missing") in places(no_state)
    assert (SUMS, None, "report.audit.missing") in places(pack({k: v for k, v in files.items() if k != SUMS}))


@pytest.mark.parametrize("raw", [b"", b"no zip", b"PK\x03\x04" + bytes(60)])
def test_what_is_no_audit_is_said_to_be_none(raw: bytes) -> None:
    ((file, line, id),) = places(raw)
    assert (file, line, id) == ("", None, "report.audit.no_archive")


def test_a_torn_audit_is_no_audit() -> None:
    raw = evidenced()
    for length in range(0, len(raw), 97):
        assert places(raw[:length]) != []
