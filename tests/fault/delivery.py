"""The link and the hub, each in a process that is killed: the hub has every line once, whatever was lost on the way.

The store, the sender, the messages and the hub's inbox are the product's. Only the network is simulated: a socket
between two processes that loses some of the messages. Time passes by one second with each step.
"""

from __future__ import annotations

import select
import shutil
import socket
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random

from companion.clock import ManualClock
from companion.hub.core import Core, open_core
from companion.journal.codec import HEADER_LINE
from companion.journal.store import JournalReader, Store
from companion.link.sender import JournalOutbox
from companion.messages.wire import JournalLines, Receipts, decode, encode
from tests.fault.checks import Check, Rounds, checked
from tests.fault.children import Child, Ended
from tests.fault.play import GAMES, play_on
from tests.fault.scenarios import STORE, Acknowledge, Acknowledgement, Done

TABLE = "t1"
LOSS = 0.3
"""Share of the messages that are lost, in each direction; the first ones of a run always are."""
ANSWER_TIMEOUT_S = 0.05
MAX_STEPS = 1500
"""Steps of a link that is not killed. Retransmission waits 60 steps at most, so this is enough for any loss."""
KILLS_IN_A_FOLDER = 8
NEW_LINES = 12
WHOLE_RUNS = 4
"""Runs without a kill at the end of each folder: in each the hub must get everything."""
MAX_MESSAGE_BYTES = 1 << 20
ASK = b"ask"
"""The message that asks the hub what it has."""


def delivery_rounds(folder: Path, count: int, random: Random) -> Rounds:
    """Return the round for `count` kills of link or hub."""
    return [("kills: link and hub", partial(link_and_hub_kills, folder, count, random))]


def link_and_hub_kills(folder: Path, count: int, random: Random) -> Iterator[Check]:
    """Kill the link, the hub or both at random moments; in the end let them finish, and compare line by line."""
    number = 0
    while number < count:
        home = folder / f"delivery {number}"
        _prepare(home, random)
        confirmed: list[Acknowledgement] = []
        for _ in range(min(KILLS_IN_A_FOLDER, count - number)):
            number += 1
            ends = _run_both(home, random, random.uniform(0, 0.5))
            confirmed += ends[0].acknowledged
            name = f"kill: {number} of link and hub"
            check, problems = checked(name, partial(_problems, home, confirmed))
            yield check, [*ends[0].problems, *ends[1].problems, *problems]
        for _ in range(WHOLE_RUNS):
            ends = _run_both(home, random, None)
            confirmed += ends[0].acknowledged
            problems = [*ends[0].problems, *ends[1].problems]
            if Done("all") not in ends[0].acknowledged:
                problems.append("lost: the hub never had all lines")
            name = f"delivery: every line once, after {number} kills"
            check, different = checked(name, partial(_problems, home, confirmed, whole=True))
            yield check, problems + different
        shutil.rmtree(home)


def _prepare(home: Path, random: Random) -> None:
    home.mkdir()
    with Store.open(home / STORE, ManualClock()) as store:
        header = GAMES["counting"].random_header(random)
        store.create({**header, "tournament": {"tournament": "cup", "match": "m1"}})
    core = _open_hub(home)
    core.tables.register(TABLE, 1, "Table 1")
    core.close()


def _open_hub(home: Path) -> Core:
    return open_core(f"sqlite:///{home / 'hub.sqlite'}", GAMES, ManualClock())


def _run_both(home: Path, random: Random, kill_after: float | None) -> tuple[Ended, Ended]:
    """Run link and hub; kill both after a time, one shortly after the other. Returns the ends of link and hub."""
    link_end, hub_end = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    for end in (link_end, hub_end):
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, MAX_MESSAGE_BYTES)
    seed = random.random()

    def run_hub(_acknowledge: Acknowledge) -> None:
        link_end.close()
        _serve(home, hub_end)

    def run_link(acknowledge: Acknowledge) -> None:
        hub_end.close()
        _send(home, link_end, Random(seed), acknowledge)

    hub, link = Child(run_hub), Child(run_link)
    link_end.close()
    hub_end.close()
    if kill_after is not None and random.random() < 0.5:
        hub_result = hub.finish(kill_after)
        return link.finish(random.uniform(0, 0.05)), hub_result
    link_result = link.finish(kill_after)
    return link_result, hub.finish(None if kill_after is None else random.uniform(0, 0.05))


def _serve(home: Path, connection: socket.socket) -> None:
    """Store what the link sends, until it hangs up."""
    core = _open_hub(home)
    while message := _received(connection, None):
        if message == ASK:
            receipts = Receipts(hub="h", receipts=core.inbox.receipts(TABLE), all=True)
        else:
            lines = decode(message, JournalLines)
            batch = JournalLines(lines.epoch, lines.seq, lines.before, lines.lines, table=TABLE)
            receipts = Receipts(hub="h", receipts=core.inbox.accept([batch]))
        _sent(connection, encode(receipts))
    core.close()


def _send(home: Path, connection: socket.socket, random: Random, acknowledge: Acknowledge) -> None:
    """Play and send, until the hub has everything."""
    outbox = JournalOutbox(home / STORE, home)
    with Store.open(home / STORE, ManualClock()) as store:
        play = islice(play_on(store, GAMES["counting"], random), NEW_LINES)
        first_lines, first_answer = True, True
        for now in range(MAX_STEPS):
            is_over = next(play, None) is None
            outbox.scan()
            is_sent = outbox.sender.is_awaiting_receipts and _sent(connection, ASK)
            for message in outbox.sender.next_lines(now):
                is_lost, first_lines = first_lines or random.random() < LOSS, False
                is_sent |= not is_lost and _sent(connection, encode(message))
            answer = _received(connection, ANSWER_TIMEOUT_S if is_sent else 0.0)
            if answer is None:  # the hub is gone; a table plays on
                continue
            receipts = decode(answer, Receipts) if answer else None
            if receipts is not None and not receipts.all:
                is_lost, first_answer = first_answer or random.random() < LOSS, False
                receipts = None if is_lost else receipts
            if receipts is not None:
                outbox.sender.accept_receipts(receipts, now)
                for receipt in receipts.receipts:
                    acknowledge(Done(f"{receipt.epoch} {receipt.seq}"))
            if is_over and not outbox.sender.waiting and not outbox.sender.is_awaiting_receipts:
                acknowledge(Done("all"))
                break
    outbox.close()


def _received(connection: socket.socket, seconds: float | None) -> bytes | None:
    """Return the next message; empty if none comes in some seconds, None if the other side is gone."""
    if not select.select([connection], [], [], seconds)[0]:
        return b""
    try:
        return connection.recv(MAX_MESSAGE_BYTES) or None
    except OSError:
        return None


def _sent(connection: socket.socket, message: bytes) -> bool:
    """Send a message. Return False if the other side is gone."""
    try:
        connection.send(message)
    except OSError:
        return False
    return True


def _problems(home: Path, confirmed: list[Acknowledgement], *, whole: bool = False) -> list[str]:
    """Compare the hub's lines with the store's. With `whole` the hub must have all of them."""
    confirmed_lines: dict[int, int] = {}
    for ack in confirmed:
        if isinstance(ack, Done) and ack.step != "all":
            epoch, seq = (int(number) for number in ack.step.split())
            confirmed_lines[epoch] = max(seq, confirmed_lines.get(epoch, 0))
    problems = []
    reader = JournalReader(home / STORE)
    core = _open_hub(home)
    try:
        kept = {receipt.epoch: receipt for receipt in core.inbox.receipts(TABLE)}
        for journal in reader.journals():
            if "tournament" not in journal.header:
                continue
            written = reader.lines(journal.id, 0, journal.lines + HEADER_LINE, MAX_MESSAGE_BYTES)
            has = kept[journal.epoch].seq if journal.epoch in kept else 0
            if has < (journal.lines if whole else confirmed_lines.get(journal.epoch, 0)):
                problems.append(f"lost: the hub has {has} of {journal.lines} lines")
            if has > journal.lines or any(receipt.branch for receipt in kept.values()):
                problems.append(f"doubled: the hub has {has} of {journal.lines} lines, or a second branch")
            content = core.views.journal(TABLE, journal.epoch) if has else b""
            if content != b"".join(line + b"\n" for line in written[:has]):
                problems.append("lost: the hub's lines are not those of the store")
    finally:
        core.close()
        reader.close()
    return problems
