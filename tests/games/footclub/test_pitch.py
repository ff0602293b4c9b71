"""The pitch in the centre: whose ten places it shows, with tokens and odds, and where the ball is."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from companion.games.base import Message
from companion.games.figures import Pitch, PitchPlace
from companion.games.footclub import odds
from companion.games.footclub.scene import scene
from companion.games.footclub.state import State
from companion.games.footclub.tables import AM, FW
from companion.games.wording import percent, short_name
from tests.games.footclub.scenes import ATTACK, KICK_OFF, played


def after(*events: dict[str, Any]) -> State:
    return played(*KICK_OFF, *events)[0]


def pitch(state: State) -> Pitch:
    return next(one for one in scene(state).figures if isinstance(one, Pitch))


def places(state: State) -> dict[str, PitchPlace]:
    return {place.label.id.rpartition(".")[2]: place for row in pitch(state).rows for place in row}


def test_while_the_ball_may_be_won_the_pitch_is_of_the_club_without_it() -> None:
    state = after()
    seen = pitch(state)
    assert (seen.side, seen.ball.side, seen.ball.name, seen.ball.colour) == ("blue", "red", "T. Barsac", "yellow")
    at = state.club("red").place_of(state.holder or "")
    assert at is not None
    assert seen.ball.column == at[0]
    assert [place.label.id for place in seen.rows[0]] == [
        f"footclub.place.{post}_l" for post in ("fb", "cb", "dm", "am", "fw")
    ]
    found = places(state)
    assert (found["fw_l"].name, found["fw_r"].name) == ("E. Garance", "B. Norvan")


def test_a_place_shows_the_tokens_and_the_odds_that_differ() -> None:
    state = after()
    club = state.club("blue")
    rugged = {short_name(one.card.name) for one in club.players.values() if one.card.strength == "rugged"}
    found = places(state)
    assert {place.name for place in found.values() if place.effect} == rugged & {one.name for one in found.values()}
    stronger = percent(odds.duel("aggressive", 1)["success"])
    assert all(place.effect in (None, stronger) for place in found.values())
    usual = {
        "regular": percent(Fraction(21, 36)),
        "aggressive": percent(Fraction(21, 36) + Fraction(15 * 15, 36 * 36)),
    }
    assert pitch(state).detail == Message("footclub.pitch.winning_rugged", usual | {"rugged": stronger})
    usual_players = {id: replace(one, card=replace(one.card, strength=None)) for id, one in club.players.items()}
    plain = replace(state, clubs=state.with_clubs(replace(club, players=usual_players)))
    assert pitch(plain).detail == Message("footclub.pitch.winning", usual)
    first = club.players[club.lineup[FW][0]] if club.lineup else None
    assert first is not None
    tired = replace(state, clubs=state.with_clubs(club.with_player(replace(first, freshness=0))))
    assert (found["fw_l"].tokens, places(tired)["fw_l"].tokens) == (first.freshness, 0)
    assert first.freshness > 0


def test_at_the_end_of_a_turn_the_pitch_is_of_the_club_with_the_ball_without_tokens() -> None:
    state = replace(after(*ATTACK[:3]), phase="end_of_turn")
    seen = pitch(state)
    assert seen.side == seen.ball.side == state.possession
    assert {place.tokens for row in seen.rows for place in row} == {None}
    assert seen.detail is None


def test_the_ball_moves_with_its_holder() -> None:
    state = after()
    club = state.club("red")
    assert club.lineup is not None
    for post in (AM, FW):
        moved = replace(state, holder=club.lineup[post][0])
        assert pitch(moved).ball.column == post


def test_before_anybody_has_the_ball_there_is_no_pitch() -> None:
    state = played(*KICK_OFF[:1])[0]
    assert not [one for one in scene(state).figures if isinstance(one, Pitch)]
