"""The public `state` object of a match (19.3): printed by a replay and used by the hub and the screens."""

from __future__ import annotations

from companion.games.base import JsonObject
from companion.games.footclub import odds, team
from companion.games.footclub.legs import carry_over
from companion.games.footclub.market import picked_ids
from companion.games.footclub.match_flow import must_discard
from companion.games.footclub.state import Club, Duel, Market, Player, Shootout, State
from companion.games.footclub.tables import POSTS, SIDES, TYPES


def view(state: State) -> JsonObject:
    """Return every key of 19.3 except `last`, which the journal adds."""
    result = state.result
    return {
        "phase": state.phase,
        "half": state.half,
        "turn": state.turn,
        "home": state.setup.home,
        "format": state.setup.format,
        "score": _by_side(state.score),
        "goals": [
            {"side": goal.side, "player": goal.player, "half": goal.half, "turn": goal.turn, "kind": goal.kind}
            for goal in state.goals
        ],
        "ball_colour": state.colour,
        "possession": state.possession,
        "ball_holder": state.holder,
        "change_window": state.window,
        "counter_for": state.possession if state.phase == "counter" else None,
        "clubs": {club.side: _club(state, club) for club in state.clubs},
        "offensive": _offensive(state),
        "duel": _duel(state.duel),
        "odds": odds.current_odds(state),
        "shootout": _shootout(state.shootout),
        "market": _market(state.market),
        "carry_over": carry_over(state),
        "result": None if result is None else {"winner": result.winner, "by": result.by},
    }


def _by_side(pair: tuple[int, int]) -> dict[str, int]:
    return {"blue": pair[0], "red": pair[1]}


def _by_type(counts: tuple[int, ...]) -> dict[str, int]:
    return dict(zip(TYPES, counts, strict=True))


def _club(state: State, club: Club) -> JsonObject:
    sheets = all(each.lineup is not None for each in state.clubs)
    left = club.cards_left
    return {
        **_team(club),
        "initial_bonus": team.initial_bonus(state, club.side) if sheets else None,
        "captain": club.captain,
        "bench": sorted(player.id for player in club.players.values() if player.status == "bench"),
        "supporters": club.supporters,
        "kop": club.kop,
        "stands": club.stands,
        "hand": club.hand,
        "deck": club.deck,
        "must_discard": must_discard(state, club),
        "discard": {type_: count for type_, count in _by_type(club.discard).items() if count},
        "tactics_known": club.tactics_known,
        "cards_left": None if left is None else _by_type(left),
        "replacements_left": club.replacements_left,
        "changed": club.changed,
        "permuted": club.permuted,
        "supporter_laid": club.supporter_laid,
        "booking_halves": team.booking_halves(club),
        "bookings": team.bookings(club),
        "defensive_malus": team.malus(club),
        "reds": club.reds,
        "players": {id: _player(player) for id, player in club.players.items()},
    }


def _team(club: Club) -> JsonObject:
    if club.lineup is None:
        return dict.fromkeys(("att", "def", "optimised", "formation", "hand_limit", "lineup"))
    return {
        "att": team.attack(club),
        "def": team.defence(club),
        "optimised": team.optimised(club),
        "formation": team.formation_text(club.formation),
        "hand_limit": club.hand_limit,
        "lineup": {post: list(line) for post, line in zip(POSTS, club.lineup, strict=True)},
    }


def _player(player: Player) -> JsonObject:
    return {
        "status": player.status,
        "level": player.level,
        "freshness": player.freshness,
        "yellow": player.yellow,
        "half_yellow": player.half_yellow,
        "injury": player.injury + player.lasting,
        "boost": player.boost,
    }


def _offensive(state: State) -> JsonObject | None:
    offensive = state.offensive
    if offensive is None:
        return None
    consent = {"green_light": offensive.green_light} if state.setup.consent else {}
    return {
        "side": offensive.side,
        "kind": offensive.kind,
        "player": offensive.player,
        "initial": offensive.initial,
        "attack_bonus": offensive.attack_bonus,
        "defence_bonus": offensive.defence_bonus,
        "bonus": offensive.bonus,
        "final": offensive.final,
        "spent": _by_side(offensive.spent),
        "defensive_supports": offensive.defensive_supports,
        "malus": offensive.malus,
        "set_piece": offensive.set_piece,
        "throw": offensive.throw,
        "defence_die": offensive.defence_die,
        **consent,
    }


def _duel(duel: Duel | None) -> JsonObject | None:
    if duel is None:
        return None
    return {
        "kind": duel.kind,
        "side": duel.side,
        "player": duel.player,
        "target": duel.target,
        "mode": duel.mode,
        "throw": duel.throw,
        "modifier": duel.modifier,
    }


def _shootout(shootout: Shootout | None) -> JsonObject | None:
    if shootout is None:
        return None
    return {
        "first": shootout.first,
        "next": shootout.next,
        "scored": _by_side(shootout.scored),
        "taken": _by_side(shootout.taken),
        "throw": shootout.throw,
        "defence_die": shootout.defence_die,
    }


def _market(market: Market | None) -> JsonObject | None:
    if market is None:
        return None
    return {
        "next": market.next,
        "pairs": [list(pair) for pair in market.pairs],
        "staff": {side: list(pair) for side, pair in zip(SIDES, market.staff, strict=True) if pair is not None},
        "picked": {side: picked_ids(market, side) for side in SIDES},
    }
