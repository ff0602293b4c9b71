"""What the other packages ask of the game of chances besides its rules."""

from __future__ import annotations

from companion.games.base import Message
from companion.games.occasion import OCCASION, luck
from companion.games.occasion.scene import COLOURS
from companion.games.occasion.scene_board import OccasionBoard
from companion.games.occasion.sound_player import sound_event
from companion.games.occasion.state import State
from companion.games.occasion.tables import SIDES
from companion.games.occasion.words import player_name, post
from companion.games.spec import GameSpec, Group, LineUp, Member, Points, TournamentSpec


def clock(board: OccasionBoard) -> Message:
    """The turn."""
    if board.phase == "over":
        return Message("app.board.finished")
    return Message("app.occasion.turn", {"turn": board.turn})


def line_up(state: State) -> LineUp:
    """The player cards of each side, as far as they are known."""
    found: dict[str, tuple[Group, ...]] = {}
    for side, cards in zip(SIDES, state.players, strict=True):
        members = tuple(Member(post(state, card.post), card.name) for card in cards.values())
        found[side] = (Group(Message("report.group.cards"), members),) if members else ()
    return found


SPEC = GameSpec(
    game=OCCASION,
    colours=tuple(COLOURS[side] for side in SIDES),
    sound_player=sound_event,
    chances=luck,
    line_up=line_up,
    person=lambda state, side, id: player_name(state, id, "home" if side == "home" else "away"),
    clock=clock,
    # The rules say nothing of tables: all of it is our choice.
    tournament=TournamentSpec(sides=SIDES, points=Points(win=3, draw=1, bye=3, forfeit=(3, 0)), minutes=45),
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
