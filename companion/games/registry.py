"""The games this program knows, by id, and who can play them besides the random player of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from companion.games.base import Chances, Game
from companion.games.footclub import FOOTCLUB
from companion.games.footclub import luck as footclub_luck
from companion.games.footclub.sound_player import sound_event as footclub_sound
from companion.games.hoops21 import HOOPS21
from companion.games.hoops21 import luck as hoops21_luck
from companion.games.hoops21.sound_player import sound_event as hoops21_sound
from companion.games.nba import NBA
from companion.games.nba import luck as nba_luck
from companion.games.nba.sound_player import sound_event as nba_sound
from companion.games.occasion import OCCASION
from companion.games.occasion import luck as occasion_luck
from companion.games.occasion.sound_player import sound_event as occasion_sound

GAMES: Mapping[str, Game[Any, Any]] = {FOOTCLUB.id: FOOTCLUB, HOOPS21.id: HOOPS21, NBA.id: NBA, OCCASION.id: OCCASION}

Player = Callable[[Any, Random], Mapping[str, Any]]
"""Chooses a legal event for whoever is to act in a state that is not finished; dice fall by chance."""

SOUND_PLAYERS: Mapping[str, Player] = {
    FOOTCLUB.id: footclub_sound,
    HOOPS21.id: hoops21_sound,
    NBA.id: nba_sound,
    OCCASION.id: occasion_sound,
}
"""One player a game that takes what is best by the exact odds, as far as it looks ahead."""

CHANCES: Mapping[str, Chances] = {
    FOOTCLUB.id: footclub_luck,
    HOOPS21.id: hoops21_luck,
    NBA.id: nba_luck,
    OCCASION.id: occasion_luck,
}
"""What statistics ask of each game: its module `luck`."""

PLAYERS = ("random", "sound")


def player_of(game: Game[Any, Any], name: str) -> Player:
    """The player of that name, of PLAYERS, for a game. Raises KeyError."""
    return {"random": game.random_event, "sound": SOUND_PLAYERS[game.id]}[name]
