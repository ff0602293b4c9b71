"""A small tournament on a core: the organiser enters, draws and calls, and the tables play the called matches."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from companion.games.registry import GAMES, SPECS
from companion.hub.core import Core
from companion.journal.codec import decode
from companion.journal.ledger import Ledger
from companion.messages.wire import Receipt
from companion.tournament import facts as fa
from companion.tournament import planning
from companion.tournament.values import Plan
from tests.hub.core_kit import StoredTableJournal
from tests.tournament import plans

ORGANISER = "Olga"
GAME = GAMES["occasion"]


def plan_of(plan: Plan, at: int = 4) -> dict[str, Any]:
    """Return a plan as JSON, with `at` tables."""
    return {**planning.to_json(plan), "tables": at, "rest": 0}


@dataclass
class RunningTournament:
    """A running tournament."""

    core: Core
    id: str
    epoch: int = 1000

    def decide(self, fact: fa.Fact, why: str = "") -> int:
        """Record an event as the organiser."""
        return self.core.tournaments.decide(self.id, fact, ORGANISER, why)

    def call(self, match: str, table: int) -> None:
        """Call a match to a table."""
        clock = int(self.core.database.clock.now().timestamp())
        self.decide(fa.Call(match, table, clock))

    def played(self, table: str, seed: int, plan: Plan | None = None) -> StoredTableJournal:
        """Play the match called to the table to its end with random players, without sending it.

        It has the settings that the tournament fixes, or those of another `plan`.
        """
        assignment = self.core.tournaments.assignment(table)
        assert assignment is not None
        game, random = GAMES[assignment.game], Random(seed)
        header = game.random_header(random)
        header |= {"sides": assignment.sides, "tournament": assignment.mark}
        setup = {**header.get("setup", {}), **assignment.setup}
        set_fixed(setup, plan or self.core.tournaments.state(self.id).plan)
        if setup.get("format") != "leg2":
            setup.pop("first_leg", None)
        header |= {"setup": setup} if setup else {}
        self.epoch += 1
        card = StoredTableJournal(table, self.epoch)
        card.write(header)
        ledger = Ledger(game, decode(card.lines[0]))
        at = self.core.database.clock.now().isoformat(timespec="milliseconds")
        while not game.finished(ledger.state):
            fields = {**game.random_event(ledger.state, random), "at": at}
            ledger.commit(ledger.propose(fields))
            card.write(fields)
        return card

    def send(self, card: StoredTableJournal, *, confirmed: bool = True) -> tuple[Receipt, ...]:
        """Send the whole card and its confirmation."""
        return self.core.inbox.accept([card.batch()], [card.confirmation()] if confirmed else [])

    def status(self, match: str) -> str:
        """Return the status of a match."""
        return self.core.tournaments.progress(self.id).matches[match].status

    def score(self, match: str) -> tuple[int, int] | None:
        """Return the score of a match in the tournament."""
        return self.core.tournaments.progress(self.id).matches[match].score

    def notices(self) -> list[str]:
        """Return the kinds of the open notices."""
        return [notice.kind for notice in self.core.views.notices()]


def set_fixed(setup: dict[str, Any], plan: Plan) -> None:
    """Set what the tournament fixes in the `setup` of a header, as the preparation at a table does."""
    for row, (path, _) in SPECS[plan.game].tournament.played_settings.items():
        if row in plan.match:
            *outer, last = path.split(".")
            place = setup
            for key in outer:
                place = place.setdefault(key, {})
            place[last] = plan.match[row]


def score_of(card: StoredTableJournal) -> tuple[int, int]:
    """Return the score of a card of this kit's game."""
    view = view_of(card)
    home, away = SPECS[GAME.id].home_sides
    return view["score"][home], view["score"][away]


def view_of(card: StoredTableJournal) -> dict[str, Any]:
    """Return the state of a card as the replay prints it."""
    return GAME.view(ledger_of(card).state)


def ledger_of(card: StoredTableJournal) -> Ledger[Any, Any]:
    """Return the ledger of a card."""
    header, *events = (decode(line) for line in card.lines)
    ledger = Ledger(GAME, header)
    for fields in events:
        ledger.commit(ledger.propose(fields))
    return ledger


def evening(core: Core, plan: Plan | None = None, entries: int = 4) -> RunningTournament:
    """Start a tournament with entries e1, e2, …."""
    plan = plan or plans.round_robin("Cup", GAME.id)
    found = RunningTournament(core, core.tournaments.create(plan_of(plan), ORGANISER))
    for number in range(1, entries + 1):
        found.decide(fa.Enter(f"e{number}", f"Player {number}"))
    found.decide(fa.Start())
    return found
