"""Reads the header of a FootClub journal into an immutable setup, with the checks of 19.1 in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar, cast

from companion.games.base import Fields, JsonObject
from companion.games.event_schema import is_count
from companion.games.footclub import cards as read
from companion.games.footclub.cards import Coach, Goalkeeper, MatchCard, PlayerCard, Squad, TeamCards
from companion.games.footclub.refusals import refusal
from companion.games.footclub.tables import FORMATS, KOPS, SIDES, SQUAD_SIZE, Side, index_of

NO_TEAM_CARDS = TeamCards()
KEYS = ("home", "kop", "format", "options", "catalogue", "market", "squads", "first_leg")
MIN_STAFF = 2
MIN_MARKET_PLAYERS = 20

Card = TypeVar("Card", Coach, Goalkeeper, PlayerCard)


@dataclass(frozen=True, slots=True)
class FirstLeg:
    """What the first leg carries over (chapter 16). `score` is (blue, red)."""

    score: tuple[int, int]
    suspended: frozenset[str] = frozenset()
    booked: frozenset[str] = frozenset()
    injured: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Setup:
    """The header of a match. `names` and `squads` are (blue, red); `squads` is None with a market.

    `consent`: a possible counter-attack is answered first (FC-8.11); the defence die needs a green light (FC-9.8).
    """

    names: tuple[str, str]
    home: Side
    kop: str
    format: str = "single"
    kop_attack_bonus: int = 2
    consent: bool = False
    match_cards: tuple[MatchCard | None, ...] = ()
    team_cards: TeamCards = NO_TEAM_CARDS
    squads: tuple[Squad, Squad] | None = None
    first_leg: FirstLeg | None = None

    @property
    def away(self) -> Side:
        return "red" if self.home == "blue" else "blue"

    def name(self, side: Side) -> str:
        return self.names[index_of(side)]

    def match_card(self, number: int) -> MatchCard | None:
        """Return a numbered card of the catalogue, or None if the catalogue does not have it."""
        return self.match_cards[number] if number < len(self.match_cards) else None


def read_header(header: Fields) -> Setup:
    """Read the header. Raises: Refusal by FC-18.1, FC-1.1, then the rows of 19.1 from the top."""
    if type(header.get("journal")) is not int or header.get("journal") != 1 or header.get("game") != "footclub":
        raise refusal("FC-18.1", "header")
    names = _names(header.get("sides"))
    setup = header.get("setup")
    if not isinstance(setup, dict):
        raise refusal("FC-1.11", "value", key="setup")
    for key in setup:
        if key not in KEYS:
            raise refusal("FC-1.11", "unknown_key", key=f"setup.{key}")
    home = _choice(setup, "home", SIDES)
    kop = _choice(setup, "kop", KOPS)
    format_ = _choice(setup, "format", FORMATS, "single")
    bonus, consent = _options(setup)
    match_cards, team_cards = _catalogue(setup)
    market = _market(setup, team_cards)
    squads = None if market else _squads(setup)
    known = team_cards.players if squads is None and team_cards else _players(squads)
    first_leg = _first_leg(setup, format_, {card.id for card in known})
    return Setup(
        names,
        cast("Side", home),
        kop,
        format_,
        kop_attack_bonus=bonus,
        consent=consent,
        match_cards=match_cards,
        team_cards=team_cards or NO_TEAM_CARDS,
        squads=squads,
        first_leg=first_leg,
    )


def _names(sides: object) -> tuple[str, str]:
    if not isinstance(sides, dict) or set(sides) != set(SIDES):
        raise refusal("FC-1.1")
    names = [entry.get("name") if isinstance(entry, dict) else None for entry in (sides["blue"], sides["red"])]
    if not all(isinstance(name, str) for name in names):
        raise refusal("FC-1.1")
    return cast("tuple[str, str]", tuple(names))


def _choice(setup: JsonObject, key: str, values: tuple[str, ...], default: str | None = None) -> str:
    if key not in setup and default is not None:
        return default
    if key not in setup:
        raise refusal("FC-1.11", "missing_key", key=f"setup.{key}")
    value = setup[key]
    if not isinstance(value, str) or value not in values:
        raise refusal("FC-1.11", "value", key=f"setup.{key}")
    return value


def _options(setup: JsonObject) -> tuple[int, bool]:
    """Return the bonus of the kop K01 (FC-9.4) and whether the consents of FC-8.11 and FC-9.8 are required."""
    options = read.parse_object(setup.get("options", {}), "setup.options", (), ("kop_attack_bonus", "consent"))
    bonus = options.get("kop_attack_bonus", 2)
    if type(bonus) is not int or bonus not in (1, 2):
        raise refusal("FC-1.11", "value", key="setup.options.kop_attack_bonus")
    consent = options.get("consent", False)
    if not isinstance(consent, bool):
        raise refusal("FC-1.11", "value", key="setup.options.consent")
    return bonus, consent


def _catalogue(setup: JsonObject) -> tuple[tuple[MatchCard | None, ...], TeamCards | None]:
    catalogue = read.parse_object(setup.get("catalogue", {}), "setup.catalogue", (), ("match_cards", "team_cards"))
    match_cards = read.parse_match_cards(catalogue["match_cards"]) if "match_cards" in catalogue else ()
    if "team_cards" not in catalogue:
        return match_cards, None
    where = "setup.catalogue.team_cards"
    lists = read.parse_object(catalogue["team_cards"], where, (), ("coaches", "goalkeepers", "players"))
    cards = TeamCards(
        _list(lists.get("coaches", []), f"{where}.coaches", read.parse_coach),
        _list(lists.get("goalkeepers", []), f"{where}.goalkeepers", read.parse_goalkeeper),
        _list(lists.get("players", []), f"{where}.players", read.parse_player),
    )
    _unique([*(c.id for c in cards.coaches), *(k.id for k in cards.goalkeepers), *(p.id for p in cards.players)])
    return match_cards, cards


def _list(value: object, where: str, card: Callable[[object, str], Card]) -> tuple[Card, ...]:
    if not isinstance(value, list):
        raise refusal("FC-1.11", "value", key=where)
    return tuple(card(entry, f"{where}[{index}]") for index, entry in enumerate(value))


def _unique(ids: Iterable[str]) -> None:
    seen: set[str] = set()
    for id in ids:
        if id in seen:
            raise refusal("FC-1.11", "repeated_id", key=id)
        seen.add(id)


def _market(setup: JsonObject, cards: TeamCards | None) -> bool:
    market = setup.get("market", False)
    if not isinstance(market, bool):
        raise refusal("FC-1.11", "value", key="setup.market")
    if not market:
        return False
    if cards is None:
        raise refusal("FC-1.11", "missing_key", key="setup.catalogue.team_cards")
    if "squads" in setup:
        raise refusal("FC-1.11", "squads_with_market")
    upper = sum(card.level in (4, 5) for card in cards.players)
    lower = sum(card.level == 3 for card in cards.players)
    if min(len(cards.coaches), len(cards.goalkeepers)) < MIN_STAFF or min(upper, lower) < MIN_MARKET_PLAYERS:
        raise refusal("FC-2.1")
    return True


def _squads(setup: JsonObject) -> tuple[Squad, Squad]:
    if "squads" not in setup:
        raise refusal("FC-1.11", "missing_key", key="setup.squads")
    squads = read.parse_object(setup["squads"], "setup.squads", SIDES)
    blue, red = (_squad(squads[side], f"setup.squads.{side}") for side in SIDES)
    staff = [id for squad in (blue, red) for id in (squad.coach.id, squad.goalkeeper.id)]
    _unique(staff + [card.id for card in _players((blue, red))])
    return blue, red


def _squad(value: object, where: str) -> Squad:
    squad = read.parse_object(value, where, ("coach", "goalkeeper", "players"))
    coach = read.parse_coach(squad["coach"], f"{where}.coach")
    keeper = read.parse_goalkeeper(squad["goalkeeper"], f"{where}.goalkeeper")
    players = squad["players"]
    if isinstance(players, list) and not SQUAD_SIZE[0] <= len(players) <= SQUAD_SIZE[1]:
        raise refusal("FC-1.11", "squad_size", key=where, players=len(players))
    return Squad(coach, keeper, _list(players, f"{where}.players", read.parse_player))


def _players(squads: tuple[Squad, Squad] | None) -> tuple[PlayerCard, ...]:
    return tuple(card for squad in squads or () for card in squad.players)


def _first_leg(setup: JsonObject, format_: str, known: set[str]) -> FirstLeg | None:
    if ("first_leg" in setup) != (format_ == "leg2"):
        raise refusal("FC-16.1", "format")
    if format_ != "leg2":
        return None
    value = setup["first_leg"]
    lists = ("suspended", "booked", "injured")
    if not isinstance(value, dict) or "score" not in value or not set(value) <= {"score", *lists}:
        raise refusal("FC-16.1", "keys")
    score = value["score"]
    if not isinstance(score, dict) or set(score) != set(SIDES) or not all(is_count(n) for n in score.values()):
        raise refusal("FC-16.1", "score")
    ids = {}
    for key in lists:
        entry = value.get(key, [])
        if not isinstance(entry, list) or not all(isinstance(id, str) and id in known for id in entry):
            raise refusal("FC-16.1", "ids", key=key)
        ids[key] = frozenset(entry)
    return FirstLeg((score["blue"], score["red"]), **ids)
