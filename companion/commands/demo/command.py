"""`companion demo`: a whole match at the simulated table, told in the terminal as it goes."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from rich.console import Console

from companion.clock import SystemClock
from companion.commands.demo.hands import DemoHands
from companion.commands.demo.table import DemoTable, simulated_reader
from companion.commands.settings import data_folder_of, language_of
from companion.commands.table.own_dice import OwnDice
from companion.commands.table.simulated import NeverSettled
from companion.commands.table.simulated_tray import coloured
from companion.games.base import Fields, Game
from companion.games.registry import GAMES, PLAYERS, Player, player_of
from companion.journal.database import StoreError
from companion.journal.ledger import replay
from companion.journal.store import Store
from companion.language import Language
from companion.table.matches import Matches
from companion.table.ports import News, NewsKind
from companion.table.session import Session, StorageTrouble
from vision import dice_sets

DONE, FAILED, REFUSED = 0, 1, 2
PAUSE = 0.6
"""Seconds between two events, unless `--fast`."""


def run_demo(config: Path | None, game_id: str, seed: int, fast: bool, player: str = "random") -> int:
    """Plays, tells on standard error, prints one JSON object with the result. Returns the exit status."""
    game = GAMES.get(game_id)
    if game is None:
        print(f"unknown game {game_id!r}; known: {', '.join(GAMES)}", file=sys.stderr)
        return REFUSED
    if player not in PLAYERS:
        print(f"unknown player {player!r}; known: {', '.join(PLAYERS)}", file=sys.stderr)
        return REFUSED
    folder = data_folder_of(config) / "demo" / f"{game_id}-{seed}-{SystemClock().now():%Y%m%d-%H%M%S-%f}"
    language = language_of(config)
    console = Console(stderr=True, highlight=False)
    pause = (lambda: None) if fast else (lambda: time.sleep(PAUSE))
    try:
        result = Demo(game, player_of(game, player), seed, folder, Narrator(language, console, pause)).play()
    except (StoreError, StorageTrouble) as trouble:
        return _stopped(language, language.text(trouble.message), folder)
    except OSError as error:
        return _stopped(language, f"{error.filename or folder}: {error.strerror}", folder)
    except NeverSettled as error:
        return _stopped(language, str(error), folder)
    except KeyboardInterrupt:
        return _stopped(language, language("cli.interrupted"), folder)
    print(json.dumps(result, ensure_ascii=False))
    return DONE if result["replayed"] and not result["misread"] else FAILED


def _stopped(language: Language, reason: str, folder: Path) -> int:
    print(language("cli.demo_stopped", reason=reason.rstrip(".")), file=sys.stderr)
    if folder.exists():
        print(language("cli.demo_kept", folder=folder), file=sys.stderr)
    return FAILED


@dataclass(frozen=True, slots=True)
class Narrator:
    """How a demo is shown: the language, the terminal, and the pause between two events."""

    language: Language
    console: Console
    pause: Callable[[], None]


class Demo:
    """One match of two players of the program; every die is thrown into the simulated tray and read from pictures."""

    def __init__(self, game: Game[Any, Any], player: Player, seed: int, folder: Path, narrator: Narrator) -> None:
        self._game = game
        self._player = player
        self._random = Random(seed)
        self._folder = folder
        self._language, self._console = narrator.language, narrator.console
        self._pause = narrator.pause
        self._seed = seed

    def play(self) -> dict[str, Any]:
        """The whole match. Raises NeverSettled when a throw is not read, StoreError or OSError if it is not kept."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with Store.open(self._folder / "match.sqlite", SystemClock()) as store:
            game = self._game
            header: Fields = game.random_header(self._random)
            reader = None
            if game.id in dice_sets.names():
                made = coloured(dice_sets.load(game.id), Random(self._seed))
                header = OwnDice(made).described(header)  # its players have confirmed every colour
                reader = simulated_reader(game, game.begin(header), made, self._seed)
            session = Matches(store, {game.id: game}).start(game.id, header, reader)
            hands = DemoHands(session)
            table = DemoTable(session, reader, self._console, hands)
            session.outputs.subscribe(lambda news: self._tell(session, news))
            try:
                while not game.finished(session.state):
                    table.play(self._player(session.state, self._random))
            finally:
                hands.close()
                store.export(session.match_id, self._journal)
            return self._finish(session, table.counts, hands.lights())

    def _tell(self, session: Session, news: News) -> None:
        if news.kind is not NewsKind.ENTRY:
            return
        newest = session.ledger.standing[-1]
        text = self._game.describe(newest.state_after, newest.fields, newest.outcome)
        mark = "[yellow]●[/]" if newest.fields.get("by") == "camera" else " "
        self._console.print(f"{newest.line:4} {mark} {self._language.text(text)}")
        self._pause()

    @property
    def _journal(self) -> Path:
        """The match as others can read it, up to where it was played."""
        return self._folder / "journal.jsonl"

    def _finish(self, session: Session, counts: dict[str, int], lights: dict[str, Any]) -> dict[str, Any]:
        journal = self._journal
        pictures = self._export_pictures(session)
        again = replay(journal, {self._game.id: self._game})
        view = self._game.view(session.state)
        result: dict[str, Any] = {
            "game": self._game.id,
            "seed": self._seed,
            "score": view.get("score"),
            "result": view.get("result", view.get("winner")),
            "events": len(session.ledger.standing),
            **counts,
            **lights,
            "replayed": again.ledger.state == session.state,
            "journal": str(journal),
            "pictures": str(pictures),
        }
        sides, points = session.header["sides"], result["score"] or {}
        score = " - ".join(f"{side['name']} {points.get(id, 0)}" for id, side in sides.items())
        self._console.print(f"[bold]{score}[/]")
        self._console.print(self._language("cli.demo_counts", **counts))
        moments = sum(lights["moments"].values())
        self._console.print(self._language("cli.demo_lights", n=lights["presses"], moments=moments))
        self._console.print(f"{journal}\n{pictures}")
        return result

    def _export_pictures(self, session: Session) -> Path:
        folder = self._folder / "pictures"
        folder.mkdir(exist_ok=True)
        for row in session.timeline():
            tray = session.pictures(row.line).tray if row.has_pictures else None
            if tray:
                (folder / f"{row.line:04d}.jpg").write_bytes(tray)
        return folder
