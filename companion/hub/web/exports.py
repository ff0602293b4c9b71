"""Exports of a tournament: CSV for spreadsheets, a PDF to hang up, JSON with every fact and its trace."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Sequence

from fastapi import APIRouter
from fastapi.responses import Response

from companion.hub.web import api
from companion.hub.web.pages import NoSuchPage
from companion.hub.web.site import Organiser
from companion.hub.web.wording import Names, Words
from companion.printing import page as paper
from companion.tournament.facts import State

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A cell that begins so would be reckoned by a spreadsheet."""


routes = APIRouter(prefix="/desk/t/{tournament}/export")
"""The routes of the exports; all are the organiser's."""


@routes.get("/{what}.csv")
def sheet(visit: Organiser, tournament: str, what: str) -> Response:
    """Entries, matches or standings for a spreadsheet."""
    found = visit.names(tournament)
    rows = {"entries": entry_rows, "matches": match_rows, "standings": standing_rows}.get(what)
    if rows is None:
        raise NoSuchPage
    return _file(as_csv(rows(found)), "text/csv; charset=utf-8", found.state, f"{what}.csv")


@routes.get("/tournament.pdf")
def document(visit: Organiser, tournament: str) -> Response:
    """Standings, results and what is to come, on paper."""
    found = visit.names(tournament)
    return _file(as_pdf(found, visit.parts.now), "application/pdf", found.state, "tournament.pdf")


@routes.get("/tournament.json")
def whole(visit: Organiser, tournament: str) -> Response:
    """The tournament as it stands, and its journal: each fact with when, by whom and why."""
    found = visit.names(tournament)
    record = api.tournament_record(tournament, found.state, bool(found.course.questions)).model_dump()
    record["facts"] = [api.recorded(each).model_dump() for each in visit.core.tournaments.trace(tournament)]
    text = json.dumps(record, ensure_ascii=False, indent=1)
    return _file(text.encode(), "application/json", found.state, "tournament.json")


def _file(content: bytes, kind: str, state: State, name: str) -> Response:
    start = re.sub(r"[^a-z0-9]+", "-", state.plan.name.lower()).strip("-") or "tournament"
    return Response(content, media_type=kind, headers={"content-disposition": f'attachment; filename="{start}-{name}"'})


def entry_rows(names: Names) -> list[list[str]]:
    """Who takes part."""
    t = names.words.t
    head = [t("web.csv.id"), t("web.csv.name"), t("web.csv.seed"), t("web.csv.group"), t("web.csv.withdrawn")]
    return [head] + [
        [each.id, each.name, str(each.seed or ""), each.group or "", "1" if each.id in names.state.withdrawn else ""]
        for each in names.state.entries.values()
    ]


def match_rows(names: Names) -> list[list[str]]:
    """Every match with its result."""
    t = names.words.t
    head = ("id", "match", "home", "away", "home_points", "away_points", "status", "ended")
    rows = [[t(f"web.csv.{name}") for name in head]]
    for each in names.course.matches.values():
        points = ["", ""] if each.score is None else [str(point) for point in each.score]
        sides = [names.side(each, True), names.side(each, False)]
        status = t(f"web.status.{each.status}")
        rows.append([each.id, names.match(each), *sides, *points, status, names.ended(each)])
    return rows


def standing_rows(names: Names) -> list[list[str]]:
    """The tables of every stage."""
    t = names.words.t
    head = ("stage", "group", "rank", "name", "played", "won", "drawn", "lost", "scored", "conceded", "points")
    rows = [[t(f"web.csv.{name}") for name in head]]
    for stage in names.course.stages:
        for group, found in stage.tables.items():
            for row in found:
                figures = (row.played, row.won, row.drawn, row.lost, row.scored, row.conceded, row.points)
                place = [str(stage.number), group, str(row.rank), names.seat(row.entry)]
                rows.append([*place, *map(str, figures)])
    return rows


def as_csv(rows: Iterable[Sequence[str]]) -> bytes:
    """Rows for a spreadsheet: UTF-8 with its mark, semicolons; no cell is taken for a formula."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=";", lineterminator="\r\n")
    for row in rows:
        writer.writerow([f"'{cell}" if cell.startswith(FORMULA) else cell for cell in row])
    return out.getvalue().encode("utf-8-sig")


def as_pdf(names: Names, now: int) -> bytes:
    """Standings and matches on pages of A4."""
    paper.register_fonts()
    words, state = names.words, names.state
    flow = [paper.paragraph(state.plan.name, "title"), paper.paragraph(_subtitle(words, now), "sub")]
    for stage in names.course.stages:
        for group, rows in stage.tables.items():
            title = words.t("bulletin.group", group=group) if len(stage.tables) > 1 else names.stage(stage)
            heads = [words.t(f"web.short.{each}") for each in ("rank", "name", "played", "won", "drawn", "lost")]
            heads += [words.t(f"web.short.{each}") for each in ("difference", "points")]
            cells = [
                [
                    *(str(row.rank), names.seat(row.entry)),
                    *map(str, (row.played, row.won, row.drawn, row.lost)),
                    *(words.signed(row.difference), str(row.points)),
                ]
                for row in rows
            ]
            flow += [*paper.heading(title), paper.table(heads, cells, [6, 50, 8, 8, 8, 8, 10, 10], range(2, 8))]
    heads = [words.t(f"web.csv.{each}") for each in ("match", "home", "away", "result", "ended")]
    cells = [
        [names.match(each), names.side(each, True), names.side(each, False), words.score(each.score), names.ended(each)]
        for each in names.course.matches.values()
        if each.status != "not_needed"
    ]
    if cells:
        flow += [*paper.heading(words.t("web.matches")), paper.table(heads, cells, [34, 40, 40, 16, 24])]

    def foot(page: int, pages: int) -> str:
        return words.t("web.pdf.page", page=page, pages=pages)

    return paper.build_pdf(flow, state.plan.name, words.code, foot)


def _subtitle(words: Words, now: int) -> str:
    return words.t("web.pdf.as_of", time=words.date(now))
