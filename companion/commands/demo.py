"""`companion demo`: a whole match at a simulated table, with simulated panel, tray, dice and players."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from rich.console import Console

from companion.clock import ManualClock, SystemClock
from companion.commands.exit_codes import DONE, FAILED, REFUSED
from companion.commands.journal import game_and_player
from companion.commands.own_dice import OwnDice, match_dice_set
from companion.commands.settings import data_folder_of, language_of
from companion.commands.simulated_table import RollNotRead, SimulatedReader, with_random_colours
from companion.games.base import AnyGame, DiceRequest, Die, Fields, GameState, JsonObject
from companion.games.registry import SPECS
from companion.games.spec import AutoPlayer
from companion.journal.database import StoreError
from companion.journal.ledger import replay
from companion.journal.store import Store
from companion.language import Language, reason_of
from companion.table import throws
from companion.table.controls import Controls, Devices
from companion.table.dice import Question, evidence
from companion.table.matches import Matches
from companion.table.panel import ButtonPress, PlayChoice, VisibleState, action_of
from companion.table.ports import News, NewsKind
from companion.table.session import Session, StorageError
from hardware.ports import HOLD_SECONDS, PanelPress, PressSource, Role
from hardware.simulated import SimulatedPanel, SimulatedTrayDevice
from vision import dice_sets
from vision.dice_sets import DiceSet
from vision.files import write_atomically
from vision.roll import DieReading, Face, RollRequest, SeenRoll

THINKING_S, TOUCH_S = 0.6, 0.15
"""Seconds before a player presses, and duration of the press."""
PLAY_ROLES = (Role.CONFIRM, Role.LEFT, Role.RIGHT)


class DemoPlayers:
    """Simulated players with panel and tray, in the match's own time. Nothing here waits."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._clock = ManualClock()
        self.panel = SimulatedPanel(self._clock.monotonic)
        self.tray = SimulatedTrayDevice(self._clock.monotonic)
        self.controls = Controls(Devices((self.panel, self.tray)), self._clock.monotonic)
        self.controls.start()
        self.controls.attach(session, self._order)
        self.presses = 0

    def pass_time(self, seconds: float, is_rolling: bool = False) -> None:
        """Advance the time at the table, with dice rolling or at rest."""
        self._clock.advance(seconds)
        self.tray.stir(is_rolling)
        for device_input in self.controls.poll():
            if isinstance(device_input, ButtonPress):
                self._session.handle_press(device_input)
        self._session.poll()

    def play(self, fields: Fields) -> bool:
        """Press the button for exactly this event. Returns False, without effect, if there is none."""
        button = self._button_for(fields)
        if button is None:
            return False
        role, needs_long_press = button
        before = self._session.sequence
        self.pass_time(THINKING_S)
        self.panel.touch(role)
        self.pass_time(HOLD_SECONDS + TOUCH_S if needs_long_press else TOUCH_S)
        self.panel.let_go(role)
        self.pass_time(TOUCH_S)
        self.presses += 1
        return self._session.sequence > before

    def lights(self) -> JsonObject:
        """Return the number of presses, and how often the tray showed each scene and one-shot effect."""
        scenes = Counter(show.scene.value for show in self.tray.shows)
        moments = Counter(show.moment.value for show in self.tray.shows if show.moment is not None)
        return {"presses": self.presses, "scenes": dict(scenes), "moments": dict(moments)}

    def close(self) -> None:
        """Turn off all lights and close the devices."""
        self.controls.close()

    def _order(self) -> tuple[Any, Any]:
        first, second = self._session.scene().sides[:2]
        return first, second

    def _button_for(self, fields: Fields) -> tuple[Role, bool] | None:
        session = self._session
        visible = VisibleState(session.decision(), self._order())
        for role in PLAY_ROLES:
            action = action_of(PanelPress(role, True, PressSource.PANEL, 0.0), visible)
            if (
                isinstance(action, PlayChoice)
                and not action.choice.prompts
                and dict(action.choice.event) == dict(fields)
            ):
                return role, action.choice.needs_long_press
        return None


# The demo's players: they throw dice into the simulated tray and answer the questions about them.


MAX_ATTEMPTS = 5
"""Throws of the same dice before the demo fails."""

FRAME_S = 1 / 30
"""Seconds between two pictures of the tray."""

READ_TIMEOUT_S = 4.0
"""Seconds of tray time that players wait for a reading of dice at rest, before they throw again."""


def match_reader(game: AnyGame, state: GameState, made: DiceSet, seed: int) -> SimulatedReader:
    """Return the reader of a match's dice as manufactured, sized for the largest throw of the game."""
    return SimulatedReader(match_dice_set(game, state, made), seed, made_set=made, max_dice=SPECS[game.id].max_dice)


class DemoTable:
    """Plays one event after the other.

    `counts`: dice read, asked about, thrown again, overlooked and misread.
    """

    def __init__(
        self, session: Session, reader: SimulatedReader | None, narrator: Narrator, hands: DemoPlayers
    ) -> None:
        self._session = session
        self._hands = hands
        self._reader = reader
        self._narrator = narrator
        self._is_race = False
        self.counts = {"dice": 0, "asked": 0, "again": 0, "overlooked": 0, "misread": 0}

    def play(self, fields: Fields) -> None:
        """Play an event chosen by a player, with its dice. The table's reading of the dice decides what happens."""
        dice = self._session.game.dice_from_event(fields)
        required = self._session.game.decision(self._session.state).required_before_dice
        if required is not None and required.throw is not None and required.event["event"] == fields["event"]:
            self._session.dice.arm(required)
        if not dice or self._reader is None:
            if not self._hands.play(fields):
                self._session.record(fields)
        elif self._is_clear_from_dice(dice):
            self._throw(self._reader, dice)
        else:
            self._read_without_recording(self._reader, fields, dice)

    def _is_clear_from_dice(self, dice: tuple[Die, ...]) -> bool:
        """Return True if these dice alone determine the event."""
        session = self._session
        readings = [_reading(die, index) for index, die in enumerate(dice)]
        verdict = throws.judge(session.game, session.state, session.decision(), readings)
        return isinstance(verdict, throws.Recordable | throws.AskWhose)

    def _throw(self, reader: SimulatedReader, dice: tuple[Die, ...]) -> None:
        """Throw the dice due first, then the rest beside them, as two sides would.

        In a race, a side throws beside the other's dice. Otherwise the tray is cleared first.
        """
        due_dice = self._session.decision().dice
        race = any(request.independent for request in due_dice)
        if not (race and self._is_race and not reader.placed_kinds & {die.kind for die in dice}):
            reader.clear()
        self._is_race = race
        while dice and due_dice:
            now = _first_dice(due_dice)
            is_open_count = race or any(await_.min_count is not None for await_ in now)
            due = len(dice) if is_open_count else sum(await_.count for await_ in now)
            thrown, dice = dice[:due], dice[due:]
            sides = list(self._session.header["sides"])
            self._throw_until_read(reader, thrown, 0 if now[0].side is None else sides.index(now[0].side))
            due_dice = self._session.decision().dice

    def _throw_until_read(self, reader: SimulatedReader, thrown: tuple[Die, ...], side: int) -> None:
        """Throw dice, again if the table cannot read them. Raises: RollNotRead."""
        for _ in range(MAX_ATTEMPTS):
            reader.throw(thrown, side)
            if self._read(reader, thrown) and self._are_all_recorded(thrown):
                self._count_dice(self._last_recorded_dice(), thrown)
                return
            self.counts["again"] += len(thrown)
            reader.clear()
        raise RollNotRead("attempts", n=len(thrown), attempts=MAX_ATTEMPTS)

    def _last_recorded_dice(self) -> tuple[Die, ...]:
        return self._session.game.dice_from_event(self._session.ledger.events[-1].fields)

    def _are_all_recorded(self, thrown: tuple[Die, ...]) -> bool:
        """Return True if all thrown dice were recorded. If their number is open, only players notice a missed die."""
        overlooked = len(thrown) - len(self._last_recorded_dice())
        if overlooked <= 0:
            return True
        self.counts["overlooked"] += overlooked
        self._session.undo()
        return False

    def _read(self, reader: SimulatedReader, thrown: tuple[Die, ...]) -> bool:
        """Wait until the dice are read, and answer every question. Returns True if they were recorded."""
        session = self._session
        before, resting_since = session.sequence, reader.camera.t
        is_recorded = False

        def is_done() -> bool:
            nonlocal resting_since, is_recorded
            self._hands.pass_time(FRAME_S, is_rolling=not reader.camera.at_rest)
            question = session.dice.question
            if question is not None and session.sequence == before:
                self._answer(session, reader, question, thrown)
            if question is not None or not reader.camera.at_rest:
                resting_since = reader.camera.t
            is_recorded = session.sequence > before
            return is_recorded or reader.camera.t - resting_since > READ_TIMEOUT_S

        reader.advance_until(is_done)
        return is_recorded

    def _answer(self, session: Session, reader: SimulatedReader, question: Question, thrown: tuple[Die, ...]) -> None:
        """Answer a question with the true face, as players who look at the die."""
        self.counts["asked"] += 1
        truths = [reader.truth_at(die.box) for die in question.dice]
        if question.kind == "whose":
            session.answer(truths.index(thrown[0]))
        elif question.kind == "extra":
            if None in truths:
                session.answer(truths.index(None))
            else:
                session.dice.dismiss(all_dice=True)
        else:
            truth = truths[question.index]
            face = None if truth is None else Face(truth.value, truth.colour, truth.symbol)
            session.answer(question.index if face is None else face)

    def _read_without_recording(self, reader: SimulatedReader, fields: Fields, dice: tuple[Die, ...]) -> None:
        """Read dice that do not determine the event on their own. The event itself is entered by touch."""
        most = SPECS[self._session.game.id].max_dice or len(dice)
        kinds = sorted({die.kind for die in dice})
        rest = iter(sorted(dice, key=lambda die: kinds.index(die.kind)))
        read: list[Die] = []
        seen = None
        while thrown := tuple(islice(rest, most)):
            reader.clear()
            reader.poll()
            reader.request(RollRequest(self._session.dice.dice_set, tuple(Counter(d.kind for d in thrown).items())))
            reader.throw(thrown)
            seen = self._next_roll(reader)
            read += [self._resolve_die(reader, die) for die in seen.roll.dice]
        self._count_dice(read, dice)
        pictures = evidence(seen, seen.roll.dice) if seen is not None else ()
        self._session.record(fields, by="camera", pictures=pictures)
        self._is_race = False

    def _resolve_die(self, reader: SimulatedReader, die: DieReading) -> Die:
        if not die.certain:
            self.counts["asked"] += 1
            return reader.truth_at(die.box) or throws.as_die(die.kind, die.face)
        return throws.as_die(die.kind, die.face)

    def _next_roll(self, reader: SimulatedReader) -> SeenRoll:
        """Return the next settled roll. Raises: RollNotRead."""
        news: list[SeenRoll] = []

        def is_done() -> bool:
            news.extend(item for item in reader.poll() if isinstance(item, SeenRoll) and item.roll.dice)
            return bool(news)

        reader.advance_until(is_done)
        if not news:
            raise RollNotRead("nothing")
        return news[-1]

    def _count_dice(self, read: Sequence[Die], thrown: Sequence[Die]) -> None:
        self.counts["dice"] += len(thrown)
        if Counter(read) != Counter(thrown):
            self.counts["misread"] += (Counter(thrown) - Counter(read)).total() or 1
            faces = {"read": _faces(read), "thrown": _faces(thrown)}
            self._narrator.console.print(self._narrator.language("cli.demo_misread", **faces), style="bold red")


def _first_dice(due_dice: Sequence[DiceRequest]) -> list[DiceRequest]:
    """Return the dice that are due before the others."""
    first = min(request.order for request in due_dice)
    return [await_ for await_ in due_dice if await_.order == first]


def _faces(dice: Sequence[Die]) -> str:
    return ", ".join(str(Face(die.value, die.colour, die.symbol)) for die in dice)


def _reading(die: Die, index: int) -> DieReading:
    """Return the reading of the die by a fully certain reader."""
    face = Face(die.value, die.colour, die.symbol)
    return DieReading(die.kind, face, (60.0 * index, 0.0, 40.0, 40.0), 1.0, possible=((face, 1.0),))


# `companion demo`: a whole match at the simulated table, printed in the terminal.


PAUSE_S = 0.6
"""Seconds between two events, without `--fast`."""


def run_demo(config: Path | None, game_id: str, seed: int, fast: bool, player: str = "random") -> int:
    """Play a match, narrate on standard error, and print the result as one JSON object. Returns the exit status."""
    language = language_of(config)
    chosen = game_and_player(language, game_id, player)
    if chosen is None:
        return REFUSED
    game, plays = chosen
    folder = data_folder_of(config) / "demo" / f"{game_id}-{seed}-{SystemClock().now():%Y%m%d-%H%M%S-%f}"
    console = Console(stderr=True, highlight=False)
    pause = (lambda: None) if fast else (lambda: time.sleep(PAUSE_S))
    try:
        result = Demo(game, plays, seed, folder, Narrator(language, console, pause)).play()
    except (StoreError, StorageError) as trouble:
        return _print_stop(language, language.text(trouble.message), folder)
    except OSError as error:
        return _print_stop(language, f"{error.filename or folder}: {language.text(reason_of(error))}", folder)
    except RollNotRead as error:
        return _print_stop(language, language.text(error.message), folder)
    except KeyboardInterrupt:
        return _print_stop(language, language("cli.interrupted"), folder)
    print(json.dumps(result, ensure_ascii=False))
    return DONE if result["replayed"] and not result["misread"] else FAILED


def _print_stop(language: Language, reason: str, folder: Path) -> int:
    print(language("cli.demo_stopped", reason=reason.rstrip(".")), file=sys.stderr)
    if folder.exists():
        print(language("cli.demo_kept", folder=folder), file=sys.stderr)
    return FAILED


@dataclass(frozen=True, slots=True)
class Narrator:
    """Output of a demo: the language, the terminal, and the pause between two events."""

    language: Language
    console: Console
    pause: Callable[[], None]


class Demo:
    """A match of two bots. Every die is thrown into the simulated tray and read from pictures."""

    def __init__(self, game: AnyGame, player: AutoPlayer, seed: int, folder: Path, narrator: Narrator) -> None:
        self._game = game
        self._player = player
        self._random = Random(seed)
        self._folder = folder
        self._narrator = narrator
        self._language, self._console = narrator.language, narrator.console
        self._pause = narrator.pause
        self._seed = seed

    def play(self) -> JsonObject:
        """Play the whole match. Raises: RollNotRead for an unread throw; StoreError or OSError for a failed write."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with Store.open(self._folder / "match.sqlite", SystemClock()) as store:
            game = self._game
            header: Fields = game.random_header(self._random)
            reader = None
            if game.id in dice_sets.names():
                made = with_random_colours(dice_sets.load(game.id), Random(self._seed))
                header = OwnDice(made).with_known_faces(header)  # the players have confirmed every colour
                reader = match_reader(game, game.initial_state(header), made, self._seed)
            session = Matches(store, {game.id: game}).start(game.id, header, reader)
            hands = DemoPlayers(session)
            table = DemoTable(session, reader, self._narrator, hands)
            session.outputs.subscribe(lambda news: self._narrate(session, news))
            try:
                while not game.finished(session.state):
                    table.play(self._player(session.state, self._random))
            finally:
                hands.close()
                store.export(session.match_id, self._journal)
            return self._finish(session, table.counts, hands.lights())

    def _narrate(self, session: Session, news: News) -> None:
        if news.kind is not NewsKind.EVENT:
            return
        newest = session.ledger.events[-1]
        text = self._game.describe(newest.state_after, newest.fields, newest.outcome)
        mark = "[yellow]●[/]" if newest.fields.get("by") == "camera" else " "
        self._console.print(f"{newest.line:4} {mark} {self._language.text(text)}")
        self._pause()

    @property
    def _journal(self) -> Path:
        """Exported journal of the match, up to the last event played."""
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
            "events": len(session.ledger.events),
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
                write_atomically(folder / f"{row.line:04d}.jpg", tray)
        return folder
