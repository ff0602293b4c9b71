"""Parts of the reader without networks: duplicate candidates, and the combination of several looks."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from vision.classification import face_nets
from vision.classification.classes import CLASSES, NOTHING, PLAIN, of_digit
from vision.classification.face_nets import Classification, FaceClassifier
from vision.detection.finder import Candidate, non_max_suppression


def candidate(x: float, y: float, edge: float, score: float, sure: float = 0.9) -> Candidate:
    faces = np.full(8, (1 - sure) / 7, np.float32)
    faces[2] = sure
    half = edge * 0.6
    return Candidate(x, y, edge, (x - half, y - half, x + half, y + half), score, faces)


def test_of_two_finds_of_one_die_the_better_stays() -> None:
    weak, strong = candidate(100, 100, 40, 0.4), candidate(104, 97, 44, 0.8)
    assert non_max_suppression([weak, strong]) == [strong]


def test_dice_that_touch_both_stay() -> None:
    left, right = candidate(100, 100, 40, 0.8), candidate(141, 100, 40, 0.7)
    assert non_max_suppression([left, right]) == [left, right]


def test_a_group_read_as_one_big_die_gives_way_to_the_dice() -> None:
    dice = [candidate(x, y, 30, 0.7) for x in (85, 115) for y in (85, 115)]
    group = candidate(100, 100, 75, 0.75, sure=0.4)
    assert group not in non_max_suppression([group, *dice])


def test_a_pip_read_as_a_die_gives_way_to_the_die() -> None:
    die, pip = candidate(100, 100, 60, 0.8), candidate(112, 112, 13, 0.6)
    assert non_max_suppression([pip, die]) == [die]


Chances = dict[int, float]
WIDTH = CLASSES + 13 + 13 + 4 + 2
"""Outputs of the face network: classes, two times the colours, states, lean."""

TURNS = (0.0, 0.2, np.pi / 2, -np.pi / 2, np.pi, -0.2)
"""The rotation of each look."""

Lean = tuple[float, float]


class _Net:
    """Answers the looks in order with class probabilities, the logit of the first ink in turn, and a lean."""

    def __init__(self, answers: Sequence[Chances], inks: Sequence[float], lean: Lean) -> None:
        self._answers, self._inks, self._lean, self.asked = list(answers), inks, lean, 0

    def run(self, _outputs: None, given: dict[str, Any]) -> list[np.ndarray]:
        out = np.zeros((len(given["crops"]), WIDTH), np.float32)
        for row in out:
            answer = self._answers[min(self.asked, len(self._answers) - 1)]
            rest = (1 - sum(answer.values())) / (CLASSES - len(answer))
            row[:CLASSES] = np.log([answer.get(number, rest) for number in range(CLASSES)])
            row[CLASSES + 13] = self._inks[self.asked % len(self._inks)]
            row[-2:] = self._lean
            self.asked += 1
        return [out]


LookWith = Callable[..., tuple[Classification, int]]


@pytest.fixture
def look_with(monkeypatch: pytest.MonkeyPatch) -> LookWith:
    def classify(
        *answers: Chances, score: float = 0.9, inks: tuple[float, ...] = (0.0,), lean: Lean = (0.0, 0.0)
    ) -> tuple[Classification, int]:
        net = _Net(answers, inks, lean)
        monkeypatch.setattr(face_nets, "open_net", lambda *_: net)
        (seen,) = FaceClassifier().classify(np.zeros((200, 200, 3), np.uint8), [candidate(100, 100, 24, score)])
        return seen, net.asked

    return classify


def test_a_clear_die_is_looked_at_twice_and_an_unsure_one_six_times(look_with: LookWith) -> None:
    assert look_with({of_digit(3): 0.99})[1] == 2
    assert look_with({of_digit(3): 0.6, of_digit(5): 0.3})[1] == 6


def test_pips_that_the_finder_sees_too_are_looked_at_once(look_with: LookWith) -> None:
    assert look_with({3: 0.99})[1] == 1
    assert look_with({4: 0.99})[1] == 2  # the finder sees three
    assert look_with({3: 0.96}, {3: 0.99})[1] == 2
    assert look_with({3: 0.99}, score=0.5)[1] == 2


def test_looks_that_agree_on_a_mark_s_colour_make_it_surer_than_each_says(look_with: LookWith) -> None:
    once, twice = (look_with({of_digit(1): 0.99}, inks=inks)[0].inks for inks in ((2.0, 2.0), (2.0, -2.0)))
    assert once[0] > np.exp(2) / (np.exp(2) + 12) + 0.1
    assert twice[0] < once[0] / 2


def test_the_lean_is_the_mean_of_all_looks_each_turned_back(look_with: LookWith) -> None:
    right, down = look_with({of_digit(3): 0.6}, lean=(0.3, 0.1))[0].lean
    turned = [np.array([[np.cos(t), np.sin(t)], [-np.sin(t), np.cos(t)]]) @ (0.3, 0.1) for t in TURNS]
    assert (right, down) == pytest.approx(tuple(np.mean(turned, 0)), abs=1e-5)


def test_what_is_none_is_looked_at_once(look_with: LookWith) -> None:
    assert look_with({NOTHING: 0.95})[1] == 1


def test_a_look_that_rules_a_face_out_outweighs_those_that_prefer_it_a_little(look_with: LookWith) -> None:
    seen, _ = look_with({5: 0.55, 6: 0.44}, {5: 0.55, 6: 0.44}, {5: 0.001, 6: 0.99})
    assert int(seen.classes.argmax()) == 6
    assert seen.classes.sum() == pytest.approx(1.0, abs=1e-3)


def test_quarter_turns_do_not_make_a_die_disappear(look_with: LookWith) -> None:
    upright, turned = {4: 0.6, 5: 0.38, NOTHING: 0.01}, {NOTHING: 0.97, 4: 0.02}
    seen, _ = look_with(upright, upright, turned, turned, turned, upright)
    assert seen.die_chance > 0.98
    assert int(seen.classes.argmax()) == 4


def test_the_least_chance_is_that_of_the_look_that_doubts_most(look_with: LookWith) -> None:
    seen, _ = look_with({PLAIN: 0.9}, {PLAIN: 0.9}, {PLAIN: 0.2})
    assert seen.min_view_chance == pytest.approx(0.2, abs=1e-3)


@pytest.mark.parametrize("edge", [14.0, 24.0, 31.0, 60.0, 300.0])
def test_a_die_at_the_picture_s_rim_is_looked_at_whatever_its_size(
    edge: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    net = _Net([{2: 0.6}], (0.0,), (0.0, 0.0))
    monkeypatch.setattr(face_nets, "open_net", lambda *_: net)
    picture = np.full((120, 160, 3), 80, np.uint8)
    places = [candidate(x, y, edge, 0.9) for x, y in ((0, 0), (159, 60), (80, 119), (80, 60))]
    assert [int(classification.classes.argmax()) for classification in FaceClassifier().classify(picture, places)] == [
        2
    ] * 4
