"""NBA's `GameSpec`: everything besides the rules that other packages need."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.base import Die, Fields, GameState, JsonObject, Message
from companion.games.nba import NBA, dice_statistics
from companion.games.nba.card_sets import sample_rows
from companion.games.nba.catalogues import PLAYERS, TACTICS
from companion.games.nba.greedy_player import careless_event, greedy_event
from companion.games.nba.legacy import keepable
from companion.games.nba.messages import card_name
from companion.games.nba.moments import moments
from companion.games.nba.preparation import NbaPreparation
from companion.games.nba.scene import SIDE_COLOURS, NbaBoard, board
from companion.games.nba.series import read_mark
from companion.games.nba.state import State
from companion.games.nba.summary import summary
from companion.games.nba.tables import PROPOSED_FACES, SKILLS
from companion.games.nba.throws import with_corrected_die
from companion.games.preparation import MatchPreparation
from companion.games.spec import (
    Fixture,
    FollowUp,
    GameSpec,
    KeepableCard,
    LineUp,
    LineUpGroup,
    LineUpMember,
    MatchPart,
    PlaySheets,
    Points,
    RematchSpec,
    ScorePeriod,
    Screens,
    SheetColumn,
    TournamentSpec,
)
from companion.games.wording import comma_separated, literal


def part(state: State) -> MatchPart:
    """Return the turn and whose it is; in overtime with its number."""
    if state.active is None:
        return MatchPart(Message("nba.line.tied"), is_turn=False)
    number = Message("app.nba.ultimate") if state.ultimate else Message("app.nba.turn", {"turn": state.turn})
    heading = comma_separated([number, literal(state.setup.names[state.active])])
    if state.period:
        heading = comma_separated([Message("app.nba.overtime", {"number": state.period}), heading])
    return MatchPart(heading)


def clock(board: NbaBoard) -> Message:
    """Return the turn, with the total if it is fixed; before it, the period of overtime."""
    if board.phase in ("over", "tied"):
        turn_message = Message(f"app.nba.{board.phase}")
    elif board.ultimate:
        turn_message = Message("app.nba.ultimate")
    elif board.limit is None:
        turn_message = Message("app.nba.turn", {"turn": board.turn})
    else:
        turn_message = Message("app.nba.turn_of", {"turn": board.turn, "limit": board.limit})
    return (
        comma_separated([Message("app.nba.overtime", {"number": board.period}), turn_message])
        if board.period
        else turn_message
    )


def line_up(state: State) -> LineUp:
    """Return the court and the tactics of each side, if they are logged."""
    found = {}
    for side in board(state).sides:
        court = tuple(LineUpMember(Message(f"nba.position.{one.position}"), one.name) for one in side.court)
        tactics = tuple(LineUpMember(Message(f"nba.type.{one.type}"), one.name) for one in side.tactics)
        groups = (
            LineUpGroup(Message("report.group.court"), court),
            LineUpGroup(Message("report.group.tactics"), tactics),
        )
        found[side.side] = tuple(group for group in groups if group.members)
    return found


def _set_up(fixture: Fixture) -> JsonObject:
    """Return the cards that the sides of a legacy tournament carry over (NBA-13.2)."""
    kept = fixture.kept_cards
    if kept is None:
        return {}
    cards = {side: list(ids) for side, ids in kept.cards.items()}
    return {"legacy": {"stage": kept.round, "threshold": kept.threshold, "kept": cards}}


def _keepable(state: GameState, side: str, threshold: int) -> tuple[KeepableCard, ...] | None:
    """Return the cards that a side may keep (NBA-13.2), or None if purchases were not logged (NBA-1.6)."""
    assert isinstance(state, State)
    if not state.setup.full or side not in state.setup.sides:
        return None
    found = keepable(state, side, threshold)
    cards = state.setup.cards
    players = [KeepableCard(id, card_name(state, id), cards[id].cost, "player") for id in found.players]
    return (*players, *(KeepableCard(id, card_name(state, id), cards[id].cost, "tactic") for id in found.tactics))


def _decide(plan: MatchPreparation, setup: Fields, sides: Mapping[str, str]) -> None:
    """Store in the preparation the cards that a tournament carries over (NBA-13.2)."""
    assert isinstance(plan, NbaPreparation)
    plan.decide(setup, sides)


def _rematch_set_up(setup: Fields) -> JsonObject:
    """Return the setup of a match played again. After a draft the deck of the market is shuffled anew (NBA-3.5)."""
    is_draft = setup.get("variants", {}).get("draft", False)
    return {key: value for key, value in setup.items() if not (is_draft and key == "market_list")}


def follow_up(header: Fields) -> FollowUp | None:
    """Return what follows a match of a series: the page that keeps its cards and prepares the next one."""
    mark = read_mark(header)
    return None if mark is None else FollowUp(Message(f"app.nba.series.{mark.kind}"), "nba_series")


_OF_BOTH = ("overtime", "accept_draw")
"""Events that both sides agree on."""


def acting_side(before: State, fields: Fields) -> str | None:
    """Return the side whose turn it is."""
    return None if fields["event"] in _OF_BOTH else before.active


SPEC = GameSpec(
    game=NBA,
    colours=SIDE_COLOURS,
    max_dice=30,
    greedy_player=greedy_event,
    careless_player=careless_event,
    dice_statistics=dice_statistics,
    line_up=line_up,
    person_name=lambda state, _, id: card_name(state, id),
    moments=moments,
    clock=clock,
    part=part,
    acting_side=acting_side,
    turn_unit="app.statistics.turns",
    summary=summary,
    breaks=("tied",),
    rematch=RematchSpec(set_up=_rematch_set_up),
    # Matches won, then the difference (NBA-11.3); the rest is our choice.
    tournament=TournamentSpec(
        sides=("home", "away"),
        points=Points(win=2, draw=1, bye=2, forfeit=(20, 0)),
        minutes=60,
        set_up=_set_up,
        match_rows=("level", "duration", "money_time", "dice", "six_nine", "normal_cards", "clock", "removed_to"),
        played_settings={
            "level": ("level", "scores"),
            "duration": ("duration", "normal"),
            "money_time": ("variants.money_time", False),
            "dice": ("dice_set.id", "rulebook"),
            "six_nine": ("dice_set.six_nine", "underline"),
            "clock": ("clock", "turns"),
            "removed_to": ("fatigue.removed_to", "pile"),
        },
        keeps_cards=True,
        keepable=_keepable,
    ),
    catalogues=(PLAYERS, TACTICS),
    sample_rows=sample_rows,
    preparation=NbaPreparation,
    decide=_decide,
    follow_up=follow_up,
    side_keys=("first", "rosters", "coaches"),
    proposed_faces=PROPOSED_FACES,
    bulk_dice=SKILLS,
    with_corrected_die=lambda state, fields, was, now: with_corrected_die(state.setup.dice_set, fields, was, now),
    screens=Screens(
        board="companion.games.nba.screens.board:PANEL",
        dice="companion.games.nba.screens.dice:mark",
        dice_kinds=SKILLS,
        pages={
            "court": "companion.games.nba.screens.court:CourtPage",
            "nba_team": "companion.games.nba.screens.team:TeamPage",
            "nba_deck": "companion.games.nba.screens.deck:DeckPage",
            "nba_draft": "companion.games.nba.screens.draft:DraftPage",
            "nba_series": "companion.games.nba.screens.series:SeriesPage",
        },
        editor="court",
        tile_dice=(Die("three_points", 9), Die("inside", 4), Die("penetration", 6)),
        tile_art=(
            "M220 30h-28c-66 0-92 40-92 72s26 72 92 72h28M220 74h-52v58h52M168 74a29 29 0 0 0 0 58M217 103a11 11 "
            "0 1 1-22 0a11 11 0 1 1 22 0"
        ),
    ),
    sheets=PlaySheets(
        (
            ScorePeriod(Message("sheet.normal_time"), 12),
            ScorePeriod(Message("sheet.normal_time_later"), 12),
            ScorePeriod(Message("sheet.overtime"), 6),
        ),
        (Message("sheet.points"), Message("sheet.total")),
        (
            SheetColumn(Message("sheet.post")),
            SheetColumn(Message("sheet.player"), 3.0),
            SheetColumn(Message("sheet.cost"), 0.8),
            SheetColumn(Message("sheet.points"), 3.0, 8),
        ),
        rows=12,
    ),
    phases={
        "adjust": ("NBA-4.3", "NBA-6.1"),
        "actions": ("NBA-4.4", "NBA-6.3", "NBA-6.5", "NBA-6.6", "NBA-7.1", "NBA-7.2"),
        "activation": ("NBA-7.1", "NBA-7.2", "NBA-7.3", "NBA-8.2"),
        "roll": ("NBA-4.5", "NBA-7.4", "NBA-7.5", "NBA-7.6", "NBA-7.7"),
        "tied": ("NBA-8.6", "NBA-8.7"),
        "over": ("NBA-1.4",),
    },
)
