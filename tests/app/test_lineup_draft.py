"""Tests of the line-up draft: legal initial teams, swaps, captains, and events that the game accepts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.footclub import FOOTCLUB
from companion.games.footclub.discipline import with_injury
from companion.games.footclub.lineup_draft import (
    LineupDraft,
    bench,
    event_from_draft,
    fieldable_formations,
    lineup_of,
    move_effect,
    profiles,
    team_sums,
)
from companion.games.footclub.squads import header, sample_clubs
from companion.games.footclub.tables import FORMATIONS, POSTS

CLUBS = sample_clubs()
PAIRS = [(CLUBS[0], CLUBS[1]), (CLUBS[2], CLUBS[3])]


def state(blue=CLUBS[0], red=CLUBS[1]):
    return FOOTCLUB.initial_state(header(blue, red))


def drafts():
    return [(pair, side) for pair in PAIRS for side in ("blue", "red")]


@pytest.mark.parametrize(("pair", "side"), drafts())
def test_the_team_to_begin_with_is_legal_and_optimised(pair, side):
    match = state(*pair)
    draft = LineupDraft.sheet(match.club(side))
    FOOTCLUB.validate(match, FOOTCLUB.parse(event_from_draft(draft)))
    assert team_sums(draft)[2]
    assert all(have == want for _, have, want in profiles(draft))


@pytest.mark.parametrize(("pair", "side"), drafts())
def test_every_formation_offered_is_accepted(pair, side):
    match = state(*pair)
    draft = LineupDraft.sheet(match.club(side))
    assert draft.formations()
    for formation in draft.formations():
        draft.change_formation(formation)
        FOOTCLUB.validate(match, FOOTCLUB.parse(event_from_draft(draft)))
        assert draft.formation == formation


def test_formations_that_the_squad_cannot_field_are_not_offered():
    club = state().club("blue")
    ids = [id for id, player in club.players.items() if "fw" not in player.card.posts]
    forwards = [id for id in club.players if id not in ids][:1]
    assert all(formation[4] == 1 for formation in fieldable_formations(club, ids + forwards))


def test_a_squad_without_forwards_fields_nothing():
    club = state().club("blue")
    assert (
        fieldable_formations(club, [id for id, player in club.players.items() if "fw" not in player.card.posts]) == {}
    )


def test_a_player_goes_only_to_posts_of_his_card():
    draft = LineupDraft.sheet(state().club("blue"))
    for id in bench(draft):
        draft.picked = id
        for spot in draft.placed:
            assert draft.can_move_to(spot) == (POSTS[spot[0]] in draft.club.players[id].card.posts)


def test_the_effect_told_is_the_effect_had():
    draft = LineupDraft.sheet(state().club("blue"))
    for id in bench(draft):
        for spot in list(draft.placed):
            draft.picked = id
            if not draft.can_move_to(spot):
                continue
            predicted, before = move_effect(draft, spot), team_sums(draft)
            kept = dict(draft.placed)
            draft.move(spot)
            after = team_sums(draft)
            assert (after[0] - before[0], after[1] - before[1]) == predicted
            assert draft.placed[spot] == id
            draft.placed = kept


def test_the_armband_leaves_with_its_bearer_and_a_legal_one_takes_it():
    match = state()
    draft = LineupDraft.sheet(match.club("blue"))
    spot = next(spot for spot, id in draft.placed.items() if id == draft.captain)
    draft.picked = next(id for id in bench(draft) if POSTS[spot[0]] in draft.club.players[id].card.posts)
    draft.move(spot)
    assert draft.can_be_captain(draft.captain)
    FOOTCLUB.validate(match, FOOTCLUB.parse(event_from_draft(draft)))


def test_two_on_the_pitch_change_places():
    draft = LineupDraft.sheet(state().club("blue"))
    left, right = (1, 0), (1, 1)
    first, second = draft.placed[left], draft.placed[right]
    draft.pick(first)
    assert draft.can_move_to(right)
    draft.move(right)
    assert (draft.placed[left], draft.placed[right]) == (second, first)


def test_every_formation_known_to_the_game_has_its_places():
    assert all(sum(formation) == 10 for formation in FORMATIONS)


def test_a_change_tells_who_leaves_and_who_comes():
    match = state()
    sheet = LineupDraft.sheet(match.club("blue"))
    match, _ = FOOTCLUB.apply(match, FOOTCLUB.parse(event_from_draft(sheet)))
    draft = LineupDraft.change(match.club("blue"))
    id = bench(draft)[0]
    draft.pick(id)
    spot = next(spot for spot in draft.placed if draft.can_move_to(spot))
    leaver = draft.placed[spot]
    draft.move(spot)
    made = event_from_draft(draft)
    assert made["subs"] == [{"out": leaver, "in": id}]
    assert made["lineup"] == dict(zip(POSTS, map(list, lineup_of(draft.formation, draft.placed)), strict=True))
    assert ("captain" in made) == (leaver == match.club("blue").captain)


def started():
    match = state()
    for side in ("blue", "red"):
        match, _ = FOOTCLUB.apply(match, FOOTCLUB.parse(event_from_draft(LineupDraft.sheet(match.club(side)))))
    for fields in (
        {"event": "tactics", "side": "blue"},
        {"event": "tactics", "side": "red"},
        {"event": "ball", "colour": "red"},
    ):
        match, _ = FOOTCLUB.apply(match, FOOTCLUB.parse(fields))
    return match


def test_any_single_change_offered_is_accepted_in_a_match():
    match = started()
    tried = 0
    for id in bench(LineupDraft.change(match.club("red"))):
        for spot in LineupDraft.change(match.club("red")).placed:
            draft = LineupDraft.change(match.club("red"))
            draft.picked = id
            if draft.can_move_to(spot):
                draft.move(spot)
                FOOTCLUB.validate(match, FOOTCLUB.parse(event_from_draft(draft)))
                tried += 1
    assert tried > 10


def test_an_injured_player_keeps_his_place_until_somebody_takes_it():
    match = started()
    club = match.club("red")
    hurt = next(id for id in club.on_pitch if id != club.captain)
    match = replace(match, clubs=match.with_clubs(with_injury(club, hurt, "serious")), window=True)
    draft = LineupDraft.change(match.club("red"))
    spot = next(spot for spot, id in draft.placed.items() if id == hurt)
    assert draft.injured(hurt)
    assert hurt not in draft.resulting_club.on_pitch
    draft.picked = next(id for id in bench(draft) if POSTS[spot[0]] in club.players[id].card.posts)
    assert draft.can_move_to(spot)
    draft.move(spot)
    FOOTCLUB.validate(match, FOOTCLUB.parse(event_from_draft(draft)))
    assert [sub["out"] for sub in event_from_draft(draft)["subs"]] == [hurt]


def test_in_a_change_only_these_players_reform():
    draft = LineupDraft.change(started().club("blue"))
    before = set(draft.placed.values())
    assert draft.formation in draft.formations()
    for formation in draft.formations():
        draft.change_formation(formation)
        assert set(draft.placed.values()) == before
