"""NBA matches in the situations that the screens must show: the bundled cards, moves of the greedy player."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from random import Random
from typing import Any

from companion.games.base import DiceRequest, Fields
from companion.games.nba import NBA
from companion.games.nba.card_sets import sample_cards
from companion.games.nba.greedy_player import greedy_event
from companion.games.nba.tables import SIDES
from companion.table.matches import Matches
from companion.table.session import Session
from tests.screens.stage import StagedReader, tray_jpeg
from vision.roll import DieReading, Face, Roll, SeenRoll, Status

LONG_NAMES = (
    "Association sportive de Saint-Symphorien",
    "Villefranche-de-Rouergue",
    "Maximilienne-Alexandrine",
    "Les Ours de la Montagne Noire",
)
MAX_TRIES = 30
DICE_PER_ROW, DIE_SIDE = 7, 60
"""How the dice lie in the tray of a fake reader."""
MAX_EVENTS = 500


def header(sides: int = 2, long: bool = False, **setup: Any) -> dict[str, Any]:
    """Return the header of a short match of the bundled teams."""
    cards = sample_cards()
    teams = dict(zip(SIDES[:sides], cards.teams, strict=False))
    names = LONG_NAMES if long else tuple(team.name for team in cards.teams)
    return {
        "journal": 1,
        "game": "nba",
        "sides": {side: {"name": name} for side, name in zip(teams, names, strict=False)},
        "setup": {
            "level": "full",
            "duration": "short",
            "cards": {id: dict(card) for id, card in cards.cards.items()},
            "rosters": {side: dict(team.roster) for side, team in teams.items()},
            "variants": {"money_time": True, "decisive": True, "mismatch": 2},
            **setup,
        },
    }


def solo() -> dict[str, Any]:
    return header(variants={}, solo={"side": "two"})


def scores() -> dict[str, Any]:
    return header(level="scores", variants={"mismatch": 2})


def skills(state: Any) -> str:
    """Return the type of the tactic that is being rolled."""
    return str(state.setup.tactic(state.open_roll.tactic).type)


def attacked(state: Any) -> bool:
    """Return True if the opponent's attack waits for the side to move."""
    return any(state.team(other).attack is not None for other in state.setup.opponents(state.active_side))


Reached = Callable[[Any], bool]
SITUATIONS: dict[str, tuple[Callable[[], dict[str, Any]], Reached]] = {
    "start": (header, lambda s: True),
    "adjust": (header, lambda s: s.phase == "actions" and attacked(s) and len(s.team(s.active_side).prepared) > 1),
    "chances": (header, lambda s: s.phase == "actions" and not attacked(s) and s.team(s.active_side).prepared),
    "offence_roll": (header, lambda s: s.phase == "roll" and skills(s) == "offence" and s.turn > 2),
    "defence_roll": (header, lambda s: s.phase == "roll" and skills(s) == "defence" and attacked(s)),
    "defended": (
        header,
        lambda s: s.phase == "activation" and attacked(s) and s.team(s.active_side).defence and s.turn > 3,
    ),
    "money_time": (header, lambda s: s.phase == "adjust" and s.money_time and attacked(s)),
    "ultimate": (header, lambda s: s.ultimate and s.phase != "roll"),
    "over": (header, lambda s: s.phase == "over"),
    "three": (lambda: header(3), lambda s: s.phase == "adjust" and s.turn > 4 and attacked(s)),
    "four": (lambda: header(4), lambda s: s.phase == "activation" and s.turn > 6 and attacked(s)),
    "four_over": (lambda: header(4, market_cards=8), lambda s: s.phase == "over"),
    "recruit": (solo, lambda s: s.solo_turn and s.phase == "adjust" and s.turn > 1),
    "machine_market": (solo, lambda s: s.solo_turn and "ai_recruit" in s.done and s.phase == "actions"),
    "machine": (solo, lambda s: s.solo_turn and len(s.done) >= 2 and s.phase == "actions" and s.turn > 1),
    "turn": (header, lambda s: s.phase == "adjust" and attacked(s) and not s.team(s.active_side).prepared),
    "scores": (scores, lambda s: attacked(s) and s.phase == "activation"),
}
"""Situations by name: the header, and a predicate on the state."""


@cache
def found(name: str) -> tuple[Fields, ...]:
    """Return the events of a match that reaches the named situation; always the same."""
    make, reached = SITUATIONS[name]
    for seed in range(MAX_TRIES):
        random, state, events = Random(seed), NBA.initial_state(make()), []
        while len(events) < MAX_EVENTS:
            if (state.active is not None or name.endswith("over")) and reached(state):
                return tuple(events)
            if NBA.finished(state):
                break
            fields = greedy_event(state, random)
            state, _ = NBA.apply(state, NBA.parse(fields))
            events.append(fields)
    raise LookupError(f"no match comes to {name}")


def situation(matches: Matches, name: str, reader: Any = None, long: bool = False) -> Session:
    """Return a match in the named situation, with all its events in the journal."""
    head = SITUATIONS[name][0]()
    if long:
        for side, long_name in zip(head["sides"], LONG_NAMES, strict=False):
            head["sides"][side]["name"] = long_name
        for card in head["setup"].get("cards", {}).values():
            card["name"] = f"Maximilien-Alexandre {card['name']}" if card["kind"] == "player" else card["name"]
    session = matches.start("nba", head, reader)
    for event in found(name):
        session.record(event)
    return session


def blank_dice(kinds: Sequence[str]) -> tuple[DieReading, ...]:
    """Return a certain reading of blank dice of these kinds, side by side in the tray."""
    face = Face(value=0)
    found = []
    for place, kind in enumerate(kinds):
        row, column = divmod(place, DICE_PER_ROW)
        box = (30 + 84 * column, 40 + 90 * row, DIE_SIDE, DIE_SIDE)
        found.append(DieReading(kind, face, box, 0.999, None, kind, ((face, 1.0),)))
    return tuple(found)


class NbaReader(StagedReader):
    """A fake reader with NBA's dice; tests insert its news."""

    def throw(self, dice: Sequence[DieReading]) -> None:
        self.news.append(SeenRoll(Roll(Status.OK, tuple(dice), 20.0, 1.0), tray_jpeg(()), (b"",) * len(dice)))


class SimulatedReader(NbaReader):
    """The fake reader of a simulated table: a tap on its tray throws the dice that are due."""

    def throw_due(self, dice: Sequence[DiceRequest], beside: bool) -> None:
        self.throw(blank_dice([request.kind for request in dice for _ in range(request.count)]))
