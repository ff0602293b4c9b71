"""Exports of a tournament: CSV for spreadsheets, PDF for printing, JSON with every event and its origin.

The results for other programs have field names that do not depend on the language: CSV, JSON, and the report file of
Swiss tournaments. docs/HUB.md describes them.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from fastapi import APIRouter
from fastapi.responses import Response

from companion.hub.web import api
from companion.hub.web.localization import MINUS, Locale, Names
from companion.hub.web.pages import NoSuchPage
from companion.hub.web.site import Organiser, OrganiserContext
from companion.language import without_accents
from companion.printing import page as paper
from companion.tournament import facts as fa
from companion.tournament.facts import TournamentState
from companion.tournament.report_file import report_file
from companion.tournament.standings import SHOWN_ELSEWHERE, StandingsRow, value_of
from companion.tournament.values import DOUBLE_FORFEIT, NOBODY, Seat

FORMULA_PREFIXES = ("=", "+", "-", "@", "\t", "\r")
"""Cell prefixes that a spreadsheet would interpret as a formula."""


routes = APIRouter(prefix="/desk/t/{tournament}/export")
"""The export routes, for organisers only."""


@routes.get("/results.csv")
def results_sheet(context: Organiser, tournament: str) -> Response:
    """Export the results of all matches as CSV for other programs."""
    found = context.names(tournament)
    rows = [[str(value) for value in record.values()] for record in result_records(found)]
    content = as_csv([RESULT_FIELDS, *rows], ",")
    return send_file(content, "text/csv; charset=utf-8", found.state, "results.csv")


@routes.get("/results.json")
def results_object(context: Organiser, tournament: str) -> Response:
    """Export the results of all matches and the standings as JSON for other programs."""
    found = context.names(tournament)
    plan = found.state.plan
    record = {name: getattr(plan, name) for name in ("name", "game", "date", "place")}
    standings = [each.model_dump() for each in api.standings_records(found.progress)]
    for row in (row for each in standings for row in each["rows"]):
        row |= {"name": found.seat(row["entry"]), "club": found.club(row["entry"])}
    text = json.dumps(record | {"matches": result_records(found), "standings": standings}, ensure_ascii=False, indent=1)
    return send_file(text.encode(), "application/json", found.state, "results.json")


@routes.get("/report.trf")
def report(context: Organiser, tournament: str) -> Response:
    """Export a Swiss or a round robin of one group as a tournament report file (TRF16)."""
    found = context.names(tournament)
    text = report_file(found.state, found.progress, _result_days(context, tournament))
    if text is None:
        raise NoSuchPage
    return send_file(text.encode(), "text/plain; charset=utf-8", found.state, "rating.trf")


def _result_days(context: OrganiserContext, tournament: str) -> list[date]:
    """Return the dates, where the hub is, on which results of a tournament were recorded."""
    outcomes = (fa.Result, fa.Forfeit, fa.DoubleForfeit)
    zone = context.dependencies.zone
    trace = context.core.tournaments.trace(tournament)
    return [
        datetime.fromisoformat(each.at).astimezone(zone).date() for each in trace if isinstance(each.fact, outcomes)
    ]


@routes.get("/{what}.csv")
def sheet(context: Organiser, tournament: str, what: str) -> Response:
    """Export entries, matches or standings as CSV."""
    found = context.names(tournament)
    rows = {"entries": entry_rows, "matches": match_rows, "standings": standing_rows}.get(what)
    if rows is None:
        raise NoSuchPage
    return send_file(as_csv(rows(found)), "text/csv; charset=utf-8", found.state, f"{what}.csv")


@routes.get("/tournament.pdf")
def document(context: Organiser, tournament: str) -> Response:
    """Export standings, results and upcoming matches as PDF."""
    found = context.names(tournament)
    return send_file(as_pdf(found, context.dependencies.now), "application/pdf", found.state, "tournament.pdf")


@routes.get("/tournament.json")
def whole(context: Organiser, tournament: str) -> Response:
    """Export the state of the tournament and its journal as JSON: each event with time, author and reason."""
    found = context.names(tournament)
    record = api.tournament_record(tournament, found.state, bool(found.progress.questions)).model_dump()
    record["facts"] = [api.fact_record(each).model_dump() for each in context.core.tournaments.trace(tournament)]
    text = json.dumps(record, ensure_ascii=False, indent=1)
    return send_file(text.encode(), "application/json", found.state, "tournament.json")


def send_file(content: bytes, kind: str, state: TournamentState, name: str) -> Response:
    """Return a file for download, named after the tournament."""
    start = re.sub(r"[^a-z0-9]+", "-", without_accents(state.plan.name.lower())).strip("-") or "tournament"
    return Response(content, media_type=kind, headers={"content-disposition": f'attachment; filename="{start}-{name}"'})


def entry_rows(names: Names) -> list[list[str]]:
    """Return the rows of the entries."""
    t = names.locale.t
    head = [t("web.csv.id"), t("web.csv.name"), t("web.csv.seed"), t("web.csv.group"), t("web.csv.withdrawn")]
    head.append(t("web.entry.club"))
    return [head] + [
        [
            *(each.id, each.name, str(each.seed or ""), each.group or ""),
            "1" if each.id in names.state.withdrawn else "",
            each.club,
        ]
        for each in names.state.entries.values()
    ]


def match_rows(names: Names) -> list[list[str]]:
    """Return the rows of all matches with their results."""
    t = names.locale.t
    head = ("id", "match", "home", "away", "home_points", "away_points", "status", "ended")
    rows = [[t(f"web.csv.{name}") for name in head]]
    for each in names.progress.matches.values():
        points = ["", ""] if each.score is None else [str(point) for point in each.score]
        sides = [names.side(each, True), names.side(each, False)]
        status = t(f"web.status.{each.status}")
        rows.append([each.id, names.match(each), *sides, *points, status, names.ended(each)])
    return rows


RESULT_FIELDS = (
    *("id", "stage", "kind", "round", "number", "leg", "group", "table", "home_id", "home", "away_id", "away"),
    *("home_score", "away_score", "winner", "status", "by"),
)
"""The fields of a match in the results for other programs."""


def result_records(names: Names) -> list[dict[str, object]]:
    """Return the matches with their results for other programs; an unknown value is an empty text."""
    found = []
    for each in names.progress.matches.values():
        if each.status == "not_needed":
            continue
        home_score, away_score = each.score or ("", "")
        winner = each.winner or ("draw" if each.status == "done" and each.by != DOUBLE_FORFEIT else "")
        sides = [each.home or "", _name(names, each.home), each.away or "", _name(names, each.away)]
        place = [each.id, each.stage, each.kind, each.round, each.number, each.leg, each.group or "", each.table or ""]
        values = [*place, *sides, home_score, away_score, winner, each.status, each.by]
        found.append(dict(zip(RESULT_FIELDS, values, strict=True)))
    return found


def _name(names: Names, seat: Seat) -> str:
    return "" if seat is None or seat == NOBODY else names.seat(seat)


def standing_rows(names: Names) -> list[list[str]]:
    """Return the rows of the standings of every stage."""
    t = names.locale.t
    head = ("stage", "group", "rank", "name", "played", "won", "drawn", "lost", "byes", "scored", "conceded", "points")
    chain = _chain(names)
    rows = [
        [*(t(f"web.csv.{name}") for name in head), *(t(f"web.tie_break.{name}") for name in chain), t("web.decided")]
    ]
    for stage in names.progress.stages:
        for group, found in stage.tables.items():
            for row in found:
                figures = (row.played, row.won, row.drawn, row.lost, row.byes, row.scored, row.conceded, row.points)
                place = [str(stage.number), group, str(row.rank), names.seat(row.entry)]
                own = dict(row.values)
                tie_breaks = {name: value_of(found, row, name) for name in chain if name in own}
                values = [names.locale.tie_break(name, tie_breaks.get(name)).replace(MINUS, "-") for name in chain]
                rows.append(
                    [*place, *map(str, figures), *values, t(f"web.decided.{row.decided}") if row.decided else ""]
                )
    return rows


def _chain(names: Names) -> list[str]:
    """Return the tie-breaks of all stages that have no column of their own, in order."""
    found = [name for stage in names.state.plan.stages if stage.table for name in stage.chain]
    return list(dict.fromkeys(name for name in found if name not in SHOWN_ELSEWHERE))


def as_csv(rows: Iterable[Sequence[str]], delimiter: str = ";") -> bytes:
    """Return rows as CSV: UTF-8 with BOM, with formulas escaped."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\r\n")
    for row in rows:
        writer.writerow([f"'{cell}" if _is_formula(cell) else cell for cell in row])
    return out.getvalue().encode("utf-8-sig")


def _is_formula(cell: str) -> bool:
    """Return whether a spreadsheet would compute the cell; a number with a sign is only a number."""
    return cell.startswith(FORMULA_PREFIXES) and not re.fullmatch(r"[+-][0-9]+", cell)


def as_pdf(names: Names, now: int) -> bytes:
    """Return standings and matches as a PDF of A4 pages."""
    paper.register_fonts()
    locale, state = names.locale, names.state
    flow = [paper.paragraph(state.plan.name, "title"), paper.paragraph(_subtitle(locale, now), "sub")]
    if names.announcement():
        flow.append(paper.paragraph(names.announcement(), "sub"))
    if names.progress.champion is not None:
        flow.append(paper.paragraph(locale.t("web.champion", name=names.seat(names.progress.champion)), "strong"))
    for stage in names.progress.stages:
        for group, rows in stage.tables.items():
            title = locale.t("bulletin.group", group=group) if len(stage.tables) > 1 else names.stage(stage)
            flow += [*paper.heading(title), paper.table(*standings_cells(names, rows))]
            flow.append(paper.paragraph(names.chain(stage), "note"))
    heads = [locale.t(f"web.csv.{each}") for each in ("match", "home", "away", "result", "ended")]
    cells = [
        [
            names.match(each),
            names.side(each, True),
            names.side(each, False),
            locale.score(each.score),
            names.ended(each),
        ]
        for each in names.progress.matches.values()
        if each.status != "not_needed"
    ]
    if cells:
        flow += [*paper.heading(locale.t("web.matches")), paper.table(heads, cells, [34, 40, 40, 16, 24])]
    return pdf_of(flow, names)


def pdf_of(flow: Sequence[paper.Flowable], names: Names) -> bytes:
    """Return a PDF of A4 pages with numbers at their foot."""
    locale = names.locale

    def foot(page: int, pages: int) -> str:
        return locale.t("web.pdf.page", page=page, pages=pages)

    return paper.build_pdf(flow, names.state.plan.name, locale.code, foot)


def standings_cells(
    names: Names, rows: Sequence[StandingsRow]
) -> tuple[list[str], list[list[str]], list[float], range]:
    """Return headers, cells, widths and columns of numbers of standings.

    Each tie-break in use has a column; so have clubs and byes if there are any.
    """
    columns = [column for column in _standings_columns(names, rows) if any(column.cells)]
    heads, widths = [column.head for column in columns], [column.width for column in columns]
    cells = [[column.cells[at] for column in columns] for at in range(len(rows))]
    first = next(at for at, column in enumerate(columns) if column.is_number)
    return heads, cells, widths, range(first, len(columns))


@dataclass(frozen=True, slots=True)
class PrintedColumn:
    """A column of printed standings; its width is a share of the page."""

    head: str
    width: float
    cells: Sequence[str]
    is_number: bool = True


def _standings_columns(names: Names, rows: Sequence[StandingsRow]) -> Iterator[PrintedColumn]:
    """Yield the columns of standings; one that nobody uses has empty cells only."""
    t, signed = names.locale.t, names.locale.signed
    ranks = [_printed_rank(names, row) for row in rows]
    yield PrintedColumn(t("web.short.rank"), 20 if any(row.decided for row in rows) else 9, ranks, False)
    yield PrintedColumn(t("web.short.name"), 50, [names.seat(row.entry) for row in rows], False)
    yield PrintedColumn(t("web.entry.club"), 32, [names.club(row.entry) for row in rows], False)
    for figure in ("played", "won", "drawn", "lost"):
        yield PrintedColumn(t(f"web.short.{figure}"), 8, [str(getattr(row, figure)) for row in rows])
    byes = [str(row.byes) for row in rows] if any(row.byes for row in rows) else [""] * len(rows)
    yield PrintedColumn(t("web.short.byes"), 8, byes)
    yield PrintedColumn(t("web.short.difference"), 10, [signed(row.difference) for row in rows])
    for column in names.tie_breaks(rows):
        yield PrintedColumn(column.short, 11, [column.values[row.entry] for row in rows])
    yield PrintedColumn(t("web.short.points"), 10, [str(row.points) for row in rows])


def _printed_rank(names: Names, row: StandingsRow) -> str:
    return f"{row.rank} ({names.locale.t(f'web.decided.{row.decided}')})" if row.decided else str(row.rank)


def _subtitle(locale: Locale, now: int) -> str:
    return locale.t("web.pdf.as_of", time=locale.date(now))
