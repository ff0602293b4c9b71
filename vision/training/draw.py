"""`python -m vision.training.draw FOLDER FIRST LAST COUNT`: draws shards FIRST to LAST of COUNT scenes each."""

from __future__ import annotations

import sys
from pathlib import Path

import cv2

from vision.training.dataset import draw_shards

if __name__ == "__main__":
    cv2.setNumThreads(1)
    folder, first, last, count = Path(sys.argv[1]), *map(int, sys.argv[2:5])
    draw_shards(folder, range(first, last + 1), count)
