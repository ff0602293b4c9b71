"""What may be recorded of a tournament and when: `decide` gives the refusal or None, `apply` the state after a fact.

`apply` never refuses: what stands in the journal was decided before. Each refusal names its reason (`validation`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from companion.games.base import Refusal
from companion.tournament import facts as fa
from companion.tournament import headers
from companion.tournament.course import LEAST, Match, Question, begun, course, entry_name, match_name, standing_report
from companion.tournament.facts import Drawn, Seeded, State, Walkover, begin
from companion.tournament.pairing import players, proposed
from companion.tournament.validation import refusal
from companion.tournament.values import DOUBLE_FORFEIT, FORFEIT, Entry, Plan, Report, winner_by_score

LEAST_OF_GROUP = 2


def check_enter(state: State, fact: fa.Enter) -> None:
    """A late entry joins a Swiss at the next round; elsewhere the plan is made anew, while nobody has played it."""
    if fact.entry in state.entries:
        raise refusal("entry_twice", entry=entry_name(state, fact.entry))
    if any(entry.name == fact.name for entry in state.entries.values()):
        raise refusal("name_twice", name=fact.name)
    if not state.started:
        return
    first = state.plan.stages[0]
    if first.kind == "swiss":
        if len(state.draws) >= first.rounds:
            raise refusal("too_late")
    elif any(state.reports.values()) or state.calls or state.withdrawn:
        raise refusal("too_late")


def apply_enter(state: State, fact: fa.Enter) -> State:
    """The entry is among the others, last."""
    entry = Entry(fact.entry, fact.name, fact.seed, fact.group)
    return replace(state, entries={**state.entries, fact.entry: entry})


def check_withdraw(state: State, fact: fa.Withdraw) -> None:
    """Only who is in can leave."""
    if fact.entry not in state.entries:
        raise refusal("unknown_entry", entry=fact.entry)
    if fact.entry in state.withdrawn:
        raise refusal("withdrawn_already", entry=entry_name(state, fact.entry))


def apply_withdraw(state: State, fact: fa.Withdraw) -> State:
    """Before the start the entry is gone; later its matches to come are lost, and it is paired no more.

    Walkovers that others won so far are settled by it: the entry cannot win them back by who leaves next.
    """
    if not state.started:
        return replace(state, entries={id: entry for id, entry in state.entries.items() if id != fact.entry})
    open_calls = {id: call for id, call in state.calls.items() if fact.entry not in course(state).matches[id].seats}
    return replace(
        state,
        withdrawn=(*state.withdrawn, fact.entry),
        settled={**state.settled, **_walkovers(state)},
        early=(*state.early, fact.entry) if _leaves_early(state, fact.entry) else state.early,
        calls=open_calls,
        amended=state.seq + 1,
    )


def _walkovers(state: State) -> dict[str, Walkover]:
    """Every walkover that somebody won, by its match."""
    return {
        match.id: Walkover(match.home, match.away, match.winner)
        for match in course(state).matches.values()
        if match.status == "walkover" and match.winner and match.home and match.away
    }


def _leaves_early(state: State, entry: str) -> bool:
    """Whether it has matches left in the round robin and has not played half of them all."""
    first = course(state).stages[0]
    own = [tie for tie in first.ties if entry in (tie.home, tie.away)]
    played = sum(match.status == "done" for tie in own for match in tie.matches)
    return first.plan.kind == "round_robin" and 2 * played < len(own) and not all(tie.over for tie in own)


def check_readmit(state: State, fact: fa.Readmit) -> None:
    """Not when what followed from the withdrawal has been played on."""
    if fact.entry not in state.entries:
        raise refusal("unknown_entry", entry=fact.entry)
    if fact.entry not in state.withdrawn:
        raise refusal("not_withdrawn", entry=entry_name(state, fact.entry))
    after = apply_readmit(state, fact)
    if lost_results(state, after) or set(asked(after)) - set(asked(state)):
        raise refusal("played_on")


def apply_readmit(state: State, fact: fa.Readmit) -> State:
    """The entry is in again."""
    left = tuple(entry for entry in state.withdrawn if entry != fact.entry)
    early = tuple(entry for entry in state.early if entry != fact.entry)
    settled = {id: each for id, each in state.settled.items() if fact.entry != _loser(each)}
    return replace(state, withdrawn=left, settled=settled, early=early, amended=state.seq + 1)


def _loser(walkover: Walkover) -> str:
    return walkover.away if walkover.winner == "home" else walkover.home


def check_start(state: State, fact: fa.Start) -> None:
    """Enough entries for every group."""
    if state.started:
        raise refusal("started_already")
    groups = state.plan.stages[0].groups
    if len(state.entries) < LEAST_OF_GROUP * groups:
        raise refusal("too_few_entries", least=LEAST_OF_GROUP * groups)


def apply_start(state: State, fact: fa.Start) -> State:
    """The first stage is made of the entries."""
    return replace(state, started=True)


def lost_results(before: State, after: State) -> bool:
    """Whether a result that counts in one state counts no more in the other."""
    now = course(after).matches
    return any(
        match.status == "done" and (id not in now or now[id].status not in ("done", "annulled"))
        for id, match in course(before).matches.items()
    )


def asked(state: State) -> tuple[str, ...]:
    """The ids of the questions that are open."""
    return tuple(question.id for question in course(state).questions)


# Draws, seeds of a later stage, and the organiser's answers.


A_GROUP = "A"
"""A Swiss has one group."""


def propose_draw(state: State) -> fa.Draw:
    """The next Swiss round, as `Draw` takes it. Raises `Refusal` when none can be drawn now."""
    _check_next_round(state)
    stage = course(state).stages[0]
    return proposed(state, stage.plan, stage.tables[A_GROUP], state.draws)


def propose_seed(state: State) -> fa.Seed:
    """The seeds of the next stage by the tables. Raises `Refusal` when the stage before is not over."""
    number = len(state.seeded) + 2
    return fa.Seed(number, _qualified(state, number))


def _check_next_round(state: State) -> None:
    _check_started(state)
    first = state.plan.stages[0]
    if first.kind != "swiss":
        raise refusal("no_draw")
    if len(state.draws) >= first.rounds:
        raise refusal("no_more_rounds", rounds=first.rounds)
    stage = course(state).stages[0]
    if stage.questions:
        raise refusal("question_open")
    if not all(tie.over for tie in stage.ties):
        raise refusal("round_not_over", round=len(state.draws))
    if len(players(state, stage.tables[A_GROUP], state.draws)) < LEAST:
        raise refusal("too_few_entries", least=LEAST)


def _check_started(state: State) -> None:
    if not state.started:
        raise refusal("not_started")


def check_draw(state: State, fact: fa.Draw) -> None:
    """The proposed round; by hand any in which each plays once and nobody pauses a second time before the others."""
    _check_next_round(state)
    if fact.stage != 1 or fact.round != len(state.draws) + 1:
        raise refusal("wrong_round", round=len(state.draws) + 1)
    if not fact.by_hand:
        if fact != propose_draw(state):
            raise refusal("not_the_draw")
        return
    field = players(state, course(state).stages[0].tables[A_GROUP], state.draws)
    named = Counter(id for pair in fact.pairs for id in pair)
    named.update([fact.bye] if fact.bye else [])
    if named != Counter(player.entry for player in field):
        raise refusal("not_each_once")
    byes = {player.entry: player.byes for player in field}
    if fact.bye is not None and byes[fact.bye] > min(byes.values()):
        raise refusal("second_bye", entry=entry_name(state, fact.bye))


def apply_draw(state: State, fact: fa.Draw) -> State:
    """The round is drawn."""
    return replace(state, draws=(*state.draws, Drawn(fact, state.seq + 1)))


def check_seed(state: State, fact: fa.Seed) -> None:
    """The qualified, each once; their order is the organiser's."""
    if fact.stage != len(state.seeded) + 2 or fact.stage > len(state.plan.stages):
        raise refusal("no_such_stage", stage=fact.stage)
    if Counter(fact.order) != Counter(_qualified(state, fact.stage)):
        raise refusal("not_the_qualified")


def _qualified(state: State, number: int) -> tuple[str, ...]:
    _check_started(state)
    if number > len(state.plan.stages):
        raise refusal("no_such_stage", stage=number)
    before = course(state).stages[number - 2]
    if before.questions:
        raise refusal("question_open")
    if before.qualified is None:
        raise refusal("stage_not_over", stage=number - 1)
    if len(before.qualified) < LEAST:
        raise refusal("too_few_entries", least=LEAST)
    return before.qualified


def apply_seed(state: State, fact: fa.Seed) -> State:
    """The bracket of the stage has its seeds."""
    computed = course(state).stages[fact.stage - 2].qualified or fact.order
    return replace(state, seeded={**state.seeded, fact.stage: Seeded(fact.order, computed, state.withdrawn)})


def question(state: State, id: str) -> Question:
    """The open question of an id. Raises `Refusal`."""
    found = next((each for each in course(state).questions if each.id == id), None)
    if found is None:
        raise refusal("unknown_question", question=id)
    return found


def check_rule(state: State, fact: fa.Rule) -> None:
    """One of the choices; where an order is asked, those asked about, each once."""
    asked = question(state, fact.question)
    if fact.choice not in asked.choices:
        raise refusal("unknown_choice", choice=fact.choice)
    if fact.choice == "order" and Counter(fact.order) != Counter(asked.entries):
        raise refusal("not_the_level")


def apply_rule(state: State, fact: fa.Rule) -> State:
    """The answer stands; a round that is to be drawn anew is taken away."""
    draws = state.draws[:-1] if fact.choice == "redraw" else state.draws
    return replace(state, rulings={**state.rulings, fact.question: fact}, draws=draws)


# Results: as they come from the tables, corrected afterwards, forfeited, annulled; and cards kept between rounds.


def match_of(state: State, id: str) -> Match:
    """The match of an id. Raises `Refusal`."""
    if not state.started:
        raise refusal("not_started")
    match = course(state).matches.get(id)
    if match is None:
        raise refusal("unknown_match", match=id)
    return match


def open_match(state: State, id: str) -> Match:
    """The match of an id that waits for its result. Raises `Refusal`."""
    match = match_of(state, id)
    if match.status == "waiting":
        raise refusal("sides_unknown", match=match_name(state, match))
    if match.over:
        raise refusal("over_already", match=match_name(state, match))
    return match


def _check_sides(state: State, match: Match, fact: fa.Outcome) -> None:
    if (fact.home, fact.away) != match.seats:
        raise refusal("other_sides", match=match_name(state, match))


BESIDES_THE_SCORE = ("shootout", "concession", FORFEIT)
"""Ends that a game tells, by which one wins whatever the score is."""


def _check_winner(state: State, match: Match, fact: fa.Outcome) -> None:
    """The winner is the one whom the score says; of a level match where one must go on the shoot-out says it."""
    leads = winner_by_score(fact.score)
    if fact.winner in ("score", leads) or (fact.by in BESIDES_THE_SCORE and fact.winner is not None):
        return
    if leads is not None and not _by_shoot_out(state, match, fact):
        raise refusal("winner_against_score", home=fact.score[0], away=fact.score[1])
    if leads is None and (state.plan.stages[match.stage - 1].table or not _by_shoot_out(state, match, fact)):
        raise refusal("winner_of_level", home=fact.score[0], away=fact.score[1])


def _by_shoot_out(state: State, match: Match, fact: fa.Outcome) -> bool:
    """Whether it comes to kicks after that score: a single match that is level, a second leg that leaves all level."""
    if match.leg == 0:
        return winner_by_score(fact.score) is None
    first = course(state).ties[match.tie].matches[0].score
    if match.leg == 1 or first is None or fact.winner is None:
        return False
    sums = first[0] + fact.score[1], first[1] + fact.score[0]
    return sums[0] == sums[1] and first[1] == fact.score[1]


def check_result(state: State, fact: fa.Result) -> None:
    """The result of a match that is open, between those who sit there."""
    match = open_match(state, fact.match)
    _check_sides(state, match, fact)
    _check_winner(state, match, fact)


def apply_result(state: State, fact: fa.Result) -> State:
    """The result counts, the table is free."""
    return _reported(state, _report(fact))


def check_correct(state: State, fact: fa.Correct) -> None:
    """Another result of a match that has one."""
    match = match_of(state, fact.match)
    if match.status not in ("done", "annulled") or not state.reports.get(fact.match):
        raise refusal("no_result", match=match_name(state, match))
    _check_sides(state, match, fact)
    _check_winner(state, match, fact)


def apply_correct(state: State, fact: fa.Correct) -> State:
    """The new result counts; the old one stays in the record."""
    before = state.reports[fact.match][-1]
    clock = before.clock if fact.clock is None else fact.clock
    report = replace(_report(fact), clock=clock, why=fact.why)
    return replace(_reported(state, report), amended=state.seq + 1)


def check_forfeit(state: State, fact: fa.Forfeit | fa.DoubleForfeit) -> None:
    """Of a match that is open."""
    open_match(state, fact.match)


def apply_forfeit(state: State, fact: fa.Forfeit) -> State:
    """The other side wins by the score that the points name (FC-17.3)."""
    match = course(state).matches[fact.match]
    won, lost = state.plan.stages[match.stage - 1].points.forfeit
    at_home = fact.side == "away"
    report = Report(
        fact.match,
        match.home or "",
        match.away or "",
        (won, lost) if at_home else (lost, won),
        "home" if at_home else "away",
        FORFEIT,
        fact.clock,
        None,
        fact.why,
    )
    return _reported(state, report)


def apply_double_forfeit(state: State, fact: fa.DoubleForfeit) -> State:
    """Neither wins; in a bracket nobody goes on."""
    match = course(state).matches[fact.match]
    report = Report(
        fact.match, match.home or "", match.away or "", (0, 0), None, DOUBLE_FORFEIT, fact.clock, None, fact.why
    )
    return _reported(state, report)


def check_annul(state: State, fact: fa.Annul) -> None:
    """Not when something was played on it: there only a correction will do."""
    match = match_of(state, fact.match)
    if standing_report(state, fact.match, match.home, match.away) is None:
        raise refusal("no_result", match=match_name(state, match))
    later = match.kind == "swiss" and len(state.draws) > match.round
    after = apply_annul(state, fact)
    others = replace(state, reports={**after.reports, fact.match: state.reports[fact.match]})
    if later or _others_lost(others, after, fact.match) or set(asked(after)) - set(asked(state)):
        raise refusal("played_on")


def _others_lost(before: State, after: State, match: str) -> bool:
    """Whether a result other than the annulled one stops counting, or somebody has been seated on it elsewhere."""
    ties = course(before).ties[course(before).matches[match].tie].node
    used = any(
        state_match.status in ("done", "called")
        for tie in course(before).ties.values()
        if ties.id in (tie.node.home.of, tie.node.away.of)
        for state_match in tie.matches
    )
    stage = course(before).matches[match].stage
    return used or stage + 1 in before.seeded or _lost_besides(before, after, match)


def _lost_besides(before: State, after: State, match: str) -> bool:
    gone = {id: reports for id, reports in before.reports.items() if id != match}
    return lost_results(replace(before, reports=gone), after)


def apply_annul(state: State, fact: fa.Annul) -> State:
    """The match is open again."""
    reports = {id: each for id, each in state.reports.items() if id != fact.match}
    return replace(state, reports=reports, amended=state.seq + 1)


def check_keep(state: State, fact: fa.Keep) -> None:
    """By who played the match, once, up to the threshold of its round."""
    match = match_of(state, fact.match)
    if match.status != "done":
        raise refusal("no_result", match=match_name(state, match))
    if fact.entry not in match.seats:
        raise refusal("not_theirs", match=match_name(state, match))
    threshold = headers.threshold_after(state, match)
    if threshold is None:
        raise refusal("nothing_kept", match=match_name(state, match))
    if any(keep.match == fact.match and keep.entry == fact.entry for keep in state.kept):
        raise refusal("kept_already", match=match_name(state, match))
    if max(fact.player_cost if fact.player else 0, fact.tactic_cost if fact.tactic else 0) > threshold:
        raise refusal("over_threshold", threshold=threshold)


def apply_keep(state: State, fact: fa.Keep) -> State:
    """The cards go on with the entry."""
    return replace(state, kept=(*state.kept, fact))


def _report(fact: fa.Outcome) -> Report:
    winner = winner_by_score(fact.score) if fact.winner == "score" else fact.winner
    return Report(fact.match, fact.home, fact.away, fact.score, winner, fact.by, fact.clock, fact.carry)


def _reported(state: State, report: Report) -> State:
    calls = {id: call for id, call in state.calls.items() if id != report.match}
    began = state.calls.get(report.match)
    history = (*state.reports.get(report.match, ()), report)
    state = _with_seeds_fixed(state, report.match)
    lengths = dict(state.lengths)
    if began is not None and report.clock is not None and report.clock > began.clock:
        lengths[report.match] = (began.clock, report.clock)
    return replace(state, reports={**state.reports, report.match: history}, calls=calls, lengths=lengths)


def _with_seeds_fixed(state: State, match: str) -> State:
    """With its first result a bracket keeps the seeds that it has then: those after a withdrawal, if there was one."""
    stage = course(state).matches[match].stage
    if stage not in state.seeded or begun(state, stage):
        return state
    before, now = course(state).stages[stage - 2 : stage]
    order = tuple(seat for seat in now.seeds if seat)
    made = Seeded(order, before.qualified or order, state.withdrawn)
    return replace(state, seeded={**state.seeded, stage: made})


# Tables: a match is called to one, the call is taken back, a table is closed and opened.


def check_call(state: State, fact: fa.Call) -> None:
    """A match with both sides known, to a table that is free, of entries that are not playing."""
    _check_known(state, fact.table)
    match = open_match(state, fact.match)
    if match.status != "ready":
        raise refusal("not_ready", match=match_name(state, match), table=match.table)
    if fact.table in state.closed:
        raise refusal("table_closed", table=fact.table)
    if any(call.table == fact.table for call in state.calls.values()):
        raise refusal("table_busy", table=fact.table)
    matches = course(state).matches
    playing = {seat for id in state.calls for seat in matches[id].seats}
    if playing & set(match.seats):
        raise refusal("entry_busy", match=match_name(state, match))


def apply_call(state: State, fact: fa.Call) -> State:
    """The match is at the table."""
    return replace(state, calls={**state.calls, fact.match: fact})


def check_uncall(state: State, fact: fa.Uncall) -> None:
    """Only a match that was called."""
    match = match_of(state, fact.match)
    if fact.match not in state.calls:
        raise refusal("not_called", match=match_name(state, match))


def apply_uncall(state: State, fact: fa.Uncall) -> State:
    """The match waits again."""
    return replace(state, calls={id: call for id, call in state.calls.items() if id != fact.match})


def check_table(state: State, fact: fa.Table) -> None:
    """A table of the plan. One that is played at may be closed: the match there goes on to its end."""
    _check_known(state, fact.table)


def apply_table(state: State, fact: fa.Table) -> State:
    """The table is closed or open."""
    closed = set(state.closed) - {fact.table} | (set() if fact.open else {fact.table})
    return replace(state, closed=tuple(sorted(closed)))


def _check_known(state: State, table: int) -> None:
    if table > state.plan.tables:
        raise refusal("unknown_table", table=table, tables=state.plan.tables)


_RULES: dict[type[fa.Fact], tuple[Callable[[State, Any], None], Callable[[State, Any], State]]] = {
    fa.Enter: (check_enter, apply_enter),
    fa.Withdraw: (check_withdraw, apply_withdraw),
    fa.Readmit: (check_readmit, apply_readmit),
    fa.Start: (check_start, apply_start),
    fa.Draw: (check_draw, apply_draw),
    fa.Seed: (check_seed, apply_seed),
    fa.Rule: (check_rule, apply_rule),
    fa.Result: (check_result, apply_result),
    fa.Correct: (check_correct, apply_correct),
    fa.Forfeit: (check_forfeit, apply_forfeit),
    fa.DoubleForfeit: (check_forfeit, apply_double_forfeit),
    fa.Annul: (check_annul, apply_annul),
    fa.Keep: (check_keep, apply_keep),
    fa.Call: (check_call, apply_call),
    fa.Uncall: (check_uncall, apply_uncall),
    fa.Table: (check_table, apply_table),
}


def decide(state: State, fact: fa.Fact) -> Refusal | None:
    """Why the fact cannot be recorded now, or None if it can. What could not be read again is not recorded either."""
    try:
        fa.parse(fa.printed(fact))
        _RULES[type(fact)][0](state, fact)
    except Refusal as reason:
        return reason
    return None


def apply(state: State, fact: fa.Fact) -> State:
    """The state after a fact that was decided."""
    return replace(_RULES[type(fact)][1](state, fact), seq=state.seq + 1)


def play(plan: Plan, told: Iterable[fa.Fact]) -> State:
    """The state after the facts of a journal. Raises the `Refusal` of the first that cannot be."""
    state = begin(plan)
    for fact in told:
        reason = decide(state, fact)
        if reason is not None:
            raise reason
        state = apply(state, fact)
    return state
