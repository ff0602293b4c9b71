"""A fact of the tournament's journal in a few words, for the trace of who decided what."""

from __future__ import annotations

from companion.hub.web.match_words import Names
from companion.tournament import facts as fa


def fact_name(fact: fa.Fact) -> str:
    """The kind of a fact, as journals name it."""
    return fa.NAMES[type(fact)]


def fact_detail(fact: fa.Fact, names: Names) -> str:
    """Whom or what a fact is about."""
    words = names.words
    match = names.course.matches.get(getattr(fact, "match", ""))
    parts = [names.both(match)] if match else []
    if isinstance(fact, fa.Enter):
        parts.append(names.seat(fact.entry) if fact.entry in names.state.entries else fact.name)
    elif isinstance(fact, fa.Withdraw | fa.Readmit):
        parts.append(names.seat(fact.entry))
    elif isinstance(fact, fa.Draw):
        parts.append(words.t("bulletin.swiss", round=fact.round))
        parts += [words.t("web.draw.was_by_hand")] if fact.by_hand else []
    elif isinstance(fact, fa.Seed):
        parts.append(", ".join(names.seat(entry) for entry in fact.order))
    elif isinstance(fact, fa.Call | fa.Table):
        parts.append(words.t("web.table", number=fact.table))
    elif isinstance(fact, fa.Outcome):
        parts.append(words.score(fact.score))
    elif isinstance(fact, fa.Forfeit) and match:
        parts.append(names.side(match, fact.side == "home"))
    elif isinstance(fact, fa.Rule):
        parts += [words.t(f"tournament.choice.{fact.choice}"), *(names.seat(entry) for entry in fact.order)]
    elif isinstance(fact, fa.Keep):
        parts += [names.seat(fact.entry), *(card for card in (fact.player, fact.tactic) if card)]
    return " · ".join(parts)
