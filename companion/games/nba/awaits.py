"""What the game awaits in each phase: who may act, the dice due, and every choice that is legal or looked for."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from companion.games.base import Ask, Awaits, Barred, Choice, Message, Option, Refusal
from companion.games.nba import awaits_dice, awaits_solo, forecast
from companion.games.nba import events as ev
from companion.games.nba.activation import check_usable
from companion.games.nba.awaits_actions import actions, owned_first, player_option, players
from companion.games.nba.awaits_trial import barred_kind
from companion.games.nba.odds import expected
from companion.games.nba.scoring import score_attack
from companion.games.nba.state import State
from companion.games.nba.tables import DEFENCE, OFFENCE
from companion.games.nba.words import about, bodies, said, word
from companion.games.wording import literal, signed

RULED = (-3, -2, -1, 1, 2, 3)
"""Points that the menu offers for a ruling; others are told by correcting the entry."""


def awaits(state: State) -> Awaits:
    """A match that is over awaits nothing; any other one something besides the menu."""
    if state.phase == "over":
        return Awaits(word("await", "over"))
    made = _awaited(state)
    choices = tuple(sorted(made.choices, key=lambda choice: (choice.barred is not None, choice.rank)))
    return replace(made, choices=(*choices, *_menu(state)))


def _awaited(state: State) -> Awaits:
    if state.phase == "tied":
        return _tied(state)
    if state.phase == "roll":
        return awaits_dice.roll(state)
    if state.solo_turn:
        made = awaits_solo.opponents_turn(state)
    else:
        made = _full(state) if state.setup.full else _scores(state)
    last = _eliminations(state) if state.setup.full and not state.solo_turn else ()
    return replace(made, choices=(*made.choices, *awaits_dice.mismatches(state), *last))


def _tied(state: State) -> Awaits:
    """Overtime or a draw (NBA-8.6)."""
    overtime = Choice({"event": "overtime"}, word("do", "overtime"), rank=1)
    draw = Choice({"event": "accept_draw"}, word("do", "accept_draw"))
    return Awaits(word("await", "tied"), word("detail", "tied"), state.setup.sides, choices=(overtime, draw))


def _title(state: State) -> Message:
    return said("await.ultimate" if state.ultimate else "await.turn", state, state.mover)


def _where(state: State) -> Message:
    """Which turn this is."""
    if state.limit is None:
        return Message("nba.detail.turn", {"turn": state.turn})
    return Message("nba.detail.turn_of", {"turn": state.turn, "limit": state.limit})


def _scores(state: State) -> Awaits:
    """Level `scores`: the dice kept in attack and in defence, then the end of the turn."""
    side, dice_set = state.mover, state.setup.dice_set
    choices = []
    for name, kind, kinds in (("attack", ev.Attack, OFFENCE), ("defend", ev.Defend, DEFENCE)):
        if name == "attack" and state.ultimate:
            continue
        asks = [awaits_dice.dice_ask(dice_set, "dice", awaits_dice.all_of(kinds), exact=False)]
        if name == "defend" and state.pile and not state.money_time:
            asks.append(Ask("count", "fatigue", word("ask", "fatigue"), most=state.pile, suggested=0))
        reason = barred_kind(state, kind)
        choices.append(Choice({"event": name}, word("do", name), side, asks=tuple(asks), barred=reason))
    dice = awaits_dice.logged_dice(state)
    return Awaits(_title(state), _where(state), (side,), dice, (*choices, *_ends(state)))


def _full(state: State) -> Awaits:
    """Level `full`: the tactic of each type that promises most, the end of the turn, then everything else."""
    dice = awaits_dice.rolled_dice(state)
    best, others = _activations(state)
    before, ends = actions(state), _ends(state)
    choices = (*best, *ends, *others, *before) if best or others else (*before, *ends)
    return Awaits(_title(state), _where(state), (state.mover,), dice, choices)


def _activations(state: State) -> tuple[list[Choice], list[Choice]]:
    """One choice for each different tactic on the board, with its mean total: the best of each type, then the others.

    Of a type that was activated already there is nothing to choose.
    """
    rated: list[tuple[Fraction, Choice, str]] = []
    for id in dict.fromkeys(state.team(state.mover).prepared):
        tactic = state.setup.tactic(id)
        size = state.roll_size(state.mover, tactic)
        mean: Fraction = expected(forecast.pools(state, state.mover, tactic))
        label = Message("nba.do.activate", {"tactic": tactic.name})
        ask = awaits_dice.dice_ask(state.setup.dice_set, "dice", size)
        reason = _unusable(state, id)
        event = {"event": "activate", "tactic": id}
        shown = Choice(event, label, state.mover, bodies(size), about(mean), 2, (ask,), barred=reason)
        rated.append((mean, shown, tactic.type))
    rated.sort(key=lambda one: (one[1].barred is not None, -one[0]))
    best: list[Choice] = []
    types: set[str] = set()
    for _, shown, type_ in rated:
        if shown.barred is None and type_ not in types:
            types.add(type_)
            best.append(replace(shown, rank=1))
    first = {choice.event["tactic"] for choice in best}
    return best, [shown for _, shown, _ in rated if shown.event["tactic"] not in first]


def _unusable(state: State, id: str) -> Barred | None:
    try:
        check_usable(state, state.setup.tactic(id))
    except Refusal as reason:
        return Barred(reason.rule, reason.message)
    return None


def _ends(state: State) -> tuple[Choice, ...]:
    """The end of the turn; where the market is the clock, whether it is empty now."""
    side, event = state.mover, {"event": "end_turn"}
    rank: Any = 1 if state.phase == "activation" else 2
    ends = [Choice(event, word("do", "end_turn"), side, _scores_next(state), rank=rank)]
    if state.setup.clock == "market" and not state.ultimate and not state.period:
        ends.append(Choice({**event, "market_empty": True}, word("do", "market_empty"), side, rank=3, held=True))
    return tuple(ends)


def _eliminations(state: State) -> tuple[Choice, ...]:
    """The end of the turn with cards that are removed from the match (NBA-8.2); the side's own cards come first."""
    side = state.mover
    court = state.team(side).court
    options = tuple(player_option(state, one) for one in owned_first(state, players(state)) if one.id not in court)
    if not options:
        return ()
    ask = Ask("pick", "eliminated", word("ask", "eliminated"), options, 1, 1, len(options))
    return (Choice({"event": "end_turn"}, word("do", "eliminate"), side, rank=3, asks=(ask,)),)


def _scores_next(state: State) -> Message | None:
    """What the end of the turn brings the side whose pending attack is scored then (NBA-5.1)."""
    side = state.setup.after(state.mover)
    if state.team(side).attack is None:
        return None
    points = sum(one.points for one in score_attack(state, side)[1])
    return said("detail.scores", state, side, n=points)


def _menu(state: State) -> tuple[Choice, ...]:
    """Rulings and giving up (NBA-15.1, NBA-15.2)."""
    found = []
    if state.phase != "tied":
        options = tuple(
            Option(
                {"side": side, "against": other, "points": points}, literal(signed(points)), _whom(state, side, other)
            )
            for side in state.setup.sides
            for other in state.setup.opponents(side)
            for points in RULED
        )
        asks = (
            Ask("text", "text", word("ask", "ruling")),
            Ask("pick", "points", word("ask", "ruling_points"), options, 1, 0, len(options), optional=True),
        )
        found.append(Choice({"event": "ruling"}, word("do", "ruling"), rank=3, asks=asks, menu=True))
    if len(state.teams) == 2:
        found += [
            Choice({"event": "concede", "side": side}, word("do", "concede"), side, rank=3, held=True, menu=True)
            for side in state.setup.sides
        ]
    return tuple(found)


def _whom(state: State, side: str, other: str) -> Message:
    return Message("nba.option.ruling", {"side": state.setup.names[side], "other": state.setup.names[other]})
