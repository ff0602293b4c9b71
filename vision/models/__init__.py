"""The shipped networks (see CARD.md) and the function that opens them."""

from __future__ import annotations

import os
from pathlib import Path

from vision import NetError

# ONNX Runtime would write a telemetry file to the user's cache folder. It reads this variable on import.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

import onnxruntime as ort

FOLDER = Path(os.environ.get("TAPIS_VERT_MODELS") or Path(__file__).parent)
"""Folder of the networks. During training it is the folder of the new networks."""

CROP_SIZES = {"faces": 48, "close": 96, "six_or_nine": 64, "top_colour": 48, "pose": 64}
"""Edge in pixels of the crops that a network takes. The others take whole images, except those in VALUES."""

VALUES = {"cocked": [[111], [3]]}
"""Input lengths of a network that takes numbers instead of images."""


def open_net(name: str) -> ort.InferenceSession:
    """Open the network `name` of this folder, to run on the CPU with one thread. Raises: NetError."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    # The arena keeps the memory of the largest batch that each network ever saw: 120 throws take 342 MB with it, 226 MB
    # without, in the same time.
    options.enable_cpu_mem_arena = False
    options.enable_mem_pattern = False
    options.log_severity_level = 3
    path = FOLDER / f"{name}.onnx"
    try:
        net = ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # ONNX Runtime's errors have no common base class
        raise NetError("vision.net.damaged" if path.exists() else "vision.net.missing", path=path) from error
    sides = [[CROP_SIZES[name]] * 2 if name in CROP_SIZES else ["height", "width"]]
    if [given.shape[1:3] for given in net.get_inputs()] != VALUES.get(name, sides):
        raise NetError("vision.net.other", path=path)
    return net
