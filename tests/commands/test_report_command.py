"""`companion report` and `companion audit` on the command line: the written files, and the message for invalid
input."""

from __future__ import annotations

from pathlib import Path

from companion.clock import SystemClock
from companion.games.registry import GAMES
from companion.journal.store import Store
from companion.journal.store_files import STORE_FILE
from companion.table.matches import Matches
from tests.commands.test_commands import DONE, FAILED, REFUSED, companion
from tests.commands.test_stats import journal
from tests.printing.pdf_text import pages, plain
from tests.table.sample_match import sample_header, until_duel
from tests.table.sample_reports import seen_roll


def test_a_journal_becomes_a_pdf_and_a_table(tmp_path: Path) -> None:
    files = [journal(tmp_path, "footclub", 1), journal(tmp_path, "occasion", 1)]
    pdf, csv = tmp_path / "match.pdf", tmp_path / "match.csv"
    done = companion("report", *files, "--pdf", str(pdf), "--csv", str(csv), home=tmp_path)
    assert (done.returncode, done.stdout) == (DONE, ""), done.stderr
    assert "Feuille de match" in plain(pages(pdf.read_bytes())[0])
    assert csv.read_bytes().startswith(b"\xef\xbb\xbfmatch;rubrique;")


def test_the_separator_is_a_setting(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text('[data]\ncsv = ","\n')
    csv = tmp_path / "match.csv"
    file = journal(tmp_path, "occasion", 1)
    assert companion("--config", str(config), "report", file, "--csv", str(csv), home=tmp_path).returncode == DONE
    assert csv.read_bytes().startswith(b"\xef\xbb\xbfmatch,rubrique,")


def test_what_cannot_be_reported_is_named(tmp_path: Path) -> None:
    file = journal(tmp_path, "footclub", 1)
    nowhere = companion("report", "nowhere", "--pdf", str(tmp_path / "x.pdf"), home=tmp_path)
    assert (nowhere.returncode, nowhere.stderr.startswith("nowhere: ")) == (REFUSED, True)
    nothing = companion("report", file, home=tmp_path)
    assert nothing.returncode == REFUSED
    assert "--pdf" in nothing.stderr
    full = companion("report", file, "--csv", str(tmp_path / "no" / "folder.csv"), home=tmp_path)
    assert full.returncode == FAILED
    assert "folder.csv" in full.stderr
    broken = tmp_path / "broken.jsonl"
    broken.write_text(Path(file).read_text() + '{"event": "dance"}\n')
    lines = len(broken.read_text().splitlines())
    refused = companion("report", str(broken), "--csv", str(tmp_path / "x.csv"), home=tmp_path)
    assert refused.returncode == REFUSED
    assert f"{broken}:{lines}: FC-18.1:" in refused.stderr


def test_an_audit_goes_out_and_is_checked_again(tmp_path: Path) -> None:
    file, out = journal(tmp_path, "nba", 1), tmp_path / "audit.zip"
    assert companion("audit", "export", file, "--out", str(out), home=tmp_path).returncode == DONE
    good = companion("audit", "check", str(out), home=tmp_path)
    assert (good.returncode, good.stderr) == (DONE, "")
    assert "intact" in good.stdout
    raw = out.read_bytes()
    out.write_bytes(raw.replace(b'"event": "end_turn"', b'"event": "end_tour"', 1))
    bad = companion("audit", "check", str(out), home=tmp_path)
    assert (bad.returncode, bad.stdout) == (REFUSED, "")
    assert f"{out}!journal.jsonl:" in bad.stderr
    assert companion("audit", "check", str(tmp_path / "none.zip"), home=tmp_path).returncode == REFUSED


def test_a_match_of_this_table_is_named_by_the_beginning_of_its_id(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    config = tmp_path / "config.toml"
    config.write_text(f'[data]\nfolder = "{folder}"\n')
    with Store.open(folder / STORE_FILE, SystemClock()) as store:
        session = Matches(store, GAMES).start("footclub", sample_header())
        for fields in until_duel(sample_header()):
            session.record(fields)
        session.record({"event": "roll", "dice": [5, 4]}, by="camera", pictures=seen_roll(5, 4))
    csv, out = tmp_path / "match.csv", tmp_path / "audit.zip"
    name = session.match_id[:8]
    assert companion("--config", str(config), "report", name, "--csv", str(csv), home=tmp_path).returncode == DONE
    assert ";5, 4;caméra;" in csv.read_text("utf-8-sig")
    done = companion("--config", str(config), "audit", "export", name, "--out", str(out), home=tmp_path)
    assert done.returncode == DONE, done.stderr
    checked = companion("--config", str(config), "audit", "check", str(out), home=tmp_path)
    assert "3 photos" in checked.stdout
