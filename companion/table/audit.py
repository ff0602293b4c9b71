"""The audit of a match: a zip archive with the journal and everything derived from it, and its verification.

The archive is deterministic: every byte follows from its contents, so any changed byte is detected.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice

from companion.archives import ARCHIVE_ERRORS, open_archive, unpacked_bytes
from companion.games.base import Fields, JsonObject, Message
from companion.games.figures import NoticeFigure
from companion.journal.codec import encode_file
from companion.journal.ledger import AnyLedger, Games, InvalidLine, Replay, replay, replay_report
from companion.journal.store import READING, Picture
from companion.language import reason_of
from companion.table.dice import TRAY
from companion.table.report import score_course

SUMS = "SHA256SUMS"
"""The last file: one line for each other file, in the format of `sha256sum --check`."""

_DATE = (1980, 1, 1, 0, 0, 0)
MAX_AUDIT_BYTES = 128_000_000
"""Maximum size of an audit file that is checked. A roll with its pictures takes about 150,000 bytes."""
_MAX_TEXT_BYTES = 4_000_000
"""Maximum size of a file in it that is no picture. Decoded, JSON can take 24 times as much memory."""
_MAX_FAULTS = 100
"""Maximum number of faults that one check reports."""
_LOCAL_HEADER_BYTES = 30
_FILE_MODE = 0o644 << 16


class InvalidArchive(Exception):
    """Not a zip archive, or a broken one."""


def digest(content: bytes) -> str:
    """Return the SHA-256 of the bytes as hexadecimal digits."""
    return sha256(content).hexdigest()


def checksums(files: Mapping[str, bytes]) -> bytes:
    """Return the content of SUMS for these files."""
    return "".join(f"{digest(content)}  {name}\n" for name, content in files.items()).encode()


def pack(files: Mapping[str, bytes]) -> bytes:
    """Return the archive of the files in order: uncompressed, without dates. Same files, same bytes."""
    return _packed(files).getvalue()


def _packed(files: Mapping[str, bytes]) -> io.BytesIO:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, _DATE)
            entry.create_system, entry.external_attr = 3, _FILE_MODE
            archive.writestr(entry, content)
    return out


def unpack(raw: bytes) -> dict[str, bytes]:
    """Return the files of an archive as stored, including changed ones. Raises: InvalidArchive."""
    try:
        with open_archive(raw) as archive:
            entries = archive.infolist()
    except (*ARCHIVE_ERRORS, OSError) as fault:
        raise InvalidArchive(str(fault)) from fault
    if unpacked_bytes(entries) > len(raw):  # nothing is compressed, so files overlap
        raise InvalidArchive("overlap")
    return {entry.filename: _content(raw, entry) for entry in entries}


def _content(raw: bytes, entry: zipfile.ZipInfo) -> bytes:
    """Return the file's bytes without checking the zip checksum: SUMS does that."""
    header = raw[entry.header_offset : entry.header_offset + _LOCAL_HEADER_BYTES]
    if len(header) < _LOCAL_HEADER_BYTES:
        return b""
    names = int.from_bytes(header[26:28], "little") + int.from_bytes(header[28:30], "little")
    start = entry.header_offset + _LOCAL_HEADER_BYTES + names
    return raw[start : start + entry.file_size]


# Contents of an audit: journal, final state, points, cited rules, readings and pictures of the rolls, versions.

VERSION = 1
ABOUT, JOURNAL, LINES, STATE, POINTS, RULES = (
    "audit.json",
    "journal.jsonl",
    "lines.sha256",
    "state.json",
    "points.json",
    "rules.json",
)
READINGS, PICTURES = "readings/", "pictures/"

PicturesByLine = Mapping[int, Sequence[Picture]]
"""The pictures stored with the event of each line, including purged ones."""


def audit(ledger: AnyLedger, pictures: PicturesByLine, *, match: str, made: str, versions: Mapping[str, str]) -> bytes:
    """Return the audit file. `made` is the current time; `versions` names the program and its models."""
    journal = encode_file(ledger.header, (entry.fields for entry in ledger.all_events))
    evidence, purged = _evidence(pictures)
    files = {
        ABOUT: _json(
            {
                "audit": VERSION,
                "match": match,
                "game": ledger.game.id,
                "sides": ledger.header["sides"],
                "made": made,
                "versions": dict(versions),
                "purged": purged,
            }
        ),
        JOURNAL: journal,
        LINES: line_sums(journal),
        STATE: _json(state_of(ledger)),
        POINTS: _json(points_of(ledger)),
        RULES: _json(rules_of(ledger)),
        **evidence,
    }
    return pack({**files, SUMS: checksums(files)})


def line_sums(journal: bytes) -> bytes:
    """Return a SHA-256 for each line of the journal, with its number."""
    return "".join(f"{digest(line)}  {number}\n" for number, line in enumerate(journal.splitlines(), 1)).encode()


def state_of(ledger: AnyLedger) -> JsonObject:
    """Return the output of `companion replay` for the match."""
    return replay_report(Replay(ledger.header, ledger))


def points_of(ledger: AnyLedger) -> list[JsonObject]:
    """Return the events that changed the score, with the score after each."""
    sides = tuple(ledger.header["sides"])
    return [
        {"line": change.line, "score": dict(zip(sides, change.scores, strict=True))}
        for change in score_course(ledger).changes
    ]


def rules_of(ledger: AnyLedger) -> JsonObject:
    """Return the rules cited to the players, with the lines of the events that followed."""
    cited: dict[str, list[int]] = {}
    state_before = ledger.initial_state
    for event in ledger.events:
        for figure in ledger.game.scene(state_before).figures:
            if isinstance(figure, NoticeFigure) and figure.rule is not None:
                cited.setdefault(figure.rule, []).append(event.line)
        state_before = event.state_after
    header: Fields = ledger.header
    return {"game": ledger.game.id, "journal": header["journal"], "cited": dict(sorted(cited.items()))}


def json_round_trip(value: object) -> object:
    """Return a value as decoded from a JSON file."""
    return json.loads(_json(value))


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=1).encode() + b"\n"


def _evidence(pictures: PicturesByLine) -> tuple[dict[str, bytes], list[JsonObject]]:
    """Return the files of readings and pictures, and the list of purged pictures."""
    files: dict[str, bytes] = {}
    purged: list[JsonObject] = []
    for line, line_pictures in sorted(pictures.items()):
        for picture in line_pictures:
            if picture.image is None:
                purged.append({"line": line, "what": picture.what, "die": picture.die})
            elif picture.what == READING:
                files[f"{READINGS}{line:05}.json"] = picture.image
            else:
                name = picture.what if picture.what == TRAY else f"die-{picture.die}"
                files[f"{PICTURES}{line:05}-{name}.{_suffix(picture.image)}"] = picture.image
    return files, purged


def _suffix(image: bytes) -> str:
    return "png" if image.startswith(b"\x89PNG") else "jpg"


# Verification of an audit: every byte, every journal line, and a replay by the rules. Reports each fault.

_REQUIRED_FILES = (ABOUT, JOURNAL, LINES, STATE, POINTS, RULES)


@dataclass(frozen=True, slots=True)
class AuditFault:
    """A deviation: the file of the audit (empty: the archive itself) and the line."""

    file: str
    line: int | None
    message: Message


@dataclass(frozen=True, slots=True)
class AuditResult:
    """An audit's description and its faults (none for a valid audit)."""

    match: str
    made: str
    versions: Mapping[str, str]
    event_count: int
    picture_count: int
    purged_count: int
    faults: tuple[AuditFault, ...]


def check(raw: bytes, games: Games) -> AuditResult:
    """Verify the bytes of an audit file."""
    try:
        files = unpack(raw)
    except InvalidArchive as broken:
        return _unread(AuditFault("", None, Message("report.audit.no_archive", {"reason": reason_of(broken)})))
    for name, content in files.items():
        if len(content) > _MAX_TEXT_BYTES and not name.startswith(PICTURES):
            return _unread(AuditFault(name, None, Message("report.audit.long", {"most": _MAX_TEXT_BYTES // 10**6})))
    about = _decode_object(files.get(ABOUT, b""))
    ledger, faults = _replay(files, games)
    all_faults = [*islice(_check_sums(files), _MAX_FAULTS), *islice(_check_lines(files), _MAX_FAULTS)]
    all_faults += [*_check_about(files, about), *faults]
    if ledger is not None:
        all_faults += [*_compare(files, STATE, state_of(ledger)), *_compare(files, POINTS, points_of(ledger))]
        all_faults += [*_compare(files, RULES, rules_of(ledger)), *islice(_check_readings(files, ledger), _MAX_FAULTS)]
    if not all_faults:
        all_faults += _check_container(raw, files)
    return AuditResult(
        match=str(about.get("match", "")),
        made=str(about.get("made", "")),
        versions=_versions(about.get("versions")),
        event_count=len(ledger.events) if ledger else 0,
        picture_count=sum(name.startswith("pictures/") for name in files),
        purged_count=len(about["purged"]) if isinstance(about.get("purged"), list) else 0,
        faults=tuple(all_faults),
    )


def _unread(fault: AuditFault) -> AuditResult:
    return AuditResult("", "", {}, 0, 0, 0, (fault,))


def _versions(recorded: object) -> dict[str, str]:
    return {str(name): str(version) for name, version in recorded.items()} if isinstance(recorded, dict) else {}


def _check_sums(files: Mapping[str, bytes]) -> Iterator[AuditFault]:
    """Check each file against its sum. Reports missing and unlisted files, and an unreadable list."""
    if SUMS not in files:
        yield AuditFault(SUMS, None, Message("report.audit.missing"))
        return
    listed: set[str] = set()
    for number, line in enumerate(files[SUMS].decode("utf-8", "replace").splitlines(), 1):
        expected, gap, name = line[:64], line[64:66], line[66:]
        if gap != "  " or name not in files or name in listed:
            yield AuditFault(SUMS, number, Message("report.audit.sum_line", {"name": name or line}))
            continue
        listed.add(name)
        if digest(files[name]) != expected:
            yield AuditFault(name, None, Message("report.audit.changed"))
    yield from (
        AuditFault(name, None, Message("report.audit.unlisted")) for name in files if name not in {*listed, SUMS}
    )
    yield from (
        AuditFault(name, None, Message("report.audit.missing")) for name in _REQUIRED_FILES if name not in files
    )


def _check_lines(files: Mapping[str, bytes]) -> Iterator[AuditFault]:
    """Check each line of the journal against its own sum."""
    lines = files.get(JOURNAL, b"").splitlines()
    checksums = files.get(LINES, b"").decode("utf-8", "replace").splitlines()
    if len(lines) != len(checksums):
        yield AuditFault(
            JOURNAL, None, Message("report.audit.line_count", {"lines": len(lines), "wanted": len(checksums)})
        )
    for number, (line, recorded) in enumerate(zip(lines, checksums, strict=False), 1):
        if recorded != f"{digest(line)}  {number}":
            yield AuditFault(JOURNAL, number, Message("report.audit.line_changed"))


def _check_about(files: Mapping[str, bytes], about: Fields) -> Iterator[AuditFault]:
    if ABOUT in files and about.get("audit") != VERSION:
        yield AuditFault(ABOUT, None, Message("report.audit.version", {"version": VERSION}))


def _replay(files: Mapping[str, bytes], games: Games) -> tuple[AnyLedger | None, list[AuditFault]]:
    """Replay the journal by the rules of this program."""
    if JOURNAL not in files:
        return None, []
    try:
        return replay(files[JOURNAL].splitlines(keepends=True), games).ledger, []
    except InvalidLine as refused:
        args = {"reason": refused.message, "rule": refused.rule}
        return None, [AuditFault(JOURNAL, refused.line, Message("report.audit.refused", args))]


def _compare(files: Mapping[str, bytes], name: str, computed: object) -> Iterator[AuditFault]:
    """Compare a derived file with the result computed from the journal."""
    if name not in files:
        return
    try:
        recorded = json.loads(files[name])
    except (ValueError, RecursionError):
        yield AuditFault(name, None, Message("report.audit.unreadable"))
        return
    where = _difference(recorded, json_round_trip(computed), "")
    if where is not None:
        yield AuditFault(name, None, Message("report.audit.differs", {"where": where or name}))


def _difference(recorded: object, computed: object, path: str) -> str | None:
    """Return the path of the first difference between two JSON values, e.g. `state.score.blue`; None if equal."""
    if isinstance(recorded, dict) and isinstance(computed, dict):
        return _difference_of_objects(recorded, computed, path)
    if isinstance(recorded, list) and isinstance(computed, list):
        for at, (left, right) in enumerate(zip(recorded, computed, strict=False)):
            found = _difference(left, right, f"{path}[{at}]")
            if found is not None:
                return found
        return None if len(recorded) == len(computed) else f"{path}[{min(len(recorded), len(computed))}]"
    return None if recorded == computed and type(recorded) is type(computed) else path


def _difference_of_objects(recorded: Fields, computed: Fields, path: str) -> str | None:
    for key in (*computed, *(key for key in recorded if key not in computed)):
        inner = f"{path}.{key}".lstrip(".")
        if key not in recorded or key not in computed:
            return inner
        found = _difference(recorded[key], computed[key], inner)
        if found is not None:
            return found
    return None


def _check_readings(files: Mapping[str, bytes], ledger: AnyLedger) -> Iterator[AuditFault]:
    """Check that every reading is readable and belongs to a line of the journal."""
    lines = {entry.line for entry in ledger.all_events}
    for name, content in files.items():
        if not name.startswith(READINGS):
            continue
        number = name.removeprefix(READINGS).removesuffix(".json")
        if not number.isdigit() or int(number) not in lines:
            yield AuditFault(name, None, Message("report.audit.no_line"))
        elif not isinstance(_decode_object(content).get("dice"), list):
            yield AuditFault(name, None, Message("report.audit.unreadable"))


def _check_container(raw: bytes, files: Mapping[str, bytes]) -> Iterator[AuditFault]:
    """Check that the archive holds nothing but its contents: packing the same files again gives the same bytes."""
    with _packed(files).getbuffer() as again:
        if again != raw:
            short = min(len(raw), len(again))
            place = next((at for at in range(short) if raw[at] != again[at]), short)
            yield AuditFault("", None, Message("report.audit.container", {"byte": place}))


def _decode_object(content: bytes) -> JsonObject:
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
