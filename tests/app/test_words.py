"""Words of the pages that depend on a number or a date."""

from __future__ import annotations

import pytest

from companion.app.display import shortened_names
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


@pytest.mark.parametrize(
    ("name", "shorter"),
    [
        (
            "Les Ours de la Montagne Noire",
            ["Ours de la Montagne Noire", "O. de la Montagne Noire", "O. Montagne Noire"],
        ),
        ("Vincent van der Berg", ["V. van der Berg", "V. Berg", "Berg"]),
        ("Étoile de Sète", ["É. de Sète", "É. Sète", "Sète"]),
        ("Maximilienne-Alexandrine", ["Maximilienne-\nAlexandrine"]),
    ],
)
def test_a_long_name_is_shortened_from_its_beginning(name, shorter):
    assert list(shortened_names(name))[: 1 + len(shorter)] == [name, *shorter]
