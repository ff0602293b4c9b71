"""The spec of pig for the other packages; it uses nearly all defaults."""

from __future__ import annotations

from companion.games.base import Message, Prompt
from companion.games.pig import PIG, TARGET
from companion.games.spec import GameSpec, TournamentSpec

SPEC = GameSpec(
    game=PIG,
    colours=("violet", "lime"),
    set_up=(Prompt("count", "target", Message("pig.up_to"), minimum=10, maximum=100, suggested=TARGET),),
    tournament=TournamentSpec(minutes=10),
)
