"""Comparison of the journals of hub and tables, byte for byte: none lost, duplicated or invented."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import apsw

from companion.hub.core import Core
from companion.tournament.facts import Result


@dataclass(frozen=True, slots=True)
class JournalComparison:
    """The number of compared items, and the faults found. `copies`: tables reported as copied."""

    journals: int
    lines: int
    problems: tuple[str, ...]
    copies: frozenset[str] = frozenset()


def read_store_journals(store: Path) -> dict[int, bytes]:
    """Return every match of a table as stored, line by line, without any product code. Raises apsw.Error."""
    connection = apsw.Connection(str(store), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        found = {}
        for id, epoch, header in list(connection.execute("SELECT id, epoch, header FROM matches")):
            rows = connection.execute("SELECT fields FROM entries WHERE match = ? ORDER BY seq", (id,))
            found[int(epoch)] = "".join(f"{line}\n" for line in (header, *(text for (text,) in rows))).encode()
        return found
    finally:
        connection.close()


def compare(core: Core, stores: Mapping[str, Sequence[Path]]) -> JournalComparison:
    """Compare each table's store (the first) and the stores of its copies with the hub's data.

    Events recorded on a copied card are stored separately: the valid journal is the complete journal of one of the
    cards, and every line of each card is in one of the branches.
    """
    problems: list[str] = []
    count = lines = 0
    for table, paths in stores.items():
        for epoch, card_journals, branches in _both_sides(core, table, paths):
            problems += (f"{table}, journal {epoch}: {fault}" for fault in _faults(card_journals, branches))
            count += 1
            lines += sum(content.count(b"\n") for content in card_journals)
    problems += _results(core)
    copies = {
        notice.table for notice in core.views.notices(closed=True) if notice.kind == "copied_card" and notice.table
    }
    return JournalComparison(count, lines, tuple(problems), frozenset(copies))


def _both_sides(core: Core, table: str, paths: Sequence[Path]) -> Iterator[tuple[int, set[bytes], list[bytes]]]:
    """Yield each journal of a table: its epoch, the content of the cards, and the branches at the hub."""
    cards = [read_store_journals(path) for path in paths]
    kept = _hub_journals(core, table)
    for epoch in sorted({epoch for card in cards for epoch in card} | {epoch for epoch, _ in kept}):
        card_journals = {card[epoch] for card in cards if epoch in card}
        yield epoch, card_journals, [content for (number, _), content in sorted(kept.items()) if number == epoch]


def _hub_journals(core: Core, table: str) -> dict[tuple[int, int], bytes]:
    """Return the hub's data of a table, by epoch and branch."""
    rows = core.views.journals(table)
    return {(row.epoch, row.branch): core.views.journal(table, row.epoch, row.branch) for row in rows}


def _faults(card_journals: set[bytes], branches: list[bytes]) -> list[str]:
    if not card_journals:
        return ["no table has it"]
    if not branches:
        return ["the hub does not have it"]
    faults = []
    if branches[0] not in card_journals:
        faults.append(_difference(card_journals, branches[0]))
    if len(branches) != len(set(branches)):
        faults.append("two branches are alike")
    faults += [
        f"nobody has branch {number}" for number, each in enumerate(branches) if number and each not in card_journals
    ]
    faults += ["a card's journal is not there" for each in card_journals if not _there(each, card_journals, branches)]
    return faults


def _there(journal: bytes, card_journals: set[bytes], branches: list[bytes]) -> bool:
    """Return True if the hub holds the journal. A journal that another card continued is part of that one."""
    return journal in branches or any(
        each != journal and each.startswith(journal) for each in card_journals & set(branches)
    )


def _difference(card_journals: set[bytes], kept: bytes) -> str:
    theirs = max(card_journals, key=lambda each: _common(each, kept)).splitlines()
    ours = kept.splitlines()
    line = next((n for n, (one, other) in enumerate(zip(theirs, ours, strict=False), 1) if one != other), None)
    if line is not None:
        return f"line {line} differs: {ours[line - 1][:80]!r}, the table has {theirs[line - 1][:80]!r}"
    return f"the hub has {len(ours)} lines, the table {len(theirs)}"


def _common(one: bytes, other: bytes) -> int:
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _results(core: Core) -> list[str]:
    """Return faults in the results: each match has one result; later ones are corrections."""
    problems = []
    for row in core.tournaments.all():
        results = Counter(
            entry.fact.match for entry in core.tournaments.trace(row.id) if isinstance(entry.fact, Result)
        )
        reports = core.tournaments.state(row.id).reports
        problems += [f"{row.name}: {match} has {times} results" for match, times in results.items() if times > 1]
        problems += [f"{row.name}: the result of {match} is lost" for match in results if match not in reports]
    return problems
