"""The state of play: every tie of every stage with its sides, the qualified entries, and the organiser's questions.

A result counts as long as the entries that played it still occupy its seats. If a correction changes who
advances from a tie, later ties follow automatically as long as they are unplayed. If one was played, the tie
asks a question: `keep` lets the same entry advance and changes only the score; `replay` seats the right entries
and voids the later results. A Swiss round that was drawn but not started when an earlier result changed asks as
well: `keep` or `redraw`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import Literal

from companion.games.base import Message
from companion.tournament import pairing
from companion.tournament.facts import Rule, SeededStage, TournamentState
from companion.tournament.pairing import propose_round
from companion.tournament.standings import NO_ROUNDS, CountedMatch, Decision, StandingsRow, SwissRounds, standings
from companion.tournament.values import (
    BYE,
    DOUBLE_FORFEIT,
    FORFEIT,
    NOBODY,
    WITHDRAWAL,
    Report,
    Seat,
    Side,
    Stage,
    winner_by_score,
)

NodeKind = Literal["group", "swiss", "winners", "losers", "final", "reset", "third"]


@dataclass(frozen=True, slots=True)
class EntrySource:
    """Origin of a side: an `entry` by id, a `seed` by number, the `winner` or the `loser` of a tie by id."""

    kind: Literal["entry", "seed", "winner", "loser"]
    of: str

    @property
    def fixed(self) -> bool:
        """Whether the side is known without the result of another tie."""
        return self.kind == "entry"


@dataclass(frozen=True, slots=True)
class Node:
    """A tie: one match or two legs. `round` counts from 1 within its kind, `number` within the round."""

    id: str
    stage: int
    kind: NodeKind
    round: int
    number: int
    home: EntrySource
    away: EntrySource
    legs: int = 1
    group: str | None = None

    def matches(self) -> tuple[str, ...]:
        """Return the ids of its matches: the tie's own id, or one id per leg."""
        return (self.id,) if self.legs == 1 else (f"{self.id}/1", f"{self.id}/2")


def entry_source(id: str) -> EntrySource:
    """Return the source of a known entry."""
    return EntrySource("entry", id)


def fixed_node(stage: int, round: int, number: int, pair: tuple[str, str], group: str | None = None) -> Node:
    """Return a tie of a round robin (with a group) or of a Swiss round."""
    kind: NodeKind = "group" if group else "swiss"
    id = f"s{stage}-{group or 'r'}{round}-{number}"
    return Node(id, stage, kind, round, number, entry_source(pair[0]), entry_source(pair[1]), group=group)


def build_bracket(number: int, stage: Stage, seeds: int) -> tuple[Node, ...]:
    """Return the ties of a knock-out bracket for a number of seeds. Each tie follows the ties it depends on."""
    if seeds < 2:
        return ()
    rounds = _winners(number, stage, seeds)
    if stage.kind == "double_knock_out":
        return _double(number, stage, rounds)
    ties = [node for round in rounds for node in round]
    if stage.third_place and len(rounds) > 1:
        first, second = rounds[-2]
        third = Node(
            f"s{number}-third",
            number,
            "third",
            1,
            1,
            EntrySource("loser", first.id),
            EntrySource("loser", second.id),
            stage.final_legs,
        )
        ties.insert(-1, third)
    return tuple(ties)


def _winners(number: int, stage: Stage, seeds: int) -> list[list[Node]]:
    down = [
        EntrySource("seed", str(seed)) if seed <= seeds else entry_source(NOBODY)
        for seed in pairing.bracket_order(pairing.bracket_size(seeds))
    ]
    rounds: list[list[Node]] = []
    single = stage.kind == "knock_out"
    while len(down) > 1:
        round = len(rounds) + 1
        last = len(down) == 2 and single
        kind: NodeKind = "final" if last else "winners"
        ties = [
            Node(
                f"s{number}-final" if last else f"s{number}-w{round}-{at // 2 + 1}",
                number,
                kind,
                round,
                at // 2 + 1,
                down[at],
                down[at + 1],
                stage.final_legs if last else stage.legs,
            )
            for at in range(0, len(down), 2)
        ]
        rounds.append(ties)
        down = [EntrySource("winner", tie.id) for tie in ties]
    return rounds


def _double(number: int, stage: Stage, rounds: list[list[Node]]) -> tuple[Node, ...]:
    """Return the ties of a double knock-out.

    Losers enter the losers' bracket, in reversed order every second round, so that rematches come late.
    """
    ties = list(rounds[0])
    down = [EntrySource("loser", tie.id) for tie in rounds[0]]
    losers = 0
    for drop_round, winners in enumerate(rounds[1:]):
        losers += 1
        played = _losers_round(number, losers, list(zip(down[::2], down[1::2], strict=True)))
        ties += [*played, *winners]
        dropped = [EntrySource("loser", tie.id) for tie in winners]
        dropped = _reorder_dropped(dropped, drop_round)
        losers += 1
        survivors = [EntrySource("winner", tie.id) for tie in played]
        played = _losers_round(number, losers, list(zip(dropped, survivors, strict=True)))
        ties += played
        down = [EntrySource("winner", tie.id) for tie in played]
    top = rounds[-1][0]
    final = Node(f"s{number}-final", number, "final", 1, 1, EntrySource("winner", top.id), down[0])
    ties.append(final)
    if stage.reset:
        again = EntrySource("loser", final.id), EntrySource("winner", final.id)
        ties.append(Node(f"s{number}-reset", number, "reset", 1, 1, *again))
    return tuple(ties)


def _losers_round(number: int, round: int, pairs: Sequence[tuple[EntrySource, EntrySource]]) -> list[Node]:
    return [
        Node(f"s{number}-l{round}-{at}", number, "losers", round, at, home, away)
        for at, (home, away) in enumerate(pairs, 1)
    ]


def _reorder_dropped(dropped: list[EntrySource], drop_round: int) -> list[EntrySource]:
    """Reorder the dropped losers: reversed in the first, third, … such round, halves swapped in the others."""
    if drop_round % 2 == 0:
        return dropped[::-1]
    half = len(dropped) // 2
    return dropped[half:] + dropped[:half]


# Result of a tie: from the reports of its match or two legs to winner and loser.


Status = Literal["waiting", "ready", "called", "done", "walkover", "annulled", "not_needed"]


@dataclass(frozen=True, slots=True)
class Match:
    """Current state of a match: its seats, status and result.

    - `walkover`: over without play (a bye, a withdrawal, an empty seat)
    - `annulled`: does not count, because one side withdrew early from a round robin
    - `not_needed`: the second final, if the first one decided
    """

    id: str
    tie: str
    stage: int
    kind: str
    round: int
    number: int
    leg: int
    group: str | None
    home: Seat
    away: Seat
    status: Status
    score: tuple[int, int] | None = None
    winner: Side | None = None
    by: str = ""
    table: int | None = None

    @property
    def over(self) -> bool:
        """Whether no more play is expected."""
        return self.status in ("done", "walkover", "annulled", "not_needed")

    @property
    def seats(self) -> tuple[Seat, Seat]:
        """Home and away."""
        return self.home, self.away


@dataclass(frozen=True, slots=True)
class OrganiserQuestion:
    """A question that only the organiser can decide, with its choices.

    - `subject`: the tie (id), stage (number), group (name) or round (number) concerned
    - `entries`: the entries concerned; the answers `order` and `lot` list them in their order
    """

    id: str
    kind: Literal["drawn", "corrected", "qualified", "level", "redraw"]
    subject: str
    choices: tuple[str, ...]
    entries: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tie:
    """Current state of a tie: its sides, its matches, and its winner and loser once decided.

    Winner and loser may be `NOBODY`.
    """

    node: Node
    home: Seat
    away: Seat
    matches: tuple[Match, ...]
    winner: Seat = None
    loser: Seat = None
    question: OrganiserQuestion | None = None

    @property
    def over(self) -> bool:
        """Whether all matches are over and no question is open."""
        return all(match.over for match in self.matches) and self.question is None


def entries_digest(entries: tuple[str, ...]) -> str:
    """Return a short hash of an ordered list of entries, for the id of a question about them."""
    return sha256("\n".join(entries).encode()).hexdigest()[:12]


def valid_report(state: TournamentState, match: str, home: Seat, away: Seat) -> Report | None:
    """Return the report that counts: the newest one, if it belongs to the current seats."""
    reports = state.reports.get(match, ())
    newest = reports[-1] if reports else None
    return newest if newest and (newest.home, newest.away) == (home, away) else None


def resolve_tie(state: TournamentState, node: Node, home: Seat, away: Seat) -> Tie:
    """Return the tie between two sides, with its state according to the reports and rulings."""
    if NOBODY in (home, away):
        return _walkover(state, node, home, away)
    matches = []
    for leg, id in enumerate(node.matches(), 1):
        seats = (home, away) if leg == 1 else (away, home)
        matches.append(_match(state, node, id, leg if node.legs > 1 else 0, seats))
    tie = Tie(node, home, away, tuple(matches))
    if home is None or away is None or not all(match.over for match in matches):
        return _forfeited(tie)
    winner = _winner(state, tie)
    if winner is not None:
        return _won(tie, winner)
    if all(match.by == DOUBLE_FORFEIT for match in matches):
        return replace(tie, winner=NOBODY, loser=NOBODY)
    return tie if node.kind in ("group", "swiss") else _undecided(state, tie)


def _walkover(state: TournamentState, node: Node, home: Seat, away: Seat) -> Tie:
    """Return the tie of a bye. An entry that withdrew before the bye was known does not advance; then nobody does."""
    known = home is not None and away is not None
    alone = home if away == NOBODY else away
    left = alone in state.withdrawn and _fixed_winner(state, node.id, (home, away)) is None
    side: Side | None = None if home == away or left else "home" if away == NOBODY else "away"
    match = Match(
        node.id,
        node.id,
        node.stage,
        node.kind,
        node.round,
        node.number,
        0,
        node.group,
        home,
        away,
        "walkover" if known else "waiting",
        winner=side if known else None,
        by="" if not known else DOUBLE_FORFEIT if left else BYE,
    )
    if not known:
        return Tie(node, home, away, (match,))
    return Tie(node, home, away, (match,), NOBODY if left else alone, NOBODY)


def _fixed_winner(state: TournamentState, match: str, seats: tuple[Seat, Seat]) -> Side | None:
    """Return the winner of a walkover settled by a withdrawal, or None if it was not settled for these seats."""
    stands = state.fixed_walkovers.get(match)
    return stands.winner if stands is not None and (stands.home, stands.away) == seats else None


def _match(state: TournamentState, node: Node, id: str, leg: int, seats: tuple[Seat, Seat]) -> Match:
    home, away = seats
    bare = Match(id, node.id, node.stage, node.kind, node.round, node.number, leg, node.group, home, away, "waiting")
    if home is None or away is None:
        return bare
    report = valid_report(state, id, home, away)
    if report is not None:
        if f"drawn:{id}:{len(state.reports[id])}" in _replays(state):
            return _open(state, bare)
        return replace(bare, status="done", score=report.score, winner=report.winner, by=report.by)
    gone = [seat in state.withdrawn for seat in seats]
    if any(gone):
        side = _fixed_winner(state, id, seats) or (None if all(gone) else "away" if gone[0] else "home")
        if side is None:
            return replace(bare, status="walkover", score=(0, 0), by=DOUBLE_FORFEIT)
        won, lost = state.plan.stages[node.stage - 1].points.forfeit
        score = (lost, won) if side == "away" else (won, lost)
        return replace(bare, status="walkover", score=score, winner=side, by=WITHDRAWAL)
    return _open(state, bare)


def _replays(state: TournamentState) -> frozenset[str]:
    return frozenset(id for id, rule in state.rulings.items() if rule.choice == "replay" and id.startswith("drawn:"))


def _open(state: TournamentState, match: Match) -> Match:
    call = state.calls.get(match.id)
    return replace(match, status="called", table=call.table) if call else replace(match, status="ready")


def _forfeited(tie: Tie) -> Tie:
    """Decide the tie if its second leg was forfeited, whatever the first leg's result (FC-16.7)."""
    second = tie.matches[-1]
    if tie.node.legs == 2 and second.by in (FORFEIT, WITHDRAWAL) and second.winner:
        return _won(tie, second.home if second.winner == "home" else second.away)
    return tie


def _winner(state: TournamentState, tie: Tie) -> Seat:
    """Return the winner. Two legs count by aggregate, then away goals, then the shoot-out (FC-16.2)."""
    last = tie.matches[-1]
    by_last = None if last.winner is None else last.home if last.winner == "home" else last.away
    if tie.node.legs == 1 or last.by in (FORFEIT, WITHDRAWAL):
        return by_last
    first = tie.matches[0]
    if first.score is None or last.score is None or last.by == DOUBLE_FORFEIT:
        return None
    sums = first.score[0] + last.score[1], first.score[1] + last.score[0]
    side = winner_by_score(sums) or winner_by_score((last.score[1], first.score[1]))
    if side is not None:
        return tie.home if side == "home" else tie.away
    return by_last if last.winner != winner_by_score(last.score) else None


def _won(tie: Tie, winner: Seat) -> Tie:
    return replace(tie, winner=winner, loser=tie.away if winner == tie.home else tie.home)


def _undecided(state: TournamentState, tie: Tie) -> Tie:
    """Handle a draw in a knock-out: the organiser names the winner or has the last match replayed."""
    last = tie.matches[-1].id
    id = f"drawn:{last}:{len(state.reports.get(last, ()))}"
    ruling = state.rulings.get(id)
    if ruling is not None and ruling.choice in ("home", "away"):
        return _won(tie, tie.home if ruling.choice == "home" else tie.away)
    entries = tuple(seat for seat in (tie.home, tie.away) if seat)
    return replace(tie, question=OrganiserQuestion(id, "drawn", tie.node.id, ("home", "away", "replay"), entries))


MIN_ENTRIES = 2
"""Minimum number of entries of a round or a bracket."""


@dataclass(frozen=True, slots=True)
class StageProgress:
    """Current state of a stage.

    - `seeds`: the seeds of its bracket, None where unknown
    - `groups`: the members of each group
    - `first`: the winner once the stage is `over`, None if there is none
    - `by_play`: whether the winner played a match for it
    """

    number: int
    plan: Stage
    ties: tuple[Tie, ...]
    seeds: tuple[Seat, ...]
    groups: Mapping[str, tuple[str, ...]]
    tables: Mapping[str, tuple[StandingsRow, ...]]
    over: bool
    qualified: tuple[str, ...] | None
    questions: tuple[OrganiserQuestion, ...]
    first: str | None
    by_play: bool

    def going_on(self) -> frozenset[str]:
        """Return the entries that go on to the next stage, as it stands. Of those level across the cut none does."""
        if self.qualified is not None:
            return frozenset(self.qualified)
        found: set[str] = set()
        for rows in self.tables.values():
            last = {row.rank: place for place, row in enumerate(rows, 1)}
            found |= {row.entry for row in rows if last[row.rank] <= self.plan.advance}
        return frozenset(found)


@dataclass(frozen=True)
class TournamentProgress:
    """Current state of the tournament. `withdrawn` are the entries that left, `deserted` is set if all did."""

    stages: tuple[StageProgress, ...]
    withdrawn: frozenset[str] = frozenset()
    deserted: bool = False

    @cached_property
    def ties(self) -> dict[str, Tie]:
        """Every tie by its id."""
        return {tie.node.id: tie for stage in self.stages for tie in stage.ties}

    @cached_property
    def matches(self) -> dict[str, Match]:
        """Every match by its id, in the order of play."""
        return {match.id: match for stage in self.stages for tie in stage.ties for match in tie.matches}

    @property
    def questions(self) -> tuple[OrganiserQuestion, ...]:
        """Open questions for the organiser. The public pages are frozen while there is one."""
        return tuple(question for stage in self.stages for question in stage.questions)

    @property
    def over(self) -> bool:
        """Whether everything is played and answered."""
        return bool(self.stages) and self.stages[-1].over and not self.questions

    @property
    def champion(self) -> str | None:
        """Winner of the tournament, or None before its end and when the first two of the standings are level.

        A withdrawn entry keeps only what it won by playing: a final or the first place of the standings.
        """
        if not self.over:
            return None
        last = self.stages[-1]
        return last.first if last.by_play or last.first not in self.withdrawn else None

    @property
    def notice(self) -> Message | None:
        """Message shown instead of a champion if nobody is left, otherwise None."""
        return Message("tournament.nobody_left") if self.over and self.deserted and self.champion is None else None


class StateKey:
    """A state as a cache key, compared by identity: states are immutable."""

    def __init__(self, state: TournamentState) -> None:
        self.state = state

    def __hash__(self) -> int:
        return id(self.state)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, StateKey) and other.state is self.state


@lru_cache(maxsize=8)
def _compute_progress(key: StateKey) -> TournamentProgress:
    state = key.state
    stages: list[StageProgress] = []
    if not state.started:
        return TournamentProgress(())
    for number, plan in enumerate(state.plan.stages, 1):
        before = stages[-1] if stages else None
        stages.append(_table(state, number, plan) if plan.table else _bracket(state, number, plan, before))
    return TournamentProgress(tuple(stages), frozenset(state.withdrawn), not active_entries(state))


def progress_of(state: TournamentState) -> TournamentProgress:
    """Return the state of play."""
    return _compute_progress(StateKey(state))


def active_entries(state: TournamentState) -> tuple[str, ...]:
    """Return the entries that have not withdrawn."""
    return tuple(entry for entry in state.entries if entry not in state.withdrawn)


# Stages decided by standings.


def _table(state: TournamentState, number: int, plan: Stage) -> StageProgress:
    entries = tuple(state.entries.values())
    if plan.kind == "swiss":
        groups = {"A": pairing.entries_by_seed(entries)}
        ties = [_fixed(state, node) for node in _swiss_nodes(state, number)]
        left = active_entries(state)
        complete = len(state.draws) >= plan.rounds
        cut_short = not complete and len(left) < MIN_ENTRIES  # no round can be drawn any more
    else:
        groups = pairing.assign_groups(entries, plan.groups)
        ties = _without_leavers(state, [_fixed(state, node) for node in _berger_nodes(number, plan, groups)])
        left, complete, cut_short = (), True, False
    tables: Mapping[str, tuple[StandingsRow, ...]] = {
        name: group_rows(state, plan, members, ties, len(state.draws)) for name, members in groups.items()
    }
    over = (complete or cut_short) and all(tie.over for tie in ties)
    first, by_play = (next(iter(left), None), False) if cut_short else _first_of(tables, ties)
    qualified: tuple[str, ...] | None = None
    questions: tuple[OrganiserQuestion, ...] = ()
    if over and number < len(state.plan.stages):
        tables, questions = _with_rulings(state, number, plan, tables)
        qualified = None if questions else _qualified(state, number, plan, tables)
    if plan.kind == "swiss":
        questions += _redraw_questions(state, plan, groups["A"], ties)
    return StageProgress(number, plan, tuple(ties), (), groups, tables, over, qualified, questions, first, by_play)


def _first_of(tables: Mapping[str, tuple[StandingsRow, ...]], ties: list[Tie]) -> tuple[str | None, bool]:
    """Return the entry alone in first place, and whether it played a match."""
    rows = next(iter(tables.values()), ())
    if not rows or rows[0].level:
        return None, False
    entry = rows[0].entry
    return entry, any(match.status == "done" and entry in match.seats for tie in ties for match in tie.matches)


def _berger_nodes(number: int, plan: Stage, groups: Mapping[str, tuple[str, ...]]) -> list[Node]:
    """Return the ties round by round, and within a round group by group."""
    nodes = [
        fixed_node(number, round, at, pair, group)
        for group, members in groups.items()
        for round, pairs in enumerate(pairing.berger_rounds(members, plan.legs), 1)
        for at, pair in enumerate(pairs, 1)
    ]
    return sorted(nodes, key=lambda node: node.round)


def _swiss_nodes(state: TournamentState, number: int) -> list[Node]:
    nodes = []
    for drawn in state.draws:
        pairs = [*drawn.draw.pairs, *([(drawn.draw.bye, NOBODY)] if drawn.draw.bye else [])]
        nodes += [fixed_node(number, drawn.draw.round, at, pair) for at, pair in enumerate(pairs, 1)]
    return nodes


def _fixed(state: TournamentState, node: Node) -> Tie:
    return resolve_tie(state, node, node.home.of, node.away.of)


def _redraw_questions(
    state: TournamentState, plan: Stage, members: tuple[str, ...], ties: list[Tie]
) -> tuple[OrganiserQuestion, ...]:
    """Ask the organiser if changed results give another pairing of the newest round, which has not started."""
    drawn = state.draws[-1] if state.draws else None
    if drawn is None or drawn.draw.by_hand or state.amended < drawn.seq:
        return ()
    round = drawn.draw.round
    id = f"redraw:{round}:{state.amended}"
    begun = any(
        match.status == "called" or state.reports.get(match.id)
        for tie in ties
        if tie.node.round == round
        for match in tie.matches
    )
    if begun or id in state.rulings or len(active_entries(state)) < MIN_ENTRIES:
        return ()
    earlier = [tie for tie in ties if tie.node.round < round]
    rows = group_rows(state, plan, members, earlier, round - 1)
    if propose_round(state, plan, rows, state.draws[:-1]) == drawn.draw:
        return ()
    return (OrganiserQuestion(id, "redraw", str(round), ("keep", "redraw"), ()),)


def _without_leavers(state: TournamentState, ties: list[Tie]) -> list[Tie]:
    """Annul all matches of entries that withdrew from a round robin before they had played half of it.

    Those that were not played lose the score of their forfeit.
    """
    early = set(state.early)
    return [
        replace(tie, matches=tuple(_annulled(match) for match in tie.matches)) if early & {tie.home, tie.away} else tie
        for tie in ties
    ]


def _annulled(match: Match) -> Match:
    played = match.status == "done"
    return replace(match, status="annulled", score=match.score if played else None)


def group_rows(
    state: TournamentState, plan: Stage, members: tuple[str, ...], ties: Iterable[Tie], rounds: int
) -> tuple[StandingsRow, ...]:
    """Return the standings of some members of a stage, as pages show them and pairings use them.

    Withdrawn entries without a match that counts are left out.
    """
    inside, ties = set(members), tuple(ties)
    games = [
        CountedMatch(match.home, match.away, match.score or (0, 0), match.winner, match.by, match.round)
        for tie in ties
        if tie.home in inside
        for match in tie.matches
        if match.status in ("done", "walkover") and match.home and match.away
    ]
    entries_with_games = {entry for game in games for entry in (game.home, game.away)}
    listed_entries = [entry for entry in members if entry in entries_with_games or entry not in state.withdrawn]
    swiss = _rounds_of(plan, listed_entries, ties, rounds) if plan.kind == "swiss" else NO_ROUNDS
    return standings(listed_entries, games, plan.points, plan.chain, swiss)


def _rounds_of(plan: Stage, entries: Sequence[str], ties: tuple[Tie, ...], rounds: int) -> SwissRounds:
    """Return the rounds of a Swiss, with those in which an entry was not paired: not here yet, or gone."""
    seated: dict[str, set[int]] = {entry: set() for entry in entries}
    for tie in ties:
        for seat in (tie.home, tie.away):
            if seat in seated:
                seated[seat].add(tie.node.round)
    every = frozenset(range(1, rounds + 1))
    return SwissRounds(rounds, {entry: every - there for entry, there in seated.items()}, plan.handbook)


def _gone(state: TournamentState, number: int) -> set[str]:
    """Return the entries that cannot go on to the stage after this one, because they had withdrawn before it."""
    gone = set(state.withdrawn)
    if number + 1 in state.seeded and has_results(state, number + 1):
        gone &= set(state.seeded[number + 1].gone)
    return gone


def _with_rulings(
    state: TournamentState, number: int, plan: Stage, tables: Mapping[str, tuple[StandingsRow, ...]]
) -> tuple[Mapping[str, tuple[StandingsRow, ...]], tuple[OrganiserQuestion, ...]]:
    """Return the standings with those level at the cut as the organiser ruled, and the questions about the others."""
    gone = _gone(state, number)
    questions: list[OrganiserQuestion] = []
    in_order: dict[str, tuple[StandingsRow, ...]] = {}
    for name, rows in tables.items():
        in_order[name] = rows
        staying = [row for row in rows if row.entry not in gone]
        if plan.advance >= len(staying) or staying[plan.advance - 1].rank != staying[plan.advance].rank:
            continue
        rank = staying[plan.advance].rank
        level = tuple(row.entry for row in staying if row.rank == rank)
        id = f"level:{number}-{name}:{entries_digest(level)}"
        ruling = state.rulings.get(id)
        if ruling is None:
            questions.append(OrganiserQuestion(id, "level", name, ("order", "lot"), level))
        else:
            in_order[name] = _ordered(rows, rank, ruling)
    return in_order, tuple(questions)


def _ordered(rows: tuple[StandingsRow, ...], rank: int, ruling: Rule) -> tuple[StandingsRow, ...]:
    """Return the standings with the entries of one rank in the order of a ruling; those that left come after them."""
    at = next(place for place, row in enumerate(rows) if row.rank == rank)
    level = {row.entry: row for row in rows if row.rank == rank}
    decision: Decision = "lot" if ruling.choice == "lot" else "ruling"
    ordered = [
        replace(level[entry], rank=rank + place, level=False, decided=decision)
        for place, entry in enumerate(ruling.order)
    ]
    left = [row for row in level.values() if row.entry not in ruling.order]
    after = [replace(row, rank=rank + len(ordered), level=len(left) > 1) for row in left]
    return (*rows[:at], *ordered, *after, *rows[at + len(level) :])


def _qualified(
    state: TournamentState, number: int, plan: Stage, tables: Mapping[str, tuple[StandingsRow, ...]]
) -> tuple[str, ...]:
    """Return the seeds of the next stage."""
    gone = _gone(state, number)
    staying = [[row.entry for row in rows if row.entry not in gone] for rows in tables.values()]
    return pairing.cross_groups([entries[: plan.advance] for entries in staying])


# Brackets.


def _bracket(state: TournamentState, number: int, plan: Stage, before: StageProgress | None) -> StageProgress:
    seeds, questions = _seeds(state, number, before)
    ties: dict[str, Tie] = {}
    nodes = build_bracket(number, plan, len(seeds))
    after: dict[str, list[tuple[Node, str, EntrySource]]] = {}
    for node in nodes:
        for side, source in (("home", node.home), ("away", node.away)):
            after.setdefault(source.of, []).append((node, side, source))
    for node in nodes:
        home, away = (_seat(source, seeds, ties) for source in (node.home, node.away))
        if node.kind == "reset" and _decided_before(ties[node.home.of]):
            ties[node.id] = _not_needed(node)
            continue
        tie, asked = _resolve_advancing(state, resolve_tie(state, node, home, away), after.get(node.id, []))
        ties[node.id] = tie
        questions += asked + ([tie.question] if tie.question else [])
    if not nodes:  # too few entries for a bracket, or none known yet
        over = before is not None and before.qualified is not None
        return StageProgress(
            number, plan, (), seeds, {}, {}, over, None, tuple(questions), next(iter(seeds), None), False
        )
    over = all(tie.over for tie in ties.values())
    first, by_play = _won_by(list(ties.values())) if over else (None, False)
    return StageProgress(
        number, plan, tuple(ties.values()), seeds, {}, {}, over, None, tuple(questions), first, by_play
    )


def _won_by(ties: list[Tie]) -> tuple[str | None, bool]:
    """Return the winner of the bracket, and whether the final was played."""
    final = next(tie for tie in reversed(ties) if tie.node.kind in ("final", "reset") and tie.winner)
    return (None if final.winner == NOBODY else final.winner), final.matches[-1].status == "done"


def _seat(source: EntrySource, seeds: tuple[Seat, ...], ties: Mapping[str, Tie]) -> Seat:
    if source.kind == "entry":
        return source.of
    if source.kind == "seed":
        return seeds[int(source.of) - 1]
    tie = ties[source.of]
    return tie.winner if source.kind == "winner" else tie.loser


def _decided_before(final: Tie) -> bool:
    """Return whether the undefeated finalist won the final, so that no second final is needed."""
    return final.winner is not None and final.winner == final.home


def _not_needed(node: Node) -> Tie:
    match = Match(node.id, node.id, node.stage, node.kind, 1, 1, 0, None, NOBODY, NOBODY, "not_needed")
    return Tie(node, NOBODY, NOBODY, (match,))


def _seeds(
    state: TournamentState, number: int, before: StageProgress | None
) -> tuple[tuple[Seat, ...], list[OrganiserQuestion]]:
    if before is None:
        return pairing.entries_by_seed(tuple(state.entries.values())), []
    made = state.seeded.get(number)
    if made is None and before.qualified is not None and len(before.qualified) < MIN_ENTRIES:
        return before.qualified, []  # nothing to seed
    if made is None:
        return (None,) * sum(min(before.plan.advance, len(each)) for each in before.groups.values()), []
    now = before.qualified
    if now is None or now == made.computed:
        return made.order, []
    if not has_results(state, number):
        return now, []
    return _seeds_after_correction(state, number, made, now)


def has_results(state: TournamentState, stage: int) -> bool:
    """Return whether a match of the stage has a result."""
    return any(reports for id, reports in state.reports.items() if id.startswith(f"s{stage}-"))


def _seeds_after_correction(
    state: TournamentState, number: int, made: SeededStage, now: tuple[str, ...]
) -> tuple[tuple[Seat, ...], list[OrganiserQuestion]]:
    """Ask the organiser: a correction changed the qualified entries after the bracket started."""
    id = f"qualified:{number}:{entries_digest(now)}"
    ruling = state.rulings.get(id)
    if ruling is None:
        return made.order, [OrganiserQuestion(id, "qualified", str(number), ("keep", "replay"), now)]
    return (made.order if ruling.choice == "keep" else now), []


def _resolve_advancing(
    state: TournamentState, tie: Tie, after: list[tuple[Node, str, EntrySource]]
) -> tuple[Tie, list[OrganiserQuestion]]:
    """Determine who advances from a tie if a later tie was played by an entry that should not have advanced."""
    if NOBODY in (tie.home, tie.away) or tie.home is None or tie.away is None:
        return tie, []
    sides = {tie.home, tie.away}
    for node, side, source in after:
        sat = _last_seated(state, node, side)
        if sat not in sides or sat == (tie.winner if source.kind == "winner" else tie.loser):
            continue
        as_played = sat if source.kind == "winner" else (sides - {sat}).pop()
        kept = replace(tie, winner=as_played, loser=(sides - {as_played}).pop())
        if tie.winner is None:
            return kept, []  # a draw with its own question, or a removed result: keep who advanced
        id = f"corrected:{tie.node.id}:{tie.winner}"
        ruling = state.rulings.get(id)
        if ruling is None:
            asked = OrganiserQuestion(id, "corrected", tie.node.id, ("keep", "replay"), (tie.home, tie.away))
            return kept, [asked]
        return (kept if ruling.choice == "keep" else tie), []
    return tie, []


def _last_seated(state: TournamentState, node: Node, side: str) -> Seat:
    """Return who sat at a side of a tie in its newest report, or None if it was not played."""
    for leg, id in enumerate(node.matches(), 1):
        reports = state.reports.get(id, ())
        if reports:
            newest = reports[-1]
            return newest.home if (side == "home") == (leg == 1) else newest.away
    return None


# Names of entries and titles of matches for display.


ROUNDS_BY_NAME = {2: "semi_final", 4: "quarter_final", 8: "round_of_16"}
"""Named rounds of a knock-out, by their number of ties."""


def name_of(state: TournamentState, seat: Seat) -> str:
    """Return the name of a seat's entry, or an empty string if the seat is empty or unknown."""
    return state.entries[seat].name if seat in state.entries and seat not in (None, NOBODY) else ""


def match_title(state: TournamentState, match: Match) -> Message:
    """Return the title of a match: its round, group and leg."""
    title = _round_title(state, match)
    return Message(f"bulletin.leg{match.leg}", {"title": title}) if match.leg else title


def question_text(state: TournamentState, question: OrganiserQuestion) -> Message:
    """Return a question to the organiser as text, with its tie, group or round named as people know it."""
    subject: str | Message = question.subject
    if question.kind == "level":
        number = int(question.id.split(":")[1].partition("-")[0])
        many = state.plan.stages[number - 1].groups > 1
        subject = Message("bulletin.group" if many else "bulletin.standings", {"group": question.subject})
    elif question.kind in ("drawn", "corrected"):
        tie = progress_of(state).ties[question.subject]
        subject = match_title(state, replace(tie.matches[0], leg=0))
    return Message(f"tournament.question.{question.kind}", {"subject": subject})


def _round_title(state: TournamentState, match: Match) -> Message:
    plan = state.plan.stages[match.stage - 1]
    if match.kind == "group":
        if plan.groups > 1:
            return Message("bulletin.group_round", {"group": match.group, "round": match.round})
        return Message("bulletin.matchday", {"round": match.round})
    if match.kind == "winners" and plan.kind == "knock_out":
        ties = sum(1 for tie in progress_of(state).stages[match.stage - 1].ties if _same_round(tie.matches[0], match))
        if ties in ROUNDS_BY_NAME:
            return Message(f"bulletin.{ROUNDS_BY_NAME[ties]}", {"number": match.number})
        return Message("bulletin.knock_out_round", {"round": match.round, "number": match.number})
    return Message(f"bulletin.{match.kind}", {"round": match.round, "number": match.number})


def _same_round(first: Match, second: Match) -> bool:
    return (first.kind, first.round) == (second.kind, second.round)


def entry_name(state: TournamentState, entry: str) -> str:
    """Return the name of an entry, or the given id if the entry is unknown."""
    return name_of(state, entry) or entry


def match_name(state: TournamentState, match: Match) -> str | Message:
    """Return the names of both sides, or the title of the match while a side is unknown."""
    home, away = (name_of(state, seat) for seat in match.seats)
    return f"{home} \N{EN DASH} {away}" if home and away else match_title(state, match)
