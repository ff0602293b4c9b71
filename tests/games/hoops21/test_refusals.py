"""Every refusal has a sentence in both languages, and tests cover every refusing rule."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import companion.games.hoops21 as package
from companion.games.base import Message, Refusal
from companion.games.event_schema import MALFORMED_CASES
from companion.games.hoops21.refusals import refusal
from companion.language import LANGUAGES, Language, messages
from tests.games.hoops21.kit import Match

SOURCES = sorted(Path(package.__file__).parent.glob("*.py"))
PREFIX = "hoops21.refusal."
RULE = re.compile(r"HB-\d+\.\d+")
JOURNALS_OWN = {"HB-1.5"}
"""Rules whose sentence comes from the journal."""


def raised() -> Iterator[tuple[str, set[str]]]:
    """Yield each message id that the code can raise, with the names of its arguments."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "refusal"):
                continue
            rule, *cases = (argument.value for argument in node.args if isinstance(argument, ast.Constant))
            if cases or len(node.args) == 1:
                yield PREFIX + ".".join([str(rule), *map(str, cases)]), {str(key.arg) for key in node.keywords}
    for case, names in MALFORMED_CASES.items():
        if case != "unknown_field":  # unlisted fields are ignored (HB-1.2)
            yield f"{PREFIX}HB-1.2.{case}", set(names)


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
    refusing = {match.group() for id, _ in RAISED if (match := RULE.search(id))} | JOURNALS_OWN
    assert refusing - tried == set()


def test_a_refusal_carries_rule_and_sentence() -> None:
    reason = refusal("HB-1.6", "count", n=6, given=5)
    assert isinstance(reason, Refusal)
    assert (reason.rule, reason.message) == ("HB-1.6", Message("hoops21.refusal.HB-1.6.count", {"n": 6, "given": 5}))
    assert Language("en").text(reason.message) == "6 dice are needed, 5 given; complete the throw."


def test_a_refused_event_changes_nothing() -> None:
    match = Match()
    before = match.state
    assert match.refused("stand") == "HB-1.3"
    assert match.state is before
    assert Match().state == before
