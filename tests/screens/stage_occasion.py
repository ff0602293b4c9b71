"""Matches of occasion in the situations that its screens must show, with the bundled cards."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from companion.games.occasion.preparation import OccasionPreparation
from companion.language import Language
from companion.table.catalogues.card_store import SampleCards
from companion.table.matches import Matches
from companion.table.session import Session

LONG_NAMES = ("Association sportive de Saint-Symphorien", "Olympique de Villefranche-de-Rouergue")

Events = tuple[dict[str, Any], ...]


def play(name: str, **fields: Any) -> dict[str, Any]:
    return {"event": name, **fields}


def move(player: str, how: str = "pass") -> dict[str, Any]:
    return play("attack_move", player=player, move=how)


def oppose(player: str) -> dict[str, Any]:
    return play("defence_choice", choice="oppose", player=player)


def turned(*values: tuple[str, int]) -> Events:
    return tuple(play("reveal", side=side, value=value) for side, value in values)


LET_PASS = play("defence_choice", choice="let_pass")
WING = play("occasion_played", card="aile-droite")
NONE = (play("support_done", side="home"), play("support_done", side="away"))
OPPOSED = (WING, move("au02"), oppose("br09"))
BACKED = (
    *OPPOSED,
    play("add_support", side="home", players=["au05", "au10", "au12"]),
    play("add_support", side="away", players=["br06", "br11"]),
    *NONE,
)
ONE_TWO = play("occasion_played", card="une-deux")

SITUATIONS: dict[str, Events] = {
    "choose": (),
    "choose_two": (play("occasion_shown", side="home", card="une-deux"),),
    "move": (WING,),
    "carrier": (WING, move("au08", "dribble"), LET_PASS),
    "defence": (WING, move("au02")),
    "cross": (WING, move("au08", "cross")),
    "support": (*OPPOSED, play("add_support", side="home", players=["au10"])),
    "reveal": (*OPPOSED, *NONE),
    "called": (*OPPOSED, *NONE, *turned(("home", 3))),
    "doubled": (WING, move("au08", "dribble"), LET_PASS, move("au08"), oppose("br05"), *NONE),
    "backed": (*BACKED, *turned(("home", 3), ("away", 2), ("home", 1))),
    "verdict": (*OPPOSED, *NONE, *turned(("home", 3), ("away", 2))),
    "equal": (*OPPOSED, *NONE, *turned(("home", 1), ("away", 1))),
    "advance": (play("occasion_shown", side="home", card="une-deux"), ONE_TWO, move("au07"), LET_PASS),
    "shot": (WING, move("au08", "cross"), LET_PASS),
    "goal": (WING, move("au08", "cross"), LET_PASS, play("goal_scored")),
    "over": (WING, move("au08", "cross"), LET_PASS, play("goal_scored"), play("match_ended")),
}
"""The events that lead to each situation."""


def header(long: bool = False, *, cards: bool = True) -> dict[str, Any]:
    """Return the header as the setup makes it: the two bundled teams, with one open occasion for home if `cards`."""
    memory: dict[str, Any] = {}
    preparing = OccasionPreparation(memory, SampleCards())
    if not cards:
        for side in ("home", "away"):
            preparing.choose(f"team.{side}", "")
        preparing.choose("deck", False)
    else:
        preparing.choose("visible.home.1", None)
    made = preparing.header()
    made["sides"] = {
        side: {"name": Language("fr").text(side_header["name"])} for side, side_header in made["sides"].items()
    }
    if long:
        made = deepcopy(made)
        for side, name in zip(("home", "away"), LONG_NAMES, strict=True):
            made["sides"][side]["name"] = name
            for card in made["setup"]["players"][side].values():
                card["name"] = f"Maximilien-Alexandre {card['name']}"
    return made


def situation(matches: Matches, name: str, long: bool = False) -> Session:
    """Return a match in the named situation, with all its events in the journal."""
    session = matches.start("occasion", header(long), None)
    for event in SITUATIONS[name]:
        session.record(event)
    return session
