"""What an organiser prints on A4: pairings, standings, cross tables, brackets, result slips, lists and cards."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from fastapi import APIRouter
from fastapi.responses import Response

from companion.hub.web.exports import pdf_of, send_file, standings_cells
from companion.hub.web.localization import DASH, Names
from companion.hub.web.pages import BracketColumn, NoSuchPage, TieBox, TieSide, brackets
from companion.hub.web.site import Organiser
from companion.language import alphabetical_key
from companion.printing import cards
from companion.printing import page as paper
from companion.printing.bracket import BracketDrawing, PrintedRound, PrintedSide, PrintedTie
from companion.tournament.progress import Match, StageProgress
from companion.tournament.schedule import ScheduleSlot, schedule
from companion.tournament.standings import StandingsRow
from companion.tournament.values import NOBODY

routes = APIRouter(prefix="/desk/t/{tournament}/print")
"""The routes of the printouts, for organisers only."""


@dataclass(frozen=True)
class Printout:
    """What the printouts of a tournament are made of.

    - `address`: public address of the tournament's pages, for QR codes
    - `tables`: public address of each table by its number
    - `now`: Unix time in seconds
    """

    names: Names
    address: str
    tables: Mapping[int, str]
    now: int

    def t(self, id: str, /, **args: object) -> str:
        """Return a text of the catalogue."""
        return self.names.locale.t(id, **args)


@routes.get("/{what}.pdf")
def document(context: Organiser, tournament: str, what: str) -> Response:
    """Return a printout as PDF."""
    make = PRINTOUTS.get(what)
    if make is None:
        raise NoSuchPage
    found, site = context.names(tournament), context.dependencies
    rows = context.core.tables.all()
    tables = {row.number: f"{site.address}/tables/{row.id}" for row in rows}
    printout = Printout(found, f"{site.address}/t/{tournament}", tables, site.now)
    paper.register_fonts()
    content = pdf_of(make(printout), found)
    return send_file(content, "application/pdf", found.state, f"{what}.pdf")


def _head(printout: Printout, what: str) -> list[paper.Flowable]:
    names = printout.names
    sub = " · ".join(each for each in (names.announcement(), names.locale.date(printout.now)) if each)
    title = f"{names.state.plan.name} {DASH} {printout.t(f'web.print.{what}')}"
    return [paper.paragraph(title, "title"), paper.paragraph(sub, "sub")]


def _heads(printout: Printout, *columns: str) -> list[str]:
    """Return the titles of columns, with capitals."""
    texts = [printout.t(f"web.csv.{each}") for each in columns]
    return [text[:1].upper() + text[1:] for text in texts]


def _nothing(printout: Printout) -> paper.Flowable:
    return paper.paragraph(printout.t("web.print.nothing"))


@dataclass(frozen=True, slots=True)
class PlacedMatch:
    """A match to be played: its table and when it begins (Unix time in seconds), as called or as planned."""

    match: Match
    table: int | None
    starts: int | None


def _next_matches(printout: Printout) -> list[PlacedMatch]:
    """Return the matches that are called or can be called, by table."""
    names = printout.names
    planned = {slot.match: slot for slot in schedule(names.state, printout.now).slots}
    found = [
        _placed(match, planned.get(match.id))
        for match in names.progress.matches.values()
        if match.status in ("called", "ready")
    ]
    return sorted(found, key=lambda each: (each.match.round, each.table or 0, each.starts or 0, each.match.number))


def _placed(match: Match, slot: ScheduleSlot | None) -> PlacedMatch:
    table = match.table or (slot.table if slot else None)
    return PlacedMatch(match, table, slot.starts if slot else None)


def _byes(names: Names) -> list[str]:
    """Return the names of those who have a bye in the newest Swiss round."""
    newest = len(names.state.draws)
    found = [match for match in names.progress.matches.values() if match.kind == "swiss" and match.round == newest]
    return [names.seat(match.home) for match in found if match.away == NOBODY]


def pairings(printout: Printout) -> list[paper.Flowable]:
    """Return the pairings twice: by table, and by name on a page of its own."""
    names, found = printout.names, _next_matches(printout)
    flow = _head(printout, "pairings")
    if not found:
        return [*flow, _nothing(printout)]
    at = names.locale.clock
    heads = _heads(printout, "table", "time", "home", "away", "match")
    cells = [
        [
            str(each.table or ""),
            at(each.starts),
            names.side(each.match, True),
            names.side(each.match, False),
            names.match(each.match),
        ]
        for each in found
    ]
    cells += [["", "", bye, printout.t("web.by.bye"), ""] for bye in _byes(names)]
    widths = [12, 13, 38, 38, 28]
    flow += [*paper.heading(printout.t("web.print.by_table")), paper.table(heads, cells, widths, large=True)]
    flow += [paper.new_page(), *_head(printout, "pairings"), *paper.heading(printout.t("web.print.by_name"))]
    people = [
        [names.seat(seat), str(each.table or ""), at(each.starts), names.seat(other), names.match(each.match)]
        for each in found
        for seat, other in (each.match.seats, each.match.seats[::-1])
    ]
    people += [[bye, "", "", printout.t("web.by.bye"), ""] for bye in _byes(names)]
    heads = _heads(printout, "name", "table", "time", "opponent", "match")
    people.sort(key=lambda row: (alphabetical_key(row[0]), row[2]))
    return [*flow, paper.table(heads, people, [38, 12, 13, 38, 28], large=True)]


def standings(printout: Printout) -> list[paper.Flowable]:
    """Return the standings of every stage with their tie-breaks, each with its cross table."""
    names, flow = printout.names, _head(printout, "standings")
    stages = [stage for stage in names.progress.stages if stage.tables]
    for stage in stages:
        for group, rows in stage.tables.items():
            title = printout.t("bulletin.group", group=group) if len(stage.tables) > 1 else names.stage(stage)
            flow += [*paper.heading(title), paper.table(*standings_cells(names, rows))]
            flow.append(paper.paragraph(names.chain(stage), "note"))
            flow += [*paper.heading(printout.t("web.print.cross_table")), _cross_table(printout, stage, rows)]
    return flow if stages else [*flow, _nothing(printout)]


def _cross_table(printout: Printout, stage: StageProgress, rows: Sequence[StandingsRow]) -> paper.Flowable:
    """Return the results of all against all; in a Swiss by round, each with the rank of the opponent."""
    swiss = stage.plan.kind == "swiss"
    columns = len(printout.names.state.draws) if swiss else len(rows)
    results = _results(printout, stage, {row.entry: place for place, row in enumerate(rows, 1)})
    heads = ["", *_heads(printout, "name"), *(str(number) for number in range(1, columns + 1))]
    lines = []
    for place, row in enumerate(rows, 1):
        cells = [" ".join(results.get((row.entry, column), ())) for column in range(1, columns + 1)]
        if not swiss:
            cells[place - 1] = DASH
        lines.append([str(place), printout.names.seat(row.entry), *cells])
    return paper.table(heads, lines, [7, 34, *[max(10.0, 130 / max(columns, 1))] * columns], range(2, columns + 2))


def _results(
    printout: Printout, stage: StageProgress, places: Mapping[str, int]
) -> Mapping[tuple[str, int], Sequence[str]]:
    """Return the results of each entry by column: the place of the opponent, in a Swiss the round."""
    swiss = stage.plan.kind == "swiss"
    found: dict[tuple[str, int], list[str]] = {}
    finished = [match for tie in stage.ties for match in tie.matches if match.over and match.status != "annulled"]
    for match in finished:
        for home, (seat, other) in ((True, match.seats), (False, match.seats[::-1])):
            place = places.get(other or "", 0)
            against = f" ({place})" if swiss and place else ""
            column = match.round if swiss else place
            found.setdefault((seat or "", column), []).append(_result_text(printout, match, home) + against)
    return found


def _result_text(printout: Printout, match: Match, home: bool) -> str:
    """Return the result of a match as one of its sides sees it."""
    if match.score is None:
        return printout.t(f"web.by.{match.by}") if match.by else ""
    own, other = match.score if home else match.score[::-1]
    return f"{own}{DASH}{other}"


def bracket(printout: Printout) -> list[paper.Flowable]:
    """Return the brackets of every knock-out stage, with lines and numbered matches."""
    names, flow = printout.names, _head(printout, "bracket")
    found = [part for stage in names.progress.stages if not stage.plan.table for part in brackets(names, stage)]
    for part in found:
        flow.append(BracketDrawing([_printed_round(column) for column in part]))
    return flow if found else [*flow, _nothing(printout)]


def _printed_round(column: BracketColumn) -> PrintedRound:
    def code(tie: TieBox) -> str:
        """Return the number of a match; nothing where it is the title of the round."""
        return "" if tie.code == column.title else tie.code

    ties = [PrintedTie(code(tie), _printed_side(tie.home), _printed_side(tie.away), tie.line) for tie in column.ties]
    return PrintedRound(column.title, ties, column.joined)


def _printed_side(side: TieSide) -> PrintedSide:
    return PrintedSide(side.name, " ".join(side.points), side.won)


def slips(printout: Printout) -> list[paper.Flowable]:
    """Return a result slip for each match to be played, four on a page: score, winner, signatures, QR code."""
    names, found = printout.names, _next_matches(printout)
    made = []
    for each in found:
        match = each.match
        place = f"{printout.t('web.print.table', number=each.table)} · " if each.table else ""
        place += f"{names.locale.clock(each.starts)} · " if each.starts else ""
        sides = names.side(match, True), names.side(match, False)
        text = cards.slip(f"{place}{names.match(match)}", sides, printout.t("web.print.signatures"))
        made.append(_card(printout, text, f"{printout.address}/match/{match.id}"))
    return cards.to_cut(made, 62) if made else [*_head(printout, "slips"), _nothing(printout)]


def entrants(printout: Printout) -> list[paper.Flowable]:
    """Return the list of entrants for the door, in alphabetical order, with a box to tick."""
    state = printout.names.state
    heads = [*_heads(printout, "present", "name"), printout.t("web.entry.club"), *_heads(printout, "seed", "group")]
    people = sorted(state.entries.values(), key=lambda each: alphabetical_key(each.name))
    cells = [
        ["□", each.name, each.club, str(each.seed or ""), each.group or ""]
        for each in people
        if each.id not in state.withdrawn
    ]
    table = paper.table(heads, cells, [18, 66, 50, 22, 18], large=True)
    return [*_head(printout, "entrants"), table if cells else _nothing(printout)]


def people(printout: Printout) -> list[paper.Flowable]:
    """Return a card for each entrant with the QR code of the own page."""
    state = printout.names.state
    made = [
        _card(
            printout,
            [
                paper.paragraph(each.name, "head"),
                *([paper.paragraph(each.club)] if each.club else []),
                paper.paragraph(printout.t("web.print.people.detail")),
            ],
            f"{printout.address}/entry/{each.id}",
        )
        for each in sorted(state.entries.values(), key=lambda each: alphabetical_key(each.name))
        if each.id not in state.withdrawn
    ]
    return cards.to_cut(made, 44) if made else [*_head(printout, "people"), _nothing(printout)]


def table_cards(printout: Printout) -> list[paper.Flowable]:
    """Return a card for each table with its number and the QR code of its page."""
    made = [
        _card(
            printout,
            [paper.paragraph(printout.t("web.print.table", number=number), "score")],
            printout.tables.get(number, printout.address),
        )
        for number in range(1, printout.names.state.plan.tables + 1)
    ]
    return cards.to_cut(made, 66)


def _card(printout: Printout, text: Sequence[paper.Flowable], address: str) -> paper.Flowable:
    """Return a card: the tournament and some text at the left, a QR code at the right."""
    return cards.card([paper.paragraph(printout.names.state.plan.name, "note"), *text], address)


PRINTOUTS: Mapping[str, Callable[[Printout], list[paper.Flowable]]] = {
    "entrants": entrants,
    "pairings": pairings,
    "slips": slips,
    "standings": standings,
    "bracket": bracket,
    "tables": table_cards,
    "people": people,
}
"""The printouts by the name of their file, in the order of an evening."""
