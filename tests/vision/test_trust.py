"""The find confidence: factors that raise and lower it, and a missing or damaged coefficient file."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.vision.test_face_probabilities import classified
from tests.vision.test_named_colours import candidate
from vision import NetError
from vision.classification.classes import NOTHING, PLAIN
from vision.decision import trust
from vision.decision.trust import FEATURES, Subject, TrustModel, features, subject_of


def find(score: float = 0.9, chance: float = 0.98, least: float = 0.97, face: int = 4, edge: float = 40) -> Subject:
    """Return a find of a face that the face networks see with probability `chance`, on a die of `edge` pixels."""
    seen = replace(classified({face: chance, NOTHING: 0.6 * (1 - chance)}), min_view_chance=least)
    return subject_of(replace(candidate(200, 200), score=score, edge=edge), seen)


def column(name: str, *finds: Subject) -> list[float]:
    return features(finds)[:, FEATURES.index(name)].tolist()


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Replace the models folder with an empty one."""
    monkeypatch.setattr(trust, "FOLDER", tmp_path)
    trust._weights.cache_clear()
    yield tmp_path
    trust._weights.cache_clear()


def test_a_clear_find_is_trusted_more_than_a_weak_one_in_every_respect() -> None:
    clear = TrustModel().chances([find()])[0]
    for weak in (find(score=0.4), find(chance=0.6, least=0.6), find(least=0.1), find(edge=9)):
        assert TrustModel().chances([weak])[0].read < clear.read


def test_a_reading_is_never_trusted_more_than_that_a_die_is_there() -> None:
    rng = np.random.default_rng(0)
    finds = [find(*rng.uniform(0.3, 1, 3), face=int(rng.integers(1, 24))) for _ in range(200)]
    assert all(one.read <= one.die for one in TrustModel().chances(finds))


def test_a_find_unlike_the_others_in_size_is_trusted_less() -> None:
    alike, odd = ([find(), find(), find(edge=edge)] for edge in (42, 90))
    model = TrustModel()
    assert model.chances(odd)[2].die < model.chances(alike)[2].die
    assert column("size", *odd)[2] == pytest.approx(np.log(90 / 40))


def test_what_other_finds_there_are_is_a_feature_of_each() -> None:
    assert column("alone", find()) == [1.0]
    assert column("alone", find(), find()) == [0.0, 0.0]
    strong, weak = column("other_score", find(0.9), find(0.3))
    assert strong < weak


def test_marks_are_told_apart() -> None:
    assert column("pips", find(face=6), find(face=PLAIN), find(face=12)) == [1.0, 0.0, 0.0]
    assert column("plain", find(face=6), find(face=PLAIN), find(face=12)) == [0.0, 1.0, 0.0]


def test_no_finds_have_no_trust() -> None:
    assert TrustModel().chances([]) == []
    assert features([]).shape == (0, len(FEATURES))


@pytest.mark.parametrize("kept", [None, "", "{}", '{"die": {}, "read": {}}', "[1]"])
def test_coefficients_that_are_missing_or_damaged_are_named(models: Path, kept: str | None) -> None:
    if kept is not None:
        (models / "trust.json").write_text(kept)
    with pytest.raises(NetError, match=r"trust\.json.*install Tapis Vert again"):
        TrustModel()
