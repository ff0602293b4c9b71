"""A campaign (13.1): solo matches in a row, each against more resources, until the first that is not won."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.games.base import Fields, JsonObject
from companion.games.nba.legacy import Keepable, Keeping, keepable, next_header
from companion.games.nba.refusing import refusal
from companion.games.nba.setup import Setup, read_header
from companion.games.nba.state import State

NOTHING_KEPT = Keeping()


@dataclass(frozen=True, slots=True)
class Campaign:
    """A run: the header of the match to be played, the matches won before it, whether the run has ended."""

    header: Fields
    won: int = 0
    over: bool = False

    @property
    def resources(self) -> int:
        """What the opponent begins the match to be played with."""
        return _solo_resources(read_header(self.header))


def begin(header: Fields) -> Campaign:
    """A run that starts with this match. Raises `Refusal` for a header that is none of a solo match."""
    if read_header(header).solo is None:
        raise refusal("NBA-13.1", "no_solo")
    return Campaign(header)


def may_keep(state: State) -> Keepable:
    """What the person may keep after this match was won: what the next match's resources could pay (NBA-13.1)."""
    return keepable(state, person(state), _solo_resources(state.setup) + 1)


def go_on(campaign: Campaign, state: State, keeping: Keeping = NOTHING_KEPT) -> Campaign:
    """The run after the match of its header has ended. Raises `Refusal` by NBA-13.1 and NBA-13.2."""
    if campaign.over:
        raise refusal("NBA-13.1", "over")
    if state.result is None:
        raise refusal("NBA-13.1", "not_ended")
    if state.result.winner != person(state):
        return replace(campaign, over=True)
    resources = campaign.resources + 1
    header = next_header(campaign.header, state, resources, {person(state): keeping})
    setup: JsonObject = header["setup"]
    setup["solo"] = {**setup["solo"], "resources": resources}
    return Campaign(header, campaign.won + 1)


def person(state: State) -> str:
    """The side that plays against the solo opponent."""
    return next(side for side in state.setup.sides if not state.setup.is_solo(side))


def _solo_resources(setup: Setup) -> int:
    if setup.solo is None:
        raise refusal("NBA-13.1", "no_solo")
    return setup.solo.resources
