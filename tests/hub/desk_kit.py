"""A small tournament on a core: the organiser enters, draws and calls, tables play what they are called to."""

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
from tests.hub.core_kit import Card
from tests.tournament import plans

ORGANISER = "Olga"
GAME = GAMES["occasion"]


def plan_of(plan: Plan, at: int = 4) -> dict[str, Any]:
    """A plan as JSON, with so many tables."""
    return {**planning.fields(plan), "tables": at, "rest": 0}


@dataclass
class Evening:
    """A tournament that has begun."""

    core: Core
    id: str
    epoch: int = 1000

    def decide(self, fact: fa.Fact, why: str = "") -> int:
        """The organiser records something."""
        return self.core.tournaments.decide(self.id, fact, ORGANISER, why)

    def call(self, match: str, table: int) -> None:
        """A match is called to a table."""
        clock = int(self.core.database.clock.now().timestamp())
        self.decide(fa.Call(match, table, clock))

    def played(self, table: str, seed: int) -> Card:
        """The match that the table is called to, played to its end by random players; not sent yet."""
        assignment = self.core.tournaments.assignment(table)
        assert assignment is not None
        game, random = GAMES[assignment.game], Random(seed)
        header = game.random_header(random)
        header |= {"sides": assignment.sides, "tournament": assignment.mark}
        setup = {**header.get("setup", {}), **assignment.setup}
        if setup.get("format") != "leg2":
            setup.pop("first_leg", None)
        header |= {"setup": setup} if setup else {}
        self.epoch += 1
        card = Card(table, self.epoch)
        card.write(header)
        ledger = Ledger(game, decode(card.lines[0]))
        at = self.core.database.clock.now().isoformat(timespec="milliseconds")
        while not game.finished(ledger.state):
            fields = {**game.random_event(ledger.state, random), "at": at}
            ledger.commit(ledger.propose(fields))
            card.write(fields)
        return card

    def send(self, card: Card, *, confirmed: bool = True) -> tuple[Receipt, ...]:
        """The whole card, and its confirmation."""
        return self.core.inbox.take([card.batch()], [card.confirmation()] if confirmed else [])

    def status(self, match: str) -> str:
        """How a match stands."""
        return self.core.tournaments.course(self.id).matches[match].status

    def score(self, match: str) -> tuple[int, int] | None:
        """The score of a match in the tournament."""
        return self.core.tournaments.course(self.id).matches[match].score

    def notices(self) -> list[str]:
        """The kinds of the open notices."""
        return [notice.kind for notice in self.core.views.notices()]


def score_of(card: Card) -> tuple[int, int]:
    """What a card of this kit's game comes to."""
    view = view_of(card)
    home, away = SPECS[GAME.id].home_sides
    return view["score"][home], view["score"][away]


def view_of(card: Card) -> dict[str, Any]:
    """The state of a card as the replay prints it."""
    return GAME.view(ledger_of(card).state)


def ledger_of(card: Card) -> Ledger[Any, Any]:
    """A card, played."""
    header, *events = (decode(line) for line in card.lines)
    ledger = Ledger(GAME, header)
    for fields in events:
        ledger.commit(ledger.propose(fields))
    return ledger


def evening(core: Core, plan: Plan | None = None, entries: int = 4) -> Evening:
    """A tournament with entries e1, e2, … that has started."""
    plan = plan or plans.round_robin("Cup", GAME.id)
    found = Evening(core, core.tournaments.create(plan_of(plan), ORGANISER))
    for number in range(1, entries + 1):
        found.decide(fa.Enter(f"e{number}", f"Player {number}"))
    found.decide(fa.Start())
    return found
