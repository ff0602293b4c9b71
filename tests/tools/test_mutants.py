"""Mutation testing: possible mutants of a module, their exact byte ranges, and their verdicts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.mutation.operators import Mutant, find_mutants, sample_mutants
from tools.mutation.runner import MutantRunner, figures, nearby_tests

SOURCE = '''"""Points of a throw: 3 of them."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass

def points(dice: tuple[int, 3] = (1,), *, most: int = 6) -> bool:
    """Return 2 < 3."""
    found = 0
    for die in dice:
        if not die:
            continue
        found += die - 1
    if most and found >= most:
        return True
    return f"{found + 1}"
'''


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    package = tmp_path / "companion" / "dice"
    (package / "screens").mkdir(parents=True)
    (package / "throw.py").write_text(SOURCE, encoding="utf-8")
    (package / "screens" / "page.py").write_text("ONE = 1\n", encoding="utf-8")
    return tmp_path


def replaced(tree: Path) -> set[tuple[str, str]]:
    return {(mutant.before, mutant.text) for mutant in find_mutants(tree, ["companion/dice"])}


def test_each_operator_replaces_what_it_is_for(tree):
    assert replaced(tree) == {
        ("1", "2"),
        ("6", "7"),
        ("0", "1"),
        ("not die", "(die)"),
        ("continue", "break"),
        ("found += die - 1", "found -= (die - 1)"),
        ("die - 1", "(die + 1)"),
        ("most and found >= most", "((most) or (found >= most))"),
        ("most and found >= most", "(not ((most and found >= most)))"),
        ("found >= most", "(found > most)"),
        ("True", "False"),
        ("return True", "return None"),
        ('return f"{found + 1}"', "return None"),
    }


def test_a_fault_changes_its_own_bytes_only(tree):
    for mutant in find_mutants(tree, ["companion/dice"]):
        faulty = mutant.apply(SOURCE.encode()).decode()
        assert faulty != SOURCE
        assert faulty[: mutant.start] == SOURCE[: mutant.start]
        assert faulty.endswith(SOURCE[mutant.end :])


def test_a_sample_is_the_same_for_the_same_seed(tree):
    first, total = sample_mutants(tree, ["companion/dice"], 5, seed=3)
    assert (len(first), total) == (5, len(find_mutants(tree, ["companion/dice"])))
    assert sample_mutants(tree, ["companion/dice"], 5, seed=3) == (first, total)
    assert sample_mutants(tree, ["companion/dice"], 5, seed=4)[0] != first


def test_the_tests_of_a_module_come_before_those_of_its_package(tmp_path):
    folder = tmp_path / "tests" / "dice"
    folder.mkdir(parents=True)
    (folder / "test_a.py").write_text("from companion.dice import tray\n", encoding="utf-8")
    (folder / "test_b.py").write_text("from companion.dice.throw import points\n", encoding="utf-8")
    (folder / "test_throw.py").write_text("\n", encoding="utf-8")
    direct, others = nearby_tests(tmp_path, "companion/dice/throw.py")
    assert direct == ("tests/dice/test_throw.py", "tests/dice/test_b.py")
    assert others == ("tests/dice/test_a.py",)


@pytest.mark.slow
def test_a_fault_that_a_test_sees_is_killed_and_nothing_stays_behind(tmp_path):
    source = b"def double(number):\n    return number * 2\n"
    (tmp_path / "companion" / "dice").mkdir(parents=True)
    module = tmp_path / "companion" / "dice" / "throw.py"
    module.write_bytes(source)
    tests = tmp_path / "tests" / "dice"
    tests.mkdir(parents=True)
    (tests / "test_throw.py").write_text(
        "from companion.dice.throw import double\n\ndef test_double():\n    assert double(0) == 0\n", encoding="utf-8"
    )
    judge = MutantRunner(tmp_path)
    verdicts = [judge.evaluate(mutant) for mutant in find_mutants(tmp_path, ["companion/dice"])]
    outcomes = {(verdict.mutant.operator, verdict.outcome) for verdict in verdicts}
    assert outcomes == {("return None", "killed"), ("arithmetic", "survived"), ("constant", "survived")}
    assert module.read_bytes() == source
    summary = figures(verdicts, len(verdicts), seed=0)
    assert (summary["judged"], summary["outcomes"], summary["kill_rate"]) == (3, {"killed": 1, "survived": 2}, 0.3333)
    assert isinstance(verdicts[0].mutant, Mutant)
