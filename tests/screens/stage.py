"""Matches in the situations that the screens must show: real rules, real journal, played by a random legal hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import cache
from random import Random
from typing import Any

import cv2
import numpy as np

from companion.games.base import Fields
from companion.games.footclub import FOOTCLUB
from companion.games.footclub.squads import header, sample_clubs
from companion.table.matches import Matches
from companion.table.ports import ReaderNews
from companion.table.session import Session
from vision.roll import CameraState, DieReading, Doubt, Face, Roll, RollRequest, SeenRoll, Status, TrayPicture

TRAY = (640, 400)
"""Width and height of the pictures that the staged reader sends."""
LONG_NAMES = ("Association sportive de Saint-Symphorien", "Olympique de Villefranche-de-Rouergue")
MOST_TRIES = 60
MOST_EVENTS = 600


class StagedReader:
    """A reader whose news are put in by hand."""

    def __init__(self) -> None:
        self.news: list[ReaderNews] = []
        self.requests: list[RollRequest] = []

    def request(self, request: RollRequest) -> None:
        self.requests.append(request)

    def poll(self) -> Sequence[ReaderNews]:
        news, self.news = self.news, []
        return news

    def show_tray(self, on: bool) -> None:
        """Its pictures are put in by hand, too."""

    def close(self) -> None:
        self.news = []

    def wake(self, *, picture: bool = True) -> None:
        """The camera is there; the tray lies empty."""
        self.news.append(CameraState(True, "caméra"))
        if picture:
            self.news.append(TrayPicture(tray_jpeg(())))

    def lose(self) -> None:
        self.news.append(CameraState(False, "caméra", "unplugged"))

    def throw(self, dice: Sequence[DieReading]) -> None:
        """These dice have come to rest."""
        status = Status.OK if all(die.certain for die in dice) else Status.ASK
        crops = tuple(die_jpeg(die.face.value or 1) for die in dice)
        self.news.append(SeenRoll(Roll(status, tuple(dice), 20.0, 1.0), tray_jpeg(dice), crops))


def lying(value: int, x: float, y: float, doubt: Doubt | None = None, *others: int) -> DieReading:
    """A classic die at x, y; `others` are the faces it may show as well."""
    faces = (value, *others)
    possible = tuple((Face(value=face), round(1 / len(faces), 3)) for face in faces)
    return DieReading("pips", Face(value=value), (x, y, 92, 92), 0.6 if doubt else 0.999, doubt, "white", possible)


def tray_jpeg(dice: Sequence[DieReading]) -> bytes:
    """A tray seen from above with simple dice on it."""
    picture = np.full((TRAY[1], TRAY[0], 3), (138, 142, 140), dtype=np.uint8)
    cv2.rectangle(picture, (0, 0), (TRAY[0] - 1, TRAY[1] - 1), (52, 84, 130), 26)
    for die in dice:
        x, y, side, _ = (int(number) for number in die.box)
        picture[y : y + side, x : x + side] = die_picture(die.face.value or 1, side)
    return _jpeg(picture)


def die_jpeg(value: int) -> bytes:
    """One die filling its picture."""
    return _jpeg(die_picture(value, 240))


def die_picture(value: int, side: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    picture = np.full((side, side, 3), (236, 246, 250), dtype=np.uint8)
    spots = {1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "adgcfi"}[value]
    for spot in spots:
        row, column = divmod("abcdefghi".index(spot), 3)
        centre = (int(side * (0.25 + 0.25 * column)), int(side * (0.25 + 0.25 * row)))
        cv2.circle(picture, centre, int(side * 0.085), (28, 33, 27), -1, cv2.LINE_AA)
    return picture


def _jpeg(picture: np.ndarray[Any, np.dtype[np.uint8]]) -> bytes:
    written, data = cv2.imencode(".jpg", picture)
    if not written:
        raise OSError("the picture could not be encoded")
    return data.tobytes()


def kick_off(long: bool = False) -> dict[str, Any]:
    """The header of a match between the first two sample clubs; with `long` names as nobody would wish for."""
    blue, red = sample_clubs()[:2]
    made = header(blue, red)
    if long:
        for side, name in zip(("blue", "red"), LONG_NAMES, strict=True):
            made["sides"][side]["name"] = name
            squad = deepcopy(made["setup"]["squads"][side])
            for player in squad["players"]:
                player["name"] = f"Maximilien-Alexandre {player['name']}"
            made["setup"]["squads"][side] = squad
    return made


@cache
def found(name: str) -> tuple[Fields, ...]:
    """The events of a match that comes to the situation of that name (`SITUATIONS`); the same every time."""
    game = FOOTCLUB
    for seed in range(MOST_TRIES):
        random, state, events = Random(seed), game.begin(kick_off()), []
        while not game.finished(state) and len(events) < MOST_EVENTS:
            if SITUATIONS[name](state):
                return tuple(events)
            fields = game.random_event(state, random)
            state, _ = game.apply(state, game.parse(fields))
            events.append(fields)
        if SITUATIONS[name](state):
            return tuple(events)
    raise LookupError(f"no random match comes to {name}")


def situation(matches: Matches, name: str, reader: Any = None, long: bool = False) -> Session:
    """A match in the situation of that name, every event of it in the journal."""
    session = matches.start("footclub", kick_off(long), reader)
    for event in found(name):
        session.record(event)
    return session


SITUATIONS: dict[str, Callable[[Any], bool]] = {
    "ball": lambda s: s.phase == "pre_match" and all(one.lineup and one.tactics_known is not None for one in s.clubs),
    "preparation": lambda s: s.phase == "preparation",
    "possession": lambda s: s.phase == "possession",
    "duel": lambda s: s.phase == "duel" and s.duel.kind == "tackle",
    "attack": lambda s: s.phase == "attack" and s.club(s.possession).stands > 3,
    "offensive": lambda s: s.phase == "offensive" and s.offensive.throw == 1 and s.offensive.attack_bonus > 1,
    "set_piece": lambda s: s.phase == "set_piece",
    "counter": lambda s: s.phase == "counter",
    "corner": lambda s: s.phase == "corner",
    "end_of_turn": lambda s: s.phase == "end_of_turn",
    "half_time": lambda s: s.phase == "half_time",
    "full_time": lambda s: s.phase == "full_time",
    "shootout": lambda s: s.phase == "shootout" and s.shootout.next is not None,
    "finished": lambda s: s.phase == "finished",
}
"""Situations of a match by the state they have come to."""
