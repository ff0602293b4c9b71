"""The audit of a match: a zip with the journal and all that follows from it, and the check that it is whole.

Every byte of the zip follows from its contents, so that no byte can change unseen.
"""

from __future__ import annotations

import io
import json
import struct
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from companion.games.base import Fields, JsonObject, Message
from companion.games.figures import Notice
from companion.journal.codec import file_bytes
from companion.journal.ledger import AnyLedger, Games, LineRefused, Replay, replay, replay_report
from companion.journal.store import READING, Picture
from companion.table.dice import TRAY
from companion.table.report import score_course

SUMS = "SHA256SUMS"
"""The last file: a line for each other one, as `sha256sum --check` reads it."""

_DATE = (1980, 1, 1, 0, 0, 0)
_LOCAL_HEADER = 30
_MODE = 0o644 << 16


class NoArchive(Exception):
    """Not a zip at all, or one that is broken."""


def digest(content: bytes) -> str:
    """The SHA-256 of some bytes in hexadecimal digits."""
    return sha256(content).hexdigest()


def sums(files: Mapping[str, bytes]) -> bytes:
    """The content of SUMS for these files."""
    return "".join(f"{digest(content)}  {name}\n" for name, content in files.items()).encode()


def pack(files: Mapping[str, bytes]) -> bytes:
    """The archive of these files in their order: stored as they are, without dates. Same files, same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, _DATE)
            entry.create_system, entry.external_attr = 3, _MODE
            archive.writestr(entry, content)
    return out.getvalue()


def unpack(raw: bytes) -> dict[str, bytes]:
    """The files of an archive as they lie there, changed ones too. Raises NoArchive."""
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            entries = archive.infolist()
    except (zipfile.BadZipFile, ValueError, RuntimeError, struct.error, OSError) as fault:
        raise NoArchive(str(fault)) from None
    return {entry.filename: _content(raw, entry) for entry in entries}


def _content(raw: bytes, entry: zipfile.ZipInfo) -> bytes:
    """The bytes between this file's own head and its end, not held against the checksum: that is for SUMS."""
    head = raw[entry.header_offset : entry.header_offset + _LOCAL_HEADER]
    if len(head) < _LOCAL_HEADER:
        return b""
    names = int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little")
    start = entry.header_offset + _LOCAL_HEADER + names
    return raw[start : start + entry.file_size]


# What an audit holds: the journal, what it came to, points, rules cited, readings and pictures of the rolls, versions.

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
"""What the store keeps with the event of each line, purged pictures too."""


def audit(ledger: AnyLedger, pictures: PicturesByLine, *, match: str, made: str, versions: Mapping[str, str]) -> bytes:
    """The file. `made` is the time of now, `versions` name the program and its nets."""
    journal = file_bytes(ledger.header, (entry.fields for entry in ledger.entries))
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
    return pack({**files, SUMS: sums(files)})


def line_sums(journal: bytes) -> bytes:
    """A SHA-256 for each line of the journal, with its number."""
    return "".join(f"{digest(line)}  {number}\n" for number, line in enumerate(journal.splitlines(), 1)).encode()


def state_of(ledger: AnyLedger) -> JsonObject:
    """What `companion replay` prints for the match."""
    return replay_report(Replay(ledger.header, ledger))


def points_of(ledger: AnyLedger) -> list[JsonObject]:
    """The facts that changed the score, with the score after each."""
    sides = tuple(ledger.header["sides"])
    return [
        {"line": change.line, "score": dict(zip(sides, change.scores, strict=True))} for change in score_course(ledger)
    ]


def rules_of(ledger: AnyLedger) -> JsonObject:
    """The rules that the program cited to the players, with the lines of the facts that followed."""
    cited: dict[str, list[int]] = {}
    before = ledger.initial
    for standing in ledger.standing:
        for figure in ledger.game.scene(before).figures:
            if isinstance(figure, Notice) and figure.rule is not None:
                cited.setdefault(figure.rule, []).append(standing.line)
        before = standing.state_after
    header: Fields = ledger.header
    return {"game": ledger.game.id, "journal": header["journal"], "cited": dict(sorted(cited.items()))}


def as_read(value: object) -> object:
    """A value as it comes back from a JSON file."""
    return json.loads(_json(value))


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=1).encode() + b"\n"


def _evidence(pictures: PicturesByLine) -> tuple[dict[str, bytes], list[JsonObject]]:
    """Files of readings and pictures, and which pictures were there once."""
    files: dict[str, bytes] = {}
    purged: list[JsonObject] = []
    for line, kept in sorted(pictures.items()):
        for picture in kept:
            if picture.image is None:
                purged.append({"line": line, "what": picture.what, "die": picture.die})
            elif picture.what == READING:
                files[f"{READINGS}{line:05}.json"] = picture.image
            else:
                name = picture.what if picture.what == TRAY else f"die-{picture.die}"
                files[f"{PICTURES}{line:05}-{name}.{_ending(picture.image)}"] = picture.image
    return files, purged


def _ending(image: bytes) -> str:
    return "png" if image.startswith(b"\x89PNG") else "jpg"


# Checks an audit again: every byte, every line of the journal, the rules played anew. Names each fault.

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


def _versions(told: object) -> dict[str, str]:
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


def _about(files: Mapping[str, bytes], about: Fields) -> Iterator[Fault]:
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


def _same(files: Mapping[str, bytes], name: str, computed: object) -> Iterator[Fault]:
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


def _difference(told: object, computed: object, path: str) -> str | None:
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


def _difference_of_objects(told: Fields, computed: Fields, path: str) -> str | None:
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


def _object(content: bytes) -> JsonObject:
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
