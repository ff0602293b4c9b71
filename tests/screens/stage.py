"""Matches in the situations that the screens must show: real rules, real journal, moves of a random legal player."""

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
"""Width and height in pixels of the fake reader's pictures."""
LONG_NAMES = ("Association sportive de Saint-Symphorien", "Olympique de Villefranche-de-Rouergue")
SCRIPTS = {
    "cyrillic": ("Спортивный клуб «Днепровские жемчужины» ю", "Футбольное общество Щербаковской заставы"),
    "vietnamese": ("Câu lạc bộ Bóng đá Nguyễn Thị Hồng Phượng", "Đội tuyển trẻ Thừa Thiên Huế và Quảng Ngãi"),
    "han": (
        "東京都武蔵野市緑町三丁目蹴球倶楽部青年隊東京都武蔵野市緑町三丁目蹴球倶楽部青年",
        "서울 강남구 논현동 청년 축구 클럽 그리고 친구들 그리고 또 다른 친구들 모두",
    ),
    "emoji": ("⚽️🏀🎲🏆 Les Étoiles 👍🏽 de Saint-Malo 🎉🎉🎉", "🦁🐯🐻 Αετοί Θεσσαλονίκης 🏟️ και φίλοι 🎲🎲"),
}
"""Names of two clubs in other scripts, about 40 characters each."""
MAX_TRIES = 60
MAX_EVENTS = 600


class StagedReader:
    """A fake reader; tests insert its news."""

    def __init__(self) -> None:
        self.news: list[ReaderNews] = []
        self.requests: list[RollRequest] = []

    def request(self, request: RollRequest) -> None:
        self.requests.append(request)

    def poll(self) -> Sequence[ReaderNews]:
        news, self.news = self.news, []
        return news

    def show_tray(self, on: bool) -> None:
        """Do nothing: tests insert the pictures too."""

    def close(self) -> None:
        self.news = []

    def wake(self, *, picture: bool = True) -> None:
        """Report that the camera works and the tray is empty."""
        self.news.append(CameraState(True, "caméra"))
        if picture:
            self.news.append(TrayPicture(tray_jpeg(())))

    def lose(self) -> None:
        self.news.append(CameraState(False, "caméra", "unplugged"))

    def throw(self, dice: Sequence[DieReading]) -> None:
        """Report that these dice have come to rest."""
        status = Status.OK if all(die.certain for die in dice) else Status.ASK
        crops = tuple(die_jpeg(die.face.value or 1) for die in dice)
        self.news.append(SeenRoll(Roll(status, tuple(dice), 20.0, 1.0), tray_jpeg(dice), crops))


def die_at(value: int, x: float, y: float, doubt: Doubt | None = None, *others: int) -> DieReading:
    """Return a classic die at x, y; `others` are its other possible faces."""
    faces = (value, *others)
    possible = tuple((Face(value=face), round(1 / len(faces), 3)) for face in faces)
    return DieReading("pips", Face(value=value), (x, y, 92, 92), 0.6 if doubt else 0.999, doubt, "white", possible)


def tray_jpeg(dice: Sequence[DieReading]) -> bytes:
    """Return a top view of a tray with simple dice."""
    picture = np.full((TRAY[1], TRAY[0], 3), (138, 142, 140), dtype=np.uint8)
    cv2.rectangle(picture, (0, 0), (TRAY[0] - 1, TRAY[1] - 1), (52, 84, 130), 26)
    for die in dice:
        x, y, side, _ = (int(number) for number in die.box)
        picture[y : y + side, x : x + side] = die_picture(die.face.value or 1, side)
    return _jpeg(picture)


def die_jpeg(value: int) -> bytes:
    """Return a picture filled by one die."""
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


def kick_off(long: bool = False, names: Sequence[str] = LONG_NAMES) -> dict[str, Any]:
    """Return the header of a match between the first two sample clubs; `long` gives extremely long names.

    Players then have a first name of their own, or that of their club in another script.
    """
    blue, red = sample_clubs()[:2]
    made = header(blue, red)
    if long:
        for side, name in zip(("blue", "red"), names, strict=True):
            first = "Maximilien-Alexandre" if name in LONG_NAMES else name[:20].strip()
            made["sides"][side]["name"] = name
            squad = deepcopy(made["setup"]["squads"][side])
            for player in squad["players"]:
                player["name"] = f"{first} {player['name']}"
            made["setup"]["squads"][side] = squad
    return made


@cache
def found(name: str) -> tuple[Fields, ...]:
    """Return the events of a match that reaches the named situation (`SITUATIONS`); always the same."""
    game = FOOTCLUB
    for seed in range(MAX_TRIES):
        random, state, events = Random(seed), game.initial_state(kick_off()), []
        while not game.finished(state) and len(events) < MAX_EVENTS:
            if SITUATIONS[name](state):
                return tuple(events)
            fields = game.random_event(state, random)
            state, _ = game.apply(state, game.parse(fields))
            events.append(fields)
        if SITUATIONS[name](state):
            return tuple(events)
    raise LookupError(f"no random match comes to {name}")


def situation(
    matches: Matches, name: str, reader: Any = None, long: bool = False, names: Sequence[str] = LONG_NAMES
) -> Session:
    """Return a match in the named situation, with all its events in the journal."""
    session = matches.start("footclub", kick_off(long, names), reader)
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
    "shootout": lambda s: s.phase == "shootout" and s.shootout.next and sum(s.shootout.taken) > 2,
    "finished": lambda s: s.phase == "finished",
}
"""Situations of a match, each defined by a predicate on the state."""
