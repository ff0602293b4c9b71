"""What the other packages ask of pig besides its rules: the defaults serve for nearly all of it."""

from __future__ import annotations

from companion.games.base import Ask, Message
from companion.games.pig import PIG, TARGET
from companion.games.spec import GameSpec, TournamentSpec

SPEC = GameSpec(
    game=PIG,
    colours=("violet", "lime"),
    set_up=(Ask("count", "target", Message("pig.up_to"), least=10, most=100, suggested=TARGET),),
    tournament=TournamentSpec(minutes=10),
)
