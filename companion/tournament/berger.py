"""Round robins by the Berger tables (FIDE Handbook C.05, annex 1)."""

from __future__ import annotations

from collections.abc import Sequence

from companion.tournament.values import NOBODY


def rounds(entries: Sequence[str], cycles: int = 1) -> tuple[tuple[tuple[str, str], ...], ...]:
    """The rounds, each with its pairs, home first. Of an odd number one pauses in each round and is in no pair.

    The second cycle is the first with home and away exchanged.

    >>> rounds(["a", "b", "c", "d"])
    ((('a', 'd'), ('b', 'c')), (('d', 'c'), ('a', 'b')), (('b', 'd'), ('c', 'a')))
    """
    seats = [*entries, *([NOBODY] if len(entries) % 2 else [])]
    if len(seats) < 2:
        return ()
    first = [_round(seats, number) for number in range(len(seats) - 1)]
    second = [tuple((away, home) for home, away in pairs) for pairs in first]
    return tuple(pairs for cycle in range(cycles) for pairs in (second if cycle % 2 else first))


def _round(seats: list[str], number: int) -> tuple[tuple[str, str], ...]:
    """The last seat meets the others in steps of half the field; around its opponent the others meet crosswise."""
    circle = len(seats) - 1
    centre = number * (len(seats) // 2) % circle
    last = seats[-1]
    pairs = [(last, seats[centre]) if number % 2 else (seats[centre], last)]
    for apart in range(1, len(seats) // 2):
        pairs.append((seats[(centre + apart) % circle], seats[(centre - apart) % circle]))
    return tuple(pair for pair in pairs if NOBODY not in pair)
