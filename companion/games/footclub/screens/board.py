"""FootClub's scoreboard panel: pitch lines, clubs, half and turn, score."""

from __future__ import annotations

from collections.abc import Sequence

from companion.app.display import translate
from companion.app.figures.scoreboard import BoardPanel, ClockLine, Drawing, Order, ScorePanel
from companion.games.footclub.scene import BoardSide, FootClubBoard

_CIRCLE = "a46 46 0 1 1 -92 0a46 46 0 1 1 92 0"
_PITCH = f"M400 -30v190M-10 117h820M446 66{_CIRCLE}M-4 92a26 26 0 0 1 30 25M804 92a26 26 0 0 0-30 25"
_PITCH_UPRIGHT = f"M225 -10v200M-10 153h470M271 104{_CIRCLE}M-4 142a12 12 0 0 1 14 11M454 142a12 12 0 0 0-14 11"
"""The corners are smaller in portrait, where the facts of a club have three lines above them."""


class FootClubPanel(BoardPanel[FootClubBoard]):
    """Clubs with ATT and DEF, the half with its turns, the score."""

    drawings = (Drawing(_PITCH, 800, 120), Drawing(_PITCH_UPRIGHT, 450, 156))

    def show(
        self,
        board: FootClubBoard,
        order: Order,
        awaited: tuple[str, ...],
        before: Sequence[int] | None = None,
    ) -> None:
        clubs = {club.side: club for club in board.clubs}
        self.show_sides(order, awaited, lambda side: (clubs[side].home, club_numbers(clubs[side])))
        turns = (board.turns, board.turn) if board.phase not in ("shootout", "finished") else (0, None)
        self.part("clock", (clock_words(board), tally(board, order), *turns), ClockLine)
        self.show_score(order, tuple(clubs), board.score, before)


def tally(board: FootClubBoard, order: Order) -> str:
    """Return a second score beside the clock: the kicks of a shoot-out, or in a second leg the sum of both legs."""
    names = [club.side for club in board.clubs]
    at = [names.index(scene.side) for scene in order]
    if board.shootout is not None:
        return translate("app.board.kicks", left=board.shootout.scored[at[0]], right=board.shootout.scored[at[1]])
    if board.aggregate is not None and board.away_goals is not None:
        both = {"left": board.aggregate[at[0]], "right": board.aggregate[at[1]]}
        away = {"away_left": board.away_goals[at[0]], "away_right": board.away_goals[at[1]]}
        return translate("app.board.aggregate", **both, **away)
    return ""


def club_numbers(club: BoardSide) -> tuple[tuple[str, str], ...]:
    """Return the labels and numbers under a club's name, the most important first."""
    found = []
    if club.att is not None and club.defence is not None:
        found += [(translate("app.board.att"), str(club.att)), (translate("app.board.def"), str(club.defence))]
    if club.optimised:
        found.append((translate("app.board.optimised"), ""))
    if club.bookings:
        found.append((translate("app.board.cards", n=club.bookings), ""))
    return tuple(found)


def clock_words(board: FootClubBoard) -> str:
    """Return the name of the half or, between the halves, of the phase; empty during a shoot-out."""
    if board.shootout:
        return ""
    if board.phase in ("pre_match", "market", "half_time", "full_time", "extra_time_break", "shootout", "finished"):
        return translate(f"app.board.{board.phase}")
    return translate(f"app.board.half_{board.half}") if board.half else ""


PANEL = ScorePanel(FootClubPanel, max_choices_portrait=4)
