"""Whether dice are those that are due (HB-1.6), and what they count."""

from __future__ import annotations

from companion.games.hoops21.events import Dice
from companion.games.hoops21.refusing import refusal
from companion.games.hoops21.state import Counts
from companion.games.hoops21.tables import SIDES, SYMBOLS


def check_symbols(dice: Dice) -> None:
    """Every die shows one of the four symbols."""
    if None in dice:
        raise refusal("HB-1.6", "symbol")


def check_dice(dice: Dice, due: int) -> None:
    """As many dice as are due, each with a symbol."""
    if len(dice) != due:
        raise refusal("HB-1.6", "count", n=due, given=len(dice))
    check_symbols(dice)


def check_both(orange: Dice, white: Dice, due: tuple[int, int]) -> None:
    """The dice of both teams."""
    for _, dice, count in zip(SIDES, (orange, white), due, strict=True):
        check_dice(dice, count)


def counted(dice: Dice) -> Counts:
    """Dice by symbol."""
    return tuple([dice.count(symbol) for symbol in SYMBOLS])
