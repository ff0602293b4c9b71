"""The 21-point basketball: two teams with six dice each, a court track, a power token (rules of record HB)."""

from __future__ import annotations

from companion.games.base import Fields, JournalRules
from companion.games.engine import RuleGame
from companion.games.hoops21 import awaits, scene, throws, view
from companion.games.hoops21.invention import random_header
from companion.games.hoops21.rulebook import RULEBOOK
from companion.games.hoops21.setup import read_header
from companion.games.hoops21.state import State
from companion.games.hoops21.tables import SIDES


def _start(header: Fields) -> State:
    return State(read_header(header))


HOOPS21: RuleGame[State] = RuleGame(
    id="hoops21",
    sides=SIDES,
    journal_rules=JournalRules(
        unreadable="HB-1.2",
        malformed="HB-1.2",
        nothing_standing="HB-1.5",
        nested="HB-1.2",
    ),
    rulebook=RULEBOOK,
    start=_start,
    show=view.view,
    ask=awaits.awaits,
    draw=scene.scene,
    event_of=throws.throw,
    dice_of=throws.dice,
    faces_of=throws.faces,
    roll_of=throws.roll,
    invent=random_header,
)
