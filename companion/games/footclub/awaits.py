"""What FootClub awaits in each phase: whose it is to act, the dice due, and every choice that is legal or looked for.

Everything is computed from what both clubs know: see `awaits_trial.public`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from companion.games.base import Ask, Awaits, Choice, Message, Option
from companion.games.footclub import awaits_before, awaits_offensive, awaits_step, shootout
from companion.games.footclub.awaits_trial import barred, public
from companion.games.footclub.state import Club, State
from companion.games.footclub.tables import SHOOTERS, SIDES, Side, index_of, other
from companion.games.footclub.words import word
from companion.games.wording import literal, short_name


def awaits(state: State) -> Awaits:
    """A match that is over awaits nothing; any other one something besides the forfeit."""
    if state.phase == "finished":
        return Awaits(word("await", "finished"))
    known = public(state)
    made = _awaited(known)
    choices = tuple(sorted(made.choices, key=lambda choice: (choice.barred is not None, choice.rank)))
    return replace(made, sides=_may_act(made), choices=(*choices, *_forfeits()))


def _awaited(state: State) -> Awaits:
    if any(club.vacant for club in state.clubs):
        return awaits_step.vacant(state)
    if any(club.below for club in state.clubs):
        return awaits_step.below(state)
    return _PHASES[state.phase](state)


def _may_act(made: Awaits) -> tuple[str, ...]:
    """The sides with dice to throw now or something to choose."""
    now = min((die.order for die in made.dice), default=0)
    acting = {die.side for die in made.dice if die.order == now}
    acting |= {choice.side for choice in made.choices if choice.barred is None}
    if None in acting:
        return SIDES
    return tuple(side for side in SIDES if side in acting)


def _forfeits() -> tuple[Choice, ...]:
    """FC-18.7, from the menu."""
    return tuple(
        Choice({"event": "forfeit", "side": side}, word("do", "forfeit"), side, rank=3, held=True, menu=True)
        for side in SIDES
    )


def _full_time(state: State) -> Awaits:
    """A draw in a single match: extra time or not (FC-14.15)."""
    play = Choice({"event": "extra_time", "play": True}, word("do", "extra_time"), rank=1)
    stop = Choice({"event": "extra_time", "play": False}, word("do", "draw"), rank=2)
    return Awaits(word("await", "full_time"), word("detail", "full_time"), choices=(play, stop))


def _shootout(state: State) -> Awaits:
    """Shooters of both clubs, who begins, then kick by kick (FC-15.5 to FC-15.8)."""
    current = shootout.under_way(state)
    if current.next is not None:
        return _kick(state, current.next)
    choices = [_shooters(state, side) for side in SIDES if not current.shooters[index_of(side)]]
    if choices:
        return Awaits(word("await", "shooters"), word("detail", "shooters"), choices=tuple(choices))
    begins = tuple(Choice({"event": "shootout", "first": side}, word("do", "begins"), side, rank=1) for side in SIDES)
    return Awaits(word("await", "shootout_first"), word("detail", "shootout_first"), choices=begins)


def _shooters(state: State, side: Side) -> Choice:
    club = state.club(side)
    options = _kickers(club, (*club.on_pitch, club.goalkeeper.id))
    ask = Ask("pick", "players", word("ask", "shooters"), options, SHOOTERS)
    return Choice({"event": "shooters", "side": side}, word("do", "shooters"), side, rank=1, asks=(ask,))


def _kickers(club: Club, ids: tuple[str, ...]) -> tuple[Option, ...]:
    keeper = club.goalkeeper
    names = {keeper.id: keeper.name, **{id: player.card.name for id, player in club.players.items()}}
    return tuple(
        Option(id, literal(short_name(names[id])), word("post", "gk") if id == keeper.id else None) for id in ids
    )


def _kick(state: State, side: Side) -> Awaits:
    """The dice of a kick; in sudden death its shooter may be named with both dice (FC-15.8)."""
    current = shootout.under_way(state)
    lying = current.defence_die
    thrower = side if lying is not None else other(side)
    club = {"club": state.setup.name(side)}
    title = Message("footclub.await.kick_attack" if lying is not None else "footclub.await.kick", club)
    detail = word("detail", "second_throw") if current.throw > 1 else None
    return Awaits(title, detail, (thrower,), awaits_offensive.shot_dice(side, lying), _named_kick(state, side))


def _named_kick(state: State, side: Side) -> tuple[Choice, ...]:
    club = state.club(side)
    event = {"event": "shot"}
    options = tuple(
        option
        for option in _kickers(club, (*club.on_pitch, club.goalkeeper.id))
        if barred(state, {**event, "defence": 1, "player": option.value}) is None
    )
    if not options:
        return ()
    faces = tuple(Option(face, literal(face)) for face in range(1, 7))
    asks = (
        Ask("pick", "player", word("ask", "shooter"), options),
        Ask("pick", "defence", word("ask", "defence_die"), faces),
        Ask("pick", "attack", word("ask", "attack_die"), faces),
    )
    return (Choice(event, word("do", "named_kick"), side, rank=3, asks=asks),)


_PHASES: Mapping[str, Callable[[State], Awaits]] = {
    "market": awaits_before.in_market,
    "pre_match": awaits_before.before_half,
    "half_time": awaits_before.before_half,
    "extra_time_break": awaits_before.before_half,
    "preparation": awaits_step.preparation,
    "possession": awaits_step.possession,
    "counter": awaits_step.counter,
    "duel": awaits_step.duel,
    "attack": awaits_offensive.attack,
    "offensive": awaits_offensive.offensive,
    "set_piece": awaits_offensive.set_piece,
    "corner": awaits_offensive.corner,
    "end_of_turn": awaits_step.end_of_turn,
    "full_time": _full_time,
    "shootout": _shootout,
}
