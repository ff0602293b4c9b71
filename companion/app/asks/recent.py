"""What players picked lately: in a long list it stands first, before the other things that are legal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.games.base import Ask, Option

KEPT = 8
"""Picks remembered for each thing that is asked."""


class Recent:
    """The newest picks by the field that they answered; forgotten when the app ends."""

    def __init__(self) -> None:
        self._picked: dict[str, list[Any]] = {}

    def remember(self, ask: Ask, value: Any) -> None:
        """A value has been picked."""
        known = self._picked.setdefault(ask.field, [])
        if value in known:
            known.remove(value)
        known.insert(0, value)
        del known[KEPT:]

    def first(self, ask: Ask) -> tuple[Option, ...]:
        """The options as a long list shows them: legal before barred, lately picked before the others."""
        known: Sequence[Any] = self._picked.get(ask.field, ())

        def rank(option: Option) -> tuple[bool, int]:
            lately = known.index(option.value) if option.value in known else len(known)
            return option.barred is not None, lately

        return tuple(sorted(ask.options, key=rank))
