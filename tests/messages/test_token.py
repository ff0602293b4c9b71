"""Tests of tokens and addresses, scanned or typed."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from companion.messages.token import (
    DEFAULT_PORT,
    FINGERPRINT_BYTES,
    Token,
    TokenError,
    certificate_fingerprint,
    format_token,
    invitation,
    is_invitation,
    parse_address,
    parse_invitation,
    parse_token,
)

TABLES = st.from_regex(r"[A-Za-z0-9_-]{1,64}", fullmatch=True)
KEYS = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=40)
PRINTS = st.binary(min_size=FINGERPRINT_BYTES, max_size=FINGERPRINT_BYTES)
TOKEN = Token("t3", "abcdefghijklmnopqrstuv", bytes(range(FINGERPRINT_BYTES)))


@given(table=TABLES, key=KEYS, certificate=PRINTS)
def test_a_token_is_read_as_it_was_written(table: str, key: str, certificate: bytes) -> None:
    token = Token(table, key, certificate)
    assert parse_token(format_token(token)) == token
    assert parse_token(format_token(token).lower().replace("-", "  ") + "\n") == token


@given(at=st.integers(0, 300), sign=st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"))
def test_a_slip_of_the_finger_is_noticed(at: int, sign: str) -> None:
    text = format_token(TOKEN).replace("-", "")
    at %= len(text) - 1  # the last character has unused bits
    assume(text[at] != sign)
    with pytest.raises(TokenError) as fault:
        parse_token(text[:at] + sign + text[at + 1 :])
    assert fault.value.message.id in ("link.token.slip", "link.token.version")


@given(st.text(max_size=80))
def test_any_other_text_is_no_token(text: str) -> None:
    with pytest.raises(TokenError):
        parse_token(text)


def test_signs_that_look_alike_may_be_mistaken() -> None:
    text = format_token(TOKEN)
    assert parse_token(text.replace("O", "0").replace("I", "1").replace("B", "8")) == TOKEN


def test_a_token_does_not_show_its_key() -> None:
    assert TOKEN.key not in repr(TOKEN)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("192.168.1.20", ("192.168.1.20", DEFAULT_PORT)),
        ("hub.local:5000", ("hub.local", 5000)),
        (" hub ", ("hub", DEFAULT_PORT)),
        ("[fe80::1]:4300", ("fe80::1", 4300)),
    ],
)
def test_an_address_is_read(text: str, place: tuple[str, int]) -> None:
    assert parse_address(text) == place


@pytest.mark.parametrize("text", ["", ":4222", "a b", "hub:99999", "hub:x", "hub/x", "me@hub", "hub?x", "[fe80", "//"])
def test_what_is_no_address_is_said(text: str) -> None:
    with pytest.raises(TokenError) as fault:
        parse_address(text)
    assert fault.value.message.id == "link.address"


def test_an_invitation_holds_address_and_token() -> None:
    line = invitation("hub.local:4222", format_token(TOKEN))
    assert line == f"tapis-vert://hub.local:4222/{format_token(TOKEN)}"
    for typed in (line, f" {line} ", line.upper(), line.replace("-", "- "), line[:40] + "\n" + line[40:]):
        assert is_invitation(typed)
        address, token = parse_invitation(typed)
        assert address.lower() == "hub.local:4222"
        assert parse_token(token) == TOKEN


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("tapis-vert://hub.local:4222", "link.token.slip"),
        (f"tapis-vert://hub.local:4222/{format_token(TOKEN)[:-1]}", "link.token.slip"),
        (f"tapis-vert:///{format_token(TOKEN)}", "link.address"),
        ("tapis-vert:", "link.address"),
    ],
)
def test_an_invitation_with_a_slip_says_where_it_is(line: str, fault: str) -> None:
    assert is_invitation(line)
    with pytest.raises(TokenError) as found:
        parse_invitation(line)
    assert found.value.message.id == fault


@pytest.mark.parametrize("text", ["", "hub.local", "192.168.1.20:4222", "tapis-vert.example"])
def test_an_address_is_no_invitation(text: str) -> None:
    assert not is_invitation(text)


def test_a_certificate_is_known_by_its_digest() -> None:
    assert certificate_fingerprint(b"one") != certificate_fingerprint(b"other")
    assert len(certificate_fingerprint(b"one")) == FINGERPRINT_BYTES
