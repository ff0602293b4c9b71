"""A game is one folder: no Python file outside `companion/games` names a game, except tests."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.games.folders import game_folders
from tests.tracked import LABORATORY, PRODUCT, modules, text

NAMED = re.compile(rf"(?<![a-z])(?:{'|'.join(game_folders())})", re.IGNORECASE)
THEIR_OWN = Path("companion/games")


def names_in(source: str) -> list[str]:
    """Return the games named in a source text, in code, comments and sentences."""
    return sorted({found.group().lower() for found in NAMED.finditer(source)})


def test_no_module_outside_the_games_names_one() -> None:
    paths = {path for top in (*PRODUCT, LABORATORY) for path in modules(top)}
    found = {str(path): names for path in paths if THEIR_OWN not in path.parents if (names := names_in(text(path)))}
    assert found == {}


@pytest.mark.parametrize("game", game_folders())
@pytest.mark.parametrize(
    "source", ["import companion.games.{}.rules", "class {}Panel: ...", "own_{} = 1", "# as in {}"]
)
def test_a_name_is_seen_wherever_it_stands(source: str, game: str) -> None:
    for written in (game, game.upper(), game.title()):
        assert names_in(source.format(written)) == [game]


def test_other_words_are_left_alone() -> None:
    assert names_in("a football club, banba, hoops and 21 chances") == []
