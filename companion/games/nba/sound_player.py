"""A simple sound player: it does what the exact odds promise most, without a plan for later turns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from random import Random

from companion.games.base import JsonObject
from companion.games.nba import forecast, market, rerolls, solo
from companion.games.nba.advice import defence_advice, offence_advice
from companion.games.nba.cards import Card, PlayerCard, TacticCard
from companion.games.nba.dice_set import DiceSet, needs_asking
from companion.games.nba.forecast import law
from companion.games.nba.mismatch import attack_dice, defence_dice, may_play
from companion.games.nba.odds import Pool, distribution, expected
from companion.games.nba.state import State
from companion.games.nba.tables import (
    ACTIONS,
    BODY,
    COLOURS,
    DEFENCE,
    HAND,
    MOST_PREPARED,
    MOST_RECRUITS,
    OFFENCE,
    POSITIONS,
    SLOTS,
    TYPES,
    UNKNOWN,
)
from companion.games.nba.track import HIDDEN


def thrown(dice_set: DiceSet, kind: str, random: Random) -> JsonObject:
    """One die."""
    value, colour = random.choice(dice_set.of(kind))
    die: JsonObject = {"die": kind, "value": value}
    if kind in DEFENCE and value:
        die["colour"] = random.choice(COLOURS) if colour == UNKNOWN else colour
    if needs_asking(dice_set, kind, value):
        die["asked"] = True
    return die


def rolled(dice_set: DiceSet, kinds: Iterable[str], random: Random) -> list[JsonObject]:
    """Several dice, in the order of their kinds."""
    return [thrown(dice_set, kind, random) for kind in kinds]


def kinds_of(size: Mapping[str, int]) -> list[str]:
    """A kind for each die of a roll."""
    return [kind for kind, count in size.items() for _ in range(count)]


# The sound player at level `scores`: it throws dice as a middling team would and keeps the best of them.


DICE, KEPT = 4, 2
"""What a base offence of a middling team throws and keeps."""
DEFENCE_DICE = 2
"""What it throws of each of two kinds in defence, keeping the best one of each."""


def laid(state: State, random: Random) -> JsonObject | None:
    """The defence against what is pending, then the attack; None once both lie there."""
    if "defence" not in state.done and state.pending_colours(state.mover):
        return {"event": "defend", "dice": _defence(state, random)}
    if "offence" not in state.done and not state.ultimate:
        dice = rolled(state.setup.dice_set, [random.choice(OFFENCE)] * DICE, random)
        return {"event": "attack", "dice": sorted(dice, key=_value, reverse=True)[:KEPT]}
    return None


def _defence(state: State, random: Random) -> list[JsonObject]:
    colours = state.pending_colours(state.mover)
    chosen = []
    for kind in random.sample(DEFENCE, 2):
        dice = rolled(state.setup.dice_set, [kind] * DEFENCE_DICE, random)
        chosen += sorted((die for die in dice if die.get("colour") in colours), key=_value, reverse=True)[:1]
    return chosen


def _value(die: JsonObject) -> int:
    value: int = die["value"]
    return value


# The hand that the sound player imagines: hands are hidden, so it draws one from the cards that a side owns.


@dataclass(frozen=True, slots=True)
class Hand:
    """Six cards, or as many as there are."""

    players: tuple[PlayerCard, ...]
    tactics: tuple[TacticCard, ...]


def hand(state: State, side: str) -> Hand:
    """The same cards all through a turn, as far as they have not been used: the order is drawn once a turn."""
    owned = sorted(_owned(state, side))
    order = Random(f"{side} {state.period} {state.turn} {state.ultimate}")
    drawn = sorted((order.random(), id) for id in owned)
    cards = [state.setup.card(id) for _, id in drawn[:HAND]]
    return Hand(
        tuple(card for card in cards if isinstance(card, PlayerCard)),
        tuple(card for card in cards if isinstance(card, TacticCard)),
    )


def _owned(state: State, side: str) -> list[str]:
    """The cards of a side that lie neither on its court nor on its board, and that may still be played."""
    setup, team = state.setup, state.team(side)
    roster = setup.rosters[side]
    bench = _substitutes(state) if roster.bench is None else roster.bench
    tactics = _base_tactics(state) if roster.tactics is None else roster.tactics
    gone = {id for each in state.teams for id in each.eliminated}
    elsewhere = {id for each in state.teams if each.side != side for id in each.court}
    owned = _without([*roster.court, *bench, *tactics, *team.bought], [*team.court, *team.prepared])
    unique = [id for id in owned if not _is_nba(state, id) or id not in elsewhere]
    return [id for id in unique if id not in gone]


def _substitutes(state: State) -> tuple[str, ...]:
    """The bench of a side whose cards the header does not name."""
    cards = state.setup.cards.values()
    return tuple(card.id for card in cards if isinstance(card, PlayerCard) and card.role == "substitute")


def _base_tactics(state: State) -> tuple[str, ...]:
    """The tactics of a side whose cards the header does not name."""
    return tuple(card.id for card in state.setup.cards.values() if isinstance(card, TacticCard) and card.base)


def _is_nba(state: State, id: str) -> bool:
    card = state.setup.card(id)
    return isinstance(card, PlayerCard) and card.role == "nba"


def _without(cards: Iterable[str], used: Iterable[str]) -> list[str]:
    left = list(cards)
    for id in used:
        if id in left:
            left.remove(id)
    return left


def payment(cards: Sequence[Card], cost: int) -> tuple[str, ...] | None:
    """The cards that pay a cost with the least value thrown away, of equal ones the fewest; None if it is too much."""
    ways = [
        (sum(card.value for card in chosen), count, tuple(card.id for card in chosen))
        for count in range(len(cards) + 1)
        for chosen in combinations(cards, count)
    ]
    enough = [way for way in ways if way[0] >= cost]
    return min(enough)[2] if enough else None


# When the sound player plays a mismatch, and what one is worth: exact means of two small rolls.


USUAL_ATTACK, USUAL_DEFENCE = {"three_points": 2, "inside": 1}, {"block": 1, "stop": 1}
"""What is thrown at level `scores`, where no court is known."""


def mean_points(dice_set: DiceSet, attack: Mapping[str, int], defence: Mapping[str, int]) -> Fraction:
    """The exact mean of the points of a mismatch with these dice, unknown faces by their share of the colours."""
    colours = frozenset(BODY[kind] for kind, count in attack.items() if count)
    thrown = [Pool(law(dice_set, kind, colours), count, count) for kind, count in attack.items()]
    stopping = [Pool(law(dice_set, kind, colours), count, count) for kind, count in defence.items()]
    stopped = distribution(stopping)
    return sum(
        (chance * often * max(0, scored - less) for scored, chance in distribution(thrown) for less, often in stopped),
        Fraction(0),
    )


def worthwhile(state: State, random: Random) -> JsonObject | None:
    """The best mismatch of the side whose turn it is, once the match draws to its end; None before or without one."""
    if not state.closing:
        return None
    side = state.mover
    ways = []
    for position in POSITIONS:
        if may_play(state, side, position):
            for against in state.setup.opponents(side):
                attack = attack_dice(state, side, position) or USUAL_ATTACK
                defence = defence_dice(state, against, position) or USUAL_DEFENCE
                ways.append((mean_points(state.setup.dice_set, attack, defence), position, against, attack, defence))
    points, position, against, attack, defence = max(
        ways, key=lambda way: way[0], default=(Fraction(0), "", "", {}, {})
    )
    if not points:
        return None
    return {
        "event": "mismatch",
        "side": side,
        "position": position,
        "against": against,
        "attack": rolled(state.setup.dice_set, kinds_of(attack), random),
        "defence": rolled(state.setup.dice_set, kinds_of(defence), random),
    }


OVERTIMES = 2
"""After so many overtimes it accepts the draw."""
FATIGUE_PRICE = Fraction(3, 4)
"""Points that a fatigue card must at least bring, while it can still clog a later hand."""


def sound_event(state: State, random: Random) -> JsonObject:
    """A legal event for whoever's turn it is. Only for a match that is not finished."""
    if state.phase == "tied":
        return {"event": "accept_draw" if state.period >= OVERTIMES else "overtime"}
    if state.phase == "roll":
        return _settle(state, random)
    duel = worthwhile(state, random)
    if duel is not None:
        return duel
    if not state.setup.full:
        return laid(state, random) or end_turn(state)
    if state.solo_turn:
        return _opponent(state, random)
    for step in (_replace, _prepare, _buy_player, _buy_tactic, _activate):
        found = step(state, random)
        if found is not None:
            return found
    return end_turn(state)


def end_turn(state: State) -> JsonObject:
    """The end of a turn; with the market as clock it tells when no player card is left there."""
    ending: JsonObject = {"event": "end_turn"}
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


def _replace(state: State, random: Random) -> JsonObject | None:
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


def _prepare(state: State, random: Random) -> JsonObject | None:
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


def _buy_player(state: State, random: Random) -> JsonObject | None:
    """The card with the most to it that the hand can pay; one whose name was never told may be any that is free."""
    if not _may_buy(state) or "buy_player" in state.done:
        return None
    held = hand(state, state.mover).players
    ways: list[tuple[int, JsonObject]] = []
    for card, place in _offered(state, random):
        paid = payment([each for each in held if each.id != card.id], market.player_cost(state, card))
        if paid is not None:
            ways.append((sum(card.stats), {"event": "buy_player", "card": card.id, "paid": list(paid), **place}))
    return max(ways, key=lambda way: way[0])[1] if ways else None


def _offered(state: State, random: Random) -> list[tuple[PlayerCard, JsonObject]]:
    """The cards on sale, each with the fields that say where it lies."""
    minis = {id for team in state.teams for id in team.mini}
    named = set(state.track) | minis
    unnamed = [card for card in free_players(state) if card.id not in named]
    offered: list[tuple[PlayerCard, JsonObject]] = [
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


def _buy_tactic(state: State, random: Random) -> JsonObject | None:
    """The tactic that promises most, if it promises more than what the side has and the hand can pay it."""
    if not _may_buy(state) or state.done.count("buy_tactic") >= market.most_tactics(state):
        return None
    held = hand(state, state.mover).tactics
    ways: list[tuple[Fraction, JsonObject]] = []
    for card in open_tactics(state, random):
        gain = promise(state, card) - _best(state, (*_board(state), *held), card.type)[0]
        paid = payment(held, market.tactic_cost(state, card))
        if gain > 0 and paid is not None:
            ways.append((gain, {"event": "buy_tactic", "card": card.id, "paid": list(paid)}))
    return max(ways, key=lambda way: way[0])[1] if ways else None


def _activate(state: State, random: Random) -> JsonObject | None:
    for type_ in reversed(TYPES):
        usable = [tactic for tactic in _board(state) if forecast.usable(state, state.mover, tactic)]
        promised, tactic = _best(state, usable, type_)
        if tactic is not None and promised > 0:
            return _thrown(state, tactic, random)
    return None


def _thrown(state: State, tactic: TacticCard, random: Random) -> JsonObject:
    dice = rolled(state.setup.dice_set, kinds_of(state.roll_size(state.mover, tactic)), random)
    return {"event": "activate", "tactic": tactic.id, "dice": dice}


# The dice of an activation


def _settle(state: State, random: Random) -> JsonObject:
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


def _opponent(state: State, random: Random) -> JsonObject:
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
