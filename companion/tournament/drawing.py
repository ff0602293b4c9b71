"""Proposes the next Swiss round from the table and the rounds drawn so far. The draw itself is the organiser's."""

from __future__ import annotations

from collections.abc import Sequence

from companion.tournament.facts import Draw
from companion.tournament.standings import Row
from companion.tournament.state import Drawn, State
from companion.tournament.swiss import Player, pair
from companion.tournament.values import Stage


def players(state: State, rows: Sequence[Row], draws: Sequence[Drawn]) -> tuple[Player, ...]:
    """Those who are to be paired, in the order of the table."""
    met: dict[str, list[str]] = {row.entry: [] for row in rows}
    sides: dict[str, list[int]] = {row.entry: [] for row in rows}
    byes = dict.fromkeys(met, 0)
    for drawn in draws:
        for home, away in drawn.draw.pairs:
            met[home].append(away)
            met[away].append(home)
            sides[home].append(1)
            sides[away].append(-1)
        if drawn.draw.bye is not None:
            byes[drawn.draw.bye] += 1
    return tuple(
        Player(
            row.entry,
            row.points,
            tuple(met[row.entry]),
            sum(sides[row.entry]),
            sides[row.entry][-1] if sides[row.entry] else 0,
            byes[row.entry],
        )
        for row in rows
        if row.entry not in state.withdrawn
    )


def proposed(state: State, plan: Stage, rows: Sequence[Row], draws: Sequence[Drawn]) -> Draw:
    """The round after those drawn. Raises ValueError when fewer than two are left."""
    number = len(draws) + 1
    found = pair(players(state, rows, draws), number < plan.rounds)
    return Draw(number, found.pairs, found.bye)
