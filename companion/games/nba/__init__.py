"""NBA Deck-Building: player cards, tactics and six kinds of dice; rules of record NBA-0 to NBA-17."""

from __future__ import annotations

from companion.games.base import Fields, JournalRules
from companion.games.engine import RuleGame
from companion.games.nba import awaits, scene, throws, turns, view
from companion.games.nba.invention import random_header
from companion.games.nba.rulebook import RULEBOOK
from companion.games.nba.setup import read_header
from companion.games.nba.state import State
from companion.games.nba.tables import SIDES


def _start(header: Fields) -> State:
    return turns.begin(read_header(header))


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
"""`sides` are those of a match for two that the program sets up itself; a journal names its own (NBA-1.1)."""
