"""The figures in the centre of the table screen: pending attacks with every term, what tactics and rerolls promise."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from companion.games.base import Figure, Headline, Message, Notice, Ruler, RulerCell, Sum, Term
from companion.games.nba import forecast, rerolls
from companion.games.nba.advice import defence_advice, offence_advice
from companion.games.nba.awaits_dice import may_activate
from companion.games.nba.odds import READINGS, distribution, expected
from companion.games.nba.scoring import counting
from companion.games.nba.state import State
from companion.games.nba.tables import OPEN, SIX_NINE
from companion.games.nba.words import card, face, figure, said, word

MOST_CELLS = 24
"""A ruler of more totals is left out: nobody could read it."""


def figures(state: State) -> tuple[Figure, ...]:
    """From top to bottom."""
    if state.phase == "over":
        return _over(state)
    if state.phase == "tied":
        return (Headline(word("phase", "tied"), word("detail", "tied")),)
    found: list[Figure] = [Headline(_headline(state), _detail(state)), *pending(state)]
    if state.phase == "roll":
        found += _roll(state)
    elif state.phase in OPEN and state.setup.full:
        found += _tactics(state)
    return (*found, *_notices(state))


def _headline(state: State) -> Message:
    side = state.mover
    if state.roll is not None:
        return said("headline.roll", state, side, tactic=card(state, state.roll.tactic))
    return said("headline.ultimate" if state.ultimate else "headline.turn", state, side)


def _detail(state: State) -> Message:
    if state.period:
        return Message("nba.detail.overtime", {"n": state.period, "left": (state.limit or 0) - state.turn})
    if state.limit is None:
        return Message("nba.detail.turn", {"turn": state.turn})
    return Message("nba.detail.turn_of", {"turn": state.turn, "limit": state.limit})


def pending(state: State) -> tuple[Sum, ...]:
    """What each pending attack would score now against each opponent: every die, then the defence dice that count."""
    sums = []
    for team in state.teams:
        if team.attack is None:
            continue
        for other in state.setup.opponents(team.side):
            terms = [Term(_die(die.die, die.value, die.colour), die.value, team.side) for die in team.attack.dice]
            defence = state.team(other).defence
            for die in defence.dice if defence else ():
                if stopped := counting((die,), team.attack):
                    terms.append(Term(_die(die.die, die.value, die.colour), -stopped, other))
            total = sum(term.value for term in terms)
            if total < 0:
                terms.append(Term(word("term", "never_below"), -total, team.side))
            names = state.setup.names
            title = Message("nba.sum.pending", {"side": names[team.side], "other": names[other]})
            sums.append(Sum(title, max(0, total), tuple(terms)))
    return tuple(sums)


def _die(kind: str, value: int, colour: str | None) -> Message:
    return Message("nba.die", {"kind": word("skill", kind), "face": face(kind, value, colour)})


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


def _roll(state: State) -> Iterable[Figure]:
    """What can be kept now and what a reroll promises (NBA-14.3, NBA-14.4)."""
    parts, left = forecast.parts(state), rerolls.left(state)
    if state.setup.tactic(state.rolling.tactic).type == "offence":
        advice = offence_advice(parts, left)
        yield Notice(Message("nba.notice.now", {"now": figure(advice.now)}))
        if advice.dice:
            args = {"n": len(advice.dice), "mean": figure(advice.expected)}
            yield Notice(Message("nba.notice.reroll", args), "NBA-7.4")
        return
    for step in defence_advice(parts, left):
        if step.dice:
            yield Notice(_between("nba.notice.reroll", step.low, step.high, n=len(step.dice)), "NBA-7.5")
        else:
            yield Notice(_between("nba.notice.now_defence", step.low, step.high))


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
    return (
        headline,
        *(Notice(said("notice.place", state, side, place=place, points=state.score(side))) for place, side in places),
    )
