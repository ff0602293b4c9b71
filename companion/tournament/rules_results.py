"""Results: as they come from the tables, corrected afterwards, forfeited, annulled; and cards kept between rounds."""

from __future__ import annotations

from dataclasses import replace

from companion.tournament import facts as fa
from companion.tournament import legacy
from companion.tournament.course import begun, course
from companion.tournament.naming import match_name
from companion.tournament.outcomes import Match, standing_report
from companion.tournament.refusing import refusal
from companion.tournament.rules_entries import asked, lost_results
from companion.tournament.state import Seeded, State
from companion.tournament.values import DOUBLE_FORFEIT, FORFEIT, Report, winner_by_score


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
    """By who played the match, once, up to the threshold of its round (NBA-13.2)."""
    match = match_of(state, fact.match)
    if match.status != "done":
        raise refusal("no_result", match=match_name(state, match))
    if fact.entry not in match.seats:
        raise refusal("not_theirs", match=match_name(state, match))
    threshold = legacy.threshold_after(state, match)
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
