"""What the attack may do: a chance card, a move, the next zone, the shot (chapters 2, 3, 9 and 10)."""

from __future__ import annotations

from typing import Literal

from companion.games.base import Ask, Awaits, Barred, Choice, Message, Option
from companion.games.occasion.attacking import attack_points
from companion.games.occasion.awaits_offer import barred, none_left, player_options, strength
from companion.games.occasion.cards import PlayerCard, Zone
from companion.games.occasion.state import State
from companion.games.occasion.tables import ATTACK_STAT, ENERGY, MOVES
from companion.games.occasion.words import chance_name, player_name, posts, said, word
from companion.games.wording import literal


def choose_occasion(state: State) -> Awaits:
    """One of the two cards face up, the end of the turn or of the match."""
    cards = [_occasion(state, card) for card in state.shown_to(state.attack)]
    if not cards:
        reason = Barred("OC-2.2", word("barred", "no_chance"))
        event = {"event": "occasion_played"}
        cards = [Choice(event, word("do", "occasion_played"), state.attack, rank=1, barred=reason)]
    over = Choice({"event": "match_ended"}, word("do", "match_ended"), detail=_result(state), rank=3, held=True)
    target = state.setup.goals_to_win
    detail = Message("occasion.detail.target", {"n": target}) if target else None
    return Awaits(
        said("await.choose_occasion", state, state.attack), detail, choices=(*cards, _turn_ended(state), over)
    )


def _occasion(state: State, card: str) -> Choice:
    """A card face up; the zone is asked where the lowest row has several (OC-2.3)."""
    chance = state.occasions[card]
    event = {"event": "occasion_played", "card": card}
    zones = tuple(zone_option(state, chance.zone(id)) for id in chance.starts)
    asks = (Ask("pick", "zone", word("ask", "start"), zones),) if len(zones) > 1 else ()
    detail = zones[0].detail if len(zones) == 1 else Message("occasion.detail.starts", {"n": len(zones)})
    return Choice(event, literal(chance.name), state.attack, detail, rank=1, asks=asks)


def zone_option(state: State, zone: Zone) -> Option:
    """A zone with the posts that bring a bonus there, or the word for a shooting zone."""
    return Option(zone.id, literal(zone.id), zone_detail(state, zone))


def zone_detail(state: State, zone: Zone) -> Message:
    """What awaits the attack in a zone."""
    if zone.shot:
        return word("zone", "shot")
    args = {"attack": posts(state, zone.attack_posts), "defence": posts(state, zone.defence_posts)}
    return Message("occasion.zone.posts", args)


def _turn_ended(state: State) -> Choice:
    return Choice({"event": "turn_ended"}, word("do", "turn_ended"), state.attack, rank=3, held=True)


def _result(state: State) -> Message:
    home, away = state.score
    return Message("occasion.detail.score", {"home": home, "away": away})


def attack_move(state: State) -> Awaits:
    """Pass, dribble or cross, each with the players who can, or the end of the turn."""
    if state.carrier is None:
        moves = [_move(state, move) for move in MOVES]
        title = said("await.attack_move", state, state.attack)
    else:
        moves = [_carrier_move(state, state.carrier, move) for move in MOVES]
        title = said("await.carrier_move", state, state.attack, player=player_name(state, state.carrier, state.attack))
    return Awaits(title, choices=(*moves, _turn_ended(state)))


def _move(state: State, move: str) -> Choice:
    event = {"event": "attack_move", "move": move}

    def shown(card: PlayerCard) -> tuple[Message, int]:
        base, bonus = attack_points(state, card.id, move)
        return strength(state, card, ATTACK_STAT[move], base, bonus), base + bonus

    options = player_options(state, state.attack, lambda id: {**event, "player": id}, shown)
    used = state.used(state.attack)
    reason = none_left(options, "OC-3.1", [option.value for option in options if option.value not in used])
    ask = Ask("pick", "player", word("ask", move), options)
    asks = () if reason else (ask,)
    return Choice(event, word("move", move), state.attack, _cost(move), rank=_rank(move), asks=asks, barred=reason)


def _carrier_move(state: State, player: str, move: str) -> Choice:
    """The carrier is settled, so one tap is enough (OC-3.6)."""
    event = {"event": "attack_move", "player": player, "move": move}
    base, bonus = attack_points(state, player, move)
    card = state.card(state.attack, player)
    detail = strength(state, card, ATTACK_STAT[move], base, bonus) if card else None
    reason = barred(state, event)
    effect = None if reason else str(base + bonus)
    return Choice(event, word("move", move), state.attack, detail, effect, _rank(move), barred=reason)


def _rank(move: str) -> Literal[1, 2]:
    return 1 if move == "pass" else 2


def _cost(move: str) -> Message:
    return Message("occasion.detail.energies", {"n": ENERGY[move]})


def advance(state: State) -> Awaits:
    """The zones that the attack may choose from."""
    chance = state.chance
    choices = (
        tuple(
            Choice({"event": "advance", "zone": zone.id}, literal(zone.id), state.attack, zone_detail(state, zone))
            for zone in (chance.zone(id) for id in state.options)
        )
        if chance
        else ()
    )
    return Awaits(said("await.advance", state, state.attack), choices=choices)


def shot(state: State) -> Awaits:
    """The players shoot by their own rules and say what came of it (OC-10.3)."""
    goal = Choice({"event": "goal_scored"}, word("do", "goal_scored"))
    missed = Choice({"event": "chance_missed"}, word("do", "chance_missed"))
    name = chance_name(state, state.place.card) if state.place else ""
    title = said("await.shot", state, state.attack, chance=name)
    return Awaits(title, word("detail", "shot"), choices=(goal, missed))
