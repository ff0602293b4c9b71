"""The series of this table, computed from the headers and ends of its journals. Nothing else is stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.base import Fields, Message
from companion.games.nba.campaign import human_side
from companion.games.nba.series import CAMPAIGN, SeriesMark, goes_on, read_mark
from companion.games.nba.state import State
from companion.table.matches import Matches, StoredMatch


@dataclass(frozen=True)
class SeriesMatch:
    """A match of a series. `state` is None if its journal cannot be replayed; `trouble` says why."""

    stored: StoredMatch
    mark: SeriesMark
    state: State | None
    trouble: Message | None = None

    @property
    def id(self) -> str:
        return self.stored.id

    @property
    def header(self) -> Fields:
        return self.stored.header

    @property
    def is_going(self) -> bool:
        """True if the match must still be played to its end."""
        return self.state is None or self.state.result is None

    @property
    def goes_on(self) -> bool:
        """True if another match may follow."""
        return self.state is not None and goes_on(self.mark, self.state)


@dataclass(frozen=True)
class PlayedSeries:
    """The matches of a series in order, up to the first that no other may follow; never empty."""

    first: str
    matches: tuple[SeriesMatch, ...]

    @property
    def kind(self) -> str:
        return self.matches[0].mark.kind

    @property
    def last(self) -> SeriesMatch:
        return self.matches[-1]

    @property
    def won(self) -> int:
        """The matches after which the series went on: in a campaign those that the person won."""
        return sum(match.goes_on for match in self.matches)

    @property
    def is_over(self) -> bool:
        """True for a campaign that ended with a match not won."""
        return not self.last.is_going and not self.last.goes_on

    @property
    def person(self) -> str:
        """The name of the person of a campaign; empty in other series."""
        state = self.last.state
        return state.setup.names[human_side(state)] if self.kind == CAMPAIGN and state is not None else ""


def first_of(match_id: str, header: Fields) -> str | None:
    """Return the id of the first match of the series that a match belongs to, or None."""
    mark = read_mark(header)
    return None if mark is None else mark.first or match_id


def read_series(matches: Matches, first: str) -> PlayedSeries | None:
    """Return a series with the newest journal of each of its matches, or None if it has none."""
    found: dict[int, tuple[StoredMatch, SeriesMark]] = {}
    for stored in matches.store.matches():
        mark = read_mark(stored.header) if stored.header_fits else None
        if mark is not None and (mark.first or stored.id) == first:
            found.setdefault(mark.number, (stored, mark))
    standing: list[SeriesMatch] = []
    for number in sorted(found):
        standing.append(_match(matches, *found[number]))
        if not standing[-1].goes_on:
            break
    return PlayedSeries(first, tuple(standing)) if standing else None


def begun_series(matches: Matches, kind: str) -> Sequence[str]:
    """Return the ids of the first matches of all series of a kind, the newest series first."""
    firsts: dict[str, None] = {}
    for stored in matches.store.matches():
        mark = read_mark(stored.header) if stored.header_fits else None
        if mark is not None and mark.kind == kind:
            firsts.setdefault(mark.first or stored.id, None)
    return tuple(firsts)


def _match(matches: Matches, stored: StoredMatch, mark: SeriesMark) -> SeriesMatch:
    state = matches.last_state(stored.id)
    if isinstance(state, Message):
        return SeriesMatch(stored, mark, None, state)
    assert isinstance(state, State)
    return SeriesMatch(stored, mark, state)
