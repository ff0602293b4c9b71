"""`companion read --regressions`: saved misreadings read again, with their truth and outcome."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.commands import MANIFEST, run_regressions
from vision.drawing.tray import DrawnDie, draw_tray
from vision.messages import message_printer


def case(folder: Path, image: str, values: list[int], drawn: list[int], **more: Any) -> dict[str, Any]:
    """Create a picture of the `drawn` dice, labelled with `values`."""
    dice = [DrawnDie(face=face, x=150 + 120 * i, y=200, edge=46) for i, face in enumerate(drawn)]
    cv2.imwrite(str(folder / image), draw_tray(dice, np.random.default_rng(1)))
    return {"image": image, "set": "pips", "dice": [{"kind": "pips", "value": value} for value in values], **more}


def run(folder: Path, *cases: dict[str, Any], named: bool = True) -> tuple[int, list[dict[str, Any]], str]:
    if cases:
        (folder / MANIFEST).write_text("".join(json.dumps(one) + "\n" for one in cases))
    out, err = io.StringIO(), io.StringIO()
    status = run_regressions(folder, named, out, message_printer(err))
    return status, [json.loads(line) for line in out.getvalue().splitlines()], err.getvalue()


def test_each_case_is_told_with_truth_and_outcome(tmp_path: Path) -> None:
    status, lines, stderr = run(
        tmp_path,
        case(tmp_path, "right.png", [2, 5], [5, 2]),
        case(tmp_path, "wrong.png", [2, 4], [5, 2]),
        case(tmp_path, "asked.png", [5, 2], [5, 2], due={"pips": 3}, count=3),
    )
    assert status == 1
    assert [line["outcome"] for line in lines] == ["exact", "wrong", "asked"]
    assert [line["status"] for line in lines] == ["ok", "ok", "ask"]
    assert lines[0]["image"] == str(tmp_path / "right.png")
    assert [die["value"] for die in lines[1]["truth"]] == [2, 4]
    assert "misreadings read again: 3 (1 exact, 1 asked, 1 wrong)" in stderr


def test_nothing_wrong_is_status_0(tmp_path: Path) -> None:
    status, lines, _ = run(tmp_path, case(tmp_path, "right.png", [6], [6]), case(tmp_path, "none.png", [], []))
    assert (status, [line["outcome"] for line in lines]) == (0, ["exact", "exact"])


def test_a_lost_picture_is_an_error_and_the_others_are_read(tmp_path: Path) -> None:
    lost = {"image": "lost.jpg", "dice": []}
    status, lines, stderr = run(tmp_path, lost, case(tmp_path, "right.png", [6], [6]))
    assert (status, [line["outcome"] for line in lines]) == (1, ["error", "exact"])
    assert "lost.jpg" in stderr
    assert "1 not readable" in stderr


def test_without_any_kept_there_is_nothing_to_fail(tmp_path: Path) -> None:
    status, lines, stderr = run(tmp_path / "misreads", named=False)
    assert (status, lines) == (0, [])
    assert "no misreadings" in stderr


def test_a_folder_that_was_named_must_be_one(tmp_path: Path) -> None:
    status, lines, stderr = run(tmp_path / "elsewhere")
    assert (status, lines) == (2, [])
    assert f"{tmp_path / 'elsewhere' / MANIFEST}: No such file" in stderr


def test_a_set_that_is_gone_is_told_with_its_picture_and_the_others_are_read(tmp_path: Path) -> None:
    gone = {"image": "a.png", "set": "marbles", "dice": []}
    status, lines, stderr = run(tmp_path, gone, case(tmp_path, "right.png", [6], [6]))
    assert (status, [line["outcome"] for line in lines]) == (1, ["error", "exact"])
    assert f"{tmp_path / MANIFEST}, line 1: set: there is no dice set 'marbles'" in stderr


def test_a_name_that_no_file_can_have_is_told_and_the_others_are_read(tmp_path: Path) -> None:
    endless = {"image": "a.png", "set": "y" * 5000 + ".toml", "dice": []}
    status, lines, stderr = run(tmp_path, endless, case(tmp_path, "right.png", [6], [6]))
    assert (status, [line["outcome"] for line in lines]) == (1, ["error", "exact"])
    assert f"{tmp_path / MANIFEST}, line 1: set: the dice set yyy" in stderr


def test_a_kind_that_the_set_has_not_is_told_and_the_others_are_read(tmp_path: Path) -> None:
    strange = case(tmp_path, "strange.png", [6], [6])
    strange["dice"][0]["kind"] = "pipz"
    status, lines, stderr = run(tmp_path, strange, case(tmp_path, "right.png", [6], [6]))
    assert (status, [line["outcome"] for line in lines]) == (1, ["error", "exact"])
    assert f"{tmp_path / MANIFEST}, line 1: die 1: kind: 'pipz' is no kind of the dice set pips" in stderr


def test_a_torn_line_is_told_and_the_others_are_read(tmp_path: Path) -> None:
    whole = json.dumps(case(tmp_path, "right.png", [6], [6]))
    (tmp_path / MANIFEST).write_text(f"{whole}\n{whole[:30]}\n{whole}\n")
    status, lines, stderr = run(tmp_path)
    assert (status, [line["outcome"] for line in lines]) == (1, ["exact", "exact"])
    assert f"{tmp_path / MANIFEST}, line 2: not JSON" in stderr
    assert "misreadings read again: 3 (2 exact, 0 asked, 0 wrong, 1 not readable)" in stderr


def test_a_set_in_a_file_lies_beside_the_pictures(tmp_path: Path) -> None:
    faces = ", ".join(f"{{ value = {value} }}" for value in range(1, 7))
    (tmp_path / "mine.toml").write_text(f"[kinds.mine]\nmarks = 'pips'\nfaces = [{faces}]\n")
    mine = case(tmp_path, "right.png", [6], [6], set="mine.toml")
    mine["dice"] = [{"kind": "mine", "value": 6}]
    status, lines, _ = run(tmp_path, mine)
    assert (status, lines[0]["outcome"], lines[0]["dice"][0]["kind"]) == (0, "exact", "mine")
