"""What is awaited in the solo opponent's turn: what a person draws for it, and the dice that a person throws for it."""

from __future__ import annotations

from companion.games.base import Ask, Awaits, Choice, Message
from companion.games.nba import awaits_dice, solo
from companion.games.nba import events as ev
from companion.games.nba.awaits_actions import player_option, players, tactic_option, tactics
from companion.games.nba.awaits_dice import dice_ask
from companion.games.nba.awaits_trial import barred, barred_kind
from companion.games.nba.market import free
from companion.games.nba.state import State
from companion.games.nba.tables import MOST_RECRUITS, SLOTS
from companion.games.nba.words import bodies, said, word


def opponents_turn(state: State) -> Awaits:
    """Its recruit, its tactic, its activations, the end of its turn, in this order (NBA-12.3)."""
    side = state.mover
    if barred_kind(state, ev.AiRecruit) is None:
        return Awaits(said("await.ai_recruit", state, side), _counter(state), (side,), choices=(_recruit(state),))
    if barred_kind(state, ev.AiTactic) is None:
        return Awaits(said("await.ai_tactic", state, side), _counter(state), (side,), choices=(_tactic(state),))
    planned = awaits_dice.may_activate(state)
    if planned:
        dice = awaits_dice.rolled_dice(state)
        return Awaits(said("await.solo", state, side), None, (side,), dice, tuple(_roll(state, id) for id in planned))
    event = {"event": "end_turn"}
    end = Choice(event, word("do", "end_turn"), side, rank=1, barred=barred(state, event))
    return Awaits(said("await.solo_end", state, side), None, (side,), choices=(end,))


def _counter(state: State) -> Message:
    return Message("nba.detail.counter", {"n": solo.opponent(state).resources})


def _recruit(state: State) -> Choice:
    options = tuple(player_option(state, one) for one in players(state) if free(state, one))
    title = Message("nba.ask.recruits", {"n": MOST_RECRUITS})
    ask = Ask("pick", "cards", title, options, MOST_RECRUITS, 0, MOST_RECRUITS)
    return Choice({"event": "ai_recruit"}, word("do", "ai_recruit"), state.mover, rank=1, asks=(ask,))


def _tactic(state: State) -> Choice:
    options = tuple(tactic_option(one, SLOTS) for one in tactics(state) if not one.base)
    ask = Ask("pick", "market", word("ask", "market"), options, SLOTS, 0, SLOTS)
    return Choice({"event": "ai_tactic"}, word("do", "ai_tactic"), state.mover, rank=1, asks=(ask,))


def _roll(state: State, id: str) -> Choice:
    tactic = state.setup.tactic(id)
    size = state.roll_size(state.mover, tactic)
    event = {"event": "activate", "tactic": id}
    label = Message("nba.do.activate", {"tactic": tactic.name})
    return Choice(event, label, state.mover, bodies(size), rank=1, asks=(dice_ask(state.setup.dice_set, "dice", size),))
