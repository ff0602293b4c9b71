"""A fact of the tournament's journal in a few words, for the trace of who decided what."""

from __future__ import annotations

from companion.hub.web.match_words import Names
from companion.tournament import facts as fa
from companion.tournament.outcomes import Match


def fact_name(fact: fa.Fact) -> str:
    """The kind of a fact, as journals name it."""
    return fa.NAMES[type(fact)]


def fact_detail(fact: fa.Fact, names: Names) -> str:
    """Whom or what a fact is about."""
    match = names.course.matches.get(getattr(fact, "match", ""))
    both = [names.both(match)] if match else []
    return " · ".join([*both, *_entries(fact, names), *_course(fact, names, match)])


def _entries(fact: fa.Fact, names: Names) -> list[str]:
    """What a fact says of entries."""
    if isinstance(fact, fa.Enter):
        return [names.seat(fact.entry) if fact.entry in names.state.entries else fact.name]
    if isinstance(fact, fa.Withdraw | fa.Readmit):
        return [names.seat(fact.entry)]
    if isinstance(fact, fa.Seed):
        return [", ".join(names.seat(entry) for entry in fact.order)]
    if isinstance(fact, fa.Keep):
        return [names.seat(fact.entry), *(card for card in (fact.player, fact.tactic) if card)]
    return []


def _course(fact: fa.Fact, names: Names, match: Match | None) -> list[str]:
    """What a fact says of rounds, tables and results."""
    words = names.words
    if isinstance(fact, fa.Draw):
        by_hand = [words.t("web.draw.was_by_hand")] if fact.by_hand else []
        return [words.t("bulletin.swiss", round=fact.round), *by_hand]
    if isinstance(fact, fa.Call | fa.Table):
        return [words.t("web.table", number=fact.table)]
    if isinstance(fact, fa.Outcome):
        return [words.score(fact.score)]
    if isinstance(fact, fa.Forfeit) and match:
        return [names.side(match, fact.side == "home")]
    if isinstance(fact, fa.Rule):
        return [words.t(f"tournament.choice.{fact.choice}"), *(names.seat(entry) for entry in fact.order)]
    return []
