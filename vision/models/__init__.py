"""The shipped nets (see CARD.md) and how they are opened."""

from __future__ import annotations

from pathlib import Path

import onnxruntime as ort

FOLDER = Path(__file__).parent


def open_net(name: str, threads: int) -> ort.InferenceSession:
    """The net `name` of this folder, run on the processor by `threads` threads."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return ort.InferenceSession(str(FOLDER / f"{name}.onnx"), options, providers=["CPUExecutionProvider"])
