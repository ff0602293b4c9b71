"""`companion demo`: a whole match at the simulated table, told in the terminal as it goes."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from rich.console import Console

from companion.clock import SystemClock
from companion.commands.settings import data_folder_of, language_of
from companion.commands.simulated import NeverSettled, SimulatedReader
from companion.games.base import Die, Game
from companion.games.registry import GAMES
from companion.journal.exchange import export_match
from companion.journal.replay import replay
from companion.journal.store import Store
from companion.journal.store_errors import StoreError
from companion.language import Language
from companion.table.matches import Matches
from companion.table.ports import News, NewsKind
from companion.table.session import Session, StorageTrouble
from vision import dice_sets
from vision.roll import Face

DONE, FAILED, REFUSED = 0, 1, 2
PAUSE = 0.6
"""Seconds between two events, unless `--fast`."""


def run_demo(config: Path | None, game_id: str, seed: int, fast: bool) -> int:
    """Plays, tells on standard error, prints one JSON object with the result. Returns the exit status."""
    game = GAMES.get(game_id)
    if game is None:
        print(f"unknown game {game_id!r}; known: {', '.join(GAMES)}", file=sys.stderr)
        return REFUSED
    folder = data_folder_of(config) / "demo" / f"{game_id}-{seed}-{SystemClock().now():%Y%m%d-%H%M%S-%f}"
    language = language_of(config)
    console = Console(stderr=True, highlight=False)
    pause = (lambda: None) if fast else (lambda: time.sleep(PAUSE))
    try:
        result = Demo(game, seed, folder, language, console, pause).play()
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


class Demo:
    """One match of two random legal players; every die is thrown into the simulated tray and read from pictures."""

    def __init__(
        self,
        game: Game[Any, Any],
        seed: int,
        folder: Path,
        language: Language,
        console: Console,
        pause: Callable[[], None],
    ) -> None:
        self._game = game
        self._random = Random(seed)
        self._folder = folder
        self._language = language
        self._console = console
        self._pause = pause
        self._seed = seed
        self._counts = {"dice": 0, "asked": 0, "misread": 0}
        self._reader = SimulatedReader(dice_sets.load(game.id), seed)

    def play(self) -> dict[str, Any]:
        """The whole match. Raises NeverSettled when a throw is not read, StoreError or OSError if it is not kept."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with Store.open(self._folder / "match.sqlite", SystemClock()) as store:
            header = self._game.random_header(self._random)
            session = Matches(store, {self._game.id: self._game}).start(self._game.id, header, self._reader)
            session.outputs.subscribe(lambda news: self._tell(session, news))
            while not self._game.finished(session.state):
                fields = self._game.random_event(session.state, self._random)
                dice = self._game.dice(fields)
                if dice:
                    self._throw(session, dice)
                else:
                    session.record(fields)
            return self._finish(store, session)

    def _throw(self, session: Session, dice: tuple[Die, ...]) -> None:
        """Throws what is due first, then the rest beside it, as two clubs would."""
        self._reader.clear()
        while dice and session.awaits().dice:
            awaited = session.awaits().dice
            first = min(await_.order for await_ in awaited)
            due = sum(await_.count for await_ in awaited if await_.order == first)
            side = next((await_.side for await_ in awaited if await_.order == first), None)
            now, dice = dice[:due], dice[due:]
            self._reader.throw(now, 0 if side is None else self._game.sides.index(side))
            self._read(session, now)

    def _read(self, session: Session, thrown: tuple[Die, ...]) -> None:
        before = session.sequence
        truth = [Face(die.value, die.colour, die.symbol) for die in thrown]

        def done() -> bool:
            session.poll()
            if session.dice.question is not None:
                self._answer(session, truth)
            return session.sequence > before

        self._reader.pass_frames(done)
        self._counts["dice"] += len(thrown)
        recorded = self._game.dice(session.ledger.standing[-1].fields)
        if sorted(recorded, key=str) != sorted(thrown, key=str):
            self._counts["misread"] += 1
            self._console.print(f"[bold red]misread: {recorded} for {thrown}[/]")

    def _answer(self, session: Session, truth: list[Face]) -> None:
        """The players look at the die, as they would at a table."""
        question = session.dice.question
        if question is None:
            return
        self._counts["asked"] += 1
        if question.kind == "extra":
            strange = [index for index, die in enumerate(question.dice) if die.face not in truth]
            session.dice.answer(strange[0] if strange else 0)
            return
        if question.kind == "whose":
            session.dice.answer(next(index for index, die in enumerate(question.dice) if die.face == truth[0]))
            return
        told = [die.face for index, die in enumerate(question.dice) if die.certain]
        rest = list(truth)
        for face in told:
            if face in rest:
                rest.remove(face)
        session.dice.answer(rest[0] if rest else question.index)

    def _tell(self, session: Session, news: News) -> None:
        if news.kind is not NewsKind.ENTRY:
            return
        newest = session.ledger.standing[-1]
        text = self._game.describe(newest.state_after, newest.fields, newest.outcome)
        mark = "[yellow]●[/]" if newest.fields.get("by") == "camera" else " "
        self._console.print(f"{newest.line:4} {mark} {self._language.text(text)}")
        self._pause()

    def _finish(self, store: Store, session: Session) -> dict[str, Any]:
        journal = self._folder / "journal.jsonl"
        export_match(store, session.match_id, journal)
        pictures = self._export_pictures(session)
        again = replay(journal, {self._game.id: self._game})
        view = self._game.view(session.state)
        result: dict[str, Any] = {
            "game": self._game.id,
            "seed": self._seed,
            "score": view.get("score"),
            "result": view.get("result"),
            "events": len(session.ledger.standing),
            **self._counts,
            "replayed": again.ledger.state == session.state,
            "journal": str(journal),
            "pictures": str(pictures),
        }
        names = {side: session.header["sides"][side]["name"] for side in self._game.sides}
        score = " - ".join(f"{names[side]} {points}" for side, points in (result["score"] or {}).items())
        self._console.print(f"[bold]{score}[/]")
        self._console.print(self._language("cli.demo_counts", **self._counts))
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
