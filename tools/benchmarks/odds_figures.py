"""Comparison of an exact figure with a million simulated throws; the type returned by the samplers of all games."""

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
    """An exact figure and its simulation.

    - `exact`: a probability or a mean.
    - `mean`: the simulated mean.
    - `deviation`: standard deviation of a single throw.
    """

    name: str
    exact: Fraction
    mean: float
    deviation: float
    throws: int

    @property
    def z(self) -> float:
        """Deviation in standard errors; infinite if all throws are equal but the mean differs."""
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
    """A function that simulates the dice of one game by its rules, independently of its odds code."""

    def __call__(self, chance: np.random.Generator, throws: int) -> Iterator[Figure]: ...


def chance_of(name: str, exact: Fraction, sample: Sample) -> Figure:
    """Return the figure of a probability. Its spread follows from the exact value."""
    share = float(exact)
    return Figure(name, exact, float(sample.mean()), (share * (1 - share)) ** 0.5, sample.size)


def mean_of(name: str, exact: Fraction, sample: Sample) -> Figure:
    """Return the figure of a mean. Its spread is that of the throws."""
    return Figure(name, exact, float(sample.mean(dtype=float)), float(sample.std(dtype=float)), sample.size)


def chances_of(name: str, exact: Mapping[str, Fraction], samples: Mapping[str, Sample]) -> Iterator[Figure]:
    """Yield the figures of a table of probabilities, by key."""
    for key, sample in samples.items():
        yield chance_of(f"{name} {key}", exact[key], sample)
