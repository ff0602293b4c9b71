"""Files of an earlier version open unchanged: journals, configuration, catalogues, calibration, hub.

`earlier_version/` holds backups of a table and of a hub, written by version 0.1.0 before its names changed. They
contain a file of every kind that a user keeps. `expected.json` holds the contents that version 0.1.0 read from them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.clock import SystemClock
from companion.commands.backup import run_restore
from companion.commands.hub.backups import run_hub_restore
from companion.commands.own_dice import FOLDER, dice_memories
from companion.config import Config, read_config
from companion.games.base import Die
from companion.games.footclub.draft import Draft
from companion.games.footclub.screens.selection_store import SelectionStore
from companion.games.registry import GAMES, SPECS
from companion.hub.core import open_core
from companion.journal.store import Store
from companion.link.link_state import load_state
from companion.table.catalogues.card_store import CardStore
from hardware.wiring import read_wiring
from vision.calibration import record

SAMPLES = Path(__file__).parent / "earlier_version"
EXPECTED: dict[str, Any] = json.loads((SAMPLES / "expected.json").read_text(encoding="utf-8"))


@pytest.fixture
def config_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the path of the configuration file, next to an empty data folder."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    path = tmp_path / "config.toml"
    path.write_text("")
    return path


@pytest.fixture
def data(config_file: Path, tmp_path: Path) -> Path:
    """Return the restored data folder of the table."""
    assert run_restore(config_file, SAMPLES / "table.zip", settings=True) == 0
    return tmp_path / "data" / "tapis-vert"


def test_matches_replay_to_the_same_states(data: Path) -> None:
    with Store.open(data / "matches.sqlite", SystemClock()) as store:
        assert store.check() == ()
        views = {}
        for match in store.matches():
            ledger = store.resume(match.id, GAMES).ledger
            view = json.loads(json.dumps(GAMES[match.game].view(ledger.state)))
            views[match.id] = {"game": match.game, "lines": match.lines, "view": view}
            pictures = store.pictures(match.id, match.lines + 1)
            assert [picture.image is not None for picture in pictures] == [True], "the last event keeps its picture"
    assert views == EXPECTED["matches"]


def test_every_key_of_the_configuration_is_read(data: Path, config_file: Path) -> None:
    config = read_config(config_file)
    assert config.table.name == "Table 3"
    untouched = Config()
    for section in ("display", "sound", "camera", "data", "hardware", "hub"):
        assert getattr(config, section) != getattr(untouched, section), section
    assert (config.display.seats, config.display.text_scale, config.sound.voice) == ("facing", 115, "all")
    assert (config.data.csv, config.hub.address, config.camera.source) == (";", "hub.local:4222", "camera:0")
    assert read_wiring(config_file.with_name("pins.toml")) == read_wiring()


def test_catalogues_clubs_and_the_draft_under_way_are_read(data: Path) -> None:
    store = CardStore(data / "catalogues", data / "clubs")
    kinds = [kind for spec in SPECS.values() for kind in spec.catalogues]
    own = {f"{kind.game}/{kind.name}": len(store.rows(kind)) for kind in kinds if store.is_own(kind)}
    assert own == EXPECTED["catalogues"]
    assert [club.name for club in store.all_clubs() if club.path] == EXPECTED["clubs"]
    draft = SelectionStore(data / "catalogues").load()
    assert isinstance(draft, Draft)
    found = {"clubs": list(draft.clubs), "picks": list(draft.picks), "left": len(draft.left)}
    assert found == EXPECTED["draft"]


def test_calibration_own_dice_and_link_are_read(data: Path) -> None:
    calibration = record.load(data / record.FILE_NAME)
    assert calibration is not None
    assert calibration.ground() is not None
    assert (calibration.size, calibration.trials, len(calibration.saved_findings())) == ((1280, 720), 10, 1)
    assert calibration.learnt is not None
    assert dice_memories(GAMES, data / FOLDER)["nba"].is_confirmed(Die("interception", 4, "yellow"))
    state = load_state(data)
    assert (state.address, state.token, state.confirmations["m1"].by) == ("hub.local:4222", "a-token", ("Anna",))


def test_a_hub_goes_on(config_file: Path, tmp_path: Path) -> None:
    assert run_hub_restore(config_file, SAMPLES / "hub.zip", None) == 0
    folder = tmp_path / "data" / "tapis-vert" / "hub"
    core = open_core(f"sqlite:///{folder / 'hub.sqlite'}", GAMES, SystemClock())
    try:
        course = core.tournaments.progress(EXPECTED["hub"]["id"])
        matches = {
            id: {"status": match.status, "score": list(match.score) if match.score else None}
            for id, match in course.matches.items()
        }
        assert matches == EXPECTED["hub"]["matches"]
    finally:
        core.close()
