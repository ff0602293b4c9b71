"""What the holder of the power token may do (chapters 5 and 11): decide a tie, throw own dice again, or leave them."""

from __future__ import annotations

from typing import Literal

from companion.games.base import Ask, Awaits, Choice, DiceAwait, Die, Message, Option
from companion.games.hoops21 import chart, odds, shots
from companion.games.hoops21.awaits_trial import barred
from companion.games.hoops21.state import Counts, State, balls, candidates
from companion.games.hoops21.tables import DICE, SYMBOLS, Side, other
from companion.games.hoops21.words import dice_said, said, symbol, word
from companion.games.wording import listed, percent


def tie(state: State) -> Awaits:
    """The holder wins with the token, keeps it and loses, or in the advanced game throws again."""
    holder = state.holder
    use = Choice({"event": "token", "use": True}, word("do", "token_use"), holder, prize(state, holder), rank=1)
    keep = Choice({"event": "token", "use": False}, word("do", "token_keep"), holder, prize(state, other(holder)))
    title = said("await.tie", state, holder)
    if state.setup.advanced:
        return Awaits(title, word("detail", "again"), dice=_again(state), choices=(use, keep, *rerolls(state, 2)))
    event = {"event": "reroll", "team": holder}
    refused = Choice(event, word("do", "reroll"), holder, rank=3, barred=barred(state, event))
    return Awaits(title, choices=(use, keep, refused))


def reroll(state: State) -> Awaits:
    """The holder is behind or has missed: it throws again, or leaves its dice."""
    holder = state.holder
    missed = state.lying.kind == "free_throw"
    stand = Choice({"event": "stand"}, word("do", "stand"), holder, None if missed else prize(state, other(holder)))
    title = said("await.missed" if missed else "await.behind", state, holder)
    return Awaits(title, word("detail", "again"), dice=_again(state), choices=(*rerolls(state, 1), stand))


def prize(state: State, winner: Side) -> Message:
    """What a team would win: its plays of a throw, or what becomes of the shot."""
    if state.lying.kind == "shot":
        made = winner == state.attack
        return said("detail.shot_made" if made else "detail.shot_missed", state, winner, points=shots.points(state))
    counts = state.lying.of(winner)
    if balls(counts) == DICE:
        return said("detail.wins", state, winner, plays=word("effect", "slam_dunk"))
    plays = [word("effect", chart.effect_of(state, winner, name)) for name in candidates(counts)]
    return said("detail.wins", state, winner, plays=listed(plays))


def rerolls(state: State, rank: Literal[1, 2]) -> tuple[Choice, ...]:
    """The advised reroll, of which only the new faces are asked; and any other, of which also the dice that stay."""
    best, lying = odds.best_reroll(state), state.lying.of(state.holder)
    again = sum(lying) - sum(best.keep)
    event = {"event": "reroll", "team": state.holder}
    advised = Choice(
        {**event, "kept": odds.spelled(best.keep)},
        Message("hoops21.do.reroll_some", {"n": again}),
        state.holder,
        Message("hoops21.detail.keep", {"dice": dice_said(best.keep)}),
        percent(best.win),
        rank,
        (_rolled(state, again, again),),
    )
    asks = (_kept(state, lying, best.keep), _rolled(state, 1, sum(lying)))
    return (advised, Choice(event, word("do", "reroll_other"), state.holder, rank=3, asks=asks))


def _kept(state: State, lying: Counts, best: Counts) -> Ask:
    """The dice that stay, as they lie; at least one is thrown again (HB-11.1)."""
    options = tuple(
        Option(name, symbol(name), most=count, die=Die(state.holder, symbol=name))
        for name, count in zip(SYMBOLS, lying, strict=True)
        if count
    )
    most = sum(lying) - 1
    return Ask("dice", "kept", word("ask", "kept"), options, least=0, most=most, suggested=odds.spelled(best))


def _rolled(state: State, least: int, most: int) -> Ask:
    """What the dice thrown again show."""
    faces = tuple(Option(name, symbol(name), most=most, die=Die(state.holder, symbol=name)) for name in SYMBOLS)
    title = Message("hoops21.ask.rolled", {"n": most}) if least == most else word("ask", "rolled_some")
    return Ask("dice", "rolled", title, faces, most, least=least, most=most)


def _again(state: State) -> tuple[DiceAwait, ...]:
    """All dice of the holder, as they lie once some were thrown again."""
    holder = state.holder
    return (DiceAwait(holder, holder, sum(state.lying.of(holder)), purpose=word("purpose", "again"), staying=True),)
