"""Exports for other programs: results as CSV and JSON, and the report file."""

from __future__ import annotations

import csv
import io
import json
import re

from fastapi import FastAPI

from companion.clock import ManualClock
from companion.hub.core import Core
from companion.hub.web.exports import RESULT_FIELDS
from tests.hub.web.pages_kit import CLUBS, organiser, round_played, start_tournament
from tests.tournament import plans


def test_results_are_the_same_in_csv_and_json_and_in_both_languages(app: FastAPI, core: Core) -> None:
    evening = start_tournament(core, None, [*CLUBS[:-1], "=SUM(A1)"])
    round_played(evening, 100)
    desk = organiser(app)
    start = f"/desk/t/{evening.id}/export"
    answers = [desk.get(f"{start}/results.csv", headers={"accept-language": code}) for code in ("fr", "en")]
    assert answers[0].content == answers[1].content
    rows = list(csv.DictReader(io.StringIO(answers[0].content.decode("utf-8-sig"))))
    record = json.loads(desk.get(f"{start}/results.json").content)
    assert tuple(rows[0]) == RESULT_FIELDS
    names = {row[side] for row in rows for side in ("home", "away")}
    assert "'=SUM(A1)" in names
    plain = [{key: str(value) for key, value in match.items()} for match in record["matches"]]
    assert [{key: value.removeprefix("'") for key, value in row.items()} for row in rows] == plain
    progress = core.tournaments.progress(evening.id)
    found = [(match.id, *(match.score or ()), match.winner or "draw") for match in progress.matches.values()]
    seen = [(each["id"], each["home_score"], each["away_score"], each["winner"]) for each in record["matches"]]
    assert seen == found
    standing = record["standings"][0]["rows"]
    assert [row["name"] for row in standing] == [
        core.tournaments.state(evening.id).entries[row.entry].name for row in progress.stages[0].tables["A"]
    ]


def test_only_formats_with_one_table_offer_a_report_file(app: FastAPI, core: Core) -> None:
    swiss, cup = start_tournament(core), start_tournament(core, plans.double_knock_out("Coupe", "occasion"))
    desk = organiser(app)
    assert f"/desk/t/{swiss.id}/export/report.trf" in desk.get(f"/desk/t/{swiss.id}/exports").text
    answer = desk.get(f"/desk/t/{swiss.id}/export/report.trf")
    assert answer.text.startswith("012 Coupe des Baies\r\n")
    assert "\r\n042 " not in answer.text, "neither planned nor played"
    assert f"/desk/t/{cup.id}/export/report.trf" not in desk.get(f"/desk/t/{cup.id}/exports").text
    assert desk.get(f"/desk/t/{cup.id}/export/report.trf").status_code == 404


def test_the_report_file_tells_the_days_of_the_first_and_the_last_result(
    app: FastAPI, core: Core, clock: ManualClock
) -> None:
    swiss = start_tournament(core)
    days = []
    for seed in (1, 100):
        round_played(swiss, seed)
        days.append(clock.now().strftime("%Y/%m/%d"))
        clock.advance(2 * 24 * 3600)
    answer = organiser(app).get(f"/desk/t/{swiss.id}/export/report.trf")
    assert re.findall(r"^0[45]2 (\S+)", answer.text, re.MULTILINE) == days
