"""Checks an audit again: every byte, every line of the journal, the rules played anew. Names each fault."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.base import Game, Message
from companion.journal.ledger import AnyLedger
from companion.journal.replay import LineRefused, replay
from companion.table.audit.archive import SUMS, NoArchive, digest, pack, unpack
from companion.table.audit.contents import (
    ABOUT,
    JOURNAL,
    LINES,
    POINTS,
    READINGS,
    RULES,
    STATE,
    VERSION,
    as_read,
    points_of,
    rules_of,
    state_of,
)

Games = Mapping[str, Game[Any, Any]]
_NEEDED = (ABOUT, JOURNAL, LINES, STATE, POINTS, RULES)


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is not as it was made: in which file of the audit (empty: the audit itself), on which line."""

    file: str
    line: int | None
    message: Message


@dataclass(frozen=True, slots=True)
class Checked:
    """What an audit says of itself, and what is wrong with it (nothing for a good one)."""

    match: str
    made: str
    versions: Mapping[str, str]
    facts: int
    pictures: int
    purged: int
    faults: tuple[Fault, ...]


def check(raw: bytes, games: Games) -> Checked:
    """Checks the bytes of an audit file."""
    try:
        files = unpack(raw)
    except NoArchive as broken:
        fault = Fault("", None, Message("report.audit.no_archive", {"reason": str(broken)}))
        return Checked("", "", {}, 0, 0, 0, (fault,))
    about = _object(files.get(ABOUT, b""))
    ledger, faults = _played(files, games)
    found = [*_sums(files), *_lines(files), *_about(files, about), *faults]
    if ledger is not None:
        found += [*_same(files, STATE, state_of(ledger)), *_same(files, POINTS, points_of(ledger))]
        found += [*_same(files, RULES, rules_of(ledger)), *_readings(files, ledger)]
    if not found:
        found += _container(raw, files)
    return Checked(
        match=str(about.get("match", "")),
        made=str(about.get("made", "")),
        versions=_versions(about.get("versions")),
        facts=len(ledger.standing) if ledger else 0,
        pictures=sum(name.startswith("pictures/") for name in files),
        purged=len(about["purged"]) if isinstance(about.get("purged"), list) else 0,
        faults=tuple(found),
    )


def _versions(told: Any) -> dict[str, str]:
    return {str(name): str(version) for name, version in told.items()} if isinstance(told, dict) else {}


def _sums(files: Mapping[str, bytes]) -> Iterator[Fault]:
    """Each file against its sum; what is missing, what nobody named, a list that is itself unreadable."""
    if SUMS not in files:
        yield Fault(SUMS, None, Message("report.audit.missing"))
        return
    named: set[str] = set()
    for number, line in enumerate(files[SUMS].decode("utf-8", "replace").splitlines(), 1):
        wanted, gap, name = line[:64], line[64:66], line[66:]
        if gap != "  " or name not in files or name in named:
            yield Fault(SUMS, number, Message("report.audit.sum_line", {"name": name or line}))
            continue
        named.add(name)
        if digest(files[name]) != wanted:
            yield Fault(name, None, Message("report.audit.changed"))
    yield from (Fault(name, None, Message("report.audit.unlisted")) for name in files if name not in {*named, SUMS})
    yield from (Fault(name, None, Message("report.audit.missing")) for name in _NEEDED if name not in files)


def _lines(files: Mapping[str, bytes]) -> Iterator[Fault]:
    """Each line of the journal against its own sum."""
    lines = files.get(JOURNAL, b"").splitlines()
    sums = files.get(LINES, b"").decode("utf-8", "replace").splitlines()
    if len(lines) != len(sums):
        yield Fault(JOURNAL, None, Message("report.audit.line_count", {"lines": len(lines), "wanted": len(sums)}))
    for number, (line, told) in enumerate(zip(lines, sums, strict=False), 1):
        if told != f"{digest(line)}  {number}":
            yield Fault(JOURNAL, number, Message("report.audit.line_changed"))


def _about(files: Mapping[str, bytes], about: Mapping[str, Any]) -> Iterator[Fault]:
    if ABOUT in files and about.get("audit") != VERSION:
        yield Fault(ABOUT, None, Message("report.audit.version", {"version": VERSION}))


def _played(files: Mapping[str, bytes], games: Games) -> tuple[AnyLedger | None, list[Fault]]:
    """The journal played by the rules of this program."""
    if JOURNAL not in files:
        return None, []
    try:
        return replay(files[JOURNAL].splitlines(keepends=True), games).ledger, []
    except LineRefused as refused:
        told = {"reason": refused.message, "rule": refused.rule}
        return None, [Fault(JOURNAL, refused.line, Message("report.audit.refused", told))]


def _same(files: Mapping[str, bytes], name: str, computed: Any) -> Iterator[Fault]:
    """A file that can be computed anew says what the journal comes to."""
    if name not in files:
        return
    try:
        told = json.loads(files[name])
    except (ValueError, RecursionError):
        yield Fault(name, None, Message("report.audit.unreadable"))
        return
    where = _difference(told, as_read(computed), "")
    if where is not None:
        yield Fault(name, None, Message("report.audit.differs", {"where": where or name}))


def _difference(told: Any, computed: Any, path: str) -> str | None:
    """Where two JSON values first part, as `state.score.blue`; None if they are the same."""
    if isinstance(told, dict) and isinstance(computed, dict):
        return _difference_of_objects(told, computed, path)
    if isinstance(told, list) and isinstance(computed, list):
        for at, (left, right) in enumerate(zip(told, computed, strict=False)):
            found = _difference(left, right, f"{path}[{at}]")
            if found is not None:
                return found
        return None if len(told) == len(computed) else f"{path}[{min(len(told), len(computed))}]"
    return None if told == computed and type(told) is type(computed) else path


def _difference_of_objects(told: Mapping[str, Any], computed: Mapping[str, Any], path: str) -> str | None:
    for key in (*computed, *(key for key in told if key not in computed)):
        inner = f"{path}.{key}".lstrip(".")
        if key not in told or key not in computed:
            return inner
        found = _difference(told[key], computed[key], inner)
        if found is not None:
            return found
    return None


def _readings(files: Mapping[str, bytes], ledger: AnyLedger) -> Iterator[Fault]:
    """Every reading belongs to a line of the journal and can be read."""
    lines = {entry.line for entry in ledger.entries}
    for name, content in files.items():
        if not name.startswith(READINGS):
            continue
        number = name.removeprefix(READINGS).removesuffix(".json")
        if not number.isdigit() or int(number) not in lines:
            yield Fault(name, None, Message("report.audit.no_line"))
        elif not isinstance(_object(content).get("dice"), list):
            yield Fault(name, None, Message("report.audit.unreadable"))


def _container(raw: bytes, files: Mapping[str, bytes]) -> Iterator[Fault]:
    """Nothing stands in the file but its contents: the same files packed anew are the same bytes."""
    again = pack(files)
    if again != raw:
        short = min(len(raw), len(again))
        place = next((at for at in range(short) if raw[at] != again[at]), short)
        yield Fault("", None, Message("report.audit.container", {"byte": place}))


def _object(content: bytes) -> dict[str, Any]:
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
