"""Every broken promise is caught by its name, and by nothing unrelated."""

from __future__ import annotations

import pytest

from tests.fault.checks import Impossible
from tests.fault.sabotage import SWITCHES, problems_in, switched

SEED = 7


@pytest.mark.slow
@pytest.mark.parametrize("name", list(SWITCHES))
def test_a_switch_is_caught(name: str) -> None:
    try:
        checks = list(switched(name, SEED))
    except Impossible as reason:
        pytest.skip(str(reason))
    assert [problems for _, problems in checks] == [[]]


def test_a_switch_that_nothing_notices_is_a_problem() -> None:
    assert problems_in("no-lock", ["12 passed, 0 failed"], 0) == [
        "the suite ends with 0 and does not name 'one writer'; it names []"
    ]


def test_a_switch_that_breaks_something_else_is_a_problem() -> None:
    output = ["FAILED one writer: 1: doubled: twice", "FAILED kill: 3 of append: lost: 1", "1 passed, 2 failed"]
    assert problems_in("no-lock", output, 1) == ["the suite also names ['kill']"]
    assert problems_in("no-lock", [output[0], output[2]], 1) == []
