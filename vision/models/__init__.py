"""The shipped nets (see CARD.md) and how they are opened."""

from __future__ import annotations

import os
from pathlib import Path

from vision import NetError

# The runtime would keep a file for telemetry in the user's cache folder; it asks for this variable when it is imported.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

import onnxruntime as ort

FOLDER = Path(os.environ.get("TAPIS_VERT_MODELS") or Path(__file__).parent)
"""Where the nets lie; while training, those just trained."""

CROPS = {"faces": 48, "close": 96, "six_or_nine": 64, "top_colour": 48, "pose": 64}
"""Edge in pixels of the crops that a net takes; the other nets take whole pictures, but for those of VALUES."""

VALUES = {"cocked": [[111], [3]]}
"""How many numbers of each input a net takes that sees no picture."""


def open_net(name: str) -> ort.InferenceSession:
    """The net `name` of this folder, run on the processor by one thread. Raises NetError."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    path = FOLDER / f"{name}.onnx"
    try:
        net = ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # the runtime's own errors have no base of their own
        raise NetError("vision.net.damaged" if path.exists() else "vision.net.missing", path=path) from error
    sides = [[CROPS[name]] * 2 if name in CROPS else ["height", "width"]]
    if [given.shape[1:3] for given in net.get_inputs()] != VALUES.get(name, sides):
        raise NetError("vision.net.other", path=path)
    return net
