"""OFUSAIDO, the card game of chances and duels, as far as its rules are known; rules of record OC-0 to OC-16."""

from __future__ import annotations

from companion.games.base import Fields, JournalRules
from companion.games.engine import RuleGame
from companion.games.occasion import decisions, scene, view
from companion.games.occasion.match_generator import random_header
from companion.games.occasion.rulebook import RULEBOOK
from companion.games.occasion.setup import read_header
from companion.games.occasion.state import State
from companion.games.occasion.tables import SIDES


def _start(header: Fields) -> State:
    opening = read_header(header)
    return State(opening.setup, opening.players, opening.occasions, opening.first_attack, visible=opening.visible)


OCCASION: RuleGame[State] = RuleGame(
    id="occasion",
    sides=SIDES,
    journal_rules=JournalRules(
        unreadable="OC-1.2",
        malformed="OC-1.2",
        nothing_standing="OC-1.5",
        nested="OC-1.2",
    ),
    rulebook=RULEBOOK,
    initial_state_fn=_start,
    view_fn=view.view,
    decision_fn=decisions.decision,
    scene_fn=scene.scene,
    random_header_fn=random_header,
)
