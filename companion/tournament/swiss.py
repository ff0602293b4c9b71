"""The pairings of a Swiss round, all at once as the cheapest whole: no second bye, no rematch, home and away even.

Those reasons come first, in this order; then the bye goes as far down as it can, those of like points meet, and within
like points the upper half meets the lower (as FIDE's C.04 has it). A pairing that was made counts as met even when it
was forfeited. FIDE allows two more matches at home than away; here it is one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.tournament.lookahead import orient
from companion.tournament.matching import Cost, cheapest


@dataclass(frozen=True, slots=True)
class Player:
    """An entry as the pairing sees it. `balance` is the matches at home less those away, `last` +1 when the last was at
    home, −1 when it was away, 0 before the first.
    """

    entry: str
    points: int = 0
    met: tuple[str, ...] = ()
    balance: int = 0
    last: int = 0
    byes: int = 0


@dataclass(frozen=True, slots=True)
class Round:
    """A round: its pairs, home first, in the order of the table, and who pauses."""

    pairs: tuple[tuple[str, str], ...]
    bye: str | None = None


def pair(players: Sequence[Player], more_rounds: bool = True) -> Round:
    """The round for the players in the order of their table. Raises ValueError for fewer than two.

    With `more_rounds` the sides of this one are chosen so that the next can keep the balance without a rematch.
    """
    if len(players) < 2:
        raise ValueError("a round needs two players")
    field = Field(tuple(players), Counter(player.points for player in players))
    found = cheapest(field.seats, field.cost)
    bye = next((one for one, other in found if other == len(players)), None)
    pairs = [(one, other) for one, other in found if other < len(players)]
    sides = orient(field, pairs, bye, more_rounds)
    return Round(
        tuple((players[home].entry, players[away].entry) for home, away in sides),
        None if bye is None else players[bye].entry,
    )


@dataclass(frozen=True, slots=True)
class Field:
    """The players of a round and how many have so many points; for an odd number one seat more stands for the bye."""

    players: tuple[Player, ...]
    alike: Mapping[int, int]

    @property
    def seats(self) -> int:
        """The players, and the bye if there is one: an even number."""
        return len(self.players) + len(self.players) % 2

    def cost(self, one: int, other: int) -> Cost:
        """Why the two should not be paired, `one` being the higher in the table."""
        player = self.players[one]
        if other == len(self.players):
            lowest = self.players[-1].points
            return (player.byes, 0, 0, max(0, player.points - lowest), 0, len(self.players) - 1 - one)
        opponent = self.players[other]
        apart = player.points - opponent.points
        return (
            0,
            player.met.count(opponent.entry),
            strain(player.balance, opponent.balance),
            0,
            apart * apart,
            self._from_fold(one, other),
        )

    def _from_fold(self, one: int, other: int) -> int:
        """How far the two are from meeting half a score group apart, squared; across groups, from being neighbours."""
        points = self.players[one].points
        ideal = max(1, self.alike[points] // 2) if points == self.players[other].points else 1
        return (other - one - ideal) ** 2


def strain(one: int, other: int) -> int:
    """How far over one the balance of the two would be, whoever is at home."""
    low, high = sorted((one, other))
    return max(0, abs(low + 1) - 1) + max(0, abs(high - 1) - 1)
