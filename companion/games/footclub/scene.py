"""What there is to see of a FootClub match: both sides with their facts, the scoreboard's value and the figures."""

from __future__ import annotations

from companion.games.base import Fact, Scene, SideScene
from companion.games.footclub import team, words_people
from companion.games.footclub.scene_board import BoardPlayer, BoardResult, BoardShootout, BoardSide, FootClubBoard
from companion.games.footclub.scene_figures import figures
from companion.games.footclub.state import Club, Player, State
from companion.games.footclub.tables import POSTS, SIDES, TURNS, Side
from companion.games.footclub.words import word
from companion.games.wording import short_name

LETTERS = {"blue": "B", "red": "R"}
OUTSIDE_HALVES = ("market", "pre_match", "half_time", "full_time", "extra_time_break", "shootout", "finished")


def scene(state: State) -> Scene:
    """Only what both clubs may know: counts, never a hand or a choice (FC-4.5)."""
    return Scene(
        sides=tuple(
            SideScene(side, state.setup.name(side), side, LETTERS[side], side_facts(state, side)) for side in SIDES
        ),
        board=board(state),
        figures=figures(state),
    )


def side_facts(state: State, side: Side) -> tuple[Fact, ...]:
    """At most five, the most needed first."""
    if not state.clubs:
        return ()
    club = state.club(side)
    stands = Fact(word("fact", "stands_kop" if club.kop == "up" else "stands"), str(club.stands))
    changes = Fact(word("fact", "changes"), str(club.replacements_left))
    cards = Fact(word("fact", "cards"), str(team.bookings(club) + club.reds))
    if state.phase in OUTSIDE_HALVES:
        return (stands, changes, cards)
    hand = Fact(word("fact", "hand"), str(club.hand))
    deck = Fact(word("fact", "deck"), str(club.deck))
    return (stands, hand, deck, changes, cards)


def board(state: State) -> FootClubBoard:
    """The scoreboard's value; during the market the clubs have names only."""
    first_leg = state.setup.first_leg
    shootout = state.shootout
    return FootClubBoard(
        clubs=(_board_side(state, "blue"), _board_side(state, "red")),
        score=state.score,
        phase=state.phase,
        half=state.half,
        turn=state.turn,
        turns=TURNS.get(state.half, 0),
        home=state.setup.home,
        ball_colour=state.colour,
        possession=state.possession,
        holder=state.holder,
        holder_name=words_people.full_name(state, state.holder) if state.holder else None,
        first_leg=first_leg.score if first_leg else None,
        shootout=BoardShootout(shootout.first, shootout.next, shootout.scored, shootout.taken) if shootout else None,
        result=BoardResult(state.result.winner, state.result.by) if state.result else None,
    )


def _board_side(state: State, side: Side) -> BoardSide:
    name, home = state.setup.name(side), state.setup.home == side
    if not state.clubs:
        return BoardSide(side, name, home, None, None, False, None, None, 0, 0, 0, None, (), (), None)
    club = state.club(side)
    ready = club.lineup is not None
    both = all(one.lineup is not None for one in state.clubs)
    on_pitch = set(club.on_pitch)
    return BoardSide(
        side=side,
        name=name,
        home=home,
        att=team.attack(club) if ready else None,
        defence=team.defence(club) if ready else None,
        optimised=ready and team.optimised(club),
        formation=team.written(club.formation) if ready else None,
        initial_bonus=team.initial_bonus(state, side) if both else None,
        bookings=team.bookings(club),
        malus=team.malus(club),
        reds=club.reds,
        kop=club.kop,
        lineup=tuple(
            (post, tuple(board_player(state, club, club.players[id], post) for id in line))
            for post, line in zip(POSTS, club.lineup or (), strict=False)
        ),
        bench=tuple(
            board_player(state, club, player, player.card.posts[0])
            for player in club.players.values()
            if player.id not in on_pitch
        ),
        captain=club.captain,
    )


def board_player(state: State, club: Club, player: Player, post: str) -> BoardPlayer:
    """One player of a club as the pitch and the line-up editor show him, standing at a post."""
    card = player.card
    return BoardPlayer(
        id=card.id,
        name=card.name,
        short=short_name(card.name),
        post=post,
        posts=card.posts,
        level=player.level,
        profiles=card.profiles,
        strength=card.strength,
        status=player.status,
        freshness=player.freshness,
        yellow=player.yellow,
        half_yellow=player.half_yellow,
        injury=player.injury + player.lasting,
        boost=player.boost,
        captain=club.captain == card.id,
        ball=state.holder == card.id,
    )
