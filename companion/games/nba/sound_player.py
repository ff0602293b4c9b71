"""A simple sound player: it does what the exact odds promise most, without a plan for later turns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

from companion.games.nba import forecast, market, rerolls, solo, sound_logged
from companion.games.nba.advice import defence_advice, offence_advice
from companion.games.nba.cards import PlayerCard, TacticCard
from companion.games.nba.moves_dice import kinds_of, rolled
from companion.games.nba.odds import expected
from companion.games.nba.sound_hand import hand, payment
from companion.games.nba.sound_mismatch import worthwhile
from companion.games.nba.state import State
from companion.games.nba.tables import ACTIONS, MOST_PREPARED, MOST_RECRUITS, POSITIONS, SLOTS, TYPES
from companion.games.nba.track import HIDDEN

Fields = dict[str, Any]
OVERTIMES = 2
"""After so many overtimes it accepts the draw."""
FATIGUE_PRICE = Fraction(3, 4)
"""Points that a fatigue card must at least bring, while it can still clog a later hand."""


def sound_event(state: State, random: Random) -> Fields:
    """A legal event for whoever's turn it is. Only for a match that is not finished."""
    if state.phase == "tied":
        return {"event": "accept_draw" if state.period >= OVERTIMES else "overtime"}
    if state.phase == "roll":
        return _settle(state, random)
    duel = worthwhile(state, random)
    if duel is not None:
        return duel
    if not state.setup.full:
        return sound_logged.laid(state, random) or end_turn(state)
    if state.solo_turn:
        return _opponent(state, random)
    for step in (_replace, _prepare, _buy_player, _buy_tactic, _activate):
        found = step(state, random)
        if found is not None:
            return found
    return end_turn(state)


def end_turn(state: State) -> Fields:
    """The end of a turn; with the market as clock it tells when no player card is left there."""
    ending: Fields = {"event": "end_turn"}
    if state.setup.clock == "market" and not state.ultimate and not state.period:
        over = not any(state.track) if state.setup.full else state.turn >= state.setup.market_cards + SLOTS
        if over and not state.deck:
            ending["market_empty"] = True
    return ending


# What a court and its tactics promise


def promise(state: State, tactic: TacticCard) -> Fraction:
    """The mean of what a tactic keeps for the side whose turn it is; nothing when its condition is not met."""
    if state.collective(state.mover) < tactic.complexity:
        return Fraction(0)
    return expected(forecast.pools(state, state.mover, tactic))


def _best(state: State, tactics: Iterable[TacticCard], type_: str) -> tuple[Fraction, TacticCard | None]:
    """The tactic of a type that promises most, and how much."""
    rated = [(promise(state, tactic), tactic) for tactic in tactics if tactic.type == type_]
    return max(rated, key=lambda pair: pair[0], default=(Fraction(0), None))


def _board(state: State) -> list[TacticCard]:
    return [state.setup.tactic(id) for id in state.team(state.mover).prepared]


def _worth(state: State, court: Sequence[str], tactics: Sequence[TacticCard]) -> Fraction:
    """What the best offence and the best defence promise with this court, and a little for the rebounds."""
    side = state.mover
    team = replace(state.team(side), court=tuple(court))
    changed = replace(state, teams=state.with_teams(team))
    total = sum((_best(changed, tactics, type_)[0] for type_ in TYPES), Fraction(0))
    return total + Fraction(changed.rebounds(side) + changed.stat(side, "iq"), 10)


# The steps of a turn: an event, or None where nothing is worth doing


def _replace(state: State, random: Random) -> Fields | None:
    """One card of the hand after the other, each where it improves the court most."""
    if state.phase not in ACTIONS or "replace" in state.done or state.ultimate:
        return None
    held = hand(state, state.mover)
    tactics = [*_board(state), *held.tactics]
    team = state.team(state.mover)
    court, free = list(team.court), list(held.players)
    while True:
        ways = [
            (_worth(state, [*court[:place], card.id, *court[place + 1 :]], tactics), index, place)
            for index, card in enumerate(free)
            for place, position in enumerate(POSITIONS)
            if position in card.positions
        ]
        best, index, place = max(ways, default=(Fraction(0), 0, 0))
        if best <= _worth(state, court, tactics):
            break
        court[place] = free.pop(index).id
    changes = {position: id for position, id, was in zip(POSITIONS, court, team.court, strict=True) if id != was}
    if not changes:
        return None
    return {"event": "replace", "court": changes, "fatigue_removed": min(len(changes), team.held)}


def _prepare(state: State, random: Random) -> Fields | None:
    """Of each type the best tactic of the hand, where it promises more than what lies there."""
    if state.phase not in ACTIONS or "prepare" in state.done:
        return None
    laid, thrown = [], []
    board, held = _board(state), hand(state, state.mover).tactics
    for type_ in TYPES:
        if state.ultimate and type_ == "offence":
            continue
        better, card = _best(state, held, type_)
        if card is None or better <= _best(state, board, type_)[0]:
            continue
        laid.append(card.id)
        lying = [tactic for tactic in board if tactic.type == type_]
        if len(lying) == MOST_PREPARED:
            thrown.append(min(lying, key=lambda tactic: promise(state, tactic)).id)
    return {"event": "prepare", "tactics": laid, "discard": thrown} if laid else None


def _may_buy(state: State) -> bool:
    return state.phase in ACTIONS and not state.ultimate and not state.period


def _buy_player(state: State, random: Random) -> Fields | None:
    """The card with the most to it that the hand can pay; one whose name was never told may be any that is free."""
    if not _may_buy(state) or "buy_player" in state.done:
        return None
    held = hand(state, state.mover).players
    ways: list[tuple[int, Fields]] = []
    for card, place in _offered(state, random):
        paid = payment([each for each in held if each.id != card.id], market.player_cost(state, card))
        if paid is not None:
            ways.append((sum(card.stats), {"event": "buy_player", "card": card.id, "paid": list(paid), **place}))
    return max(ways, key=lambda way: way[0])[1] if ways else None


def _offered(state: State, random: Random) -> list[tuple[PlayerCard, Fields]]:
    """The cards on sale, each with the fields that say where it lies."""
    minis = {id for team in state.teams for id in team.mini}
    named = set(state.track) | minis
    unnamed = [card for card in free_players(state) if card.id not in named]
    offered: list[tuple[PlayerCard, Fields]] = [
        (state.setup.player(id), {"from": "mini"}) for id in state.team(state.mover).mini
    ]
    for slot, id in enumerate(state.track, 1):
        if id == HIDDEN and unnamed:
            offered.append((unnamed.pop(random.randrange(len(unnamed))), {"slot": slot}))
        elif id is not None and id != HIDDEN:
            offered.append((state.setup.player(id), {"slot": slot}))
    return [(card, place) for card, place in offered if market.free(state, card)]


def free_players(state: State) -> list[PlayerCard]:
    """The NBA players that nobody has, in the order of the catalogue."""
    cards = [card for card in state.setup.cards.values() if isinstance(card, PlayerCard)]
    return [card for card in cards if market.free(state, card)]


def open_tactics(state: State, random: Random) -> list[TacticCard]:
    """Six tactics that may lie on the market: the app does not know which do (NBA-3.6)."""
    cards = [card for card in state.setup.cards.values() if isinstance(card, TacticCard) and not card.base]
    return random.sample(cards, min(SLOTS, len(cards)))


def _buy_tactic(state: State, random: Random) -> Fields | None:
    """The tactic that promises most, if it promises more than what the side has and the hand can pay it."""
    if not _may_buy(state) or state.done.count("buy_tactic") >= market.most_tactics(state):
        return None
    held = hand(state, state.mover).tactics
    ways: list[tuple[Fraction, Fields]] = []
    for card in open_tactics(state, random):
        gain = promise(state, card) - _best(state, (*_board(state), *held), card.type)[0]
        paid = payment(held, market.tactic_cost(state, card))
        if gain > 0 and paid is not None:
            ways.append((gain, {"event": "buy_tactic", "card": card.id, "paid": list(paid)}))
    return max(ways, key=lambda way: way[0])[1] if ways else None


def _activate(state: State, random: Random) -> Fields | None:
    for type_ in reversed(TYPES):
        usable = [tactic for tactic in _board(state) if forecast.usable(state, state.mover, tactic)]
        promised, tactic = _best(state, usable, type_)
        if tactic is not None and promised > 0:
            return _thrown(state, tactic, random)
    return None


def _thrown(state: State, tactic: TacticCard, random: Random) -> Fields:
    dice = rolled(state.setup.dice_set, kinds_of(state.roll_size(state.mover, tactic)), random)
    return {"event": "activate", "tactic": tactic.id, "dice": dice}


# The dice of an activation


def _settle(state: State, random: Random) -> Fields:
    """The reroll that the advice finds worth it, then the best dice."""
    again = solo.must_reroll(state, rerolls.left(state)) if state.solo_turn else _again(state)
    if again:
        to = rolled(state.setup.dice_set, [state.rolling.dice[index].die for index in again], random)
        return {"event": "reroll", "dice": list(again), "to": to}
    return {"event": "keep", "dice": list(solo.keeps(state))}


def _again(state: State) -> tuple[int, ...]:
    most = rerolls.left(state)
    if not most:
        return ()
    if state.setup.tactic(state.rolling.tactic).type == "offence":
        return offence_advice(forecast.parts(state), most).dice
    price = Fraction(0) if state.closing else FATIGUE_PRICE
    return max(defence_advice(forecast.parts(state), most), key=lambda step: step.even - price * len(step.dice)).dice


def _opponent(state: State, random: Random) -> Fields:
    """The solo opponent's turn: what it is offered is drawn at random, what it does is settled (chapter 12)."""
    if not state.ultimate and not state.period:
        if "ai_recruit" not in state.done:
            free = free_players(state)
            cards = random.sample(free, min(MOST_RECRUITS, len(free)))
            return {"event": "ai_recruit", "cards": [card.id for card in cards]}
        if not solo.tactic_done(state):
            return {"event": "ai_tactic", "market": [card.id for card in open_tactics(state, random)]}
    planned = next((id for id in solo.plan(state).values() if id is not None), None)
    return {"event": "end_turn"} if planned is None else _thrown(state, state.setup.tactic(planned), random)
