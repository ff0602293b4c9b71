"""Remembers the dice of the last rolls, so that a light is known also where a roll shows few dice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import dist

from vision.white_balance.dice import Comparison, DiceLight, Witness
from vision.white_balance.light import Colour

_ALIKE = 0.06
_OF_A_KIND = 2
"""Of dice nearer to each other than `_ALIKE` (encoded) so many are remembered: the rest tell nothing more."""


class LightMemory:
    """The light over one tray, learnt roll by roll. Not to be shared between threads."""

    def __init__(self, palette: Mapping[str, Colour], most: int = 16) -> None:
        """`palette`: the set's colours; `most`: dice that are remembered. Raises ValueError for an empty palette."""
        if not palette:
            raise ValueError("an empty palette: the colours that the dice can have are needed")
        self._palette = dict(palette)
        self._most = most
        self._dice: list[Witness] = []

    def see(self, dice: Sequence[Witness]) -> DiceLight:
        """What the new dice and those remembered say together; `colours` are of the new ones only, in their order.

        That the light may have been changed since the last roll is reckoned with; when it most likely was, the dice
        from before are forgotten. Raises KeyError for a chance of a colour that the palette lacks.
        """
        compared = Comparison(dice, self._dice, self._palette)
        if compared.changed > 0.5:
            self._dice.clear()
        self._remember(dice)
        return compared.judged()

    def _remember(self, dice: Sequence[Witness]) -> None:
        """The newest first; what was seen often enough since is let go."""
        kept: list[Witness] = []
        for one in [*dice, *self._dice]:
            if sum(dist(one.colour, other.colour) < _ALIKE for other in kept) < _OF_A_KIND:
                kept.append(one)
        self._dice = kept[: self._most]
