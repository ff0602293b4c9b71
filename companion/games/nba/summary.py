"""The figures of NBA's boards: the best turn, attacks that scored, rerolls, fatigue, cards bought."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.base import Fields
from companion.games.nba.messages import word
from companion.games.nba.state import State
from companion.games.summary import CountRow, Counts, MatchFigures, PlayedEvent, count_row, share_row, without_empty


def summary(events: Sequence[PlayedEvent[State]]) -> MatchFigures:
    """Return the counts of the events so far."""
    return MatchFigures(rows=_rows(events)) if events else MatchFigures()


def _rows(events: Sequence[PlayedEvent[State]]) -> tuple[CountRow, ...]:
    end = events[-1].after
    sides = end.setup.sides
    best: dict[str, int] = {}
    attacks, scoring, mismatches, rerolls = Counts(), Counts(), Counts(), Counts()
    for event in events:
        for scored in _scored(event):
            side, points = str(scored["side"]), int(scored["points"])
            attacks[side] += 1
            scoring[side] += points > 0
            best[side] = max(best.get(side, 0), points)
        if event.fields["event"] == "mismatch":
            mismatches[event.fields["side"]] += int(event.outcome["points"])
        elif event.fields["event"] == "reroll" and event.before.active is not None:
            rerolls[event.before.active] += 1
    teams = {team.side: team for team in end.teams}
    rows = (
        count_row(word("summary", "best_turn"), best, sides),
        share_row(word("summary", "attacks"), scoring, attacks, sides),
        count_row(word("summary", "mismatches"), mismatches, sides),
        count_row(word("summary", "rerolls"), rerolls, sides),
        count_row(word("summary", "fatigue"), {side: team.taken for side, team in teams.items()}, sides),
        count_row(word("summary", "bought"), {side: len(team.bought) for side, team in teams.items()}, sides),
    )
    return without_empty(rows)


def _scored(event: PlayedEvent[State]) -> Iterator[Fields]:
    """Yield what the attacks that are decided in this event score."""
    yield from event.outcome.get("scored", ()) if event.fields["event"] == "end_turn" else ()
