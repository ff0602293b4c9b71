"""Random legal events: a player for both sides who knows the rules but has no plan, for demonstrations and tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from companion.games.footclub import market, moves_cards, moves_team, shootout
from companion.games.footclub.changes import out_of_turn
from companion.games.footclub.course import must_discard
from companion.games.footclub.match_cards import unplayable
from companion.games.footclub.state import Club, State
from companion.games.footclub.tables import COLOURS, MOST_SPENT, SHOOTERS, SIDES, STAFF_STARS, TYPES, Phase, Side
from companion.games.footclub.team import captains

Moves = Iterator[dict[str, Any]]
FORFEIT_CHANCE = 0.0001


def random_event(state: State, random: Random) -> dict[str, Any]:
    """Some event that is legal now; a forfeit where nothing else is, and now and then for its own sake."""
    side = random.choice(SIDES)
    if random.random() >= FORFEIT_CHANCE:
        found = moves_cards.first_legal(state, _moves(state, random))
        if found is not None:
            return found
        side = next((club.side for club in state.clubs if club.below or club.lineup is None), side)
    return {"event": "forfeit", "side": side}


def _moves(state: State, random: Random) -> Moves:
    """Candidates for the next event, the most urgent first and one that is always legal last."""
    vacant = [club for club in state.clubs if club.vacant]
    below = [club for club in state.clubs if club.below]
    if vacant:
        club = random.choice(vacant)
        yield {"event": "captain", "side": club.side, "player": random.choice(captains(club, club.on_pitch))}
    elif below:
        yield from moves_team.changes(random.choice(below), random, must=True)
    else:
        if state.window:
            yield from _changes(state, random, 0.3)
        yield from _BY_PHASE[state.phase](state, random)


def _changes(state: State, random: Random, chance: float) -> Moves:
    for club in random.sample(state.clubs, len(state.clubs)):
        if out_of_turn(state, club.side):
            continue
        if club.side in state.replaced and random.random() < 0.2:
            yield from moves_team.reorganisation(club, random)
        injured = any(player.status == "injured_off" for player in club.players.values())
        if random.random() < (0.8 if injured else chance):
            yield from moves_team.changes(club, random)


def _market(state: State, random: Random) -> Moves:
    trade = market.under_way(state)
    cards = state.setup.team_cards
    for side, staff in random.sample(list(zip(SIDES, trade.staff, strict=True)), 2):
        if staff is None:
            staffs = [(coach, keeper) for coach in cards.coaches for keeper in cards.goalkeepers]
            for coach, keeper in random.sample(staffs, len(staffs)):
                if coach.level + keeper.level == STAFF_STARS:
                    yield {"event": "market_staff", "side": side, "coach": coach.id, "goalkeeper": keeper.id}
    lower = list(market.lower_pile(state))
    random.shuffle(lower)
    if trade.first is None:
        pairs = [lower[n : n + 2] for n in (0, 2, 4)]
        yield {"event": "market_open", "first": random.choice(SIDES), "pairs": pairs}
    else:
        yield _pick(state, lower, random)


def _pick(state: State, lower: list[str], random: Random) -> dict[str, Any]:
    trade = market.under_way(state)
    upper = sorted(market.upper_pile(state), key=lambda card: (-card.level, random.random()))
    revealed = [card.id for card in upper[:2]]
    take = max(revealed, key=lambda id: (_lacking(state, (id,)), random.random()))
    wanted = max(trade.pairs, key=lambda ids: (_lacking(state, ids), random.random()))
    pair = random.sample(wanted, 2)
    event = {"event": "market_pick", "side": trade.next, "revealed": revealed, "take": take, "pair": pair}
    return {**event, "next_pair": lower[:2]} if len(lower) >= 2 else event


def _lacking(state: State, ids: tuple[str, ...]) -> int:
    """How much the posts of these players are lacking in the squad whose market turn it is."""
    trade = market.under_way(state)
    taken = market.picked(trade, trade.next) if trade.next else []
    posts = {id: card.posts for id in (*taken, *ids) if (card := state.setup.team_cards.player(id)) is not None}
    held = Counter(post for id in taken for post in posts[id])
    return -sum(min(held[post] for post in posts[id]) for id in ids)


def _before_half(state: State, random: Random) -> Moves:
    for club in random.sample(state.clubs, 2):
        if state.setup.format == "leg2" and club.lineup is None and random.random() < 0.6:
            yield from _transfer(state, club, random)
        if club.lineup is None:
            sheet = moves_team.team_sheet(club, random)
            if sheet is None:
                return
            yield sheet
        if club.cards_left is None:
            yield moves_team.tactics(state, club, random)
    yield {"event": "ball", "colour": random.choice(COLOURS)}


def _transfer(state: State, club: Club, random: Random) -> Moves:
    gone = {id for each in state.clubs for id in each.players}.union(*state.offers)
    free = [card for card in state.setup.team_cards.players if card.id not in gone]
    fours = [card.id for card in free if card.level == 4]
    fives = [card.id for card in free if card.level == 5]
    if len(fours) < 3 or len(fives) < 2:
        return
    fours, fives = random.sample(fours, 3), random.sample(fives, 2)
    take = [fours[0], random.choice((fours[1], fives[0]))]
    yield {"event": "market_transfer", "side": club.side, "offered": fours + fives, "take": take}


def _preparation(state: State, random: Random) -> Moves:
    for club in random.sample(state.clubs, 2):
        if random.random() < 0.15 and not unplayable(club, "supporters"):
            yield {"event": "supporter", "side": club.side}
    yield from _changes(state, random, 0.05)
    for club in random.sample(state.clubs, 2):
        lines = [line for line in club.lineup or () if len(line) > 1]
        if random.random() < 0.05 and lines:
            yield {"event": "permute", "side": club.side, "players": random.sample(random.choice(lines), 2)}
    yield from _possession(state, random)


def _possession(state: State, random: Random) -> Moves:
    side = state.defenders
    if random.random() < 0.55:
        plays = [moves_cards.presses(state, side, random), moves_cards.duels(state, side, "tackle", random)]
        for play in random.sample(plays, 2):
            yield from play
    yield {"event": "leave", "side": side}


def _counter(state: State, random: Random) -> Moves:
    if state.possession is not None and random.random() < 0.7:
        yield from moves_cards.offensives(state, state.possession, ("counter_attack",), random)
    yield from _possession(state, random)


def _attack(state: State, random: Random) -> Moves:
    side = state.possession
    if side is None:
        return
    if random.random() < 0.85:
        yield from moves_cards.offensives(state, side, ("positional_attack", "solo_effort"), random)
    yield {"event": "no_offensive", "side": side}


def _offensive(state: State, random: Random) -> Moves:
    offensive = state.offensive
    if offensive is not None and not offensive.closed:
        attackers, defenders = offensive.side, state.defenders
        if random.random() < 0.35:
            yield {"event": "attacking_support", "side": attackers}
        for side in random.sample((attackers, defenders), 2):
            if random.random() < 0.25:
                yield _spend(state, side, random)
        if random.random() < 0.4:
            yield from moves_cards.duels(state, defenders, "defensive_support", random)
    yield _shot(random, lying=offensive is not None and offensive.defence_die is not None)


def _spend(state: State, side: Side, random: Random) -> dict[str, Any]:
    event: dict[str, Any] = {"event": "spend", "side": side}
    club = state.club(side)
    most = min(club.supporters, MOST_SPENT)
    if most and random.random() < 0.8:
        event["supporters"] = random.randint(1, most)
    if "supporters" not in event or random.random() < 0.3:
        event["kop"] = True
    return event


def _shot(random: Random, lying: bool) -> dict[str, Any]:
    shot: dict[str, Any] = {"event": "shot"}
    if not lying:
        shot["defence"] = random.randint(1, 6)
    if lying or random.random() < 0.5:
        shot["attack"] = random.randint(1, 6)
    return shot


def _duel(state: State, random: Random) -> Moves:
    yield {"event": "roll", "dice": [random.randint(1, 6), random.randint(1, 6)]}


def _corner(state: State, random: Random) -> Moves:
    if state.possession is not None:
        pile = state.club(state.possession).discard
        types = [type_ for type_, count in zip(TYPES, pile, strict=True) if count]
        yield {"event": "recover", "side": state.possession, "card": random.choice(types)}


def _end_of_turn(state: State, random: Random) -> Moves:
    for club in random.sample(state.clubs, 2):
        too_many = must_discard(state, club)
        if too_many and club.cards_left is not None:
            cards = [type_ for type_, count in zip(TYPES, club.cards_left, strict=True) for _ in range(count)]
            yield {"event": "discard", "side": club.side, "cards": random.sample(cards, too_many)}


def _full_time(state: State, random: Random) -> Moves:
    yield {"event": "extra_time", "play": random.random() < 0.8}


def _shootout(state: State, random: Random) -> Moves:
    kicks = shootout.under_way(state)
    for side, shooters in zip(SIDES, kicks.shooters, strict=True):
        if not shooters:
            able = sorted(shootout.able(state, side))
            yield {"event": "shooters", "side": side, "players": random.sample(able, SHOOTERS)}
    if kicks.next is None:
        yield {"event": "shootout", "first": random.choice(SIDES)}
    else:
        shot = _shot(random, lying=kicks.defence_die is not None)
        if shootout.sudden_death(kicks) and kicks.defence_die is None and kicks.throw == 1 and random.random() < 0.5:
            shot["player"] = random.choice(sorted(shootout.may_shoot(state, kicks.next)))
        yield shot


_BY_PHASE: dict[Phase, Callable[[State, Random], Moves]] = {
    "market": _market,
    "pre_match": _before_half,
    "half_time": _before_half,
    "extra_time_break": _before_half,
    "preparation": _preparation,
    "possession": _possession,
    "counter": _counter,
    "attack": _attack,
    "offensive": _offensive,
    "set_piece": lambda state, random: iter([_shot(random, bool(state.offensive and state.offensive.defence_die))]),
    "duel": _duel,
    "corner": _corner,
    "end_of_turn": _end_of_turn,
    "full_time": _full_time,
    "shootout": _shootout,
}
