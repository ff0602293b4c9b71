"""FootClub (2018): two clubs, two hands of cards, two dice and a six-colour ball die; rules of record FC-0 to FC-22."""

from __future__ import annotations

from companion.games.base import Fields, JournalRules
from companion.games.engine import RuleGame
from companion.games.footclub import decisions, market, scene, throws, view
from companion.games.footclub.match_generator import random_header
from companion.games.footclub.rulebook import RULEBOOK
from companion.games.footclub.setup import read_header
from companion.games.footclub.state import Market, State
from companion.games.footclub.tables import SIDES


def _initial_state(header: Fields) -> State:
    setup = read_header(header)
    if setup.squads is None:
        return State(setup, "market", market=Market())
    clubs = tuple(market.club_of(setup, side, squad) for side, squad in zip(SIDES, setup.squads, strict=True))
    return State(setup, "pre_match", clubs)


FOOTCLUB: RuleGame[State] = RuleGame(
    id="footclub",
    sides=SIDES,
    journal_rules=JournalRules(
        unreadable="FC-18.1",
        malformed="FC-18.2",
        nothing_standing="FC-18.8",
        nested="FC-18.8",
        refuses_unknown_fields=True,
    ),
    rulebook=RULEBOOK,
    initial_state_fn=_initial_state,
    view_fn=view.view,
    decision_fn=decisions.decision,
    scene_fn=scene.scene,
    event_from_dice_fn=throws.event_from_dice,
    dice_from_event_fn=throws.dice_from_event,
    faces_fn=throws.faces,
    random_header_fn=random_header,
)
