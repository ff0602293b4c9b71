"""The process that is killed: records a match and prints the store's acknowledgements.

`python -m tests.fault.writer STORE GAME SEED` runs until it is killed.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from random import Random

from companion.clock import SystemClock
from companion.journal.store import Store
from tests.fault.play import GAMES, play_on


def main(path: str, game: str, seed: str) -> None:
    with Store.open(Path(path), SystemClock()) as store:
        for ack in play_on(store, GAMES[game], Random(seed)):
            os.write(1, json.dumps([ack.match, ack.line, ack.fields]).encode() + b"\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
