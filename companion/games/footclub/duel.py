"""Two dice against one player: the tackle (chapter 7) and the throws of tackles and defensive supports (chapter 10)."""

from __future__ import annotations

from dataclasses import replace

from companion.games.base import Outcome, Refusal
from companion.games.footclub.discipline import ball_follows, booked, injured, judged, opened_window
from companion.games.footclub.events import Roll, Tackle
from companion.games.footclub.match_cards import check_play, played, resolved
from companion.games.footclub.refusing import refusal
from companion.games.footclub.state import Duel, Player, State
from companion.games.footclub.tables import other
from companion.games.footclub.targeting import check_reference, named

ALWAYS_AGGRESSIVE = {"tackle": "rugged", "defensive_support": "unyielding"}
"""The strength that makes its player aggressive and stronger (FC-7.5, FC-10.6)."""
NEEDED = {1: 7, 2: 8}
"""The total that succeeds, by throw (FC-7.3, FC-7.4, FC-10.4, FC-10.5)."""
SUPPORT = 2
"""What a defensive support takes from the bonus (FC-10.4)."""


def regular_barred(player: Player, kind: str) -> Refusal | None:
    """Why this player cannot be declared regular (FC-7.5, FC-10.6), or None."""
    if player.card.strength != ALWAYS_AGGRESSIVE[kind]:
        return None
    return refusal("FC-7.5" if kind == "tackle" else "FC-10.6", player=player.card.name)


def started(kind: str, player: Player, target: str | None, mode: str | None, malus: int, state: State) -> Duel:
    """The duel of a player of the side without the ball, its mode by default and its modifier computed."""
    strong = player.card.strength == ALWAYS_AGGRESSIVE[kind]
    default = "aggressive" if strong else "regular"
    return Duel(kind, state.defenders, player.id, target, mode or default, malus + strong)


def check_tackle(state: State, event: Tackle) -> None:
    if event.side == state.possession:
        raise refusal("FC-18.5", "has_ball")
    club = state.club(event.side)
    check_reference(state, event.card, "tackle")
    check_play(club, "tackle")
    (tackler,), _ = named(state, event.side, event.card)
    barred = regular_barred(club.players[tackler], "tackle")
    if event.mode == "regular" and barred is not None:
        raise barred


def apply_tackle(state: State, event: Tackle) -> tuple[State, Outcome]:
    club = state.club(event.side)
    (tackler,), colour = named(state, event.side, event.card)
    duel = started("tackle", club.players[tackler], state.holder, event.mode, 0, state)
    state = replace(state, phase="duel", clubs=state.with_clubs(played(club, "tackle")), duel=duel)
    return state, {"player": tackler, "target": duel.target, "mode": duel.mode, "section": colour}


def apply_roll(state: State, event: Roll) -> tuple[State, Outcome]:
    duel = state.duel
    if duel is None:
        raise ValueError("a roll needs a duel")
    ones = event.dice == (1, 1)
    total = sum(event.dice) + (0 if ones else duel.modifier)
    outcome: Outcome = {
        "throw": duel.throw,
        "total": total,
        "result": "success",
        "card": None,
        "sent_off": False,
        "injury": None,
        "set_piece": None,
    }
    if total >= NEEDED[duel.throw] and not ones:
        return _won(state, duel), outcome
    if duel.mode == "aggressive" and duel.throw == 1:
        return replace(state, duel=replace(duel, throw=2)), {**outcome, "result": "second_throw"}
    card = _card(duel.throw, ones)
    return _foul(state, duel, card, {**outcome, "result": "foul", "card": card})


def _card(throw: int, ones: bool) -> str | None:
    """The card for a foul by this throw (FC-7.3, FC-7.4)."""
    if throw == 2:
        return "red" if ones else "yellow"
    return "yellow" if ones else None


def _won(state: State, duel: Duel) -> State:
    club = resolved(state.club(duel.side), duel.kind)
    clubs = state.with_clubs(club)
    if duel.kind == "tackle":
        return replace(state, phase="possession", clubs=clubs, duel=None, possession=duel.side, holder=duel.player)
    offensive = state.offensive
    if offensive is not None:
        offensive = replace(offensive, defence_bonus=offensive.defence_bonus + SUPPORT)
    return replace(state, phase="offensive", clubs=clubs, duel=None, offensive=offensive)


def _foul(state: State, duel: Duel, card: str | None, outcome: Outcome) -> tuple[State, Outcome]:
    club = resolved(state.club(duel.side), duel.kind)
    opponents = state.club(other(duel.side))
    if card is not None:
        club, outcome["sent_off"] = booked(club, duel.player, card)
    if duel.kind == "tackle":
        if card is not None and duel.target is not None:
            outcome["injury"] = "serious" if card == "red" else "light"
            opponents = injured(opponents, duel.target, outcome["injury"])
        state = replace(state, phase="attack", duel=None, clubs=state.with_clubs(club, opponents))
    elif state.offensive is not None:
        first = state.offensive.defensive_supports == 1
        outcome["set_piece"] = "free_kick" if first else "penalty"
        opponents = resolved(opponents, state.offensive.kind)
        offensive = replace(state.offensive, set_piece=outcome["set_piece"])
        clubs = state.with_clubs(club, opponents)
        state = replace(state, phase="set_piece", duel=None, clubs=clubs, offensive=offensive)
    if card is None:
        return state, outcome
    return judged(ball_follows(opened_window(state)), duel.side), outcome
