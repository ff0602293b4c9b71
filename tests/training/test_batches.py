"""Training batches: the picture content is where the targets say."""

from collections import Counter
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="it comes with the extra `train`")

from tools.training import batches, losses  # noqa: E402 # needs torch
from tools.training.dataset import SCENE, LabelledScene, load_scenes, save_shard  # noqa: E402
from tools.training.labels import UNLABELLED, Label  # noqa: E402
from tools.training.nets import STRIDE, ColourNet, FaceNet, FigureNet, FinderNet, PoseNet  # noqa: E402
from tools.training.scene_pool import KINDS, ScenePool, drawn_scenes  # noqa: E402
from vision.classification.classes import CLASSES, NOTHING, PLAIN, UNKNOWN, of_digit  # noqa: E402
from vision.classification.face_nets import FIGURES  # noqa: E402
from vision.dice_sets import BODIES  # noqa: E402

CPU = torch.device("cpu")
RED, GREEN, GREY = (0, 0, 255), (0, 255, 0), (90, 90, 90)


def marked(x: int, y: int, edge: int, **more: float) -> LabelledScene:
    """Return a grey picture with one die: a green square of `edge` pixels with a red centre."""
    picture = np.full((SCENE, SCENE, 3), GREY, np.uint8)
    half, dot = edge // 2, edge // 6
    picture[y - half : y + half, x - half : x + half] = GREEN
    picture[y - dot : y + dot, x - dot : x + dot] = RED
    box = (float(x - half), float(y - half), float(x + half), float(y + half))
    face = int(more.pop("face", 1))
    label = Label(float(x) - 0.5, float(y) - 0.5, float(edge), 0.0, 0.0, box, face, paint=5, **more)  # type: ignore[arg-type]
    return LabelledScene.of(picture, [label], "random")


def pool_of(*scenes: LabelledScene) -> ScenePool:
    pool = ScenePool(len(scenes), CPU)
    for scene in scenes:
        pool.add(scene)
    return pool


@pytest.fixture(scope="module")
def drawn() -> ScenePool:
    return pool_of(*islice(drawn_scenes(3, 0), 60))


@pytest.fixture(autouse=True)
def same_every_time() -> None:
    torch.manual_seed(5)


def test_a_patch_shows_each_die_where_its_centre_is() -> None:
    pool = pool_of(marked(120, 300, 60), marked(330, 90, 100))
    pictures, targets = batches.finder_batch(pool, 64)
    centres = targets["centres"]
    assert len(centres) > 30
    for n, line, column, size, right, down, *box_and_face in centres.tolist():
        x, y = (column + 0.5 + right) * STRIDE, (line + 0.5 + down) * STRIDE
        edge = 24 * np.exp(size)
        assert box_and_face[:4] == pytest.approx([0.5] * 4, abs=0.12)  # distorted or not, the square is the box
        picture = pictures[int(n)]
        middle = picture[:, int(y), int(x)]
        beside = [
            picture[:, round(y + b * edge), round(x + a * edge)]
            for a, b in ((0.33, 0), (-0.33, 0), (0, 0.33), (0, -0.33))
            if 0 <= round(x + a * edge) < batches.PATCH and 0 <= round(y + b * edge) < batches.PATCH
        ]
        for colour in beside:
            assert (colour - middle).abs().max() > 0.15, (x, y, edge)


def test_a_crop_has_its_die_in_the_middle_as_large_as_half_of_it() -> None:
    pictures, targets = batches.faces_batch(pool_of(marked(200, 200, 80), marked(90, 350, 24)), 48)
    for picture, face in zip(pictures, targets["face"].tolist(), strict=True):
        if face == 1:
            assert (picture[:, 48, 48] - picture[:, 48, 48 + 16]).abs().max() > 0.1
            assert (picture[:, 4, 4] - picture[:, 48, 48 + 16]).abs().max() > 0.05
    assert {1, NOTHING} <= set(targets["face"].tolist())


def test_what_is_shrunk_is_averaged() -> None:
    """A fine chessboard reduced by a factor of eight is grey, not black or white."""
    board = np.indices((SCENE, SCENE)).sum(0) % 2 * 255
    pool = pool_of(LabelledScene.of(np.dstack([board] * 3).astype(np.uint8), [], "bare"))
    scenes = torch.zeros(1, dtype=torch.long)
    small = batches.cut(pool.pictures, scenes, torch.eye(2)[None] * 8, torch.full((1, 2), SCENE / 2), 32)
    assert small.min() > 110
    assert small.max() < 145


def test_a_place_beyond_the_rim_is_grey() -> None:
    pool = pool_of(marked(200, 200, 80))
    far = torch.full((1, 2), -500.0)
    out = batches.cut(pool.pictures, torch.zeros(1, dtype=torch.long), torch.eye(2)[None], far, 16)
    assert torch.allclose(out, torch.full_like(out, 114.0), atol=0.5)


def test_false_finds_are_none_of_the_dice() -> None:
    """The finder reports a die and an empty place with certainty: only the latter is kept."""
    pool = pool_of(marked(120, 200, 40))
    cells = SCENE // STRIDE
    answers = torch.zeros(1, 16, cells, cells)
    answers[:, 0] = -9.0
    for x, y in ((120, 200), (300, 320)):
        answers[0, 0, y // STRIDE, x // STRIDE] = 4.0
        answers[0, 1, y // STRIDE, x // STRIDE] = float(np.log(40 / 24))
    batches.mine_hard_negatives(pool, torch.zeros(1, dtype=torch.long), answers, 1.0)
    assert pool.false_count.tolist() == [1]
    assert pool.false_finds[0, 0].tolist() == pytest.approx([300, 324, 40], abs=6)


def test_crops_are_dice_and_other_things(drawn: ScenePool) -> None:
    _, targets = batches.faces_batch(drawn, 600)
    seen = Counter(targets["face"].tolist())
    assert 0.2 < seen[NOTHING] / 600 < 0.65
    assert {PLAIN, UNKNOWN, of_digit(6)} <= set(seen)
    assert set(targets["paint"].tolist()) <= {*range(len(BODIES)), UNLABELLED}
    nothing = targets["face"] == NOTHING
    assert set(targets["paint"][nothing].tolist()) == {UNLABELLED}


def test_crops_of_figures_show_every_class(drawn: ScenePool) -> None:
    _, targets = batches.figures_batch(drawn, 400)
    assert set(targets["figure"].tolist()) == set(range(len(FIGURES)))


def test_crops_of_one_picture_are_told_together(drawn: ScenePool) -> None:
    pictures, targets = batches.colours_batch(drawn, 64)
    assert pictures.shape[1] == 6
    assert len(pictures) == len(targets["given"]) <= 64
    assert 1 <= max(Counter(targets["given"].tolist()).values()) <= 8
    assert (targets["colour"] == UNLABELLED).float().mean() < 0.2


def test_half_of_the_dice_whose_pose_is_taught_lean(drawn: ScenePool) -> None:
    _, targets = batches.pose_batch(drawn, 200)
    assert 0.25 < float(targets["leaning"].mean()) < 0.75
    assert float(torch.linalg.vector_norm(targets["lean"], dim=1).max()) < 1 + 1e-5


@pytest.mark.parametrize(
    ("make", "batch", "loss"),
    [
        (FinderNet, batches.finder_batch, losses.finder_loss),
        (FaceNet, lambda pool, n: _halved(batches.faces_batch(pool, n)), losses.faces_loss),
        (FigureNet, batches.figures_batch, losses.figures_loss),
        (ColourNet, batches.colours_batch, losses.colours_loss),
        (PoseNet, batches.pose_batch, losses.pose_loss),
    ],
)
def test_every_net_learns_a_batch_by_heart(make, batch, loss, drawn: ScenePool) -> None:  # type: ignore[no-untyped-def]
    net = make().train()
    pictures, targets = batch(drawn, 16)
    optimiser = torch.optim.Adam(net.parameters(), 2e-3)
    seen = []
    for _ in range(25):
        out = net(pictures, targets["given"]) if "given" in targets else net(pictures)
        value = loss(out, targets)
        optimiser.zero_grad()
        value.backward()
        optimiser.step()
        seen.append(float(value.detach()))
    assert seen[-1] < 0.7 * seen[0]


def _halved(batch: batches.Batch) -> batches.Batch:
    return torch.nn.functional.avg_pool2d(batch[0], 2), batch[1]


def test_a_full_pool_drops_the_oldest_drawn_scene_and_keeps_the_photographs(tmp_path: Path) -> None:
    label = Label(50.0, 60.0, 20.0, 0.0, 0.0, (40.0, 50.0, 60.0, 70.0), 3)
    save_shard(tmp_path, 1, 2, ((np.full((SCENE, SCENE, 3), 7, np.uint8), [label]) for _ in range(2)))
    (first, _) = load_scenes(tmp_path, "kept")
    assert first.dice[0, :3].tolist() == [50.0, 60.0, 20.0]
    pool = ScenePool(4, CPU)
    pool.keep(tmp_path)
    for value in range(3):
        pool.add(LabelledScene.of(np.full((SCENE, SCENE, 3), 100 + value, np.uint8), [], "bare"))
    assert pool.pictures[:, 0, 0, 0].tolist() == [7, 7, 102, 101]
    assert [KINDS[kind] for kind in pool.kinds.tolist()] == ["kept", "kept", "bare", "bare"]
    assert pool.sample_kinds(9, ("leaning",)).tolist() == []


def test_the_same_worker_draws_the_same_scenes() -> None:
    first, again = (list(islice(drawn_scenes(9, 2), 2)) for _ in range(2))
    assert all(
        np.array_equal(a.picture, b.picture) and np.array_equal(a.dice, b.dice)
        for a, b in zip(first, again, strict=True)
    )
    assert not np.array_equal(next(drawn_scenes(9, 3)).picture, first[0].picture)
    assert all(scene.dice[:, 9].max(initial=0) < CLASSES or UNLABELLED in scene.dice[:, 9] for scene in first)
