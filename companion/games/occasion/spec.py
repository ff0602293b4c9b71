"""The `GameSpec` of the game of chances: everything besides the rules that other packages need."""

from __future__ import annotations

from companion.games.base import Fields, Message
from companion.games.occasion import OCCASION, dice_statistics
from companion.games.occasion.catalogues import CHANCES, PLAYERS, POSTS
from companion.games.occasion.greedy_player import greedy_event
from companion.games.occasion.messages import player_name, post_message, side_message
from companion.games.occasion.moments import moments
from companion.games.occasion.preparation import OccasionPreparation
from companion.games.occasion.scene import COLOURS, OccasionBoard
from companion.games.occasion.state import State
from companion.games.occasion.summary import summary
from companion.games.occasion.tables import SIDES
from companion.games.spec import (
    GameSpec,
    LineUp,
    LineUpGroup,
    LineUpMember,
    MatchPart,
    PlaySheets,
    Points,
    ScorePeriod,
    Screens,
    SheetColumn,
    TournamentSpec,
)
from companion.games.wording import comma_separated


def part(state: State) -> MatchPart:
    """Return the turn and who attacks in it."""
    turn = Message("app.occasion.turn", {"turn": state.turn})
    return MatchPart(comma_separated([turn, side_message("line.next_attack", state, state.attack)]))


def clock(board: OccasionBoard) -> Message:
    """Return the turn as text."""
    if board.phase == "over":
        return Message("app.board.finished")
    return Message("app.occasion.turn", {"turn": board.turn})


def line_up(state: State) -> LineUp:
    """Return the known player cards of each side."""
    found: dict[str, tuple[LineUpGroup, ...]] = {}
    for side, cards in zip(SIDES, state.players, strict=True):
        members = tuple(LineUpMember(post_message(state, card.post), card.name) for card in cards.values())
        found[side] = (LineUpGroup(Message("report.group.cards"), members),) if members else ()
    return found


def score_doubt(fixed: Fields, score: tuple[int, int]) -> Message | None:
    """Return why a score cannot be one of a match with this number of goals (OC-10.5)."""
    goals = fixed.get("goals")
    if goals is not None and (max(score) > goals or min(score) >= goals):
        return Message("app.occasion.doubt.goals", {"n": goals})
    return None


_OF_ATTACK = ("occasion_played", "attack_move", "advance", "goal_scored", "chance_missed")


def acting_side(before: State, fields: Fields) -> str | None:
    """Return the attack for what it plays and shoots, the defence for its answer."""
    if fields["event"] in _OF_ATTACK:
        return before.attack
    return before.defence if fields["event"] == "defence_choice" else None


SPEC = GameSpec(
    game=OCCASION,
    colours=tuple(COLOURS[side] for side in SIDES),
    greedy_player=greedy_event,
    table_results=("reveal",),
    dice_statistics=dice_statistics,
    line_up=line_up,
    person_name=lambda state, side, id: player_name(state, id, "home" if side == "home" else "away"),
    moments=moments,
    clock=clock,
    part=part,
    acting_side=acting_side,
    turn_unit="app.statistics.turns",
    summary=summary,
    # The rules do not cover standings: all of this is our choice.
    tournament=TournamentSpec(
        sides=SIDES,
        points=Points(win=3, draw=1, bye=3, forfeit=(3, 0)),
        minutes=45,
        match_rows=("goals", "posts", "printed_post"),
        played_settings={"goals": ("goals_to_win", None)},
        score_doubt=score_doubt,
    ),
    catalogues=(PLAYERS, CHANCES, POSTS),
    preparation=OccasionPreparation,
    quick_start_answers={"goals": 1},
    screens=Screens(
        board="companion.games.occasion.screens.board:PANEL",
        pages={"new_card": "companion.games.occasion.screens.new_card:NewCardPage"},
        editor="new_card",
        tile_art=(
            "M73 41L130 32A9 9 0 0 1 141 39L155 132A9 9 0 0 1 148 142L91 151A9 9 0 0 1 80 144L66 51A9 9 0 0 1 73 "
            "41M138 27L199 34A9 9 0 0 1 207 44L195 144A9 9 0 0 1 185 151L123 144A9 9 0 0 1 116 134L128 35A9 9 0 0"
            " 1 138 27M136 119L179 124M139 93L182 99M164 70L165 56M156 63L165 55L173 65M160 96L162 86M157 122L158"
            " 112"
        ),
    ),
    sheets=PlaySheets(
        (ScorePeriod(Message("sheet.chances"), 8), ScorePeriod(Message("sheet.chances_later"), 8)),
        (Message("sheet.zone"), Message("sheet.goals"), Message("sheet.cards")),
        (
            SheetColumn(Message("sheet.post")),
            SheetColumn(Message("sheet.player"), 3.0),
            SheetColumn(Message("sheet.pass")),
            SheetColumn(Message("sheet.dribble")),
            SheetColumn(Message("sheet.interception")),
            SheetColumn(Message("sheet.tackle")),
            SheetColumn(Message("sheet.used"), 0.8, 1),
        ),
        rows=16,
    ),
    phases={
        "choose_occasion": ("OC-2.1", "OC-2.2", "OC-2.3"),
        "attack_move": ("OC-3.1", "OC-3.4", "OC-3.6", "OC-7.3"),
        "defence": ("OC-4.2", "OC-4.5", "OC-7.3"),
        "support": ("OC-5.2", "OC-5.3", "OC-6.2", "OC-6.3"),
        "reveal": ("OC-7.1", "OC-7.3", "OC-8.1"),
        "verdict": ("OC-9.2", "OC-8.1", "OC-8.2"),
        "advance": ("OC-9.3",),
        "shot": ("OC-11.1", "OC-10.4"),
        "over": ("OC-1.4",),
    },
)
