"""What journals come to in numbers: events, luck and dice of each side and player, over one match or many. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from companion.games.base import Chances, Fallen, Luck
from companion.journal.ledger import Ledger
from companion.statistics.fairness import Fairness, fairness

AnyLedger = Ledger[Any, Any]


@dataclass(slots=True)
class Measure:
    """One measure of luck: how often dice decided it, what they brought, what the odds promised."""

    tries: int = 0
    got: Fraction = Fraction(0)
    expected: Fraction = Fraction(0)

    @property
    def luck(self) -> Fraction:
        return self.got - self.expected

    def add(self, luck: Luck) -> None:
        self.tries += 1
        self.got += luck.got
        self.expected += luck.expected


@dataclass(slots=True)
class Share:
    """What one side or player did: matches, points of the final scores, events by name, luck by measure."""

    matches: int = 0
    points: int = 0
    events: Counter[str] = field(default_factory=Counter)
    luck: dict[str, Measure] = field(default_factory=dict)
    course: dict[str, list[Fraction]] = field(default_factory=dict)
    """Of each measure the luck so far, after each time that dice decided it."""

    def add_luck(self, luck: Luck) -> None:
        measure = self.luck.setdefault(luck.what, Measure())
        measure.add(luck)
        self.course.setdefault(luck.what, []).append(measure.luck)


@dataclass(slots=True)
class DieCount:
    """The dice of a kind of one side (None: nobody's): how often each face lay on top, and should have."""

    side: str | None
    kind: str
    seen: Counter[str] = field(default_factory=Counter)
    shares: dict[str, Fraction] = field(default_factory=dict)

    @property
    def fairness(self) -> Fairness:
        return fairness(self.seen, self.shares)


@dataclass(slots=True)
class Tally:
    """The sums over matches of one game. Sides are known by the names that players gave them."""

    matches: int = 0
    events: int = 0
    sides: dict[str, Share] = field(default_factory=dict)
    players: dict[tuple[str, str], Share] = field(default_factory=dict)
    dice: dict[tuple[str | None, str, tuple[tuple[str, Fraction], ...]], DieCount] = field(default_factory=dict)

    def add(self, ledger: AnyLedger, chances: Chances) -> None:
        """Counts every event that stands in a match."""
        for _ in self.adding(ledger, chances):
            pass

    def adding(self, ledger: AnyLedger, chances: Chances) -> Iterator[None]:
        """The same, event by event, for whoever must not stay away long."""
        names = {id: str(side["name"]) for id, side in ledger.header["sides"].items()}
        self.matches += 1
        score = ledger.game.view(ledger.state).get("score") or {}
        for id, name in names.items():
            side = self.sides.setdefault(name, Share())
            side.matches += 1
            side.points += score.get(id, 0)
        before = ledger.initial
        for standing in ledger.standing:
            fields = standing.fields
            self.events += 1
            self._count_event(names, fields)
            for luck in chances.luck(before, fields, standing.outcome, standing.state_after):
                self._add_luck(names, luck)
            for die in chances.fallen(before, fields):
                self._add_die(names, die, chances.shares(before, die.kind))
            before = standing.state_after
            yield

    def _count_event(self, names: dict[str, str], fields: Any) -> None:
        """An event counts for the side that it names, and for the player, if it names one."""
        side = next((names[fields[key]] for key in ("side", "team") if _names(fields.get(key), names)), None)
        if side is None:
            return
        self.sides[side].events[fields["event"]] += 1
        if isinstance(fields.get("player"), str):
            self._player(side, fields["player"]).events[fields["event"]] += 1

    def _add_luck(self, names: dict[str, str], luck: Luck) -> None:
        side = names[luck.side]
        self.sides[side].add_luck(luck)
        if luck.player is not None:
            self._player(side, luck.player).add_luck(luck)

    def _add_die(self, names: dict[str, str], die: Fallen, shares: dict[str, Fraction]) -> None:
        side = None if die.side is None else names[die.side]
        key = (side, die.kind, tuple(shares.items()))
        self.dice.setdefault(key, DieCount(side, die.kind, shares=shares)).seen[die.face] += 1

    def _player(self, side: str, player: str) -> Share:
        return self.players.setdefault((side, player), Share())


def _names(value: Any, names: dict[str, str]) -> bool:
    return isinstance(value, str) and value in names


def tally(ledgers: Iterable[AnyLedger], chances: Chances) -> Tally:
    """The sums over several matches of one game."""
    found = Tally()
    for ledger in ledgers:
        found.add(ledger, chances)
    return found
