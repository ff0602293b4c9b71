"""Colour names from the face network and from a common light estimate over all dice."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.test_face_probabilities import classified
from vision import dice_sets
from vision.classification import classes
from vision.classification.colours import TrayLight, is_washed_out, weigh_colours
from vision.classification.face_nets import Classification, TopColour
from vision.decision.reader import Reader
from vision.detection.finder import Candidate
from vision.dice_sets import BODIES
from vision.drawing.rendering import Light
from vision.drawing.tray import DrawnDie, draw_tray
from vision.pictures import Picture
from vision.roll import Doubt, Face

NBA = dice_sets.load("nba").kinds
TOP_COLOUR = TopColour()
PLACES = {"blue": (150, 150), "yellow": (320, 150), "red": (490, 150), "ivory": (240, 330), "brown": (410, 330)}
WARM = Light(tint=(0.72, 0.95, 1.15))


def candidate(x: float, y: float) -> Candidate:
    return Candidate(x, y, 60, (x - 36, y - 36, x + 36, y + 36), 0.9, np.full(8, 0.125, np.float32))


class FixedColours(TopColour):
    """Returns the colours of scripted face networks."""

    def __init__(self, seen: Sequence[tuple[Candidate, Classification]]) -> None:
        self._paints = {(one.x, one.y): classification.paints for one, classification in seen}

    def chances(self, picture: Picture, dice: Sequence[Candidate]) -> np.ndarray:
        return np.stack([self._paints[one.x, one.y] for one in dice])


def torn(one: str, other: str) -> Classification:
    """Return a look that cannot distinguish two bodies."""
    paints = np.full(len(BODIES), 1e-3, np.float32)
    paints[[BODIES.index(one), BODIES.index(other)]] = 0.49
    return replace(classified({classes.PLAIN: 0.98}), paints=paints)


def of(seen: Classification, body: str) -> float:
    return float(seen.paints[BODIES.index(body)])


def picture() -> np.ndarray:
    kinds = {kind.bodies[0]: kind for kind in NBA}
    dice = [DrawnDie(kinds[body], body, 1, x, y, 0.3, 60) for body, (x, y) in PLACES.items()]
    return draw_tray(dice, np.random.default_rng(5), light=WARM)


def test_the_other_dice_tell_what_a_body_is_in_warm_light() -> None:
    clear = [
        (candidate(*PLACES[body]), classified({classes.PLAIN: 0.98}, paint=body)) for body in ("blue", "red", "brown")
    ]
    asked = (candidate(*PLACES["ivory"]), torn("ivory", "yellow"))
    seen = weigh_colours(picture(), [*clear, asked], NBA, TOP_COLOUR).classifications
    assert of(seen[-1], "ivory") > 0.8
    assert seen[-1].paints.sum() == pytest.approx(1, abs=1e-5)


def test_where_nets_and_light_disagree_nothing_is_certain() -> None:
    detections = [
        (candidate(*PLACES[body]), classified({classes.PLAIN: 0.98}, paint=body)) for body in ("blue", "red", "brown")
    ]
    wrong = (candidate(*PLACES["yellow"]), classified({classes.PLAIN: 0.98}, paint="blue", sure=0.9))
    seen = weigh_colours(picture(), [*detections, wrong], NBA, FixedColours([*detections, wrong])).classifications
    assert max(of(seen[-1], "blue"), of(seen[-1], "yellow")) < 0.9


def test_a_single_die_s_light_is_but_a_guess() -> None:
    """Evidence that outvotes the networks among other dice has little weight for a single die."""
    detections = [
        (candidate(*PLACES[body]), classified({classes.PLAIN: 0.98}, paint=body)) for body in ("blue", "red", "ivory")
    ]
    odd = (candidate(*PLACES["brown"]), classified({classes.PLAIN: 0.98}, paint="red", sure=0.7))
    alone = weigh_colours(picture(), [odd], NBA, FixedColours([odd])).classifications[-1]
    among = weigh_colours(picture(), [*detections, odd], NBA, FixedColours([*detections, odd])).classifications[-1]
    assert of(alone, "red") > 0.8
    assert of(among, "red") < 0.7


def test_a_net_that_is_wrong_by_itself_is_outvoted() -> None:
    detections = [
        (candidate(*PLACES[body]), classified({classes.PLAIN: 0.98}, paint=body)) for body in ("blue", "red", "brown")
    ]
    wrong = (candidate(*PLACES["yellow"]), classified({classes.PLAIN: 0.98}, paint="blue", sure=0.9))
    assert of(weigh_colours(picture(), [*detections, wrong], NBA, TOP_COLOUR).classifications[-1], "yellow") > 0.9


def test_a_die_of_another_set_s_colour_is_left_to_the_net() -> None:
    pink = classified({classes.PLAIN: 0.98}, paint="pink")
    assert weigh_colours(picture(), [(candidate(*PLACES["red"]), pink)], NBA, TOP_COLOUR).classifications == [pink]


@pytest.mark.parametrize(("certainty", "taken"), [(0.999, "yellow"), (0.9, "ivory")])
def test_a_face_that_is_burnt_out_is_of_the_set_if_all_the_rest_says_so(certainty: float, taken: str) -> None:
    """Alone it looks ivory, which no ball is."""
    paints = np.zeros(len(BODIES), np.float32)
    paints[[BODIES.index("yellow"), BODIES.index("ivory")]] = 0.15, 0.85
    pale = replace(classified({classes.PLAIN: 0.98}), paints=paints)
    one = candidate(*PLACES["yellow"])
    colours = FixedColours(
        [(one, replace(pale, paints=np.where(paints > 0.5, 1 - certainty, certainty * (paints > 0))))]
    )
    seen = weigh_colours(picture(), [(one, pale)], dice_sets.load("ball").kinds, colours).classifications[0]
    assert of(seen, taken) > 0.8


def test_dice_of_any_body_say_nothing_of_the_light() -> None:
    red = classified({3: 0.98}, paint="red")
    assert weigh_colours(
        picture(), [(candidate(*PLACES["red"]), red)], dice_sets.load("pips").kinds, TOP_COLOUR
    ).classifications == [red]


def test_beside_the_ball_the_classic_dice_are_left_alone() -> None:
    red, ball = classified({3: 0.98}, paint="red"), torn("red", "orange")
    pair = [(candidate(*PLACES["blue"]), red), (candidate(*PLACES["red"]), ball)]
    seen = weigh_colours(picture(), pair, dice_sets.load("footclub").kinds, TOP_COLOUR).classifications
    assert seen[0] is red
    assert seen[1].paints.sum() == pytest.approx(1, abs=1e-5)


def test_without_dice_there_is_nothing_to_weigh() -> None:
    assert weigh_colours(picture(), [], NBA, TOP_COLOUR).classifications == []


def test_over_one_tray_the_dice_of_the_roll_before_bear_witness_too() -> None:
    clear = [
        (candidate(*PLACES[body]), classified({classes.PLAIN: 0.98}, paint=body)) for body in ("blue", "red", "brown")
    ]
    asked = (candidate(*PLACES["ivory"]), torn("ivory", "yellow"))
    tray = TrayLight()
    weigh_colours(picture(), clear, NBA, TOP_COLOUR, tray)
    alone, after = (
        of(weigh_colours(picture(), [asked], NBA, TOP_COLOUR, one).classifications[0], "ivory") for one in (None, tray)
    )
    assert after > alone


def test_in_each_light_the_dice_are_what_they_are_in_it() -> None:
    """The probabilities of the lights and of the colours in them sum to the total over all lights."""
    clear = [
        (candidate(*PLACES[body]), classified({classes.PLAIN: 0.98}, paint=body)) for body in ("blue", "red", "brown")
    ]
    asked = (candidate(*PLACES["ivory"]), torn("ivory", "grey"))
    weighed_looks = weigh_colours(picture(), [*clear, asked], NBA, TOP_COLOUR)
    lights = list(weighed_looks.by_light())
    assert len(lights) > 10
    best = max(chance for chance, _ in lights)
    shares = np.exp([chance - best for chance, _ in lights])
    ivory = shares @ [of(classifications[-1], "ivory") for _, classifications in lights] / shares.sum()
    assert ivory > of(weighed_looks.classifications[-1], "ivory") - 0.1
    assert all(classifications[-1].paints.sum() == pytest.approx(1, abs=1e-4) for _, classifications in lights)
    assert max(of(classifications[-1], "ivory") for _, classifications in lights) > 0.9


def test_dice_that_bear_no_witness_are_the_same_in_the_one_light_there_is() -> None:
    red = classified({3: 0.98}, paint="red")
    seen = weigh_colours(picture(), [(candidate(*PLACES["red"]), red)], dice_sets.load("pips").kinds, TOP_COLOUR)
    assert list(seen.by_light()) == [(0.0, [red])]


@pytest.mark.parametrize(
    ("named", "top", "washed"),
    [
        ("red", (182, 188, 244), True),
        ("orange", (200, 214, 250), True),
        ("red", (60, 50, 200), False),
        ("orange", (150, 180, 245), False),
        ("violet", (182, 160, 190), False),
        (None, (240, 240, 244), False),
    ],
)
def test_red_and_orange_are_not_told_apart_in_a_pale_face(
    named: str | None, top: tuple[int, int, int], washed: bool
) -> None:
    picture = np.full((200, 200, 3), 90, np.uint8)
    picture[80:120, 80:120] = top
    one = Candidate(100.0, 100.0, 40.0, (80.0, 80.0, 120.0, 120.0), 0.9, np.zeros(8, np.float32))
    assert is_washed_out(picture, one, Face(colour=named)) is washed


class SaysRed:
    """Names every colour red with maximum confidence."""

    def chances(self, picture: Picture, dice: Sequence[Candidate]) -> np.ndarray:
        chances = np.full((len(dice), len(BODIES)), 1e-4, np.float32)
        chances[:, BODIES.index("red")] = 1.0
        return chances


def test_a_pale_red_ball_is_asked_about() -> None:
    """A lamp's reflection covers the top of a die: the remaining colour may be another one's."""
    pink, red = (
        draw_tray([DrawnDie("ball", "white", 1, 320.0, 240.0, 0.4, 60)], np.random.default_rng(3)) for _ in range(2)
    )
    top = np.zeros(pink.shape[:2], np.uint8)
    hue = cv2.cvtColor(pink, cv2.COLOR_BGR2HSV)
    top[(hue[..., 1] > 150) & (np.abs(np.int16(hue[..., 0]) - 90) > 80)] = 1
    top = cv2.erode(top, np.ones((3, 3), np.uint8))
    assert 1500 < top.sum() < 4000
    pink[top > 0] = np.clip(0.3 * pink[top > 0] + (175.0, 175, 180), 0, 255).astype(np.uint8)
    (clear,) = Reader(dice_sets.load("ball")).read(red).dice
    assert (clear.face, clear.doubt) == (Face(colour="red"), None)
    reader = Reader(dice_sets.load("ball"))
    reader._top_colour = SaysRed()  # type: ignore[assignment]
    (pale,) = reader.read(pink).dice
    assert (pale.face, pale.doubt) == (Face(colour="red"), Doubt.FACE)
