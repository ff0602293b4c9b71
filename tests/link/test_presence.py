"""Presence of tables by their messages; two machines with one token are detected, a restart is not mistaken for
them."""

from __future__ import annotations

from companion.clock import ManualClock
from companion.hub.link import SILENCE_TIMEOUT_S, TWIN_TIMEOUT_S, Presence
from companion.messages.wire import Hello


def test_a_table_is_there_until_it_is_silent() -> None:
    clock = ManualClock()
    presence = Presence(clock)
    assert presence.of("t1") is None
    assert presence.record_hello("t1", Hello(run="a", waiting=3, present={"x/m": ("home",)}))
    assert not presence.record_hello("t1", Hello(run="a", waiting=3, present={"x/m": ("home",)})), "nothing new"
    assert presence.record_hello("t1", Hello(run="a", waiting=2, present={"x/m": ("home",)}))
    began = clock.now()
    clock.advance(SILENCE_TIMEOUT_S)
    found = presence.of("t1")
    assert found is not None
    assert (found.online, found.since, found.waiting, found.present) == (True, began, 2, {"x/m": ("home",)})
    clock.advance(1)
    assert not presence.all()["t1"].online
    assert presence.record_hello("t1", Hello(run="a"))
    assert presence.all()["t1"].since == clock.now()


def test_a_restart_is_no_twin_and_two_machines_in_turn_are() -> None:
    clock = ManualClock()
    presence = Presence(clock)
    for run in ("a", "a", "b", "b", "c"):
        presence.record_hello("t1", Hello(run=run))
        clock.advance(5)
    assert not presence.all()["t1"].twin
    presence.record_hello("t1", Hello(run="b"))
    assert presence.all()["t1"].twin
    for _ in range(int(TWIN_TIMEOUT_S / 5) + 1):
        clock.advance(5)
        presence.record_hello("t1", Hello(run="b"))
    assert not presence.all()["t1"].twin, "one of the two has gone"
