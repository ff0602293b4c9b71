"""NBA Deck-Building: player cards, tactics and six kinds of dice; rules of record NBA-0 to NBA-17."""

from __future__ import annotations

from companion.games.base import Fields, JournalRules
from companion.games.engine import RuleGame
from companion.games.nba import decisions, scene, throws, turns, view
from companion.games.nba.match_generator import random_header
from companion.games.nba.rulebook import RULEBOOK
from companion.games.nba.setup import read_header
from companion.games.nba.state import State
from companion.games.nba.tables import SIDES


def _start(header: Fields) -> State:
    return turns.initial_state(read_header(header))


NBA: RuleGame[State] = RuleGame(
    id="nba",
    sides=SIDES[:2],
    journal_rules=JournalRules(
        unreadable="NBA-1.2",
        malformed="NBA-1.2",
        nothing_standing="NBA-1.5",
        nested="NBA-1.2",
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
"""`sides` are those of a two-side match that the program sets up itself; a journal names its own (NBA-1.1)."""
