"""Questions that the desk asks before it records something that is allowed, but looks like a mistake."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from companion.games.base import Message
from companion.games.registry import SPECS
from companion.hub.views import Views
from companion.hub.web.entry_lists import near_names
from companion.hub.web.forms import Form
from companion.hub.web.pages import score_of
from companion.tournament import facts as fa
from companion.tournament import rules
from companion.tournament.facts import TournamentState
from companion.tournament.progress import progress_of

ANSWERED = "answered"
"""Form field with the keys of the questions that the organiser has said yes to."""


@dataclass(frozen=True, slots=True)
class DeskQuestion:
    """A question; `key` names it and what it is about, so that a yes does not answer another one."""

    key: str
    message: Message


class Unanswered(Exception):
    """Nothing was recorded: the organiser has to answer first."""

    def __init__(self, questions: tuple[DeskQuestion, ...]) -> None:
        super().__init__(", ".join(each.key for each in questions))
        self.questions = questions


def ask(found: Iterable[DeskQuestion], form: Form) -> None:
    """Raise `Unanswered` if there is a question that the form does not answer."""
    questions = tuple(found)
    if not {each.key for each in questions} <= set(form.get(ANSWERED, ())):
        raise Unanswered(questions)


def about_play(fact: fa.Fact, state: TournamentState, tournament: str, views: Views) -> Iterable[DeskQuestion]:
    """Ask whether a result, a forfeit or a cancelled call counts although a table plays the match, or has played it."""
    if not isinstance(fact, fa.Result | fa.Forfeit | fa.DoubleForfeit | fa.Uncall):
        return
    call, live = state.calls.get(fact.match), views.match(tournament, fact.match)
    if call is None or live is None or live.journal.forgotten is not None:
        return
    score = score_of(live, state.plan.game)
    disputed = any(
        notice.kind == "disputed" and notice.match_ref == live.journal.match_ref for notice in views.notices()
    )
    if live.over and (disputed or (isinstance(fact, fa.Result) and fact.score == score)):
        return
    args = {"table": call.table, "home": score[0], "away": score[1]}
    word = "played" if live.over else "uncall" if isinstance(fact, fa.Uncall) else "playing"
    yield DeskQuestion(f"play:{fact.match}:{live.over}", Message(f"web.ask.{word}", args))


def about_score(fact: fa.Fact, state: TournamentState) -> Iterable[DeskQuestion]:
    """Ask whether a score is right that the game's rules do not allow."""
    if not isinstance(fact, fa.Outcome) or fact.by in rules.BESIDES_THE_SCORE:
        return
    doubt = SPECS[state.plan.game].tournament.score_doubt(state.plan.match, fact.score)
    if doubt is not None:
        args = {"doubt": doubt, "home": fact.score[0], "away": fact.score[1]}
        yield DeskQuestion(f"score:{fact.match}:{fact.score[0]}:{fact.score[1]}", Message("web.ask.score", args))


def about_entries(found: Sequence[fa.Fact], state: TournamentState) -> Iterable[DeskQuestion]:
    """Ask about names that are nearly the same and about equal seeds, of new and of changed entries."""
    new = [fact for fact in found if isinstance(fact, fa.Enter | fa.Edit)]
    changed = {fact.entry for fact in new}
    there = [each for id, each in state.entries.items() if id not in changed and id not in state.withdrawn]
    names = {id: each.name for id, each in state.entries.items()}
    renamed = [each.name for each in new if names.get(each.entry) != each.name]
    for name, other in near_names(renamed, [each.name for each in there]):
        yield DeskQuestion(f"name:{name}|{other}", Message("web.ask.near_name", {"name": name, "other": other}))
    yield from _about_seeds(new, {each.seed: each.name for each in there}, state)


def _about_seeds(
    new: Sequence[fa.Enter | fa.Edit], seeded: dict[int | None, str], state: TournamentState
) -> Iterable[DeskQuestion]:
    """Ask about seeds that are given twice. `seeded`: the name of the entry with each seed."""
    for each in new:
        known = state.entries.get(each.entry)
        if each.seed is None or (known is not None and known.seed == each.seed):
            continue
        if each.seed in seeded:
            args = {"name": each.name, "other": seeded[each.seed], "seed": each.seed}
            yield DeskQuestion(f"seed:{each.seed}|{each.name}", Message("web.ask.equal_seed", args))
        seeded.setdefault(each.seed, each.name)


def about_withdrawal(fact: fa.Fact, state: TournamentState) -> Iterable[DeskQuestion]:
    """Ask about a withdrawal after which results that were played no longer count."""
    if not isinstance(fact, fa.Withdraw) or not state.started or not rules.leaves_early(state, fact.entry):
        return
    played = [match for match in progress_of(state).matches.values() if match.status == "done"]
    if any(fact.entry in match.seats for match in played):
        args = {"name": state.entries[fact.entry].name}
        yield DeskQuestion(f"early:{fact.entry}", Message("web.ask.early", args))


def about_table(fact: fa.Fact, others: Mapping[str, Mapping[str, fa.Call]]) -> Iterable[DeskQuestion]:
    """Ask whether a match is called to a table that another tournament has called one to.

    `others`: the calls of the other tournaments by their names.
    """
    if not isinstance(fact, fa.Call):
        return
    for name, calls in others.items():
        if any(call.table == fact.table for call in calls.values()):
            args = {"table": fact.table, "name": name}
            yield DeskQuestion(f"table:{fact.table}:{name}", Message("web.ask.table", args))
