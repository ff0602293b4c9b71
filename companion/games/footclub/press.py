"""Pressing (chapter 6): it always wins the ball and costs two freshness tokens."""

from __future__ import annotations

from dataclasses import replace

from companion.games.base import Outcome
from companion.games.footclub.events import Press
from companion.games.footclub.match_cards import check_play, play_and_discard, with_count_changed
from companion.games.footclub.refusals import refusal
from companion.games.footclub.state import Club, State
from companion.games.footclub.tables import SUPPORTERS
from companion.games.footclub.targeting import check_reference, named_players


def check_press(state: State, event: Press) -> None:
    if event.side == state.possession:
        raise refusal("FC-18.5", "has_ball")
    club = state.club(event.side)
    check_reference(state, event.card, "pressing")
    check_play(club, "pressing")
    (first, second), _ = named_players(state, event.side, event.card)
    check_payment(state, club, (first, second), event.pay)


def check_payment(state: State, club: Club, players: tuple[str, str], pay: tuple[str, str]) -> None:
    """Check the payment for the two named players (FC-6.4 to FC-6.7). Raises: Refusal."""
    if players[0] == players[1] and pay == ("token", "token"):
        raise refusal("FC-6.6", player=club.players[players[0]].card.name)
    for id, means in zip(players, pay, strict=True):
        if means == "token" and club.players[id].freshness < 1:
            raise refusal("FC-6.7", "token", player=club.players[id].card.name)
    if pay.count("supporter") > club.supporters:
        raise refusal("FC-6.7", "supporter")
    if "kop" in pay and not freshness_kop(state, club):
        raise refusal("FC-6.5")


def freshness_kop(state: State, club: Club) -> bool:
    """Return True if the club has the kop K02 face up."""
    return club.kop == "up" and state.setup.kop == "K02"


def apply_press(state: State, event: Press) -> tuple[State, Outcome]:
    (first, second), colour = named_players(state, event.side, event.card)
    club = play_and_discard(state.club(event.side), "pressing")
    players = dict(club.players)
    for id, means in zip((first, second), event.pay, strict=True):
        if means == "token":
            players[id] = replace(players[id], freshness=players[id].freshness - 1)
    spent = event.pay.count("supporter")
    club = replace(
        club,
        players=players,
        supporters=club.supporters - spent,
        discard=with_count_changed(club.discard, SUPPORTERS, spent),
        kop="down" if "kop" in event.pay else club.kop,
    )
    state = replace(state, phase="possession", clubs=state.with_clubs(club), possession=event.side, holder=first)
    return state, {"players": [first, second], "holder": first, "section": colour}
