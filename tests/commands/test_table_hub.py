"""The link of an installed table: solo until a hub is joined, on screen or by the settings file, then saved."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from companion.clock import SystemClock
from companion.commands.make_platform import NO_HUB, LazyHubLink
from companion.config import HubConfig
from companion.journal.store import Store
from companion.link.link_state import load_state
from companion.messages.token import Token, format_token

ADDRESS = "hub.local:9"
"""An address where no server runs."""
TOKEN = format_token(Token("t1", "a key of sixteen"))


@pytest.fixture
def opened(tmp_path):
    """Open the link of a table with a store; all links are closed at the end."""
    links = []

    def open_link(configured=None):
        link = LazyHubLink(tmp_path / "matches.sqlite", tmp_path, SystemClock(), configured)
        links.append(link)
        return link

    with Store.open(tmp_path / "matches.sqlite", SystemClock()):
        yield open_link
        for link in links:
            link.close()


def kept(folder: Path, address: str | None) -> None:
    """Wait until the link's thread has saved the address."""
    pause, end = threading.Event(), time.monotonic() + 30
    while load_state(folder).address != address:
        assert time.monotonic() < end, "never written"
        pause.wait(0.02)


def test_a_table_that_plays_alone_has_nothing_of_the_link() -> None:
    program = (
        "import sys\n"
        "import companion.commands.run\n"
        "assert 'companion.commands.make_platform' in sys.modules\n"
        "assert not {'nats', 'companion.link.table_link'} & set(sys.modules)\n"
    )
    root = Path(__file__).parents[2]
    assert subprocess.run([sys.executable, "-c", program], cwd=root, timeout=60).returncode == 0


def test_alone_it_takes_everything_and_tells_nothing(opened) -> None:
    link = opened()
    link.notify_appended()
    link.check_in("s1-A1-1", "home", True)
    link.confirm("s1-A1-1", "journal", 3, "home")
    link.leave()
    assert link.snapshot() is NO_HUB


def test_a_slip_in_the_token_is_told_and_joins_nothing(opened) -> None:
    link = opened()
    fault = link.join(ADDRESS, TOKEN.replace(TOKEN[0], "Z" if TOKEN[0] != "Z" else "Y", 1))
    assert fault is not None
    assert not link.snapshot().link.joined


def test_who_joined_by_hand_is_joined_after_a_restart(opened, tmp_path) -> None:
    link = opened()
    assert link.join(ADDRESS, TOKEN) is None
    kept(tmp_path, ADDRESS)
    link.close()
    again = opened()
    assert again.snapshot().link.joined
    again.leave()
    kept(tmp_path, None)
    again.close()
    assert not opened().snapshot().link.joined


def test_the_settings_file_joins_once_and_does_not_bring_back_who_left(opened, tmp_path) -> None:
    named = HubConfig(ADDRESS, TOKEN).credentials
    link = opened(named)
    assert link.snapshot().link.joined
    kept(tmp_path, ADDRESS)
    link.leave()
    kept(tmp_path, None)
    link.close()
    assert not opened(named).snapshot().link.joined


@pytest.mark.parametrize("hub", [HubConfig(), HubConfig(address=ADDRESS), HubConfig(token=TOKEN)])
def test_only_address_and_token_together_name_a_hub(hub) -> None:
    assert hub.credentials is None
