"""A throw misread at the table becomes a test of the reader: shown, corrected, saved, and read again from its JPEG."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import numpy as np

from companion.clock import ManualClock
from companion.games.registry import GAMES
from companion.journal.store import Store
from companion.table.matches import Matches
from companion.table.misreads import Misreads
from tests.table.sample_match import sample_header, until_duel
from vision import dice_sets
from vision.commands import run_regressions
from vision.decision.reader import Reader
from vision.drawing.tray import DrawnDie, draw_tray
from vision.messages import message_printer
from vision.roll import Face, SeenRoll
from vision.watching.watcher import ROLL_JPEG_SIDE, jpeg

HEADER = sample_header()


def test_a_misread_throw_becomes_a_test_of_the_reader(tmp_path: Path) -> None:
    dice = [DrawnDie(face=face, x=x, y=200, yaw=0.4, edge=46) for face, x in ((6, 200), (3, 400))]
    picture = draw_tray(dice, np.random.default_rng(1))
    roll = Reader(dice_sets.load("footclub")).read(picture)
    assert sorted(str(die.face) for die in roll.dice) == ["3", "6"]
    misread = replace(roll, dice=(replace(roll.dice[0], face=Face(1), possible=((Face(1), 0.9),)), roll.dice[1]))
    seen = SeenRoll(misread, jpeg(picture, ROLL_JPEG_SIDE), (), (640, 480))
    folder = tmp_path / "misreads"
    with Store.open(tmp_path / "matches.sqlite", ManualClock()) as store:
        misreads = Misreads(folder, {"tapis-vert": "1"}, run_task=lambda work: work())
        session = Matches(store, GAMES, misreads).start("footclub", HEADER)
        for fields in until_duel(HEADER):
            session.record(fields)
        session.handle_news(seen)
        recorded = session.ledger.events[-1]
        assert 1 in recorded.fields["dice"]
        session.correct(recorded.line, {"event": "roll", "dice": [6, 3]})
    out, err = io.StringIO(), io.StringIO()
    assert run_regressions(folder, True, out, message_printer(err)) == 0
    line = json.loads(out.getvalue())
    assert (line["outcome"], line["status"]) == ("exact", "ok")
    assert sorted(die["value"] for die in line["truth"]) == [3, 6]
