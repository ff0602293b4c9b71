"""The figures in the centre of the table screen: pending attacks with every term, what tactics and rerolls promise."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from companion.games.base import Message
from companion.games.figures import Figure, Headline, Notice, Ruler, RulerCell
from companion.games.nba import forecast
from companion.games.nba.awaits_dice import may_activate
from companion.games.nba.odds import READINGS, distribution, expected
from companion.games.nba.scene_lanes import lanes
from companion.games.nba.state import State
from companion.games.nba.tables import OPEN, SIX_NINE
from companion.games.nba.words import figure, said, word
from companion.games.wording import listed

MOST_CELLS = 24
"""A ruler of more totals is left out: nobody could read it."""


def figures(state: State) -> tuple[Figure, ...]:
    """From top to bottom."""
    if state.phase == "over":
        return _over(state)
    if state.phase == "tied":
        return (Headline(word("phase", "tied"), word("detail", "tied")),)
    against = lanes(state)
    if against:
        return against
    found: list[Figure] = [Headline(word("lanes", "none"), _where(state))]
    if state.phase in OPEN and state.setup.full:
        found += _tactics(state)
    return (*found, *_notices(state))


def _where(state: State) -> Message:
    """Which turn this is."""
    if state.period:
        return Message("nba.detail.overtime", {"n": state.period, "left": (state.limit or 0) - state.turn})
    if state.limit is None:
        return Message("nba.detail.turn", {"turn": state.turn})
    return Message("nba.detail.turn_of", {"turn": state.turn, "limit": state.limit})


def _tactics(state: State) -> Iterable[Figure]:
    """The chances of each tactic that may be activated now (NBA-14.1, NBA-14.2); unknown faces by their even share."""
    for id in may_activate(state):
        tactic = state.setup.tactic(id)
        low, even, high = (forecast.pools(state, state.mover, tactic, reading) for reading in READINGS)
        title = _between(f"nba.ruler.{tactic.type}", expected(low), expected(high), tactic=tactic.name)
        cells = [RulerCell(total, "points", str(chance), state.mover) for total, chance in distribution(even)]
        yield Ruler(title, tuple(cells)) if len(cells) <= MOST_CELLS else Notice(title)


def _between(id: str, low: Fraction, high: Fraction, **args: object) -> Message:
    if low == high:
        return Message(id, {**args, "mean": figure(low)})
    between = Message("nba.between", {"low": figure(low), "high": figure(high)})
    return Message(id, {**args, "mean": between})


def _notices(state: State) -> tuple[Notice, ...]:
    found = []
    if state.money_time:
        found.append(Notice(word("notice", "money_time"), "NBA-9.4"))
    if state.setup.dice_set.unknown:
        args = {"n": state.setup.dice_set.unknown}
        found.append(Notice(Message("nba.notice.unknown", args), "NBA-2.3"))
    if state.setup.dice_set.six_nine == SIX_NINE[-1]:
        found.append(Notice(word("notice", "six_nine"), "NBA-2.6"))
    return tuple(found)


def _over(state: State) -> tuple[Figure, ...]:
    result = state.result
    if result is None or result.winner is None:
        headline = Headline(word("headline", "draw"))
    else:
        headline = Headline(said("headline.wins", state, result.winner))
    if result is None or result.ranking is None:
        return (headline,)
    places = enumerate(result.ranking, 1)
    ranking = [said("notice.place", state, side, place=place, points=state.score(side)) for place, side in places]
    return (replace(headline, detail=listed(ranking)),)
