"""The rules for recording events: `decide` returns the refusal or None, `apply` the state after an event.

`apply` never refuses: the events in the journal were decided before. Each refusal names its reason
(`validation`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from companion.games.base import Refusal
from companion.tournament import facts as fa
from companion.tournament import headers
from companion.tournament.facts import DrawnRound, SeededStage, TournamentState, Walkover, initial_state
from companion.tournament.pairing import propose_round, swapped, swiss_players
from companion.tournament.progress import (
    MIN_ENTRIES,
    Match,
    OrganiserQuestion,
    active_entries,
    entry_name,
    has_results,
    match_name,
    progress_of,
    valid_report,
)
from companion.tournament.validation import refusal
from companion.tournament.values import DOUBLE_FORFEIT, FORFEIT, Entry, Plan, Report, winner_by_score

MIN_GROUP_SIZE = 2


def check_enter(state: TournamentState, fact: fa.Enter) -> None:
    """Check an entry.

    A late entry joins a Swiss at the next round; other plans are rebuilt if nothing was played yet.
    """
    if fact.entry in state.entries:
        raise refusal("entry_twice", entry=entry_name(state, fact.entry))
    if fact.entry in state.entered:
        raise refusal("id_given_before", entry=fact.entry)
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


def apply_enter(state: TournamentState, fact: fa.Enter) -> TournamentState:
    """Append the entry."""
    entry = Entry(fact.entry, fact.name, fact.seed, fact.group, fact.club)
    return replace(state, entries={**state.entries, fact.entry: entry}, entered=(*state.entered, fact.entry))


def check_edit(state: TournamentState, fact: fa.Edit) -> None:
    """Check that the entry exists, the name is free, and another seed or group changes no match that has begun."""
    if fact.entry not in state.entries:
        raise refusal("unknown_entry", entry=fact.entry)
    if any(entry.name == fact.name for id, entry in state.entries.items() if id != fact.entry):
        raise refusal("name_twice", name=fact.name)
    if not state.started:
        return
    before, now = progress_of(state).matches, progress_of(apply_edit(state, fact)).matches
    begun = [id for id in before if id in state.calls or state.reports.get(id)]
    if any(id not in now or now[id].seats != before[id].seats for id in begun):
        raise refusal("seed_in_use", entry=entry_name(state, fact.entry))


def apply_edit(state: TournamentState, fact: fa.Edit) -> TournamentState:
    """Change name, seed and club, and the group if the event has one."""
    return replace(state, entries={**state.entries, fact.entry: edited(state.entries[fact.entry], fact)})


def edited(entry: Entry, fact: fa.Edit) -> Entry:
    """Return an entry after its change."""
    group = entry.group if fact.group is None else fact.group or None
    return replace(entry, name=fact.name, seed=fact.seed, club=fact.club, group=group)


def check_withdraw(state: TournamentState, fact: fa.Withdraw) -> None:
    """Check that the entry exists and has not withdrawn."""
    if fact.entry not in state.entries:
        raise refusal("unknown_entry", entry=fact.entry)
    if fact.entry in state.withdrawn:
        raise refusal("withdrawn_already", entry=entry_name(state, fact.entry))


def apply_withdraw(state: TournamentState, fact: fa.Withdraw) -> TournamentState:
    """Remove the entry before the start; later, its remaining matches are lost and it is not paired any more.

    Walkovers won by others so far become final: later withdrawals cannot give them back to this entry.
    """
    if not state.started:
        return replace(state, entries={id: entry for id, entry in state.entries.items() if id != fact.entry})
    open_calls = {
        id: call for id, call in state.calls.items() if fact.entry not in progress_of(state).matches[id].seats
    }
    return replace(
        state,
        withdrawn=(*state.withdrawn, fact.entry),
        fixed_walkovers={**state.fixed_walkovers, **_walkovers(state)},
        early=(*state.early, fact.entry) if leaves_early(state, fact.entry) else state.early,
        calls=open_calls,
        amended=state.seq + 1,
    )


def _walkovers(state: TournamentState) -> dict[str, Walkover]:
    """Return every walkover with a winner, by match."""
    return {
        match.id: Walkover(match.home, match.away, match.winner)
        for match in progress_of(state).matches.values()
        if match.status == "walkover" and match.winner and match.home and match.away
    }


def leaves_early(state: TournamentState, entry: str) -> bool:
    """Return whether the entry leaves a round robin with matches left and less than half of them played."""
    first = progress_of(state).stages[0]
    own = [tie for tie in first.ties if entry in (tie.home, tie.away)]
    played = sum(match.status == "done" for tie in own for match in tie.matches)
    return first.plan.kind == "round_robin" and 2 * played < len(own) and not all(tie.over for tie in own)


def check_readmit(state: TournamentState, fact: fa.Readmit) -> None:
    """Check that no match was played as a consequence of the withdrawal."""
    if fact.entry not in state.entries:
        raise refusal("unknown_entry", entry=fact.entry)
    if fact.entry not in state.withdrawn:
        raise refusal("not_withdrawn", entry=entry_name(state, fact.entry))
    after = apply_readmit(state, fact)
    if loses_results(state, after) or set(open_question_ids(after)) - set(open_question_ids(state)):
        raise refusal("played_on")


def apply_readmit(state: TournamentState, fact: fa.Readmit) -> TournamentState:
    """Readmit the entry."""
    left = tuple(entry for entry in state.withdrawn if entry != fact.entry)
    early = tuple(entry for entry in state.early if entry != fact.entry)
    walkovers = {id: each for id, each in state.fixed_walkovers.items() if fact.entry != _loser(each)}
    return replace(state, withdrawn=left, fixed_walkovers=walkovers, early=early, amended=state.seq + 1)


def _loser(walkover: Walkover) -> str:
    return walkover.away if walkover.winner == "home" else walkover.home


def check_start(state: TournamentState, fact: fa.Start) -> None:
    """Check that there are enough entries for every group."""
    if state.started:
        raise refusal("started_already")
    groups = state.plan.stages[0].groups
    if len(state.entries) < MIN_GROUP_SIZE * groups:
        raise refusal("too_few_entries", least=MIN_GROUP_SIZE * groups)


def apply_start(state: TournamentState, fact: fa.Start) -> TournamentState:
    """Create the first stage from the entries."""
    return replace(state, started=True)


def check_unstart(state: TournamentState, fact: fa.Unstart) -> None:
    """Check that nothing has come of the start: no match has begun and no round is drawn."""
    _check_started(state)
    if state.draws:
        raise refusal("round_drawn", round=len(state.draws))
    _check_none_begun(state, tuple(progress_of(state).matches.values()))


def apply_unstart(state: TournamentState, fact: fa.Unstart) -> TournamentState:
    """Open the registration again. Entries that withdrew after the start are out, as before the start."""
    here = {id: entry for id, entry in state.entries.items() if id not in state.withdrawn}
    return replace(state, started=False, entries=here, withdrawn=(), fixed_walkovers={}, early=())


def _check_none_begun(state: TournamentState, matches: Iterable[Match]) -> None:
    """Check that no match is called or has a result. Raises: Refusal, with the first match that has begun."""
    for match in matches:
        if match.status == "called":
            raise refusal("is_called", match=match_name(state, match), table=match.table)
        if state.reports.get(match.id):
            raise refusal("has_result", match=match_name(state, match))


def loses_results(before: TournamentState, after: TournamentState) -> bool:
    """Return whether a result that counts in one state no longer counts in the other."""
    now = progress_of(after).matches
    return any(
        match.status == "done" and (id not in now or now[id].status not in ("done", "annulled"))
        for id, match in progress_of(before).matches.items()
    )


def open_question_ids(state: TournamentState) -> tuple[str, ...]:
    """Return the ids of the open questions."""
    return tuple(question.id for question in progress_of(state).questions)


# Draws, seeds of a later stage, and the organiser's answers.


SWISS_GROUP = "A"
"""The only group of a Swiss stage."""


def propose_draw(state: TournamentState) -> fa.Draw:
    """Return the next Swiss round as a `Draw`. Raises: Refusal, if none can be drawn now."""
    _check_next_round(state)
    stage = progress_of(state).stages[0]
    return propose_round(state, stage.plan, stage.tables[SWISS_GROUP], state.draws)


def propose_seed(state: TournamentState) -> fa.Seed:
    """Return the seeds of the next stage from the standings. Raises: Refusal, if the previous stage is not over."""
    number = len(state.seeded) + 2
    return fa.Seed(number, _qualified(state, number))


def _check_next_round(state: TournamentState) -> None:
    _check_started(state)
    first = state.plan.stages[0]
    if first.kind != "swiss":
        raise refusal("no_draw")
    if len(state.draws) >= first.rounds:
        raise refusal("no_more_rounds", rounds=first.rounds)
    stage = progress_of(state).stages[0]
    if stage.questions:
        raise refusal("question_open")
    if not all(tie.over for tie in stage.ties):
        raise refusal("round_not_over", round=len(state.draws))
    if len(swiss_players(state, stage.tables[SWISS_GROUP], state.draws)) < MIN_ENTRIES:
        raise refusal("too_few_entries", least=MIN_ENTRIES)


def _check_started(state: TournamentState) -> None:
    if not state.started:
        raise refusal("not_started")


def check_draw(state: TournamentState, fact: fa.Draw) -> None:
    """Check a draw: it is the proposal, or was made by hand.

    A draw by hand must list each entry once. It must not give a second bye before every entry has had one.
    """
    _check_next_round(state)
    if fact.stage != 1 or fact.round != len(state.draws) + 1:
        raise refusal("wrong_round", round=len(state.draws) + 1)
    if not fact.by_hand:
        if fact != propose_draw(state):
            raise refusal("not_the_draw")
        return
    field = swiss_players(state, progress_of(state).stages[0].tables[SWISS_GROUP], state.draws)
    named = Counter(id for pair in fact.pairs for id in pair)
    named.update([fact.bye] if fact.bye else [])
    if named != Counter(player.entry for player in field):
        raise refusal("not_each_once")
    byes = {player.entry: player.byes for player in field}
    if fact.bye is not None and byes[fact.bye] > min(byes.values()):
        raise refusal("second_bye", entry=entry_name(state, fact.bye))


def apply_draw(state: TournamentState, fact: fa.Draw) -> TournamentState:
    """Record the draw."""
    return replace(state, draws=(*state.draws, DrawnRound(fact, state.seq + 1)))


def _newest_draw(state: TournamentState, round: int) -> fa.Draw:
    """Return the draw of the newest round, which must be this one. Raises: Refusal."""
    if not state.draws:
        raise refusal("nothing_drawn")
    if round != len(state.draws):
        raise refusal("not_the_newest", round=len(state.draws))
    return state.draws[-1].draw


def _matches_of_round(state: TournamentState, round: int) -> tuple[Match, ...]:
    """Return the matches of a Swiss round."""
    return tuple(
        match for match in progress_of(state).matches.values() if (match.kind, match.round) == ("swiss", round)
    )


def check_undraw(state: TournamentState, fact: fa.Undraw) -> None:
    """Check that it is the newest round, and that none of its matches has begun."""
    _newest_draw(state, fact.round)
    _check_none_begun(state, _matches_of_round(state, fact.round))


def apply_undraw(state: TournamentState, fact: fa.Undraw) -> TournamentState:
    """Take the round back."""
    return replace(state, draws=state.draws[:-1])


def check_swap(state: TournamentState, fact: fa.Swap) -> None:
    """Check that both entries are in the newest round, and that neither of their matches has begun.

    Nobody gets a second bye before everyone has had one.
    """
    draw = _newest_draw(state, fact.round)
    matches = [match for match in _matches_of_round(state, fact.round) if {fact.one, fact.other} & set(match.seats)]
    if fact.one == fact.other or {fact.one, fact.other} - {seat for match in matches for seat in match.seats}:
        raise refusal("not_in_round", round=fact.round)
    _check_none_begun(state, matches)
    after = swapped(draw, fact)
    if after.bye is not None and after.bye != draw.bye:
        had = [each.draw.bye for each in state.draws[:-1]]
        if had.count(after.bye) > min(had.count(entry) for entry in active_entries(state)):
            raise refusal("second_bye", entry=entry_name(state, after.bye))


def apply_swap(state: TournamentState, fact: fa.Swap) -> TournamentState:
    """Put the changed draw in the place of the newest one."""
    newest = state.draws[-1]
    return replace(state, draws=(*state.draws[:-1], replace(newest, draw=swapped(newest.draw, fact))))


def check_unseed(state: TournamentState, fact: fa.Unseed) -> None:
    """Check that it is the newest seeded stage, and that none of its matches has begun."""
    if fact.stage not in state.seeded or fact.stage != max(state.seeded):
        raise refusal("no_such_stage", stage=fact.stage)
    _check_none_begun(state, (match for match in progress_of(state).matches.values() if match.stage == fact.stage))


def apply_unseed(state: TournamentState, fact: fa.Unseed) -> TournamentState:
    """Take the seeds of the stage back."""
    return replace(state, seeded={stage: made for stage, made in state.seeded.items() if stage != fact.stage})


def check_seed(state: TournamentState, fact: fa.Seed) -> None:
    """Check that each qualified entry is listed once. The organiser chooses the order."""
    if fact.stage != len(state.seeded) + 2 or fact.stage > len(state.plan.stages):
        raise refusal("no_such_stage", stage=fact.stage)
    if Counter(fact.order) != Counter(_qualified(state, fact.stage)):
        raise refusal("not_the_qualified")


def _qualified(state: TournamentState, number: int) -> tuple[str, ...]:
    _check_started(state)
    if number > len(state.plan.stages):
        raise refusal("no_such_stage", stage=number)
    before = progress_of(state).stages[number - 2]
    if before.questions:
        raise refusal("question_open")
    if before.qualified is None:
        raise refusal("stage_not_over", stage=number - 1)
    if len(before.qualified) < MIN_ENTRIES:
        raise refusal("too_few_entries", least=MIN_ENTRIES)
    return before.qualified


def apply_seed(state: TournamentState, fact: fa.Seed) -> TournamentState:
    """Set the seeds of the stage's bracket."""
    computed = progress_of(state).stages[fact.stage - 2].qualified or fact.order
    return replace(state, seeded={**state.seeded, fact.stage: SeededStage(fact.order, computed, state.withdrawn)})


def find_question(state: TournamentState, id: str) -> OrganiserQuestion:
    """Return the open question of an id. Raises: Refusal."""
    found = next((each for each in progress_of(state).questions if each.id == id), None)
    if found is None:
        raise refusal("unknown_question", question=id)
    return found


RANKING_CHOICES = ("order", "lot")
"""Answers that list the entries in their order: as the organiser ruled, or as lots were drawn."""


def check_rule(state: TournamentState, fact: fa.Rule) -> None:
    """Check that the choice is offered, and that an order lists each entry concerned once."""
    asked = find_question(state, fact.question)
    if fact.choice not in asked.choices:
        raise refusal("unknown_choice", choice=fact.choice)
    if fact.choice in RANKING_CHOICES and Counter(fact.order) != Counter(asked.entries):
        raise refusal("not_the_level")


def apply_rule(state: TournamentState, fact: fa.Rule) -> TournamentState:
    """Record the answer. The answer `redraw` removes the newest round."""
    draws = state.draws[:-1] if fact.choice == "redraw" else state.draws
    return replace(state, rulings={**state.rulings, fact.question: fact}, draws=draws)


# Results: sent by tables, corrected, forfeited, annulled; and cards kept between rounds.


def find_match(state: TournamentState, id: str) -> Match:
    """Return the match of an id. Raises: Refusal."""
    if not state.started:
        raise refusal("not_started")
    match = progress_of(state).matches.get(id)
    if match is None:
        raise refusal("unknown_match", match=id)
    return match


def find_open_match(state: TournamentState, id: str) -> Match:
    """Return the match of an id that awaits its result. Raises: Refusal."""
    match = find_match(state, id)
    if match.status == "waiting":
        raise refusal("sides_unknown", match=match_name(state, match))
    if match.over:
        raise refusal("over_already", match=match_name(state, match))
    return match


def _check_sides(state: TournamentState, match: Match, fact: fa.Outcome) -> None:
    if (fact.home, fact.away) != match.seats:
        raise refusal("other_sides", match=match_name(state, match))


BESIDES_THE_SCORE = ("shootout", "concession", FORFEIT)
"""Endings reported by a game in which one side wins whatever the score."""


def _check_winner(state: TournamentState, match: Match, fact: fa.Outcome) -> None:
    """Check that the winner fits the score. A level match in a knock-out is decided by the shoot-out."""
    leads = winner_by_score(fact.score)
    if fact.winner in ("score", leads) or (fact.by in BESIDES_THE_SCORE and fact.winner is not None):
        return
    if leads is not None and not _by_shoot_out(state, match, fact):
        raise refusal("winner_against_score", home=fact.score[0], away=fact.score[1])
    if leads is None and (state.plan.stages[match.stage - 1].table or not _by_shoot_out(state, match, fact)):
        raise refusal("winner_of_level", home=fact.score[0], away=fact.score[1])


def _by_shoot_out(state: TournamentState, match: Match, fact: fa.Outcome) -> bool:
    """Return whether the score leads to a shoot-out.

    It does in a level single match, and in a second leg that leaves everything level.
    """
    if match.leg == 0:
        return winner_by_score(fact.score) is None
    first = progress_of(state).ties[match.tie].matches[0].score
    if match.leg == 1 or first is None or fact.winner is None:
        return False
    sums = first[0] + fact.score[1], first[1] + fact.score[0]
    return sums[0] == sums[1] and first[1] == fact.score[1]


def check_result(state: TournamentState, fact: fa.Result) -> None:
    """Check that the match is open and the sides fit."""
    match = find_open_match(state, fact.match)
    _check_sides(state, match, fact)
    _check_winner(state, match, fact)


def apply_result(state: TournamentState, fact: fa.Result) -> TournamentState:
    """Record the result and free the table."""
    return _reported(state, _report(fact))


def check_correct(state: TournamentState, fact: fa.Correct) -> None:
    """Check a changed result: the match must have one already."""
    match = find_match(state, fact.match)
    if match.status not in ("done", "annulled") or not state.reports.get(fact.match):
        raise refusal("no_result", match=match_name(state, match))
    _check_sides(state, match, fact)
    _check_winner(state, match, fact)


def apply_correct(state: TournamentState, fact: fa.Correct) -> TournamentState:
    """Record the new result. The old one stays in the history."""
    before = state.reports[fact.match][-1]
    clock = before.clock if fact.clock is None else fact.clock
    report = replace(_report(fact), clock=clock, why=fact.why)
    return replace(_reported(state, report), amended=state.seq + 1)


def check_forfeit(state: TournamentState, fact: fa.Forfeit | fa.DoubleForfeit) -> None:
    """Check that the match is open."""
    find_open_match(state, fact.match)


def apply_forfeit(state: TournamentState, fact: fa.Forfeit) -> TournamentState:
    """Record a win of the other side with the forfeit score of the points (FC-17.3)."""
    match = progress_of(state).matches[fact.match]
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


def apply_double_forfeit(state: TournamentState, fact: fa.DoubleForfeit) -> TournamentState:
    """Record that neither side wins; in a bracket nobody advances."""
    match = progress_of(state).matches[fact.match]
    report = Report(
        fact.match, match.home or "", match.away or "", (0, 0), None, DOUBLE_FORFEIT, fact.clock, None, fact.why
    )
    return _reported(state, report)


def check_annul(state: TournamentState, fact: fa.Annul) -> None:
    """Check that no later match depends on the result; otherwise only a correction is possible."""
    match = find_match(state, fact.match)
    if valid_report(state, fact.match, match.home, match.away) is None:
        raise refusal("no_result", match=match_name(state, match))
    later = match.kind == "swiss" and len(state.draws) > match.round
    after = apply_annul(state, fact)
    others = replace(state, reports={**after.reports, fact.match: state.reports[fact.match]})
    if (
        later
        or _others_lost(others, after, fact.match)
        or set(open_question_ids(after)) - set(open_question_ids(state))
    ):
        raise refusal("played_on")


def _others_lost(before: TournamentState, after: TournamentState, match: str) -> bool:
    """Return whether another result would stop counting, or another match already uses the annulled result."""
    ties = progress_of(before).ties[progress_of(before).matches[match].tie].node
    used = any(
        state_match.status in ("done", "called")
        for tie in progress_of(before).ties.values()
        if ties.id in (tie.node.home.of, tie.node.away.of)
        for state_match in tie.matches
    )
    stage = progress_of(before).matches[match].stage
    return used or stage + 1 in before.seeded or _lost_besides(before, after, match)


def _lost_besides(before: TournamentState, after: TournamentState, match: str) -> bool:
    gone = {id: reports for id, reports in before.reports.items() if id != match}
    return loses_results(replace(before, reports=gone), after)


def apply_annul(state: TournamentState, fact: fa.Annul) -> TournamentState:
    """Reopen the match."""
    reports = {id: each for id, each in state.reports.items() if id != fact.match}
    return replace(state, reports=reports, amended=state.seq + 1)


def check_keep(state: TournamentState, fact: fa.Keep) -> None:
    """Check that the entry played the match and stays within the threshold of the round.

    A choice may be changed until the entry is called to another match or has played it.
    """
    match = find_match(state, fact.match)
    if match.status != "done":
        raise refusal("no_result", match=match_name(state, match))
    if fact.entry not in match.seats:
        raise refusal("not_theirs", match=match_name(state, match))
    threshold = headers.threshold_after(state, match)
    if threshold is None:
        raise refusal("nothing_kept", match=match_name(state, match))
    if _keeps(state, fact) and _has_gone_on(state, fact):
        raise refusal("kept_already", match=match_name(state, match))
    if max(fact.player_cost if fact.player else 0, fact.tactic_cost if fact.tactic else 0) > threshold:
        raise refusal("over_threshold", threshold=threshold)


def _keeps(state: TournamentState, fact: fa.Keep) -> list[fa.Keep]:
    """Return what the entry has kept after this match; at most one."""
    return [keep for keep in state.kept if (keep.match, keep.entry) == (fact.match, fact.entry)]


def _has_gone_on(state: TournamentState, fact: fa.Keep) -> bool:
    """Return True if the entry is called to a match after this one or has played it."""
    matches = list(progress_of(state).matches.values())
    later = matches[[match.id for match in matches].index(fact.match) + 1 :]
    return any(fact.entry in match.seats and match.status in ("called", "done") for match in later)


def apply_keep(state: TournamentState, fact: fa.Keep) -> TournamentState:
    """Record the kept cards in the place of an earlier choice."""
    before = _keeps(state, fact)
    return replace(state, kept=(*(keep for keep in state.kept if keep not in before), fact))


def _report(fact: fa.Outcome) -> Report:
    winner = winner_by_score(fact.score) if fact.winner == "score" else fact.winner
    return Report(fact.match, fact.home, fact.away, fact.score, winner, fact.by, fact.clock, fact.carry)


def _reported(state: TournamentState, report: Report) -> TournamentState:
    calls = {id: call for id, call in state.calls.items() if id != report.match}
    began = state.calls.get(report.match)
    history = (*state.reports.get(report.match, ()), report)
    state = _with_seeds_fixed(state, report.match)
    lengths = dict(state.lengths)
    if began is not None and report.clock is not None and report.clock > began.clock:
        lengths[report.match] = (began.clock, report.clock)
    return replace(state, reports={**state.reports, report.match: history}, calls=calls, lengths=lengths)


def _with_seeds_fixed(state: TournamentState, match: str) -> TournamentState:
    """Fix the seeds of a bracket at its first result, including changes by withdrawals."""
    stage = progress_of(state).matches[match].stage
    if stage not in state.seeded or has_results(state, stage):
        return state
    before, now = progress_of(state).stages[stage - 2 : stage]
    order = tuple(seat for seat in now.seeds if seat)
    made = SeededStage(order, before.qualified or order, state.withdrawn)
    return replace(state, seeded={**state.seeded, stage: made})


# Tables: calls, cancelled calls, closed and reopened tables.


def check_call(state: TournamentState, fact: fa.Call) -> None:
    """Check that both sides are known and not playing, and that the table is free."""
    _check_known(state, fact.table)
    match = find_open_match(state, fact.match)
    if match.status != "ready":
        raise refusal("not_ready", match=match_name(state, match), table=match.table)
    if fact.table in state.closed:
        raise refusal("table_closed", table=fact.table)
    if any(call.table == fact.table for call in state.calls.values()):
        raise refusal("table_busy", table=fact.table)
    matches = progress_of(state).matches
    playing = {seat for id in state.calls for seat in matches[id].seats}
    if playing & set(match.seats):
        raise refusal("entry_busy", match=match_name(state, match))


def apply_call(state: TournamentState, fact: fa.Call) -> TournamentState:
    """Assign the match to the table."""
    return replace(state, calls={**state.calls, fact.match: fact})


def check_uncall(state: TournamentState, fact: fa.Uncall) -> None:
    """Check that the match was called."""
    match = find_match(state, fact.match)
    if fact.match not in state.calls:
        raise refusal("not_called", match=match_name(state, match))


def apply_uncall(state: TournamentState, fact: fa.Uncall) -> TournamentState:
    """Return the match to the queue."""
    return replace(state, calls={id: call for id, call in state.calls.items() if id != fact.match})


def check_table(state: TournamentState, fact: fa.Table) -> None:
    """Check that the table is in the plan. A table in use may be closed: its match continues to the end."""
    _check_known(state, fact.table)


def apply_table(state: TournamentState, fact: fa.Table) -> TournamentState:
    """Close or open the table."""
    closed = set(state.closed) - {fact.table} | (set() if fact.open else {fact.table})
    return replace(state, closed=tuple(sorted(closed)))


def _check_known(state: TournamentState, table: int) -> None:
    if table > state.plan.tables:
        raise refusal("unknown_table", table=table, tables=state.plan.tables)


_RULES: dict[
    type[fa.Fact], tuple[Callable[[TournamentState, Any], None], Callable[[TournamentState, Any], TournamentState]]
] = {
    fa.Enter: (check_enter, apply_enter),
    fa.Edit: (check_edit, apply_edit),
    fa.Withdraw: (check_withdraw, apply_withdraw),
    fa.Readmit: (check_readmit, apply_readmit),
    fa.Start: (check_start, apply_start),
    fa.Draw: (check_draw, apply_draw),
    fa.Seed: (check_seed, apply_seed),
    fa.Swap: (check_swap, apply_swap),
    fa.Undraw: (check_undraw, apply_undraw),
    fa.Unseed: (check_unseed, apply_unseed),
    fa.Unstart: (check_unstart, apply_unstart),
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


def decide(state: TournamentState, fact: fa.Fact) -> Refusal | None:
    """Return why an event cannot be recorded now, or None. An event that could not be parsed again is refused too."""
    try:
        fa.parse(fa.to_json(fact))
        _RULES[type(fact)][0](state, fact)
    except Refusal as reason:
        return reason
    return None


def apply(state: TournamentState, fact: fa.Fact) -> TournamentState:
    """Return the state after a decided event."""
    return replace(_RULES[type(fact)][1](state, fact), seq=state.seq + 1)


def replay_facts(plan: Plan, facts: Iterable[fa.Fact]) -> TournamentState:
    """Return the state after the events of a journal. Raises: Refusal, of the first invalid event."""
    state = initial_state(plan)
    for fact in facts:
        reason = decide(state, fact)
        if reason is not None:
            raise reason
        state = apply(state, fact)
    return state
