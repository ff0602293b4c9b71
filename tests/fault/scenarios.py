"""The sessions under test: what is done, what is acknowledged on the way, and what must be there after any stop."""

from __future__ import annotations

import contextlib
import io
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import apsw

from companion.clock import ManualClock
from companion.commands.backup import BadBackup, run_restore, unpack, write_backup
from companion.commands.exit_codes import DONE
from companion.config import ConfigError, read_config, save_setting
from companion.games.base import Game
from companion.journal.database import APPLICATION_ID, MIGRATIONS, StoreError
from companion.journal.store import Store
from companion.link.link_state import PersistedState, encode_state, load_state, save_state
from companion.messages.wire import Confirmation
from companion.table.session import Session, StorageError
from tests.fault.play import GAMES, Acknowledged, pictures_of, play_on
from tests.fault.verify import acknowledged_in, problems_of
from vision.files import read_limited

STORE = "matches.sqlite"


@dataclass(frozen=True)
class Done:
    """An acknowledged step that is no event: a backup, a restored backup, a saved setting."""

    step: str


Acknowledgement = Acknowledged | Done
Acknowledge = Callable[[Acknowledgement], object]


class Refused(Exception):
    """A command has refused its work, with the sentence that it printed."""


PERMITTED = (StoreError, StorageError, ConfigError, OSError, Refused)
"""What a session may raise when its disk fails: each has a sentence for the user."""


class Scenario:
    """A session in one folder. The same object prepares, runs and checks any number of copies of the folder."""

    name: str
    repeats = False
    """True if the session can run again in the folder that an earlier one left."""

    disk_promise = "failing disk"
    """The promise that a failing disk tests."""

    def __init__(self) -> None:
        self.before: list[Acknowledged] = []
        """Events of the prepared folder."""

    def prepare(self, folder: Path, random: Random) -> None:
        """Fill an empty folder with what is there before the session."""

    def localize(self, folder: Path) -> None:
        """Adapt a copy of the prepared folder to its path."""

    def run(self, folder: Path, random: Random, acknowledge: Acknowledge) -> None:
        """Run the session. Raises: one of `PERMITTED` if the disk fails."""

    def problems(self, folder: Path, acknowledged: Sequence[Acknowledgement]) -> list[str]:
        """Return what is wrong in a folder whose session was stopped; empty if nothing is."""
        return problems_of(folder / STORE, [*self.before, *events_in(acknowledged)])


def with_unacknowledged(path: Path, acknowledged: Sequence[Acknowledged]) -> list[Acknowledged]:
    """Add the event that was recorded but not yet acknowledged, so that later checks require it."""
    known = {(ack.match, ack.line) for ack in acknowledged}
    with Store.open(path, ManualClock()) as store:
        return [*acknowledged, *(ack for ack in acknowledged_in(store) if (ack.match, ack.line) not in known)]


def events_in(acknowledged: Sequence[Acknowledgement]) -> list[Acknowledged]:
    return [each for each in acknowledged if isinstance(each, Acknowledged)]


def _filled_store(path: Path, game: str, count: int, random: Random) -> list[Acknowledged]:
    path.parent.mkdir(parents=True, exist_ok=True)
    with Store.open(path, ManualClock()) as store:
        return list(islice(play_on(store, GAMES[game], random), count))


def _play(
    store: Store, game: Game[Any, Any], random: Random, count: int, retries: int, acknowledge: Acknowledge
) -> None:
    """Record a number of events in an open store, and go on after some failed ones."""
    play = play_on(store, game, random)
    while count:
        try:
            acknowledge(next(play))
            count -= 1
        except StoreError:
            if not retries:
                raise
            retries -= 1
            play = play_on(store, game, random)


class CreateStore(Scenario):
    """A new store and its first match."""

    name = "create"

    def run(self, folder: Path, random: Random, acknowledge: Acknowledge) -> None:
        with Store.open(folder / STORE, ManualClock()) as store:
            acknowledge(Done("opened"))
            for ack in islice(play_on(store, GAMES["counting"], random), 2):
                acknowledge(ack)

    def problems(self, folder: Path, acknowledged: Sequence[Acknowledgement]) -> list[str]:
        if Done("opened") in acknowledged and not (folder / STORE).exists():
            return ["lost: the store that was opened is not there"]
        return super().problems(folder, acknowledged)


class AppendEvents(Scenario):
    """Events with pictures, into a store that has some. With `retries` the session goes on after a failed write."""

    name = "append"
    repeats = True

    def __init__(self, count: int = 12, retries: int = 0, game: str = "counting") -> None:
        super().__init__()
        self._count, self._retries, self._game = count, retries, game
        self.name = "append again" if retries else "append"
        self.disk_promise = "rollback" if retries else "failing disk"

    def prepare(self, folder: Path, random: Random) -> None:
        self.before = _filled_store(folder / STORE, self._game, 8, random)

    def run(self, folder: Path, random: Random, acknowledge: Acknowledge) -> None:
        with Store.open(folder / STORE, ManualClock()) as store:
            self.run_in(store, random, acknowledge)

    def run_in(self, store: Store, random: Random, acknowledge: Acknowledge) -> None:
        """Run the session in an open store."""
        _play(store, GAMES[self._game], random, self._count, self._retries, acknowledge)


class Checkpoints(Scenario):
    """Events with a checkpoint every few pages, and the maintenance of the store at the end."""

    name = "checkpoint"
    repeats = True
    PAGES = 12

    def __init__(self, retries: int = 0) -> None:
        super().__init__()
        self._retries = retries

    def prepare(self, folder: Path, random: Random) -> None:
        self.before = _filled_store(folder / STORE, "counting", 6, random)

    def run(self, folder: Path, random: Random, acknowledge: Acknowledge) -> None:
        with Store.open(folder / STORE, ManualClock()) as store:
            store._connection.wal_autocheckpoint(self.PAGES)
            _play(store, GAMES["counting"], random, 24, self._retries, acknowledge)
            store.restore(store.matches()[0].id)
            store.purge_removed()


class TableSession(Scenario):
    """The match in play as the app runs it: events, undo and corrections through `Session`."""

    name = "table session"
    repeats = True

    def prepare(self, folder: Path, random: Random) -> None:
        with Store.open(folder / STORE, ManualClock()) as store:
            header = GAMES["hoops21"].random_header(random)
            self.before = [Acknowledged(store.create(header), 1, header)]

    def run(self, folder: Path, random: Random, acknowledge: Acknowledge) -> None:
        with Store.open(folder / STORE, ManualClock()) as store:
            match = store.matches()[0]
            game = GAMES[match.game]
            session = Session(game, store, match.id, store.resume(match.id, GAMES).ledger)
            for _ in range(15):
                if game.finished(session.state) or (session.ledger.events and random.random() < 0.2):
                    session.undo()
                else:
                    event = game.random_event(session.state, random)
                    session.record(event, pictures=pictures_of(match.id, session.sequence))
                written = session.ledger.all_events[-1]
                fields = {key: value for key, value in written.fields.items() if key != "at"}
                acknowledge(Acknowledged(match.id, written.line, fields))

    def problems(self, folder: Path, acknowledged: Sequence[Acknowledgement]) -> list[str]:
        return problems_of(folder / STORE, [*self.before, *events_in(acknowledged)], pictured=False)


class Migrate(Scenario):
    """A store of version 1 is opened by this version, and played on."""

    name = "migrate"

    def prepare(self, folder: Path, random: Random) -> None:
        newer = folder / "newer.sqlite"
        self.before = _filled_store(newer, "counting", 10, random)
        connection = apsw.Connection(str(folder / STORE))
        connection.pragma("auto_vacuum", "INCREMENTAL")
        connection.pragma("journal_mode", "WAL")
        connection.execute(MIGRATIONS[0])
        connection.execute("ATTACH ? AS newer", (str(newer),))
        for table, columns in (
            ("matches", "id, game, epoch, header, created, ended"),
            ("entries", "match, seq, fields, at"),
            ("pictures", "id, match, seq, die, what, image"),
        ):
            connection.execute(f"INSERT INTO {table} ({columns}) SELECT {columns} FROM newer.{table}")
        connection.pragma("application_id", APPLICATION_ID)
        connection.pragma("user_version", 1)
        connection.close()
        for path in folder.glob("newer.sqlite*"):
            path.unlink()

    def run(self, folder: Path, random: Random, acknowledge: Acknowledge) -> None:
        with Store.open(folder / STORE, ManualClock()) as store:
            for ack in islice(play_on(store, GAMES["counting"], random), 3):
                acknowledge(ack)


class Backup(Scenario):
    """Some events, then a backup that replaces an older one."""

    name = "backup"

    def prepare(self, folder: Path, random: Random) -> None:
        data = folder / "data"
        self.before = _filled_store(data / STORE, "counting", 8, random)
        (data / "clubs").mkdir()
        (data / "clubs" / "club.toml").write_text('name = "club"\n')
        (folder / "config.toml").write_text("[sound]\nvolume = 40\n")
        write_backup(data, folder / "config.toml", folder / "backup.zip", True, ManualClock().now())

    def run(self, folder: Path, random: Random, acknowledge: Acknowledge) -> None:
        data = folder / "data"
        with Store.open(data / STORE, ManualClock()) as store:
            for ack in islice(play_on(store, GAMES["counting"], random), 3):
                acknowledge(ack)
            write_backup(data, folder / "config.toml", folder / "backup.zip", True, ManualClock().now())
            acknowledge(Done("backup"))

    def problems(self, folder: Path, acknowledged: Sequence[Acknowledgement]) -> list[str]:
        events = [*self.before, *events_in(acknowledged)]
        problems = problems_of(folder / "data" / STORE, events)
        unpacked = folder / "unpacked"
        try:
            unpack(folder / "backup.zip", unpacked)
        except (BadBackup, OSError) as fault:
            return [*problems, f"lost: the backup cannot be read: {fault}"]
        least = len(events) if Done("backup") in acknowledged else len(self.before)
        return problems + [
            f"{problem} (in the backup)" for problem in problems_of(unpacked / "data" / STORE, events, least=least)
        ]


class Restore(Scenario):
    """A backup replaces the data and the settings; the older ones are set aside."""

    name = "restore"

    def __init__(self) -> None:
        super().__init__()
        self._restored: list[Acknowledged] = []

    def prepare(self, folder: Path, random: Random) -> None:
        other = folder / "other"
        self._restored = _filled_store(other / STORE, "counting", 9, random)
        (other / "clubs").mkdir()
        (other / "clubs" / "restored.toml").write_text('name = "restored"\n')
        (folder / "other.toml").write_text("[sound]\nvolume = 20\n")
        write_backup(other, folder / "other.toml", folder / "backup.zip", True, ManualClock().now())
        shutil.rmtree(other)
        (folder / "other.toml").unlink()
        self.before = _filled_store(folder / "data" / STORE, "counting", 6, random)
        (folder / "data" / "clubs").mkdir()
        (folder / "data" / "clubs" / "older.toml").write_text('name = "older"\n')
        self.localize(folder)

    def localize(self, folder: Path) -> None:
        (folder / "config.toml").write_text(f'[data]\nfolder = "{folder / "data"}"\n[sound]\nvolume = 40\n')

    def run(self, folder: Path, random: Random, acknowledge: Acknowledge) -> None:
        printed = io.StringIO()
        with contextlib.redirect_stderr(printed):
            status = run_restore(folder / "config.toml", folder / "backup.zip", settings=True)
        if status != DONE:
            raise Refused(printed.getvalue())
        acknowledge(Done("restore"))

    def problems(self, folder: Path, acknowledged: Sequence[Acknowledgement]) -> list[str]:
        data = folder / "data"
        asides = sorted(data.glob("before-restore-*"))
        is_there = (data / STORE).exists()
        restored = problems_of(data / STORE, self._restored, beyond=0) if is_there else ["lost: no store"]
        problems = []
        if restored and Done("restore") in acknowledged:
            problems.append(f"lost: the restored store is not there: {restored[0]}")
        older = [path / STORE for path in (data, *asides) if (path / STORE).exists()]
        if all(problems_of(path, self.before, beyond=0) for path in older):
            problems.append("lost: the older store is neither in its place nor set aside")
        if restored and problems_of(data / STORE, self.before, beyond=0):
            problems.append(f"lost: the store in its place is neither the older nor the restored one: {restored[0]}")
        if not any((path / "clubs" / "older.toml").exists() for path in (data, *asides)):
            problems.append("lost: the older club is neither in its place nor set aside")
        try:
            volume = read_config(folder / "config.toml").sound.volume
        except (ConfigError, OSError) as fault:
            return [*problems, f"lost: the settings cannot be read: {fault}"]
        if volume != 20 and (volume != 40 or Done("restore") in acknowledged):
            problems.append(f"lost: the settings have the volume {volume}")
        return problems


class SaveSettings(Scenario):
    """Settings saved one after the other."""

    name = "settings"
    VOLUMES = (35, 45, 55, 65, 75)

    def prepare(self, folder: Path, random: Random) -> None:
        (folder / "config.toml").write_text("# our table\n[sound]\nvolume = 25\n")

    def run(self, folder: Path, random: Random, acknowledge: Acknowledge) -> None:
        for volume in self.VOLUMES:
            save_setting(folder / "config.toml", "sound", "volume", volume)
            acknowledge(Done(str(volume)))

    def problems(self, folder: Path, acknowledged: Sequence[Acknowledgement]) -> list[str]:
        try:
            text = read_limited(folder / "config.toml", 10_000).decode()
            volume = read_config(folder / "config.toml").sound.volume
        except (ConfigError, OSError, ValueError) as fault:
            return [f"lost: the settings cannot be read: {fault}"]
        return _progress_problems("the volume", volume, (25, *self.VOLUMES), acknowledged) + (
            [] if text.startswith("# our table") else ["lost: the comment in the settings"]
        )


class SaveLinkState(Scenario):
    """The link's state, saved after each confirmation."""

    name = "link state"
    COUNTS = (2, 3, 4, 5, 6)

    def prepare(self, folder: Path, random: Random) -> None:
        save_state(folder, encode_state(_link_state(1)))

    def run(self, folder: Path, random: Random, acknowledge: Acknowledge) -> None:
        for count in self.COUNTS:
            content = encode_state(_link_state(count))
            save_state(folder, content)  # a failed write is only logged, so that play continues
            if (folder / "hub.json").read_bytes() == content:
                acknowledge(Done(str(count)))

    def problems(self, folder: Path, acknowledged: Sequence[Acknowledgement]) -> list[str]:
        count = len(load_state(folder).confirmations)
        return _progress_problems("the link state", count, (1, *self.COUNTS), acknowledged)


def _link_state(count: int) -> PersistedState:
    confirmations = {
        f"cup/m{number}": Confirmation(journal="journal", seq=number + 1, by=("home",)) for number in range(count)
    }
    return PersistedState(address="hub:4222", token="token", confirmations=confirmations)


def _progress_problems(
    what: str, found: Any, values: Sequence[Any], acknowledged: Sequence[Acknowledgement]
) -> list[str]:
    """Check a value that is saved again and again: the last acknowledged one or a later one must be there."""
    steps = [str(value) for value in values]
    last = max((steps.index(ack.step) for ack in acknowledged if isinstance(ack, Done)), default=0)
    return [] if str(found) in steps[last:] else [f"lost: {what} is {found}, acknowledged was {steps[last]}"]


SCENARIOS: tuple[Callable[[], Scenario], ...] = (
    CreateStore,
    AppendEvents,
    Checkpoints,
    TableSession,
    Migrate,
    Backup,
    Restore,
    SaveSettings,
    SaveLinkState,
)
