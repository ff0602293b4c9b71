"""Offensives (chapter 8): which may start, whose strength helps, and what a solo effort costs."""

from __future__ import annotations

from dataclasses import replace

from companion.games.base import Outcome, Refusal
from companion.games.footclub.events import NoCounter, NoOffensive, StartOffensive
from companion.games.footclub.match_cards import check_play, play_card, with_count_changed
from companion.games.footclub.press import freshness_kop
from companion.games.footclub.refusals import refusal
from companion.games.footclub.state import Club, Offensive, State
from companion.games.footclub.tables import SUPPORTERS
from companion.games.footclub.targeting import check_reference, named_players
from companion.games.footclub.team import initial_bonus

STANDS_LIMIT = 3
"""Limit of cards in a club's own stands: minimum for a positional attack, maximum for a solo effort (FC-8.2, FC-8.3).
"""
STRENGTH = {
    ("positional_attack", "skilful"): (1, 0),
    ("positional_attack", "accelerator"): (0, -1),
    ("solo_effort", "skilful"): (2, 0),
    ("solo_effort", "accelerator"): (1, -1),
    ("counter_attack", "skilful"): (1, 0),
    ("counter_attack", "accelerator"): (2, 0),
}
"""What the named attacker's strength adds to ATT and to the rolls of defensive supports (FC-8.8, FC-8.9)."""


def stands_refusal(club: Club, kind: str) -> Refusal | None:
    """Return the refusal by FC-8.2 or FC-8.3, or None."""
    if kind == "positional_attack" and club.stands < STANDS_LIMIT:
        return refusal("FC-8.2", n=club.stands)
    if kind == "solo_effort" and club.stands > STANDS_LIMIT:
        return refusal("FC-8.3", n=club.stands)
    return None


def skill_refusal(state: State, club: Club, kind: str, player: str, skill: str) -> Refusal | None:
    """Return why a solo effort's strength cannot be paid this way (FC-8.9), or None."""
    if skill == "none":
        return None
    attacker = club.players[player]
    if kind != "solo_effort" or attacker.card.strength not in ("skilful", "accelerator"):
        return refusal("FC-8.9", "nobody", player=attacker.card.name)
    payable = {
        "freshness": attacker.freshness > 0,
        "supporter": club.supporters > 0,
        "kop": freshness_kop(state, club),
    }
    return None if payable[skill] else refusal("FC-8.9", skill, player=attacker.card.name)


def check_offensive(state: State, event: StartOffensive) -> None:
    if event.side != state.possession:
        raise refusal("FC-18.5", "no_ball")
    club = state.club(event.side)
    check_reference(state, event.card, event.kind)
    check_play(club, event.kind)
    reason = stands_refusal(club, event.kind)
    if reason is not None:
        raise reason
    (player,), _ = named_players(state, event.side, event.card)
    reason = skill_refusal(state, club, event.kind, player, event.skill)
    if reason is not None:
        raise reason


def apply_offensive(state: State, event: StartOffensive) -> tuple[State, Outcome]:
    (player,), colour = named_players(state, event.side, event.card)
    initial = initial_bonus(state, event.side)
    club = _paid(play_card(state.club(event.side), event.kind), player, event.skill)
    attack_bonus, malus = 0, 0
    if event.kind != "solo_effort" or event.skill != "none":
        attack_bonus, malus = STRENGTH.get((event.kind, club.players[player].card.strength or ""), (0, 0))
    paid = int(event.skill in ("supporter", "kop"))
    offensive = Offensive(
        side=event.side,
        kind=event.kind,
        player=player,
        initial=initial,
        attack_bonus=attack_bonus,
        malus=malus,
        spent=(paid, 0) if event.side == "blue" else (0, paid),
    )
    state = replace(state, phase="offensive", clubs=state.with_clubs(club), holder=player, offensive=offensive)
    return state, {
        "player": player,
        "initial": initial,
        "bonus": offensive.bonus,
        "final": offensive.final,
        "section": colour,
    }


def _paid(club: Club, player: str, skill: str) -> Club:
    if skill == "freshness":
        attacker = club.players[player]
        return club.with_player(replace(attacker, freshness=attacker.freshness - 1))
    if skill == "supporter":
        return replace(club, supporters=club.supporters - 1, discard=with_count_changed(club.discard, SUPPORTERS, 1))
    return replace(club, kop="down") if skill == "kop" else club


def check_no_offensive(state: State, event: NoOffensive) -> None:
    if event.side != state.possession:
        raise refusal("FC-18.5", "no_ball")


def check_no_counter(state: State, event: NoCounter) -> None:
    if event.side != state.possession:
        raise refusal("FC-18.5", "no_ball")


def apply_no_counter(state: State, event: NoCounter) -> tuple[State, Outcome]:
    return replace(state, phase="possession"), {}
