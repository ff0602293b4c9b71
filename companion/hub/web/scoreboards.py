"""The scoreboard of a live match: its sides in their colours, their points, how far it is, what the odds are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.games.base import Message
from companion.games.figures import Headline, OddsBar, OddsPart
from companion.games.registry import SPECS
from companion.hub.models import Live
from companion.hub.web.wording import percentages


@dataclass(frozen=True, slots=True)
class BoardSide:
    """One side as the scoreboard shows it."""

    side: str
    name: str
    points: int
    colour: str
    letter: str
    home: bool
    acts: bool


@dataclass(frozen=True, slots=True)
class Share:
    """A part of the odds bar: of a hundred, and the colour of the side it favours, None while it is open."""

    part: OddsPart
    share: int
    colour: str | None
    most: bool


@dataclass(frozen=True, slots=True)
class Board:
    """What the scoreboard shows."""

    sides: tuple[BoardSide, ...]
    headline: Headline | None
    shares: tuple[Share, ...]
    clock: Message | None
    turns: tuple[int, int]


def board(live: Live, game: str, home: str | None) -> Board:
    """The scoreboard of a match; the first side plays at home where somebody does (`home`)."""
    spec = SPECS[game]
    sides = tuple(
        BoardSide(
            side,
            name,
            live.score.get(side, 0),
            spec.colours[place % len(spec.colours)],
            spec.letter_of(place, name),
            home is not None and place == 0,
            side in live.acting and not live.over,
        )
        for place, (side, name) in enumerate(live.names.items())
    )
    tones = {side.side: side.colour for side in sides}
    headline = next((figure for figure in live.figures if isinstance(figure, Headline)), None)
    odds = next((figure for figure in live.figures if isinstance(figure, OddsBar)), None)
    shares = () if odds is None or live.over else _shares(odds, tones)
    if live.board is None:
        return Board(sides, headline, shares, None, (0, 0))
    return Board(sides, headline, shares, spec.clock(live.board), spec.turns(live.board))


def _shares(odds: OddsBar, tones: Mapping[str, str]) -> tuple[Share, ...]:
    shares = percentages([part.chance for part in odds.parts])
    most = max(shares, default=0)
    return tuple(
        Share(part, share, tones.get(part.side or ""), share == most)
        for part, share in zip(odds.parts, shares, strict=True)
        if share > 0
    )
