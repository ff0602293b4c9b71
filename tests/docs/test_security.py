"""The numbers of the security document are those of the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.app.pin_lock import RETRY_DELAYS_S
from companion.commands.arguments import PAGES_PORT, TABLES_PORT
from companion.config import DataConfig
from companion.hub.broker import load_certificate, server_config
from companion.hub.registry import KEY_BYTES
from companion.hub.retention import RetentionTerms
from companion.hub.web.authentication import MIN_PASSWORD_LENGTH, SESSION_SECONDS, SET_UP_SECONDS
from companion.journal.store import REMOVED_RETENTION
from companion.messages.pin import MAX_PIN_DIGITS, MIN_PIN_DIGITS
from companion.table.misreads import MAX_CASES
from tests.tracked import text

DOCUMENT = " ".join(text(Path("SECURITY.md")).split())


@pytest.mark.parametrize(
    "sentence",
    [
        f"| hub, web pages | TCP {PAGES_PORT} (`--port`)",
        f"| hub, tables (built-in NATS server) | TCP {TABLES_PORT} (`--tables-port`)",
        f"A PIN has {MIN_PIN_DIGITS} to {MAX_PIN_DIGITS} digits",
        f"The password has {MIN_PASSWORD_LENGTH} characters or more",
        f"A session ends after {SESSION_SECONDS // 3600} hours",
        f"Keys have {KEY_BYTES * 8} random bits",
        f"| {RetentionTerms().names_days} days after the last event",
        f"| {RetentionTerms().pictures_days} days, or at once at the desk",
        f"{DataConfig().pictures_mb} MB are exceeded",
        f"the newest {MAX_CASES}",
    ],
)
def test_it_states_the_numbers_of_the_code(sentence: str) -> None:
    assert sentence in DOCUMENT


def test_it_states_the_times_of_the_code() -> None:
    assert SET_UP_SECONDS == 24 * 3600
    assert "The link works once and for one day" in DOCUMENT
    assert RETRY_DELAYS_S[:4] == (0, 0, 0, 5)
    assert RETRY_DELAYS_S[-1] == 60
    assert "After three wrong PINs each further attempt waits, up to one minute" in DOCUMENT
    assert REMOVED_RETENTION.days == 7
    assert "you remove the match, plus seven days" in DOCUMENT


def test_the_built_in_server_listens_on_one_port_with_tls(tmp_path: Path) -> None:
    config = server_config("127.0.0.1", TABLES_PORT, tmp_path, load_certificate(tmp_path), "", {})
    assert re.findall(
        r'"(listen|http|https|http_port|https_port|monitor_port|cluster|leafnodes|gateway|websocket|mqtt)"', config
    ) == ["listen"]
    assert '"min_version": "1.2"' in config
