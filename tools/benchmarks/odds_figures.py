"""An exact figure that players are shown, beside a million throws of it: what the samplers of all games hand over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

THROWS = 1_000_000
Sample = npt.NDArray[Any]
"""One number or truth value for each throw."""


@dataclass(frozen=True, slots=True)
class Figure:
    """What the odds say (`exact`, a chance or a mean) and what was thrown (`mean`, `deviation` of a single throw)."""

    name: str
    exact: Fraction
    mean: float
    deviation: float
    throws: int

    @property
    def z(self) -> float:
        """How many standard errors they are apart; infinite where no throw differs and the mean is still another."""
        gap = abs(self.mean - float(self.exact))
        if not self.deviation:
            return 0.0 if gap < 1e-12 else float("inf")
        return gap / (self.deviation / self.throws**0.5)

    def printed(self) -> dict[str, Any]:
        return {
            "figure": self.name,
            "exact": str(self.exact),
            "simulated": round(self.mean, 6),
            "z": round(self.z, 2),
        }


class Sampler(Protocol):
    """Throws the dice of one game as its rules say, without asking its odds how."""

    def __call__(self, chance: np.random.Generator, throws: int) -> Iterator[Figure]: ...


def chance_of(name: str, exact: Fraction, happened: Sample) -> Figure:
    """A chance; its spread is known from the exact figure."""
    share = float(exact)
    return Figure(name, exact, float(happened.mean()), (share * (1 - share)) ** 0.5, happened.size)


def mean_of(name: str, exact: Fraction, counted: Sample) -> Figure:
    """A mean; its spread is that of the throws."""
    return Figure(name, exact, float(counted.mean(dtype=float)), float(counted.std(dtype=float)), counted.size)


def chances_of(name: str, exact: Mapping[str, Fraction], happened: Mapping[str, Sample]) -> Iterator[Figure]:
    """Every chance of a table, by its key."""
    for key, sample in happened.items():
        yield chance_of(f"{name} {key}", exact[key], sample)
