"""A hub without a network, for demos and tests: a whole tournament in memory that calls this table's matches one by
one.

It implements `HubPort` completely and passes the same tests as the real link: check-ins and confirmations are stored in
the same way, and a result is computed from the journal in the store. Results of the other tables are random.
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
from companion.messages.wire import Confirmation, DisputeReason, TableState
from companion.table.hub_port import HubSnapshot, Side, Signer
from companion.tournament import facts as fa
from companion.tournament.facts import initial_state
from companion.tournament.headers import correction, parse_mark, result
from companion.tournament.progress import Match, progress_of
from companion.tournament.rules import RANKING_CHOICES, apply, decide, propose_draw, propose_seed
from companion.tournament.schedule import ready_matches
from companion.tournament.values import Plan

RUN = "simulated"
"""Placeholder for the id of the hub's run and of its tournament."""
MAX_BYTES = 1 << 30


class SimulatedTournament:
    """A tournament whose other tables finish their matches when this table finishes its own."""

    def __init__(self, plan: Plan, names: Sequence[str], random: Random, clock: Clock, table: int) -> None:
        self.table, self._random, self.clock = table, random, clock
        self.state = initial_state(plan)
        self._journals: dict[str, list[str]] = {}
        """The counted journals of this table, by match."""
        for number, name in enumerate(names, 1):
            self.record(fa.Enter(f"e{number}", name, seed=number))
        self.record(fa.Start())
        self.go_on()

    @property
    def now(self) -> int:
        """Return the seconds since 1970."""
        return int(self.clock.now().timestamp())

    def here(self) -> Match | None:
        """Return the match that is called to this table."""
        found = next((call.match for call in self.state.calls.values() if call.table == self.table), None)
        return None if found is None else progress_of(self.state).matches[found]

    def again(self, match: str) -> int:
        """Return the number of counted games of a match; a match that is called again is replayed."""
        return len(self._journals.get(match, ()))

    def record(self, fact: fa.Fact) -> bool:
        """Record a fact if it is legal."""
        if decide(self.state, fact) is not None:
            return False
        self.state = apply(self.state, fact)
        return True

    def go_on(self) -> None:
        """Answer, draw, seed and call what is due; without a match for this table the other tables play."""
        while self.here() is None and not progress_of(self.state).over:
            if not (self._answer() or self._call() or self._draw() or self._others_end()):
                return

    def count_result(self, fact: fa.Result, journal: str) -> bool:
        """Count a result of this table, as a correction if its journal was counted before; the other matches end
        too."""
        journals = self._journals.setdefault(fact.match, [])
        known = journal in journals
        if (known and journal != journals[-1]) or not self.record(correction(fact) if known else fact):
            return False
        if not known:
            journals.append(journal)
            self._others_end()
            self.go_on()
        return True

    def _call(self) -> bool:
        """Call the next matches to the free tables, this one first."""
        busy = {call.table for call in self.state.calls.values()}
        tables = sorted(set(range(1, self.state.plan.tables + 1)) - busy, key=lambda each: (each != self.table, each))
        called = False
        for match in ready_matches(self.state):
            if tables and self.record(fa.Call(match.id, tables[0], self.now)):
                called = True
                del tables[0]
        return called

    def _answer(self) -> bool:
        """Replay a drawn match if one side must advance; all other results stay unchanged."""
        answered = False
        for question in progress_of(self.state).questions:
            choice = "replay" if question.kind == "drawn" else question.choices[0]
            order = question.entries if choice in RANKING_CHOICES else ()
            answered |= self.record(fa.Rule(question.id, choice, order, "as it comes"))
        return answered

    def _draw(self) -> bool:
        for propose in (propose_draw, propose_seed):
            try:
                return self.record(propose(self.state))
            except Refusal:
                continue
        return False

    def _others_end(self) -> bool:
        elsewhere = [call.match for call in self.state.calls.values() if call.table != self.table]
        for id in elsewhere:
            match = progress_of(self.state).matches[id]
            score = (self._random.randrange(4), self._random.randrange(4))
            home, away = score if score[0] != score[1] else (score[0] + 1, score[1])
            self.record(fa.Result(id, match.home or "", match.away or "", (home, away), clock=self.now))
        return bool(elsewhere)


class SimulatedHub:
    """`HubPort` on a simulated tournament; `cut` and `mend` control the network."""

    def __init__(
        self,
        store: Path,
        folder: Path,
        games: Games,
        tournament: SimulatedTournament,
        token: str | None = None,
        there: bool = True,
    ) -> None:
        """Create a hub on a simulated tournament.

        - `token`: the only accepted token; None accepts any.
        - `folder`: holds the link's files.
        - `there`: False makes the hub unreachable at first.
        """
        self._journals, self._folder, self._games = JournalReader(store), folder, games
        self._tournament, self._token = tournament, token
        self._there = there
        self._confirmed: dict[str, int] = {}
        self._acknowledged: dict[str, int] = {}
        self._side = SharedLinkState(load_state(folder), tournament.clock, lambda: None)
        self._go_on()

    # Network.

    def cut(self) -> None:
        """Make the hub unreachable."""
        self._there = False
        self._go_on()

    def mend(self) -> None:
        """Make it reachable again; queued messages arrive."""
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

    def dispute(self, match: str, journal: str, line: int, by: Side, why: DisputeReason | None) -> None:
        self._side.dispute(match, journal, line, by, why)
        self._keep()

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
            self._publish_state()
        self._progress(online)
        if online and self._accept_confirmations():
            self._publish_state()
            self._progress(online)
        self._keep()

    def _progress(self, online: bool) -> None:
        """Update the acknowledged messages and the queue."""
        found, waiting = list[Cursor](), 0
        for kept in self._journals.journals():
            if parse_mark(_fields(kept.header)) is None:
                continue
            if online:
                self._acknowledged[kept.id] = kept.lines
            waiting += kept.lines - self._acknowledged.get(kept.id, 0)
            confirmed = self._confirmed.get(kept.id, 0)
            found.append(Cursor(kept.id, kept.epoch, kept.lines, kept.ended, confirmed=confirmed))
        self._side.update_progress(waiting, found)

    def _accept_confirmations(self) -> bool:
        """Accept the complete confirmations; return True if there were any."""
        due = self._side.due_confirmations()
        for each in due:
            self._confirmed[each.journal] = each.seq
            self._count(each)
        return bool(due)

    def _count(self, confirmation: Confirmation) -> None:
        lines = self._journals.lines(confirmation.journal, 0, confirmation.seq, MAX_BYTES)
        mark = parse_mark(_fields(lines[0].decode()))
        match = progress_of(self._tournament.state).matches.get(mark.match) if mark else None
        try:
            played = replay(lines, self._games)
        except InvalidLine:
            return
        view = replay_report(played)["state"]
        found = None if match is None else result(played.game.id, view, match, self._tournament.now)
        if found is not None:
            self._tournament.count_result(found, confirmation.journal)

    def _publish_state(self) -> None:
        tournament = self._tournament
        here, state = tournament.here(), tournament.state
        called = None
        if here is not None:
            again = tournament.again(here.id)
            called = called_match(RUN, state, here, page=lambda tournament, match: None, again=again)
        self._side.update_state(
            TableState(hub=RUN, table=tournament.table, tournament=RUN, name=state.plan.name, match=called)
        )
        new_board = board(RUN, state, hub=RUN, now=tournament.now, frozen=False, page=lambda tournament, match: None)
        self._side.update_board(new_board)

    def _keep(self) -> None:
        if self._side.is_dirty:
            self._side.is_dirty = False
            save_state(self._folder, encode_state(self._side.persisted))


def _fields(header: str) -> dict[str, Any]:
    found = json.loads(header)
    return found if isinstance(found, dict) else {}
