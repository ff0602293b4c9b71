"""A fifth game needs only its folder: `fifth/pig` is added to the search path of `companion.games`, nothing else."""

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
from tests.hub.core_kit import StoredTableJournal
from tests.hub.desk_kit import evening
from tests.hub.web.pages_kit import pages, propose, visitor
from tests.printing.pdf_text import pages as printed
from tests.printing.pdf_text import plain
from tests.tournament import plans

FOLDER = Path(__file__).parent / "fifth"
ROOT = Path(__file__).parents[2]


@pytest.fixture
def core(pig: GameSpec, tmp_path: Path) -> Iterator[Core]:
    """Start a hub that knows the game, with two tables."""
    made = open_core(f"sqlite:///{tmp_path / 'hub.sqlite'}", registry.GAMES, ManualClock(START))
    for number in (1, 2):
        made.tables.register(f"t{number}", number, f"Table {number}")
    yield made
    made.close()


@pytest.fixture
def pig(monkeypatch: pytest.MonkeyPatch) -> Iterator[GameSpec]:
    """Register the game during the test; it is found in its folder like the others."""
    monkeypatch.setattr(companion.games, "__path__", [*companion.games.__path__, str(FOLDER)])
    found = {spec.id: spec for spec in registry.load_specs()}
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
    assert [(row.id, row.kind, row.value, row.minimum, row.maximum) for row in match.rows] == [
        ("setup.target", "count", 30, 10, 100)
    ]
    plan.choose("name.south", "Ada")
    plan.choose("setup.target", 50)
    begun = pig.game.initial_state(pig.prepare(memory, SampleCards()).header())
    assert (begun.names, begun.target) == (("North", "Ada"), 50)
    assert plan.missing() == ()
    plan.choose("setup.target", None)
    assert [message.id for message in plan.missing()] == ["pig.up_to"]


@pytest.mark.parametrize("code", LANGUAGES)
def test_its_report_is_drawn(pig: GameSpec, code: str) -> None:
    ledger = played(pig)
    match_report = report(ledger, pig.dice_statistics, "9.9")
    text = plain(" ".join(printed(report_pdf([match_report], Language(code)))))
    assert "North" in text
    assert "South" in text
    assert plain(Language(code)("pig.held", n=ledger.events[-1].outcome["kept"])) in text
    assert " – ".join(str(points) for points in ledger.state.points) in text


def test_it_is_followed_on_the_pages_of_the_hub(pig: GameSpec, core: Core) -> None:
    header, *events = play(pig.game, Random(2))
    card = StoredTableJournal("t1", 5)
    card.write(header, *({**event, "at": START.isoformat(timespec="milliseconds")} for event in events[:-1]))
    core.inbox.accept([card.batch()])
    response = visitor(pages(core, ManualClock(START))).get("/tables/t1")
    assert response.status_code == 200
    assert response.text.count('class="board"') == 1
    assert all(word in response.text for word in ("North", "South", "Premier à 30", "side-violet", "side-lime"))


def test_it_is_ranked_in_a_tournament(pig: GameSpec, core: Core) -> None:
    cup = evening(core, plans.round_robin("Coupe", "pig"), entries=2)
    propose(cup, fa.Draw, fa.Seed)
    (match,) = core.tournaments.progress(cup.id).matches
    cup.call(match, 1)
    cup.send(cup.played("t1", 4))
    first, second = sorted(cup.score(match) or (), reverse=True)
    assert first >= 30 > second
    page = visitor(pages(core, ManualClock(START))).get(f"/t/{cup.id}/standings").text
    cells = re.findall(r"<td[^>]*>\s*([^<]*?)\s*</td>", page)
    assert {"3", "0"} <= set(cells)  # default points of a win and of a loss
    assert f"+{first - second}" in page


def test_it_is_prepared_and_played_on_the_screen(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.games.fifth_evening", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=280)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr
