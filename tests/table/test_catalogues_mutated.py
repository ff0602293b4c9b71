"""A thousand corrupted files: tables and squad files never cause a traceback, and each fault names its location."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.games.base import Message
from companion.games.catalogue import SquadFileError
from companion.games.footclub.squads import sample_clubs
from companion.language import LANGUAGES, Language
from companion.table.catalogues.csv_tables import CLUBS, KINDS, format_table, read_table
from companion.table.catalogues.squads import read_squad
from tests.table.test_catalogues import CLUB_ROWS, TABLES
from tests.tracked import ROOT

EACH = 100
"""Corrupted files per type: seven tables, and squads as a table, TOML and JSON, a thousand in total."""
SAMPLES = ROOT / "companion" / "games" / "footclub" / "samples"
JUNK = (
    b'"',
    b"'",
    b";",
    b",",
    b"\t",
    b"\r",
    b"\n",
    b"\0",
    b"\xff",
    b"\xef\xbb\xbf",
    b"=",
    b"[",
    b"{",
    b"-1",
    b"9" * 30,
)
PLACES = {"row", "line", "place", "key", "why", "clubs"}


@st.composite
def spoilt(draw: st.DrawFn, content: bytes) -> bytes:
    """Corrupt a file in one to six ways: truncation, lost or doubled lines, changed bytes, inserted junk, swaps."""
    for _ in range(draw(st.integers(1, 6))):
        if not content:
            break
        at = draw(st.integers(0, len(content) - 1))
        length = draw(st.integers(1, 40))
        accident = draw(st.sampled_from(("cut", "lose", "change", "junk", "double", "words", "cells", "noise")))
        if accident == "cut":
            content = content[:at]
        elif accident == "lose":
            content = content[:at] + content[at + length :]
        elif accident == "change":
            content = content[:at] + bytes([draw(st.integers(0, 255))]) + content[at + 1 :]
        elif accident == "junk":
            content = content[:at] + draw(st.sampled_from(JUNK)) * draw(st.integers(1, 3)) + content[at:]
        elif accident == "double":
            lines = content.splitlines(keepends=True)
            line = lines[at % len(lines)]
            content = b"".join([*lines, line])
        elif accident == "words":
            one, two = draw(st.permutations((b"fb", b"coach", b"3", b"id", b"technical", b"level")))[:2]
            content = content.replace(one, two, draw(st.integers(1, 4)))
        elif accident == "cells":
            content = content.replace(b",", draw(st.sampled_from((b";", b"\t", b",,", b"|"))), draw(st.integers(1, 99)))
        else:
            content = content[:at] + draw(st.binary(max_size=30)) + content[at:]
    return content


thorough = settings(
    max_examples=EACH,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture],
)


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)
@thorough
@given(data=st.data())
def test_a_spoilt_table_is_read_as_far_as_it_goes(kind, data) -> None:
    language = data.draw(st.sampled_from((None, Language("fr"), Language("en"))))
    content = data.draw(spoilt(format_table(kind, TABLES[kind.name][:25], language)))
    known = data.draw(st.booleans())
    reading = read_table("cartes.csv", content, kind if known else None)
    for fault in reading.faults:
        assert fault.row >= 1
        for code in LANGUAGES:
            tongue = Language(code)
            column = fault.column if isinstance(fault.column, str) else tongue.text(fault.column)
            sentence = tongue.text(fault.message)
            assert column.strip(), fault
            assert column in sentence
            assert str(fault.row) in sentence
            assert "catalogues." not in sentence, sentence
    if reading.kind is not None and reading.rows:  # the remaining rows are valid: they read back without a fault
        again = read_table("cartes.csv", format_table(reading.kind, reading.rows), reading.kind)
        assert (again.faults, again.rows) == ((), reading.rows)


@pytest.mark.parametrize("ending", ["csv", "toml", "json"])
@thorough
@given(data=st.data())
def test_a_spoilt_squad_file_is_refused_with_its_place(tmp_path: Path, ending: str, data) -> None:
    club = sample_clubs()[0]
    whole = {
        "csv": format_table(KINDS[CLUBS], CLUB_ROWS),
        "toml": (SAMPLES / "montbrezil.toml").read_bytes(),
        "json": json.dumps({"name": club.name, **club.squad}, ensure_ascii=False).encode(),
    }[ending]
    file = tmp_path / f"club.{ending}"
    file.write_bytes(data.draw(spoilt(whole)))
    fault = refusal_of(file)
    if fault is None:
        assert read_squad(file).name
        return
    for code in LANGUAGES:
        sentence = Language(code).text(fault)
        assert file.name in sentence
        assert "squads." not in sentence
        assert "catalogues." not in sentence
    assert places(fault) & PLACES or fault.id in WHOLE, fault


def refusal_of(file: Path) -> Message | None:
    """Return the reason why a squad file is refused, or None if it is accepted."""
    try:
        read_squad(file)
    except SquadFileError as fault:
        return fault.message
    return None


WHOLE = {"squads.fault.no_club", "squads.fault.name", "squads.fault.players", "squads.fault.clubs"}
"""Faults whose sentence names the field, or whose file is no club at all."""


def places(message: Message) -> set[str]:
    """Return the names of all arguments, including those of nested messages."""
    nested = (places(value) for value in message.args.values() if isinstance(value, Message))
    return set(message.args).union(*nested)
