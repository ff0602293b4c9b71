"""FootClub's `GameSpec`: everything besides the rules that other packages need."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.games.base import Die, Fields, JsonObject, Message
from companion.games.catalogue import CatalogueKind, Row
from companion.games.footclub import FOOTCLUB, dice_statistics, messages
from companion.games.footclub.catalogues import CLUBS, MATCH, TEAM, team_cards
from companion.games.footclub.greedy_player import greedy_event
from companion.games.footclub.known_state import known_state
from companion.games.footclub.lineup_draft import LineupDraft, event_from_draft
from companion.games.footclub.moments import moments
from companion.games.footclub.scene import LETTERS, BoardPlayer, FootClubBoard, board
from companion.games.footclub.second_leg import carried, person_marks
from companion.games.footclub.squads import CLUB_FILES, header, sample_clubs, sample_rows
from companion.games.footclub.state import State
from companion.games.footclub.summary import summary
from companion.games.footclub.tables import SIDES
from companion.games.spec import (
    Fixture,
    FollowUp,
    GameSpec,
    LineUp,
    LineUpGroup,
    LineUpMember,
    MatchEnding,
    MatchPart,
    PlaySheets,
    Points,
    RematchSpec,
    ScorePeriod,
    Screens,
    SheetColumn,
    TournamentSpec,
)

_BETWEEN = ("pre_match", "market", "half_time", "full_time", "extra_time_break", "shootout", "finished")
"""Phases that the clock shows by name."""


def clock(board: FootClubBoard) -> Message | None:
    """Return the name of the half or, between the halves, of the phase."""
    if board.phase in _BETWEEN:
        return Message(f"app.board.{board.phase}")
    return Message(f"app.board.half_{board.half}") if board.half else None


def turns(board: FootClubBoard) -> tuple[int, int]:
    """Return the number of turns in the half and the current turn."""
    return (0, 0) if board.phase in ("shootout", "finished") else (board.turns, board.turn or 0)


def part(state: State) -> MatchPart:
    """Return half and turn, or what is between them."""
    if state.phase in _BETWEEN:
        return MatchPart(Message(f"app.board.{state.phase}"), is_turn=state.phase == "shootout")
    if not state.half:
        return MatchPart(messages.word("half", "0"), is_turn=False)
    half = messages.word("half", str(state.half))
    return MatchPart(Message("footclub.summary.when", {"half": half, "turn": state.turn}))


def acting_side(before: State, fields: Fields) -> str | None:
    """Return the club that takes a kick of the shoot-out: no other event of a club is without its name."""
    return before.shootout.next if before.shootout is not None and fields["event"] == "shot" else None


def ending(view: Fields) -> MatchEnding | None:
    """Return how the match ended: goals, extra time, shoot-out, aggregate, away goals or forfeit (FC-15, FC-16)."""
    ended = view["result"]
    return None if ended is None else MatchEnding(ended["winner"], str(ended["by"]))


def line_up(state: State) -> LineUp:
    """Return the formation and the bench of each club, once it has a team sheet."""
    found = {}
    for side in board(state).clubs:
        groups = []
        if side.lineup:
            on_pitch = tuple(_member(one) for _, line in side.lineup for one in line)
            groups.append(LineUpGroup(Message("report.group.formation", {"formation": side.formation or ""}), on_pitch))
        if side.lineup and side.bench:
            groups.append(LineUpGroup(Message("report.group.bench"), tuple(_member(one) for one in side.bench)))
        found[side.side] = tuple(groups)
    return found


def _member(player: BoardPlayer) -> LineUpMember:
    notes = [Message("report.note.level", {"level": player.level})]
    if player.captain:
        notes.append(Message("report.note.captain"))
    if player.yellow:
        notes.append(Message("report.note.yellow", {"n": player.yellow}))
    if player.injury:
        notes.append(Message("report.note.injury"))
    if player.status in ("sent_off", "injured_off", "suspended"):
        notes.append(Message(f"report.note.{player.status}"))
    return LineUpMember(Message(f"footclub.post.{player.post}"), player.name, tuple(notes))


def _set_up(fixture: Fixture) -> JsonObject:
    """Return the setup of a fixture. A draw counts in a table (FC-17.2); a second leg knows the first (FC-16.1).

    The transfers of a second leg draw from the sample cards (FC-16.6) unless the table has its own, which go first.
    """
    if fixture.leg == 0:
        return {"home": fixture.home, "format": "league" if fixture.table else "single"}
    setup: JsonObject = {"home": fixture.home, "format": f"leg{fixture.leg}"}
    if fixture.leg == 2:
        setup["catalogue"] = {"team_cards": team_cards(sample_rows())}
    first = fixture.first_leg
    if first is not None:
        setup["first_leg"] = {
            **(first.carry_over or {"suspended": [], "booked": [], "injured": []}),
            "score": dict(first.score),
        }
    return setup


def _rematch_set_up(setup: Fields) -> JsonObject:
    """Return the setup of a match played again: a second leg becomes a single match (FC-16.1)."""
    kept = {key: value for key, value in setup.items() if key != "first_leg"}
    return {**kept, "format": "single"} if setup.get("format") == "leg2" else kept


def follow_up(header: Fields) -> FollowUp | None:
    """Return what follows a finished match: the second leg after the first, the table of a league evening."""
    setup, league = header.get("setup", {}), header.get("league")
    if isinstance(league, Mapping):
        return FollowUp(Message("app.league.table"), "league", {"league": league.get("id")})
    return FollowUp(Message("app.clubs.format.leg2"), "clubs") if setup.get("format") == "leg1" else None


def _sample_rows(kind: CatalogueKind) -> Iterator[Row] | None:
    """Return the sample rows: the team cards are those of the sample clubs."""
    if kind is not TEAM:
        return None
    return iter(sample_rows())


def _guided_header() -> JsonObject:
    """Return a header with the first two sample clubs."""
    home, away, *_ = sample_clubs()
    return header(home, away)


def _opening(state: State) -> list[Fields]:
    """Return events in which both clubs field their best eleven and keep their tactics secret."""
    events: list[Fields] = []
    for side in SIDES:
        sheet = LineupDraft.sheet(state.club(side))
        if sheet is not None:
            events.append(event_from_draft(sheet))
        events.append({"event": "tactics", "side": side})
    return events


SPEC = GameSpec(
    game=FOOTCLUB,
    colours=SIDES,
    letters="".join(LETTERS.values()),
    greedy_player=greedy_event,
    known_state=known_state,
    dice_statistics=dice_statistics,
    line_up=line_up,
    person_name=lambda state, _, id: messages.full_name(state, id),
    moments=moments,
    clock=clock,
    part=part,
    acting_side=acting_side,
    turn_unit="app.statistics.turns",
    turns=turns,
    ending=ending,
    summary=summary,
    breaks=("half_time", "full_time", "extra_time_break"),
    rematch=RematchSpec(set_up=_rematch_set_up, phases=("market", "pre_match"), chosen_anew=("tactics",)),
    # FC-17.1 and FC-17.3
    tournament=TournamentSpec(
        sides=SIDES, points=Points(win=3, draw=1, bye=3, forfeit=(3, 0)), minutes=60, set_up=_set_up
    ),
    catalogues=(CLUBS, TEAM, MATCH),
    clubs=CLUB_FILES,
    sample_rows=_sample_rows,
    guided_header=_guided_header,
    opening=_opening,
    follow_up=follow_up,
    sheets=PlaySheets(
        (
            ScorePeriod(Message("sheet.first_half"), 5),
            ScorePeriod(Message("sheet.second_half"), 5),
            ScorePeriod(Message("sheet.extra_time"), 3),
            ScorePeriod(Message("sheet.shootout"), 8),
        ),
        (Message("sheet.goals"), Message("sheet.cards"), Message("sheet.injuries"), Message("sheet.changes")),
        (
            SheetColumn(Message("sheet.post")),
            SheetColumn(Message("sheet.player"), 3.0),
            SheetColumn(Message("sheet.stars"), 1.8, 5, stars=True),
            SheetColumn(Message("sheet.boost"), 0.8, 1),
            SheetColumn(Message("sheet.injuries"), 1.0, 2),
            SheetColumn(Message("sheet.freshness"), 1.2, 3),
            SheetColumn(Message("sheet.cards"), 1.0, 2),
        ),
        rows=17,
    ),
    carried=carried,
    person_marks=person_marks,
    season_note=Message("footclub.season_note"),
    screens=Screens(
        board="companion.games.footclub.screens.board:PANEL",
        pages={
            "clubs": "companion.games.footclub.screens.clubs:ClubsPage",
            "lineup": "companion.games.footclub.screens.lineup:LineupPage",
            "market": "companion.games.footclub.screens.market:MarketPage",
            "league": "companion.games.footclub.screens.league:LeaguePage",
            "transfers": "companion.games.footclub.screens.transfers:TransfersPage",
            "squad": "companion.games.footclub.screens.squad:SquadPage",
        },
        preparation_page="clubs",
        preparation_phases=("pre_match",),
        editor="lineup",
        catalogue_tile="companion.games.footclub.screens.market:tile",
        tile_dice=(Die("pips", 5), Die("pips", 2), Die("ball", colour="yellow")),
        tile_art="M96 20h124M220 62h-66v128M220 104h-32v86M96 46a26 26 0 0 0 26-26M154 112a34 34 0 0 0 0 68",
    ),
    phases={
        "market": ("FC-2.4", "FC-2.5", "FC-2.7"),
        "pre_match": ("FC-14.1", "FC-3.2", "FC-3.8", "FC-4.3", "FC-4.10"),
        "preparation": ("FC-14.3", "FC-14.4", "FC-12.2", "FC-12.8"),
        "possession": ("FC-5.6", "FC-6.4", "FC-6.7", "FC-7.5"),
        "duel": ("FC-7.5", "FC-13.9"),
        "attack": ("FC-14.8", "FC-8.2", "FC-8.3"),
        "offensive": ("FC-8.7", "FC-9.2", "FC-9.3", "FC-9.5", "FC-9.6", "FC-9.8", "FC-11.1"),
        "set_piece": ("FC-10.8", "FC-11.1"),
        "corner": ("FC-11.6",),
        "counter": ("FC-8.4", "FC-8.11", "FC-10.2"),
        "end_of_turn": ("FC-14.11",),
        "half_time": ("FC-4.3", "FC-4.4"),
        "full_time": ("FC-15.5",),
        "extra_time_break": ("FC-4.3", "FC-12.2"),
        "shootout": ("FC-15.5", "FC-15.8"),
        "finished": ("FC-18.3",),
    },
)
