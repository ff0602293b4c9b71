"""Entries: who takes part, comes late, leaves, comes back; and the start."""

from __future__ import annotations

from dataclasses import replace

from companion.tournament import facts as fa
from companion.tournament.course import course
from companion.tournament.naming import entry_name
from companion.tournament.refusing import refusal
from companion.tournament.state import State, Walkover
from companion.tournament.values import Entry

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
