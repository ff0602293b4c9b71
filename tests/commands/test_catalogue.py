"""`companion catalogue`: tables are checked, imported and written; a fault gives a message and an exit status."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from companion.cli import app
from companion.games.footclub.catalogues import CLUBS, TEAM
from companion.games.footclub.squads import rows_of, sample_clubs
from companion.table.catalogues.card_store import CardStore, sample
from companion.table.catalogues.csv_tables import format_table, read_table


@pytest.fixture
def config(tmp_path: Path) -> Path:
    file = tmp_path / "config.toml"
    file.write_text(f'[data]\nfolder = "{tmp_path / "data"}"\n', encoding="utf-8")
    return file


def run(config: Path, *arguments: object) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["--config", str(config), "catalogue", *map(str, arguments)])
    assert done.exception is None or isinstance(done.exception, SystemExit)
    return done.exit_code, done.stderr


def card_store(tmp_path: Path) -> CardStore:
    return CardStore(tmp_path / "data" / "catalogues", tmp_path / "data" / "clubs")


def test_a_catalogue_goes_out_and_in_again(tmp_path: Path, config: Path) -> None:
    table = tmp_path / "cartes.csv"
    assert run(config, "export", TEAM.name, "--out", table) == (0, "")
    status, output = run(config, "check", table)
    assert status == 0
    assert "72" in output
    assert run(config, "import", table)[0] == 0
    assert card_store(tmp_path).is_own(TEAM)
    assert card_store(tmp_path).load(TEAM).rows == sample(TEAM).rows


def test_faults_are_said_and_the_rest_is_taken_only_when_asked(tmp_path: Path, config: Path) -> None:
    table = tmp_path / "cartes.csv"
    table.write_bytes(format_table(TEAM, sample(TEAM).rows[:9]).replace(b",4,", b",7,", 1))
    status, output = run(config, "import", table)
    assert status == 2
    assert "cartes.csv, ligne" in output
    assert not card_store(tmp_path).is_own(TEAM)
    assert run(config, "import", table, "--partly")[0] == 0
    assert len(card_store(tmp_path).load(TEAM).rows) == 8
    assert run(config, "import", table, "--partly", "--replace")[0] == 0


def test_clubs_are_taken_over_one_file_each(tmp_path: Path, config: Path) -> None:
    table = tmp_path / "clubs.csv"
    table.write_bytes(format_table(CLUBS, [row for club in sample_clubs()[:2] for row in rows_of(club)]))
    assert run(config, "import", table, "--kind", CLUBS.name)[0] == 0
    assert len([club for club in card_store(tmp_path).all_clubs() if club.path]) == 2
    out = tmp_path / "all.csv"
    assert run(config, "export", CLUBS.name, "--out", out) == (0, "")
    assert read_table("all.csv", out.read_bytes(), CLUBS).faults  # the same two clubs are already among the samples


@pytest.mark.parametrize(
    "arguments",
    [("check", "none.csv"), ("check", "none.csv", "--kind", "cards"), ("export", "cards", "--out", "x.csv")],
    ids=str,
)
def test_what_cannot_be_is_said(config: Path, arguments: tuple[str, ...]) -> None:
    status, output = run(config, *arguments)
    assert status == 2
    assert output.strip()
