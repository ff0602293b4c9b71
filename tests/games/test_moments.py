"""Moments of results: derived from the states around an event, in every game."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from companion.games.base import Fields
from companion.games.moments import ResultMoment
from companion.games.registry import GAMES, SPECS
from companion.language import LANGUAGES, Language

MATCHES, MAX_EVENTS = 6, 400
THROWN = {
    "footclub": ("roll", "shot"), "hoops21": ("jump_ball", "throw", "shot", "free_throw"),
    "nba": ("attack", "defend"),
    "occasion": (),
}  # fmt: skip
"""Events whose dice are all in their moment, if they have one."""


def played_moments(game: str) -> Iterator[tuple[Fields, Any, list[ResultMoment], Any]]:
    """Yield the events of random matches with the state before, their moments and the state after."""
    spec = SPECS[game]
    for seed in range(MATCHES):
        random = Random(seed)
        state = spec.game.initial_state(spec.game.random_header(random))
        for _ in range(MAX_EVENTS):
            if spec.game.finished(state):
                break
            fields = spec.game.random_event(state, random)
            after, outcome = spec.game.apply(state, spec.game.parse(fields))
            yield fields, state, list(spec.moments(state, fields, outcome, after)), after
            state = after


@pytest.mark.parametrize("game", GAMES)
def test_every_match_has_moments_in_both_languages(game: str) -> None:
    languages = [Language(code) for code in LANGUAGES]
    count = 0
    for fields, _, moments, after in played_moments(game):
        sides = {scene.side for scene in SPECS[game].game.scene(after).sides}
        for moment in moments:
            count += 1
            assert moment.side in {None, *sides}, (fields, moment)
            for language in languages:
                for message in (moment.headline, moment.detail, *(row.label for row in moment.rows)):
                    written = "" if message is None else language.text(message)
                    assert not re.search(rf"{{|{game}\\.", written), written
    assert count > MATCHES


@pytest.mark.parametrize("game", GAMES)
def test_the_end_of_a_match_is_its_last_moment(game: str) -> None:
    for fields, before, moments, after in played_moments(game):
        ends = [place for place, moment in enumerate(moments) if moment.kind == "end"]
        is_end = SPECS[game].game.finished(after) and not SPECS[game].game.finished(before)
        assert ends == ([len(moments) - 1] if is_end else []), fields


@pytest.mark.parametrize("game", GAMES)
def test_a_moment_shows_the_dice_of_its_throw(game: str) -> None:
    for fields, _before, moments, _ in played_moments(game):
        if fields["event"] not in THROWN[game] or not moments or not moments[0].rows:
            continue
        pictured = Counter(
            str(group.die.symbol or group.die.value)
            for row in moments[0].rows
            for group in row.groups
            for _ in range(group.count)
        )
        thrown = Counter(str(die.symbol or die.value) for die in SPECS[game].game.dice_from_event(fields))
        assert not thrown - pictured, (fields, moments[0])


def test_the_lit_cell_of_the_ruler_has_the_total_and_the_result_of_the_roll() -> None:
    lit = 0
    for fields, _before, moments, _ in played_moments("footclub"):
        if fields["event"] != "roll":
            continue
        moment = moments[0]
        assert moment.ruler is not None
        assert moment.cell is not None
        cell = moment.ruler.cells[moment.cell]
        assert str(cell.total).replace("-", "\N{MINUS SIGN}") == moment.rows[0].number
        assert (cell.result == "foul") == (moment.kind == "card" or moment.headline.id.endswith("foul"))
        lit += 1
    assert lit


def test_goals_and_points_are_moments() -> None:
    for game in GAMES:
        spec = SPECS[game]
        for fields, before, moments, after in played_moments(game):
            scores = [spec.game.scene(state).board.score for state in (before, after)]
            if sum(scores[1]) > sum(scores[0]) and fields["event"] not in ("ruling", "forfeit", "concede"):
                assert any(moment.kind == "score" for moment in moments), (game, fields)
