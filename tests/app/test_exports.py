"""Exported files of matches: names valid on every file system, contents that can be read back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.app.platform import MAX_FILE_NAME_CHARS, ExportConfig, file_name, folder_label, place_label
from companion.app.screens.report import KINDS, day_of, export_file_name, file_content, write_in_background
from companion.clock import ManualClock
from companion.games.base import Message
from companion.games.registry import GAMES
from companion.journal.ledger import replay
from companion.journal.store import Store
from companion.language import Language
from companion.printing.report import report_pdf
from companion.table.audit import check
from companion.table.matches import Matches
from tests.printing.pdf_text import pages, plain
from tests.table.sample_match import sample_header, until_duel
from tests.table.sample_reports import seen_roll


@pytest.mark.parametrize(
    ("title", "wanted"),
    [
        ("Étoile – Œuvre", "2026-03-14 Étoile – Œuvre.pdf"),
        ('A/B\\C:D*E?F"G<H>I|J', "2026-03-14 A B C D E F G H I J.pdf"),
        ("../../etc/passwd", "2026-03-14 .. .. etc passwd.pdf"),
        ("\n\t", "2026-03-14.pdf"),
    ],
)
def test_names_suit_every_file_system(title: str, wanted: str) -> None:
    assert file_name("2026-03-14", title, "pdf") == wanted


def test_a_long_name_is_cut_before_its_ending() -> None:
    name = file_name("2026-03-14", "x" * 300, "pdf")
    assert len(name) == MAX_FILE_NAME_CHARS + len(".pdf")
    assert name.endswith("x.pdf")


def test_players_see_a_folder_by_its_name_and_not_by_its_path() -> None:
    own, stick = Path("/var/lib/tapis-vert/exchange"), Path("/media/pi/MATCHS")
    french, english = Language("fr"), Language("en")
    assert [folder_label(folder, own, french) for folder in (own, stick)] == ["Sur cette table", "Clé USB MATCHS"]
    assert [folder_label(folder, own, english) for folder in (own, stick)] == ["On this table", "USB stick MATCHS"]


def test_a_file_for_import_is_named_by_its_place() -> None:
    own, stick = Path("/var/lib/tapis-vert/exchange"), Path("/media/pi/MATCHS")
    found = [place_label(path / "cards.csv", (own, stick), Language("fr")) for path in (own, stick, stick / "a" / "b")]
    assert found == ["Sur cette table", "Clé USB MATCHS", "Clé USB MATCHS, a, b"]


def test_the_day_is_that_of_the_table() -> None:
    assert day_of("2026-03-14T20:00:00+00:00").startswith("2026-03-1")
    assert day_of("no day") == day_of(None) == ""


def test_each_kind_of_file_holds_the_match(tmp_path: Path) -> None:
    papers = ExportConfig(report_pdf, lambda: [tmp_path], {"tapis-vert": "9.9"}, ",")
    with Store.open(tmp_path / "matches.db", ManualClock()) as store:
        session = Matches(store, GAMES).start("footclub", sample_header())
        for fields in until_duel(sample_header()):
            session.record(fields)
        session.record({"event": "roll", "dice": [5, 4]}, by="camera", pictures=seen_roll(5, 4))
        made = {kind: file_content(session, store, kind, papers, Language("fr"))() for kind in KINDS}
        name = export_file_name(session, "2026-03-14", "pdf")
    assert all(side["name"] in name for side in session.header["sides"].values())
    assert "caméra, sûr" in plain(" ".join(pages(made["pdf"])))
    assert made["csv"].startswith(b"\xef\xbb\xbfmatch,rubrique,")
    assert replay(made["jsonl"].splitlines(keepends=True), GAMES).ledger.state == session.state
    checked = check(made["zip"], GAMES)
    assert (checked.faults, checked.picture_count, checked.match) == ((), 3, session.match_id)
    assert json.loads(made["jsonl"].splitlines()[-1])["by"] == "camera"


def test_a_file_is_written_aside_and_a_failure_told(tmp_path: Path) -> None:
    errors: list[Message | None] = []
    write_in_background(tmp_path / "new" / "file.csv", lambda: b"a", errors.append).join()
    assert (tmp_path / "new" / "file.csv").read_bytes() == b"a"
    (tmp_path / "plain").write_text("no folder")
    write_in_background(tmp_path / "plain" / "file.csv", lambda: b"a", errors.append).join()
    assert errors[0] is None
    assert errors[1]
