"""Turns trained weights into the ONNX files that the product runs: `python -m vision.training.export FINDER FACES OUT`."""

from __future__ import annotations

import sys
from pathlib import Path

import torch
from torch import Tensor, nn

from vision.training.nets import CROP, FaceNet, Finder


class FromBytes(nn.Module):
    """A net that takes pictures as they come from a camera: (N, H, W, 3) uint8 BGR."""

    def __init__(self, net: nn.Module) -> None:
        super().__init__()
        self.net = net

    def forward(self, pictures: Tensor) -> Tensor:
        return self.net(pictures.permute(0, 3, 1, 2).float() * (1 / 255))


def export(net: nn.Module, weights: Path, out: Path, given: str, size: int) -> None:
    """Writes `net` with `weights` to `out`; its input is called `given`."""
    net.load_state_dict(torch.load(weights, weights_only=True))
    free = {0: "count", 1: "height", 2: "width"} if given == "picture" else {0: "count"}
    torch.onnx.export(
        FromBytes(net).eval(), (torch.zeros(1, size, size, 3, dtype=torch.uint8),), str(out), input_names=[given],
        output_names=["out"], dynamic_axes={given: free, "out": free if given == "crops" else {0: "count", 2: "h", 3: "w"}},
        opset_version=17, dynamo=False,
    )


if __name__ == "__main__":
    folder = Path(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    export(Finder(), Path(sys.argv[1]), folder / "finder.onnx", "picture", 320)
    export(FaceNet(), Path(sys.argv[2]), folder / "faces.onnx", "crops", CROP)
