"""The header of a tournament's match: what was chosen at the table, and over it what the tournament decided. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.base import Fields
from companion.tournament.mark import MARK

_BY_SIDE = ("rosters", "coaches")
"""Keys of `setup` that hold something for each side, in the game whose sides may be called anything (NBA-1.1)."""


def completed(prepared: Fields, decided: Fields) -> dict[str, Any]:
    """The header with the tournament's names, its keys of `setup`, and its mark.

    Where the game leaves the ids of the sides open, they become the tournament's, in the same order.
    """
    sides: Mapping[str, Any] = decided.get("sides", {})
    ids = same_sides(prepared["sides"], sides)
    named = {ids[side]: {**shown, **sides.get(ids[side], {})} for side, shown in prepared["sides"].items()}
    setup = {key: _renamed(key, value, ids) for key, value in prepared.get("setup", {}).items()}
    made = {**prepared, "sides": named, "setup": {**setup, **decided.get("setup", {})}}
    return {**made, MARK: decided[MARK]} if MARK in decided else made


def same_sides(prepared: Mapping[str, Any], decided: Mapping[str, Any]) -> dict[str, str]:
    """Which side of the tournament each side of a preparation is: the one of the same id, else of the same place."""
    if not decided or set(prepared) & set(decided):
        return {side: side for side in prepared}
    return {side: (list(decided) + list(prepared)[len(decided) :])[place] for place, side in enumerate(prepared)}


def _renamed(key: str, value: Any, ids: Mapping[str, str]) -> Any:
    if key == "first" and isinstance(value, str):
        return ids.get(value, value)
    if key in _BY_SIDE and isinstance(value, Mapping):
        return {ids.get(side, side): each for side, each in value.items()}
    return value
