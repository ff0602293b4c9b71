"""What is awaited before a half: market, transfers, team sheets, tactical choices, the roll of the ball (FC-14.1)."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

from companion.games.base import Ask, Awaits, Choice, DiceAwait, Message, Option
from companion.games.footclub import awaits_lineup, market, words_people
from companion.games.footclub.awaits_trial import Completion, Offer, TakenFrom
from companion.games.footclub.cards import PlayerCard
from companion.games.footclub.legs import OFFERED
from companion.games.footclub.match_cards import pile_size, reserve
from companion.games.footclub.state import Market, State
from companion.games.footclub.tables import SIDES, STAFF_STARS, SUGGESTED, TYPES, Side, index_of, other
from companion.games.footclub.words import card, word
from companion.games.wording import literal, short_name

OPEN_PAIRS = 3


def before_half(state: State) -> Awaits:
    """Team sheets and secret choices of both clubs in any order, then the ball."""
    choices: list[Choice] = []
    missing: list[str] = []
    for side in SIDES:
        club = state.club(side)
        if club.lineup is None:
            choices += _transfers(state, side)
            choices.append(awaits_lineup.team_sheet(state, side))
        if club.cards_left is None:
            choices += tactics(state, side)
        if club.lineup is None or club.cards_left is None:
            missing.append(state.setup.name(side))
    if missing:
        detail = Message("footclub.detail.missing", {"clubs": ", ".join(missing)})
        return Awaits(word("await", state.phase), detail, choices=tuple(choices))
    dice = (DiceAwait(None, "ball", 1, purpose=word("purpose", "ball")),)
    return Awaits(word("await", "ball"), word("detail", "ball"), dice=dice, choices=tuple(choices))


def tactics(state: State, side: Side) -> tuple[Choice, ...]:
    """The secret choice by counts, and the choice kept wholly secret (FC-4.3 to FC-4.5)."""
    total = pile_size(state)
    event = {"event": "tactics", "side": side}
    options = tuple(
        Option(type_, card(type_), Message("footclub.option.reserve", {"n": most}), most=most)
        for type_, most in zip(TYPES, reserve(state.club(side)), strict=True)
    )
    ask = Ask(
        "counts",
        "cards",
        Message("footclub.ask.tactics", {"club": state.setup.name(side), "n": total}),
        options,
        total=total,
        secret=True,
        suggested=_suggested(state, side),
    )
    detail = Message("footclub.detail.choose", {"n": total})
    return (
        Choice(event, word("do", "tactics"), side, detail, rank=1 if state.club(side).lineup else 2, asks=(ask,)),
        Choice(event, word("do", "tactics_secret"), side, word("detail", "tactics_secret"), rank=3),
    )


def _suggested(state: State, side: Side) -> dict[str, int] | None:
    """FC-4.10, where it is a choice of this size that the reserve allows."""
    most = dict(zip(TYPES, reserve(state.club(side)), strict=True))
    fits = sum(SUGGESTED.values()) == pile_size(state) and all(n <= most[type_] for type_, n in SUGGESTED.items())
    return dict(SUGGESTED) if fits else None


def _transfers(state: State, side: Side) -> tuple[Choice, ...]:
    """The transfer before a second leg, where the catalogue has enough players set aside (FC-16.6)."""
    if state.setup.format != "leg2" or state.offers[index_of(side)]:
        return ()
    owned = {id for club in state.clubs for id in club.players}.union(*state.offers)
    aside = [one for one in state.setup.team_cards.players if one.id not in owned]
    if any(sum(one.level == level for one in aside) < count for level, count in OFFERED.items()):
        return ()
    event = {"event": "market_transfer", "side": side}
    options = tuple(_player_option(one) for one in aside if one.level in OFFERED)
    data = Completion(state, event)
    take = Ask("pick", "take", word("ask", "take_two"), options, times=2, data=data)
    asks = (
        Ask("pick", "offered", word("ask", "offered"), options, times=sum(OFFERED.values()), data=Offer(state, event)),
        replace(take, data=TakenFrom("offered", take)),
    )
    return (Choice(event, word("do", "market_transfer"), side, rank=3, asks=asks),)


def in_market(state: State) -> Awaits:
    """Staff pairs, the opening, then the picks in turn (chapter 2)."""
    under_way = market.under_way(state)
    if None in under_way.staff:
        choices = [choice for side in SIDES for choice in _staff(state, under_way, side)]
        return Awaits(word("await", "market_staff"), word("detail", "market_staff"), choices=tuple(choices))
    if under_way.next is None:
        return Awaits(word("await", "market_open"), word("detail", "market_open"), choices=_opening(state))
    club = {"club": state.setup.name(under_way.next)}
    return Awaits(Message("footclub.await.market_pick", club), choices=(_pick(state, under_way, under_way.next),))


def _staff(state: State, under_way: Market, side: Side) -> list[Choice]:
    """One choice for each coach that finds a goalkeeper to make eight stars with (FC-2.2)."""
    if under_way.staff[index_of(side)] is not None:
        return []
    taken = under_way.staff[index_of(other(side))] or ()
    cards = state.setup.team_cards
    found = []
    for coach in cards.coaches:
        keepers = [one for one in cards.goalkeepers if one.level + coach.level == STAFF_STARS and one.id not in taken]
        if coach.id in taken or not keepers:
            continue
        event = {"event": "market_staff", "side": side, "coach": coach.id}
        options = tuple(Option(one.id, literal(one.name), _stars(one.level)) for one in keepers)
        ask = Ask("pick", "goalkeeper", word("ask", "goalkeeper"), options)
        found.append(Choice(event, literal(coach.name), side, _stars(coach.level), asks=(ask,)))
    return found


def _opening(state: State) -> tuple[Choice, ...]:
    """One choice for each club that may begin; the three open pairs are asked as pairs (FC-2.3)."""
    players = [one for one in state.setup.team_cards.players if one.id in set(market.lower_pile(state))]
    options = tuple(
        Option([one.id, two.id], literal(f"{short_name(one.name)}, {short_name(two.name)}"))
        for one, two in combinations(players, 2)
    )
    found = []
    for side in SIDES:
        event = {"event": "market_open", "first": side}
        ask = Ask("pick", "pairs", word("ask", "open_pairs"), options, times=OPEN_PAIRS, data=Completion(state, event))
        found.append(Choice(event, word("do", "begins"), side, rank=1, asks=(ask,)))
    return tuple(found)


def _pick(state: State, under_way: Market, side: Side) -> Choice:
    """One market turn: two players seen, one kept, a pair taken and replaced (FC-2.4 to FC-2.6)."""
    event = {"event": "market_pick", "side": side}
    upper = tuple(_player_option(one) for one in market.next_of_upper_pile(state))
    take = Ask("pick", "take", word("ask", "take_one"), upper)
    pairs = tuple(Option(list(pair), literal(words_people.shorts(state, pair))) for pair in under_way.pairs)
    asks = [
        Ask("pick", "revealed", word("ask", "revealed"), upper, times=2),
        replace(take, data=TakenFrom("revealed", take)),
        Ask("pick", "pair", word("ask", "pair"), pairs),
    ]
    lower = set(market.lower_pile(state))
    if len(lower) >= 2:
        options = tuple(_player_option(one) for one in state.setup.team_cards.players if one.id in lower)
        asks.append(Ask("pick", "next_pair", word("ask", "next_pair"), options, times=2, data=Completion(state, event)))
    return Choice(event, word("do", "market_pick"), side, rank=1, asks=tuple(asks))


def _player_option(one: PlayerCard) -> Option:
    posts: Message = word("posts", "_".join(one.posts)) if len(one.posts) > 1 else word("post", one.posts[0])
    args: dict[str, Any] = {"n": one.level, "posts": posts}
    return Option(one.id, literal(short_name(one.name)), Message("footclub.option.player", args))


def _stars(level: int) -> Message:
    return Message("footclub.option.stars", {"n": level})
