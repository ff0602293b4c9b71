"""Tests of the on-screen keyboard: every letter once, French letters included, keys at least 9 mm wide."""

from __future__ import annotations

import string

import pytest

from companion.app.keyboard import (
    ACTION_KEYS,
    BACK,
    DIGITS,
    DONE,
    KEY_WIDTHS,
    LETTERS,
    SHIFT,
    SPACE,
    capital,
    key_rows,
    variants,
)

LANGUAGES = ("fr", "en")
TALL = (False, True)
FRENCH = "éèêëçàùïôœ"
WIDTHS = {False: 800, True: 450}
"""Width in dp of the narrowest screen in landscape (False) and portrait (True)."""


def keys(language: str, tall: bool, page: str = "letters") -> list[str]:
    return [key for row in key_rows(language, tall, page) for key in row]


@pytest.mark.parametrize("tall", TALL)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_letter_is_there_once(language, tall):
    found = keys(language, tall)
    assert len(found) == len(set(found))
    assert set(string.ascii_lowercase) <= set(found)
    assert {SHIFT, BACK, SPACE, DONE, DIGITS, "-", "’"} <= set(found)


def test_french_letters_have_keys_of_their_own():
    assert set(FRENCH) <= set(keys("fr", False))
    assert set(FRENCH) - {"ë"} <= set(keys("fr", True))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("letter", "éèêëçàâùûîïôœ")
def test_every_french_letter_can_be_typed_in_both_languages(language, letter):
    for tall in TALL:
        found = keys(language, tall)
        assert letter in found or any(letter in variants(key) for key in found)


@pytest.mark.parametrize("tall", TALL)
@pytest.mark.parametrize("page", ["letters", "signs", "numbers"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_row_is_too_long_for_a_finger(language, page, tall):
    gap = 2 if tall else 5
    for row in key_rows(language, tall, page):
        available_width = WIDTHS[tall] - gap * (len(row) - 1 if tall else len(row) + 1)
        narrowest = available_width / sum(KEY_WIDTHS.get(key, 1.0) for key in row)
        assert narrowest >= 48, row


@pytest.mark.parametrize("tall", TALL)
def test_digits_are_on_the_page_of_signs_and_on_that_of_numbers(tall):
    for page in ("signs", "numbers"):
        found = keys("fr", tall, page)
        assert set(string.digits) <= set(found)
        assert DONE in found
        assert BACK in found
    assert LETTERS in keys("fr", tall, "signs")


def test_rows_leave_room_for_the_field():
    for language in LANGUAGES:
        assert len(key_rows(language, False, "letters")) * 58 <= 300
        assert len(key_rows(language, True, "letters")) * 58 <= 400


def test_capitals_are_single_letters():
    assert [capital(letter) for letter in "éœçß’-"] == ["É", "Œ", "Ç", "ß", "’", "-"]


def test_keys_that_do_something_have_no_variants():
    assert not any(variants(key) for key in ACTION_KEYS)
