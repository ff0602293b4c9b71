"""What the app finds around its screen: voice, tones, backlight, lock, a way to look at every part. All handed in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Protocol

from companion.app.lock import Lock
from companion.app.papers import Papers
from companion.table.controls import Controls
from companion.table.health import Check


class Voice(Protocol):
    """Says a text in a language (`fr`, `en`) at a volume in percent. No call waits; the newest text cuts the others."""

    def say(self, text: str, language: str, volume: int) -> None: ...

    def hush(self) -> None: ...

    def close(self) -> None: ...


class Chimes(Protocol):
    """Plays a short sound by its name, at a volume in percent."""

    def play(self, name: str, volume: int) -> None: ...

    def close(self) -> None: ...


class Backlight(Protocol):
    """The light behind the panel. `shine` takes a percentage and says whether the panel obeyed."""

    def shine(self, percent: int) -> bool: ...


@dataclass(frozen=True, slots=True)
class House:
    """The parts there are; None for one that is missing: silence, a dark veil, nothing locked, nothing to look at.

    `keyboard`: whether one is plugged in. `kiosk`: the app fills the screen and is all there is. `photograph` takes one
    picture (JPEG) with the camera; it waits for it, and raises OSError or ValueError. `chance` shuffles cards; without
    one handed in it is the same every time. `drawn` is called after every frame, for whoever watches over the app.
    `controls` are the buttons and lights beside the screen.
    """

    voice: Voice | None = None
    chimes: Chimes | None = None
    backlight: Backlight | None = None
    lock: Lock | None = None
    diagnose: Callable[[], Sequence[Check]] | None = None
    papers: Papers | None = None
    keyboard: bool = True
    kiosk: bool = False
    controls: Controls | None = None
    photograph: Callable[[], bytes] | None = None
    drawn: Callable[[], None] | None = None
    chance: Random = field(default_factory=partial(Random, 0))
