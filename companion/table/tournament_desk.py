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
from companion.table.hub_port import HubLook, HubPort, Side, Signer, TableMatch
from companion.table.matches import Matches, MatchSummary
from companion.tournament.headers import MARK, mark_of


def completed(prepared: Fields, decided: Fields) -> JsonObject:
    """The header with the tournament's names, its keys of `setup`, and its mark.

    Where the game leaves the ids of the sides open, they become the tournament's, in the same order.
    """
    sides: Fields = decided.get("sides", {})
    ids = same_sides(prepared["sides"], sides)
    named = {ids[side]: {**shown, **sides.get(ids[side], {})} for side, shown in prepared["sides"].items()}
    keys = SPECS[prepared["game"]].side_keys
    given: Fields = prepared.get("setup", {})
    setup = {key: _renamed(value, ids) if key in keys else value for key, value in given.items()}
    made = {**prepared, "sides": named, "setup": {**setup, **decided.get("setup", {})}}
    return {**made, MARK: decided[MARK]} if MARK in decided else made


def same_sides(prepared: Fields, decided: Fields) -> dict[str, str]:
    """Which side of the tournament each side of a preparation is: the one of the same id, else of the same place."""
    if not decided or set(prepared) & set(decided):
        return {side: side for side in prepared}
    return {side: (list(decided) + list(prepared)[len(decided) :])[place] for place, side in enumerate(prepared)}


def _renamed(value: object, ids: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return ids.get(value, value)
    return {ids.get(side, side): each for side, each in value.items()} if isinstance(value, Mapping) else value


Step = Literal["none", "review", "gathering", "ready", "going", "confirming", "confirmed", "sent"]
"""No match for this table; one that the organiser is asked about; sides are missing; both are there; it is played; it
is over and somebody has to confirm; all have, and the hub does not know; the hub has the result."""

SIDES: tuple[Side, Side] = ("home", "away")


@dataclass(frozen=True, slots=True)
class Played:
    """The journal in which the match is played: as a list shows it, and its last line."""

    summary: MatchSummary
    line: int


@dataclass(frozen=True, slots=True)
class Standing:
    """How things stand at this table: what the hub told, the step, the journal of its match if there is one."""

    look: HubLook
    step: Step = "none"
    played: Played | None = None

    @property
    def match(self) -> TableMatch | None:
        """The match called to this table."""
        return self.look.match

    def score(self, side: Side) -> int:
        """The points of a side so far."""
        match, played = self.match, self.played
        if match is None or played is None:
            return 0
        return played.summary.score.get(match.home_side if side == "home" else match.away_side, 0)


class TournamentDesk:
    """One for a table that may take part in tournaments."""

    def __init__(self, hub: HubPort, matches: Matches) -> None:
        self.hub = hub
        self._matches = matches

    @property
    def joined(self) -> bool:
        """Whether the table takes part in a tournament."""
        return self.hub.look().link.joined

    def standing(self) -> Standing:
        """How things stand now. Reads the store: ask when a page is drawn, not at every frame."""
        look = self.hub.look()
        match = look.match
        if match is None:
            return Standing(look)
        played = self._played(match)
        return Standing(look, _step(match, played), played)

    def check_in(self, side: Side, present: bool = True) -> None:
        """A side of this table's match is there, or was said to be by mistake."""
        match = self.hub.look().match
        if match is not None:
            self.hub.check_in(match.match, side, present)

    def confirm(self, standing: Standing, by: Signer, given: bool = True) -> bool:
        """`by` confirms the result that was shown, or takes that back; False if something else stands by now."""
        match, played, now = standing.match, standing.played, self.standing()
        if match is None or played is None or now.match is None or now.match.match != match.match:
            return False
        if now.played is None or (now.played.summary.match_id, now.played.line) != (
            played.summary.match_id,
            played.line,
        ):
            return False
        self.hub.confirm(match.match, played.summary.match_id, played.line, by, given)
        return True

    def _played(self, match: TableMatch) -> Played | None:
        mark = mark_of(match.header)
        found = self._matches.newest(lambda header: mark is not None and mark_of(header) == mark)
        return None if found is None else Played(*found)


def _step(match: TableMatch, played: Played | None) -> Step:
    if played is not None and not played.summary.finished:
        return "going"
    if match.review:
        return "review"
    if match.sent:
        return "sent"
    if played is not None:
        return "confirmed" if match.confirmed >= set(match.needs) else "confirming"
    return "ready" if match.present >= set(SIDES) else "gathering"


def colour_of(match: TableMatch, side: Side) -> str:
    """The colour token of a side, the one that the game's own screens give it."""
    name = match.home_side if side == "home" else match.away_side
    return SPECS[match.game].colour_of(name)


def name_of(match: TableMatch, side: Side) -> str:
    """The entry that plays a side."""
    return match.home if side == "home" else match.away


def own_table(look: HubLook) -> StandingTable | None:
    """The standings that this table's sides stand in, else the first ones there are."""
    match = look.match
    names = {match.home, match.away} if match else set()
    own = (table for table in look.standings if any(row.name in names for row in table.rows))
    return next(own, look.standings[0] if look.standings else None)
