"""Several threads can decode the first message of a type at once: all decoders are built in advance."""

from __future__ import annotations

import subprocess
import sys

SIXTEEN_AT_ONCE = """
import sys, threading
from companion.games.base import Message
from companion.messages import wire as m

told = m.StandingTable(title=Message("x"), rows=()), m.ComingMatch(match="a", home="b", away="c", title=Message("x"))
raw = m.encode(m.StandingsBoard(hub="h", tournament="t", name="n", told=1, standings=told[:1], coming=told[1:]))
sys.setswitchinterval(1e-6)
gate = threading.Barrier(16)

def read():
    gate.wait()
    m.decode(raw, m.StandingsBoard)

threads = [threading.Thread(target=read) for _ in range(16)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""
TIMES = 8
"""With lazily built decoders, two of five starts crashed in the library."""


def test_the_first_message_of_a_kind_may_come_on_all_threads_at_once() -> None:
    ended = [subprocess.run([sys.executable, "-c", SIXTEEN_AT_ONCE], capture_output=True) for _ in range(TIMES)]
    assert [done.returncode for done in ended] == [0] * TIMES
