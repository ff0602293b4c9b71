"""Words of the pages that depend on a number or a date."""

from __future__ import annotations

import pytest

from companion.app.screens import matches
from companion.language import Language


@pytest.mark.parametrize(
    ("code", "day", "sentence"),
    [("fr", "2026-03-04", "4 mars 2026"), ("en", "2026-11-28", "28 Nov 2026"), ("en", "unknown", "unknown")],
)
def test_a_date_has_the_name_of_its_month(monkeypatch, code, day, sentence):
    monkeypatch.setattr(matches, "translate", Language(code))
    assert matches.format_day(day) == sentence


@pytest.mark.parametrize(("code", "one", "more"), [("fr", "encore 1 lancer", "encore 9 lancers")])
def test_one_throw_is_not_said_as_many(code, one, more):
    assert [Language(code)("report.verdict_few", n=n) for n in (1, 9)] == [one, more]
