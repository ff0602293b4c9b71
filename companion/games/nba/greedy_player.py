"""A simple greedy player: it takes the best option by the exact odds, without planning for later turns."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from random import Random

from companion.games.base import JsonObject
from companion.games.nba import forecast, market, rerolls, solo
from companion.games.nba.cards import Card, PlayerCard, TacticCard
from companion.games.nba.dice_set import NbaDiceSet, needs_asking
from companion.games.nba.forecast import law
from companion.games.nba.market_track import HIDDEN_CARD
from companion.games.nba.mismatch import attack_dice, can_play, defence_dice
from companion.games.nba.odds import Pool, distribution, expected_total
from companion.games.nba.state import State
from companion.games.nba.tables import (
    ACTION_PHASES,
    BODY_COLOURS,
    COLOURS,
    DEFENCE,
    HAND,
    MAX_PREPARED,
    MAX_RECRUITS,
    OFFENCE,
    POSITIONS,
    TRACK_SLOTS,
    TYPES,
    UNKNOWN_COLOUR,
)


def roll_die(dice_set: NbaDiceSet, kind: str, random: Random) -> JsonObject:
    """Return a random die."""
    value, colour = random.choice(dice_set.of(kind))
    die: JsonObject = {"die": kind, "value": value}
    if kind in DEFENCE and value:
        die["colour"] = random.choice(COLOURS) if colour == UNKNOWN_COLOUR else colour
    if needs_asking(dice_set, kind, value):
        die["asked"] = True
    return die


def roll_dice(dice_set: NbaDiceSet, kinds: Iterable[str], random: Random) -> list[JsonObject]:
    """Return random dice, in the order of their kinds."""
    return [roll_die(dice_set, kind, random) for kind in kinds]


def kind_per_die(size: Mapping[str, int]) -> list[str]:
    """Return a kind for each die of a roll."""
    return [kind for kind, count in size.items() for _ in range(count)]


# The greedy player at level `scores`: it rolls dice like an average team and keeps the best of them.


ATTACK_DICE, ATTACK_KEPT = 4, 2
"""What a base offence of an average team rolls and keeps."""
DEFENCE_DICE = 2
"""Its dice of each of two kinds in defence; it keeps the best one of each."""


def scores_level_event(state: State, random: Random) -> JsonObject | None:
    """Return the defence against pending attacks, then the attack; None once both are laid."""
    if "defence" not in state.done and state.pending_colours(state.active_side):
        return {"event": "defend", "dice": _defence(state, random)}
    if "offence" not in state.done and not state.ultimate:
        dice = roll_dice(state.setup.dice_set, [random.choice(OFFENCE)] * ATTACK_DICE, random)
        return {"event": "attack", "dice": sorted(dice, key=_value, reverse=True)[:ATTACK_KEPT]}
    return None


def _defence(state: State, random: Random) -> list[JsonObject]:
    colours = state.pending_colours(state.active_side)
    chosen = []
    for kind in random.sample(DEFENCE, 2):
        dice = roll_dice(state.setup.dice_set, [kind] * DEFENCE_DICE, random)
        chosen += sorted((die for die in dice if die.get("colour") in colours), key=_value, reverse=True)[:1]
    return chosen


def _value(die: JsonObject) -> int:
    value: int = die["value"]
    return value


# The greedy player's assumed hand: hands are hidden, so it draws one from the cards that a side owns.


@dataclass(frozen=True, slots=True)
class Hand:
    """Six cards, or all cards if there are fewer."""

    players: tuple[PlayerCard, ...]
    tactics: tuple[TacticCard, ...]


def hand(state: State, side: str) -> Hand:
    """Return the hand without used cards.

    The order is drawn once per turn, so the hand stays the same during a turn.
    """
    owned = sorted(_owned(state, side))
    order = Random(f"{side} {state.period} {state.turn} {state.ultimate}")
    drawn = sorted((order.random(), id) for id in owned)
    cards = [state.setup.card(id) for _, id in drawn[:HAND]]
    return Hand(
        tuple(card for card in cards if isinstance(card, PlayerCard)),
        tuple(card for card in cards if isinstance(card, TacticCard)),
    )


def _owned(state: State, side: str) -> list[str]:
    """Return a side's playable cards that are neither on its court nor on its board."""
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
    """Return the bench of a side whose cards the header does not name."""
    cards = state.setup.cards.values()
    return tuple(card.id for card in cards if isinstance(card, PlayerCard) and card.role == "substitute")


def _base_tactics(state: State) -> tuple[str, ...]:
    """Return the tactics of a side whose cards the header does not name."""
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
    """Return the cards that pay a cost with the least value lost, in a tie the fewest; None if the cost is too high."""
    ways = [
        (sum(card.value for card in chosen), count, tuple(card.id for card in chosen))
        for count in range(len(cards) + 1)
        for chosen in combinations(cards, count)
    ]
    enough = [way for way in ways if way[0] >= cost]
    return min(enough)[2] if enough else None


# When the greedy player plays a mismatch, and its value: exact means of two small rolls.


TYPICAL_ATTACK, TYPICAL_DEFENCE = {"three_points": 2, "inside": 1}, {"block": 1, "stop": 1}
"""The dice rolled at level `scores`, where no court is known."""


def mean_points(dice_set: NbaDiceSet, attack: Mapping[str, int], defence: Mapping[str, int]) -> Fraction:
    """Return the exact mean points of a mismatch with these dice, unknown faces by their share of the colours."""
    colours = frozenset(BODY_COLOURS[kind] for kind, count in attack.items() if count)
    thrown = [Pool(law(dice_set, kind, colours), count, count) for kind, count in attack.items()]
    stopping = [Pool(law(dice_set, kind, colours), count, count) for kind, count in defence.items()]
    stopped = distribution(stopping)
    return sum(
        (chance * often * max(0, scored - less) for scored, chance in distribution(thrown) for less, often in stopped),
        Fraction(0),
    )


def best_mismatch(state: State, random: Random) -> JsonObject | None:
    """Return the active side's best mismatch near the end of the match; None earlier or without one."""
    if not state.closing:
        return None
    side = state.active_side
    ways = []
    for position in POSITIONS:
        if can_play(state, side, position):
            for against in state.setup.opponents(side):
                attack = attack_dice(state, side, position) or TYPICAL_ATTACK
                defence = defence_dice(state, against, position) or TYPICAL_DEFENCE
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
        "attack": roll_dice(state.setup.dice_set, kind_per_die(attack), random),
        "defence": roll_dice(state.setup.dice_set, kind_per_die(defence), random),
    }


MAX_OVERTIMES = 2
"""The number of overtimes after which it accepts a draw."""


def greedy_event(state: State, random: Random, sides: Collection[str] | None = None) -> JsonObject:
    """Return a legal event for the active side. The match must not be finished.

    With `sides`, it plays at a table with real cards: it declares no mismatch, whose dice belong to two sides, and
    buys no card that the app does not see on the market.
    """
    if state.phase == "tied":
        return {"event": "accept_draw" if state.period >= MAX_OVERTIMES else "overtime"}
    if state.phase == "roll":
        return _roll_event(state, random)
    duel = best_mismatch(state, random) if sides is None else None
    if duel is not None:
        return duel
    if not state.setup.full:
        return scores_level_event(state, random) or end_turn(state)
    if state.solo_turn:
        return _solo_opponent_event(state, random)
    steps = (_replace, _prepare, _buy_player, _buy_tactic, _activate)
    at_table = (_replace_keeping_fatigue, _prepare, _buy_open_player, _activate)
    return _first_step(state, random, steps if sides is None else at_table)


CARELESS_STEP = Fraction(1, 2)
"""How often a beginner takes a step of its turn."""


def careless_event(state: State, random: Random, sides: Collection[str] | None = None) -> JsonObject | None:
    """Return an event of a beginner, who leaves steps out and takes the first of its cards that may be played.

    None where there is nothing to overlook: then `greedy_event` decides.
    """
    if state.phase == "roll":
        return {"event": "keep", "dice": list(solo.planned_keep(state))}
    if state.phase == "tied" or not state.setup.full or state.solo_turn:
        return None
    steps = [step for step in (_replace_first, _prepare_first, _buy_open_player) if random.random() < CARELESS_STEP]
    return _first_step(state, random, [*steps, _activate])


Step = Callable[[State, Random], JsonObject | None]


def _first_step(state: State, random: Random, steps: Iterable[Step]) -> JsonObject:
    """Return the event of the first step that is worth doing, or the end of the turn."""
    found = (step(state, random) for step in steps)
    return next((event for event in found if event is not None), None) or end_turn(state)


def end_turn(state: State) -> JsonObject:
    """Return the end of a turn; with the market as clock it reports when no player card is left."""
    ending: JsonObject = {"event": "end_turn"}
    if state.setup.clock == "market" and not state.ultimate and not state.period:
        over = not any(state.track) if state.setup.full else state.turn >= state.setup.market_cards + TRACK_SLOTS
        if over and not state.deck:
            ending["market_empty"] = True
    return ending


# The value of a court and its tactics


def expected_value(state: State, tactic: TacticCard) -> Fraction:
    """Return the mean that a tactic keeps for the active side; 0 if its condition is not met."""
    if state.collective(state.active_side) < tactic.complexity:
        return Fraction(0)
    return expected_total(forecast.pools(state, state.active_side, tactic))


def _best_tactic(state: State, tactics: Iterable[TacticCard], type_: str) -> tuple[Fraction, TacticCard | None]:
    """Return the best tactic of a type and its value."""
    rated = [(expected_value(state, tactic), tactic) for tactic in tactics if tactic.type == type_]
    return max(rated, key=lambda pair: pair[0], default=(Fraction(0), None))


def _board(state: State) -> list[TacticCard]:
    return [state.setup.tactic(id) for id in state.team(state.active_side).prepared]


def _court_value(state: State, court: Sequence[str], tactics: Sequence[TacticCard]) -> Fraction:
    """Return the value of the best offence and the best defence with this court, plus a little for the rebounds."""
    side = state.active_side
    team = replace(state.team(side), court=tuple(court))
    changed = replace(state, teams=state.with_teams(team))
    total = sum((_best_tactic(changed, tactics, type_)[0] for type_ in TYPES), Fraction(0))
    return total + Fraction(changed.rebounds(side) + changed.stat(side, "iq"), 10)


# The steps of a turn: an event, or None if nothing is worth doing


def _replace(state: State, random: Random) -> JsonObject | None:
    """Return a substitution of one card of the hand, where it improves the court most."""
    if state.phase not in ACTION_PHASES or "replace" in state.done or state.ultimate:
        return None
    drawn_hand = hand(state, state.active_side)
    tactics = [*_board(state), *drawn_hand.tactics]
    team = state.team(state.active_side)
    court, free = list(team.court), list(drawn_hand.players)
    while True:
        ways = [
            (_court_value(state, [*court[:place], card.id, *court[place + 1 :]], tactics), index, place)
            for index, card in enumerate(free)
            for place, position in enumerate(POSITIONS)
            if position in card.positions
        ]
        best, index, place = max(ways, default=(Fraction(0), 0, 0))
        if best <= _court_value(state, court, tactics):
            break
        court[place] = free.pop(index).id
    changes = {position: id for position, id, was in zip(POSITIONS, court, team.court, strict=True) if id != was}
    if not changes:
        return None
    return {"event": "replace", "court": changes, "fatigue_removed": min(len(changes), team.fatigue_held)}


def _prepare(state: State, random: Random) -> JsonObject | None:
    """Return the preparation of the best tactic of each type in the hand, if it is better than the prepared one."""
    if state.phase not in ACTION_PHASES or "prepare" in state.done:
        return None
    laid, thrown = [], []
    board, hand_tactics = _board(state), hand(state, state.active_side).tactics
    for type_ in TYPES:
        if state.ultimate and type_ == "offence":
            continue
        better, card = _best_tactic(state, hand_tactics, type_)
        if card is None or better <= _best_tactic(state, board, type_)[0]:
            continue
        laid.append(card.id)
        same_type = [tactic for tactic in board if tactic.type == type_]
        if len(same_type) == MAX_PREPARED:
            thrown.append(min(same_type, key=lambda tactic: expected_value(state, tactic)).id)
    return {"event": "prepare", "tactics": laid, "discard": thrown} if laid else None


def _replace_keeping_fatigue(state: State, random: Random) -> JsonObject | None:
    """Return the best substitution without taking fatigue out: the assumed hand has no fatigue cards."""
    event = _replace(state, random)
    return None if event is None else {**event, "fatigue_removed": 0}


def _replace_first(state: State, random: Random) -> JsonObject | None:
    """Return the substitution of any player of the hand who may enter, whatever it is worth."""
    if state.phase not in ACTION_PHASES or state.ultimate or {"replace", "buy_player"} & {*state.done}:
        return None
    free = hand(state, state.active_side).players
    ways = [(position, card.id) for card in free for position in POSITIONS if position in card.positions]
    if not ways:
        return None
    position, id = random.choice(ways)
    return {"event": "replace", "court": {position: id}, "fatigue_removed": 0}


def _prepare_first(state: State, random: Random) -> JsonObject | None:
    """Return the preparation of any tactic of the hand for which the board has room."""
    if state.phase not in ACTION_PHASES or "prepare" in state.done:
        return None
    board = [tactic.type for tactic in _board(state)]
    fits = [
        tactic.id
        for tactic in hand(state, state.active_side).tactics
        if board.count(tactic.type) < MAX_PREPARED and not (state.ultimate and tactic.type == "offence")
    ]
    return {"event": "prepare", "tactics": [random.choice(fits)], "discard": []} if fits else None


def _may_buy(state: State) -> bool:
    return state.phase in ACTION_PHASES and not state.ultimate and not state.period


def _buy_player(state: State, random: Random) -> JsonObject | None:
    """Return the purchase of the best affordable card; an unnamed card may be any free one."""
    return _best_purchase(state, _offered(state, random)) if _may_buy_player(state) else None


def _buy_open_player(state: State, random: Random) -> JsonObject | None:
    """Return the purchase of the best affordable card among those that the app sees."""
    return _best_purchase(state, _offered(state, None)) if _may_buy_player(state) else None


def _may_buy_player(state: State) -> bool:
    return _may_buy(state) and "buy_player" not in state.done


def _best_purchase(state: State, offered: Iterable[tuple[PlayerCard, JsonObject]]) -> JsonObject | None:
    hand_players = hand(state, state.active_side).players
    ways: list[tuple[int, JsonObject]] = []
    for card, place in offered:
        paid = payment([each for each in hand_players if each.id != card.id], market.player_cost(state, card))
        if paid is not None:
            ways.append((sum(card.stats), {"event": "buy_player", "card": card.id, "paid": list(paid), **place}))
    return max(ways, key=lambda way: way[0])[1] if ways else None


def _offered(state: State, random: Random | None) -> list[tuple[PlayerCard, JsonObject]]:
    """Return the cards on sale, each with the fields that locate it; with `random`, a guess for each unknown card."""
    minis = {id for team in state.teams for id in team.mini}
    named = set(state.track) | minis
    unnamed = [card for card in free_players(state) if card.id not in named]
    offered: list[tuple[PlayerCard, JsonObject]] = [
        (state.setup.player(id), {"from": "mini"}) for id in state.team(state.active_side).mini
    ]
    for slot, id in enumerate(state.track, 1):
        if id == HIDDEN_CARD and unnamed and random is not None:
            offered.append((unnamed.pop(random.randrange(len(unnamed))), {"slot": slot}))
        elif id is not None and id != HIDDEN_CARD:
            offered.append((state.setup.player(id), {"slot": slot}))
    return [(card, place) for card, place in offered if market.is_on_sale(state, card)]


def free_players(state: State) -> list[PlayerCard]:
    """Return the NBA players that no side has, in the order of the catalogue."""
    cards = [card for card in state.setup.cards.values() if isinstance(card, PlayerCard)]
    return [card for card in cards if market.is_on_sale(state, card)]


def random_market_tactics(state: State, random: Random) -> list[TacticCard]:
    """Return six tactics that may be on the market: the app does not know the actual ones (NBA-3.6)."""
    cards = [card for card in state.setup.cards.values() if isinstance(card, TacticCard) and not card.base]
    return random.sample(cards, min(TRACK_SLOTS, len(cards)))


def _buy_tactic(state: State, random: Random) -> JsonObject | None:
    """Return the purchase of the best tactic, if it beats the side's own and the hand can pay it."""
    if not _may_buy(state) or state.done.count("buy_tactic") >= market.max_tactics(state):
        return None
    hand_tactics = hand(state, state.active_side).tactics
    ways: list[tuple[Fraction, JsonObject]] = []
    for card in random_market_tactics(state, random):
        gain = expected_value(state, card) - _best_tactic(state, (*_board(state), *hand_tactics), card.type)[0]
        paid = payment(hand_tactics, market.tactic_cost(state, card))
        if gain > 0 and paid is not None:
            ways.append((gain, {"event": "buy_tactic", "card": card.id, "paid": list(paid)}))
    return max(ways, key=lambda way: way[0])[1] if ways else None


def _activate(state: State, random: Random) -> JsonObject | None:
    for type_ in reversed(TYPES):
        usable = [tactic for tactic in _board(state) if forecast.is_usable(state, state.active_side, tactic)]
        promised, tactic = _best_tactic(state, usable, type_)
        if tactic is not None and promised > 0:
            return _thrown(state, tactic, random)
    return None


def _thrown(state: State, tactic: TacticCard, random: Random) -> JsonObject:
    dice = roll_dice(state.setup.dice_set, kind_per_die(state.roll_size(state.active_side, tactic)), random)
    return {"event": "activate", "tactic": tactic.id, "dice": dice}


# The dice of an activation


def _roll_event(state: State, random: Random) -> JsonObject:
    """Return the reroll if the advice finds it worthwhile, then the best dice."""
    again = solo.planned_reroll(state, rerolls.remaining(state)) if state.solo_turn else forecast.advised_reroll(state)
    if again:
        to = roll_dice(state.setup.dice_set, [state.open_roll.dice[index].die for index in again], random)
        return {"event": "reroll", "dice": list(again), "to": to}
    return {"event": "keep", "dice": list(solo.planned_keep(state))}


def _solo_opponent_event(state: State, random: Random) -> JsonObject:
    """Return the solo opponent's event: its offers are random, its actions are fixed (chapter 12)."""
    if not state.ultimate and not state.period:
        if "ai_recruit" not in state.done:
            free = free_players(state)
            cards = random.sample(free, min(MAX_RECRUITS, len(free)))
            return {"event": "ai_recruit", "cards": [card.id for card in cards]}
        if not solo.is_market_step_done(state):
            return {"event": "ai_tactic", "market": [card.id for card in random_market_tactics(state, random)]}
    planned = next((id for id in solo.plan(state).values() if id is not None), None)
    return {"event": "end_turn"} if planned is None else _thrown(state, state.setup.tactic(planned), random)
