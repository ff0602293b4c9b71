"""hoops21 matches in the situations that the screens must show, and symbol dice in a fake tray."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np

from companion.table.session import Session
from tests.screens.stage import TRAY, StagedReader
from vision.roll import CameraState, DieReading, Doubt, Face, Roll, SeenRoll, Status, TrayPicture

SYMBOLS = {"b": "ball", "p": "pass", "s": "steal", "f": "free_throw"}
NAMES = ("Les Huppes", "Quai Nord")
LONG = ("Association sportive de Saint-Symphorien", "Basket-club de Villefranche-de-Rouergue")
MIXED = "bpssff"
_BODY = {"orange": (44, 138, 240), "white": (236, 246, 250)}


def spelled(dice: str) -> list[str]:
    return [SYMBOLS[letter] for letter in dice]


def both(event: str, orange: str, white: str) -> dict[str, Any]:
    """Return an event with the dice of both teams."""
    return {"event": event, "orange": spelled(orange), "white": spelled(white)}


JUMP = both("jump_ball", "bbpssf", "bpsssf")
AT_12 = {"event": "ruling", "text": "essai", "restart": "throw", "section": 12}
WON = both("throw", "bbbpsf", "sspbfp")
SHOOT = {"event": "choose", "action": "shoot"}
MISSED = both("shot", "pssssf", "bbssff")

SITUATIONS: dict[str, tuple[dict[str, Any], ...]] = {
    "jump_ball": (),
    "throw": (JUMP,),
    "fewer": (JUMP, both("throw", "pppbsf", "sfbpbs")),
    "choose": (JUMP, AT_12, WON),
    "choose_own": (JUMP, AT_12, both("throw", "bbbpsf", "sspppp")),
    "choose_many": (JUMP, AT_12, both("throw", "bbssff", "bbbsss")),
    "tie": (JUMP, AT_12, both("throw", "bbbpsf", "sssbfp")),
    "shot": (JUMP, AT_12, WON, SHOOT),
    "shot_tie": (JUMP, AT_12, WON, SHOOT, both("shot", "bbpssf", "bbbssf")),
    "shot_far": (JUMP, both("throw", "ssssbf", "bpsffp"), ),
    "free_throw": (JUMP, both("throw", "ffffbs", "bpspsb")),
    "inbound_start": (JUMP, AT_12, WON, SHOOT, MISSED),
    "inbound": (
        JUMP, AT_12, WON, SHOOT, MISSED,
        {"event": "inbound_throw", "team": "white", "dice": spelled("bbbssf")},
        {"event": "inbound_throw", "team": "orange", "dice": spelled("ssbbpf")},
    ),
    "over": (JUMP, {"event": "concede", "team": "white"}),
}  # fmt: skip
ADVANCED = {
    "tie_again": SITUATIONS["tie"],
    "behind": (JUMP, AT_12, both("throw", "bbbbsf", "sssbfp")),
    "missed": (JUMP, {"event": "ruling", "text": "essai", "token": "orange"}, both("throw", "ffffbs", "bpspsb"),
               {"event": "free_throw", "orange": spelled("bbssff")}),
}  # fmt: skip
"""Situations in which the token holder may throw again."""


def header(*, long: bool = False, **setup: Any) -> dict[str, Any]:
    orange, white = LONG if long else NAMES
    sides = {"orange": {"name": orange}, "white": {"name": white}}
    return {"journal": 1, "game": "hoops21", "sides": sides, "setup": setup}


def situation(matches: Any, name: str, reader: Any = None, long: bool = False, **setup: Any) -> Session:
    """Return a match in the named situation, with all its events in the journal."""
    setup = {"advanced_token": name in ADVANCED, **setup}
    session = matches.start("hoops21", header(long=long, **setup), reader)
    for event in (SITUATIONS | ADVANCED)[name]:
        session.record(event)
    return session


def dice_row(kind: str, letters: str, doubtful: int = -1) -> tuple[DieReading, ...]:
    """Return one team's dice in a row of the tray; the die at index `doubtful` may also be a pass."""
    y = 70 if kind == "orange" else 230
    found = []
    for place, letter in enumerate(letters):
        faces = (Face(symbol=SYMBOLS[letter]), Face(symbol="pass"))[: 2 if place == doubtful else 1]
        possible = tuple((face, round(1 / len(faces), 3)) for face in faces)
        doubt = Doubt.FACE if len(faces) > 1 else None
        box = (30 + 84 * place, y, 72, 72)
        found.append(DieReading(kind, faces[0], box, 0.6 if doubt else 0.999, doubt, kind, possible))
    return tuple(found)


class HoopsReader(StagedReader):
    """A fake reader with symbol dice; tests insert its news."""

    def wake(self, *, picture: bool = True) -> None:
        self.news.append(CameraState(True, "caméra"))
        if picture:
            self.news.append(TrayPicture(tray(())))

    def throw(self, dice: Sequence[DieReading]) -> None:
        status = Status.OK if all(die.certain for die in dice) else Status.ASK
        crops = tuple(_jpeg(_die(die, 240)) for die in dice)
        self.news.append(SeenRoll(Roll(status, tuple(dice), 20.0, 1.0), tray(dice), crops))


def watched() -> HoopsReader:
    """Return a reader whose camera sees an empty tray."""
    reader = HoopsReader()
    reader.wake()
    return reader


def tray(dice: Sequence[DieReading]) -> bytes:
    picture = np.full((TRAY[1], TRAY[0], 3), (138, 142, 140), dtype=np.uint8)
    for die in dice:
        x, y, side, _ = (int(number) for number in die.box)
        picture[y : y + side, x : x + side] = _die(die, side)
    return _jpeg(picture)


def _die(die: DieReading, side: int) -> Any:
    picture = np.full((side, side, 3), _BODY[die.kind], dtype=np.uint8)
    letter = {"ball": "O", "pass": "/", "steal": "S", "free_throw": "U"}[str(die.face.symbol)]
    place = (int(side * 0.28), int(side * 0.75))
    cv2.putText(picture, letter, place, cv2.FONT_HERSHEY_SIMPLEX, side / 36, (28, 33, 27), max(2, side // 16))
    return picture


def _jpeg(picture: Any) -> bytes:
    written, data = cv2.imencode(".jpg", picture)
    if not written:
        raise OSError("the picture could not be encoded")
    return data.tobytes()
