"""How the tournament stands: every tie of every stage with its sides, who qualified, and what the organiser is asked.

A result counts as long as those who played it are those who sit there. When a correction changes who goes on from a
tie, the ties after it follow by themselves as long as nobody has played them. If somebody has, the tie asks: `keep`
lets go on who went on, the score being the corrected one; `replay` seats the right ones, and what others played is
void. A Swiss round that was drawn and not begun when an earlier result changed asks as well: `keep`, or `redraw`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from companion.games.base import Message
from companion.tournament import berger, seeding
from companion.tournament.criteria import Counted
from companion.tournament.drawing import proposed
from companion.tournament.nodes import Node, Source, bracket, fixed_node
from companion.tournament.outcomes import Match, Question, Tie, mark, played
from companion.tournament.standings import Row, standings
from companion.tournament.state import Seeded, State
from companion.tournament.values import NOBODY, Seat, Stage

LEAST = 2
"""Entries that a round or a bracket is made of at least."""


@dataclass(frozen=True, slots=True)
class StageCourse:
    """A stage as it stands. `seeds` are those of its bracket, None where not known; `groups` the members of each.

    Once it is `over`, `first` is who came first in it (None if nobody did), and `by_play` whether by a match for it.
    """

    number: int
    plan: Stage
    ties: tuple[Tie, ...]
    seeds: tuple[Seat, ...]
    groups: Mapping[str, tuple[str, ...]]
    tables: Mapping[str, tuple[Row, ...]]
    over: bool
    qualified: tuple[str, ...] | None
    questions: tuple[Question, ...]
    first: str | None
    by_play: bool


@dataclass(frozen=True)
class Course:
    """The whole tournament as it stands. `withdrawn` are those who left it, `deserted` says that everybody did."""

    stages: tuple[StageCourse, ...]
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
    def questions(self) -> tuple[Question, ...]:
        """What the organiser is asked. While anything is, the public pages stand still."""
        return tuple(question for stage in self.stages for question in stage.questions)

    @property
    def over(self) -> bool:
        """Whether all is played and answered."""
        return bool(self.stages) and self.stages[-1].over and not self.questions

    @property
    def champion(self) -> str | None:
        """Who won the tournament, None before its end, and when nothing parts the first two of a table.

        Who withdrew keeps what was won by playing, a final or the first place of a table, and nothing else.
        """
        if not self.over:
            return None
        last = self.stages[-1]
        return last.first if last.by_play or last.first not in self.withdrawn else None

    @property
    def notice(self) -> Message | None:
        """What is to be said where a champion would be: that nobody is left to be one; None for nothing."""
        return Message("tournament.nobody_left") if self.over and self.deserted and self.champion is None else None


class _Key:
    """A state as the key of a cache: a state never changes, so it is itself that counts, not what it holds."""

    def __init__(self, state: State) -> None:
        self.state = state

    def __hash__(self) -> int:
        return id(self.state)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and other.state is self.state


@lru_cache(maxsize=8)
def _course(key: _Key) -> Course:
    state = key.state
    stages: list[StageCourse] = []
    if not state.started:
        return Course(())
    for number, plan in enumerate(state.plan.stages, 1):
        before = stages[-1] if stages else None
        stages.append(_table(state, number, plan) if plan.table else _bracket(state, number, plan, before))
    return Course(tuple(stages), frozenset(state.withdrawn), not staying(state))


def course(state: State) -> Course:
    """How the tournament stands by its facts."""
    return _course(_Key(state))


def staying(state: State) -> tuple[str, ...]:
    """The entries that have not withdrawn."""
    return tuple(entry for entry in state.entries if entry not in state.withdrawn)


# Stages that a table decides.


def _table(state: State, number: int, plan: Stage) -> StageCourse:
    entries = tuple(state.entries.values())
    if plan.kind == "swiss":
        groups = {"A": seeding.by_seed(entries)}
        ties = [_fixed(state, node) for node in _swiss_nodes(state, number)]
        left = staying(state)
        complete = len(state.draws) >= plan.rounds
        cut_short = not complete and len(left) < LEAST  # no round can be drawn any more
    else:
        groups = seeding.spread(entries, plan.groups)
        ties = _without_leavers(state, [_fixed(state, node) for node in _berger_nodes(number, plan, groups)])
        left, complete, cut_short = (), True, False
    tables = {name: of_group(state, plan, members, ties, len(state.draws)) for name, members in groups.items()}
    over = (complete or cut_short) and all(tie.over for tie in ties)
    first, by_play = (next(iter(left), None), False) if cut_short else _first_of(tables, ties)
    qualified: tuple[str, ...] | None = None
    questions: tuple[Question, ...] = ()
    if over and number < len(state.plan.stages):
        qualified, questions = _qualified(state, number, plan, tables)
    if plan.kind == "swiss":
        questions += _drawn_on_other_results(state, plan, groups["A"], ties)
    return StageCourse(number, plan, tuple(ties), (), groups, tables, over, qualified, questions, first, by_play)


def _first_of(tables: Mapping[str, tuple[Row, ...]], ties: list[Tie]) -> tuple[str | None, bool]:
    """Who alone stands first in the table, and whether that entry played for it at all."""
    rows = next(iter(tables.values()), ())
    if not rows or rows[0].level:
        return None, False
    entry = rows[0].entry
    return entry, any(match.status == "done" and entry in match.seats for tie in ties for match in tie.matches)


def _berger_nodes(number: int, plan: Stage, groups: Mapping[str, tuple[str, ...]]) -> list[Node]:
    """Round by round, in each round group by group."""
    nodes = [
        fixed_node(number, round, at, pair, group)
        for group, members in groups.items()
        for round, pairs in enumerate(berger.rounds(members, plan.legs), 1)
        for at, pair in enumerate(pairs, 1)
    ]
    return sorted(nodes, key=lambda node: node.round)


def _swiss_nodes(state: State, number: int) -> list[Node]:
    nodes = []
    for drawn in state.draws:
        pairs = [*drawn.draw.pairs, *([(drawn.draw.bye, NOBODY)] if drawn.draw.bye else [])]
        nodes += [fixed_node(number, drawn.draw.round, at, pair) for at, pair in enumerate(pairs, 1)]
    return nodes


def _fixed(state: State, node: Node) -> Tie:
    return played(state, node, node.home.of, node.away.of)


def _drawn_on_other_results(
    state: State, plan: Stage, members: tuple[str, ...], ties: list[Tie]
) -> tuple[Question, ...]:
    """The newest round would be another one by the results as they are now, and nobody has begun it."""
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
    if begun or id in state.rulings or len(staying(state)) < LEAST:
        return ()
    earlier = [tie for tie in ties if tie.node.round < round]
    rows = of_group(state, plan, members, earlier, round - 1)
    if proposed(state, plan, rows, state.draws[:-1]) == drawn.draw:
        return ()
    return (Question(id, "redraw", str(round), ("keep", "redraw"), ()),)


def _without_leavers(state: State, ties: list[Tie]) -> list[Tie]:
    """Who withdraws from a round robin before having played half of it leaves no trace in the table."""
    early = set(state.early)
    return [
        replace(tie, matches=tuple(replace(match, status="annulled") for match in tie.matches))
        if early & {tie.home, tie.away}
        else tie
        for tie in ties
    ]


def of_group(state: State, plan: Stage, members: tuple[str, ...], ties: Iterable[Tie], rounds: int) -> tuple[Row, ...]:
    """The table of some members of a stage: the one that pages show and pairings follow.

    Who withdrew without a match that counts is not in it.
    """
    inside = set(members)
    games = [
        Counted(match.home, match.away, match.score or (0, 0), match.winner, match.by)
        for tie in ties
        if tie.home in inside
        for match in tie.matches
        if match.status in ("done", "walkover") and match.home and match.away
    ]
    counted = {entry for game in games for entry in (game.home, game.away)}
    shown = [entry for entry in members if entry in counted or entry not in state.withdrawn]
    return standings(shown, games, plan.points, plan.chain, rounds if plan.kind == "swiss" else 0)


def _qualified(
    state: State, number: int, plan: Stage, tables: Mapping[str, tuple[Row, ...]]
) -> tuple[tuple[str, ...] | None, tuple[Question, ...]]:
    """The seeds of the next stage, or the question who of those that are level at the cut goes on."""
    groups: list[list[str]] = []
    questions: list[Question] = []
    gone = set(state.withdrawn)
    if number + 1 in state.seeded and begun(state, number + 1):
        gone &= set(state.seeded[number + 1].gone)
    for name, rows in tables.items():
        staying = [row for row in rows if row.entry not in gone]
        order = [row.entry for row in staying]
        if plan.advance < len(staying) and staying[plan.advance - 1].rank == staying[plan.advance].rank:
            rank = staying[plan.advance].rank
            level = tuple(row.entry for row in staying if row.rank == rank)
            id = f"level:{number}-{name}:{mark(level)}"
            ruling = state.rulings.get(id)
            if ruling is None:
                questions.append(Question(id, "level", f"{number}-{name}", ("order",), level))
            else:
                at = order.index(level[0])
                order[at : at + len(level)] = ruling.order
        groups.append(order[: plan.advance])
    return (None if questions else seeding.crossed(groups)), tuple(questions)


# Brackets.


def _bracket(state: State, number: int, plan: Stage, before: StageCourse | None) -> StageCourse:
    seeds, questions = _seeds(state, number, before)
    ties: dict[str, Tie] = {}
    nodes = bracket(number, plan, len(seeds))
    after: dict[str, list[tuple[Node, str, Source]]] = {}
    for node in nodes:
        for side, source in (("home", node.home), ("away", node.away)):
            after.setdefault(source.of, []).append((node, side, source))
    for node in nodes:
        home, away = (_seat(source, seeds, ties) for source in (node.home, node.away))
        if node.kind == "reset" and _decided_before(ties[node.home.of]):
            ties[node.id] = _not_needed(node)
            continue
        tie, asked = _going_on(state, played(state, node, home, away), after.get(node.id, []))
        ties[node.id] = tie
        questions += asked + ([tie.question] if tie.question else [])
    if not nodes:  # too few to make a bracket of were left, or nobody is known yet
        over = before is not None and before.qualified is not None
        return StageCourse(
            number, plan, (), seeds, {}, {}, over, None, tuple(questions), next(iter(seeds), None), False
        )
    over = all(tie.over for tie in ties.values())
    first, by_play = _won_by(list(ties.values())) if over else (None, False)
    return StageCourse(number, plan, tuple(ties.values()), seeds, {}, {}, over, None, tuple(questions), first, by_play)


def _won_by(ties: list[Tie]) -> tuple[str | None, bool]:
    """Who won the bracket, and whether the final was played."""
    final = next(tie for tie in reversed(ties) if tie.node.kind in ("final", "reset") and tie.winner)
    return (None if final.winner == NOBODY else final.winner), final.matches[-1].status == "done"


def _seat(source: Source, seeds: tuple[Seat, ...], ties: Mapping[str, Tie]) -> Seat:
    if source.kind == "entry":
        return source.of
    if source.kind == "seed":
        return seeds[int(source.of) - 1]
    tie = ties[source.of]
    return tie.winner if source.kind == "winner" else tie.loser


def _decided_before(final: Tie) -> bool:
    """The one who came without a defeat won the final: no second one."""
    return final.winner is not None and final.winner == final.home


def _not_needed(node: Node) -> Tie:
    match = Match(node.id, node.id, node.stage, node.kind, 1, 1, 0, None, NOBODY, NOBODY, "not_needed")
    return Tie(node, NOBODY, NOBODY, (match,))


def _seeds(state: State, number: int, before: StageCourse | None) -> tuple[tuple[Seat, ...], list[Question]]:
    if before is None:
        return seeding.by_seed(tuple(state.entries.values())), []
    made = state.seeded.get(number)
    if made is None and before.qualified is not None and len(before.qualified) < LEAST:
        return before.qualified, []  # nothing to seed
    if made is None:
        return (None,) * sum(min(before.plan.advance, len(each)) for each in before.groups.values()), []
    now = before.qualified
    if now is None or now == made.computed:
        return made.order, []
    if not begun(state, number):
        return now, []
    return _asked_for_seeds(state, number, made, now)


def begun(state: State, stage: int) -> bool:
    """Whether a match of the stage has a result."""
    return any(reports for id, reports in state.reports.items() if id.startswith(f"s{stage}-"))


def _asked_for_seeds(
    state: State, number: int, made: Seeded, now: tuple[str, ...]
) -> tuple[tuple[Seat, ...], list[Question]]:
    """A correction changed who qualified, and the bracket has been played on."""
    id = f"qualified:{number}:{mark(now)}"
    ruling = state.rulings.get(id)
    if ruling is None:
        return made.order, [Question(id, "qualified", str(number), ("keep", "replay"), now)]
    return (made.order if ruling.choice == "keep" else now), []


def _going_on(state: State, tie: Tie, after: list[tuple[Node, str, Source]]) -> tuple[Tie, list[Question]]:
    """Who goes on from a tie, where a tie after it was perhaps played by the one who does not."""
    if NOBODY in (tie.home, tie.away) or tie.home is None or tie.away is None:
        return tie, []
    sides = {tie.home, tie.away}
    for node, side, source in after:
        sat = _sat(state, node, side)
        if sat not in sides or sat == (tie.winner if source.kind == "winner" else tie.loser):
            continue
        as_played = sat if source.kind == "winner" else (sides - {sat}).pop()
        kept = replace(tie, winner=as_played, loser=(sides - {as_played}).pop())
        if tie.winner is None:
            return kept, []  # a draw, asked about already, or a result taken away: so far who went on goes on
        id = f"corrected:{tie.node.id}:{tie.winner}"
        ruling = state.rulings.get(id)
        if ruling is None:
            asked = Question(id, "corrected", tie.node.id, ("keep", "replay"), (tie.home, tie.away))
            return kept, [asked]
        return (kept if ruling.choice == "keep" else tie), []
    return tie, []


def _sat(state: State, node: Node, side: str) -> Seat:
    """Who sat at a side of a tie when it was last played, None if it was not."""
    for leg, id in enumerate(node.matches(), 1):
        reports = state.reports.get(id, ())
        if reports:
            newest = reports[-1]
            return newest.home if (side == "home") == (leg == 1) else newest.away
    return None
