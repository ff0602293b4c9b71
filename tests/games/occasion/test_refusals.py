"""Every refusal has a sentence in both languages, and tests cover every refusing rule."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import companion.games.occasion as package
from companion.games.base import Message, Refusal
from companion.games.event_schema import MALFORMED_CASES
from companion.games.occasion.refusals import refusal
from companion.language import LANGUAGES, Language, messages
from tests.games.occasion.kit import Match, opposed

SOURCES = sorted(Path(package.__file__).parent.glob("*.py"))
PREFIX = "occasion.refusal."
FAULT = "occasion.card_fault."
RULE = re.compile(r"OC-\d+\.\d+")
LAID_BY = ("OC-3.1", "OC-4.2", "OC-5.3")
"""The rules that `check_card_free` is called with."""
CASE_VALUES = ("cross", "wall")


def texts(node: ast.expr, variable: tuple[str, ...]) -> list[str]:
    """Return the possible values of an argument: a literal, or those of a name."""
    return [str(node.value)] if isinstance(node, ast.Constant) else list(variable)


def raised() -> Iterator[tuple[str, frozenset[str]]]:
    """Yield each message id that the code can raise, with the names of its arguments."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                continue
            names = frozenset(str(key.arg) for key in node.keywords if key.arg)
            if node.func.id == "InvalidCard":
                yield FAULT + texts(node.args[0], ())[0], names
            if node.func.id != "refusal" or ast.unparse(node).startswith("refusal('OC-1.2', case"):
                continue
            for rule in texts(node.args[0], LAID_BY):
                for case in texts(node.args[1], CASE_VALUES) if len(node.args) > 1 else [""]:
                    yield f"{PREFIX}{rule}{'.' + case if case else ''}", names
    for case, gaps in MALFORMED_CASES.items():
        if case != "unknown_field":  # unlisted fields are ignored
            yield f"{PREFIX}OC-1.2.{case}", frozenset(gaps)


RAISED = sorted({(id, tuple(sorted(names))) for id, names in raised()})


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_reason_has_a_sentence_and_every_sentence_a_reason(code: str) -> None:
    written = {id for id in messages(code) if id.startswith((PREFIX, FAULT))}
    assert written == {id for id, _ in RAISED}


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize(("id", "names"), RAISED)
def test_the_sentence_says_everything_it_is_given(code: str, id: str, names: tuple[str, ...]) -> None:
    sentence = Language(code).text(Message(id, {name: 2 if name == "n" else f"<{name}>" for name in names}))
    assert sentence.endswith(".") is id.startswith(PREFIX)
    assert not re.search(r"\{\w+\}", sentence)
    assert all(("2" if name == "n" else f"<{name}>") in sentence for name in names)


def test_every_rule_that_refuses_is_tried_by_a_test() -> None:
    tried = set()
    for path in Path(__file__).parent.glob("test_*.py"):
        if path.name != Path(__file__).name:
            tried |= set(RULE.findall(path.read_text(encoding="utf-8")))
    assert {match.group() for id, _ in RAISED if (match := RULE.search(id))} - tried == set()


def test_a_refusal_carries_rule_and_sentence() -> None:
    reason = refusal("OC-10.4", "energy", n=1)
    assert isinstance(reason, Refusal)
    assert (reason.rule, reason.message) == ("OC-10.4", Message("occasion.refusal.OC-10.4.energy", {"n": 1}))
    assert Language("en").text(reason.message) == "This side has only 1 used energy card to take back."


def test_why_a_card_is_none_stands_in_the_sentence() -> None:
    with pytest.raises(Refusal) as refused:
        Match().play("define_card", kind="occasion", id="x", card={"zones": [{"id": "A", "row": 1}]})
    sentence = Language("fr").text(refused.value.message).replace("\N{NO-BREAK SPACE}", " ")
    assert sentence == "La carte x n’est pas valable : la zone A ne mène nulle part et n’est pas une zone de tir."


def test_a_refused_event_changes_nothing() -> None:
    match = opposed()
    before = match.state
    assert match.refused("support_done", side="away") == "OC-5.2"
    assert match.state is before
    assert Match().state == Match().state
