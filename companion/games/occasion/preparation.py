"""The preparation of a match of the game of chances: cards of both teams, chances, who attacks, length, posts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import MappingProxyType

from companion.games.base import JsonObject, Message, Option
from companion.games.catalogue import CardSource
from companion.games.catalogue import Row as CardRow
from companion.games.occasion.cards import default_post_message
from companion.games.occasion.catalogues import CHANCES, PLAYERS, POSTS, chances, players, post_sets
from companion.games.occasion.scene import COLOURS, LETTERS
from companion.games.occasion.setup import read_header
from companion.games.occasion.tables import DEFAULT_POSTS, MAX_VISIBLE_CHANCES, SIDES
from companion.games.preparation import Memory, SetupColumn, SetupRow, fixed_readings
from companion.games.wording import literal

GOALS = (1, 3, 5, None)
NO_TEAM = ""
"""The team of a side whose cards are defined during the match."""
USUAL_POSTS = ""
"""The posts of the rules."""
BOTH_SIDES, ATTACK_ONLY = POST_READINGS = ("both", "attack")
"""The readings of a printed post: a bonus for both sides, or for the attack only (OC-4.6)."""
FIXED_READINGS = MappingProxyType(
    {
        "same_row": "OC-2.4",
        "no_wall": "OC-4.5",
        "many_shots": "OC-10.1",
        "cross_bonus": "OC-3.5",
        "won_duel": "OC-9.4",
        "dribbler": "OC-3.6",
        "double": "OC-7.3",
        "first_support": "OC-5.1",
        "end_support": "OC-5.4",
        "skip": "OC-7.1",
        "energy": "OC-7.2",
        "abilities": "OC-6.1",
        "fouls": "OC-8.3",
        "shooting": "OC-10.3",
        "turn_end": "OC-10.2",
        "used": "OC-10.4",
        "length": "OC-10.5",
        "replaced": "OC-2.1",
    }
)
"""The points that the text leaves open and that the rules of record fix (chapter 15), with the rule of each."""

RowsByTeam = dict[str, list[CardRow]]
"""Rows of players by team."""


class OccasionPreparation:
    """The preparation. By default the first two teams of the catalogue play each other."""

    def __init__(self, memory: Memory, cards: CardSource) -> None:
        self._memory = memory
        self._teams = rows_by_team(cards.rows(PLAYERS))
        self._chances = chances(cards.rows(CHANCES))
        self._post_sets = post_sets(cards.rows(POSTS))
        if not memory:
            named = list(self._teams)
            playing = [named[place] if place < len(named) else NO_TEAM for place in range(len(SIDES))]
            memory.update(team=dict(zip(SIDES, playing, strict=True)), names={}, first="home", goals=3, deck=True)
            memory.update(posts=USUAL_POSTS, printed_post=BOTH_SIDES)
            self._deal_visible_chances()

    def columns(self) -> tuple[SetupColumn, ...]:
        return (*(self._side(side) for side in SIDES), SetupColumn(None, "", _message("match"), tuple(self._match())))

    def choose(self, row: str, value: object) -> None:
        kind, _, of = row.partition(".")
        if kind == "visible":
            side, _, place = of.partition(".")
            visible = list(self._memory["visible"][side])
            if value in visible and value is not None:
                visible[visible.index(value)] = visible[int(place)]
            visible[int(place)] = value
            self._memory["visible"] = {**self._memory["visible"], side: tuple(visible)}
        elif kind in ("team", "name"):
            key = {"team": "team", "name": "names"}[kind]
            self._memory[key] = {**self._memory[key], of: value}
        else:
            self._memory[kind] = value
            if kind == "deck":
                self._deal_visible_chances()

    def missing(self) -> tuple[Message, ...]:
        """Return the first card with a post that the chosen set lacks. Unknown cards are defined during the match."""
        posts = self._memory["posts"]
        if posts and posts not in self._post_sets:
            return (_message("posts_gone", set=self._memory["posts"]),)
        known = self._post_sets[posts].posts if posts else DEFAULT_POSTS
        lacking = (found for found in self._posts_of_cards() if found[1] not in known)
        return tuple(_message("posts_lack", card=card, post=default_post_message(post)) for card, post in lacking)[:1]

    def _posts_of_cards(self) -> Iterator[tuple[str, str]]:
        """Yield each card of the match by its name with each post that it names."""
        for side in SIDES:
            for row in self._teams.get(self._memory["team"][side], ()):
                yield str(row.get("name", row["id"])), str(row["post"])
        for id, card in self._chances.items() if self._memory["deck"] else ():
            for zone in card["zones"]:
                for post in (*zone.get("attack_posts", ()), *zone.get("defence_posts", ())):
                    yield str(card.get("name", id)), str(post)

    def header(self) -> JsonObject:
        memory = self._memory
        own = {side: players(self._teams.get(memory["team"][side], ())) for side in SIDES}
        visible = {side: [card for card in memory["visible"][side] if card is not None] for side in SIDES}
        setup: JsonObject = {"first_attack": memory["first"], "players": own, "goals_to_win": memory["goals"]}
        setup |= {"occasions": self._deck() if memory["deck"] else {}, "visible": visible}
        if memory["posts"] in self._post_sets:
            setup["posts"] = dict(self._post_sets[memory["posts"]].posts)
        header = {"journal": 1, "game": "occasion", "setup": setup}
        read_header({**header, "sides": {side: {"name": side} for side in SIDES}})
        return {**header, "sides": {side: {"name": self._name(side)} for side in SIDES}}

    def _deck(self) -> dict[str, JsonObject]:
        """Return the chance cards. With posts for the attack only, zones without posts for the defence have none."""
        if self._memory["printed_post"] == BOTH_SIDES:
            return self._chances
        return {
            id: {**card, "zones": [{"defence_posts": [], **zone} for zone in card["zones"]]}
            for id, card in self._chances.items()
        }

    # Rows

    def _name(self, side: str) -> Message:
        """Return the name that the players entered, otherwise the card team's name, otherwise the side's name."""
        name = self._memory["names"].get(side) or self._team_name(side)
        return literal(name) if name else _message(side)

    def _team_name(self, side: str) -> str:
        """Return the name of the side's card team; empty if both sides play its cards."""
        teams = [self._memory["team"][each] for each in SIDES]
        return "" if teams[0] == teams[1] else str(self._memory["team"][side])

    def _side(self, side: str) -> SetupColumn:
        name, team = self._name(side), self._memory["team"][side]
        options = [Option(one, literal(one), _message("cards", n=len(rows))) for one, rows in self._teams.items()]
        options.append(Option(NO_TEAM, _message("no_team"), _message("no_team_detail")))
        cards = _message("cards", n=len(self._teams[team])) if team in self._teams else _message("no_team_detail")
        rows = (
            SetupRow(
                f"name.{side}",
                _message("name"),
                name,
                "text",
                value=self._memory["names"].get(side) or self._team_name(side),
            ),
            SetupRow(f"team.{side}", _message("team"), cards, icon="users", value=team, options=tuple(options)),
            *self._visible_rows(side),
        )
        return SetupColumn(side, COLOURS[side], name, rows, LETTERS[side])

    def _visible_rows(self, side: str) -> Iterator[SetupRow]:
        """Yield one row for each chance that is face up before a side."""
        if not self._memory["deck"]:
            return
        options = [Option(id, literal(card.get("name", id))) for id, card in self._chances.items()]
        options.append(Option(None, _message("no_chance")))
        for place, id in enumerate(self._memory["visible"][side]):
            detail = literal(self._chances[id].get("name", id)) if id in self._chances else _message("no_chance")
            label = _message("visible", n=place + 1)
            yield SetupRow(f"visible.{side}.{place}", label, detail, icon="list", value=id, options=tuple(options))

    def _match(self) -> Iterator[SetupRow]:
        memory = self._memory
        goals = tuple(Option(n, _message("no_limit") if n is None else literal(n)) for n in GOALS)
        yield SetupRow("goals", _message("goals"), _message("goals"), value=memory["goals"], options=goals)
        first = tuple(Option(side, self._name(side)) for side in SIDES)
        yield SetupRow("first", _message("first"), _message("first"), value=memory["first"], options=first)
        deck = _message("deck_on", n=len(self._chances)) if memory["deck"] else _message("deck_off")
        yield SetupRow("deck", _message("deck"), deck, "switch", "list", value=memory["deck"])
        yield from self._post_rows()
        yield self._printed_post()
        yield from fixed_readings("app.occasion.reading.", FIXED_READINGS)

    def _post_rows(self) -> Iterator[SetupRow]:
        """Yield the set of posts, and the page where sets are stored."""
        chosen = self._memory["posts"]
        usual = _message("post_count", n=len(DEFAULT_POSTS))
        options = [Option(USUAL_POSTS, _message("usual_posts"), usual)]
        options += [
            Option(id, literal(own.name), _message("post_count", n=len(own.posts)))
            for id, own in self._post_sets.items()
        ]
        known = chosen == USUAL_POSTS or chosen in self._post_sets
        detail = next((option.label for option in options if option.value == chosen), literal(chosen))
        row = SetupRow("posts", _message("posts"), detail, "list", "users", value=chosen, options=tuple(options))
        yield replace(row, done=known)
        sets = SetupRow("sets", _message("sets"), _message("sets_stored", n=len(self._post_sets)), "page", "cards")
        yield replace(sets, page="catalogue", page_args=(("kind", POSTS.name),))

    def _printed_post(self) -> SetupRow:
        label = Message("app.occasion.reading.printed_post")
        options = tuple(Option(value, Message(f"{label.id}.{value}")) for value in POST_READINGS)
        row = SetupRow("printed_post", label, label, value=self._memory["printed_post"], options=options)
        return replace(row, usual=BOTH_SIDES, rule="OC-4.6", quotation=Message(f"{label.id}.words"))

    def _deal_visible_chances(self) -> None:
        """Open two chances for each side: the first ones of the deck, then the next ones."""
        deck: list[str | None] = list(self._chances) if self._memory["deck"] else []
        deck += [None] * (MAX_VISIBLE_CHANCES * len(SIDES))
        self._memory["visible"] = {
            side: tuple(deck[MAX_VISIBLE_CHANCES * at : MAX_VISIBLE_CHANCES * (at + 1)])
            for at, side in enumerate(SIDES)
        }


def rows_by_team(rows: tuple[CardRow, ...]) -> RowsByTeam:
    """Return the rows of players by team; players without a team are left out."""
    found: RowsByTeam = {}
    for row in rows:
        if row.get("team"):
            found.setdefault(str(row["team"]), []).append(row)
    return found


def _message(name: str, **args: object) -> Message:
    return Message(f"app.occasion.prepare.{name}", args)
