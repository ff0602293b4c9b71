"""A campaign (13.1): solo matches in a row, each against more resources, until the first match that is not won."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.games.base import Fields, JsonObject
from companion.games.nba.legacy import KeepableCards, KeptCards, keepable, next_header
from companion.games.nba.refusals import refusal
from companion.games.nba.setup import Setup, read_header
from companion.games.nba.state import State

NOTHING_KEPT = KeptCards()


@dataclass(frozen=True, slots=True)
class Campaign:
    """A run: the header of the next match, the matches won before it, whether the run has ended."""

    header: Fields
    won: int = 0
    over: bool = False

    @property
    def resources(self) -> int:
        """The opponent's resources at the start of the next match."""
        return _solo_resources(read_header(self.header))


def start_campaign(header: Fields) -> Campaign:
    """Start a run with this match. Raises: Refusal if the header is not of a solo match."""
    if read_header(header).solo is None:
        raise refusal("NBA-13.1", "no_solo")
    return Campaign(header)


def keepable_cards(state: State) -> KeepableCards:
    """Return what the person may keep after winning this match: what the next match's resources could pay
    (NBA-13.1)."""
    return keepable(state, human_side(state), _solo_resources(state.setup) + 1)


def after_match(campaign: Campaign, state: State, kept_cards: KeptCards = NOTHING_KEPT) -> Campaign:
    """Return the run after the match of its header has ended. Raises: Refusal by NBA-13.1 and NBA-13.2."""
    if campaign.over:
        raise refusal("NBA-13.1", "over")
    if state.result is None:
        raise refusal("NBA-13.1", "not_ended")
    if state.result.winner != human_side(state):
        return replace(campaign, over=True)
    resources = campaign.resources + 1
    header = next_header(campaign.header, state, resources, {human_side(state): kept_cards})
    setup: JsonObject = header["setup"]
    setup["solo"] = {**setup["solo"], "resources": resources}
    return Campaign(header, campaign.won + 1)


def human_side(state: State) -> str:
    """Return the side that plays against the solo opponent."""
    return next(side for side in state.setup.sides if not state.setup.is_solo(side))


def _solo_resources(setup: Setup) -> int:
    if setup.solo is None:
        raise refusal("NBA-13.1", "no_solo")
    return setup.solo.resources
