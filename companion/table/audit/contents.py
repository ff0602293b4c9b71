"""What an audit holds: the journal, what it came to, points, rules cited, readings and pictures of the rolls, versions.

`companion replay` reads its journal; every file stands with its SHA-256 in the list at the end, every line of the
journal with its own. There is no signature: who changes a file and all its sums is found out only by the rules.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.base import Fields, Notice
from companion.journal.codec import file_bytes
from companion.journal.ledger import AnyLedger
from companion.journal.replay import Replay, replay_report
from companion.journal.store import READING, Picture
from companion.table.audit.archive import SUMS, digest, pack, sums
from companion.table.evidence import TRAY
from companion.table.report import score_course

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


def state_of(ledger: AnyLedger) -> dict[str, Any]:
    """What `companion replay` prints for the match."""
    return replay_report(Replay(ledger.header, ledger))


def points_of(ledger: AnyLedger) -> list[dict[str, Any]]:
    """The facts that changed the score, with the score after each."""
    sides = tuple(ledger.header["sides"])
    return [
        {"line": change.line, "score": dict(zip(sides, change.scores, strict=True))} for change in score_course(ledger)
    ]


def rules_of(ledger: AnyLedger) -> dict[str, Any]:
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


def as_read(value: Any) -> Any:
    """A value as it comes back from a JSON file."""
    return json.loads(_json(value))


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=1).encode() + b"\n"


def _evidence(pictures: PicturesByLine) -> tuple[dict[str, bytes], list[dict[str, Any]]]:
    """Files of readings and pictures, and which pictures were there once."""
    files: dict[str, bytes] = {}
    purged: list[dict[str, Any]] = []
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
