"""A hub without a network, for demos and tests: a whole tournament in memory, this table's matches called one by one.

A full backend of `HubPort`, held to the same tests as the real link: who comes and who confirms is kept as there, and a
result is reckoned from the journal in the store. What the other tables play meanwhile is drawn at random.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from companion.clock import Clock
from companion.games.base import Message, Refusal
from companion.journal.ledger import Games, InvalidLine, replay, replay_report
from companion.journal.store import JournalReader
from companion.link.link_state import Cursor, SharedLinkState, encode_state, load_state, save_state
from companion.messages.token import join_fault
from companion.messages.tournament import board, called_match
from companion.messages.wire import Confirmation, State
from companion.table.hub_port import HubSnapshot, Side, Signer
from companion.tournament import facts as fa
from companion.tournament.course import Match, course
from companion.tournament.facts import begin
from companion.tournament.headers import correction, mark_of, result
from companion.tournament.rules import apply, decide, propose_draw, propose_seed
from companion.tournament.schedule import queue
from companion.tournament.values import Plan

RUN = "simulated"
"""Stands for the id of the hub's run, and for its tournament."""
MOST_BYTES = 1 << 30


class SimulatedTournament:
    """A tournament whose other tables end their matches when this one has ended its own."""

    def __init__(self, plan: Plan, names: Sequence[str], random: Random, clock: Clock, table: int) -> None:
        self.table, self._random, self.clock = table, random, clock
        self.state = begin(plan)
        self._journals: dict[str, list[str]] = {}
        """Of each match those of this table that were counted."""
        for number, name in enumerate(names, 1):
            self.tell(fa.Enter(f"e{number}", name, seed=number))
        self.tell(fa.Start())
        self.go_on()

    @property
    def now(self) -> int:
        """Seconds since 1970."""
        return int(self.clock.now().timestamp())

    def here(self) -> Match | None:
        """The match that is called to this table."""
        found = next((call.match for call in self.state.calls.values() if call.table == self.table), None)
        return None if found is None else course(self.state).matches[found]

    def again(self, match: str) -> int:
        """How many games of a match were counted: one that is called all the same is played again."""
        return len(self._journals.get(match, ()))

    def tell(self, fact: fa.Fact) -> bool:
        """Records a fact if it can be."""
        if decide(self.state, fact) is not None:
            return False
        self.state = apply(self.state, fact)
        return True

    def go_on(self) -> None:
        """Answers, draws, seeds and calls what is due; without a match for this table the others play on."""
        while self.here() is None and not course(self.state).over:
            if not (self._answer() or self._call() or self._draw() or self._others_end()):
                return

    def counted(self, fact: fa.Result, journal: str) -> bool:
        """A result of this table counts, as a correction if its journal's did; the others' matches end as well."""
        journals = self._journals.setdefault(fact.match, [])
        known = journal in journals
        if (known and journal != journals[-1]) or not self.tell(correction(fact) if known else fact):
            return False
        if not known:
            journals.append(journal)
            self._others_end()
            self.go_on()
        return True

    def _call(self) -> bool:
        """The next matches to the free tables, this one first."""
        busy = {call.table for call in self.state.calls.values()}
        tables = sorted(set(range(1, self.state.plan.tables + 1)) - busy, key=lambda each: (each != self.table, each))
        called = False
        for match in queue(self.state):
            if tables and self.tell(fa.Call(match.id, tables[0], self.now)):
                called = True
                del tables[0]
        return called

    def _answer(self) -> bool:
        """A drawn match is played again, where one must go on; all else stays as it is."""
        answered = False
        for question in course(self.state).questions:
            choice = "replay" if question.kind == "drawn" else question.choices[0]
            order = question.entries if choice == "order" else ()
            answered |= self.tell(fa.Rule(question.id, choice, order, "as it comes"))
        return answered

    def _draw(self) -> bool:
        for propose in (propose_draw, propose_seed):
            try:
                return self.tell(propose(self.state))
            except Refusal:
                continue
        return False

    def _others_end(self) -> bool:
        elsewhere = [call.match for call in self.state.calls.values() if call.table != self.table]
        for id in elsewhere:
            match = course(self.state).matches[id]
            score = (self._random.randrange(4), self._random.randrange(4))
            home, away = score if score[0] != score[1] else (score[0] + 1, score[1])
            self.tell(fa.Result(id, match.home or "", match.away or "", (home, away), clock=self.now))
        return bool(elsewhere)


class SimulatedHub:
    """`HubPort` on a simulated tournament; `cut` and `mend` are the network's."""

    def __init__(
        self,
        store: Path,
        folder: Path,
        games: Games,
        tournament: SimulatedTournament,
        token: str | None = None,
        there: bool = True,
    ) -> None:
        """`token` is the only one that is taken; None: any. `folder` keeps what the link keeps.

        Unless it is `there`, the hub is out of reach to begin with.
        """
        self._journals, self._folder, self._games = JournalReader(store), folder, games
        self._tournament, self._token = tournament, token
        self._there = there
        self._confirmed: dict[str, int] = {}
        self._acknowledged: dict[str, int] = {}
        self._side = SharedLinkState(load_state(folder), tournament.clock, lambda: None)
        self._go_on()

    # The network.

    def cut(self) -> None:
        """The hub is out of reach."""
        self._there = False
        self._go_on()

    def mend(self) -> None:
        """It is back; what was told meanwhile arrives."""
        self._there = True
        self._go_on()

    # HubPort.

    def snapshot(self) -> HubSnapshot:
        return self._side.snapshot()

    def join(self, address: str, token: str) -> Message | None:
        fault = join_fault(address, token)
        if fault is None:
            self._side.set_hub(address, token)
            self._go_on()
        return fault

    def leave(self) -> None:
        self._side.set_hub(None, None)
        self._go_on()

    def notify_appended(self) -> None:
        self._go_on()

    def check_in(self, match: str, side: Side, present: bool) -> None:
        self._side.check_in(match, side, present)
        self._keep()

    def confirm(self, match: str, journal: str, line: int, by: Signer, given: bool = True) -> None:
        self._side.confirm(match, journal, line, by, given)
        self._go_on()

    def close(self) -> None:
        self._keep()
        self._journals.close()

    def _go_on(self) -> None:
        notes = self._side.persisted
        taken = self._token is None or notes.token == self._token
        online = notes.address is not None and taken and self._there
        refused = None if taken or notes.address is None else Message("link.refused")
        self._side.update_network(online, refused)
        if online:
            self._tell()
        self._progress(online)
        if online and self._take():
            self._tell()
            self._progress(online)
        self._keep()

    def _progress(self, online: bool) -> None:
        """What a hub would acknowledge, and what waits for one."""
        found, waiting = list[Cursor](), 0
        for kept in self._journals.journals():
            if mark_of(_fields(kept.header)) is None:
                continue
            if online:
                self._acknowledged[kept.id] = kept.lines
            waiting += kept.lines - self._acknowledged.get(kept.id, 0)
            confirmed = self._confirmed.get(kept.id, 0)
            found.append(Cursor(kept.id, kept.epoch, kept.lines, kept.ended, confirmed=confirmed))
        self._side.update_progress(waiting, found)

    def _take(self) -> bool:
        """The confirmations that are whole; whether there was any."""
        due = self._side.due_confirmations()
        for each in due:
            self._confirmed[each.journal] = each.seq
            self._count(each)
        return bool(due)

    def _count(self, told: Confirmation) -> None:
        lines = self._journals.lines(told.journal, 0, told.seq, MOST_BYTES)
        mark = mark_of(_fields(lines[0].decode()))
        match = course(self._tournament.state).matches.get(mark.match) if mark else None
        try:
            played = replay(lines, self._games)
        except InvalidLine:
            return
        view = replay_report(played)["state"]
        found = None if match is None else result(played.game.id, view, match, self._tournament.now)
        if found is not None:
            self._tournament.counted(found, told.journal)

    def _tell(self) -> None:
        tournament = self._tournament
        here, state = tournament.here(), tournament.state
        told = None
        if here is not None:
            again = tournament.again(here.id)
            told = called_match(RUN, state, here, page=lambda tournament, match: None, again=again)
        self._side.update_state(
            State(hub=RUN, table=tournament.table, tournament=RUN, name=state.plan.name, match=told)
        )
        shown = board(RUN, state, hub=RUN, now=tournament.now, frozen=False, page=lambda tournament, match: None)
        self._side.update_board(shown)

    def _keep(self) -> None:
        if self._side.is_dirty:
            self._side.is_dirty = False
            save_state(self._folder, encode_state(self._side.persisted))


def _fields(header: str) -> dict[str, Any]:
    found = json.loads(header)
    return found if isinstance(found, dict) else {}
