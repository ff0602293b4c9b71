"""Every refusal has a sentence in both languages, and tests cover every refusing rule."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import companion.games.nba as package
from companion.games.base import Message, Refusal
from companion.games.event_schema import MALFORMED_CASES
from companion.games.nba.refusals import refusal
from companion.language import LANGUAGES, Language, messages
from tests.games.nba.kit import Match

SOURCES = sorted(Path(package.__file__).parent.glob("*.py"))
PREFIX = "nba.refusal."
RULE = re.compile(r"NBA-\d+\.\d+")
VALUES: dict[str, tuple[str, ...]] = {
    "step": ("replace", "prepare", "buy_player", "ai_recruit"),
    "self.level": ("scores", "full"),
    "selection.rule": ("NBA-3.4", "NBA-9.2"),
    "rule": ("NBA-6.6", "NBA-6.7"),
    "rule in rosters": ("NBA-3.4", "NBA-9.2"),
    "case in mismatch": ("attack", "defence"),
    "key": ("bench", "tactics"),
    "card.type": ("offence", "defence"),
    "type_": ("offence", "defence"),
}
"""Possible values of the variables used as a rule or a case."""


def texts(node: ast.expr, where: str) -> list[str]:
    """Return the possible values of an argument."""
    if isinstance(node, ast.Constant):
        return [str(node.value)]
    if isinstance(node, ast.IfExp):
        return texts(node.body, where) + texts(node.orelse, where)
    if isinstance(node, ast.JoinedStr):
        found = [""]
        for part in node.values:
            inner = part.value if isinstance(part, ast.FormattedValue) else part
            found = [head + text for head in found for text in texts(inner, where)]
        return found
    name = ast.unparse(node)
    return list(VALUES.get(f"{name} in {where}", VALUES.get(name, ())))


def raised() -> Iterator[tuple[str, frozenset[str]]]:
    """Yield each message id that the code can raise, with the names of its arguments."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "refusal"):
                continue
            rules = texts(node.args[0], path.stem)
            cases = texts(node.args[1], path.stem) if len(node.args) > 1 else [""]
            names = frozenset(str(key.arg) for key in node.keywords if key.arg)
            for rule in rules:
                for case in cases:
                    yield f"{PREFIX}{rule}{'.' + case if case else ''}", names
    for case in ("event", "missing_field", "value"):
        yield f"{PREFIX}NBA-1.2.{case}", MALFORMED_CASES[case] - ({"event"} if case != "event" else set())


RAISED = sorted({(id, tuple(sorted(names))) for id, names in raised()})


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_reason_has_a_sentence_and_every_sentence_a_reason(code: str) -> None:
    written = {id for id in messages(code) if id.startswith(PREFIX)}
    assert written == {id for id, _ in RAISED}


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize(("id", "names"), RAISED)
def test_the_sentence_says_everything_it_is_given(code: str, id: str, names: tuple[str, ...]) -> None:
    sentence = Language(code).text(Message(id, {name: 2 if name == "n" else f"<{name}>" for name in names}))
    assert sentence.endswith(".")
    assert not re.search(r"\{\w+\}", sentence)
    assert all(("2" if name == "n" else f"<{name}>") in sentence for name in names)


def test_every_rule_that_refuses_is_tried_by_a_test() -> None:
    tried = set()
    for path in Path(__file__).parent.glob("test_*.py"):
        if path.name != Path(__file__).name:
            tried |= set(RULE.findall(path.read_text(encoding="utf-8")))
    assert {match.group() for id, _ in RAISED if (match := RULE.search(id))} - tried == set()


def test_a_refusal_carries_rule_and_sentence() -> None:
    reason = refusal("NBA-7.4", n=1)
    assert isinstance(reason, Refusal)
    assert (reason.rule, reason.message) == ("NBA-7.4", Message("nba.refusal.NBA-7.4", {"n": 1}))
    assert Language("en").text(reason.message) == "At most 1 die may be rolled again."


def test_a_refused_event_changes_nothing() -> None:
    match = Match()
    before = match.state
    assert match.refused("overtime") == "NBA-8.6"
    assert match.state is before
    assert Match().state == Match().state
