"""A FootClub match of two sample clubs, advanced to the situation that a test needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.base import Fields, Game, Refusal
from companion.games.footclub import FOOTCLUB
from companion.games.footclub.squads import header, sample_clubs
from companion.journal.ledger import Ledger

POSTS = ("fb", "cb", "dm", "am", "fw")
SHAPE = {"fb": 2, "cb": 2, "dm": 2, "am": 2, "fw": 2}


def sample_header(**setup: Any) -> dict[str, Any]:
    """Return the header of a single match between the first two sample clubs, blue at home."""
    blue, red = sample_clubs()[:2]
    return {**header(blue, red, home="blue", kop="K01"), **setup}


def team_sheet(header_: Mapping[str, Any], side: str, game: Game[Any, Any] = FOOTCLUB) -> dict[str, Any]:
    """Return a legal 2-2-2-2-2 of the side's squad with a legal captain."""
    free = sorted(header_["setup"]["squads"][side]["players"], key=lambda player: len(player["posts"]))
    lineup: dict[str, list[str]] = {}
    for post in POSTS:
        fitting = [player["id"] for player in free if post in player["posts"]][: SHAPE[post]]
        free = [player for player in free if player["id"] not in fitting]
        lineup[post] = fitting
    state = game.initial_state(header_)
    for captain in (player for line in lineup.values() for player in line):
        sheet = {"event": "team_sheet", "side": side, "lineup": lineup, "captain": captain}
        try:
            game.validate(state, game.parse(sheet))
        except Refusal as refusal:
            if not refusal.rule.startswith("FC-3.8"):
                raise
            continue
        return sheet
    raise AssertionError(f"no captain for {side}")


def until_ball(header_: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return team sheets and secret tactics; the ball die is awaited next."""
    return [
        *(team_sheet(header_, side) for side in ("blue", "red")),
        *({"event": "tactics", "side": side} for side in ("blue", "red")),
    ]


def until_duel(header_: Mapping[str, Any], mode: str = "regular") -> list[dict[str, Any]]:
    """Roll the ball and let the club without it tackle (home, since away kicks off); two dice are awaited."""
    return [
        *until_ball(header_),
        {"event": "ball", "colour": "red"},
        {"event": "tackle", "side": "blue", "section": "dm_l", "mode": mode},
    ]


def until_shot(header_: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Let the tackle succeed, the visitors leave the ball and the home club attack; a defence die is awaited."""
    return [*until_duel(header_), {"event": "roll", "dice": [6, 5]}, *after_tackle()]


def after_tackle() -> list[dict[str, Any]]:
    """Return the events from a tackle won by blue to its shot."""
    return [
        {"event": "leave", "side": "red"},
        {"event": "offensive", "side": "blue", "kind": "positional_attack", "section": "fw_l"},
        *({"event": "attacking_support", "side": "blue"} for _ in range(2)),
    ]


def ledger_of(header_: Mapping[str, Any], events: Sequence[Fields]) -> Ledger[Any, Any]:
    """Play these events and return the ledger."""
    ledger: Ledger[Any, Any] = Ledger(FOOTCLUB, header_)
    for fields in events:
        ledger.commit(ledger.propose(fields))
    return ledger
