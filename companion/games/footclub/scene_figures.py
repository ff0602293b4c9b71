"""The figures in the centre of the table screen, phase by phase: headline, sum of terms, odds, ruler of a throw."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from companion.games.base import Message
from companion.games.figures import Figure, Headline, OddsBar, OddsPart, Ruler, RulerCell, Sum, Term
from companion.games.footclub import odds, team, words_people
from companion.games.footclub.duel import NEEDED
from companion.games.footclub.scene_terms import offensive_terms
from companion.games.footclub.state import Duel, State
from companion.games.footclub.tables import MARKET_PICKS, PENALTY_BONUS, Side, other
from companion.games.footclub.words import card, word
from companion.games.wording import signed

TWO_ONES = 2


def figures(state: State) -> tuple[Figure, ...]:
    """From top to bottom. A phase without figures of its own shows where the ball is."""
    return _FIGURES.get(state.phase, _ball)(state)


def _ball(state: State) -> tuple[Figure, ...]:
    if state.colour is None:
        return ()
    detail = None
    if state.holder is not None and state.possession is not None:
        club = state.setup.name(state.possession)
        player = words_people.full_name(state, state.holder)
        detail = Message("footclub.headline.holder", {"player": player, "club": club})
    return (Headline(word("ball", state.colour), detail, state.colour),)


def _market(state: State) -> tuple[Figure, ...]:
    picks = len(state.market.picks) if state.market else 0
    detail = Message("footclub.headline.picks", {"n": picks, "most": MARKET_PICKS})
    return (Headline(word("phase", "market"), detail),)


def _phase(state: State) -> tuple[Figure, ...]:
    return (Headline(word("phase", state.phase)),)


def _attack(state: State) -> tuple[Figure, ...]:
    """What the club with the ball would start an offensive from."""
    return _ball(state) if state.possession is None else (*_ball(state), *start_figures(state, state.possession))


def start_figures(state: State, side: Side) -> tuple[Figure, ...]:
    """The initial bonus of a side with its terms (FC-8.7), before all additions, and the odds of a shot at it."""
    start = team.initial_bonus(state, side)
    attack, defence = team.attack(state.club(side)), team.defence(state.club(other(side)))
    terms = (Term(word("term", "att"), attack, side), Term(word("term", "def"), -defence, other(side)))
    chances = odds.shot(max(-odds.CLAMP, min(odds.CLAMP, start)))
    return (Sum(word("sum", "start"), start, terms), shot_bar(chances, side))


def _offensive(state: State) -> tuple[Figure, ...]:
    offensive = state.offensive
    if offensive is None:
        return _ball(state)
    player = words_people.full_name(state, offensive.player)
    where = words_people.post_of(state, offensive.player)
    detail = Message("footclub.headline.placed", {"player": player, "place": where or ""})
    kind = offensive.set_piece or offensive.kind
    found: list[Figure] = [Headline(card(kind), detail, state.colour)]
    if offensive.set_piece is None and offensive.throw == 1:
        title = word("sum", "running")
        if offensive.final != offensive.bonus:
            title = Message("footclub.sum.clamped", {"final": signed(offensive.final)})
        found.append(Sum(title, offensive.bonus, offensive_terms(state, offensive)))
    chances = odds.shot(offensive.final, offensive.throw, offensive.defence_die)
    return (*found, shot_bar(chances, offensive.side))


def _shootout(state: State) -> tuple[Figure, ...]:
    shootout = state.shootout
    if shootout is None:
        return _phase(state)
    blue, red = shootout.scored
    detail = Message("footclub.headline.kicks", {"blue": blue, "red": red})
    headline = Headline(word("phase", "shootout"), detail)
    if shootout.next is None:
        return (headline,)
    chances = odds.shot(PENALTY_BONUS, shootout.throw, shootout.defence_die)
    return (headline, shot_bar(chances, shootout.next, corner="miss"))


def shot_bar(chances: Mapping[str, Fraction], side: Side, corner: str = "corner") -> OddsBar:
    """The odds of a shot of `side`; in the shoot-out a corner is a miss (FC-15.7)."""
    return OddsBar(
        (
            OddsPart(word("odds", "goal"), str(chances["goal"]), side),
            OddsPart(word("odds", corner), str(chances["corner"])),
            OddsPart(word("odds", "save"), str(chances["save"]), other(side)),
        )
    )


def _duel(state: State) -> tuple[Figure, ...]:
    duel = state.duel
    if duel is None:
        return _ball(state)
    player = words_people.full_name(state, duel.player)
    if duel.target is None:
        where = words_people.post_of(state, duel.player)
        detail = Message("footclub.headline.placed", {"player": player, "place": where or ""})
    else:
        target = words_people.full_name(state, duel.target)
        detail = Message("footclub.headline.tackles", {"player": player, "target": target})
    headline = Headline(word(duel.kind, duel.mode), detail, state.colour)
    chances = odds.duel(duel.mode, duel.modifier, duel.throw)
    won = Message("footclub.odds.ball_to", {"club": state.setup.name(duel.side)})
    bar = OddsBar(
        (
            OddsPart(word("odds", "foul"), str(chances["foul"]), other(duel.side)),
            OddsPart(won if duel.kind == "tackle" else word("odds", "success"), str(chances["success"]), duel.side),
        )
    )
    return (headline, ruler(duel), bar)


def ruler(duel: Duel) -> Ruler:
    """What each throw of the two dice comes to, from two ones to two sixes.

    A cell's total has the modifier in it, except that two ones stay two ones (FC-7.5, FC-10.6).
    """
    title = Message("footclub.ruler.needed", {"total": NEEDED[duel.throw]})
    if duel.modifier:
        title = Message("footclub.ruler.modified", {"total": NEEDED[duel.throw], "modifier": signed(duel.modifier)})
    return Ruler(title, tuple(_cell(duel, dice) for dice in range(TWO_ONES, 13)))


def _cell(duel: Duel, dice: int) -> RulerCell:
    """The cell of one sum of the dice as they lie."""
    ones = dice == TWO_ONES
    total = dice if ones else dice + duel.modifier
    chance = str(Fraction(6 - abs(7 - dice), 36))
    if total >= NEEDED[duel.throw] and not ones:
        return RulerCell(total, "success", chance, duel.side)
    if duel.mode == "aggressive" and duel.throw == 1:
        return RulerCell(total, "second_throw", chance)
    mark = ("red" if ones else "yellow") if duel.throw > 1 else "yellow" if ones else None
    return RulerCell(total, "foul", chance, other(duel.side), mark)


def _finished(state: State) -> tuple[Figure, ...]:
    result = state.result
    if result is None:
        return ()
    if result.winner is None:
        return (Headline(word("result", "draw")),)
    winner = Message("footclub.headline.wins", {"club": state.setup.name(result.winner)})
    return (Headline(winner, word("result", result.by)),)


_FIGURES: Mapping[str, Callable[[State], tuple[Figure, ...]]] = {
    "market": _market,
    "pre_match": _phase,
    "half_time": _phase,
    "extra_time_break": _phase,
    "full_time": _phase,
    "attack": _attack,
    "counter": _attack,
    "offensive": _offensive,
    "set_piece": _offensive,
    "duel": _duel,
    "shootout": _shootout,
    "finished": _finished,
}
