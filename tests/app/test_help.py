"""Every rule that can be shown has a text in both languages, every text has a rule, and first matches are guided."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.games.base import Message
from companion.games.figures import NoticeFigure
from companion.games.registry import GAMES, SPECS
from companion.language import LANGUAGES, Language, messages
from tests.app.test_table_match import play

ROOT = Path(__file__).parents[2]
PREFIXES = {"footclub": "FC", "nba": "NBA", "hoops21": "HB", "occasion": "OC"}
EVENTS = 120
SAMPLED_SHARE = 0.12
"""Share of a match's situations whose figures are computed: some take a second."""


def code_of(game: str) -> list[Path]:
    """Return the files that name a game's rules: its package and its card catalogues."""
    return [
        *sorted((ROOT / "companion/games" / game).glob("*.py")),
        *sorted((ROOT / "companion/table/catalogues").glob("*.py")),
    ]


def constants(path: Path) -> Iterator[str]:
    """Yield every string constant of a module except docstrings."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "\n" not in node.value:
            yield node.value


def displayable_rules(game: str) -> set[str]:
    """Return the rule numbers that the game can show: those in its code, its refusal messages and any sentence."""
    number = re.compile(rf"\b{PREFIXES[game]}-\d+\.\d+\b")
    found = {text for path in code_of(game) for text in constants(path) if number.fullmatch(text)}
    for code in LANGUAGES:
        found.update(rule for sentence in messages(code).values() for rule in number.findall(str(sentence)))
    return found | {
        number.search(id)[0]  # type: ignore[index]
        for id in messages("fr")
        if id.startswith(f"{game}.refusal.") and number.search(id)
    }


def explained(game: str) -> set[str]:
    """Return the rule numbers that have a text."""
    start = f"help.{PREFIXES[game]}-"
    return {id.removeprefix("help.") for id in messages("fr") if id.startswith(start) and "." in id.removeprefix(start)}


@pytest.mark.parametrize("game", PREFIXES)
def test_every_rule_that_can_show_has_a_text(game):
    numbers = displayable_rules(game)
    assert len(numbers) > 10
    assert sorted(numbers - explained(game)) == []


@pytest.mark.parametrize("game", PREFIXES)
def test_no_text_is_without_its_rule(game):
    number = re.compile(rf"\b{PREFIXES[game]}-\d+\.\d+\b")
    named = {rule for path in code_of(game) for rule in number.findall(path.read_text(encoding="utf-8"))}
    ranges = {f"{PREFIXES[game]}-{chapter}.{rule}" for chapter in range(1, 20) for rule in range(1, 13)}
    assert sorted(explained(game) - named - displayable_rules(game)) == []
    assert explained(game) <= ranges


@pytest.mark.parametrize("code", LANGUAGES)
def test_each_text_is_short_and_stands_in_a_named_chapter(code):
    known, language = messages(code), Language(code)
    for rule in (rule for game in PREFIXES for rule in explained(game)):
        assert f"help.{rule.partition('.')[0]}" in known, rule
        assert 1 <= len(re.findall(r"[.!?]( |$)", language(f"help.{rule}").replace("\u202f", ""))) <= 3, rule


def met(game: Any, seed: int) -> Iterator[tuple[str, set[str]]]:
    """Yield phase and shown rules in the situations of a random match."""
    random = Random(seed)
    state = game.initial_state(game.random_header(random))
    for _ in range(EVENTS):
        rules: set[str] = set()
        if random.random() < SAMPLED_SHARE:
            rules |= {choice.disabled_reason.rule for choice in game.decision(state).choices if choice.disabled_reason}
            rules |= {one.rule for one in game.scene(state).figures if isinstance(one, NoticeFigure) and one.rule}
        yield state.phase, rules
        if game.finished(state):
            return
        state, _outcome = game.apply(state, game.parse(game.random_event(state, random)))


@pytest.mark.parametrize("name", PREFIXES)
def test_each_phase_met_has_its_rules_and_its_hint_and_each_rule_met_its_text(name):
    texts = explained(name)
    known = {code: messages(code) for code in LANGUAGES}
    for phase, rules in (entry for seed in range(3) for entry in met(GAMES[name], seed)):
        assert rules <= texts
        assert SPECS[name].phases[phase]
        assert set(SPECS[name].phases[phase]) <= texts
        assert all(f"guide.{name}.{phase}" in known[code] for code in LANGUAGES)


def test_hints_and_lists_are_for_the_same_phases():
    hinted_phases = {id.removeprefix("guide.") for id in messages("fr") if id.startswith("guide.")}
    assert hinted_phases == {f"{game}.{phase}" for game, spec in SPECS.items() for phase in spec.phases}


def test_a_number_in_a_sentence_is_found():
    from companion.app.help.rules import _NUMBER

    assert _NUMBER.findall("Pas maintenant (FC-8.2), ni HB-9.6 ; mais pas FC-8.") == ["FC-8.2", "HB-9.6"]
    assert str(Message("help.FC-8.2")) in messages("en")


@pytest.mark.parametrize(
    ("size", "language"), [("800x480", "fr"), pytest.param("720x1280", "en", marks=pytest.mark.slow)]
)
def test_rules_are_opened_and_first_matches_guided(tmp_path, size, language):
    played = play("help_rules,help_guided", tmp_path, size, language)
    assert (played.returncode, played.stdout) == (0, ""), played.stdout + played.stderr
