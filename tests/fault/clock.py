"""The wall clock years off, jumping, or without a time at boot: order, waits, retention and statistics hold.

`python -m tests.fault.clock [--count N] [--seed N]`. Who reads the wall clock (`grep -rn 'now()' companion`), and the
round that covers it:

| reader | round |
| --- | --- |
| journal/store.py: epochs, times of events, removed matches, old pictures | store, retention |
| commands/run.py: pictures deleted after `data.pictures_days` | retention |
| table/session.py, table/misreads.py, app/screens/report.py, commands/report.py: times that are only shown | match |
| table/history.py: statistics | match |
| table/dice.py, vision/calibration: age of the calibration | calibration |
| app/pin_lock.py: wait after wrong PINs | waits |
| app/tournament_follower.py, link/link_state.py: times of the hub, shown at the table | link |
| hub/link.py, hub/registry.py, hub/web/pages.py, hub/tournament_service.py: calls and last contact | tournament |
| hub/database.py: revisions; hub/retention.py: names and pictures | tournament, hub retention |
| commands/backup.py, commands/hub/backups.py, app/screens/settings.py: names of backups, and which are kept | backups |
| hub/web/middleware.py, hub/broker.py, table/controls.py, vision: monotonic clock only | none |
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta, timezone
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random

from companion.clock import ManualClock
from companion.games.registry import DICE_STATISTICS, GAMES
from companion.journal.store import REMOVED_RETENTION, Picture, Store
from companion.table.autoplay import play
from tests.fault.checks import Check, Rounds

NOON = datetime(2026, 6, 1, 12, 0, tzinfo=timezone(timedelta(hours=2)))
UNSET = datetime(1970, 1, 1, 0, 0, 20, tzinfo=UTC)
"""The time of a computer without a battery, 20 s after its start."""
JUMPS = (
    UNSET,
    datetime(1969, 12, 31, 23, 0, tzinfo=UTC),
    datetime(1999, 12, 31, 23, 59, 59, tzinfo=UTC),
    datetime(2026, 10, 25, 0, 59, tzinfo=UTC),
    datetime(2031, 2, 28, 23, 59, tzinfo=timezone(timedelta(hours=-11))),
    datetime(2038, 1, 19, 3, 14, 8, tzinfo=UTC),
    datetime(2106, 2, 7, 6, 28, 16, tzinfo=UTC),
    NOON,
)
"""Times to which a clock may jump: unset, before 1970, centuries, end of summer time, 2038, 2106."""


def clock_rounds(folder: Path, count: int, random: Random) -> Rounds:
    """Return every round by name, with `count` jumps in each of those that are random."""
    rounds: dict[str, Callable[[Path, int, Random], Iterator[Check]]] = {
        "store": _store,
        "match": _match,
        "retention": _retention,
        "waits": _waits,
        "link": _link,
        "tournament": _tournament,
        "hub retention": _hub_retention,
        "backups": _backups,
        "calibration": _calibration,
    }
    made = []
    for name, checks in rounds.items():
        place = folder / f"clock-{name.replace(' ', '-')}"
        made.append((f"clock: {name}", partial(_in_folder, checks, place, count, random)))
    return made


def _in_folder(
    checks: Callable[[Path, int, Random], Iterator[Check]], place: Path, count: int, random: Random
) -> Iterator[Check]:
    place.mkdir(parents=True, exist_ok=True)
    try:
        yield from checks(place, count, random)
    except Exception as error:  # noqa: BLE001 (an error of the product is a failed check)
        yield "the round ends", [f"{type(error).__name__}: {error}"]


def _jump(clock: ManualClock, random: Random) -> datetime:
    """Set the wall clock to another time, or let some time pass. Returns the time."""
    if random.random() < 0.7:
        clock.set(random.choice(JUMPS))
    clock.advance(random.choice((0.001, 1.0, 3600.0)))
    return clock.now()


def _problem(holds: object, text: str) -> list[str]:
    return [] if holds else [text]


def _store(folder: Path, count: int, random: Random) -> Iterator[Check]:
    """Epochs only grow, matches and events keep their order, in the file and after it was opened again."""
    clock = ManualClock(NOON)
    header, *events = islice(play(GAMES["occasion"], Random(1)), 6)
    made: list[str] = []
    epochs: list[int] = []
    for number in range(1, count + 1):
        at = _jump(clock, random)
        with Store.open(folder / "matches.sqlite", clock) as store:
            made.insert(0, store.create(header))
            for event in events:
                _jump(clock, random)
                store.append(made[0], event)
            matches = store.matches()
            epochs.append(matches[0].epoch)
            lines = [line.fields["event"] for line in store.events(made[0])]
            problems = _problem([match.id for match in matches] == made, "the matches are not in the order played")
            problems += _problem(epochs == sorted(set(epochs)), f"the epochs do not grow: {epochs[-2:]}")
            problems += _problem(lines == [event["event"] for event in events], "the events are not in order")
            problems += _problem(0 < epochs[-1] < 2**53, f"epoch {epochs[-1]} does not fit a message")
            problems += list(store.check())
        yield f"jump {number} to {at:%Y-%m-%d}", problems


def _match(folder: Path, count: int, random: Random) -> Iterator[Check]:
    """Jumps during a match change neither its state, nor its statistics, nor its report."""
    from companion.language import Language
    from companion.table.dice import pictures_of
    from companion.table.history import tally_of
    from companion.table.matches import Matches
    from companion.table.report import report, report_csv

    for number in range(1, max(2, count // 20) + 1):
        game = random.choice(list(GAMES.values()))
        header, *events = islice(play(game, Random(number)), 40)
        states = []
        for jumps in (False, True):
            clock = ManualClock(NOON)
            with Store.open(folder / f"{number}-{jumps}.sqlite", clock) as store:
                session = Matches(store, GAMES).start(game.id, header)
                for event in events:
                    if jumps:
                        _jump(clock, random)
                    session.record(event)
                ledger = store.resume(session.match_id, GAMES).ledger
                tally = tally_of([ledger], DICE_STATISTICS[game.id])
                made = report(ledger, DICE_STATISTICS[game.id], "1", lambda line: pictures_of(()))
                rows = report_csv([made], Language("en")).count(b"\n")
                states.append((ledger.state, tally.events, repr(tally.sides), rows))
        yield f"match {number} ({game.id})", _problem(states[0] == states[1], "a jump changed the match")


def _retention(folder: Path, count: int, random: Random) -> Iterator[Check]:
    """What was removed less than seven days ago can be restored, and no picture goes before its days are over."""
    header, *events = islice(play(GAMES["occasion"], Random(1)), 4)
    for number, (removed_at, later) in enumerate(((UNSET, NOON), (NOON, UNSET), (NOON, NOON), (JUMPS[2], NOON))):
        clock = ManualClock(removed_at)
        with Store.open(folder / f"removed{number}.sqlite", clock) as store:
            match = store.create(header, events)
            store.remove(match)
            clock.advance(60)
            clock.set(later)  # the network's time arrives
            store.purge_removed()
            store.restore(match)
            left = len(store.events(match))
        name = f"removed at {removed_at:%Y}, the clock set to {later:%Y}"
        yield name, _problem(left == len(events), "the match was deleted within a minute")
        clock = ManualClock(NOON)
        with Store.open(folder / f"again{number}.sqlite", clock) as store:
            match = store.create(header, events)
            store.remove(match)
            clock.advance((REMOVED_RETENTION + timedelta(days=1)).total_seconds())
            gone = store.purge_removed()
        yield f"removed {number}, eight days later", _problem(gone == 1, "the match is kept for ever")
    for written_at in (UNSET, JUMPS[2], NOON):
        clock = ManualClock(written_at)
        with Store.open(folder / f"pictures{written_at:%Y}.sqlite", clock) as store:
            match = store.create(header)
            line = store.append(match, events[0], [Picture("tray", b"jpeg")])
            clock.set(NOON)
            store.purge_old_pictures(clock.now() - timedelta(days=30))
            kept = store.pictures(match, line)[0].image
        yield f"picture taken at {written_at:%Y}", _problem(kept == b"jpeg", "it was deleted within a minute")


def _waits(folder: Path, count: int, random: Random) -> Iterator[Check]:
    """After wrong PINs the wait is never longer than its maximum, and ends with the monotonic clock."""
    from argon2 import PasswordHasher

    from companion.app.pin_lock import RETRY_DELAYS_S
    from tests.fault.parsers import open_pin_lock

    hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    for number in range(1, min(count, 50) + 1):
        clock = ManualClock(NOON)
        path = folder / f"pin{number}.toml"
        lock = open_pin_lock(path, clock, hasher)
        lock.set_pin("1234")
        lock.lock()
        problems: list[str] = []
        for _ in range(random.randint(3, 6)):
            clock.advance(RETRY_DELAYS_S[-1])
            lock.try_pin("9999")
        _jump(clock, random)
        wait = lock.seconds_until_retry()
        problems += _problem(0 <= wait <= RETRY_DELAYS_S[-1], f"it asks to wait {wait} s")
        clock.advance(RETRY_DELAYS_S[-1] + 1)
        _jump(clock, random)
        problems += _problem(lock.try_pin("1234"), "the right PIN is refused after the longest wait")
        yield f"wrong PINs {number}", problems


def _link(folder: Path, count: int, random: Random) -> Iterator[Check]:
    """What the hub says of its own time is shown or refused; the table's screens go on."""
    import msgspec

    from companion.link.link_state import PersistedState, SharedLinkState
    from companion.messages import wire
    from tests.fault.parsers import example_messages

    messages = example_messages()
    for seconds in (0, 20, 2**31, 2**33, 253_402_300_799, 2**62, -1, -(2**40)):
        clock = ManualClock(random.choice(JUMPS))
        shared = SharedLinkState(PersistedState(address="hub", token="T"), clock, lambda: None)
        state = messages["state"]
        try:
            called = msgspec.structs.replace(state.match, called=seconds)
            sent = msgspec.structs.replace(state, match=called)
            board = msgspec.structs.replace(messages["board"], told=seconds)
            shared.update_state(wire.decode(wire.encode(sent), wire.TableState))
            shared.update_board(wire.decode(wire.encode(board), wire.StandingsBoard))
        except wire.WireError:
            yield f"a hub at {seconds} s", []
            continue
        shared.update_network(True)
        snapshot = shared.snapshot()
        yield f"a hub at {seconds} s", _problem(snapshot.reported_at is not None, "the board is not shown")


def _tournament(folder: Path, count: int, random: Random) -> Iterator[Check]:
    """A round with jumps of the hub's clock has the results of one without, also after a restart of the hub."""
    from companion.hub.core import open_core
    from companion.tournament import facts as fa
    from tests.hub.core_kit import ALL_GAMES
    from tests.hub.web.pages_kit import called, propose, start_tournament

    results = []
    for jumps in (False, True):
        clock = ManualClock(NOON)
        url = f"sqlite:///{folder / f'hub{jumps}.sqlite'}"
        core = open_core(url, ALL_GAMES, clock)
        for number in range(1, 5):
            core.tables.register(f"t{number}", number, f"Table {number}")
        evening = start_tournament(core)
        propose(evening, fa.Draw)
        seed = 0
        while propose(evening, fa.Call):
            for table in sorted(called(evening)):
                if jumps:
                    _jump(clock, random)
                seed += 1
                evening.send(evening.played(table, seed))
                if jumps:
                    core.close()
                    clock.set(random.choice(JUMPS))
                    core = open_core(url, ALL_GAMES, clock)
                    evening.core = core
        scores = {id: match.score for id, match in core.tournaments.progress(evening.id).matches.items()}
        results.append((scores, len(core.tournaments.trace(evening.id))))
        core.close()
    yield "a round with jumps of the clock", _problem(results[0] == results[1], f"{results[0]} became {results[1]}")


def _hub_retention(folder: Path, count: int, random: Random) -> Iterator[Check]:
    """The hub deletes no name and no picture within minutes because its clock was set."""
    from companion.hub.core import open_core
    from companion.hub.retention import RetentionTerms
    from companion.messages.wire import RollPicture
    from tests.hub.core_kit import ALL_GAMES, played

    for sent_at in (UNSET, JUMPS[2], NOON):
        clock = ManualClock(sent_at)
        core = open_core(f"sqlite:///{folder / f'hub{sent_at:%Y}.sqlite'}", ALL_GAMES, clock)
        try:
            core.tables.register("t1", 1, "Table 1")
            core.retention.set_terms(RetentionTerms(pictures_days=30, names_days=30))
            card = played("t1", 1000, "occasion", 1)
            core.inbox.accept([card.batch()], [])
            line = len(card.lines)
            core.inbox.store_picture(RollPicture(1000, line, "die", b"\xff\xd8\xff\xe0 a", 0, table="t1"))
            clock.advance(60)
            clock.set(NOON)
            gone = core.retention.sweep()
        finally:
            core.close()
        yield f"received at {sent_at:%Y}, the clock set to 2026", _problem(gone == 0, f"{gone} items were deleted")


def _backups(folder: Path, count: int, random: Random) -> Iterator[Check]:
    """A new backup stays, whatever the times of the others are."""
    from companion.commands.backup import run_backup
    from companion.commands.hub.backups import HubLocation, backups_in, write_backup

    data = folder / "data"
    data.mkdir()
    config = folder / "config.toml"
    config.write_text(f"[data]\nfolder = {json.dumps(str(data))}\n")
    with Store.open(data / "matches.sqlite", ManualClock(NOON)) as store:
        store.create(*_short_match())
    place = folder / "stick"
    place.mkdir()
    for year in (2031, 2090):
        (place / f"tapis-vert-{year}-01-01-120000.zip").write_bytes(b"of a clock that was ahead")
    before = set(place.iterdir())
    status = run_backup(config, place, 1, True)
    yield (
        "a table's backup beside one of 2090",
        _problem(status == 0 and set(place.iterdir()) - before, "the new backup was deleted"),
    )
    hub = folder / "hub"
    hub.mkdir()
    (hub / "broker").mkdir()
    location, own = HubLocation(hub, None), folder / "hub-backups"
    own.mkdir()
    clock = ManualClock(NOON)
    for number in range(1, min(count, 40) + 1):
        at = _jump(clock, random)
        (hub / "broker" / "tables.json").write_text(json.dumps({"t": str(number)}))
        try:
            result = write_backup(location, [own], clock.now())
        except (OSError, ValueError) as error:
            yield f"hub backup at {at:%Y-%m-%d}", [f"{type(error).__name__}: {error}"]
            continue
        newest = max((path.stat().st_mtime_ns, path) for path in backups_in(own))[1] if backups_in(own) else None
        yield (
            f"hub backup at {at:%Y-%m-%d}",
            _problem(result.files and newest is not None and newest.exists(), "the new backup is not there"),
        )


def _short_match() -> tuple[dict[str, object], list[dict[str, object]]]:
    header, *events = islice(play(GAMES["occasion"], Random(1)), 4)
    return dict(header), [dict(event) for event in events]


def _calibration(folder: Path, count: int, random: Random) -> Iterator[Check]:
    """A calibration made at another time is never called older than it can be, and never an error."""
    from companion.table.dice import age_message

    for made in JUMPS:
        for now in JUMPS:
            message = age_message(made.isoformat(timespec="seconds"), date(now.year, now.month, now.day))
            is_ahead = made.date() > now.date()
            yield f"made {made:%Y}, seen {now:%Y}", _problem(not (is_ahead and message), "it is called old")
