"""Remembers the dice of the last rolls, so that a light is known also where a roll shows few dice."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence

from vision.white_balance.dice import DiceLight, Witness, from_dice, one_light
from vision.white_balance.light import Colour

_OTHER_LIGHT = 3.0
"""The dice remembered are forgotten when they and the new ones are e to this power likelier in two lights than one."""


class LightMemory:
    """The light over one tray, learnt roll by roll. Not to be shared between threads."""

    def __init__(self, palette: Mapping[str, Colour], most: int = 40) -> None:
        """`palette`: the set's colours; `most`: dice that are remembered."""
        self._palette = dict(palette)
        self._dice: deque[Witness] = deque(maxlen=most)

    def see(self, dice: Sequence[Witness]) -> DiceLight:
        """What the new dice and those remembered say together; `colours` are of the new ones only, in their order.

        When the new dice do not fit the light of the old ones, the light was changed: the old ones are forgotten.
        """
        if dice and self._dice and one_light(dice, self._dice, self._palette) < -_OTHER_LIGHT:
            self._dice.clear()
        seen = from_dice(dice, self._palette, tuple(self._dice))
        self._dice.extend(dice)
        return seen
