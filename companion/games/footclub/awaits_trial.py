"""Tries an event out on the situation, so that what is offered is what the rules let pass, and nothing secret shows."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

from companion.games.base import Ask, Barred, Fields, Refusal
from companion.games.footclub.rulebook import RULEBOOK
from companion.games.footclub.state import Club, State
from companion.games.footclub.tables import COPIES, SUPPORTERS


def public(state: State) -> State:
    """The situation as everybody at the table knows it: any card not seen yet may still be in a hand (FC-4.5).

    A choice of cards that a club told the app is left out: neither what is offered nor what is barred betrays it.
    """
    return replace(state, clubs=tuple(_public_club(club) for club in state.clubs))


def _public_club(club: Club) -> Club:
    if club.cards_left is None:
        return club
    unseen = [copies - seen for copies, seen in zip(COPIES.values(), club.discard, strict=True)]
    unseen[SUPPORTERS] -= club.supporters
    return replace(club, cards_left=tuple(unseen))


def tried(state: State, fields: Fields) -> State | Barred:
    """The situation after an event, or why it is not legal."""
    try:
        event = RULEBOOK.parse(fields)
        RULEBOOK.decide(state, event)
    except Refusal as refused:
        return Barred(refused.rule, refused.message)
    return RULEBOOK.apply(state, event)[0]


def barred(state: State, fields: Fields) -> Barred | None:
    """Why an event is not legal, or None."""
    found = tried(state, fields)
    return found if isinstance(found, Barred) else None


def first_legal(
    state: State, event: Fields, answers: Iterable[Fields], settled: Container[str] = ()
) -> Fields | Barred:
    """The first answer that makes a legal event; else why the first one does not.

    Stops at a refusal by a rule in `settled`, which no other answer would avoid. There must be an answer.
    """
    reason: Barred | None = None
    for answer in answers:
        refused = barred(state, {**event, **answer})
        if refused is None:
            return answer
        reason = reason or refused
        if refused.rule in settled:
            return refused
    if reason is None:
        raise ValueError("no answers to try")
    return reason


@dataclass(frozen=True, slots=True)
class Completion:
    """The `data` of an ask whose options cannot all be taken together: says whether a whole set of answers is legal."""

    state: State = field(repr=False)
    event: Fields

    def barred(self, answers: Mapping[str, Any]) -> Barred | None:
        """Why the event with these answers (by field) is not legal, or None."""
        return barred(self.state, {**self.event, **answers})


@dataclass(frozen=True, slots=True)
class Offer:
    """The `data` of the ask for the players offered to a club: legal if two of them may be taken (FC-16.6)."""

    state: State = field(repr=False)
    event: Fields

    def barred(self, answers: Mapping[str, Any]) -> Barred | None:
        """Why no two of the players offered may be taken, or None."""
        pairs = ({**answers, "take": list(pair)} for pair in combinations(answers["offered"], 2))
        found = first_legal(self.state, self.event, pairs)
        return found if isinstance(found, Barred) else None


@dataclass(frozen=True, slots=True)
class TakenFrom:
    """The `data` of an ask whose options are those that an earlier ask, of `field`, was answered with."""

    field: str
    ask: Ask

    def after(self, answers: Mapping[str, Any]) -> Ask:
        """The ask with the options that are left."""
        left = tuple(option for option in self.ask.options if option.value in answers[self.field])
        return replace(self.ask, options=left)
