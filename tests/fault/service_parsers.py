"""Bad messages and requests for the hub, and bad arguments of the command line."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote, urlencode

import httpx
import msgspec

from companion.clock import ManualClock
from companion.games.registry import GAMES
from companion.hub.core import Core, open_core
from companion.messages import wire
from companion.tournament import facts as fa
from tests.fault.mutations import TEXTS, json_bytes, mutate_bytes, mutate_value, to_json
from tests.fault.parsers import Bench, Parser, builtins_of, packed, require
from tests.hub.core_kit import ALL_GAMES, StoredTableJournal, played

SENT_WHOLE = 30
"""Lines of a journal that the hub receives; short, so that each input is quick."""


def _core(folder: Path) -> Core:
    core = open_core(f"sqlite:///{folder / 'hub.sqlite'}", ALL_GAMES, ManualClock())
    for number in range(1, 5):
        core.tables.register(f"t{number}", number, f"Table {number}")
    return core


def _inbox(folder: Path) -> Bench:
    """What tables send: the hub stores, refuses or leaves out; it never fails."""
    core = _core(folder)
    cards = [played("t1", 1000 + at, game, at) for at, game in enumerate(GAMES)]
    for card in cards:
        del card.lines[SENT_WHOLE:]
        core.inbox.accept([card.batch(1, 10)], [])

    def make(random: Random) -> tuple[str, bytes]:
        card = random.choice(cards).copy()
        if random.random() < 0.5:  # a journal of its own, with changed lines and a right chain
            card.epoch = random.randrange(5000, 6000)
            at = random.randrange(len(card.lines))
            card.lines[at] = _changed_line(card.lines[at], random)
        name = random.choice(("lines", "lines", "confirmation", "picture"))
        message: Any = {
            "lines": partial(_batch, card, random),
            "confirmation": card.confirmation,
            "picture": partial(wire.RollPicture, card.epoch, 8, "die", b"\xff\xd8" + bytes(30), 1),
        }[name]()
        plain = builtins_of(message)
        plain.pop("table", None)
        return name, packed(mutate_value(plain, random) if random.random() < 0.6 else plain)

    def run(named: tuple[str, bytes]) -> None:
        name, body = named
        kind: Any = {"lines": wire.JournalLines, "confirmation": wire.Confirmation, "picture": wire.RollPicture}[name]
        try:
            found = msgspec.structs.replace(wire.decode(b"\0" + body, kind), table="t1")
        except (wire.WireError, ValueError):
            return
        if name == "picture":
            core.inbox.store_picture(found)
            return
        batches, confirmations = ([found], []) if name == "lines" else ([], [found])
        receipts = core.inbox.accept(batches, confirmations)  # type: ignore[arg-type]
        assert receipts
        assert core.inbox.accept(batches, confirmations) is not None  # type: ignore[arg-type]

    return Bench(make, run)


def _batch(card: StoredTableJournal, random: Random) -> wire.JournalLines:
    first = random.choice((1, 1, 5, 11))
    return card.batch(first, random.randrange(first, len(card.lines) + 1))


def _changed_line(line: bytes, random: Random) -> bytes:
    if random.random() < 0.7:
        return json_bytes(mutate_value(json.loads(line), random)).replace(b"\n", b" ")
    return mutate_bytes(line, random).replace(b"\n", b" ")


@dataclass(frozen=True, slots=True)
class Request:
    """A request of the hub's pages."""

    method: str
    path: str
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes


PAGES = (
    *("/", "/t/{t}", "/t/{t}/standings", "/t/{t}/matches", "/t/{t}/tables", "/t/{t}/match/1.1.1", "/t/{t}/story/1.1.1"),
    *("/tables/t1", "/pictures/t1/1001/9/0", "/style.css", "/live.js", "/icon.svg", "/fonts/Lato.ttf", "/language/fr"),
    *("/desk", "/desk/tables", "/desk/data", "/desk/t/{t}", "/desk/t/{t}/entries", "/desk/t/{t}/match/1.1.1"),
    *("/desk/login", "/desk/set-up", "/join?key=abc", "/referee", "/api/tournaments", "/api/tournaments/{t}"),
    *("/api/tournaments/{t}/live", "/api/tables/t1/live", "/t/{t}/standings.csv", "/t/{t}/tournament.pdf"),
    *("/t/{t}/tournament.json", "/t/{t}/matches.csv", "/healthz", "/nowhere"),
)
FORMS: tuple[tuple[str, dict[str, str]], ...] = (
    ("/desk/t/{t}", {"page": "overview", "event": "enter", "name": "Zoé", "entry": "e99"}),
    ("/desk/t/{t}", {"page": "overview", "event": "call", "match": "1.1.1", "table": "2"}),
    ("/desk/t/{t}", {"page": "overview", "event": "result", "match": "1.1.1", "home": "e1", "score": "3", "why": "x"}),
    ("/desk/t/{t}", {"page": "overview", "event": "draw", "round": "1", "pair1": "e1", "pair2": "e2"}),
    ("/desk/t/{t}/archive", {"page": "overview"}),
    ("/desk/do/create", {"name": "Cup", "game": "occasion", "kind": "swiss", "rounds": "3", "tables": "4"}),
    ("/desk/do/table", {"name": "Table 9", "number": "9"}),
    ("/desk/login", {"name": "Claire", "password": "a long pass phrase"}),
    ("/join", {"key": "abc", "name": "Zoé"}),
    ("/referee", {"event": "result", "match": "1.1.1", "score_home": "3", "score_away": "1"}),
)
HEADERS = (
    (b"accept-language", b"fr;q=0.9, en"),
    (b"if-none-match", b'"abc"'),
    (b"range", b"bytes=0-10"),
    (b"last-event-id", b"7"),
    (b"host", b"hub.example:8000"),
    (b"origin", b"http://hub.example:8000"),
    (b"x-forwarded-for", b"10.0.0.1"),
    (b"accept-encoding", b"gzip"),
    (b"content-encoding", b"gzip"),
    (b"transfer-encoding", b"chunked"),
    (b"expect", b"100-continue"),
    (b"cookie", b"language=fr; session=abc"),
)
METHODS = ("GET", "GET", "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "X\u00e9", "get")


def _http(folder: Path) -> Bench:
    from tests.hub.web.pages_kit import PASSWORD, pages, propose, start_tournament, visitor

    core = _core(folder)
    evening = start_tournament(core)
    propose(evening, fa.Draw)
    propose(evening, fa.Call)
    app = pages(core, core.database.clock)  # type: ignore[arg-type]
    access = app.state.site.access
    access.set_password(access.set_up_key(), PASSWORD)
    secret = access.start_session("Claire")
    key = core.keys.issue("organiser", None, "x")
    session = access.find_session(secret)
    client = visitor(app)
    samples: list[Any] = [
        {"fact": {"event": "enter", "entry": "e99", "name": "Ana"}, "why": ""},
        {"fact": {"event": "result", "match": "1.1.1", "home": "e1", "away": "e2", "score": [3, 1]}, "why": "x"},
        {"fact": {"event": "call", "match": "1.1.1", "table": 2, "clock": 1_780_000_000}},
    ]
    login = (
        (b"authorization", f"Bearer {key}".encode()),
        (b"cookie", f"session={secret}".encode()),
    )

    def make(random: Random) -> Request:
        headers = list(login) if random.random() < 0.8 else []
        headers += [_changed_header(random) for _ in range(random.choice((0, 0, 1, 3)))]
        kind = random.random()
        if kind < 0.4:
            return Request(random.choice(METHODS), _changed_path(random.choice(PAGES), random), tuple(headers), b"")
        if kind < 0.65:
            body = _body(samples, random)
            headers.append((b"content-type", b"application/json"))
            return Request("POST", _with_id("/api/tournaments/{t}/facts"), tuple(headers), body)
        path, fields = random.choice(FORMS)
        form = {"form": session.csrf_token, **fields}
        changed = mutate_value(form, random)
        pairs = changed if isinstance(changed, dict) else form
        body = urlencode([(name, _text(value)) for name, value in pairs.items()], errors="surrogatepass").encode()
        if random.random() < 0.3:
            body = mutate_bytes(body, random)
        if random.random() < 0.2:
            body, content_type = _multipart(pairs, random)
            headers.append((b"content-type", content_type))
        else:
            headers.append((b"content-type", b"application/x-www-form-urlencoded"))
        return Request("POST", _with_id(path), tuple(headers), body)

    def _with_id(path: str) -> str:
        return path.replace("{t}", evening.id)

    def _changed_path(path: str, random: Random) -> str:
        path = _with_id(path)
        action = random.randrange(6)
        if action == 0:
            parts = path.split("/")
            at = random.randrange(len(parts))
            parts[at] = quote(random.choice(TEXTS).encode("utf-8", "surrogatepass"), safe="")
            return "/" + "/".join(parts).lstrip("/")
        if action == 1:
            query = mutate_value({"from": "1", "page": "2", "key": "abc", "table": "t1", "since": "7"}, random)
            pairs = query.items() if isinstance(query, dict) else []
            return f"{path}{'&' if '?' in path else '?'}" + urlencode(
                [(name, _text(value)) for name, value in pairs], errors="surrogatepass"
            )
        if action == 2:
            raw = mutate_bytes(path.encode(), random)
            return "/" + quote(raw.lstrip(b"/"), safe="/%?=&")
        if action == 3:
            return path + quote(random.choice(("/", "/..", "/%2e%2e/", "\0", ".", "?", "#", "//x", "%")), safe="/.%?")
        return path

    def run(request: Request) -> None:
        client.cookies.clear()
        try:
            answer = client.request(
                request.method,
                "http://hub.example:8000" + request.path,
                headers=list(request.headers),
                content=request.body,
                follow_redirects=False,
            )
        except httpx.InvalidURL:  # the client refuses it, before it is sent
            return
        assert answer.status_code < 500 or answer.status_code == 503, f"{answer.status_code} {answer.text[:200]}"

    return Bench(make, run)


def _body(samples: list[Any], random: Random) -> bytes:
    if random.random() < 0.85:
        return json_bytes(mutate_value(random.choice(samples), random))
    return mutate_bytes(json_bytes(random.choice(samples)), random)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else to_json(value)[:20_000]


def _changed_header(random: Random) -> tuple[bytes, bytes]:
    name, value = random.choice(HEADERS)
    changed = mutate_bytes(value, random) if random.random() < 0.6 else value
    return name, re.sub(rb"[\r\n\0]", b"", changed)


def _multipart(fields: dict[str, Any], random: Random) -> tuple[bytes, bytes]:
    parts = [
        b'--xyz\r\ncontent-disposition: form-data; name="'
        + str(name).encode("utf-8", "replace")
        + random.choice((b'"', b'"; filename="a.txt"', b""))
        + b"\r\n\r\n"
        + _text(value).encode("utf-8", "replace")
        + b"\r\n"
        for name, value in fields.items()
    ]
    body = b"".join(parts) + b"--xyz--\r\n"
    if random.random() < 0.5:
        body = mutate_bytes(body, random)
    return body, random.choice(
        (b"multipart/form-data; boundary=xyz", b"multipart/form-data", b"multipart/form-data; boundary=")
    )


# Command line.

COMMANDS: tuple[tuple[str, ...], ...] = (
    ("replay", "{j}"),
    ("stats", "{j}", "{j}"),
    ("report", "{j}", "--csv", "{o}"),
    ("audit", "check", "{j}"),
    ("audit", "export", "{j}", "--out", "{o}"),
    ("catalogue", "check", "{c}", "--kind", "footclub_team"),
    ("catalogue", "import", "{c}", "--replace", "--partly"),
    ("catalogue", "export", "clubs", "--out", "{o}"),
    ("dice-sheet", "footclub", "--out", "{o}", "--size", "16", "--copies", "1", "--language", "fr"),
    ("card-sheet", "--out", "{o}", "--language", "en"),
    ("play", "occasion", "--seed", "3", "--out", "{o}", "--player", "random"),
    ("backup", "{o}", "--keep", "3", "--no-pictures"),
    ("restore", "{j}", "--settings"),
    ("hub", "--restore", "{j}"),
    ("watch", "{j}", "--set", "pips", "--count", "2", "--max-rolls", "1", "--fps", "30"),
    ("read", "--regressions", "{d}"),
    ("unlock",),
    ("--version",),
    ("--help",),
    ("tray", "--help"),
)
FORBIDDEN = frozenset({"run", "demo", "trial", "doctor", "flash", "watch-forever", "install"})
"""Words that a mutated line may not hold: they open the app, play for minutes or write firmware."""
ARGUMENTS = (
    *("--count", "--seed", "--out", "--config", "--set", "--help", "--", "-", "-x", "--seed=", "--count=-1", "--json"),
    *(
        "999999999999999999999",
        "-5",
        "1e9",
        "nan",
        "0x10",
        "",
        " ",
        "\udcff",
        "é",
        "a\x01b",
        "/dev/null",
        "/",
        "~nobody",
    ),
    *("x" * 5000, "..", "camera:x", "drawn:", "clubs", "occasion", "nba"),
)


def _command_line(folder: Path) -> Bench:
    from companion.cli import app
    from companion.commands.exit_codes import run_cli

    config = folder / "config.toml"
    config.write_text(f'[data]\nfolder = "{folder / "data"}"\n')
    places = {
        "{j}": folder / "j.jsonl",
        "{c}": folder / "c.csv",
        "{o}": folder / "out",
        "{d}": folder / "misreads",
    }
    places["{j}"].write_bytes(b'{"journal": 1, "game": "occasion"}\n')
    places["{c}"].write_text("club;name\nA;B\n")
    places["{d}"].mkdir()

    def make(random: Random) -> list[str]:
        arguments = [str(places.get(word, word)) for word in random.choice(COMMANDS)]
        for _ in range(random.randint(0, 2)):
            at = random.randrange(len(arguments) + 1)
            action = random.randrange(4)
            if action == 0:
                arguments.insert(at, random.choice(ARGUMENTS))
            elif action == 1 and arguments:
                arguments[at % len(arguments)] = random.choice(ARGUMENTS)
            elif action == 2 and arguments:
                del arguments[at % len(arguments)]
            elif arguments:
                arguments.insert(at, arguments[at % len(arguments)])
        return arguments

    def run(arguments: list[str]) -> None:
        line = ["--config", str(config), *arguments]
        if not arguments or FORBIDDEN & set(arguments) or not _starts_no_service(arguments):
            return
        out, err = _capture(lambda: _as_command(line, lambda: run_cli(app)))
        assert "Traceback" not in err
        del out

    return Bench(make, run)


def _starts_no_service(arguments: list[str]) -> bool:
    """Return False for a line that may open the app, run the hub or read a real camera without end."""
    first = next((word for word in arguments if not word.startswith("-")), None)
    if first == "hub":
        return "--restore" in arguments or "--help" in arguments
    if first == "tray":
        return "--help" in arguments
    return first is not None or bool({"--help", "--version"} & set(arguments))


def _as_command(line: list[str], run: Callable[[], None]) -> None:
    before, sys.argv = sys.argv, ["companion", *line]
    try:
        run()
    except SystemExit as end:
        require(end.code in (None, 0, 1, 2), f"status {end.code}")
    finally:
        sys.argv = before


def _capture(run: Callable[[], None]) -> tuple[str, str]:
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="strict")
    err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="backslashreplace")
    with redirect_stdout(out), redirect_stderr(err):
        run()
    out.flush()
    err.flush()
    return tuple(stream.buffer.getvalue().decode("utf-8", "replace") for stream in (out, err))  # type: ignore[return-value,attr-defined]


SERVICE_PARSERS = (
    Parser("hub inbox", 16, _inbox),
    Parser("HTTP", 20, _http),
    Parser("command line", 8, _command_line),
)
