"""What a person may do in a turn of level `full` before activating: adjust, substitute, prepare, buy (chapter 6)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.games.base import Ask, Barred, Choice, Message, Option
from companion.games.nba import events as ev
from companion.games.nba.awaits_trial import Completion, barred, barred_kind
from companion.games.nba.cards import PlayerCard, TacticCard
from companion.games.nba.court import may_not_enter
from companion.games.nba.market import free, player_cost, tactic_cost
from companion.games.nba.state import State
from companion.games.nba.tables import MOST_PREPARED, POSITIONS, SLOTS
from companion.games.nba.track import HIDDEN
from companion.games.nba.words import card, word
from companion.games.wording import literal

MOST_PAID = 12
NOBODY = Barred("NBA-6.3", Message("nba.refusal.NBA-6.3.nothing"))


@dataclass(frozen=True, slots=True)
class CourtData:
    """What the editor of a court needs: the cards as they stand and those that may stand on each position.

    It answers with the fields of the event: `court` (position → card, for those that change) and `fatigue_removed`, at
    most `held`.
    """

    court: tuple[tuple[str, str], ...]
    candidates: tuple[tuple[str, tuple[str, ...]], ...]
    held: int
    owned: frozenset[str] = frozenset()
    """The cards that are known to belong to the side."""


def actions(state: State) -> tuple[Choice, ...]:
    """Everything that comes before the activations, barred where its time is over."""
    return (*_adjust(state), *_replace(state), *_prepare(state), *_buy_players(state), *_buy_tactic(state))


def player_option(state: State, one: PlayerCard, effect: str | None = None) -> Option:
    """An athlete with where he may stand and what he is worth."""
    places = Message("nba.option.player", {"positions": _positions(one), "value": one.value, "cost": one.cost})
    return Option(one.id, literal(one.name), places, effect)


def _positions(one: PlayerCard) -> Message:
    head, *rest = [word("position_short", position) for position in POSITIONS if position in one.positions]
    for text in rest:
        head = Message("common.list", {"head": head, "rest": text})
    return head


def tactic_option(one: TacticCard, most: int = MOST_PREPARED, effect: str | None = None) -> Option:
    """A tactic with its complexity and the dice it keeps."""
    args = {"type": word("type", one.type), "complexity": one.complexity, "value": one.value}
    return Option(one.id, literal(one.name), Message("nba.option.tactic", args), effect, most=most)


def _adjust(state: State) -> tuple[Choice, ...]:
    """The adjustment phase; gone once something else was done."""
    if state.phase != "adjust" or state.ultimate:
        return ()
    asks = [Ask("count", "tactics_replaced", word("ask", "tactics_replaced"), most=SLOTS, suggested=0)]
    deck = state.setup.market_list
    if state.laid and deck is None:
        options = tuple(player_option(state, one) for one in _never_seen(state))
        if options:
            title = Message("nba.ask.revealed", {"n": state.laid})
            asks.append(Ask("pick", "revealed", title, options, state.laid, 0, state.laid, optional=True))
    return (Choice({"event": "adjust"}, word("do", "adjust"), state.mover, rank=3, asks=tuple(asks)),)


def _never_seen(state: State) -> Iterable[PlayerCard]:
    seen = {id for team in state.teams for id in team.mini} | set(state.track)
    return [one for one in players(state) if one.id not in seen and free(state, one)]


def players(state: State) -> list[PlayerCard]:
    """The player cards of the catalogue."""
    return [one for one in state.setup.cards.values() if isinstance(one, PlayerCard)]


def tactics(state: State) -> list[TacticCard]:
    """The tactics of the catalogue."""
    return [one for one in state.setup.cards.values() if isinstance(one, TacticCard)]


def _replace(state: State) -> tuple[Choice, ...]:
    """One card for another in two taps; several at once in the editor of the court."""
    if state.ultimate:
        return ()
    reason = barred_kind(state, ev.Replace)
    team = state.team(state.mover)
    entering = [one for one in players(state) if one.id not in team.court and not may_not_enter(state, one.id)]
    by_position = tuple(
        (position, tuple(one.id for one in owned_first(state, entering) if position in one.positions))
        for position in POSITIONS
    )
    owned = owned_players(state)
    ways = sorted(((position, id) for position, ids in by_position for id in ids), key=lambda way: way[1] not in owned)
    options = tuple(Option({position: id}, literal(card(state, id)), _for(state, position)) for position, id in ways)
    asks = [Ask("pick", "court", word("ask", "replace"), options)]
    if team.held:
        asks.append(Ask("count", "fatigue_removed", word("ask", "fatigue_removed"), most=1, suggested=1))
    event = {"event": "replace"}
    data = CourtData(tuple(zip(POSITIONS, team.court, strict=True)), by_position, team.held, owned)
    several = Ask("lineup", "court", word("ask", "court"), data=data)
    side = team.side
    return (
        Choice(event, word("do", "replace"), side, asks=tuple(asks), barred=reason or (None if options else NOBODY)),
        Choice(event, word("do", "replace_several"), side, rank=3, asks=(several,), barred=reason),
    )


def _for(state: State, position: str) -> Message:
    standing = card(state, state.standing(state.mover, position))
    return Message("nba.option.instead", {"position": word("position_short", position), "player": standing})


def owned_players(state: State) -> frozenset[str]:
    """The player cards that the journal gives to the active side."""
    team = state.team(state.mover)
    roster = state.setup.rosters[team.side]
    return frozenset((*roster.court, *(roster.bench or ()), *team.bought))


def owned_first(state: State, cards: Sequence[PlayerCard]) -> list[PlayerCard]:
    """The cards of the active side come before the others; the one bought last is the first of all."""
    owned, bought = owned_players(state), state.team(state.mover).bought
    return sorted(cards, key=lambda one: (one.id not in owned, -bought.index(one.id) - 1 if one.id in bought else 0))


def _prepare(state: State) -> tuple[Choice, ...]:
    """Tactics laid on the board, thrown away from it, or both at once (NBA-6.5)."""
    team = state.team(state.mover)
    reason = barred_kind(state, ev.Prepare)
    event = {"event": "prepare"}
    data = Completion(state, event)
    known = _playable(state, tactics(state))
    owned = {*(state.setup.rosters[team.side].tactics or ()), *team.bought}
    options = tuple(tactic_option(one) for one in sorted(known, key=lambda one: one.id not in owned))
    lay = Ask("pick", "tactics", word("ask", "tactics"), options, 1, 1, 2 * MOST_PREPARED)
    choices = []
    if known:
        reasons = [None if reason else barred(state, {**event, "tactics": [option.value]}) for option in options]
        tried = tuple(replace(option, barred=why) for option, why in zip(options, reasons, strict=True))
        full = reasons[0] if all(reasons) else None
        only_lay = (replace(lay, options=tried, data=data),)
        choices.append(Choice(event, word("do", "prepare"), team.side, asks=only_lay, barred=reason or full))
    lying = _playable(state, [state.setup.tactic(id) for id in dict.fromkeys(team.prepared)])
    if lying:
        board = tuple(tactic_option(one, team.prepared.count(one.id)) for one in lying)
        drop = Ask("pick", "discard", word("ask", "discard"), board, 1, 1, len(team.prepared), data=data)
        for label, asks in (("discard", (drop,)), ("exchange", (drop, lay))):
            choices.append(Choice(event, word("do", label), team.side, rank=3, asks=asks, barred=reason))
    return tuple(choices)


def _playable(state: State, cards: Iterable[TacticCard]) -> list[TacticCard]:
    """The tactics that may still be played: no offence in an ultimate defence (NBA-8.4)."""
    return [one for one in cards if not (state.ultimate and one.type == "offence")]


def _paid(state: State, cost: int, event: dict[str, Any] | None = None) -> Ask:
    """Player cards thrown from the hand; which ones it holds only the side knows."""
    court = state.team(state.mover).court
    options = tuple(
        player_option(state, one, f"+{one.value}")
        for one in owned_first(state, players(state))
        if one.value and one.id not in court
    )
    title = Message("nba.ask.paid", {"cost": cost})
    data = Completion(state, event) if event is not None else None
    return Ask("pick", "paid", title, options, 1, 0 if cost == 0 else 1, MOST_PAID, data=data)


def _buy_players(state: State) -> tuple[Choice, ...]:
    """One choice for each card on the track, and for each of the personal market."""
    if state.ultimate or state.period:
        return ()
    reason = barred_kind(state, ev.BuyPlayer)
    team = state.team(state.mover)
    choices = []
    for slot, lying in enumerate(state.track, 1):
        if lying is None:
            continue
        event = {"event": "buy_player", "slot": slot}
        if lying != HIDDEN:
            choices.append(_purchase(state, {**event, "card": lying}, lying, reason))
        elif candidates := list(_never_seen(state)):
            options = tuple(player_option(state, one, f"−{player_cost(state, one)}") for one in candidates)
            label = Message("nba.do.buy_slot", {"slot": slot})
            dearest = max(player_cost(state, one) for one in candidates)
            asks = (Ask("pick", "card", word("ask", "card"), options), _paid(state, dearest))
            choices.append(Choice(event, label, team.side, rank=3, asks=asks, barred=reason))
    choices += [_purchase(state, {"event": "buy_player", "from": "mini", "card": id}, id, reason) for id in team.mini]
    return tuple(choices)


def _purchase(state: State, event: dict[str, Any], id: str, reason: Barred | None) -> Choice:
    one = state.setup.player(id)
    cost = player_cost(state, one)
    label = Message("nba.do.buy", {"card": one.name})
    option = player_option(state, one)
    ask = _paid(state, cost, event)
    if reason is None and not free(state, one):
        reason = barred(state, {**event, "paid": []})
    return Choice(event, label, state.mover, option.detail, f"−{cost}", 3, (ask,), barred=reason)


def _buy_tactic(state: State) -> tuple[Choice, ...]:
    if state.ultimate or state.period:
        return ()
    for_sale = [one for one in tactics(state) if not one.base]
    if not for_sale:
        return ()
    options = tuple(tactic_option(one, 1, f"−{tactic_cost(state, one)}") for one in for_sale)
    team = state.team(state.mover)
    owned = {*(state.setup.rosters[team.side].tactics or ()), *team.bought}
    worth = tuple(
        tactic_option(one, MOST_PREPARED, f"+{one.value}")
        for one in sorted(tactics(state), key=lambda one: one.id not in owned)
        if one.value
    )
    dearest = max(tactic_cost(state, one) for one in for_sale)
    asks = (
        Ask("pick", "card", word("ask", "tactic_card"), options),
        Ask("pick", "paid", Message("nba.ask.paid_tactics", {"cost": dearest}), worth, 1, 0, MOST_PAID),
    )
    reason = barred_kind(state, ev.BuyTactic)
    return (Choice({"event": "buy_tactic"}, word("do", "buy_tactic"), team.side, rank=3, asks=asks, barred=reason),)
