"""White balance: known patches and known dice give the light colour; little evidence gives no result."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.lit_dice import light_map, photograph, scene
from vision.classification.illuminant import (
    BODY_COLOURS,
    OTHER,
    PAINT_COLOURS,
    IlluminantEstimate,
    IlluminantMemory,
    body_colour,
    estimate_illuminant,
)
from vision.dice_sets import BODIES as BODY_NAMES
from vision.drawing.rendering import Light
from vision.drawing.tray import DrawnDie, draw_tray
from vision.roll import BALL_COLOURS
from vision.white_balance import (
    LUMINANCE,
    Colour,
    apply_gains,
    balance_from_patches,
    black_body,
    linear_to_srgb,
    patch_colour,
    srgb_to_linear,
    to_gains,
    unbalanced,
)

NBA = {name: BODY_COLOURS[name] for name in ("blue", "yellow", "red", "ivory", "grey", "brown")}
WARM, COLD = black_body(1e6 / 2700), black_body(1e6 / 7500)


def lit(colour: Colour, light: np.ndarray, brightness: float = 1.0) -> Colour:
    blue, green, red = linear_to_srgb(srgb_to_linear(colour) * light * brightness)
    return (float(blue), float(green), float(red))


def off(gains: tuple[float, float, float], light: np.ndarray) -> float:
    """Return the largest error of a gain as a natural logarithm."""
    return float(np.abs(np.log(gains) - np.log(to_gains(light))).max())


def named(light: IlluminantEstimate, die: int) -> tuple[str, float]:
    """Return the likeliest colour of a die and its probability."""
    return max(light.colours[die].items(), key=lambda item: item[1])


def test_every_body_and_paint_has_a_colour() -> None:
    assert tuple(BODY_COLOURS) == BODY_NAMES
    assert tuple(PAINT_COLOURS) == BALL_COLOURS


def test_daylight_is_nearly_white_and_lamps_are_warmer_than_the_sky() -> None:
    assert np.abs(np.log(black_body(1e6 / 6504))).max() < 0.08
    warmth = [light[2] / light[0] for light in (black_body(mired) for mired in np.arange(105, 405, 10))]
    assert warmth == sorted(warmth)
    assert black_body(300, 0.1) @ LUMINANCE == pytest.approx(1)


@pytest.mark.parametrize("mired", [30.0, 700.0])
def test_lights_that_are_not_known_are_refused(mired: float) -> None:
    with pytest.raises(ValueError, match="mired"):
        black_body(mired)


@pytest.mark.parametrize("light", [WARM, COLD])
def test_a_grey_under_a_light_becomes_neutral_and_keeps_its_brightness(light: np.ndarray) -> None:
    grey = np.full((4, 4, 3), np.round(np.asarray(lit((0.5, 0.5, 0.5), light)) * 255), np.uint8)
    freed = apply_gains(grey, to_gains(light))
    assert np.abs(freed.astype(int) - 127).max() <= 3
    assert freed.shape == grey.shape


def test_what_is_burnt_out_stays_white_and_nothing_wraps_round() -> None:
    ramp = np.repeat(np.arange(256, dtype=np.uint8)[None, :, None], 3, 2)
    freed = apply_gains(ramp, to_gains(WARM))
    assert (freed[0, 255] == 255).all()
    assert (np.diff(freed[0].astype(int), axis=0) >= 0).all()
    assert (apply_gains(ramp, (1.0, 1.0, 1.0)) == ramp).all()


CARD: tuple[Colour, ...] = ((0.3, 0.3, 0.3), (0.5, 0.5, 0.5), (0.8, 0.8, 0.8), (0.2, 0.25, 0.7), (0.6, 0.3, 0.15))


@pytest.mark.parametrize("light", [WARM, COLD])
def test_patches_give_the_light_away(light: np.ndarray) -> None:
    rng = np.random.default_rng(5)
    picture = np.zeros((60, 60 * len(CARD), 3), np.float32)
    for index, patch in enumerate(CARD):
        picture[:, 60 * index : 60 * index + 60] = lit(patch, light, 0.7)
    noisy = np.clip((picture + rng.normal(0, 0.02, picture.shape)) * 255, 0, 255).astype(np.uint8)
    seen = [patch_colour(noisy, (60.0 * index, 0.0, 60.0, 60.0)) for index in range(len(CARD))]
    balance = balance_from_patches(seen, CARD)
    assert off(balance.gains, light) < 0.08
    assert balance.known
    assert balance.source == "patches"


def test_a_die_on_one_patch_does_not_mislead() -> None:
    seen = [lit(patch, WARM, 0.6) for patch in CARD]
    seen[1] = (0.9, 0.2, 0.1)
    balance = balance_from_patches(seen, CARD)
    assert balance.known
    assert off(balance.gains, WARM) < 0.02


def test_patches_that_contradict_each_other_are_not_trusted() -> None:
    seen = [(0.9, 0.2, 0.1), (0.1, 0.6, 0.2), (0.3, 0.1, 0.9), (0.2, 0.9, 0.4), (0.7, 0.1, 0.7)]
    assert not balance_from_patches(seen, CARD).known


def test_patches_that_are_hidden_or_burnt_out_say_nothing() -> None:
    assert balance_from_patches([None, (1.0, 0.99, 0.9)], CARD[:2]) == unbalanced()
    assert balance_from_patches([(0.01, 0.2, 0.8)], [(0.0, 0.2, 0.8)]) == unbalanced()  # no blue reference
    white = np.full((20, 20, 3), 255, np.uint8)
    assert patch_colour(white, (0, 0, 20, 20)) is None
    assert patch_colour(white, (50, 50, 20, 20)) is None


def test_lists_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError):
        balance_from_patches([None], CARD)


@pytest.mark.parametrize("light", [WARM, COLD, black_body(250, 0.08)])
@pytest.mark.parametrize("palette", [NBA, PAINT_COLOURS])
def test_six_different_dice_are_named_in_any_light(light: np.ndarray, palette: dict[str, Colour]) -> None:
    found = estimate_illuminant([lit(colour, light, 0.8) for colour in palette.values()], palette)
    assert [named(found, die)[0] for die in range(6)] == list(palette)


def test_grey_in_warm_light_and_brown_in_daylight_are_one_colour_until_another_die_lies_there() -> None:
    looks_brown = lit(BODY_COLOURS["grey"], WARM, 0.5)
    alone = estimate_illuminant([looks_brown], NBA)
    assert named(alone, 0)[1] < 0.99
    others = [lit(BODY_COLOURS[name], WARM, 0.5) for name in ("blue", "yellow", "red", "ivory")]
    assert named(estimate_illuminant([looks_brown, *others], NBA), 0)[0] == "grey"


@pytest.mark.parametrize("light", [np.ones(3), COLD, black_body(180, -0.08)])
def test_an_ivory_die_in_a_dark_corner_is_no_grey_one(light: np.ndarray) -> None:
    """Its hue identifies it beside dice of all colours in full light; near darkness no result is certain."""
    full = [lit(colour, light, 0.9) for colour in NBA.values()]
    dark = [lit(BODY_COLOURS["ivory"], light, 0.9 * part) for part in (0.6, 0.4, 0.25)]
    grey = lit(BODY_COLOURS["grey"], light, 1.0)
    found = estimate_illuminant([*full, *dark, grey], NBA)
    assert [named(found, die)[0] for die in (6, 7, 9)] == ["ivory", "ivory", "grey"]
    assert found.colours[6]["ivory"] > 0.9
    assert found.colours[8]["grey"] < 0.85


@pytest.mark.parametrize("bluer", [1.5, 2.5, 3.5])
def test_dice_are_named_in_light_that_a_camera_made_bluer_than_any_sky(bluer: float) -> None:
    """The camera balances on a warm wooden table: then blue light is up to several times the red."""
    light = np.array([np.sqrt(bluer), 1.0, 1 / np.sqrt(bluer)])
    found = estimate_illuminant([lit(colour, light / (light @ LUMINANCE), 0.6) for colour in NBA.values()], NBA)
    assert [named(found, die)[0] for die in range(6)] == list(NBA)
    assert min(named(found, die)[1] for die in range(6)) > 0.9


def test_a_colour_that_the_set_lacks_is_called_other() -> None:
    dice = [*NBA.values(), BODY_COLOURS["green"]]
    assert named(estimate_illuminant(dice, NBA), 6)[0] == OTHER


def test_no_dice_and_no_palette() -> None:
    assert estimate_illuminant([], NBA).colours == ()
    with pytest.raises(ValueError, match="palette"):
        estimate_illuminant([(0.5, 0.5, 0.5)], {})


def test_one_ball_a_throw_tells_the_light_in_the_end() -> None:
    memory = IlluminantMemory(PAINT_COLOURS)
    memory.update([lit(PAINT_COLOURS["orange"], WARM, 0.7)])
    for name in ("green", "blue", "violet", "yellow", "red"):
        last = memory.update([lit(PAINT_COLOURS[name], WARM, 0.7)])
    assert named(last, 0)[0] == "red"
    assert len(last.colours) == 1


def test_a_lamp_switched_on_is_noticed() -> None:
    memory = IlluminantMemory(NBA)
    memory.update([lit(colour, COLD, 0.8) for colour in NBA.values()])
    found = memory.update([lit(colour, WARM, 0.8) for colour in NBA.values()])
    assert [named(found, die)[0] for die in range(6)] == list(NBA)


def test_one_die_is_not_certain_by_a_light_that_may_have_changed() -> None:
    memory = IlluminantMemory(NBA)
    memory.update([lit(colour, COLD, 0.8) for colour in NBA.values()])
    found = memory.update([lit(BODY_COLOURS["grey"], WARM, 0.5)])
    assert found.colours[0]["grey"] > 0.002
    assert named(found, 0)[1] < 0.995


def test_the_same_dice_in_the_same_light_are_not_forgotten() -> None:
    memory = IlluminantMemory(NBA)
    for _ in range(3):
        memory.update([lit(colour, WARM, 0.8) for colour in NBA.values()])
    found = memory.update([lit(BODY_COLOURS["grey"], WARM, 0.8)])
    assert named(found, 0)[0] == "grey"


def test_the_mean_of_a_felt_is_not_the_light() -> None:
    """Grey-world would treat the felt's green as the light, and a white die as a pink one."""
    picture = draw_tray([DrawnDie("pips", "white", 1, edge=60)], np.random.default_rng(4))
    mean = srgb_to_linear(picture.reshape(-1, 3) / 255).mean(0)
    grey_world = apply_gains(picture, to_gains(mean))
    die = body_colour(grey_world, 320, 240, 60)
    assert die is not None
    assert max(die) - min(die) > 0.2
    kept = body_colour(apply_gains(picture, unbalanced().gains), 320, 240, 60)
    assert kept is not None
    assert max(kept) - min(kept) < 0.05


def test_a_tinted_tray_is_freed_of_its_tint() -> None:
    """The tray's tint multiplies encoded values, which approximates light well enough for naming the dice."""
    tint = tuple(float(v) for v in WARM ** (1 / 2.2) / (WARM ** (1 / 2.2)).max())
    bodies = list(NBA)
    dice = [DrawnDie("pips", body, 1, 80.0 + 95 * index, 240.0, edge=44) for index, body in enumerate(bodies)]
    picture = draw_tray(dice, np.random.default_rng(3), light=Light(tint=(tint[0], tint[1], tint[2])))
    seen = [body_colour(picture, die.x, die.y, die.edge) for die in dice]
    found = estimate_illuminant([colour for colour in seen if colour is not None], NBA)
    assert [named(found, die)[0] for die in range(6)] == bodies


def test_the_colour_of_a_die_is_its_body_s_not_its_pips() -> None:
    picture = draw_tray([DrawnDie("pips", "red", 6, edge=60)], np.random.default_rng(1))
    seen = body_colour(picture, 320, 240, 60)
    assert seen is not None
    assert seen[2] > 2 * max(seen[:2])
    assert body_colour(picture, -80, -80, 20) is None


@pytest.mark.parametrize("ball", [False, True], ids=["nba", "ball"])
def test_drawn_dice_are_named_in_any_light(ball: bool) -> None:
    palette = PAINT_COLOURS if ball else NBA
    rng = np.random.default_rng(71)
    drawn = scene(rng, list(palette), ball=ball)
    for light in ("warm", "cold", "mixed"):
        found = estimate_illuminant(drawn.witnesses(photograph(drawn, light_map(light, rng), rng)), palette)
        names = [named(found, die) for die in range(len(drawn.names))]
        assert sum(read_name == name for (read_name, _), name in zip(names, drawn.names, strict=True)) >= 5
        assert all(
            read_name == name or chance < 0.99 for (read_name, chance), name in zip(names, drawn.names, strict=True)
        )


@pytest.mark.slow
@pytest.mark.parametrize("ball", [False, True], ids=["nba", "ball"])
def test_what_is_said_for_certain_is_right(ball: bool) -> None:
    """Of at least 1800 dice, at most 0.5 % of those named with a probability of 99.5 % are wrong, and at least 97 % of
    all dice are right.
    """
    palette = PAINT_COLOURS if ball else NBA
    certain = misnamed = right = dice = 0
    for seed in range(100):
        rng = np.random.default_rng(9000 + seed)
        names = [str(name) for name in rng.permutation([*palette, *(() if ball else rng.choice(list(palette), 4))])]
        drawn = scene(rng, names, ball=ball)
        for light in ("warm", "cold", "any"):
            colour = light_map(light, rng)
            found = estimate_illuminant(drawn.witnesses(photograph(drawn, colour, rng)), palette)
            for die, name in enumerate(names):
                read_name, chance = named(found, die)
                dice += 1
                right += read_name == name
                certain += chance >= 0.995
                misnamed += chance >= 0.995 and read_name != name
    assert dice >= 1800
    assert right >= 0.97 * dice
    assert certain > 0.4 * dice
    assert misnamed <= 0.005 * certain
