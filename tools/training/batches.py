"""Training batches cut from a `ScenePool` on the training device: patches for the finders, crops for the classifiers.

All samples of a batch are cut at once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from tools.training.dataset import SCENE
from tools.training.labels import UNLABELLED
from tools.training.nets import CLOSE_CROP, HARMONICS, STRIDE, harmonics
from tools.training.scene_pool import BOX, EDGE, FACE, INK, LEAN, PAINT, SEEN, STATE, ScenePool, X, Y
from vision.classification.classes import NOTHING, PLAIN, STATES, UNKNOWN
from vision.classification.face_nets import COLOUR_CROP, COLOUR_SPAN, FIGURE_CROP, FIGURE_SPAN, FIGURES
from vision.classification.pose import POSE_CROP, POSE_SPAN
from vision.dice_sets import BODIES
from vision.pictures import PADDING
from vision.roll import BALL_COLOURS

PATCH = 160
"""Edge of a finder patch in pixels."""

SMALLEST, LARGEST = 12.0, 58.0
"""Range of edges in pixels that the finder detects.

The loss ignores a die slightly outside this range. A die far outside it is background.
"""

_STEEP = 0.45
"""Sine of the view angle above which the vertical direction in the image tells which face is on top."""

_GREY = float(PADDING[0])
"""Value (0..255) outside the image."""

_REFERENCE_EDGE = 24.0
_BLURRED, _HIDDEN = STATES.index("blurred"), STATES.index("hidden")
Batch = tuple[Tensor, dict[str, Tensor]]
"""Images in 0..1 and their targets."""

_KEPT_SHARE = 0.12
"""Share of samples from photographs and rendered scenes, if there are any."""

_SQUEEZED, _SQUEEZE = 0.25, 0.14
"""Share of samples with different scales in the two directions, and the maximum change of each (logarithm)."""

_LARGEST_LEVEL = 4
_TRIES = 3
"""Number of random positions to try for a crop without a top face."""

_BALL_PAINTS = tuple(BODIES.index(name) for name in BALL_COLOURS)
_BALLS_PAINT = 0.4
"""Share of the plain faces in the ball's colours whose colour is part of the loss.

There are seven such faces for each one of a brown, grey or ivory die, and without this limit a brown face is read as an
orange one.
"""

_MOST_TOGETHER, _NO_DICE, _COLOURS_KEPT = 8, 0.03, 0.25
"""For the colour network: maximum dice of one image, share of finds that are not dice, share of kept scenes."""

_BOX_ASIDE, _BOX_LARGER = 0.055, 0.1
"""Standard deviations of the finder's error: of the box centre relative to its sides, of the box size (logarithm)."""

_ONE_FACE, _FAR_ASIDE, _SMALLER = 0.18, 0.15, (-0.12, 0.18)
"""Probability that the finder takes a face for the whole die, and its errors then; mean and deviation of the size."""

_STEEPEST = 0.75
"""Sine of the view angle above which a flat die is seen too obliquely to determine its pose."""

_DOUBTFUL, _CLEAR = 8.0, 16.0
"""Degrees. Below the first a tilt is negligible; from the second on it must be detected."""

_LEAST_SPREAD, _MOST_SPREAD = 0.01, 0.6
"""Range of the uncertainty of a flat die's expected tilt (standard deviation)."""

POSE_LEAN, POSE_FLAT, POSE_OFF, POSE_AXES, POSE_HULL = 0, slice(1, 3), slice(3, 5), slice(5, 14), slice(14, 30)
"""Columns of `ScenePool.poses`."""


def _uniform(low: float, high: float, number: int, device: torch.device) -> Tensor:
    return torch.rand(number, device=device) * (high - low) + low


def _one_of(mask: Tensor) -> Tensor:
    """Return for each row of `mask` (n, m) the index of one true element, or any index if there is none."""
    return torch.multinomial(mask.float() + 1e-9, 1)[:, 0]


def _rows(table: Tensor, index: Tensor) -> Tensor:
    """Return row `index` (n,) of each element of `table` (n, m, k)."""
    return table[torch.arange(len(table), device=table.device), index]


def cut(pictures: Tensor, scenes: Tensor, inverse: Tensor, centre: Tensor, size: int) -> Tensor:
    """Cut squares (n, 3, size, size) in 0..255 out of `pictures` (N, 3, SCENE, SCENE) uint8.

    The point (dx, dy) from the centre of square `i` shows the image `scenes[i]` at `centre[i] + inverse[i] @ (dx, dy)`.
    Downscaling averages over areas. Points outside the image are grey.
    """
    out = torch.empty(len(scenes), 3, size, size, device=pictures.device)
    scale = torch.linalg.det(inverse).abs().sqrt()
    level = torch.floor(torch.log2(scale.clamp(min=1.0))).clamp(max=_LARGEST_LEVEL).long()
    shrunk = scale > 1.33  # above this scale one sample per pixel would skip details
    for number in range(_LARGEST_LEVEL + 1):
        for finer in (1, 2):
            chosen = torch.nonzero((level == number) & (shrunk if finer == 2 else ~shrunk))[:, 0]
            if not len(chosen):
                continue
            source = pictures[scenes[chosen]].float() - _GREY
            if number:
                source = functional.avg_pool2d(source, 2**number)
            steps = (torch.arange(size * finer, device=pictures.device) + 0.5) / finer - size / 2
            offsets = torch.stack(torch.meshgrid(steps, steps, indexing="xy"), -1)
            places = torch.einsum("nij,hwj->nhwi", inverse[chosen], offsets) + centre[chosen][:, None, None]
            grid = (places + 0.5) * (2 / SCENE) - 1
            seen = functional.grid_sample(source, grid, mode="bilinear", padding_mode="zeros", align_corners=False)
            out[chosen] = functional.avg_pool2d(seen, finer) if finer > 1 else seen
    return out + _GREY


def recolour(pictures: Tensor, keep_hue: Tensor) -> Tensor:
    """Apply gains, gamma and noise to images (n, 3, h, w) in 0..255. Return them in 0..1.

    Unless `keep_hue` (n,), the channels change more and may be swapped.
    """
    number, device = len(pictures), pictures.device
    order = torch.where(
        (~keep_hue & (torch.rand(number, device=device) < 0.6))[:, None],
        torch.rand(number, 3, device=device).argsort(1),
        torch.arange(3, device=device),
    )
    pictures = torch.gather(pictures, 1, order[:, :, None, None].expand_as(pictures))
    spread = torch.where(keep_hue, 0.04, 0.12)[:, None]
    gains = torch.exp(torch.randn(number, 3, device=device) * spread + torch.randn(number, 1, device=device) * 0.15)
    power = torch.exp(torch.randn(number, device=device) * 0.25 * (torch.rand(number, device=device) < 0.3))
    lifted = torch.randn(number, 1, device=device).expand(-1, 3) * 0.03
    out = (pictures / 255 * gains[:, :, None, None] + lifted[:, :, None, None]).clamp(1e-4, 1) ** power[
        :, None, None, None
    ]
    grain = _uniform(0, 10 / 255, number, device) * (torch.rand(number, device=device) < 0.3)
    return (out + torch.randn_like(out) * grain[:, None, None, None]).clamp(0, 1)


def _convolved(pictures: Tensor, kernels: Tensor) -> Tensor:
    """Convolve each image of (n, 3, h, w) with its own kernel (n, k, k)."""
    number, _, height, width = pictures.shape
    reach = kernels.shape[-1] // 2
    flat = functional.pad(pictures, (reach,) * 4, mode="replicate").reshape(
        1, number * 3, *(height + 2 * reach, width + 2 * reach)
    )
    weights = kernels.repeat_interleave(3, 0)[:, None]
    return functional.conv2d(flat, weights, groups=number * 3).reshape(number, 3, height, width)


def _offsets(reach: int, device: torch.device) -> tuple[Tensor, Tensor]:
    steps = torch.arange(-reach, reach + 1, device=device, dtype=torch.float32)
    return steps[None, :, None], steps[None, None, :]


def blurred(pictures: Tensor) -> Tensor:
    """Apply a defocus blur of 0.4 to 1 pixel (standard deviation)."""
    down, right = _offsets(3, pictures.device)
    spread = _uniform(0.4, 1.0, len(pictures), pictures.device)[:, None, None]
    kernels = torch.exp(-0.5 * (down**2 + right**2) / spread**2)
    return _convolved(pictures, kernels / kernels.sum((1, 2), keepdim=True))


def smeared(pictures: Tensor) -> Tensor:
    """Apply a motion blur of an eighth to three tenths of the image width."""
    number, device, size = len(pictures), pictures.device, pictures.shape[-1]
    down, right = _offsets(int(0.16 * size), device)
    angle = _uniform(0, math.pi, number, device)[:, None, None]
    length = _uniform(0.125, 0.3, number, device)[:, None, None] * size
    along = right * torch.cos(angle) + down * torch.sin(angle)
    across = down * torch.cos(angle) - right * torch.sin(angle)
    kernels = (along.abs() <= length / 2) * (1 - across.abs()).clamp(min=0)
    return _convolved(pictures, kernels / kernels.sum((1, 2), keepdim=True))


def _turns(angle: Tensor, mirrored: Tensor) -> Tensor:
    """Return matrices (n, 2, 2) of a rotation by `angle` (n,) radians, after mirroring where `mirrored` (n,).

    Mirroring swaps left and right.
    """
    c, s = torch.cos(angle), torch.sin(angle)
    flip = torch.where(mirrored, -1.0, 1.0)
    return torch.stack([torch.stack([c * flip, -s], -1), torch.stack([s * flip, c], -1)], -2)


def _squeezes(number: int, device: torch.device) -> Tensor:
    """Return random relative scales (n, 2) of the two directions."""
    apart = _uniform(-_SQUEEZE, _SQUEEZE, number, device) * (torch.rand(number, device=device) < _SQUEEZED)
    return torch.exp(torch.stack([apart, -apart], 1))


def _patch_places(pool: ScenePool, scenes: Tensor) -> tuple[Tensor, Tensor]:
    """Return centre (n, 2) in the scene and scale (n,) of patches: around a false find, around a die, or anywhere."""
    number, device = len(scenes), pool.device
    dice = pool.dice[scenes]
    good = pool.is_die(scenes) & (dice[:, :, SEEN] > 0.5)
    die = _rows(dice, _one_of(good))
    false = _rows(pool.false_finds[scenes], (torch.rand(number, device=device) * pool.false_count[scenes]).long())
    about_false = (pool.false_count[scenes] > 0) & (torch.rand(number, device=device) < 0.25)
    about_die = ~about_false & good.any(1) & (torch.rand(number, device=device) < 0.85)
    place = torch.where(about_false[:, None], false[:, :2], die[:, :2])
    edge = torch.where(about_false, false[:, 2], die[:, EDGE]).clamp(min=2)
    wanted = torch.exp(_uniform(math.log(11), math.log(60), number, device))
    # A die fills the image only if the whole image is smaller than a patch.
    least = (50 / edge).clamp(max=PATCH / SCENE)
    scale = torch.maximum((wanted / edge).clamp(max=2.0), least)
    anywhere = ~(about_false | about_die)
    scale = torch.where(anywhere, torch.exp(_uniform(math.log(PATCH / SCENE), math.log(1.4), number, device)), scale)
    aside = (torch.rand(number, 2, device=device) - 0.5) * 0.9 * (PATCH / scale)[:, None]
    place = torch.where(anywhere[:, None], torch.rand(number, 2, device=device) * SCENE, place + aside)
    reach = (PATCH / scale)[:, None]
    low, high = torch.minimum(reach / 2, SCENE - reach / 2), torch.maximum(reach / 2, SCENE - reach / 2)
    inside = torch.rand(number, 2, device=device) < 0.85
    return torch.where(inside, torch.minimum(torch.maximum(place, low), high), place), scale


def finder_batch(pool: ScenePool, number: int) -> Batch:
    """Return patches (n, 3, PATCH, PATCH) in 0..1 and the targets of `losses.finder_loss` on the finder's grid."""
    scenes, device = pool.sample(number, _KEPT_SHARE), pool.device
    centre, scale = _patch_places(pool, scenes)
    dice, there = pool.dice[scenes], pool.is_die(scenes)
    steep = (torch.linalg.vector_norm(dice[:, :, LEAN], dim=2) * there).amax(1) > _STEEP
    quarters = torch.randint(4, (number,), device=device) * ~steep
    rotation = _turns(quarters * (math.pi / 2), torch.rand(number, device=device) < 0.5).round()
    by = scale[:, None] * _squeezes(number, device)
    pictures = cut(pool.pictures, scenes, rotation / by[:, :, None], centre, PATCH)
    pictures = recolour(pictures, torch.zeros(number, dtype=torch.bool, device=device))

    def moved(places: Tensor) -> Tensor:
        return torch.einsum("nji,nkj->nki", rotation, (places - centre[:, None]) * by[:, None]) + PATCH / 2 - 0.5

    place, edge = moved(dice[:, :, [X, Y]]), dice[:, :, EDGE] * scale[:, None]
    corners = torch.stack([moved(dice[:, :, BOX][:, :, :2]), moved(dice[:, :, BOX][:, :, 2:])])
    box = torch.cat([corners.amin(0), corners.amax(0)], 2)
    return pictures, _finder_targets(place, edge, box, dice, there)


def _finder_targets(place: Tensor, edge: Tensor, box: Tensor, dice: Tensor, there: Tensor) -> dict[str, Tensor]:
    """Return heat map, weight and centres. `place` (n, DICE, 2), `edge` and `box` are in pixels of the patch."""
    cells, seen = PATCH // STRIDE, dice[:, :, SEEN]
    steps = (torch.arange(cells, device=place.device) + 0.5) * STRIDE
    grid = torch.stack(torch.meshgrid(steps, steps, indexing="xy"), -1)
    far = torch.linalg.vector_norm(place[:, :, None, None] - grid, dim=-1) / edge.clamp(min=1)[:, :, None, None]
    there = there & (edge >= SMALLEST * 0.62) & (edge <= LARGEST * 1.5) & (seen >= 0.12)
    unsure = there & ((edge < SMALLEST * 0.9) | (edge > LARGEST * 1.1) | (seen < 0.62))
    clear = there & ~unsure
    wide = edge.clamp(min=1)[:, :, None, None]
    hidden = (far < (STRIDE / wide).clamp(min=0.35)) & unsure[:, :, None, None]
    bump = torch.exp(-0.5 * (far / (0.45 * STRIDE / wide).clamp(min=0.13)) ** 2).clamp(max=0.97)
    heat = (bump * clear[:, :, None, None]).amax(1)
    cell = torch.floor(place / STRIDE).long()
    n, die = torch.nonzero(clear & (cell >= 0).all(2) & (cell < cells).all(2), as_tuple=True)
    column, line = cell[n, die].unbind(1)
    heat[n, line, column] = 1.0
    x, y, size = place[n, die, 0], place[n, die, 1], edge[n, die]
    left, top, right, bottom = box[n, die].unbind(1)
    face = dice[n, die, FACE].long()
    face_class = torch.where(face == PLAIN, 7, torch.where((face >= 1) & (face <= 6), face - 1, 6))
    numbers = (n, line, column, torch.log(size / _REFERENCE_EDGE), x / STRIDE - column - 0.5, y / STRIDE - line - 0.5)
    sides = ((x - left) / size, (y - top) / size, (right - x) / size, (bottom - y) / size)
    centres = torch.stack([value.float() for value in (*numbers, *sides, face_class)], 1)
    return {"heat": heat, "weight": (~hidden.any(1)).float(), "centres": centres}


def _elsewhere(pool: ScenePool, scenes: Tensor) -> Tensor:
    """Return x, y and edge (n, 3) of a position where no top face is centred."""
    number, device = len(scenes), pool.device
    dice, there = pool.dice[scenes], pool.is_die(scenes)
    out = torch.tensor([-1000.0, -1000.0, 20.0], device=device).repeat(number, 1)
    open_ = torch.ones(number, dtype=torch.bool, device=device)
    for _ in range(_TRIES):
        pick = torch.rand(number, device=device)
        counts = (pool.false_count[scenes], pool.side_count[scenes], pool.dice_count[scenes])
        false, side, die = (
            _rows(table[scenes], (torch.rand(number, device=device) * many).long())
            for table, many in zip((pool.false_finds, pool.sides, pool.dice), counts, strict=True)
        )
        angle, reach = _uniform(0, 2 * math.pi, number, device), _uniform(0, 1.2, number, device) * die[:, EDGE]
        off = torch.stack([torch.cos(angle), torch.sin(angle)], 1) * reach[:, None]
        beside = torch.cat(
            [die[:, :2] + off, (die[:, EDGE] * torch.exp(_uniform(-1.4, 1.2, number, device)))[:, None]], 1
        )
        side = side * torch.tensor([1.0, 1.0, 0.0], device=device) + torch.stack(
            [torch.zeros(number, device=device)] * 2
            + [side[:, 2] * torch.exp(torch.randn(number, device=device) * 0.2)],
            1,
        )
        edge = torch.exp(_uniform(math.log(10), math.log(90), number, device))
        tried = torch.cat([torch.rand(number, 2, device=device) * SCENE, edge[:, None]], 1)
        for chosen, places in (
            ((counts[2] > 0) & (pick < 0.93), beside),
            ((counts[1] > 0) & (pick < 0.75), side),
            ((counts[0] > 0) & (pick < 0.5), false),
        ):
            tried = torch.where(chosen[:, None], places, tried)
        sizes = dice[:, :, EDGE].clamp(min=1)
        gap = torch.linalg.vector_norm(dice[:, :, :2] - tried[:, None, :2], dim=2) / sizes
        ratio = torch.log(sizes / tried[:, None, 2].clamp(min=1)).abs()
        free = (tried[:, 2] > 5) & ~((gap < 0.33) & (ratio < 0.5) & there).any(1)
        out = torch.where((open_ & free)[:, None], tried, out)
        open_ = open_ & ~free
    return out


def _chosen_dice(pool: ScenePool, scenes: Tensor) -> tuple[Tensor, Tensor]:
    """Return rows (n, 14) of dice, and which crops show a die. Half-occluded dice are labelled as such."""
    number, device = len(scenes), pool.device
    dice = pool.dice[scenes]
    usable = pool.is_die(scenes) & (dice[:, :, EDGE] > 10) & (dice[:, :, FACE] != UNLABELLED)
    seen = dice[:, :, SEEN]
    good, half = usable & (seen > 0.72), usable & (seen > 0.25) & (seen < 0.6)
    steep = good & (torch.linalg.vector_norm(dice[:, :, LEAN], dim=2) > 0.6)
    wants_steep = steep.any(1) & (torch.rand(number, device=device) < 0.25)
    pick = torch.rand(number, device=device)
    whole = good.any(1) & (pick < 0.64)
    hidden = ~whole & half.any(1) & (pick < 0.68)
    index = torch.where(whole, torch.where(wants_steep, _one_of(steep), _one_of(good)), _one_of(half))
    row = _rows(dice, index).clone()
    row[:, FACE] = torch.where(hidden, float(UNKNOWN), row[:, FACE])
    row[:, INK] = torch.where(hidden, float(UNLABELLED), row[:, INK])
    row[:, STATE] = torch.where(hidden, float(_HIDDEN), row[:, STATE])
    return row, whole | hidden


@dataclass(frozen=True, slots=True)
class Framing:
    """The framing of a crop of `size` pixels around a face: `span` edges wide.

    - `aside`: standard deviation of its offset, in edges.
    - `larger`: standard deviation of its size (logarithm).
    """

    size: int
    span: float
    aside: float
    larger: float


_FACES = Framing(CLOSE_CROP, 2.0, 0.05, 0.09)
_OF_FIGURES = Framing(FIGURE_CROP, FIGURE_SPAN, 0.09, 0.1)
"""Framing for figures: the finder may centre the find on the figure instead of the face, so its line is at the rim."""

_COLOURS = Framing(COLOUR_CROP, COLOUR_SPAN, 0.05, 0.09)


def faces_batch(pool: ScenePool, number: int) -> Batch:
    """Return crops of dice and of background (n, 3, CLOSE_CROP, CLOSE_CROP) in 0..1.

    The targets are those of `losses.faces_loss`.
    """
    scenes = pool.sample(number, _KEPT_SHARE)
    return _labelled_crops(pool, scenes, *_chosen_dice(pool, scenes), _FACES)


def _labelled_crops(pool: ScenePool, scenes: Tensor, row: Tensor, has_die: Tensor, framing: Framing) -> Batch:
    """Return a crop of each of `scenes`: of the die `row` (n, 14) where `has_die` (n,), else of background."""
    number, device = len(scenes), pool.device
    place = torch.where(has_die[:, None], row[:, [X, Y, EDGE]], _elsewhere(pool, scenes))
    lean = row[:, LEAN] * has_die[:, None]
    chance = torch.rand(4, number, device=device)
    steep = (torch.linalg.vector_norm(lean, dim=1) > _STEEP) | (~has_die & (chance[0] < 0.5))
    upright = steep & (chance[1] < 0.9)
    anyhow = _uniform(-math.pi, math.pi, number, device)
    angle = torch.where(upright, torch.randn(number, device=device) * 0.15, anyhow)
    mirrored = (chance[2] < 0.5) & ~(has_die & (row[:, FACE] > PLAIN))
    edge = place[:, 2].clamp(min=2)
    middle = place[:, :2] + torch.randn(number, 2, device=device) * framing.aside * edge[:, None]
    scale = framing.size / framing.span / (edge * torch.exp(torch.randn(number, device=device) * framing.larger))
    rotation = _turns(angle, mirrored) @ (torch.eye(2, device=device) + torch.randn(number, 2, 2, device=device) * 0.03)
    forward = rotation @ torch.diag_embed(_squeezes(number, device)) * scale[:, None, None]
    pictures = cut(pool.pictures, scenes, torch.linalg.inv(forward), middle, framing.size)

    face, paint, ink, state = (row[:, column].long() for column in (FACE, PAINT, INK, STATE))
    swapped = chance[3] < torch.where(paint != UNLABELLED, 0.12, 0.5)
    pictures = recolour(pictures, has_die & ~swapped)
    pick = torch.rand(number, device=device)
    soft = torch.nonzero(has_die & (pick < 0.15))[:, 0]
    moving = torch.nonzero(has_die & (pick >= 0.15) & (pick < 0.19) & (state == 0))[:, 0]
    for chosen, change in ((soft, blurred), (moving, smeared)):
        if len(chosen):
            pictures[chosen] = change(pictures[chosen])
    face[moving], ink[moving], state[moving] = UNKNOWN, UNLABELLED, _BLURRED
    of_ball = (face == PLAIN) & torch.isin(paint, torch.tensor(_BALL_PAINTS, device=device))
    paint[of_ball & (torch.rand(number, device=device) > _BALLS_PAINT)] = UNLABELLED
    paint[swapped], ink[swapped] = UNLABELLED, UNLABELLED
    face[~has_die], paint[~has_die], ink[~has_die], state[~has_die] = NOTHING, UNLABELLED, UNLABELLED, UNLABELLED
    turned = torch.einsum("nij,nj->ni", rotation, lean)
    return pictures, {"face": face, "paint": paint, "ink": ink, "state": state, "lean": turned}


def figures_batch(pool: ScenePool, number: int) -> Batch:
    """Return crops (n, 3, FIGURE_CROP, FIGURE_CROP) in 0..1 of sixes and nines, and one in five of something else.

    Target `figure`: index of FIGURES.
    """
    scenes = pool.sample_kinds(number, ("figures",))
    if not len(scenes):
        return torch.zeros(0), {}
    dice = pool.dice[scenes]
    usable = pool.is_die(scenes) & (dice[:, :, EDGE] > 10) & (dice[:, :, SEEN] > 0.9)
    figures = torch.tensor(FIGURES, device=pool.device)
    shows = usable & torch.isin(dice[:, :, FACE].long(), figures[1:])
    pick = torch.rand(len(scenes), device=pool.device)
    among = torch.where((pick < 0.8)[:, None], shows, usable & ~shows)
    has_die = among.any(1) & (pick < 0.93)
    pictures, targets = _labelled_crops(pool, scenes, _rows(dice, _one_of(among)), has_die, _OF_FIGURES)
    matches = targets["face"][:, None] == figures
    return pictures, {"figure": torch.where(matches.any(1), matches.long().argmax(1), 0)}


def colours_batch(pool: ScenePool, number: int) -> Batch:
    """Return dice and the whole image (n, 6, COLOUR_CROP, COLOUR_CROP) in 0..1.

    Target `colour`: index of the top's colour in BODIES. Target `given`: which dice belong to one image.
    """
    device = pool.device
    scenes = pool.sample_kinds(max(1, number // 4), ("coloured", "coloured", "own", "bold", "random"))
    if not len(scenes):
        return torch.zeros(0), {}
    if pool.kept:
        kept = torch.randint(pool.kept, (len(scenes),), device=device)
        scenes = torch.where(torch.rand(len(scenes), device=device) < _COLOURS_KEPT, kept, scenes)
    dice = pool.dice[scenes]
    usable = pool.is_die(scenes) & (dice[:, :, EDGE] > 10) & (dice[:, :, SEEN] > 0.8) & (dice[:, :, STATE] == 0)
    usable = usable & (dice[:, :, PAINT] != UNLABELLED)
    order = (torch.rand(usable.shape, device=device) + ~usable * 2.0).argsort(1).argsort(1)
    most = torch.randint(1, _MOST_TOGETHER + 1, (len(scenes), 1), device=device)
    group, die = torch.nonzero(usable & (order < most), as_tuple=True)
    group, die = group[:number], die[:number]
    row, every = dice[group, die], scenes[group]
    colour = row[:, PAINT].long()
    elsewhere = torch.rand(len(row), device=device) < _NO_DICE
    colour[elsewhere] = UNLABELLED
    anywhere = torch.cat([torch.rand(len(row), 2, device=device) * SCENE, row[:, EDGE, None]], 1)
    place = torch.where(elsewhere[:, None], anywhere, row[:, [X, Y, EDGE]])
    edge = place[:, 2]
    middle = place[:, :2] + torch.randn(len(row), 2, device=device) * _COLOURS.aside * edge[:, None]
    scale = _COLOURS.size / _COLOURS.span / (edge * torch.exp(torch.randn(len(row), device=device) * _COLOURS.larger))
    mirrored = torch.rand(len(row), device=device) < 0.5
    forward = _turns(_uniform(-math.pi, math.pi, len(row), device), mirrored) * scale[:, None, None]
    crops = cut(pool.pictures, every, torch.linalg.inv(forward), middle, _COLOURS.size)
    soft = torch.nonzero(torch.rand(len(row), device=device) < 0.1)[:, 0]
    if len(soft):
        crops[soft] = blurred(crops[soft])
    whole = functional.interpolate(pool.pictures[scenes].float(), size=(_COLOURS.size,) * 2, mode="area")
    for dimension in (2, 3):
        turned = torch.rand(len(scenes), device=device) < 0.5
        whole = torch.where(turned[:, None, None, None], whole.flip(dimension), whole)
    gains = torch.exp(
        torch.randn(len(scenes), 3, device=device) * 0.03 + torch.randn(len(scenes), 1, device=device) * 0.12
    )
    gains = torch.where(torch.rand(len(scenes), 1, device=device) < 0.5, gains, torch.ones_like(gains))
    both = torch.cat([crops, whole[group]], 1) * gains[group].repeat(1, 2)[:, :, None, None] / 255
    return both.clamp(0, 1), {"colour": colour, "given": group}


def pose_batch(pool: ScenePool, number: int) -> Batch:
    """Return crops (n, 3, POSE_CROP, POSE_CROP) in 0..1 of tilted and flat dice.

    The targets hold their poses, and two guesses for each of the tilt that a flat die would have there (`given`).
    """
    device = pool.device
    scenes = pool.sample_kinds(number, ("leaning",))
    if not len(scenes):
        return torch.zeros(0), {}
    dice, poses = pool.dice[scenes], pool.poses[scenes]
    box = dice[:, :, BOX]
    whole = (box[:, :, :2] > 0).all(2) & (box[:, :, 2:] < SCENE).all(2) & (pool.has_poses[scenes] > 0)[:, None]
    above = torch.linalg.vector_norm(poses[:, :, POSE_FLAT], dim=2) < _STEEPEST
    usable = pool.is_die(scenes) & whole & above & (dice[:, :, SEEN] > 0.75) & (dice[:, :, EDGE] > 12)
    kept = torch.nonzero(usable.any(1))[:, 0]
    scenes, chosen = scenes[kept], _one_of(usable[kept])
    die, pose, number = _rows(dice[kept], chosen), _rows(poses[kept], chosen), len(kept)

    spin = _turns(_uniform(0, 2 * math.pi, number, device), torch.rand(number, device=device) < 0.5)
    off = pose[:, POSE_OFF]
    off_axis_distance = torch.linalg.vector_norm(off, dim=1)
    radial = off / off_axis_distance.clamp(min=1e-9)[:, None]
    lens = torch.eye(2, device=device) + torch.randn(number, 2, 2, device=device) * 0.015
    lens = lens + ((1 + off_axis_distance**2).sqrt() - 1)[:, None, None] * radial[:, :, None] * radial[:, None]
    transform = spin @ lens
    hull = pose[:, POSE_HULL].reshape(number, 8, 2)
    middle = hull.mean(1)
    seen = torch.einsum("nij,nkj->nki", transform, hull - middle[:, None])
    low, high = seen.amin(1), seen.amax(1)
    error = _box_errors(number, device)
    side = (high - low).prod(1).clamp(min=4).sqrt() * torch.exp(error[:, 2])
    inverse = torch.linalg.inv(transform * (POSE_CROP / POSE_SPAN / side)[:, None, None])
    place = (low + high) / 2 + error[:, :2] * side[:, None]
    centre = middle + torch.linalg.solve(transform, place[:, :, None])[:, :, 0]
    pictures = _augmented(cut(pool.pictures, scenes, inverse, centre, POSE_CROP))

    axes = pose[:, POSE_AXES].reshape(number, 3, 3)
    axes = torch.cat([spin @ axes[:, :2], axes[:, 2:]], 1).transpose(1, 2)
    lean = pose[:, POSE_LEAN]
    flat = torch.einsum("nij,nj->ni", spin, pose[:, POSE_FLAT])
    spread = torch.exp(_uniform(math.log(_LEAST_SPREAD), math.log(_MOST_SPREAD), number * 2, device)).reshape(
        number, 2, 1
    )
    ups = flat[:, None] + spread * torch.randn(number, 2, 2, device=device)
    ups = ups * (0.95 / torch.linalg.vector_norm(ups, dim=2, keepdim=True).clamp(min=1e-6)).clamp(max=1)
    weight = torch.where((lean == 0) | (lean >= _CLEAR), 1.0, torch.where(lean > _DOUBTFUL, 0.3, 0.0))
    return pictures, {
        "lean": torch.einsum("nij,nj->ni", spin, die[:, LEAN]),
        "cube": harmonics(axes.reshape(-1, 3)).reshape(number, 3, HARMONICS).sum(1),
        "box": -error,
        "leaning": (lean > _DOUBTFUL).float(),
        "weight": weight,
        "given": torch.cat([ups, spread], 2),
    }


def _box_errors(number: int, device: torch.device) -> Tensor:
    """Return the finder's errors (n, 3): of the box centre relative to its sides, and of its size (logarithm)."""
    usual = torch.randn(number, 3, device=device) * torch.tensor([_BOX_ASIDE, _BOX_ASIDE, _BOX_LARGER], device=device)
    face = torch.randn(number, 3, device=device) * torch.tensor([_FAR_ASIDE, _FAR_ASIDE, _SMALLER[1]], device=device)
    face[:, 2] += _SMALLER[0]
    return torch.where((torch.rand(number, device=device) < _ONE_FACE)[:, None], face, usual)


def _augmented(pictures: Tensor) -> Tensor:
    """Augment images (n, 3, h, w) in 0..255 and return them in 0..1.

    The colours change. Some images also get a light gradient, a glare, a blur or a lower resolution.
    """
    number, device, size = len(pictures), pictures.device, pictures.shape[-1]
    pictures = recolour(pictures, torch.rand(number, device=device) < 0.5)
    pick = torch.rand(4, number, device=device)
    soft, coarse = (torch.nonzero(pick[i] < share)[:, 0] for i, share in ((0, 0.2), (1, 0.08)))
    if len(soft):
        pictures[soft] = blurred(pictures[soft])
    if len(coarse):
        small = functional.interpolate(pictures[coarse], scale_factor=float(torch.rand(()) * 0.4 + 0.4), mode="area")
        pictures[coarse] = functional.interpolate(small, size=(size, size), mode="bilinear")
    steps = torch.linspace(-1, 1, size, device=device)
    slopes = torch.randn(2, number, 1, 1, device=device) * 0.15 * (pick[2] < 0.4)[None, :, None, None]
    fall = 1 + slopes[0] * steps[None, None, :] + slopes[1] * steps[None, :, None]
    spot = _uniform(-0.6, 0.6, 2 * number, device).reshape(2, number, 1, 1)
    far = (steps[None, None, :] - spot[0]) ** 2 + (steps[None, :, None] - spot[1]) ** 2
    width = _uniform(0.1, 0.5, number, device)[:, None, None]
    glare = torch.exp(-far / width**2) * (_uniform(0.2, 0.9, number, device) * (pick[3] < 0.08))[:, None, None]
    lit = (pictures * fall[:, None]).clamp(0, 1)
    return lit * (1 - glare[:, None]) + glare[:, None]


def mine_hard_negatives(pool: ScenePool, scenes: Tensor, answers: Tensor, scale: float) -> None:
    """Store the finder's false finds in the pool.

    `answers` (n, FINDER_CHANNELS, h, w): its output for the images of `scenes` at the relative size `scale`.
    """
    heat = torch.sigmoid(answers[:, 0])
    peak = (heat == functional.max_pool2d(heat[:, None], 3, 1, 1)[:, 0]) & (heat > 0.12)
    number, width = len(scenes), heat.shape[2]
    score, index = (heat * peak).flatten(1).topk(24, 1)
    line, column = index // width, index % width
    at = answers.flatten(2).gather(2, index[:, None].expand(-1, answers.shape[1], -1))
    edge = torch.exp(at[:, 1].clamp(-1.5, 1.5)) * _REFERENCE_EDGE / scale
    x = (column + 0.5 + at[:, 2]) * STRIDE / scale
    y = (line + 0.5 + at[:, 3]) * STRIDE / scale
    dice, there = pool.dice[scenes], pool.is_die(scenes)
    sizes = dice[:, :, EDGE].clamp(min=1)
    gap = torch.hypot(dice[:, None, :, X] - x[:, :, None], dice[:, None, :, Y] - y[:, :, None]) / sizes[:, None]
    ratio = torch.log(sizes[:, None] / edge[:, :, None]).abs()
    is_false = (score > 0.12) & ~((gap < 0.4) & (ratio < 0.6) & there[:, None]).any(2)
    # A partly visible die or one without a face label is not a false find.
    doubtful = there & ((dice[:, :, SEEN] < 0.62) | (dice[:, :, FACE] == UNLABELLED))
    is_false = is_false & ~((gap < 0.8) & doubtful[:, None]).any(2)
    order = (score * is_false).argsort(1, descending=True)[:, : pool.false_finds.shape[1]]
    found = torch.stack([x, y, edge], 2)
    pool.false_finds[scenes] = found[torch.arange(number, device=pool.device)[:, None], order]
    pool.false_count[scenes] = is_false.sum(1).clamp(max=pool.false_finds.shape[1])
