"""Whether the hub holds what the tables hold: every journal byte for byte, none lost, none doubled, none invented."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import apsw

from companion.hub.core import Core
from companion.tournament.facts import Result


@dataclass(frozen=True, slots=True)
class Compared:
    """How much was compared, and what is wrong, if anything. `copies` are the tables that are said to be copied."""

    journals: int
    lines: int
    problems: tuple[str, ...]
    copies: frozenset[str] = frozenset()


def journals_of(store: Path) -> dict[int, bytes]:
    """Every match of a table as its store holds it, line by line, read past all code of our own. Raises apsw.Error."""
    connection = apsw.Connection(str(store), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        found = {}
        for id, epoch, header in list(connection.execute("SELECT id, epoch, header FROM matches")):
            rows = connection.execute("SELECT fields FROM entries WHERE match = ? ORDER BY seq", (id,))
            found[int(epoch)] = "".join(f"{line}\n" for line in (header, *(text for (text,) in rows))).encode()
        return found
    finally:
        connection.close()


def compare(core: Core, stores: Mapping[str, Sequence[Path]]) -> Compared:
    """Each table's store (the first) and those of its copies against all that the hub keeps of it.

    What a copied card wrote apart is kept apart: the journal that counts is whole that of one of the cards, and every
    line of each is in one of the branches.
    """
    problems: list[str] = []
    count = lines = 0
    for table, paths in stores.items():
        for epoch, held, branches in _both_sides(core, table, paths):
            problems += (f"{table}, journal {epoch}: {fault}" for fault in _faults(held, branches))
            count += 1
            lines += sum(content.count(b"\n") for content in held)
    problems += _results(core)
    copies = {told.table for told in core.views.notices(closed=True) if told.kind == "copied_card" and told.table}
    return Compared(count, lines, tuple(problems), frozenset(copies))


def _both_sides(core: Core, table: str, paths: Sequence[Path]) -> Iterator[tuple[int, set[bytes], list[bytes]]]:
    """Yield each journal of a table: its epoch, what the cards hold of it, and the branches that the hub keeps."""
    cards = [journals_of(path) for path in paths]
    kept = _kept(core, table)
    for epoch in sorted({epoch for card in cards for epoch in card} | {epoch for epoch, _ in kept}):
        held = {card[epoch] for card in cards if epoch in card}
        yield epoch, held, [content for (number, _), content in sorted(kept.items()) if number == epoch]


def _kept(core: Core, table: str) -> dict[tuple[int, int], bytes]:
    """What the hub holds of a table, by epoch and branch."""
    rows = core.views.journals(table)
    return {(row.epoch, row.branch): core.views.journal(table, row.epoch, row.branch) for row in rows}


def _faults(held: set[bytes], branches: list[bytes]) -> list[str]:
    if not held:
        return ["no table has it"]
    if not branches:
        return ["the hub does not have it"]
    faults = []
    if branches[0] not in held:
        faults.append(_difference(held, branches[0]))
    if len(branches) != len(set(branches)):
        faults.append("two branches are alike")
    faults += [f"nobody has branch {number}" for number, each in enumerate(branches) if number and each not in held]
    faults += ["a card's journal is not there" for each in held if not _there(each, held, branches)]
    return faults


def _there(journal: bytes, held: set[bytes], branches: list[bytes]) -> bool:
    """One that another card went on from is there with the other."""
    return journal in branches or any(each != journal and each.startswith(journal) for each in held & set(branches))


def _difference(held: set[bytes], kept: bytes) -> str:
    theirs = max(held, key=lambda each: _common(each, kept)).splitlines()
    ours = kept.splitlines()
    line = next((n for n, (one, other) in enumerate(zip(theirs, ours, strict=False), 1) if one != other), None)
    if line is not None:
        return f"line {line} differs: {ours[line - 1][:80]!r}, the table has {theirs[line - 1][:80]!r}"
    return f"the hub has {len(ours)} lines, the table {len(theirs)}"


def _common(one: bytes, other: bytes) -> int:
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _results(core: Core) -> list[str]:
    """Each match has one result; later ones are corrections."""
    problems = []
    for row in core.tournaments.all():
        results = Counter(told.fact.match for told in core.tournaments.trace(row.id) if isinstance(told.fact, Result))
        reports = core.tournaments.state(row.id).reports
        problems += [f"{row.name}: {match} has {times} results" for match, times in results.items() if times > 1]
        problems += [f"{row.name}: the result of {match} is lost" for match in results if match not in reports]
    return problems
