"""The games this program knows, by id."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.base import Game
from companion.games.footclub import FOOTCLUB
from companion.games.hoops21 import HOOPS21
from companion.games.nba import NBA
from companion.games.occasion import OCCASION

GAMES: Mapping[str, Game[Any, Any]] = {FOOTCLUB.id: FOOTCLUB, HOOPS21.id: HOOPS21, NBA.id: NBA, OCCASION.id: OCCASION}
