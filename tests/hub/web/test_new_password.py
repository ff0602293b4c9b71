"""A new password: changed at the desk, or by the link that the hub's command prints on its own machine."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from companion.clock import ManualClock
from companion.commands.hub.options import HubOptions
from companion.commands.hub.serve import run_new_password
from companion.hub.core import Core
from companion.hub.password_link import FILE, VALID_S, PasswordLink
from companion.hub.web.app import make_app
from companion.hub.web.pages import PageDependencies
from tests.hub.web.pages_kit import ADDRESS, FAST_HASHER, FREE, PASSWORD, mark_of, organiser, visitor

NEW = "quite another phrase"


def log_in(client: TestClient, password: str) -> bool:
    """Return whether a password opens the desk."""
    answer = client.post("/desk/login", data={"name": "Dana", "password": password}, follow_redirects=False)
    return answer.status_code == 303


def is_in(client: TestClient) -> bool:
    """Return whether the desk is open."""
    return client.get("/desk", follow_redirects=False).status_code == 200


def test_a_password_is_changed_at_the_desk_and_ends_the_other_sessions(core: Core, clock: ManualClock) -> None:
    app = make_app(PageDependencies(core, clock, ADDRESS, limits=FREE), FAST_HASHER)
    client, other = organiser(app), visitor(app)
    assert log_in(other, PASSWORD)
    assert "/desk/password" in client.get("/desk").text
    page = client.get("/desk/password")
    fields = {"form": mark_of(page), "present": "not this one", "password": NEW, "again": NEW}
    assert client.post("/desk/password", data=fields).status_code == 403, "the present password is asked"
    fields["present"] = PASSWORD
    assert client.post("/desk/password", data={**fields, "again": "other"}).status_code == 422
    assert client.post("/desk/password", data={**fields, "password": "short", "again": "short"}).status_code == 422
    assert client.post("/desk/password", data={**fields, "form": "0"}).status_code == 403
    assert is_in(other), "nothing is changed by what is refused"
    assert client.post("/desk/password", data=fields).url.path == "/desk"
    assert is_in(client)
    assert not is_in(other)
    assert not log_in(other, PASSWORD)
    assert log_in(other, NEW)
    assert visitor(app).get("/desk/password").url.path == "/desk/login"


def test_a_forgotten_password_is_replaced_by_the_printed_link_while_the_hub_runs(
    core: Core, clock: ManualClock, tmp_path: Path
) -> None:
    app = make_app(PageDependencies(core, clock, ADDRESS, limits=FREE, folder=tmp_path), FAST_HASHER)
    organiser(app)
    client, link = visitor(app), PasswordLink(tmp_path, clock)
    assert "--new-password" in client.get("/desk/login").text
    first, key = link.issue(), link.issue()
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600
    assert key not in (tmp_path / FILE).read_text(), "the key itself is not kept"
    assert client.get("/desk/set-up", params={"key": first}).status_code == 403, "a newer link was printed"
    assert client.get("/desk/set-up", params={"key": key}).status_code == 200
    fields = {"key": key, "name": "Claire", "password": NEW, "again": NEW}
    assert client.post("/desk/set-up", data=fields).url.path == "/desk"
    assert client.post("/desk/set-up", data=fields).status_code == 403, "it works once only"
    assert log_in(visitor(app), NEW)
    assert not log_in(visitor(app), PASSWORD)
    late = link.issue()
    clock.advance(VALID_S + 1)
    assert client.get("/desk/set-up", params={"key": late}).status_code == 403
    (tmp_path / FILE).write_bytes(b"\xff{")
    assert client.get("/desk/set-up", params={"key": late}).status_code == 403, "a damaged file opens nothing"


def test_the_command_prints_the_link_and_needs_a_hub(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "config.toml"
    config.write_text(f'[display]\nlanguage = "en"\n[data]\nfolder = "{tmp_path / "data"}"\n')
    assert run_new_password(config, HubOptions(Path())) == 2
    assert "there is no hub here yet" in capsys.readouterr().err
    folder = tmp_path / "data" / "hub"
    folder.mkdir(parents=True)
    assert run_new_password(config, HubOptions(Path(), port=8123)) == 0
    found = re.search(r"http://[0-9.]+:8123/desk/set-up\?key=(\S+)", capsys.readouterr().out)
    assert found is not None
    assert (folder / FILE).exists()
