"""The state of a FootClub match as immutable values, with simple derived numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from companion.games.footclub.cards import Coach, Goalkeeper, PlayerCard
from companion.games.footclub.setup import Setup
from companion.games.footclub.tables import (
    AM,
    FW,
    MAX_BONUS,
    MIN_PLAYERS,
    NO_CARDS,
    POSTS,
    REPLACEMENTS,
    STANDS_AT_START,
    Formation,
    Phase,
    Side,
    index_of,
    opponent,
)

Lineup = tuple[tuple[str, ...], ...]
"""Player ids at each of POSTS, from left to right (FC-3.7)."""


@dataclass(frozen=True, slots=True)
class Player:
    """An outfield player of a squad in this match.

    - `status`: `pitch`, `bench`, `out`, `injured_off`, `sent_off` or `suspended`
    - `injury`: the number of light injury tokens
    - `lasting`: the injury from the first leg (FC-16.5)
    - `left_from`: the post (index in POSTS) and the index there that he left through a serious injury (FC-12.7)
    """

    card: PlayerCard
    status: str = "bench"
    freshness: int = 0
    yellow: int = 0
    half_yellow: int = 0
    injury: int = 0
    lasting: int = 0
    boost: int = 0
    left_from: tuple[int, int] | None = None

    @property
    def id(self) -> str:
        return self.card.id

    @property
    def level(self) -> int:
        """Level in play (FC-3.4)."""
        return max(0, self.card.level + self.boost - self.injury - self.lasting)


@dataclass(frozen=True, slots=True)
class Club:
    """One club: its squad, its team on the pitch, its stands, its card counts.

    - `lineup`: None before the team sheet
    - `captain`: after the team sheet, None is a vacant armband (FC-3.9)
    - `discard`, `cards_left`: counts by type in the order of TYPES
    - `cards_left`, `tactics_known`: None before the tactical choice
    - `kop`: `up`, `down` or None
    """

    side: Side
    coach: Coach
    goalkeeper: Goalkeeper
    players: Mapping[str, Player] = field(hash=False)
    lineup: Lineup | None = None
    captain: str | None = None
    supporters: int = STANDS_AT_START
    kop: str | None = None
    hand: int = 0
    deck: int = 0
    discard: tuple[int, ...] = NO_CARDS
    cards_left: tuple[int, ...] | None = None
    tactics_known: bool | None = None
    replacements_left: int = REPLACEMENTS
    changed: bool = False
    permuted: bool = False
    supporter_laid: bool = False
    reds: int = 0

    @property
    def on_pitch(self) -> tuple[str, ...]:
        """Outfield players on the pitch, post by post from left to right; empty before the team sheet."""
        return tuple(id for line in self.lineup or () for id in line)

    @property
    def formation(self) -> Formation:
        fb, cb, dm, am, fw = (len(line) for line in self.lineup or ((),) * len(POSTS))
        return fb, cb, dm, am, fw

    @property
    def hand_limit(self) -> int:
        """Hand size at the end of a turn (FC-14.10)."""
        return 0 if self.lineup is None else len(self.lineup[AM]) + len(self.lineup[FW])

    @property
    def stands(self) -> int:
        """Cards in the stands, including the kop, face up or down."""
        return self.supporters + (self.kop is not None)

    @property
    def lacks_captain(self) -> bool:
        """True if the team needs a new captain (FC-3.9)."""
        return self.lineup is not None and self.captain is None

    @property
    def is_too_small(self) -> bool:
        """True if the team is too small to play (FC-13.9)."""
        return self.lineup is not None and sum(map(len, self.lineup)) + 1 < MIN_PLAYERS

    def place_of(self, id: str) -> tuple[int, int] | None:
        """Return the post (index in POSTS) and the index there of a player on the pitch."""
        for post, line in enumerate(self.lineup or ()):
            if id in line:
                return post, line.index(id)
        return None

    def with_player(self, player: Player) -> Club:
        return replace(self, players={**self.players, player.id: player})


@dataclass(frozen=True, slots=True)
class Goal:
    side: Side
    player: str
    half: int
    turn: int
    kind: str


@dataclass(frozen=True, slots=True)
class Offensive:
    """A current offensive (chapters 8 to 11): the sums of both sides, spent cards, the roll of the shot.

    `spent` is by side (blue, red), counted as in FC-9.3. `set_piece` is None, `free_kick` or `penalty`.
    `has_added`: the attacking club has played a support or spent something.
    `green_light`: the attacking club agreed to the defence die after the last addition (FC-9.8).
    """

    side: Side
    kind: str
    player: str
    initial: int
    attack_bonus: int = 0
    defence_bonus: int = 0
    spent: tuple[int, int] = (0, 0)
    defensive_supports: int = 0
    malus: int = 0
    set_piece: str | None = None
    throw: int = 1
    defence_die: int | None = None
    has_added: bool = False
    green_light: bool = False

    @property
    def bonus(self) -> int:
        """Running bonus; 0 or 2 on a set piece (FC-10.7)."""
        if self.set_piece is not None:
            return 2 if self.set_piece == "penalty" else 0
        return self.initial + self.attack_bonus - self.defence_bonus

    @property
    def final(self) -> int:
        """Final bonus (FC-9.7)."""
        return max(-MAX_BONUS, min(MAX_BONUS, self.bonus))

    @property
    def closed(self) -> bool:
        """True once the defence die was rolled, so that nothing may be added (FC-9.6)."""
        return self.throw > 1 or self.defence_die is not None


@dataclass(frozen=True, slots=True)
class Duel:
    """A `tackle` or a `defensive_support` that expects its dice. `target` is the tackled player."""

    kind: str
    side: Side
    player: str
    target: str | None
    mode: str
    modifier: int
    throw: int = 1


@dataclass(frozen=True, slots=True)
class Shootout:
    """The penalty shoot-out. Pairs are by side (blue, red).

    `kicks` are the kicks in order, True where one scored. `shot` holds the ids known to have shot; `kicker` is the
    named shooter of the current sudden-death kick.
    """

    shooters: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    first: Side | None = None
    next: Side | None = None
    kicks: tuple[tuple[bool, ...], tuple[bool, ...]] = ((), ())
    throw: int = 1
    defence_die: int | None = None
    kicker: str | None = None
    shot: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())

    @property
    def taken(self) -> tuple[int, int]:
        """The number of kicks of each side."""
        return len(self.kicks[0]), len(self.kicks[1])

    @property
    def scored(self) -> tuple[int, int]:
        """The number of kicks of each side that scored."""
        return sum(self.kicks[0]), sum(self.kicks[1])


@dataclass(frozen=True, slots=True)
class Pick:
    """One market turn: the player taken, then the pair in its displayed order."""

    side: Side
    revealed: tuple[str, str]
    player: str
    pair: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Market:
    """The squad market (chapter 2). `staff` is by side (blue, red); `seen` are the three-star players shown so far."""

    staff: tuple[tuple[str, str] | None, tuple[str, str] | None] = (None, None)
    first: Side | None = None
    pairs: tuple[tuple[str, str], ...] = ()
    picks: tuple[Pick, ...] = ()
    seen: frozenset[str] = frozenset()

    @property
    def next(self) -> Side | None:
        """The side whose market turn it is; None before the opening."""
        if self.first is None:
            return None
        return self.first if len(self.picks) % 2 == 0 else opponent(self.first)


@dataclass(frozen=True, slots=True)
class Result:
    winner: Side | None
    by: str


@dataclass(frozen=True, slots=True)
class State:
    """The full state of a match. Two equal states are the same situation.

    - `clubs`: (blue, red), empty during the market
    - `stage`: the progress of step 2 of the turn or of the open window: 0 nothing yet, 1 the away club changed, 2 the
      home club changed, 3 somebody permuted (FC-14.4)
    - `replaced`: the sides that made a replacement in this window (FC-12.5)
    - `offers`: the transfers offered to each side (FC-16.6)
    """

    setup: Setup
    phase: Phase
    clubs: tuple[Club, ...] = ()
    half: int = 0
    turn: int = 0
    score: tuple[int, int] = (0, 0)
    goals: tuple[Goal, ...] = ()
    colour: str | None = None
    possession: Side | None = None
    holder: str | None = None
    window: bool = False
    stage: int = 0
    replaced: frozenset[Side] = frozenset()
    offensive: Offensive | None = None
    duel: Duel | None = None
    shootout: Shootout | None = None
    market: Market | None = None
    offers: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    result: Result | None = None

    def club(self, side: Side) -> Club:
        return self.clubs[index_of(side)]

    def with_clubs(self, *clubs: Club) -> tuple[Club, ...]:
        """Return the pair of clubs with the given ones updated."""
        blue, red = self.clubs
        for club in clubs:
            if club.side == "blue":
                blue = club
            else:
                red = club
        return blue, red

    @property
    def defenders(self) -> Side:
        """The side without the ball. Only meaningful while a side has the ball."""
        return "blue" if self.possession == "red" else "red"
