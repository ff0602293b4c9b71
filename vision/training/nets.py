"""The two nets: a fully convolutional finder of dice (stride 8) and a classifier of small crops."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from vision.training.labels import CLASSES, COLOURS

STRIDE = 8
CROP = 48
"""Edge of the classifier's input in pixels; a die's edge takes half of it."""

FINDER_CHANNELS = 1 + 1 + 2 + 4 + (CLASSES - 1)
"""Centre, log size, offset (2), box (4), face classes 1..8."""


def _unit(inside: int, outside: int, stride: int = 1, dilation: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inside, outside, 3, stride, dilation, dilation, bias=False),
        nn.BatchNorm2d(outside),
        nn.ReLU(inplace=True),
    )


class Block(nn.Module):
    """Two convolutions beside a short cut."""

    def __init__(self, width: int, dilation: int = 1) -> None:
        super().__init__()
        self.first = _unit(width, width, 1, dilation)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.second(self.first(x)))


class Finder(nn.Module):
    """(N, 3, H, W) in 0..1, H and W multiples of 8, to (N, FINDER_CHANNELS, H/8, W/8); the centre is a logit."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _unit(3, 16, 2),
            _unit(16, 32, 2),
            Block(32),
            _unit(32, 64, 2),
            Block(64),
            Block(64, 2),
            Block(64),
            Block(64, 3),
            Block(64),
        )
        self.head = nn.Sequential(_unit(64, 64), nn.Conv2d(64, FINDER_CHANNELS, 1))
        nn.init.constant_(self.head[1].bias[:1], -4.0)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.body(x - 0.45))


class FaceNet(nn.Module):
    """(N, 3, CROP, CROP) in 0..1 to (N, CLASSES + COLOURS + 2): class logits, colour logits, lean (x, y)."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _unit(3, 24, 2),
            _unit(24, 32),
            Block(32),
            _unit(32, 64, 2),
            Block(64),
            Block(64),
            _unit(64, 96, 2),
            Block(96),
        )
        self.drop = nn.Dropout(0.1)
        self.face = nn.Linear(96 * 9, CLASSES)
        self.rest = nn.Linear(96 * 9, COLOURS + 2)

    def forward(self, x: Tensor) -> Tensor:
        flat = nn.functional.avg_pool2d(self.body(x - 0.45), 2).flatten(1)
        return torch.cat([self.face(self.drop(flat)), self.rest(flat)], 1)
