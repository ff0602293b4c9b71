"""The 21-point basketball: two teams with six dice each, a court track and a power token (rules of record HB)."""

from __future__ import annotations

from companion.games.base import Fields, JournalRules
from companion.games.engine import RuleGame
from companion.games.hoops21 import decisions, scene, throws, view
from companion.games.hoops21.match_generator import random_header
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
    initial_state_fn=_start,
    view_fn=view.view,
    decision_fn=decisions.decision,
    scene_fn=scene.scene,
    event_from_dice_fn=throws.event_from_dice,
    dice_from_event_fn=throws.dice_from_event,
    faces_fn=throws.die_faces,
    roll_fn=throws.roll_die,
    random_header_fn=random_header,
)
