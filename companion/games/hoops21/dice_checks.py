"""Checks that dice are the expected ones (HB-1.6), and counts them."""

from __future__ import annotations

from companion.games.hoops21.events import Dice
from companion.games.hoops21.refusals import refusal
from companion.games.hoops21.state import Counts
from companion.games.hoops21.tables import SIDES, SYMBOLS


def check_symbols(dice: Dice) -> None:
    """Check that every die shows one of the four symbols. Raises: Refusal."""
    if None in dice:
        raise refusal("HB-1.6", "symbol")


def check_dice(dice: Dice, due: int) -> None:
    """Check the number of dice and that each has a symbol. Raises: Refusal."""
    if len(dice) != due:
        raise refusal("HB-1.6", "count", n=due, given=len(dice))
    check_symbols(dice)


def check_both_teams(orange: Dice, white: Dice, due: tuple[int, int]) -> None:
    """Check the dice of both teams. Raises: Refusal."""
    for _, dice, count in zip(SIDES, (orange, white), due, strict=True):
        check_dice(dice, count)


def count_symbols(dice: Dice) -> Counts:
    """Count the dice by symbol."""
    return tuple([dice.count(symbol) for symbol in SYMBOLS])
