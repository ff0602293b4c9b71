"""Tests of the translation of message ids into sentences: arguments, plurals, missing texts."""

from __future__ import annotations

import errno
import io
import termios
import tomllib

import pytest
from babel.messages.pofile import read_po

from companion.games.base import Message
from companion.language import LANGUAGES, Language, alphabetical_key, messages, reason_of
from tests.tracked import ROOT
from vision.dice_sets import DiceSetError


def test_a_plural_follows_its_number() -> None:
    french = Language("fr")
    one, several = (french("table.dice_missing", n=n, total=3) for n in (1, 2))
    assert one.startswith("Il manque 1 dé")
    assert several.startswith("Il manque 2 dés")


def test_names_with_accents_stand_where_people_look_for_them() -> None:
    names = ["Zoé", "Émile", "œuvre", "Eva", "odile", "Élan"]
    assert sorted(names, key=alphabetical_key) == ["Élan", "Émile", "Eva", "odile", "œuvre", "Zoé"]


def test_a_number_does_not_ask_for_a_plural_that_is_not_there() -> None:
    assert Language("en")("common.literal", n=3, text="x") == "x"


def test_arguments_that_are_messages_are_translated() -> None:
    inner = Message("table.no_new_dice")
    assert Language("en").text(Message("common.literal", {"text": inner})) == "These dice have been read already."


def test_an_argument_may_be_called_id() -> None:
    assert Language("en").text(Message("common.literal", {"text": "a", "id": 5})) == "a"


def test_an_unknown_message_shows_its_id() -> None:
    assert Language("fr")("nowhere.at_all") == "nowhere.at_all"


@pytest.mark.parametrize("id", ["{0}", "a } b", "{", "{a.b!r:>9}"])
def test_an_unknown_message_is_no_format(id: str) -> None:
    assert Language("en")(id, n=1) == id


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match="known: fr, en"):
        Language("de")


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_catalogues_are_not_empty(code: str) -> None:
    assert len(messages(code)) > 100


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_files_say_what_gettext_reads_in_them(code: str) -> None:
    read = {}
    catalogues = (file for part in ("companion", "vision") for file in (ROOT / part).rglob(f"locales/{code}/*.po"))
    for file in catalogues:
        for entry in read_po(io.BytesIO(file.read_bytes()), locale=code):
            if entry.id:
                read[entry.id if isinstance(entry.id, str) else entry.id[0]] = entry.string
    assert messages(code) == read


def test_the_reasons_of_the_system_are_told_in_the_language() -> None:
    error = PermissionError(errno.EACCES, "Permission denied", "file")
    assert Language("fr").text(reason_of(error)) == "accès refusé"
    assert Language("en").text(reason_of(error)) == "Permission denied"
    assert Language("fr")("cli.not_written", file="a", reason=OSError(errno.ENOSPC, "full")).endswith(
        "(plus de place sur le disque)"
    )


def test_a_reason_that_nobody_has_worded_is_named() -> None:
    assert Language("fr").text(reason_of(OSError(errno.ECANCELED, "Operation canceled"))) == "erreur ECANCELED"


def test_a_file_that_is_not_well_formed_is_told_by_its_place() -> None:
    with pytest.raises(ValueError, match="line 2") as caught:
        tomllib.loads("a = 1\nb c = 2")
    assert Language("fr").text(reason_of(caught.value)) == "ligne 2, colonne 3"


def test_an_error_with_a_message_of_its_own_gives_that_as_the_reason() -> None:
    error = DiceSetError("vision.dice_set.no_kind", source="a.toml")
    assert Language("fr").text(reason_of(error)).startswith("a.toml\u00a0: un jeu de dés")
    assert str(error).startswith("a.toml: a dice set")


def test_an_error_without_a_number_has_that_of_the_one_before_it() -> None:
    error = OSError("could not configure port")
    error.__context__ = termios.error(errno.EIO, "Input/output error")
    assert Language("en").text(reason_of(error)) == "Input/output error"
