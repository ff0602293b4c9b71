"""The tournament report file (TRF16) that rating and pairing programs of Swiss tournaments read.

Columns follow FIDE's handbook, C.04 annex 2 of 2016; they count from 1. What the hub does not know (rating,
federation, birth date, arbiter) stays blank. Scores of the games stay out: the format knows only win, draw and loss.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from unicodedata import normalize

from companion.tournament.facts import TournamentState
from companion.tournament.pairing import entries_by_seed
from companion.tournament.progress import Match, StageProgress, TournamentProgress
from companion.tournament.standings import StandingsRow
from companion.tournament.values import BYE, DOUBLE_FORFEIT, NOBODY, UNPLAYED

NAME_WIDTH = 33
"""Characters of a name: columns 15 to 47."""

PLAYERS_WIDTH = 89
"""Characters of a line of a player before its rounds."""

LINE_END = "\r\n"
NOT_PAIRED = "0000 - Z"
"""A round without an opponent and without points."""


def report_stage(progress: TournamentProgress) -> StageProgress | None:
    """Return the stage that a report file can hold: the first one, if it is a Swiss or a round robin of one group."""
    first = next(iter(progress.stages), None)
    return first if first is not None and len(first.tables) == 1 else None


def report_file(state: TournamentState, progress: TournamentProgress, days: Sequence[date] = ()) -> str | None:
    """Return the text of the report file, or None if the format has no place for the tournament.

    `days`: dates on which results were recorded; the first and the last one are those of the tournament. Without any
    result its date is that of the plan.
    """
    stage = report_stage(progress)
    if stage is None:
        return None
    rows = next(iter(stage.tables.values()))
    order = entries_by_seed(tuple(state.entries.values()))
    numbers = {entry: number for number, entry in enumerate(order, 1)}
    played = {entry: _rounds(stage, entry, numbers) for entry in order}
    count = max((round for rounds in played.values() for round in rounds), default=0)
    standing = {row.entry: row for row in rows}
    lines = _head(state, stage, days)
    for entry, number in numbers.items():
        cells = [played[entry].get(round, NOT_PAIRED) for round in range(1, count + 1)]
        lines.append(_player(number, state.entries[entry].name, standing.get(entry), len(order), cells))
    return "".join(line + LINE_END for line in lines)


def _head(state: TournamentState, stage: StageProgress, days: Sequence[date]) -> list[str]:
    """Return the lines about the tournament: name, place, date of start and end, number of players, type."""
    kind = "Individual: Swiss-System" if stage.plan.kind == "swiss" else "Individual: Round-Robin"
    planned = state.plan.date
    first, last = (min(days).isoformat(), max(days).isoformat()) if days else (planned, planned)
    values = {"012": state.plan.name, "022": state.plan.place}
    values |= {"042": first.replace("-", "/"), "052": last.replace("-", "/")}
    values |= {"062": str(len(state.entries)), "072": "0", "092": kind}
    lines = [f"{number} {_plain(value)}" for number, value in values.items() if value]
    return [*lines, f"XXR {stage.plan.rounds}"] if stage.plan.kind == "swiss" else lines


def _player(number: int, name: str, row: StandingsRow | None, last: int, rounds: Sequence[str]) -> str:
    """Return the line of a player: number, name, points, rank, and opponent, side and result of each round."""
    points, rank = (0, last) if row is None else (row.points, row.rank)
    head = f"001 {number:4} {'':4} {_plain(name)[:NAME_WIDTH]:{NAME_WIDTH}}".ljust(79)
    return "  ".join([f"{head} {points:4.1f} {rank:4}".ljust(PLAYERS_WIDTH), *rounds])


def _rounds(stage: StageProgress, entry: str, numbers: Mapping[str, int]) -> dict[int, str]:
    """Return opponent, side and result of an entry by round."""
    found = [match for tie in stage.ties for match in tie.matches if entry in match.seats]
    return {match.round: _game(match, entry, numbers) for match in found if match.status != "annulled"}


def _game(match: Match, entry: str, numbers: Mapping[str, int]) -> str:
    home = match.home == entry
    other = match.away if home else match.home
    if match.by == BYE or other is None or other == NOBODY:
        return "0000 - U" if match.winner is not None else NOT_PAIRED
    return f"{numbers[other]:4} {'w' if home else 'b'} {_result(match, 'home' if home else 'away')}"


def _result(match: Match, side: str) -> str:
    """Return the sign of a result: 1, =, 0; + and − without play; blank before the end."""
    if not match.over:
        return " "
    if match.by in UNPLAYED:
        return "-" if match.by == DOUBLE_FORFEIT or match.winner != side else "+"
    return "=" if match.winner is None else "1" if match.winner == side else "0"


def _plain(text: str) -> str:
    """Return a text on one line, its letters composed so that each takes one column."""
    return normalize("NFC", " ".join(text.split()))
