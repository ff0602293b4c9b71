"""FootClub (2018): two clubs, two hands of cards, two dice and a ball of six colours; rules of record FC-0 to FC-22."""

from __future__ import annotations

from companion.games.base import Fields, JournalRules
from companion.games.engine import RuleGame
from companion.games.footclub import awaits, market, scene, throws, view
from companion.games.footclub.invention import random_header
from companion.games.footclub.rulebook import RULEBOOK
from companion.games.footclub.setup import read_header
from companion.games.footclub.state import Market, State
from companion.games.footclub.tables import SIDES


def _start(header: Fields) -> State:
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
        unlisted_refused=True,
    ),
    rulebook=RULEBOOK,
    start=_start,
    show=view.view,
    ask=awaits.awaits,
    draw=scene.scene,
    event_of=throws.throw,
    dice_of=throws.dice,
    faces_of=throws.faces,
    invent=random_header,
)
