"""A fifth game is one folder: `fifth/pig` stands in the search path of `companion.games`, and nothing else knows it."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

import companion.games
from companion import language
from companion.clock import ManualClock
from companion.games import registry
from companion.games.registry import SPECS
from companion.games.spec import GameSpec
from companion.hub.core import Core, open_core
from companion.journal.codec import encode
from companion.journal.ledger import Ledger, replay
from companion.language import LANGUAGES, Language
from companion.printing.report import report_pdf
from companion.table.autoplay import play
from companion.table.catalogues.card_store import SampleCards
from companion.table.report import report
from companion.tournament import facts as fa
from tests.hub.conftest import START
from tests.hub.core_kit import Card
from tests.hub.desk_kit import evening
from tests.hub.web.pages_kit import pages, propose, visitor
from tests.printing.pdf_text import pages as printed
from tests.printing.pdf_text import plain
from tests.tournament import plans

FOLDER = Path(__file__).parent / "fifth"
ROOT = Path(__file__).parents[2]


@pytest.fixture
def core(pig: GameSpec, tmp_path: Path) -> Iterator[Core]:
    """A hub that knows the game, with two tables."""
    made = open_core(f"sqlite:///{tmp_path / 'hub.sqlite'}", registry.GAMES, ManualClock(START))
    for number in (1, 2):
        made.tables.register(f"t{number}", number, f"Table {number}")
    yield made
    made.close()


@pytest.fixture
def pig(monkeypatch: pytest.MonkeyPatch) -> Iterator[GameSpec]:
    """The game, found in its folder like the others and known as long as the test lasts."""
    monkeypatch.setattr(companion.games, "__path__", [*companion.games.__path__, str(FOLDER)])
    found = {spec.id: spec for spec in registry.found()}
    assert set(found) == {*SPECS, "pig"}
    monkeypatch.setitem(SPECS, "pig", found["pig"])
    monkeypatch.setitem(registry.GAMES, "pig", found["pig"].game)
    language._catalogue.cache_clear()
    yield found["pig"]
    language._catalogue.cache_clear()


def played(pig: GameSpec, seed: int = 3) -> Ledger:
    header, *events = play(pig.game, Random(seed))
    ledger = Ledger(pig.game, header)
    for fields in events:
        ledger.commit(ledger.propose(fields))
    return ledger


def test_its_journal_is_written_and_replayed(pig: GameSpec) -> None:
    for seed in range(5):
        ledger = played(pig, seed)
        lines = [encode(fields) + b"\n" for fields in (ledger.header, *(event.fields for event in ledger.events))]
        again = replay(lines, registry.GAMES).ledger
        assert again.state == ledger.state
        assert pig.game.finished(again.state)
        assert max(pig.game.view(again.state)["score"].values()) >= 30


def test_its_set_up_is_the_plain_one(pig: GameSpec) -> None:
    memory: dict = {}
    plan = pig.prepare(memory, SampleCards())
    *sides, match = plan.columns()
    assert [(column.side, column.colour) for column in sides] == [("north", "violet"), ("south", "lime")]
    assert [(row.id, row.kind, row.value, row.least, row.most) for row in match.rows] == [
        ("setup.target", "count", 30, 10, 100)
    ]
    plan.choose("name.south", "Ada")
    plan.choose("setup.target", 50)
    begun = pig.game.begin(pig.prepare(memory, SampleCards()).header())
    assert (begun.names, begun.target) == (("North", "Ada"), 50)
    assert plan.missing() == ()
    plan.choose("setup.target", None)
    assert [message.id for message in plan.missing()] == ["pig.up_to"]


@pytest.mark.parametrize("code", LANGUAGES)
def test_its_report_is_drawn(pig: GameSpec, code: str) -> None:
    ledger = played(pig)
    shown = report(ledger, pig.chances, "9.9")
    words = plain(" ".join(printed(report_pdf([shown], Language(code)))))
    assert "North" in words
    assert "South" in words
    assert plain(Language(code)("pig.held", n=ledger.events[-1].outcome["kept"])) in words
    assert " – ".join(str(points) for points in ledger.state.points) in words


def test_it_is_followed_on_the_pages_of_the_hub(pig: GameSpec, core: Core) -> None:
    header, *events = play(pig.game, Random(2))
    card = Card("t1", 5)
    card.write(header, *({**event, "at": START.isoformat(timespec="milliseconds")} for event in events[:-1]))
    core.inbox.take([card.batch()])
    shown = visitor(pages(core, ManualClock(START))).get("/tables/t1")
    assert shown.status_code == 200
    assert shown.text.count('class="board"') == 1
    assert all(word in shown.text for word in ("North", "South", "Premier à 30", "side-violet", "side-lime"))


def test_it_is_ranked_in_a_tournament(pig: GameSpec, core: Core) -> None:
    cup = evening(core, plans.round_robin("Coupe", "pig"), entries=2)
    propose(cup, fa.Draw, fa.Seed)
    (match,) = core.tournaments.course(cup.id).matches
    cup.call(match, 1)
    cup.send(cup.played("t1", 4))
    first, second = sorted(cup.score(match) or (), reverse=True)
    assert first >= 30 > second
    page = visitor(pages(core, ManualClock(START))).get(f"/t/{cup.id}/standings").text
    shown = re.findall(r"<td[^>]*>\s*([^<]*?)\s*</td>", page)
    assert {"3", "0"} <= set(shown)  # points of a win and of a loss, as every game has them that says nothing else
    assert f"+{first - second}" in page


def test_it_is_prepared_and_played_on_the_screen(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.games.fifth_evening", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=280)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr
