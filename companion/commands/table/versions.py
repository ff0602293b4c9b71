"""What reads and reckons here: the program's version and the start of each net's SHA-256."""

from __future__ import annotations

import hashlib

from companion import __version__
from vision.models import FOLDER as MODELS


def reader_versions() -> dict[str, str]:
    """The versions by name: `tapis-vert`, and every net of the reader."""
    nets = {path.name: hashlib.sha256(path.read_bytes()).hexdigest()[:16] for path in sorted(MODELS.glob("*.onnx"))}
    return {"tapis-vert": __version__, **nets}
