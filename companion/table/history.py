"""Statistics of clubs and players over the finished matches of this table: results, luck, people.

Counting is incremental. A counted match is cached until its journal grows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil
from typing import Any

from companion.games.base import AnyGame, DiceStatistics, DieOutcome, ExpectedVsActual, GameState, Refusal
from companion.games.figures import Headline
from companion.games.registry import SPECS
from companion.journal.database import LineDamaged
from companion.journal.ledger import AnyLedger, Ledger
from companion.journal.store import Store, StoredMatch
from companion.language import alphabetical_key
from companion.statistics.fairness import Fairness, fairness
from companion.table.opponents import seats_of
from companion.table.profiles import Person, persons_of
from companion.table.season import season_of
from companion.table.session import NOTE_DRAWN


def score_of(game: AnyGame, state: GameState) -> dict[str, int]:
    """Return the points of each side; zeros while the game has no score."""
    score = game.view(state).get("score") or {}
    return {side: int(points) for side, points in score.items()}


def winner_of(game: AnyGame, state: GameState) -> str | None:
    """Return the winning side; None for a draw or an unfinished match."""
    if not game.finished(state):
        return None
    view = game.view(state)
    result = view.get("result")
    winner = result.get("winner") if isinstance(result, dict) else view.get("winner")
    return winner if isinstance(winner, str) else None


def headline_of(game: AnyGame, state: GameState) -> Headline | None:
    """Return the game's own headline of the current situation."""
    return next((figure for figure in game.scene(state).figures if isinstance(figure, Headline)), None)


# Statistics from journals: events, luck and dice of each side and player, over one or more matches. Pure.


@dataclass(slots=True)
class ExpectedVsActualTotal:
    """One measure of luck: number of rolls, actual result, and expected result by the odds."""

    trials: int = 0
    actual: Fraction = Fraction(0)
    expected: Fraction = Fraction(0)

    @property
    def difference(self) -> Fraction:
        return self.actual - self.expected

    def add(self, sample: ExpectedVsActual) -> None:
        self.trials += 1
        self.actual += sample.actual
        self.expected += sample.expected


@dataclass(slots=True)
class CompetitorStatistics:
    """Statistics of one side or player: matches, final points, events by name, luck by measure."""

    matches: int = 0
    points: int = 0
    events: Counter[str] = field(default_factory=Counter)
    expected_vs_actual: dict[str, ExpectedVsActualTotal] = field(default_factory=dict)
    course: dict[str, list[Fraction]] = field(default_factory=dict)
    """The accumulated luck of each measure, after each roll that it covers."""

    def add_expected_vs_actual(self, sample: ExpectedVsActual) -> None:
        measure = self.expected_vs_actual.setdefault(sample.measure, ExpectedVsActualTotal())
        measure.add(sample)
        self.course.setdefault(sample.measure, []).append(measure.difference)


@dataclass(slots=True)
class DieCount:
    """Counts of one side's dice of a kind (None: no side): observed faces and their probabilities."""

    side: str | None
    kind: str
    counts: Counter[str] = field(default_factory=Counter)
    probabilities: dict[str, Fraction] = field(default_factory=dict)

    @property
    def fairness(self) -> Fairness:
        return fairness(self.counts, self.probabilities)


@dataclass(slots=True)
class HistoryTally:
    """Totals over matches of one game. Sides are identified by the names that players gave them."""

    matches: int = 0
    events: int = 0
    sides: dict[str, CompetitorStatistics] = field(default_factory=dict)
    players: dict[tuple[str, str], CompetitorStatistics] = field(default_factory=dict)
    persons: dict[Person, CompetitorStatistics] = field(default_factory=dict)
    """The persons who played a side, as far as the headers tell."""
    dice: dict[tuple[str | None, str, tuple[tuple[str, Fraction], ...]], DieCount] = field(default_factory=dict)

    def add(self, ledger: AnyLedger, chances: DiceStatistics[GameState]) -> None:
        """Count every valid event of a match."""
        for _ in self.add_stepwise(ledger, chances):
            pass

    def add_stepwise(self, ledger: AnyLedger, chances: DiceStatistics[GameState]) -> Iterator[None]:
        """Incremental version of `add()`: yields after each event so the UI stays responsive."""
        names = {id: str(side["name"]) for id, side in ledger.header["sides"].items()}
        persons = persons_of(ledger.header)
        self.matches += 1
        score = ledger.game.view(ledger.state).get("score") or {}
        for id, name in names.items():
            for share in self._shares(name, persons.get(id)):
                share.matches += 1
                share.points += score.get(id, 0)
        state_before = ledger.initial_state
        drawn_sides = {side for side, seat in seats_of(ledger.header).items() if seat.dice == "drawn"}
        for event in ledger.events:
            fields = event.fields
            self.events += 1
            self._count_event(names, persons, fields)
            for sample in chances.expected_vs_actual(state_before, fields, event.outcome, event.state_after):
                self._add_expected_vs_actual(names, persons, sample)
            for die in chances.die_outcomes(state_before, fields):
                if die.side in drawn_sides or fields.get("note") == NOTE_DRAWN:
                    continue  # says nothing about the real dice
                self._add_die(names, die, chances.face_probabilities(state_before, die.kind))
            state_before = event.state_after
            yield

    def _shares(self, name: str, person: Person | None) -> Iterator[CompetitorStatistics]:
        """Yield the statistics of a side, and of the person who plays it, if known."""
        yield self.sides.setdefault(name, CompetitorStatistics())
        if person is not None:
            yield self.persons.setdefault(person, CompetitorStatistics())

    def _count_event(self, names: dict[str, str], persons: Mapping[str, Person], fields: Any) -> None:
        """Count an event for the side it names and its person, and for the player on a card, if it names one."""
        id = next((fields[key] for key in ("side", "team") if _is_side_name(fields.get(key), names)), None)
        if id is None:
            return
        for share in self._shares(names[id], persons.get(id)):
            share.events[fields["event"]] += 1
        if isinstance(fields.get("player"), str):
            self._player_share(names[id], fields["player"]).events[fields["event"]] += 1

    def _add_expected_vs_actual(
        self, names: dict[str, str], persons: Mapping[str, Person], sample: ExpectedVsActual
    ) -> None:
        side = names[sample.side]
        for share in self._shares(side, persons.get(sample.side)):
            share.add_expected_vs_actual(sample)
        if sample.player is not None:
            self._player_share(side, sample.player).add_expected_vs_actual(sample)

    def _add_die(self, names: dict[str, str], die: DieOutcome, probabilities: dict[str, Fraction]) -> None:
        side = None if die.side is None else names[die.side]
        key = (side, die.kind, tuple(probabilities.items()))
        self.dice.setdefault(key, DieCount(side, die.kind, probabilities=probabilities)).counts[die.face] += 1

    def _player_share(self, side: str, player: str) -> CompetitorStatistics:
        return self.players.setdefault((side, player), CompetitorStatistics())


def _is_side_name(value: object, names: dict[str, str]) -> bool:
    return isinstance(value, str) and value in names


def tally_of(ledgers: Iterable[AnyLedger], chances: DiceStatistics[GameState]) -> HistoryTally:
    """Return the totals over several matches of one game."""
    totals = HistoryTally()
    for ledger in ledgers:
        totals.add(ledger, chances)
    return totals


@dataclass(frozen=True, slots=True)
class HistoryMatch:
    """A finished match after counting: names, points and winner by side, and its totals.

    `opponents` are the sides that the app played: they have no record, and neither have their people.
    """

    match_id: str
    game_id: str
    at: str
    names: Mapping[str, str]
    score: Mapping[str, int]
    winner: str | None
    tally: HistoryTally
    people: Mapping[tuple[str, str], str]
    """Display names of the players in the tally, by the name of their side and their id."""
    goals: Counter[tuple[str, str]]
    marks: Mapping[tuple[str, str], Mapping[str, int]] = field(default_factory=dict)
    """The marks of persons, such as cards and injuries (`GameSpec.person_marks`), by the name of their side and id."""
    season: str | None = None
    """The id of the season that the match belongs to."""
    opponents: frozenset[str] = frozenset()
    persons: Mapping[str, Person] = field(default_factory=dict)
    """Who played each side, as far as the header tells."""


@dataclass(slots=True)
class ClubRecord:
    """Record of a club, team or player, identified by name, in one game."""

    game_id: str
    name: str
    won: int = 0
    drawn: int = 0
    lost: int = 0
    points: int = 0
    points_against: int = 0
    expected_vs_actual: dict[str, ExpectedVsActualTotal] = field(default_factory=dict)
    matches: list[HistoryMatch] = field(default_factory=list)
    """Newest first."""


@dataclass(slots=True)
class PersonRecord:
    """Record of a player on a card: club, matches, goals (if the game names scorers), luck."""

    game_id: str
    name: str
    club: str
    matches: int = 0
    goals: int = 0
    expected_vs_actual: dict[str, ExpectedVsActualTotal] = field(default_factory=dict)
    marks: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class WinLossRecord:
    """Matches won, drawn and lost."""

    name: str = ""
    won: int = 0
    drawn: int = 0
    lost: int = 0

    def add(self, is_won: bool | None) -> None:
        """Count a match; None is a draw."""
        if is_won is None:
            self.drawn += 1
        elif is_won:
            self.won += 1
        else:
            self.lost += 1


@dataclass(slots=True)
class ParticipantRecord:
    """Record of a person who plays at the table, over all games: balance by game and against others, luck, matches."""

    id: str
    name: str
    total: WinLossRecord = field(default_factory=WinLossRecord)
    by_game: dict[str, WinLossRecord] = field(default_factory=dict)
    against: dict[str, WinLossRecord] = field(default_factory=dict)
    """The balance against each other person, by id."""
    expected_vs_actual: dict[str, ExpectedVsActualTotal] = field(default_factory=dict)
    matches: list[HistoryMatch] = field(default_factory=list)
    """Newest first."""
    longest_streak: int = 0
    """The most matches won in a row."""
    streak: int = 0
    """Matches won in a row, up to the newest."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress: matches counted, out of the total."""

    completed: int
    total: int


class MatchHistory:
    """Statistics over one store. `count_matches` does the work; `clubs` and `people` return the results so far."""

    def __init__(
        self, store: Store, games: Mapping[str, AnyGame], chances: Mapping[str, DiceStatistics[GameState]]
    ) -> None:
        self._store, self._games, self._chances = store, games, chances
        self._counted_matches: dict[tuple[str, int], HistoryMatch | None] = {}
        self._listed_keys: tuple[tuple[str, int], ...] = ()

    def count_matches(self) -> Iterator[Progress]:
        """Count new matches, a few milliseconds per step. Skips matches whose journal breaks a rule."""
        stored = [match for match in self._store.matches() if match.header_fits and match.ended is not None]
        matches = [match for match in stored if match.game in self._games]
        self._listed_keys = tuple((match.id, match.lines) for match in matches)
        for completed, match in enumerate(matches):
            key = (match.id, match.lines)
            if key not in self._counted_matches:
                yield Progress(completed, len(matches))
                for counted_match in self._count_match(match):
                    if counted_match is None:
                        yield Progress(completed, len(matches))
                    else:
                        self._counted_matches[key] = counted_match
                self._counted_matches.setdefault(key, None)
        yield Progress(len(matches), len(matches))

    def games(self) -> tuple[str, ...]:
        """Return the games with counted matches, in the program's order."""
        known = {played.game_id for played in self._all_matches(None)}
        return tuple(id for id in self._games if id in known)

    def clubs(self, game_id: str | None = None, season: str | None = None) -> tuple[ClubRecord, ...]:
        """Return every club name, of one game or season or of all: most matches first, then most wins."""
        found: dict[tuple[str, str], ClubRecord] = {}
        for played in self._all_matches(game_id, season):
            for side, name in played.names.items():
                if side in played.opponents:
                    continue
                record = found.setdefault((played.game_id, name), ClubRecord(played.game_id, name))
                _add_match(record, played, side)
        return tuple(sorted(found.values(), key=lambda one: (-len(one.matches), -one.won, alphabetical_key(one.name))))

    def people(self, game_id: str | None = None, season: str | None = None) -> tuple[PersonRecord, ...]:
        """Return every player on a card named in an event or throw, or marked: most goals first, then most matches."""
        found: dict[tuple[str, str, str], PersonRecord] = {}
        for played in self._all_matches(game_id, season):
            by_app = {played.names[side] for side in played.opponents}
            for (club, id), name in played.people.items():
                if club in by_app:
                    continue
                key = (played.game_id, club, name)
                record = found.setdefault(key, PersonRecord(played.game_id, name, club))
                record.matches += 1
                record.goals += played.goals[club, id]
                record.marks.update(played.marks.get((club, id), {}))
                _add_expected_vs_actual(
                    record.expected_vs_actual, played.tally.players.get((club, id), CompetitorStatistics())
                )
        return tuple(sorted(found.values(), key=lambda one: (-one.goals, -one.matches, alphabetical_key(one.name))))

    def participants(self) -> tuple[ParticipantRecord, ...]:
        """Return the persons who play, over all games: most matches first, then most wins."""
        found: dict[str, ParticipantRecord] = {}
        for played in reversed(self._all_matches(None)):
            for side, person in played.persons.items():
                record = found.setdefault(person.id, ParticipantRecord(person.id, person.name))
                record.name = person.name  # the newest one
                _add_participation(record, played, side)
        return tuple(
            sorted(
                found.values(),
                key=lambda one: (-len(one.matches), -one.total.won, alphabetical_key(one.name), one.id),
            )
        )

    def _all_matches(self, game_id: str | None, season: str | None = None) -> list[HistoryMatch]:
        known = (self._counted_matches.get(key) for key in self._listed_keys)
        return [
            played
            for played in known
            if played is not None and game_id in (None, played.game_id) and season in (None, played.season)
        ]

    def _count_match(self, match: StoredMatch) -> Iterator[HistoryMatch | None]:
        """Yield None after each step, and the match at the end. Yields no match if its journal cannot be replayed."""
        game = self._games[match.game]
        try:
            ledger: AnyLedger = Ledger(game, match.header)
            for line in self._store.events(match.id):
                ledger.commit(ledger.propose(line.fields, line.line))
                yield None
        except (Refusal, LineDamaged):
            return
        totals = HistoryTally()
        for _ in totals.add_stepwise(ledger, self._chances[match.game]):
            yield None
        names = {id: str(side["name"]) for id, side in match.header["sides"].items()}
        marks = {(names[side], id): found for (side, id), found in SPECS[match.game].person_marks(ledger.state).items()}
        season = season_of(match.header)
        yield HistoryMatch(
            match_id=match.id,
            game_id=match.game,
            at=match.created.isoformat(),
            names=names,
            score=score_of(game, ledger.state),
            winner=winner_of(game, ledger.state),
            tally=totals,
            people=_people(match.game, ledger.state, names, {*totals.players, *marks}),
            goals=_goals(game, ledger.state, names),
            marks=marks,
            season=season.id if season else None,
            opponents=frozenset(seats_of(match.header)),
            persons=persons_of(match.header),
        )


def _people(
    game_id: str, state: GameState, names: Mapping[str, str], known: Iterable[tuple[str, str]]
) -> dict[tuple[str, str], str]:
    """Return the display names of persons, given the names of their sides and their ids."""
    sides = {name: side for side, name in names.items()}
    return {(club, id): SPECS[game_id].person_name(state, sides[club], id) for club, id in sorted(known)}


def _goals(game: AnyGame, state: GameState, names: Mapping[str, str]) -> Counter[tuple[str, str]]:
    """Return the goals with a known scorer."""
    goals = game.view(state).get("goals") or []
    return Counter((names[goal["side"]], goal["player"]) for goal in goals if goal.get("player"))


def _add_match(record: ClubRecord, played: HistoryMatch, side: str) -> None:
    record.matches.append(played)
    own = played.score.get(side, 0)
    record.points += own
    record.points_against += sum(points for other, points in played.score.items() if other != side)
    if played.winner is None:
        record.drawn += 1
    elif played.winner == side:
        record.won += 1
    else:
        record.lost += 1
    _add_expected_vs_actual(record.expected_vs_actual, played.tally.sides[record.name])


def _add_participation(record: ParticipantRecord, played: HistoryMatch, side: str) -> None:
    """Add a match to the record of a person; matches come in the order in which they were played."""
    is_won = None if played.winner is None else played.winner == side
    record.matches.insert(0, played)
    record.total.add(is_won)
    record.by_game.setdefault(played.game_id, WinLossRecord()).add(is_won)
    for other_side, other in played.persons.items():
        if other_side != side and other.id != record.id:
            balance = record.against.setdefault(other.id, WinLossRecord())
            balance.name = other.name
            balance.add(is_won)
    record.streak = record.streak + 1 if is_won else 0
    record.longest_streak = max(record.longest_streak, record.streak)
    _add_expected_vs_actual(record.expected_vs_actual, played.tally.sides[played.names[side]])


def _add_expected_vs_actual(sums: dict[str, ExpectedVsActualTotal], share: CompetitorStatistics) -> None:
    for what, measure in share.expected_vs_actual.items():
        total = sums.setdefault(what, ExpectedVsActualTotal())
        total.trials += measure.trials
        total.actual += measure.actual
        total.expected += measure.expected


# Axis steps for charts. Pure.

_STEPS = (1, 2, 5)


def axis_step(maximum: float, max_ticks: int) -> int:
    """Return the smallest of 1, 2, 5, 10, 20, 50, … with which at most `max_ticks` steps reach `maximum`."""
    scale = 1
    while True:
        for step in _STEPS:
            if ceil(maximum / (step * scale)) <= max_ticks:
                return step * scale
        scale *= 10
