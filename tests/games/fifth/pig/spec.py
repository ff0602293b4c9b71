"""What the other packages ask of pig besides its rules: the defaults serve for nearly all of it."""

from __future__ import annotations

from companion.games.pig import PIG
from companion.games.spec import GameSpec, TournamentSpec

SPEC = GameSpec(game=PIG, colours=("violet", "lime"), tournament=TournamentSpec(minutes=10))
