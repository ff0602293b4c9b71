"""`companion stats`: JSON for programs, text for people, and optional charts."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.commands.test_commands import DONE, REFUSED, companion


def journal(folder: Path, game: str, seed: int) -> str:
    path = folder / f"{game}-{seed}.jsonl"
    assert companion("play", game, "--seed", str(seed), "--out", str(path), home=folder).returncode == DONE
    return str(path)


def test_journals_of_several_games_are_counted_by_game(tmp_path: Path) -> None:
    files = [journal(tmp_path, game, seed) for game, seed in (("footclub", 1), ("footclub", 2), ("occasion", 1))]
    result = companion("stats", *files, "--out", str(tmp_path / "pictures"), home=tmp_path)
    assert result.returncode == DONE, result.stderr
    summary = json.loads(result.stdout)
    assert {game: found["matches"] for game, found in summary["games"].items()} == {"footclub": 2, "occasion": 1}
    for die in summary["games"]["footclub"]["dice"]:
        assert sum(face["seen"] for face in die["faces"].values()) == die["throws"]
        assert die["throws_needed"] > 0
    assert "FootClub" not in result.stdout
    assert "p :" in result.stderr.replace("\N{NO-BREAK SPACE}", " ")
    assert [Path(path).name for path in summary["pictures"]] == ["footclub-dice.png", "footclub-luck.png"]
    for path in summary["pictures"]:
        assert Path(path).read_bytes().startswith(b"\x89PNG")


def test_a_journal_that_breaks_a_rule_is_refused_with_its_line(tmp_path: Path) -> None:
    path = Path(journal(tmp_path, "occasion", 1))
    path.write_text(path.read_text("utf-8") + '{"event": "dance"}\n', "utf-8")
    result = companion("stats", str(path), home=tmp_path)
    assert result.returncode == REFUSED
    assert result.stdout == ""
    assert "OC-1.2" in result.stderr


def test_a_journal_named_twice_counts_once(tmp_path: Path) -> None:
    path = journal(tmp_path, "occasion", 1)
    result = companion("stats", path, str(Path(path).parent / "." / Path(path).name), home=tmp_path)
    assert result.returncode == DONE
    assert json.loads(result.stdout)["games"]["occasion"]["matches"] == 1
    assert f"{path}: " in result.stderr


def test_a_missing_journal_is_named(tmp_path: Path) -> None:
    result = companion("stats", "nowhere.jsonl", home=tmp_path)
    assert result.returncode == REFUSED
    assert "nowhere.jsonl" in result.stderr


def test_other_commands_do_not_wait_for_the_pictures(tmp_path: Path) -> None:
    path = journal(tmp_path, "occasion", 2)
    script = (
        "import sys; from pathlib import Path; from companion.commands.stats import run_stats; "
        f"run_stats(None, [Path({path!r})], None); assert 'matplotlib' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
