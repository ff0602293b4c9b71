"""The situation of an NBA match as frozen values: what the journal has come to, and the small sums read from it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.games.nba.cards import TacticCard
from companion.games.nba.dice_set import Face
from companion.games.nba.setup import Setup
from companion.games.nba.tables import MOST_OF_A_KIND, POSITIONS, STATS


@dataclass(frozen=True, slots=True)
class Laid:
    """Dice in a zone: a pending attack or a defence, with the tactic they were laid by (a card id or any text)."""

    dice: tuple[Face, ...]
    tactic: str | None = None

    @property
    def value(self) -> int:
        return sum(die.value for die in self.dice)

    @property
    def colours(self) -> frozenset[str]:
        """The colours of an attack, blank dice included (NBA-5.2)."""
        return frozenset(die.colour for die in self.dice if die.colour is not None)


@dataclass(frozen=True, slots=True)
class Team:
    """One side: its court and board (level `full`), its dice zones, its fatigue, what it bought and removed.

    `court` is in the order of POSITIONS, `prepared` in the order in which the tactics were laid (both types). `mini` is
    what is left of the personal market, `tokens` the positions of the mismatch tokens played. `removed` counts fatigue
    cards taken out of the hand.
    """

    side: str
    court: tuple[str, ...] = ()
    prepared: tuple[str, ...] = ()
    mini: tuple[str, ...] = ()
    attack: Laid | None = None
    defence: Laid | None = None
    taken: int = 0
    removed: int = 0
    bought: tuple[str, ...] = ()
    eliminated: tuple[str, ...] = ()
    tokens: tuple[str, ...] = ()

    @property
    def held(self) -> int:
        """Fatigue cards in play (NBA-6.4)."""
        return self.taken - self.removed


@dataclass(frozen=True, slots=True)
class Roll:
    """An activation whose dice are being settled. `rerolled` are indices, `fatigue` the cards taken for them."""

    tactic: str
    dice: tuple[Face, ...]
    rerolled: tuple[int, ...] = ()
    fatigue: int = 0

    def of_kind(self, kind: str) -> tuple[int, ...]:
        """The indices of the dice of a kind."""
        return tuple([index for index, die in enumerate(self.dice) if die.die == kind])


@dataclass(frozen=True, slots=True)
class Opponent:
    """What changes about the solo opponent: its counter and the cards given to it at the last opening (NBA-12.2).

    `again` says that the market showed it nothing and a second `ai_tactic` is due (NBA-12.5).
    """

    resources: int
    given: int = 0
    again: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended. `ranking` holds the sides from the first, with three and four only (NBA-11.3)."""

    winner: str | None
    ranking: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class State:
    """The whole match situation. Two equal states are the same situation.

    `teams` are in header order, `matches` hold the points of each pair of `setup.pairs` in its order. `active` is whose
    turn it is, None when tied or over; `last` the side of the last normal turn, while the ultimate turns are played.
    `track` holds None (empty), `?` or a card id for each slot, `deck` the cards left in the player deck, `laid` how
    many of them this turn's opening laid down.
    """

    setup: Setup
    phase: str
    teams: tuple[Team, ...]
    matches: tuple[tuple[int, int], ...]
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
        """Whether the ultimate turns are played (NBA-8.4)."""
        return self.last is not None

    @property
    def closing(self) -> bool:
        """Whether the last card of the player deck has been revealed (NBA-9.4)."""
        return self.period > 0 or self.turn >= self.setup.market_cards - 1

    @property
    def money_time(self) -> bool:
        return self.closing and self.setup.variants.money_time

    @property
    def solo_turn(self) -> bool:
        """Whether it is the solo opponent's turn."""
        return self.active is not None and self.setup.is_solo(self.active)

    @property
    def mover(self) -> str:
        """Whose turn it is. Only while a turn is open."""
        if self.active is None:
            raise ValueError("no turn is open")
        return self.active

    @property
    def rolling(self) -> Roll:
        """The open roll. Only in phase `roll`."""
        if self.roll is None:
            raise ValueError("no roll is open")
        return self.roll

    def team(self, side: str) -> Team:
        return self.teams[self.setup.sides.index(side)]

    def with_teams(self, *changed: Team) -> tuple[Team, ...]:
        """All teams, with these in the place of their former selves."""
        new = {team.side: team for team in changed}
        return tuple([new.get(team.side, team) for team in self.teams])

    def points(self, side: str, against: str) -> int:
        """Points of a side in its match against another."""
        for pair, points in zip(self.setup.pairs, self.matches, strict=True):
            if pair == (side, against):
                return points[0]
            if pair == (against, side):
                return points[1]
        raise KeyError(against)

    def score(self, side: str) -> int:
        """Points of a side over all its matches."""
        return sum(self.points(side, other) for other in self.setup.opponents(side))

    def scored(self, side: str, against: str, points: int) -> tuple[tuple[int, int], ...]:
        """The matches with points added to one side of one of them."""
        return tuple(
            [
                (one + points * (pair == (side, against)), two + points * (pair == (against, side)))
                for pair, (one, two) in zip(self.setup.pairs, self.matches, strict=True)
            ]
        )

    def pending_colours(self, side: str) -> frozenset[str]:
        """The colours of all attacks pending against a side, together (NBA-14.4)."""
        return frozenset().union(*(team.attack.colours for team in self.teams if team.side != side and team.attack))

    # Sums over a court (level `full`), coach included.

    def stat(self, side: str, stat: str) -> int:
        """The sum of a card value over a side's court, without its coach."""
        index = STATS.index(stat)
        player = self.setup.player
        return sum([player(id).stats[index] for id in self.team(side).court])

    def collective(self, side: str) -> int:
        """The collective level (NBA-7.2)."""
        return self.stat(side, "iq") + (self.setup.coach(side).power == "collective")

    def rebounds(self, side: str) -> int:
        return self.stat(side, "rebounds") + (self.setup.coach(side).power == "rebounds")

    def dice_of(self, side: str, skill: str) -> int:
        """How many dice of a skill a side rolls (NBA-7.3)."""
        return min(MOST_OF_A_KIND, self.stat(side, skill))

    def roll_size(self, side: str, tactic: TacticCard) -> dict[str, int]:
        """The dice of an activation: kind → number, in the order of NBA-2.2 (NBA-7.3)."""
        return {skill: self.dice_of(side, skill) for skill in tactic.skills}

    def prepared(self, side: str, type_: str) -> tuple[str, ...]:
        """The tactics of a type on a side's board, in the order in which they were laid."""
        return tuple([id for id in self.team(side).prepared if self.setup.tactic(id).type == type_])

    def standing(self, side: str, position: str) -> str:
        """The card on a position of a side's court."""
        return self.team(side).court[POSITIONS.index(position)]

    def did(self, *steps: str) -> tuple[str, ...]:
        """What the active side has logged in this turn, these steps added."""
        return (*self.done, *steps)


def on_courts(state: State) -> frozenset[str]:
    """Every card that stands on some court."""
    return frozenset(id for team in state.teams for id in team.court)


def moved(state: State, team: Team, step: str, phase: str = "actions") -> State:
    """The state after a step of the active side that changed its team."""
    return replace(state, teams=state.with_teams(team), done=state.did(step), phase=phase)
