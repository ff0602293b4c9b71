"""One passage: a tackle with two real dice, then a shot with one die each, until a goal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from companion.clock import ManualClock
from companion.games.registry import GAMES
from companion.journal.ledger import replay
from companion.journal.store import Store
from companion.table.matches import Matches
from companion.table.session import Session
from tests.real.photos import Photo
from tests.table.sample_match import after_tackle, sample_header, until_duel
from tests.vision.slides import Slides
from vision import dice_sets
from vision.decision.reader import Reader
from vision.pictures import load_picture
from vision.roll import Face
from vision.watching.watcher import seen_roll, watch

MAX_ATTEMPTS = 8
"""Maximum photographs per throw before the passage fails: a die that is not read at all is thrown again."""

EMPTY = (70, 60, 50)
"""The empty tray between two throws, BGR."""


class NotPlayed(AssertionError):
    """The passage ended without a goal, or the journal contains values that the dice do not show."""


@dataclass(slots=True)
class Tally:
    """Counts how the dice of the passages were recorded."""

    certain: int = 0
    asked: int = 0
    again: int = 0
    sources: set[str] = field(default_factory=set)


class RealTable:
    """A table whose camera shows photographs."""

    def __init__(self, folder: Path) -> None:
        self.reader = Reader(dice_sets.load("pips"))
        self.folder = folder
        self.tally = Tally()

    def play(self, tackles: Iterator[Photo], defences: Iterator[Photo], attacks: Callable[[int, int], Photo]) -> None:
        """Play the passage. `attacks` returns a photograph that beats a defence die at a final bonus.

        Raises: NotPlayed.
        """
        header = sample_header()
        with Store.open(self.folder / "match.sqlite", ManualClock()) as store:
            session = Matches(store, GAMES).start("footclub", header)
            for fields in until_duel(header):
                session.record(fields)
            self._throw(session, lambda: next(tackles))
            for fields in after_tackle():
                session.record(fields)
            self._throw(session, lambda: next(defences))
            while session.decision().dice:
                self._throw(session, partial(attacks, *_to_beat(session)))
            if session.game.view(session.state)["score"] != {"blue": 1, "red": 0}:
                raise NotPlayed(f"no goal: {session.game.view(session.state)['score']}")
            journal = self.folder / f"{session.match_id}.jsonl"
            store.export(session.match_id, journal)
            if replay(journal, GAMES).ledger.state != session.state:
                raise NotPlayed("the journal replays to another state")

    def _throw(self, session: Session, photos: Callable[[], Photo]) -> None:
        """Show photographs until one is recorded; players answer questions and rethrow dice that are not seen."""
        before = session.sequence
        for _ in range(MAX_ATTEMPTS):
            photo = photos()
            asked = self._show(session, photo)
            if session.sequence > before:
                self._check(session, photo)
                self.tally.sources.add(photo.source)
                self.tally.asked += asked
                self.tally.certain += len(photo.values) - asked
                return
            session.dice.dismiss(all_dice=True)
            self.tally.again += 1
        raise NotPlayed(f"{MAX_ATTEMPTS} photographs in a row were not read")

    def _show(self, session: Session, photo: Photo) -> int:
        first = load_picture(photo.path)
        empty = np.full(first.shape, EMPTY, np.uint8)
        asked = 0
        with Slides([first], empty) as source:
            for result in watch(source, self.reader):
                session.handle_news(seen_roll(result))
                asked += _answer(session, photo)
        return asked

    def _check(self, session: Session, photo: Photo) -> None:
        newest = session.ledger.newest
        recorded: list[Any] = [die.value for die in session.game.dice_from_event(newest.fields)] if newest else []
        if sorted(recorded) != sorted(photo.values):
            raise NotPlayed(f"{photo.path.name} shows {photo.values}, recorded was {recorded}")


def _to_beat(session: Session) -> tuple[int, int]:
    """Return the defence die on the table and the bonus of the attack die."""
    view = session.game.view(session.state)
    defence = view["offensive"]["defence_die"]
    if defence is None:
        raise NotPlayed("no defence die lies there")
    return defence, view["offensive"]["final"]


def _answer(session: Session, photo: Photo) -> int:
    """Answer the questions from the true dice values and return their number."""
    asked = 0
    while (question := session.dice.question) is not None and question.kind == "face":
        rest = list(photo.values)
        for die in question.dice:
            if die.certain and die.face.value in rest:
                rest.remove(die.face.value)
        session.answer(Face(value=rest[0] if rest else 1))
        asked += 1
    return asked
