"""Every parser of the product with a maker of bad inputs from valid samples, and the errors that it documents."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from companion.clock import ManualClock
from companion.games.base import Refusal
from companion.games.registry import DICE_STATISTICS, GAMES
from companion.journal.codec import encode
from companion.language import LANGUAGES, Language
from companion.table.autoplay import play
from tests.fault.mutations import (
    copied,
    json_bytes,
    mutate_bytes,
    mutate_lines,
    mutate_value,
    to_json,
    toml_bytes,
)


@dataclass(frozen=True, slots=True)
class Bench:
    """A parser at work: `make` makes an input, `run` gives it to the parser. Any error of `run` is a fault.

    `sample` is a valid input, for files that are kept.
    """

    make: Callable[[Random], Any]
    run: Callable[[Any], object]
    sample: bytes = b""


@dataclass(frozen=True, slots=True)
class Parser:
    """A parser of the product. `prepare` opens its bench in a folder; `share` is its part of all inputs."""

    name: str
    share: int
    prepare: Callable[[Path], Bench]


def require(condition: object, text: str) -> None:
    """Check a promise of a parser. Raises: AssertionError."""
    assert condition, text


def check_sentence(error: BaseException) -> None:
    """Check that an error has a sentence in both languages. Raises: AssertionError."""
    message = getattr(error, "message", None)
    if message is None or isinstance(message, str):
        assert str(error), f"{type(error).__name__} says nothing"
        return
    for code in LANGUAGES:
        language = Language(code)
        text = language.text(message)
        assert text, f"{message.id} says nothing"
        assert text != message.id or " " in text, f"{message.id} has no sentence"


def expect(errors: type[Exception] | tuple[type[Exception], ...], parse: Callable[[], object]) -> object:
    """Call a parser; an error that it documents must have a sentence. Raises: every other error."""
    try:
        return parse()
    except errors as error:
        check_sentence(error)
    return None


def _in_file(folder: Path, name: str, read: Callable[[Path], object]) -> Callable[[bytes], object]:
    """Return a function that writes an input into a file and reads it."""

    def run(content: bytes) -> object:
        path = folder / name
        path.write_bytes(content)
        return read(path)

    return run


def _structured(samples: list[Any], encode: Callable[[Any], bytes], random: Random) -> bytes:
    """Return an input made from one of the samples: by structure in four cases of five."""
    value = random.choice(samples)
    if random.random() < 0.8:
        return encode(mutate_value(value, random))
    return mutate_bytes(encode(value), random, encode(random.choice(samples)))


# Journals.


def _journals(most: int = 60) -> list[list[Any]]:
    """Return a short journal of each game and seed."""
    return [list(islice(play(game, Random(seed)), most)) for game in GAMES.values() for seed in (1, 2)]


def _journal_bytes(samples: list[list[Any]], random: Random) -> bytes:
    fields = random.choice(samples)
    lines = [encode(each) for each in fields]
    other = encode(random.choice(random.choice(samples)))
    if random.random() < 0.75:
        changed = mutate_lines(lines, random, partial(_mutated_line, random=random))
        end = random.choice((b"\n", b"\n", b"\n", b"\r\n", b"\n\n", b"\r", b" "))
        return end.join(changed) + end
    return mutate_bytes(b"\n".join(lines) + b"\n", random, other)


def _mutated_line(line: bytes, random: Random) -> bytes:
    """Change a line by its structure, unless an earlier change made it unreadable."""
    try:
        return json_bytes(mutate_value(json.loads(line), random))
    except ValueError:
        return line


def _journal(folder: Path) -> Bench:
    from companion.journal.ledger import run_replay

    samples = _journals()

    def read(path: Path) -> None:
        out, err = io.StringIO(), io.StringIO()
        status = run_replay(path, GAMES, out, err, Language("fr"))
        assert status in (0, 2)
        assert bool(out.getvalue()) == (status == 0)
        assert bool(err.getvalue()) == (status == 2)

    return Bench(partial(_journal_bytes, samples), _in_file(folder, "occasion-x.jsonl", read))


def _accepted_journal(folder: Path) -> Bench:
    """A journal that the rules accept must be told, counted, reported and audited without an error."""
    from companion.journal.codec import FileUnreadable
    from companion.journal.ledger import InvalidLine, replay
    from companion.table.dice import pictures_of
    from companion.table.history import tally_of
    from companion.table.report import report, report_csv

    samples = _journals(25)

    def make(random: Random) -> bytes:
        lines = [encode(each) for each in random.choice(samples)]
        at = 0 if random.random() < 0.6 else random.randrange(len(lines))
        lines[at] = json_bytes(mutate_value(json.loads(lines[at]), random, 1))
        return b"\n".join(lines[: random.choice((1, len(lines)))]) + b"\n"

    def read(path: Path) -> None:
        try:
            found = replay(path, GAMES)
        except (InvalidLine, FileUnreadable) as error:
            check_sentence(error)
            return
        ledger, game = found.ledger, found.game
        for event in ledger.events:
            for code in LANGUAGES:
                assert Language(code).text(game.describe(event.state_after, event.fields, event.outcome))
        game.scene(ledger.state)
        tally_of([ledger], DICE_STATISTICS[game.id])
        made = report(ledger, DICE_STATISTICS[game.id], "1", lambda line: pictures_of(()))
        report_csv([made], Language("en"))

    return Bench(make, _in_file(folder, "j.jsonl", read))


# Settings and state of a table.


def _config(folder: Path) -> Bench:
    from companion.config import ConfigError, read_config, save_setting

    sample = {
        "table": {"name": "Table 3", "first_steps": "touch"},
        "display": {"language": "en", "width_mm": 154.5, "rotation": 90, "text_scale": 115, "less_motion": True},
        "sound": {"effects": False, "volume": 30, "voice": "all"},
        "camera": {"source": "camera:0", "rotation": 180},
        "data": {"folder": "~/matches", "pictures_mb": 500, "pictures_days": 30, "misreads": False, "csv": ";"},
        "hardware": {"panel": "gpio", "pins": "pins.toml", "tray": "/dev/ttyACM0"},
        "hub": {"address": "hub.local:4222", "token": "ABCDE-FGHIJ"},
    }

    def read(path: Path) -> None:
        expect(ConfigError, lambda: read_config(path))
        expect(ConfigError, lambda: save_setting(path, "display", "brightness", 50))

    return Bench(partial(_structured, [sample], toml_bytes), _in_file(folder, "config.toml", read), toml_bytes(sample))


def _wiring(folder: Path) -> Bench:
    from hardware.wiring import WiringError, read_wiring

    sample = {
        "buttons": {"confirm": 5, "undo": 6, "left": 13, "right": 19, "to": "ground"},
        "lamps": {"confirm": 17, "undo": 27, "lit_by": "high", "dimmed": True},
        "buzzer": {"pin": 18, "sound": "tones"},
    }

    def parse(path: Path) -> None:
        try:
            read_wiring(path)
        except WiringError as error:
            require(error.facts["file"], "no file is named")

    return Bench(partial(_structured, [sample], toml_bytes), _in_file(folder, "pins.toml", parse), toml_bytes(sample))


def _calibration(folder: Path) -> Bench:
    from vision.calibration.monitor import CalibrationMonitor
    from vision.calibration.record import Calibration, LearnedCamera, LockedLight, UnreadableCalibration, load
    from vision.cameras.simulated_tray import SimulatedTray

    camera = SimulatedTray(1)
    frame = camera.frame(0.0)
    monitor = CalibrationMonitor(camera, folder / "calibration.json")
    size = (frame.picture.shape[1], frame.picture.shape[0])
    corners = ((10.0, 12.0), (600.0, 9.0), (610.0, 400.0), (8.0, 390.0))
    kept = Calibration(
        monitor.identity,
        size,
        "2026-01-01T20:00:00",
        corners,
        focal=0.8,
        gains=(1.0, 0.9, 1.1),
        held=LockedLight(8000, 1.5, (1.2, 1.8)),
        edge=44.0,
        findings=(("corners", 0.9, 1.0), ("light", 0.5, -1.0)),
        empty="/9j/4AAQSkZJRg==",
        learnt=LearnedCamera((0.5, -0.2), 0.81),
    )
    samples = [json.loads(msgspec.json.encode(kept))]

    def read(path: Path) -> None:
        found: Any = expect(UnreadableCalibration, lambda: load(path))
        if found is not None:
            found.saved_findings()
            found.ground()
        monitor.reset()
        monitor.load_saved(frame)

    return Bench(
        partial(_structured, samples, json_bytes), _in_file(folder, "calibration.json", read), json_bytes(samples[0])
    )


def _link_state(folder: Path) -> Bench:
    from companion.link.link_state import SharedLinkState, encode_state, load_state, peek_state

    samples = [json.loads(encode_state(_persisted()))]

    def read(_: Path) -> None:
        peek_state(folder)
        shared = SharedLinkState(load_state(folder), ManualClock(), lambda: None)
        shared.snapshot()
        shared.check_in("m1", "home", True)
        shared.due_confirmations()
        shared.snapshot()
        encode_state(shared.persisted)
        for extra in folder.glob("hub*damaged*"):
            extra.unlink()

    return Bench(partial(_structured, samples, json_bytes), _in_file(folder, "hub.json", read), json_bytes(samples[0]))


def _persisted() -> Any:
    from companion.link.link_state import PersistedState
    from companion.messages.wire import Confirmation
    from companion.tournament.headers import TournamentMark

    mark = TournamentMark("cup", "m1", 1) if len(TournamentMark.__match_args__) == 3 else None
    state, board = example_messages()["state"], example_messages()["board"]
    return PersistedState(
        address="hub.local:4222",
        token="ABCDE",
        configured=("hub.local", "ABCDE"),
        state=state,
        board=board,
        present={"cup/m1": ["home"]},
        confirmations={"cup/m1": Confirmation(journal="j1", seq=12, by=("home",), needs=("home", "away"))},
        games={} if mark is None else {"cup/m1": mark},
    )


def _pin(folder: Path) -> Bench:
    from argon2 import PasswordHasher

    from companion.app import pin_lock

    clock = ManualClock()
    path = folder / "pin.toml"
    hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    lock = open_pin_lock(path, clock, hasher)
    lock.set_pin("1234")
    lock.lock()
    lock.try_pin("9999")
    import tomllib

    samples = [tomllib.loads(path.read_text("utf-8"))]

    def read(_: Path) -> None:
        reopened = open_pin_lock(path, clock, hasher)
        assert 0 <= reopened.seconds_until_retry() <= pin_lock.RETRY_DELAYS_S[-1]
        reopened.try_pin("1234")
        for extra in folder.glob("pin.toml.damaged*"):
            extra.unlink()

    return Bench(partial(_structured, samples, toml_bytes), _in_file(folder, "pin.toml", read), toml_bytes(samples[0]))


def open_pin_lock(path: Path, clock: ManualClock, hasher: Any) -> Any:
    """Return the PIN lock of a file."""
    from companion.app.pin_lock import PinLock

    return PinLock(path, clock.monotonic, hasher)


def _market(folder: Path) -> Bench:
    from companion.games.footclub.draft import start_draft
    from companion.games.footclub.mercato import open_market
    from companion.games.footclub.screens.selection_store import SelectionStore
    from companion.table.catalogues.card_store import CardStoreError, sample
    from companion.table.catalogues.csv_tables import KINDS

    kind = KINDS.get("footclub_team")
    store = SelectionStore(folder)
    samples = []
    for each in [kind] if kind else KINDS.values():
        try:
            rows = sample(each).rows
            draft = start_draft(rows, ("A", "B"))
            for _ in range(4):
                draft = draft.pick(next(row["id"] for row in draft.left if draft.disabled_reason(row) is None))
            market = open_market(rows, ("A", "B"), Random(1))
        except (Refusal, KeyError, ValueError):
            continue
        for one in (draft, market):
            store.save(one)  # type: ignore[arg-type]
            samples.append(json.loads((folder / "market.json").read_bytes()))
    assert samples

    def read(_: Path) -> None:
        expect(CardStoreError, store.load)
        for extra in folder.glob("market.json?*"):
            extra.unlink()

    return Bench(
        partial(_structured, samples, json_bytes), _in_file(folder, "market.json", read), json_bytes(samples[0])
    )


def _misreads(folder: Path) -> Bench:
    from companion.table.misreads import Misread, Misreads
    from vision.roll import RollRequest

    case = {
        "image": "a.jpg",
        "source": "misread",
        "set": "pips",
        "count": 2,
        "due": {"pips": 2},
        "dice": [{"kind": "pips", "value": 5, "colour": None, "symbol": None, "box": [1, 2, 30, 40]}],
        "read": [],
        "size": [640, 480],
    }
    new = Misread("b", b"jpeg", (640, 480), (), (), RollRequest("pips", ()), "2026")

    def make(random: Random) -> bytes:
        lines = [json_bytes({**case, "image": f"{n}.jpg"}) for n in range(4)]
        change = lambda line: json_bytes(mutate_value(case, random))  # noqa: E731
        return (
            b"\n".join(mutate_lines(lines, random, change))
            if random.random() < 0.8
            else mutate_bytes(b"\n".join(lines), random)
        )

    def read(_: Path) -> None:
        Misreads(folder, {}, run_task=lambda work: work()).save(new)

    return Bench(make, _in_file(folder, "cases.jsonl", read), json_bytes(case) + b"\n" + json_bytes(case) + b"\n")


def _labels(folder: Path) -> Bench:
    from vision.decision.labels import ManifestError, check_names, load_lines
    from vision.dice_sets import load

    dice = {"kind": "ball", "value": None, "colour": "red", "symbol": None, "box": [1.5, 2, 30, 40]}
    case = {
        "image": "a.jpg",
        "source": "photo",
        "set": "footclub",
        "count": 2,
        "due": {"pips": 2, "ball": None},
        "dice": [dice, {"kind": "pips", "value": 6}],
        "size": [640, 480],
    }
    known = load("footclub")

    def make(random: Random) -> bytes:
        lines = [json_bytes(mutate_value(case, random) if random.random() < 0.8 else case) for _ in range(3)]
        return b"\n".join(lines) if random.random() < 0.8 else mutate_bytes(b"\n".join(lines), random)

    def read(path: Path) -> None:
        found: Any = expect(ManifestError, lambda: load_lines(path))
        for labelled in found[0] if found else ():
            expect(ManifestError, partial(check_names, labelled, known))
        for fault in found[1] if found else ():
            check_sentence(fault)

    return Bench(make, _in_file(folder, "manifest.jsonl", read))


def _reading(folder: Path) -> Bench:
    """The readings stored with an event, as JSON in the store."""
    from companion.journal.store import READING, Picture
    from companion.table.dice import StoredReading, pictures_of
    from vision.roll import DieReading, Face

    face = Face(5, None, None)
    die = DieReading("pips", face, (1.0, 2.0, 30.0, 40.0), 0.99, possible=((face, 0.99),))
    samples = [json.loads(msgspec.json.encode(StoredReading((die, die), (640, 480))))]
    return Bench(
        partial(_structured, samples, json_bytes),
        lambda content: pictures_of([Picture(READING, content)]),
        json_bytes(samples[0]),
    )


# Dice sets and cards.


def _dice_set(folder: Path) -> Bench:
    import tomllib

    from vision import dice_sets

    samples = [tomllib.loads((dice_sets.FOLDER / f"{name}.toml").read_text("utf-8")) for name in dice_sets.names()]

    def read(path: Path) -> None:
        found: Any = expect(dice_sets.DiceSetError, lambda: dice_sets.load(str(path)))
        if found is not None:
            dice_sets.with_every_ink(found)
            one = dice_sets.with_one_ink(found, {})
            again = dice_sets.parse(dice_sets.to_toml(one), one.name, "x")
            assert again == one

    return Bench(partial(_structured, samples, toml_bytes), _in_file(folder, "own.toml", read), toml_bytes(samples[0]))


def _card_table(folder: Path) -> Bench:
    from companion.table.catalogues.card_store import CardStore, CardStoreError, read_file, sample
    from companion.table.catalogues.csv_tables import CLUB_FILES, KINDS, format_table

    tables = []
    for kind in KINDS.values():
        rows = (
            [row for club in CLUB_FILES.samples() for row in CLUB_FILES.rows(club)]
            if kind is CLUB_FILES.kind
            else list(sample(kind).rows)
        )
        tables += [
            format_table(kind, rows[:12], language, mark) for language, mark in ((None, ","), (Language("fr"), ";"))
        ]
    store = CardStore(folder / "catalogues", folder / "clubs")

    def make(random: Random) -> bytes:
        content = random.choice(tables)
        if random.random() < 0.3:
            return mutate_bytes(content, random, random.choice(tables))
        lines = content.split(b"\r\n")
        mark = b";" if content.startswith(b"\xef") else b","

        def change(line: bytes) -> bytes:
            cells = line.decode("utf-8", "replace").split(mark.decode())
            changed = mutate_value(cells, random)
            texts = changed if isinstance(changed, list) else [changed]
            return mark.join(_cell(each) for each in texts)

        text = random.choice((b"\r\n", b"\n", b"\r")).join(mutate_lines(lines, random, change))
        encoded = random.choice(("utf-8", "utf-8", "utf-8", "utf-16", "cp1252"))
        return text if encoded == "utf-8" else text.decode("utf-8", "replace").encode(encoded, "replace")

    def read(path: Path) -> None:
        found: Any = expect(CardStoreError, lambda: read_file(path))
        if found is not None:
            for fault in found.faults:
                for code in LANGUAGES:
                    assert Language(code).text(fault.message)
            if found.kind is not None and found.rows:
                written = format_table(found.kind, found.rows)
                path.write_bytes(written)
                again = read_file(path, found.kind)
                assert again.rows == found.rows, "what is written is not read back"
            store.club(path)

    return Bench(make, _in_file(folder, "table.csv", read), tables[0])


def _cell(value: object) -> bytes:
    try:
        return str(value).encode("utf-8", "surrogatepass")
    except ValueError:  # an integer of more than 4300 digits
        return b"9" * 4400


def _squad(folder: Path) -> Bench:
    import tomllib
    from importlib import resources

    from companion.games.catalogue import SquadFileError
    from companion.table.catalogues.squads import CLUB_FILES, read_squad

    place = resources.files("companion.games.footclub")
    samples = [tomllib.loads(Path(str(entry)).read_text("utf-8")) for entry in sorted(Path(str(place)).rglob("*.toml"))]
    samples = [each for each in samples if "players" in each]
    assert samples

    def make(random: Random) -> tuple[str, bytes]:
        if random.random() < 0.5:
            return "club.toml", _structured(samples, toml_bytes, random)
        return "club.json", _structured(samples, json_bytes, random)

    def run(named: tuple[str, bytes]) -> None:
        path = folder / named[0]
        path.write_bytes(named[1])
        club: Any = expect(SquadFileError, lambda: read_squad(path))
        if club is not None:
            CLUB_FILES.rows(club)

    return Bench(make, run)


# Messages, tokens and addresses.


def example_messages() -> dict[str, Any]:
    """Return a valid message of each kind."""
    from companion.games.base import Message
    from companion.messages import wire

    title = Message("tournament.round", {"n": 2, "inner": Message("tournament.final", {})})
    called = wire.CalledMatch(
        tournament="cup",
        match="m1",
        game="occasion",
        home="Anna",
        away="Bruno",
        home_side="blue",
        away_side="red",
        header={"tournament": {"id": "cup", "match": "m1"}},
        title=title,
        called=1_780_000_000,
        page="http://hub.example/m1",
    )
    row = wire.StandingRow(1, "e1", "Anna", 3, 2, 1, 0, 9, 4, 7)
    coming = wire.ComingMatch("m2", "Anna", "Cleo", title, 3, 1_780_000_100, True, "http://hub.example/m2")
    receipt = wire.Receipt(7, 12, bytes(16), 0, 12, "too_long")
    return {
        "lines": wire.JournalLines(1_780_000_000, 1, bytes(16), (b'{"journal": 1}', b'{"event": "x"}')),
        "confirmation": wire.Confirmation(epoch=7, seq=12, chain=bytes(16), by=("Anna", "Bruno")),
        "hello": wire.Hello(run="r1", ask=True, waiting=3, present={"cup/m1": ("home", "away")}),
        "picture": wire.RollPicture(7, 12, "die", b"\xff\xd8jpeg", 1),
        "hub": wire.Hub(hub="h1"),
        "receipts": wire.Receipts(hub="h1", receipts=(receipt, receipt), all=True),
        "state": wire.TableState(
            hub="h1", table=3, tournament="cup", name="Coupe", match=called, pages="http://hub.example"
        ),
        "board": wire.StandingsBoard(
            hub="h1",
            tournament="cup",
            name="Coupe",
            told=1_780_000_000,
            standings=(wire.StandingTable(title, (row, row), 1),),
            coming=(coming,),
        ),
    }


def packed(value: Any) -> bytes:
    """Return MessagePack; what it cannot hold becomes text."""
    try:
        return msgspec.msgpack.encode(value)
    except (OverflowError, ValueError, TypeError, RecursionError):
        return msgspec.msgpack.encode(_clamped(value))


def _clamped(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key).encode("utf-8", "replace").decode(): _clamped(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_clamped(inner) for inner in value]
    if isinstance(value, int) and not isinstance(value, bool):
        return max(-(2**63), min(2**64 - 1, value))
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def builtins_of(message: Any) -> Any:
    """Return a message as plain data, with bytes kept."""
    return copied(msgspec.to_builtins(message, builtin_types=(bytes,)))


def _wire(folder: Path) -> Bench:
    import zlib

    from companion.link.link_state import PersistedState, SharedLinkState
    from companion.messages import wire

    messages = example_messages()
    kinds: Mapping[str, type[msgspec.Struct]] = {name: type(message) for name, message in messages.items()}
    plain = {name: builtins_of(message) for name, message in messages.items()}
    bomb = b"\x01" + zlib.compress(bytes(60 << 20), 9)

    def make(random: Random) -> tuple[str, bytes]:
        name = random.choice(list(kinds))
        if random.random() < 0.002:
            return name, bomb
        body = packed(mutate_value(plain[name], random))
        if random.random() < 0.2:
            body = mutate_bytes(body, random, packed(random.choice(list(plain.values()))))
        raw = b"\x01" + zlib.compress(body) if random.random() < 0.3 else b"\x00" + body
        return name, mutate_bytes(raw, random) if random.random() < 0.1 else raw

    def run(named: tuple[str, bytes]) -> None:
        name, raw = named
        found: Any = expect(wire.WireError, lambda: wire.decode(raw, kinds[name]))
        if found is None:
            return
        assert wire.decode(wire.encode(found), kinds[name]) is not None
        shared = SharedLinkState(PersistedState(address="hub", token="T"), ManualClock(), lambda: None)
        shared.update_state(messages["state"])
        if name == "state":
            shared.update_state(found)
        if name == "board":
            shared.update_board(found)
        snapshot = shared.snapshot()
        language = Language("fr")
        for title in (
            *([snapshot.match.title] if snapshot.match else []),
            *(table.title for table in snapshot.standings),
            *(match.title for match in snapshot.coming),
        ):
            language.text(title)

    return Bench(make, run)


def _token(folder: Path) -> Bench:
    from companion.hub.broker import BrokerError, parse_cluster_address
    from companion.messages.token import Token, TokenError, format_token, join_fault, parse_address, parse_token

    texts = [
        format_token(Token("t1", "k" * 20, bytes(range(12)))),
        "hub.local:4222",
        "[fe80::1]:4222",
        "tls://a.example:4222,tls://b.example",
    ]

    def make(random: Random) -> str:
        text = mutate_value({"text": random.choice(texts)}, random)
        raw = to_json(text["text"] if isinstance(text, dict) and "text" in text else text).strip('"')
        if random.random() < 0.5:
            raw = mutate_bytes(raw.encode("utf-8", "surrogatepass"), random).decode("utf-8", "surrogateescape")
        return raw

    def run(text: str) -> None:
        expect(TokenError, lambda: parse_token(text))
        expect(TokenError, lambda: parse_address(text))
        expect(BrokerError, lambda: parse_cluster_address(text))
        fault = join_fault(text, text)
        assert fault is None or Language("en").text(fault)

    return Bench(make, run)


def _tray(folder: Path) -> Bench:
    from firmware import cbor, framing, protocol
    from hardware.tray import from_tray, roles_of, version_of

    about = {"name": "tray", "version": "1.2", "buttons": ["confirm", "undo", "left"], "protocol": 1}
    boot, peer = 77, 4711
    link = boot ^ peer

    def frames(random: Random) -> list[list[Any]]:
        hello = [protocol.HELLO, protocol.VERSION, peer, boot, 1, about]
        data = [
            [protocol.DATA, link, number, 0, 0, 5, message]
            for number, message in enumerate(
                ([protocol.PRESS, 0, False], [protocol.MOVING, True], [protocol.LID, False], ["fault", "text"]), 1
            )
        ]
        return [hello, *data, [protocol.ACK, link, 1, 0], [protocol.WORD, "boot"]]

    def encoded(value: Any) -> bytes:
        try:
            return framing.frame(cbor.encode(value))
        except (ValueError, RecursionError):
            return framing.frame(cbor.encode(to_json(value)[:100].encode("ascii", "replace")))

    def make(random: Random) -> bytes:
        chosen = frames(random)
        at = random.randrange(len(chosen))
        chosen[at] = mutate_value(chosen[at], random)
        raw = b"".join(encoded(each) for each in chosen)
        return mutate_bytes(raw, random) if random.random() < 0.3 else raw

    def run(raw: bytes) -> None:
        end = protocol.SerialLink(boot, {"name": "table"}, greets=True)
        for number in range(3):
            end.offer([protocol.SHOW, number], 0)
        end.due(0)
        step = max(1, len(raw) // 4)
        for at in range(0, len(raw), step):
            for message, moment in end.feed(raw[at : at + step], 1000 + at):
                roles = roles_of(end.peer_about)
                version_of(end.peer_about)
                from_tray(message, moment / 1000, roles)
            end.due(1000 + at)
        for piece in raw.split(b"\0"):
            try:
                cbor.decode(framing.cobs_decode(piece))
            except cbor.Malformed:
                continue

    return Bench(make, run)


def _tray_settings(folder: Path) -> Bench:
    from firmware import settings

    def run(content: bytes) -> None:
        text = content.decode("utf-8", "replace")
        expect(settings.SettingsError, lambda: settings.read(text))

    return Bench(partial(_structured, [settings.DEFAULTS], json_bytes), run)


def _tournament(folder: Path) -> Bench:
    from companion.tournament import facts as fa
    from companion.tournament import planning
    from tests.tournament import plans

    made = [
        plans.round_robin("Cup", "occasion", legs=2),
        plans.swiss("Swiss", "nba", 3),
        plans.knock_out("KO", "footclub", legs=2),
        plans.groups_then_knock_out("G", "hoops21", 2, 2),
        plans.nba_legacy("L", (3, 6)),
    ]
    facts = [
        fa.to_json(each)
        for each in (
            fa.Enter("e1", "Anna", 3),
            fa.Start(),
            fa.Draw(1, (("e1", "e2"),), "e3"),
            fa.Call("1.1.1", 2, 1_780_000_000),
            fa.Result("1.1.1", "e1", "e2", (3, 1)),
            fa.Forfeit("1.1.1", "home", "late"),
        )
    ]
    samples = [*(planning.to_json(plan) for plan in made), *facts]

    def run(content: bytes) -> None:
        try:
            value = json.loads(content)
        except (ValueError, RecursionError):
            return
        if isinstance(value, dict):
            expect(Refusal, lambda: planning.parse(value))
            expect(Refusal, lambda: fa.parse(value))

    return Bench(partial(_structured, [dict(each) for each in samples], json_bytes), run)


SMALL_PARSERS = (
    Parser("journal", 24, _journal),
    Parser("accepted journal", 20, _accepted_journal),
    Parser("config", 12, _config),
    Parser("wiring", 8, _wiring),
    Parser("calibration", 8, _calibration),
    Parser("link state", 12, _link_state),
    Parser("PIN", 6, _pin),
    Parser("market", 4, _market),
    Parser("misreads", 4, _misreads),
    Parser("labels", 10, _labels),
    Parser("stored reading", 8, _reading),
    Parser("dice set", 14, _dice_set),
    Parser("card table", 20, _card_table),
    Parser("squad", 14, _squad),
    Parser("wire messages", 24, _wire),
    Parser("tokens and addresses", 8, _token),
    Parser("tray frames", 16, _tray),
    Parser("tray settings", 6, _tray_settings),
    Parser("tournament", 12, _tournament),
)
