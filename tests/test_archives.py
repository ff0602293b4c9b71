"""Archives that take much memory, time or disk space to unpack are refused before, with a sentence."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from companion.archives import ArchiveTooLarge, check_disk_space
from companion.commands.backup import HUB_KIND, KIND, BadBackup, about_of, unpack
from companion.games.registry import GAMES
from companion.table.audit import check
from tests.archive_bombs import BOMBS, HUB_ABOUT, Member, archive_of, inflating, stored

MAX_MEMORY_KB = 500_000
MAX_CPU_S = 5

CHILD = """
import resource, sys
from pathlib import Path
resource.setrlimit(resource.RLIMIT_CPU, (%d, %d))
resource.setrlimit(resource.RLIMIT_FSIZE, (%d, %d))
%s
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
raise SystemExit(status)
"""
RESTORE = """
from companion.commands.backup import run_restore
status = run_restore(Path(sys.argv[2]), Path(sys.argv[1]), True)
"""
AUDIT = """
from companion.commands.report import run_audit_check
status = run_audit_check(Path(sys.argv[2]), Path(sys.argv[1]))
"""


def run_limited(code: str, file: Path, folder: Path) -> str:
    """Run a command on a file in a child process; it must refuse the file. Returns what it says.

    The child is killed after 5 s of processor time, and by a file of 70 MB or more.
    """
    config = folder / "config.toml"
    config.write_text(f'[display]\nlanguage = "en"\n[data]\nfolder = "{folder / "data"}"\n')
    source = CHILD % (MAX_CPU_S, MAX_CPU_S, 70_000_000, 70_000_000, code)
    command = [sys.executable, "-c", source, str(file), str(config)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2, (done.returncode, done.stdout[-500:], done.stderr[-500:])
    assert "Traceback" not in done.stderr
    assert int(done.stdout.split()[-1]) < MAX_MEMORY_KB
    assert [path.name for path in (folder / "data").glob("*")] == [] or code is AUDIT
    return done.stderr


@pytest.mark.parametrize("name", BOMBS)
def test_no_backup_takes_much_memory_or_time(name: str, tmp_path: Path) -> None:
    file = tmp_path / "bomb.zip"
    file.write_bytes(BOMBS[name]())
    assert str(file) in run_limited(RESTORE, file, tmp_path)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("data", "it would unpack to more than 200 times its size"),
        ("overlap", "it would unpack to more than 200 times its size"),
        ("a million files", "it holds more than 50000 files"),
        ("the same file often", "x: there more than once"),
        ("long settings", "settings/config.toml: longer than any settings: more than 256 kB"),
    ],
)
def test_the_refusal_says_why(name: str, sentence: str, tmp_path: Path) -> None:
    file = tmp_path / "bomb.zip"
    file.write_bytes(BOMBS[name]())
    assert sentence in run_limited(RESTORE, file, tmp_path)


def test_room_on_the_disk_is_checked_before(tmp_path: Path) -> None:
    check_disk_space(1, tmp_path)
    with pytest.raises(ArchiveTooLarge, match="no_room"):
        check_disk_space(1 << 60, tmp_path)


AUDIT_BOMBS = {
    "overlap": lambda: archive_of(
        [stored("pictures/0", bytes(1 << 24)), *(Member(f"pictures/{n}", b"", 1 << 24, at=0) for n in range(1, 9_999))]
    ),
    "lines": lambda: archive_of([stored("journal.jsonl", b"\n" * 100_000_000), stored("SHA256SUMS", b"")]),
    "sums": lambda: archive_of([stored("SHA256SUMS", b"\n" * 4_000_000)]),
    "wide": lambda: archive_of([stored("audit.json", b"[" + b"[]," * 1_300_000 + b"1]")]),
    "deflated": lambda: archive_of([Member("journal.jsonl", inflating(1 << 32), 1 << 32)]),
    "heavy": lambda: bytes(129_000_000),
}


@pytest.mark.parametrize("name", AUDIT_BOMBS)
def test_no_audit_takes_much_memory_or_time(name: str, tmp_path: Path) -> None:
    file = tmp_path / "bomb.zip"
    file.write_bytes(AUDIT_BOMBS[name]())
    assert str(file) in run_limited(AUDIT, file, tmp_path)


VALUES = [None, True, -1, 1.5, 10**30, "x", "\x1b[2J" * 50, [], [[]], {}, {"a": []}]


@pytest.mark.parametrize("kind", [KIND, HUB_KIND])
@pytest.mark.parametrize("field", ["kind", "format", "version", "made", "deleted", "database"])
def test_a_description_of_any_types_is_refused_or_read(kind: str, field: str, tmp_path: Path) -> None:
    file = tmp_path / "one.zip"
    for value in VALUES:
        about = {"kind": kind, "format": 1, "database": "sqlite", field: value}
        file.write_bytes(archive_of([stored("about.json", json.dumps(about).encode()), stored("SHA256SUMS", b"")]))
        for wanted in (KIND, HUB_KIND):
            expected = about if wanted == kind and field not in ("kind", "format") else None
            assert about_of(file, wanted) == expected
            if expected is None:
                with pytest.raises(BadBackup, match=r"cli\.backup"):
                    unpack(file, tmp_path, wanted)


@pytest.mark.parametrize("value", [[], "x", 3, None])
def test_a_description_that_is_no_object_is_refused(value: object, tmp_path: Path) -> None:
    file = tmp_path / "one.zip"
    file.write_bytes(archive_of([stored("about.json", json.dumps(value).encode())]))
    assert about_of(file) is None


def test_the_archives_of_these_tests_are_archives(tmp_path: Path) -> None:
    file = tmp_path / "one.zip"
    file.write_bytes(archive_of([stored("about.json", HUB_ABOUT), Member("big", inflating(1 << 32), 1 << 32)]))
    with zipfile.ZipFile(file) as opened:
        assert opened.read("about.json") == HUB_ABOUT
        assert opened.getinfo("big").file_size == 1 << 32
        with opened.open("big") as member:
            assert member.read(1000) == bytes(1000)
    assert check(file.read_bytes(), GAMES).faults
