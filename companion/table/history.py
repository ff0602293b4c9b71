"""Clubs and players over the finished matches of this table: results, luck, people. Counted little by little.

A match is counted once and kept in memory until its journal grows; a list of it all is then a matter of adding up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil
from typing import Any

from companion.games.base import AnyGame, Chances, Fallen, GameState, Luck, Refusal
from companion.games.figures import Headline
from companion.games.registry import SPECS
from companion.journal.database import LineDamaged
from companion.journal.ledger import AnyLedger, Ledger
from companion.journal.store import MatchSummary, Store
from companion.statistics.fairness import Fairness, fairness


def score_of(game: AnyGame, state: GameState) -> dict[str, int]:
    """The points of each side; zeros before the game counts any."""
    score = game.view(state).get("score") or {}
    return {side: int(points) for side, points in score.items()}


def winner_of(game: AnyGame, state: GameState) -> str | None:
    """The side that has won; None for a draw and for a match that goes on."""
    if not game.finished(state):
        return None
    view = game.view(state)
    result = view.get("result")
    winner = result.get("winner") if isinstance(result, dict) else view.get("winner")
    return winner if isinstance(winner, str) else None


def headline_of(game: AnyGame, state: GameState) -> Headline | None:
    """How the game itself says where the match stands."""
    return next((figure for figure in game.scene(state).figures if isinstance(figure, Headline)), None)


# What journals come to in numbers: events, luck and dice of each side and player, over one match or many. Pure.


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

    def add(self, ledger: AnyLedger, chances: Chances[GameState]) -> None:
        """Counts every event that stands in a match."""
        for _ in self.adding(ledger, chances):
            pass

    def adding(self, ledger: AnyLedger, chances: Chances[GameState]) -> Iterator[None]:
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


def _names(value: object, names: dict[str, str]) -> bool:
    return isinstance(value, str) and value in names


def tally(ledgers: Iterable[AnyLedger], chances: Chances[GameState]) -> Tally:
    """The sums over several matches of one game."""
    found = Tally()
    for ledger in ledgers:
        found.add(ledger, chances)
    return found


@dataclass(frozen=True, slots=True)
class Played:
    """A finished match as counted: names, points and winner by side, and what its journal comes to."""

    match_id: str
    game_id: str
    at: str
    names: Mapping[str, str]
    score: Mapping[str, int]
    winner: str | None
    tally: Tally
    people: Mapping[tuple[str, str], str]
    """What the players of the tally are called, by the name of their side and their id."""
    goals: Counter[tuple[str, str]]


@dataclass(slots=True)
class ClubRecord:
    """A club, team or player of the table by the name they gave, in one game."""

    game_id: str
    name: str
    won: int = 0
    drawn: int = 0
    lost: int = 0
    points: int = 0
    against: int = 0
    luck: dict[str, Measure] = field(default_factory=dict)
    matches: list[Played] = field(default_factory=list)
    """The newest first."""


@dataclass(slots=True)
class PersonRecord:
    """A player on a card: of which club, in how many matches, goals where the game names who scored, luck."""

    game_id: str
    name: str
    club: str
    matches: int = 0
    goals: int = 0
    luck: dict[str, Measure] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Progress:
    """So many matches of so many are counted."""

    done: int
    of: int


class History:
    """Over one store. `counting` works; `clubs` and `people` tell what has been counted so far."""

    def __init__(self, store: Store, games: Mapping[str, AnyGame], chances: Mapping[str, Chances[GameState]]) -> None:
        self._store, self._games, self._chances = store, games, chances
        self._played: dict[tuple[str, int], Played | None] = {}
        self._listed: tuple[tuple[str, int], ...] = ()

    def counting(self) -> Iterator[Progress]:
        """Counts what is new, a few milliseconds a step. Matches whose journal breaks a rule are left out."""
        found = [match for match in self._store.matches() if match.ended is not None and match.game in self._games]
        self._listed = tuple((match.id, match.lines) for match in found)
        for done, match in enumerate(found):
            key = (match.id, match.lines)
            if key not in self._played:
                yield Progress(done, len(found))
                for made in self._counted(match):
                    if made is None:
                        yield Progress(done, len(found))
                    else:
                        self._played[key] = made
                self._played.setdefault(key, None)
        yield Progress(len(found), len(found))

    def games(self) -> tuple[str, ...]:
        """The games of which something is counted, in the order in which this program names them."""
        known = {played.game_id for played in self._all(None)}
        return tuple(id for id in self._games if id in known)

    def clubs(self, game_id: str | None = None) -> tuple[ClubRecord, ...]:
        """Every name that played, of one game or all: most matches first, then most won."""
        found: dict[tuple[str, str], ClubRecord] = {}
        for played in self._all(game_id):
            for side, name in played.names.items():
                record = found.setdefault((played.game_id, name), ClubRecord(played.game_id, name))
                _add_match(record, played, side)
        return tuple(sorted(found.values(), key=lambda one: (-len(one.matches), -one.won, one.name)))

    def people(self, game_id: str | None = None) -> tuple[PersonRecord, ...]:
        """Every player on a card whom a fact or a throw names: most goals first, then most matches."""
        found: dict[tuple[str, str, str], PersonRecord] = {}
        for played in self._all(game_id):
            for (club, id), name in played.people.items():
                key = (played.game_id, club, name)
                record = found.setdefault(key, PersonRecord(played.game_id, name, club))
                record.matches += 1
                record.goals += played.goals[club, id]
                _add_luck(record.luck, played.tally.players.get((club, id), Share()))
        return tuple(sorted(found.values(), key=lambda one: (-one.goals, -one.matches, one.name)))

    def _all(self, game_id: str | None) -> list[Played]:
        known = (self._played.get(key) for key in self._listed)
        return [played for played in known if played is not None and game_id in (None, played.game_id)]

    def _counted(self, match: MatchSummary) -> Iterator[Played | None]:
        """None after each step, the match at the end; nothing at the end for a journal that cannot be played whole."""
        game = self._games[match.game]
        try:
            ledger: AnyLedger = Ledger(game, match.header)
            for entry in self._store.entries(match.id):
                ledger.commit(ledger.propose(entry.fields, entry.line))
                yield None
        except (Refusal, LineDamaged):
            return
        counted = Tally()
        for _ in counted.adding(ledger, self._chances[match.game]):
            yield None
        names = {id: str(side["name"]) for id, side in match.header["sides"].items()}
        yield Played(
            match_id=match.id,
            game_id=match.game,
            at=match.created.isoformat(),
            names=names,
            score=score_of(game, ledger.state),
            winner=winner_of(game, ledger.state),
            tally=counted,
            people=_people(match.game, ledger.state, names, counted),
            goals=_goals(game, ledger.state, names),
        )


def _people(game_id: str, state: GameState, names: Mapping[str, str], counted: Tally) -> dict[tuple[str, str], str]:
    sides = {name: side for side, name in names.items()}
    return {(club, id): SPECS[game_id].person(state, sides[club], id) for club, id in counted.players}


def _goals(game: AnyGame, state: GameState, names: Mapping[str, str]) -> Counter[tuple[str, str]]:
    """Goals whose scorer the game knows."""
    goals = game.view(state).get("goals") or []
    return Counter((names[goal["side"]], goal["player"]) for goal in goals if goal.get("player"))


def _add_match(record: ClubRecord, played: Played, side: str) -> None:
    record.matches.append(played)
    own = played.score.get(side, 0)
    record.points += own
    record.against += sum(points for other, points in played.score.items() if other != side)
    if played.winner is None:
        record.drawn += 1
    elif played.winner == side:
        record.won += 1
    else:
        record.lost += 1
    _add_luck(record.luck, played.tally.sides[record.name])


def _add_luck(sums: dict[str, Measure], share: Share) -> None:
    for what, measure in share.luck.items():
        total = sums.setdefault(what, Measure())
        total.tries += measure.tries
        total.got += measure.got
        total.expected += measure.expected


# Axes for curves: steps that people count in. Pure.

_STEPS = (1, 2, 5)


def even_step(most: float, ticks: int) -> int:
    """The smallest of 1, 2, 5, 10, 20, 50, … by which at most `ticks` steps reach `most`."""
    scale = 1
    while True:
        for step in _STEPS:
            if ceil(most / (step * scale)) <= ticks:
                return step * scale
        scale *= 10
