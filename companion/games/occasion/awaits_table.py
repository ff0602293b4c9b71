"""What may be declared in any phase: a new chance card, used cards taken back, a new card, a ruling, giving up."""

from __future__ import annotations

from typing import Literal

from companion.games.base import Ask, Barred, Choice, Message, Option
from companion.games.occasion.awaits_offer import barred
from companion.games.occasion.card_form import card_form
from companion.games.occasion.state import State
from companion.games.occasion.tables import KINDS, MOST_VISIBLE, SIDES, Side, index_of
from companion.games.occasion.view import waiting_for
from companion.games.occasion.words import chance_name, player_name, said, word
from companion.games.wording import literal

OUTSIDE_DUEL = ("choose_occasion", "attack_move")
"""Phases in which the players sort their cards; elsewhere these choices stand in the menu."""


def declarations(state: State) -> tuple[Choice, ...]:
    """Everything that is legal in any phase but `over`."""
    found: list[Choice] = []
    for side in SIDES:
        found += (*_shown(state, side), *_recovered(state, side))
    found.append(_ruling(state))
    found += [_define(state, kind, side) for kind in KINDS for side in (SIDES if kind == "player" else (None,))]
    return (*found, *_concede())


def _shown(state: State, side: Side) -> tuple[Choice, ...]:
    """A chance card laid face up; barred while two lie there, gone where no card is left to lay."""
    menu = state.phase != "choose_occasion"
    event = {"event": "occasion_shown", "side": side}
    label = word("do", "occasion_shown")
    free = [card for card in state.occasions if card not in state.shown_to(side)]
    if not free:
        return ()
    if len(state.shown_to(side)) >= MOST_VISIBLE:
        reason = barred(state, {**event, "card": free[0]})
        return () if menu else (Choice(event, label, side, rank=3, barred=reason),)
    options = tuple(Option(card, literal(chance_name(state, card))) for card in free)
    ask = Ask("pick", "card", word("ask", "occasion_shown"), options)
    return (Choice(event, label, side, rank=2, asks=(ask,), menu=menu),)


def _recovered(state: State, side: Side) -> tuple[Choice, ...]:
    """All used cards at once, one player, or some energies (OC-10.4)."""
    players, energy = state.used(side), state.energy_used[index_of(side)]
    event = {"event": "cards_recovered", "side": side}
    menu = state.phase not in OUTSIDE_DUEL
    found = []
    if players or energy:
        everything = {**event, "players": list(players), "energy": energy}
        detail = Message("occasion.detail.used", {"players": len(players), "energy": energy})
        found.append(Choice(everything, word("do", "recover_all"), side, detail, rank=3, menu=menu))
    if players:
        options = tuple(Option(id, literal(player_name(state, id, side))) for id in players)
        ask = Ask("pick", "players", word("ask", "recover_player"), options, least=1, most=len(options))
        found.append(Choice(event, word("do", "recover_player"), side, rank=3, asks=(ask,), menu=menu))
    if energy:
        ask = Ask("count", "energy", word("ask", "recover_energy"), least=1, most=energy)
        found.append(Choice(event, word("do", "recover_energy"), side, rank=3, asks=(ask,), menu=menu))
    return tuple(found)


def _ruling(state: State) -> Choice:
    """Anything else: its text, a goal more or less, who attacks next (OC-11.1)."""
    asks = (
        Ask("text", "text", word("ask", "ruling")),
        Ask("pick", "goals", word("ask", "goals"), _goals(state), optional=True),
        Ask("pick", "next_attack", word("ask", "next_attack"), _next(state), optional=True),
    )
    return Choice({"event": "ruling"}, word("do", "ruling"), rank=3, asks=asks, menu=True)


def _goals(state: State) -> tuple[Option, ...]:
    found = []
    for more in (1, -1):
        for side in SIDES:
            goals = {side: more}
            reason: Barred | None = barred(state, {"event": "ruling", "text": "?", "goals": goals})
            label = said("option.goal_more" if more > 0 else "option.goal_less", state, side)
            found.append(Option(goals, label, barred=reason))
    return tuple(found)


def _next(state: State) -> tuple[Option, ...]:
    return tuple(Option(side, literal(state.setup.name(side))) for side in SIDES)


def _define(state: State, kind: str, side: Side | None) -> Choice:
    """A new card, written by the players; while there is none of its kind it is what comes first."""
    event = {"event": "define_card", "kind": kind}
    if side is not None:
        event["side"] = side
    form = card_form(state, kind, side)
    first = not form.taken and (state.phase in ("attack_move", "defence") if side else state.phase == "choose_occasion")
    rank: Literal[1, 3] = 1 if first and side in (None, *waiting_for(state)) else 3
    ask = Ask("lineup", "card", word("ask", f"define_{kind}"), data=form)
    return Choice(event, word("do", f"define_{kind}"), side, rank=rank, asks=(ask,), menu=rank == 3)


def _concede() -> tuple[Choice, ...]:
    return tuple(
        Choice({"event": "concede", "side": side}, word("do", "concede"), side, rank=3, held=True, menu=True)
        for side in SIDES
    )
