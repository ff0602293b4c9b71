"""Runs inside a chroot as the table's user: plays a match into the table's own store, or prints its matches."""

from __future__ import annotations

import json
import sys
from random import Random

from companion.clock import SystemClock
from companion.config import data_folder, load_config
from companion.games.registry import GAMES, find_player
from companion.journal.store import Store
from companion.table.autoplay import play


def main(what: str, seed: int = 1) -> None:
    """Play the match of a seed (`played`), then print every match as one JSON line: game and number of lines."""
    with Store.open(data_folder(load_config()) / "matches.sqlite", SystemClock()) as store:
        if what == "played":
            header, *events = play(GAMES["hoops21"], Random(seed), find_player(GAMES["hoops21"], "random"))
            store.create(header, events, ended=True)
        for match in store.matches():
            sys.stdout.write(json.dumps({"game": match.game, "lines": match.lines}) + "\n")
        sys.exit(1 if store.check() else 0)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
