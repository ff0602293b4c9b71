"""Seeded matches with undone and corrected events and pictures of rolls, for tests of reports and audits."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.games.registry import DICE_STATISTICS, GAMES
from companion.journal.ledger import Ledger
from companion.journal.store import Picture
from companion.table.autoplay import play
from companion.table.dice import evidence
from companion.table.report import MatchReport, report
from vision.roll import DieReading, Face, Roll, SeenRoll, Status

JPEG = b"\xff\xd8\xff\xe0 a picture \xff\xd9"


def played(game: str, seed: int = 3) -> Ledger[Any, Any]:
    """Play a whole match of random players."""
    header, *events = play(GAMES[game], Random(seed))
    ledger = Ledger(GAMES[game], header)
    for fields in events:
        ledger.commit(ledger.propose(fields))
    return ledger


def report_of(ledger: Ledger[Any, Any]) -> MatchReport:
    return report(ledger, DICE_STATISTICS[ledger.game.id], "9.9")


def amended() -> Ledger[Any, Any]:
    """Return a FootClub match with a corrected colour of the first ball and an undone last event."""
    ledger = played("footclub", 3)
    ball = next(event for event in ledger.events if event.fields["event"] == "ball")
    correction = {"event": "correct", "line": ball.line, "with": {"event": "ball", "colour": "red"}}
    for fields in (correction, {"event": "undo"}):
        ledger.commit(ledger.propose(fields))
    return ledger


def seen_roll(*values: int, certain: bool = True) -> tuple[Picture, ...]:
    """Return the pictures and data that the store keeps with a roll of these dice."""
    dice = tuple(
        DieReading("pips", Face(value=value), (10.0 * at, 5.0, 9.0, 9.0), 0.999 - at / 100)
        for at, value in enumerate(values)
    )
    seen = SeenRoll(Roll(Status.OK, dice), JPEG, tuple(JPEG for _ in dice), (640, 400))
    return evidence(seen, dice)
