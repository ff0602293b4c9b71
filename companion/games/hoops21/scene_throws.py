"""What both teams have thrown, sorted by symbols: the groups that count first, and the number they make."""

from __future__ import annotations

from companion.games.base import Die, Message
from companion.games.figures import DiceGroup, ThrowRow, Throws
from companion.games.hoops21 import shots
from companion.games.hoops21.state import Contest, Counts, State, balls, candidates, highest
from companion.games.hoops21.tables import SIDES, SYMBOLS, Side, Symbol
from companion.games.hoops21.words import symbol, word
from companion.games.wording import listed, signed


def throws(state: State) -> Throws:
    """The dice that lie, of every team that threw."""
    contest = state.lying
    return Throws(tuple(_row(state, contest, side) for side in SIDES if sum(contest.of(side))))


def groups(counts: Counts, counting: tuple[Symbol, ...]) -> tuple[tuple[Symbol, int], ...]:
    """Symbols with their numbers: those that count first, the others by their numbers."""
    found = [(name, count) for name, count in zip(SYMBOLS, counts, strict=True) if count]
    return tuple(sorted(found, key=lambda group: (group[0] not in counting, -group[1])))


def _row(state: State, contest: Contest, side: Side) -> ThrowRow:
    counts = contest.of(side)
    counting = candidates(counts) if contest.kind == "throw" else ("ball",)
    dice = tuple(DiceGroup(Die(side, symbol=name), count, name in counting) for name, count in groups(counts, counting))
    number, label = _number(state, contest, side)
    return ThrowRow(side, dice, number, label)


def _number(state: State, contest: Contest, side: Side) -> tuple[int, Message]:
    """In a throw the highest count and of which symbols; else balls, of a shot with what the section adds."""
    counts = contest.of(side)
    if contest.kind == "throw":
        return highest(counts), listed([symbol(name) for name in candidates(counts)])
    added = shots.modifier(state) if contest.kind == "shot" and side == state.attack else 0
    label = word("term", "balls")
    if added:
        label = Message("hoops21.term.balls_with", {"balls": balls(counts), "added": signed(added)})
    return balls(counts) + added, label
