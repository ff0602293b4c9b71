"""The matches of simulated tables: tournament header, saved during play, corrected after the end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from companion.clock import ManualClock
from companion.games.registry import GAMES, SPECS
from companion.journal.store import Store
from tools.trials.compare import read_store_journals
from tools.trials.match import SimulatedMatch, random_tournament_header


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "matches.sqlite", ManualClock()) as made:
        yield made


@pytest.mark.parametrize("game", GAMES)
def test_a_match_goes_on_after_a_restart_and_is_corrected_after_its_end(game: str, store: Store) -> None:
    random = Random(f"{game} 1")
    names = {side: {"name": f"Équipe {side}"} for side in SPECS[game].home_sides}
    setup = {"home": "blue", "format": "league"} if game == "footclub" else {}
    header = random_tournament_header(GAMES[game], random, names, setup)
    assert header["sides"] == names
    assert setup.items() <= header["setup"].items()
    match = SimulatedMatch.start(store, GAMES[game], header, random)
    for _ in range(10):
        match.step()
    resumed = SimulatedMatch.resume(store, match.id, GAMES, random)
    assert resumed.ledger.state == match.ledger.state
    while not resumed.step():
        pass
    lines = resumed.lines
    assert resumed.correct_finished()
    assert (resumed.finished, resumed.lines) == (True, lines + 1)
    assert store.matches()[0].ended is not None


def test_what_a_store_holds_is_what_it_exports(store: Store, tmp_path: Path) -> None:
    random = Random(3)
    game = GAMES["hoops21"]
    for _ in range(2):
        match = SimulatedMatch.start(store, game, game.random_header(random), random)
        while not match.step():
            pass
    journals = read_store_journals(store.path)
    assert len(journals) == 2
    for row in store.matches():
        store.export(row.id, tmp_path / "exported.jsonl")
        assert journals[row.epoch] == (tmp_path / "exported.jsonl").read_bytes()
