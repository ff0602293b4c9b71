"""The state of an NBA match as immutable values."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.games.nba.dice_set import NbaFace
from companion.games.nba.teams import Table, Team


@dataclass(frozen=True, slots=True)
class Roll:
    """An activation whose dice are not kept yet. `rerolled` are indices, `fatigue` the cards taken for them."""

    tactic: str
    dice: tuple[NbaFace, ...]
    rerolled: tuple[int, ...] = ()
    fatigue: int = 0

    def of_kind(self, kind: str) -> tuple[int, ...]:
        """Return the indices of the dice of a kind."""
        return tuple([index for index, die in enumerate(self.dice) if die.die == kind])


@dataclass(frozen=True, slots=True)
class Opponent:
    """The changing state of the solo opponent: its counter and the cards given to it at the last opening (NBA-12.2).

    `again` is True if the market had nothing for it and a second `ai_tactic` is expected (NBA-12.5).
    """

    resources: int
    given: int = 0
    again: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended. `ranking` holds the sides from the first, only with three and four sides (NBA-11.3)."""

    winner: str | None
    ranking: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class State(Table):
    """The full state of a match. Two equal states are the same situation.

    - `active`: the side whose turn it is, None when tied or over
    - `last`: the side of the last normal turn, during the ultimate turns
    - `track`: None (empty), `?` or a card id for each slot
    - `deck`: the cards left in the player deck
    - `laid`: how many of them this turn's opening laid down
    """

    phase: str
    active: str | None
    first: str
    turn: int = 1
    period: int = 0
    limit: int | None = None
    last: str | None = None
    done: tuple[str, ...] = ()
    roll: Roll | None = None
    deck: int = 0
    track: tuple[str | None, ...] = ()
    laid: int = 0
    pile: int = 0
    opponent: Opponent | None = None
    result: Result | None = None

    @property
    def ultimate(self) -> bool:
        """True during the ultimate turns (NBA-8.4)."""
        return self.last is not None

    @property
    def closing(self) -> bool:
        """True once the last card of the player deck has been revealed (NBA-9.4)."""
        return self.period > 0 or self.turn >= self.setup.market_cards - 1

    @property
    def money_time(self) -> bool:
        return self.closing and self.setup.variants.money_time

    @property
    def solo_turn(self) -> bool:
        """True if it is the solo opponent's turn."""
        return self.active is not None and self.setup.is_solo(self.active)

    @property
    def active_side(self) -> str:
        """The side whose turn it is. Only while a turn is open."""
        if self.active is None:
            raise ValueError("no turn is open")
        return self.active

    @property
    def open_roll(self) -> Roll:
        """The open roll. Only in phase `roll`."""
        if self.roll is None:
            raise ValueError("no roll is open")
        return self.roll

    def done_with(self, *steps: str) -> tuple[str, ...]:
        """Return what the active side has logged in this turn, plus these steps."""
        return (*self.done, *steps)


def cards_on_courts(state: State) -> frozenset[str]:
    """Return every card that is on some court."""
    return frozenset(id for team in state.teams for id in team.court)


def with_step(state: State, team: Team, step: str, phase: str = "actions") -> State:
    """Return the state after a step of the active side that changed its team."""
    return replace(state, teams=state.with_teams(team), done=state.done_with(step), phase=phase)
