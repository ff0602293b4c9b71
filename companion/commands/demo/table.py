"""The players of a demo at their table: they throw dice into the drawn tray and tell what is asked about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice
from typing import Any

from rich.console import Console

from companion.commands.demo.hands import DemoHands
from companion.commands.table.own_dice import match_set
from companion.commands.table.simulated import MOST_DICE, NeverSettled, SimulatedReader
from companion.games.base import DiceAwait, Die, Fields, Game
from companion.table import throws
from companion.table.dice import Question, evidence
from companion.table.session import Session
from vision.dice_sets import DiceSet
from vision.roll import DieReading, Face, RollRequest, SeenRoll

ATTEMPTS = 5
"""Throws of the same dice before the demo gives up."""

FRAME_SECONDS = 1 / 30
"""Between two pictures of the tray."""

PATIENCE = 4.0
"""Seconds of the tray's time that players wait for dice at rest to be read, before they throw them again."""


def simulated_reader(game: Game[Any, Any], state: Any, made: DiceSet, seed: int) -> SimulatedReader:
    """The reader of a match's dice as they are made, with room for as many as the game throws at once."""
    return SimulatedReader(match_set(game, state, made), seed, made=made, most=MOST_DICE.get(game.id, 0))


class DemoTable:
    """Plays one event after the other.

    `counts` says how many dice were read, asked about, thrown again, overlooked and misread.
    """

    def __init__(self, session: Session, reader: SimulatedReader | None, console: Console, hands: DemoHands) -> None:
        self._session = session
        self._hands = hands
        self._reader = reader
        self._console = console
        self._beside = False
        self.counts = {"dice": 0, "asked": 0, "again": 0, "overlooked": 0, "misread": 0}

    def play(self, fields: Fields) -> None:
        """An event that a player has chosen. Its dice lie as it says; what the table makes of them is what happens."""
        dice = self._session.game.dice(fields)
        if not dice or self._reader is None:
            if not self._hands.play(fields):
                self._session.record(fields)
        elif self._told_by_dice(dice):
            self._throw(self._reader, dice)
        else:
            self._read_aside(self._reader, fields, dice)

    def _told_by_dice(self, dice: tuple[Die, ...]) -> bool:
        """Whether these dice alone tell the table what happened."""
        session = self._session
        lying = [_reading(die, index) for index, die in enumerate(dice)]
        verdict = throws.judge(session.game, session.state, session.awaits(), lying)
        return isinstance(verdict, throws.Recordable | throws.AskWhose)

    def _throw(self, reader: SimulatedReader, dice: tuple[Die, ...]) -> None:
        """Throws what is due first, then the rest beside it, as two sides would.

        In a race a side throws beside the dice of the other; before anything else the tray is cleared.
        """
        awaited = self._session.awaits().dice
        race = any(await_.apart for await_ in awaited)
        if not (race and self._beside and not reader.lying & {die.kind for die in dice}):
            reader.clear()
        self._beside = race
        while dice and awaited:
            now = _due_first(awaited)
            free = race or any(await_.least is not None for await_ in now)
            due = len(dice) if free else sum(await_.count for await_ in now)
            thrown, dice = dice[:due], dice[due:]
            sides = list(self._session.header["sides"])
            self._until_read(reader, thrown, 0 if now[0].side is None else sides.index(now[0].side))
            awaited = self._session.awaits().dice

    def _until_read(self, reader: SimulatedReader, thrown: tuple[Die, ...], side: int) -> None:
        """Throws dice, and once more when the table says that they cannot be read as they lie. Raises NeverSettled."""
        for _ in range(ATTEMPTS):
            reader.throw(thrown, side)
            if self._read(reader, thrown) and self._all_there(thrown):
                self._count(self._recorded(), thrown)
                return
            self.counts["again"] += len(thrown)
            reader.clear()
        raise NeverSettled(f"{len(thrown)} dice were not read in {ATTEMPTS} throws")

    def _recorded(self) -> tuple[Die, ...]:
        return self._session.game.dice(self._session.ledger.standing[-1].fields)

    def _all_there(self, thrown: tuple[Die, ...]) -> bool:
        """Whether as many dice were recorded as lie there. Where any number may, only players notice one overlooked."""
        overlooked = len(thrown) - len(self._recorded())
        if overlooked <= 0:
            return True
        self.counts["overlooked"] += overlooked
        self._session.undo()
        return False

    def _read(self, reader: SimulatedReader, thrown: tuple[Die, ...]) -> bool:
        """Whether the dice were read and recorded; every question about them is answered."""
        session = self._session
        before, resting_since = session.sequence, reader.camera.t
        recorded = False

        def done() -> bool:
            nonlocal resting_since, recorded
            self._hands.pass_time(FRAME_SECONDS, rolling=not reader.camera.at_rest)
            question = session.dice.question
            if question is not None and session.sequence == before:
                self._answer(session, reader, question, thrown)
            if question is not None or not reader.camera.at_rest:
                resting_since = reader.camera.t
            recorded = session.sequence > before
            return recorded or reader.camera.t - resting_since > PATIENCE

        reader.pass_frames(done)
        return recorded

    def _answer(self, session: Session, reader: SimulatedReader, question: Question, thrown: tuple[Die, ...]) -> None:
        """The players look at the die, as they would at a table."""
        self.counts["asked"] += 1
        truths = [reader.truth_at(die.box) for die in question.dice]
        if question.kind == "whose":
            session.answer(truths.index(thrown[0]))
        elif question.kind == "extra":
            if None in truths:
                session.answer(truths.index(None))
            else:
                session.dice.dismiss(every=True)
        else:
            truth = truths[question.index]
            told = None if truth is None else Face(truth.value, truth.colour, truth.symbol)
            session.answer(question.index if told is None else told)

    def _read_aside(self, reader: SimulatedReader, fields: Fields, dice: tuple[Die, ...]) -> None:
        """Dice that do not tell by themselves what they are for: they are read, and the rest is told by touch."""
        most = MOST_DICE.get(self._session.game.id, len(dice))
        kinds = sorted({die.kind for die in dice})
        rest = iter(sorted(dice, key=lambda die: kinds.index(die.kind)))
        read: list[Die] = []
        seen = None
        while thrown := tuple(islice(rest, most)):
            reader.clear()
            reader.poll()
            reader.request(RollRequest(self._session.dice.dice_set, tuple(Counter(d.kind for d in thrown).items())))
            reader.throw(thrown)
            seen = self._seen(reader)
            read += [self._told(reader, die) for die in seen.roll.dice]
        self._count(read, dice)
        pictures = evidence(seen, seen.roll.dice) if seen is not None else ()
        self._session.record(fields, by="camera", pictures=pictures)
        self._beside = False

    def _told(self, reader: SimulatedReader, die: DieReading) -> Die:
        if not die.certain:
            self.counts["asked"] += 1
            return reader.truth_at(die.box) or throws.as_die(die.kind, die.face)
        return throws.as_die(die.kind, die.face)

    def _seen(self, reader: SimulatedReader) -> SeenRoll:
        """The roll that settles next. Raises NeverSettled."""
        news: list[SeenRoll] = []

        def done() -> bool:
            news.extend(item for item in reader.poll() if isinstance(item, SeenRoll) and item.roll.dice)
            return bool(news)

        reader.pass_frames(done)
        if not news:
            raise NeverSettled("nothing was read")
        return news[-1]

    def _count(self, read: Sequence[Die], thrown: Sequence[Die]) -> None:
        self.counts["dice"] += len(thrown)
        if Counter(read) != Counter(thrown):
            self.counts["misread"] += (Counter(thrown) - Counter(read)).total() or 1
            self._console.print(f"[bold red]misread: {list(read)} for {list(thrown)}[/]")


def _due_first(awaited: Sequence[DiceAwait]) -> list[DiceAwait]:
    """Return the dice that are due before the others."""
    first = min(await_.order for await_ in awaited)
    return [await_ for await_ in awaited if await_.order == first]


def _reading(die: Die, index: int) -> DieReading:
    """The die as a reader that is sure of it would give it."""
    face = Face(die.value, die.colour, die.symbol)
    return DieReading(die.kind, face, (60.0 * index, 0.0, 40.0, 40.0), 1.0, possible=((face, 1.0),))
