"""hoops21's `GameSpec`: everything besides the rules that other packages need."""

from __future__ import annotations

from companion.games.base import Die, Fields, Message
from companion.games.hoops21 import HOOPS21, dice_statistics
from companion.games.hoops21.catalogues import MATERIAL
from companion.games.hoops21.greedy_player import greedy_event
from companion.games.hoops21.messages import side_message
from companion.games.hoops21.moments import moments
from companion.games.hoops21.preparation import TARGETS, HoopsPreparation
from companion.games.hoops21.scene import LETTERS, HoopsBoard
from companion.games.hoops21.state import State
from companion.games.hoops21.summary import summary
from companion.games.hoops21.tables import DEFAULT_ARC, DEFAULT_SECTIONS, DEFAULT_TARGET, DICE, SIDES
from companion.games.hoops21.view import waiting_for
from companion.games.spec import GameSpec, MatchPart, PlaySheets, Points, ScorePeriod, Screens, TournamentSpec


def clock(board: HoopsBoard) -> Message:
    """Return the points that win; once they are reached, the end."""
    if board.winner is not None:
        return Message("app.board.finished")
    return Message("app.hoops21.board.target", {"n": board.target})


def score_doubt(fixed: Fields, score: tuple[int, int]) -> Message | None:
    """Return why a score cannot be one of a match played to its end: the first to reach the target wins (HB-10.2)."""
    target = fixed.get("target", min(TARGETS))
    if score[0] == score[1]:
        return Message("app.hoops21.doubt.draw")
    if max(score) < target <= max(TARGETS) or min(score) >= fixed.get("target", max(TARGETS)):
        return Message("app.hoops21.doubt.target", {"n": target})
    return None


def part(state: State) -> MatchPart:
    """Return whose possession it is; before the first one, the jump ball."""
    if state.attack is None:
        return MatchPart(Message("app.hoops21.jump_ball"), is_turn=False)
    return MatchPart(side_message("headline.attack", state, state.attack))


_OF_ONE = ("token", "choose", "step_back", "reroll", "stand", "free_throw", "inbound_end")


def acting_side(before: State, fields: Fields) -> str | None:
    """Return the team that decides or throws alone."""
    waiting = waiting_for(before) if fields["event"] in _OF_ONE else ()
    return waiting[0] if len(waiting) == 1 else None


SPEC = GameSpec(
    game=HOOPS21,
    colours=SIDES,
    letters="".join(LETTERS.values()),
    max_dice=2 * DICE,
    greedy_player=greedy_event,
    dice_statistics=dice_statistics,
    moments=moments,
    clock=clock,
    part=part,
    acting_side=acting_side,
    turn_unit="app.hoops21.possessions",
    summary=summary,
    # The rules do not cover standings: all of this is our choice.
    tournament=TournamentSpec(
        sides=SIDES,
        points=Points(win=2, draw=1, bye=2, forfeit=(21, 0)),
        chain=("points", "direct_points", "difference", "scored"),
        minutes=30,
        match_rows=("target", "advanced", "material", "faces", "sections", "arc"),
        played_settings={
            "target": ("target", DEFAULT_TARGET),
            "advanced": ("advanced_token", False),
            "sections": ("court.sections", DEFAULT_SECTIONS),
            "arc": ("court.arc", DEFAULT_ARC),
        },
        score_doubt=score_doubt,
    ),
    catalogues=(MATERIAL,),
    preparation=HoopsPreparation,
    quick_start_answers={"target": 7},
    screens=Screens(
        board="companion.games.hoops21.screens.board:PANEL",
        dice="companion.games.hoops21.screens.dice:mark",
        dice_kinds=SIDES,
        tile_dice=(Die("orange", symbol="ball"), Die("white", symbol="steal")),
        tile_art=(
            "M220 96a71 71 0 1 1-142 0a71 71 0 1 1 142 0M78 96h142M149 25v142M98 46c34 30 34 70 0 100M200 46c-34 "
            "30-34 70 0 100"
        ),
    ),
    sheets=PlaySheets(
        (ScorePeriod(Message("sheet.points_to"), 11), ScorePeriod(Message("sheet.points_on"), 10)),
        (Message("sheet.points"), Message("sheet.shot")),
    ),
    phases={
        "jump_ball": ("HB-3.2", "HB-3.3", "HB-1.6"),
        "throw": ("HB-4.3", "HB-4.4", "HB-5.1", "HB-6.3", "HB-6.4", "HB-6.5", "HB-1.6"),
        "tie": ("HB-5.1", "HB-11.1", "HB-11.4", "HB-11.5"),
        "reroll": ("HB-11.1", "HB-11.2", "HB-11.4", "HB-11.5"),
        "choose": ("HB-4.4", "HB-6.2", "HB-6.3", "HB-6.5", "HB-6.6", "HB-7.2"),
        "shot": ("HB-7.2", "HB-7.3", "HB-7.5", "HB-7.6", "HB-7.7"),
        "free_throw": ("HB-8.1", "HB-8.2", "HB-8.3", "HB-11.1"),
        "inbound": ("HB-9.2", "HB-9.3", "HB-9.5", "HB-9.6", "HB-9.7"),
        "over": ("HB-10.2", "HB-1.4"),
    },
)
