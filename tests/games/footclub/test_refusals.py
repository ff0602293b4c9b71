"""Every refusal has a sentence in both languages, and tests cover every refusing rule."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import companion.games.footclub as package
from companion.games.base import Message, Refusal
from companion.games.event_schema import MALFORMED_CASES
from companion.games.footclub.refusals import refusal
from companion.language import LANGUAGES, Language, messages
from tests.games.footclub.kit import Match, under_way

SOURCES = sorted(Path(package.__file__).parent.glob("*.py"))
PREFIX = "footclub.refusal."
RULE = re.compile(r"FC-\d+\.\d+")
PAID = ("freshness", "supporter", "kop")


def texts(node: ast.expr) -> list[str]:
    """Return the possible values of an argument: a literal, one of two, or the `skill` of a solo effort."""
    if isinstance(node, ast.Constant):
        return [str(node.value)]
    if isinstance(node, ast.IfExp):
        return texts(node.body) + texts(node.orelse)
    return list(PAID) if isinstance(node, ast.Name) and node.id == "skill" else []


def raised() -> Iterator[tuple[str, set[str]]]:
    """Yield each message id that the code can raise, with the names of its arguments."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "refusal"):
                continue
            rules = texts(node.args[0])
            cases = texts(node.args[1]) if len(node.args) > 1 else [""]
            for rule in rules:
                for case in cases:
                    yield f"{PREFIX}{rule}{'.' + case if case else ''}", {str(key.arg) for key in node.keywords}
    for rule in ("FC-14.7", "FC-14.8", "FC-10.8", "FC-12.8", "FC-12.1", "FC-3.10"):
        yield PREFIX + rule, set()
    for case, names in MALFORMED_CASES.items():
        yield f"{PREFIX}FC-18.{1 if case == 'event' else 2}.{case}", set(names)


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
            tried |= set(RULE.findall(path.read_text(encoding="utf-8").replace("FC_", "FC-")))
    assert {match.group() for id, _ in RAISED if (match := RULE.search(id))} - tried == set()


def test_a_refusal_carries_rule_and_sentence() -> None:
    reason = refusal("FC-9.2", n=1)
    assert isinstance(reason, Refusal)
    assert (reason.rule, reason.message) == ("FC-9.2", Message("footclub.refusal.FC-9.2", {"n": 1}))
    assert (
        Language("en").text(reason.message)
        == "There is only 1 supporter in the stands; those in the hand cannot be spent."
    )


def test_a_refused_event_changes_nothing() -> None:
    match = under_way()
    before = match.state
    assert match.refused("leave", side="red") == "FC-18.5"
    assert match.state is before
    assert Match().state == Match().state
