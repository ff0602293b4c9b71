"""The course of a match (chapter 14): the ball, turns and their steps, the ends of halves."""

from __future__ import annotations

from dataclasses import replace

from companion.games.base import Outcome
from companion.games.footclub.events import Ball, Discard, ExtraTime, LaySupporter, Leave, Recover
from companion.games.footclub.legs import after_extra_time, after_second_half
from companion.games.footclub.match_cards import (
    check_discardable,
    check_play,
    discard_from_hand,
    pile_size,
    play_card,
    with_count_changed,
)
from companion.games.footclub.messages import card_message as card_word
from companion.games.footclub.refusals import refusal
from companion.games.footclub.state import Club, Player, Result, Shootout, State
from companion.games.footclub.tables import CARDS_DRAWN, FIRST_HAND, INDEX, NO_CARDS, TURNS


def check_ball(state: State, event: Ball) -> None:
    for club in state.clubs:
        name = state.setup.name(club.side)
        if club.lineup is None:
            raise refusal("FC-14.1", "team_sheet", club=name)
        if club.cards_left is None:
            raise refusal("FC-14.1", "tactics", club=name)


def apply_ball(state: State, event: Ball) -> tuple[State, Outcome]:
    """Start the half: first hands, kick-off (FC-14.2), and step 1 of its first turn."""
    half = state.half + 1
    kickoff = state.setup.away if half == 1 else state.setup.home
    deck = pile_size(state) - FIRST_HAND
    state = replace(
        state,
        half=half,
        turn=0,
        clubs=tuple([replace(club, hand=FIRST_HAND, deck=deck) for club in state.clubs]),
        colour=event.colour,
        possession=kickoff,
        holder=state.club(kickoff).captain,
    )
    return next_turn(state), {"colour": event.colour, "half": half, "kickoff": kickoff}


def next_turn(state: State) -> State:
    """Start a turn with step 1: each club draws (FC-14.3)."""
    clubs = tuple(
        [
            replace(
                club,
                hand=club.hand + CARDS_DRAWN,
                deck=club.deck - CARDS_DRAWN,
                changed=False,
                permuted=False,
                supporter_laid=False,
            )
            for club in state.clubs
        ]
    )
    return replace(
        state, phase="preparation", turn=state.turn + 1, clubs=clubs, window=False, stage=0, replaced=frozenset()
    )


def check_supporter(state: State, event: LaySupporter) -> None:
    club = state.club(event.side)
    if club.supporter_laid:
        raise refusal("FC-14.3")
    check_play(club, "supporters")
    if state.stage > 0:
        raise refusal("FC-14.4", "supporter")


def apply_supporter(state: State, event: LaySupporter) -> tuple[State, Outcome]:
    club = play_card(state.club(event.side), "supporters")
    club = replace(club, supporters=club.supporters + 1, supporter_laid=True)
    return replace(state, clubs=state.with_clubs(club)), {"stands": club.stands}


def check_leave(state: State, event: Leave) -> None:
    if event.side == state.possession:
        raise refusal("FC-18.5", "has_ball")


def apply_leave(state: State, event: Leave) -> tuple[State, Outcome]:
    return replace(state, phase="attack"), {"attack": state.possession}


def check_recover(state: State, event: Recover) -> None:
    if event.side != state.possession:
        raise refusal("FC-18.5", "corner")
    if state.club(event.side).discard[INDEX[event.card]] < 1:
        raise refusal("FC-11.6", card=card_word(event.card))


def apply_recover(state: State, event: Recover) -> tuple[State, Outcome]:
    club, index = state.club(event.side), INDEX[event.card]
    left = club.cards_left
    club = replace(
        club,
        hand=club.hand + 1,
        discard=with_count_changed(club.discard, index, -1),
        cards_left=None if left is None else with_count_changed(left, index, 1),
    )
    return replace(state, phase="possession", clubs=state.with_clubs(club)), {"card": event.card, "hand": club.hand}


def must_discard(state: State, club: Club) -> int:
    """Return the number of surplus cards of a club in step 5 (FC-14.10)."""
    return max(0, club.hand - club.hand_limit) if state.phase == "end_of_turn" else 0


def end_turn(state: State) -> State:
    """Go to step 5, or end the half after its last turn (FC-14.12)."""
    if state.turn >= TURNS[state.half]:
        return _end_half(state)
    return _start_discarding(state)


def _start_discarding(state: State) -> State:
    state = replace(state, phase="end_of_turn")
    return state if any(must_discard(state, club) for club in state.clubs) else next_turn(state)


def apply_no_offensive(state: State, event: object) -> tuple[State, Outcome]:
    return end_turn(state), {}


def check_discard(state: State, event: Discard) -> None:
    club = state.club(event.side)
    if len(event.cards) != must_discard(state, club):
        raise refusal("FC-14.11", n=must_discard(state, club))
    check_discardable(club, event.cards)


def apply_discard(state: State, event: Discard) -> tuple[State, Outcome]:
    club = discard_from_hand(state.club(event.side), event.cards)
    return _start_discarding(replace(state, clubs=state.with_clubs(club))), {"hand": club.hand}


def _end_half(state: State) -> State:
    """End the half and start the next phase or end the match (FC-14.13, FC-15.1).

    Cards return to the reserve and light injuries heal.
    """
    clubs = tuple(
        [
            replace(
                club,
                hand=0,
                deck=0,
                discard=NO_CARDS,
                cards_left=None,
                tactics_known=None,
                players={id: _healed(player) for id, player in club.players.items()},
            )
            for club in state.clubs
        ]
    )
    state = replace(state, clubs=clubs, colour=None, possession=None, holder=None, window=False)
    if state.half == 1:
        return replace(state, phase="half_time")
    phase, result = after_second_half(state) if state.half == 2 else after_extra_time(state)
    return replace(state, phase=phase, result=result, shootout=Shootout() if phase == "shootout" else None)


def _healed(player: Player) -> Player:
    return replace(player, injury=0) if player.injury else player


def apply_extra_time(state: State, event: ExtraTime) -> tuple[State, Outcome]:
    if event.play:
        return replace(state, phase="extra_time_break"), {"play": True}
    return replace(state, phase="finished", result=Result(None, "draw")), {"play": False}
