"""Progress of the tournament match at this table, computed from the hub's state and the match store.

Nothing is stored here: the link keeps check-ins and confirmations, and the journal is the match. After a power cut the
table is at the same step.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from companion.games.base import Fields, JsonObject, Message
from companion.games.registry import SPECS
from companion.messages.wire import DisputeReason, Ruling, StandingTable
from companion.table.hub_port import HubPort, HubSnapshot, Side, Signer, TableMatch
from companion.table.matches import Matches, MatchSummary
from companion.tournament.clock import CLOCK
from companion.tournament.headers import MARK, parse_mark


def complete_header(prepared_header: Fields, tournament_header: Fields) -> JsonObject:
    """Return the header with the tournament's names, its keys of `setup`, its mark and its time limits.

    If the game leaves the ids of the sides open, the tournament's ids are used in the same order.
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
    return {**header, **{key: tournament_header[key] for key in (MARK, CLOCK) if key in tournament_header}}


def same_sides(prepared: Fields, decided: Fields) -> dict[str, str]:
    """Map each prepared side to the tournament's side: the one with the same id, else at the same position."""
    if not decided or set(prepared) & set(decided):
        return {side: side for side in prepared}
    return {side: (list(decided) + list(prepared)[len(decided) :])[place] for place, side in enumerate(prepared)}


def _rename_sides(value: object, ids: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return ids.get(value, value)
    return {ids.get(side, side): each for side, each in value.items()} if isinstance(value, Mapping) else value


Step = Literal["none", "review", "gathering", "ready", "going", "confirming", "confirmed", "sent"]
"""Progress of the table's match.

- `none`: no match for this table
- `review`: the organiser has to decide
- `gathering`: sides are missing
- `ready`: both sides are present
- `going`: in play
- `confirming`: over, confirmations are missing
- `confirmed`: all have confirmed, the hub does not know yet
- `sent`: the hub has the result
"""

SIDES: tuple[Side, Side] = ("home", "away")


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """The journal of the match: its list summary, and its last line."""

    summary: MatchSummary
    line: int


@dataclass(frozen=True, slots=True)
class TournamentStatus:
    """Tournament status of this table: the hub's snapshot, the step, and the journal of its match, if any."""

    snapshot: HubSnapshot
    step: Step = "none"
    played_match: PlayedMatch | None = None

    @property
    def match(self) -> TableMatch | None:
        """The match called to this table."""
        return self.snapshot.match

    def score(self, side: Side) -> int:
        """Return the current points of a side."""
        match, played_match = self.match, self.played_match
        if match is None or played_match is None:
            return 0
        return played_match.summary.score.get(match.home_side if side == "home" else match.away_side, 0)


class TournamentDesk:
    """The tournament functions of a table."""

    def __init__(self, hub: HubPort, matches: Matches) -> None:
        self.hub = hub
        self._matches = matches

    @property
    def is_joined(self) -> bool:
        """True if the table takes part in a tournament."""
        return self.hub.snapshot().link.joined

    def status(self) -> TournamentStatus:
        """Return the current status. Reads the store: call it once per page, not per frame."""
        snapshot = self.hub.snapshot()
        match = snapshot.match
        if match is None:
            return TournamentStatus(snapshot)
        played_match = self._find_played_match(match)
        return TournamentStatus(snapshot, _step(match, played_match), played_match)

    def check_in(self, side: Side, present: bool = True) -> None:
        """Record whether a side of this table's match is present."""
        match = self.hub.snapshot().match
        if match is not None:
            self.hub.check_in(match.match, side, present)

    def confirm(self, status: TournamentStatus, by: Signer, given: bool = True) -> bool:
        """Confirm (or revoke) the displayed result. Returns False if the result has changed since it was shown."""
        match, played_match = status.match, status.played_match
        if match is None or played_match is None or not self._stands(match, played_match):
            return False
        self.hub.confirm(match.match, played_match.summary.match_id, played_match.line, by, given)
        return True

    def dispute(self, status: TournamentStatus, by: Side, why: DisputeReason) -> bool:
        """Record that a side does not agree with the displayed result. Returns False if it has changed."""
        match, played_match = status.match, status.played_match
        if match is None or played_match is None or not self._stands(match, played_match):
            return False
        self.hub.dispute(match.match, played_match.summary.match_id, played_match.line, by, why)
        return True

    def _stands(self, match: TableMatch, played_match: PlayedMatch) -> bool:
        """Return whether a displayed result is still that of this table's match."""
        now = self.status()
        displayed = played_match.summary.match_id, played_match.line
        return (
            now.match is not None
            and now.match.match == match.match
            and now.played_match is not None
            and (now.played_match.summary.match_id, now.played_match.line) == displayed
        )

    def _find_played_match(self, match: TableMatch) -> PlayedMatch | None:
        mark = parse_mark(match.header)
        found = self._matches.newest_matching(lambda header: mark is not None and parse_mark(header) == mark)
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
    """Return the colour token of a side, as on the game's own screens."""
    name = match.home_side if side == "home" else match.away_side
    return SPECS[match.game].colour_of(name)


def name_of(match: TableMatch, side: Side) -> str:
    """Return the name of the entry that plays a side."""
    return match.home if side == "home" else match.away


def ruling_message(ruling: Ruling) -> Message:
    """Return what the organiser decided, as one sentence."""
    names: JsonObject = {"home": ruling.home, "away": ruling.away}
    if ruling.score is None:
        return Message("app.tournament.ruling.again", names)
    score = f"{ruling.score[0]}\N{NO-BREAK SPACE}\N{EN DASH}\N{NO-BREAK SPACE}{ruling.score[1]}"
    return Message("app.tournament.ruling", {**names, "score": score})


def ended_message(snapshot: HubSnapshot) -> Message:
    """Return that the tournament has ended, with the one who has won it, as one sentence."""
    first = next((step.names for step in snapshot.podium or ()), ())
    return Message("app.tournament.won", {"name": first[0]}) if len(first) == 1 else Message("app.tournament.ended")


def standings_of_table(snapshot: HubSnapshot) -> StandingTable | None:
    """Return the standings that include this table's sides, else the first ones."""
    match = snapshot.match
    names = {match.home, match.away} if match else set()
    own = (table for table in snapshot.standings if any(row.name in names for row in table.rows))
    return next(own, snapshot.standings[0] if snapshot.standings else None)
