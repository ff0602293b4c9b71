"""The tournament's match at this table: how far it has come, told from what the hub said and what the store holds.

Nothing is kept here. Who is there and who has confirmed is the link's to remember, the match itself is its journal, so
a power cut at any moment comes back to the same step.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from companion.games.base import Fields, JsonObject
from companion.games.registry import SPECS
from companion.messages.wire import StandingTable
from companion.table.hub_port import HubPort, HubSnapshot, Side, Signer, TableMatch
from companion.table.matches import Matches, MatchSummary
from companion.tournament.headers import MARK, mark_of


def complete_header(prepared_header: Fields, tournament_header: Fields) -> JsonObject:
    """The header with the tournament's names, its keys of `setup`, and its mark.

    Where the game leaves the ids of the sides open, they become the tournament's, in the same order.
    """
    sides: Fields = tournament_header.get("sides", {})
    ids = same_sides(prepared_header["sides"], sides)
    named_sides = {
        ids[side]: {**side_header, **sides.get(ids[side], {})} for side, side_header in prepared_header["sides"].items()
    }
    keys = SPECS[prepared_header["game"]].side_keys
    given_setup: Fields = prepared_header.get("setup", {})
    setup = {key: _rename_sides(value, ids) if key in keys else value for key, value in given_setup.items()}
    header = {**prepared_header, "sides": named_sides, "setup": {**setup, **tournament_header.get("setup", {})}}
    return {**header, MARK: tournament_header[MARK]} if MARK in tournament_header else header


def same_sides(prepared: Fields, decided: Fields) -> dict[str, str]:
    """Which side of the tournament each side of a preparation is: the one of the same id, else of the same place."""
    if not decided or set(prepared) & set(decided):
        return {side: side for side in prepared}
    return {side: (list(decided) + list(prepared)[len(decided) :])[place] for place, side in enumerate(prepared)}


def _rename_sides(value: object, ids: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return ids.get(value, value)
    return {ids.get(side, side): each for side, each in value.items()} if isinstance(value, Mapping) else value


Step = Literal["none", "review", "gathering", "ready", "going", "confirming", "confirmed", "sent"]
"""No match for this table; one that the organiser is asked about; sides are missing; both are there; it is played; it
is over and somebody has to confirm; all have, and the hub does not know; the hub has the result."""

SIDES: tuple[Side, Side] = ("home", "away")


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """The journal in which the match is played: as a list shows it, and its last line."""

    summary: MatchSummary
    line: int


@dataclass(frozen=True, slots=True)
class TournamentStatus:
    """How things stand at this table: what the hub told, the step, the journal of its match if there is one."""

    snapshot: HubSnapshot
    step: Step = "none"
    played_match: PlayedMatch | None = None

    @property
    def match(self) -> TableMatch | None:
        """The match called to this table."""
        return self.snapshot.match

    def score(self, side: Side) -> int:
        """The points of a side so far."""
        match, played_match = self.match, self.played_match
        if match is None or played_match is None:
            return 0
        return played_match.summary.score.get(match.home_side if side == "home" else match.away_side, 0)


class TournamentDesk:
    """One for a table that may take part in tournaments."""

    def __init__(self, hub: HubPort, matches: Matches) -> None:
        self.hub = hub
        self._matches = matches

    @property
    def is_joined(self) -> bool:
        """Whether the table takes part in a tournament."""
        return self.hub.snapshot().link.joined

    def status(self) -> TournamentStatus:
        """How things stand now. Reads the store: ask when a page is drawn, not at every frame."""
        snapshot = self.hub.snapshot()
        match = snapshot.match
        if match is None:
            return TournamentStatus(snapshot)
        played_match = self._find_played_match(match)
        return TournamentStatus(snapshot, _step(match, played_match), played_match)

    def check_in(self, side: Side, present: bool = True) -> None:
        """A side of this table's match is there, or was said to be by mistake."""
        match = self.hub.snapshot().match
        if match is not None:
            self.hub.check_in(match.match, side, present)

    def confirm(self, status: TournamentStatus, by: Signer, given: bool = True) -> bool:
        """`by` confirms the result that was shown, or takes that back; False if something else stands by now."""
        match, played_match, now = status.match, status.played_match, self.status()
        if match is None or played_match is None or now.match is None or now.match.match != match.match:
            return False
        if now.played_match is None or (now.played_match.summary.match_id, now.played_match.line) != (
            played_match.summary.match_id,
            played_match.line,
        ):
            return False
        self.hub.confirm(match.match, played_match.summary.match_id, played_match.line, by, given)
        return True

    def _find_played_match(self, match: TableMatch) -> PlayedMatch | None:
        mark = mark_of(match.header)
        found = self._matches.newest_matching(lambda header: mark is not None and mark_of(header) == mark)
        return None if found is None else PlayedMatch(*found)


def _step(match: TableMatch, played_match: PlayedMatch | None) -> Step:
    if played_match is not None and not played_match.summary.is_finished:
        return "going"
    if match.review:
        return "review"
    if match.sent:
        return "sent"
    if played_match is not None:
        return "confirmed" if match.confirmed >= set(match.required_signers) else "confirming"
    return "ready" if match.present >= set(SIDES) else "gathering"


def colour_of(match: TableMatch, side: Side) -> str:
    """The colour token of a side, the one that the game's own screens give it."""
    name = match.home_side if side == "home" else match.away_side
    return SPECS[match.game].colour_of(name)


def name_of(match: TableMatch, side: Side) -> str:
    """The entry that plays a side."""
    return match.home if side == "home" else match.away


def standings_of_table(snapshot: HubSnapshot) -> StandingTable | None:
    """The standings that this table's sides stand in, else the first ones there are."""
    match = snapshot.match
    names = {match.home, match.away} if match else set()
    own = (table for table in snapshot.standings if any(row.name in names for row in table.rows))
    return next(own, snapshot.standings[0] if snapshot.standings else None)
