"""Training of the find confidence: the regression, label faults, and a whole fit on a few rendered scenes."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from tools.training import trust
from tools.training.trust import Examples, coefficients, examples_of, fit, leave_one_out
from vision import dice_sets
from vision.decision.reader import Reader
from vision.decision.trust import FEATURES


def examples(count: int = 4000, seed: int = 0) -> tuple[Examples, np.ndarray]:
    """Return finds whose readings are right with the probabilities of a known logistic model, and its coefficients."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(0, 1, (count, len(FEATURES)))
    rows[:, 0] = 1
    true = rng.normal(0, 1, len(FEATURES))
    right = rng.random(count) < 1 / (1 + np.exp(-rows @ true))
    source = np.where(rng.random(count) < 0.5, "any", "own")
    return Examples(rows, right, right, source), true


def test_the_regression_finds_the_model_behind_its_examples() -> None:
    found, true = examples()
    assert np.abs(fit(found.rows, found.is_read_right) - true).max() < 0.25


def test_a_feature_that_never_varies_gets_no_weight() -> None:
    found, _ = examples()
    found.rows[:, 5] = 0
    assert fit(found.rows, found.is_read_right)[5] == 0


def test_label_faults_of_photographs_do_not_count_and_those_of_drawings_do() -> None:
    found, _ = examples()
    chance = 1 / (1 + np.exp(-found.rows @ fit(found.rows, found.is_read_right)))
    sure = np.flatnonzero(found.is_read_right & (chance > 0.98))[:40]
    clean = coefficients(found)
    found.is_read_right[sure] = False
    found.source = np.where(np.isin(np.arange(len(chance)), sure), "maker/photographs", found.source)
    cleaned = coefficients(found)["read"]
    found.source[:] = "own"
    faulty = coefficients(found)["read"]
    off = [np.abs(np.subtract(list(one.values()), list(clean["read"].values()))).max() for one in (cleaned, faulty)]
    assert off[0] < off[1]


def test_each_source_is_judged_by_a_fit_without_it() -> None:
    found, _ = examples()
    rates = leave_one_out(found, 0.9)
    assert set(rates) == {"any", "own"}
    assert all(rate["certain"] > 0.2 and rate["wrong"] < 0.1 for rate in rates.values())


def test_finds_are_held_against_the_labels_of_their_picture() -> None:
    reader = Reader(dice_sets.load("pips"))
    seen = [one for _, picture, labels in trust.drawn(12, 3) for one in examples_of(reader, picture, labels)]
    there, read = (sum(bool(one[place]) for one in seen) for place in (1, 2))
    assert len(seen) > there >= read > 10


def test_the_command_writes_both_regressions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "trust.json"
    monkeypatch.setattr(sys, "argv", ["trust", str(out), "--scenes", "8"])
    trust.main()
    kept = json.loads(out.read_text())
    assert [tuple(kept[part]) for part in ("die", "read")] == [FEATURES, FEATURES]
    assert json.loads(capsys.readouterr().out)["finds"] > 5
