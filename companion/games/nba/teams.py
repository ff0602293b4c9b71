"""The sides at the table as immutable values: courts, boards, dice zones, points, and derived sums."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.nba.cards import TacticCard
from companion.games.nba.dice_set import NbaFace
from companion.games.nba.setup import Setup
from companion.games.nba.tables import MAX_DICE_PER_KIND, POSITIONS, STATS


@dataclass(frozen=True, slots=True)
class LaidDice:
    """Dice in a zone: a pending attack or a defence, with the tactic that laid them (a card id or any text)."""

    dice: tuple[NbaFace, ...]
    tactic: str | None = None

    @property
    def value(self) -> int:
        return sum(die.value for die in self.dice)

    @property
    def colours(self) -> frozenset[str]:
        """The colours of an attack, including blank dice (NBA-5.2)."""
        return frozenset(die.colour for die in self.dice if die.colour is not None)


@dataclass(frozen=True, slots=True)
class Team:
    """One side: its court and board (level `full`), its dice zones, its fatigue, its bought and removed cards.

    - `court`: in the order of POSITIONS
    - `prepared`: in the order in which the tactics were laid (both types)
    - `mini`: the rest of the personal market
    - `tokens`: the positions of the mismatch tokens played
    - `removed`: the number of fatigue cards removed from the hand
    """

    side: str
    court: tuple[str, ...] = ()
    prepared: tuple[str, ...] = ()
    mini: tuple[str, ...] = ()
    attack: LaidDice | None = None
    defence: LaidDice | None = None
    taken: int = 0
    removed: int = 0
    bought: tuple[str, ...] = ()
    eliminated: tuple[str, ...] = ()
    tokens: tuple[str, ...] = ()

    @property
    def fatigue_held(self) -> int:
        """Fatigue cards in play (NBA-6.4)."""
        return self.taken - self.removed


@dataclass(frozen=True, slots=True)
class Table:
    """The sides at the table: teams in header order, and the points of each pair in the order of `setup.pairs`."""

    setup: Setup
    teams: tuple[Team, ...]
    matches: tuple[tuple[int, int], ...]

    def team(self, side: str) -> Team:
        return self.teams[self.setup.sides.index(side)]

    def with_teams(self, *changed: Team) -> tuple[Team, ...]:
        """Return all teams with the given ones updated."""
        new = {team.side: team for team in changed}
        return tuple([new.get(team.side, team) for team in self.teams])

    def points(self, side: str, against: str) -> int:
        """Return the points of a side in its match against another."""
        for pair, points in zip(self.setup.pairs, self.matches, strict=True):
            if pair == (side, against):
                return points[0]
            if pair == (against, side):
                return points[1]
        raise KeyError(against)

    def score(self, side: str) -> int:
        """Return the points of a side over all its matches."""
        return sum(self.points(side, other) for other in self.setup.opponents(side))

    def with_points(self, side: str, against: str, points: int) -> tuple[tuple[int, int], ...]:
        """Return the matches with points added to one side of one of them."""
        return tuple(
            [
                (one + points * (pair == (side, against)), two + points * (pair == (against, side)))
                for pair, (one, two) in zip(self.setup.pairs, self.matches, strict=True)
            ]
        )

    def pending_colours(self, side: str) -> frozenset[str]:
        """Return the colours of all attacks pending against a side, together (NBA-14.4)."""
        return frozenset().union(*(team.attack.colours for team in self.teams if team.side != side and team.attack))

    # Sums over a court (level `full`), including the coach.

    def stat(self, side: str, stat: str) -> int:
        """Return the sum of a card value over a side's court, without its coach."""
        index = STATS.index(stat)
        player = self.setup.player
        return sum([player(id).stats[index] for id in self.team(side).court])

    def collective(self, side: str) -> int:
        """Return the collective level (NBA-7.2)."""
        return self.stat(side, "iq") + (self.setup.coach(side).power == "collective")

    def rebounds(self, side: str) -> int:
        return self.stat(side, "rebounds") + (self.setup.coach(side).power == "rebounds")

    def dice_count(self, side: str, skill: str) -> int:
        """Return how many dice of a skill a side rolls (NBA-7.3)."""
        return min(MAX_DICE_PER_KIND, self.stat(side, skill))

    def roll_size(self, side: str, tactic: TacticCard) -> dict[str, int]:
        """Return the dice of an activation: kind → number, in the order of NBA-2.2 (NBA-7.3)."""
        return {skill: self.dice_count(side, skill) for skill in tactic.skills}

    def prepared(self, side: str, type_: str) -> tuple[str, ...]:
        """Return the tactics of a type on a side's board, in the order in which they were laid."""
        return tuple([id for id in self.team(side).prepared if self.setup.tactic(id).type == type_])

    def card_at(self, side: str, position: str) -> str:
        """Return the card at a position of a side's court."""
        return self.team(side).court[POSITIONS.index(position)]
