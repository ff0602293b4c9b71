"""The figures of occasion's boards: goals with their turn, chances, duels won, energies, cards shown."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.base import Message
from companion.games.occasion.messages import player_name, word
from companion.games.occasion.state import State
from companion.games.occasion.tables import SIDES
from companion.games.summary import (
    CountRow,
    Counts,
    MatchFigures,
    PlayedEvent,
    Scorer,
    count_row,
    share_row,
    without_empty,
)


def summary(events: Sequence[PlayedEvent[State]]) -> MatchFigures:
    """Return the goals and the counts of the events so far."""
    scorers = tuple(_scorer(event) for event in events if event.fields["event"] == "goal_scored")
    return MatchFigures(scorers, _rows(events))


def _scorer(event: PlayedEvent[State]) -> Scorer:
    side, player = event.before.attack, event.fields.get("player")
    name = player_name(event.after, player, side) if isinstance(player, str) else None
    return Scorer(side, Message("occasion.summary.when", {"turn": event.before.turn}), name)


def _rows(events: Sequence[PlayedEvent[State]]) -> tuple[CountRow, ...]:
    chances, goals, duels, won, energy, cards = Counts(), Counts(), Counts(), Counts(), Counts(), Counts()
    for event in events:
        name, attack = event.fields["event"], event.before.attack
        if name == "occasion_played":
            chances[attack] += 1
        elif name == "goal_scored":
            goals[attack] += 1
        elif name == "resolve":
            duels.update(SIDES)
            won[event.outcome["duel_winner"]] += 1
        elif name == "reveal":
            energy[event.fields["side"]] += int(event.fields["value"])
        elif name == "foul_called" and event.fields.get("card"):
            cards[event.fields["side"]] += 1
    rows = (
        share_row(word("summary", "chances"), goals, chances, SIDES),
        share_row(word("summary", "duels"), won, duels, SIDES),
        count_row(word("summary", "energy"), energy, SIDES),
        count_row(word("summary", "cards"), cards, SIDES),
    )
    return without_empty(rows)
