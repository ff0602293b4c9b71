"""The benchmark of the rules: a state's size includes everything it holds, and no state grows with its journal."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from companion.games.base import Fields
from companion.games.registry import GAMES
from companion.table.autoplay import play
from tools.benchmarks.rules import MAX_BYTES_PER_EVENT, footprint, growth


@dataclass(frozen=True, slots=True)
class Box:
    left: object
    right: object


def test_a_value_weighs_all_that_it_holds_and_everything_once() -> None:
    text = "x" * 1000
    box = Box(text, (text, {"key": text}))
    plain = sum(sys.getsizeof(each) for each in (box, box.right, {"key": text}, "key", text))
    assert footprint(box) == plain


class Hoarder:
    """A game that keeps every event in its state."""

    def initial_state(self, header: Fields) -> tuple[Fields, ...]:
        return ()

    def parse(self, fields: Fields) -> Fields:
        return fields

    def apply(self, state: tuple[Fields, ...], event: Fields) -> tuple[tuple[Fields, ...], dict[str, Any]]:
        return (*state, event), {}


def test_a_state_that_keeps_its_journal_is_found() -> None:
    events = [{"event": "say", "text": f"word {n}"} for n in range(40)]
    assert growth(Hoarder(), [{}, *events]) > MAX_BYTES_PER_EVENT  # type: ignore[arg-type]


@pytest.mark.parametrize("game", GAMES)
def test_no_state_grows_with_its_journal(game: str) -> None:
    """Uses the three longest of ten matches: in a short one the last events outweigh the growth."""
    matches = sorted((list(play(GAMES[game], Random(seed))) for seed in range(10)), key=len)
    for match in matches[-3:]:
        assert growth(GAMES[game], match) < MAX_BYTES_PER_EVENT
