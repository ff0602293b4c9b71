"""Two dice against one player: the tackle (chapter 7), and the rolls of tackles and defensive supports (chapter 10)."""

from __future__ import annotations

from dataclasses import replace

from companion.games.base import Outcome, Refusal
from companion.games.footclub.discipline import (
    forfeit_if_due,
    open_change_window,
    reassign_ball,
    with_booking,
    with_injury,
)
from companion.games.footclub.events import Roll, Tackle
from companion.games.footclub.match_cards import check_play, discard_played, play_card
from companion.games.footclub.refusals import refusal
from companion.games.footclub.state import Duel, Player, State
from companion.games.footclub.tables import opponent
from companion.games.footclub.targeting import check_reference, named_players

ALWAYS_AGGRESSIVE = {"tackle": "rugged", "defensive_support": "unyielding"}
"""The strength that makes its player always aggressive, and stronger (FC-7.5, FC-10.6)."""
NEEDED = {1: 7, 2: 8}
"""The total that succeeds, by roll (FC-7.3, FC-7.4, FC-10.4, FC-10.5)."""
SUPPORT = 2
"""The amount that a defensive support subtracts from the bonus (FC-10.4)."""


def regular_refusal(player: Player, kind: str) -> Refusal | None:
    """Return why this player cannot be declared regular (FC-7.5, FC-10.6), or None."""
    if player.card.strength != ALWAYS_AGGRESSIVE[kind]:
        return None
    return refusal("FC-7.5" if kind == "tackle" else "FC-10.6", player=player.card.name)


def new_duel(kind: str, player: Player, target: str | None, mode: str | None, malus: int, state: State) -> Duel:
    """Return the duel of a player of the side without the ball, with its default mode and its computed modifier."""
    strong = player.card.strength == ALWAYS_AGGRESSIVE[kind]
    default = "aggressive" if strong else "regular"
    return Duel(kind, state.defenders, player.id, target, mode or default, malus + strong)


def check_tackle(state: State, event: Tackle) -> None:
    if event.side == state.possession:
        raise refusal("FC-18.5", "has_ball")
    club = state.club(event.side)
    check_reference(state, event.card, "tackle")
    check_play(club, "tackle")
    (tackler,), _ = named_players(state, event.side, event.card)
    reason = regular_refusal(club.players[tackler], "tackle")
    if event.mode == "regular" and reason is not None:
        raise reason


def apply_tackle(state: State, event: Tackle) -> tuple[State, Outcome]:
    club = state.club(event.side)
    (tackler,), colour = named_players(state, event.side, event.card)
    duel = new_duel("tackle", club.players[tackler], state.holder, event.mode, 0, state)
    state = replace(state, phase="duel", clubs=state.with_clubs(play_card(club, "tackle")), duel=duel)
    return state, {"player": tackler, "target": duel.target, "mode": duel.mode, "section": colour}


def apply_roll(state: State, event: Roll) -> tuple[State, Outcome]:
    duel = state.duel
    if duel is None:
        raise ValueError("a roll needs a duel")
    ones = event.dice == (1, 1)
    total = sum(event.dice) + (0 if ones else duel.modifier)
    outcome: Outcome = {
        "side": duel.side,
        "kind": duel.kind,
        "player": duel.player,
        "target": duel.target,
        "throw": duel.throw,
        "total": total,
        "result": "success",
        "card": None,
        "sent_off": False,
        "injury": None,
        "set_piece": None,
    }
    if total >= NEEDED[duel.throw] and not ones:
        return _duel_won(state, duel), outcome
    if duel.mode == "aggressive" and duel.throw == 1:
        return replace(state, duel=replace(duel, throw=2)), {**outcome, "result": "second_throw"}
    card = _card(duel.throw, ones)
    return _foul(state, duel, card, {**outcome, "result": "foul", "card": card})


def _card(throw: int, ones: bool) -> str | None:
    """Return the card for a foul on this roll (FC-7.3, FC-7.4)."""
    if throw == 2:
        return "red" if ones else "yellow"
    return "yellow" if ones else None


def _duel_won(state: State, duel: Duel) -> State:
    club = discard_played(state.club(duel.side), duel.kind)
    clubs = state.with_clubs(club)
    if duel.kind == "tackle":
        return replace(state, phase="possession", clubs=clubs, duel=None, possession=duel.side, holder=duel.player)
    offensive = state.offensive
    if offensive is not None:
        offensive = replace(offensive, defence_bonus=offensive.defence_bonus + SUPPORT)
    return replace(state, phase="offensive", clubs=clubs, duel=None, offensive=offensive)


def _foul(state: State, duel: Duel, card: str | None, outcome: Outcome) -> tuple[State, Outcome]:
    club = discard_played(state.club(duel.side), duel.kind)
    opponents = state.club(opponent(duel.side))
    if card is not None:
        club, outcome["sent_off"] = with_booking(club, duel.player, card)
    if duel.kind == "tackle":
        if card is not None and duel.target is not None:
            outcome["injury"] = "serious" if card == "red" else "light"
            opponents = with_injury(opponents, duel.target, outcome["injury"])
        state = replace(state, phase="attack", duel=None, clubs=state.with_clubs(club, opponents))
    elif state.offensive is not None:
        first = state.offensive.defensive_supports == 1
        outcome["set_piece"] = "free_kick" if first else "penalty"
        opponents = discard_played(opponents, state.offensive.kind)
        offensive = replace(state.offensive, set_piece=outcome["set_piece"])
        clubs = state.with_clubs(club, opponents)
        state = replace(state, phase="set_piece", duel=None, clubs=clubs, offensive=offensive)
    if card is None:
        return state, outcome
    return forfeit_if_due(reassign_ball(open_change_window(state)), duel.side), outcome
