"""The sides at the table as frozen values: courts, boards, dice zones, points, and the sums read from them."""

from __future__ import annotations

from dataclasses import dataclass

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
class Table:
    """The sides at the table: teams in header order, and the points of each pair of `setup.pairs` in its order."""

    setup: Setup
    teams: tuple[Team, ...]
    matches: tuple[tuple[int, int], ...]

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
