"""Screen 03: the preparation of a match: clubs, home, kop, format; then team sheets and tactical choices."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from kivy.clock import Clock
from kivy.graphics import Color, Rectangle
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.cards.rows import card_store
from companion.app.display import display, text, translate
from companion.app.match_runner import begin_rematch, last_match, ledger_of
from companion.app.page import Page, load_kv
from companion.app.people import badge_of, known_names, people_of, show_seats
from companion.app.screens.matches import format_day
from companion.app.season_choice import chosen_season, season_button, season_fields
from companion.app.widgets.button import PushButton
from companion.app.widgets.components import Card, HBox, SegmentedControl, fill
from companion.app.widgets.marks import SideBadge
from companion.app.widgets.name_sheet import naming_sheet
from companion.app.widgets.sheet import SheetEntry, list_sheet
from companion.app.widgets.text import Name
from companion.games.base import Fields, GameState, JsonObject, Message, Prompt, Refusal
from companion.games.catalogue import SquadClub, SquadFileError
from companion.games.footclub import FOOTCLUB
from companion.games.footclub.catalogues import MATCH, TEAM, match_cards, team_cards
from companion.games.footclub.second_leg import may_transfer, second_leg
from companion.games.footclub.squads import CONSENT, header, sample_clubs, sample_rows
from companion.games.footclub.state import Club as ClubInPlay
from companion.games.footclub.state import State
from companion.games.footclub.tables import SIDES, side_of
from companion.games.footclub.team import attack, defence, formation_text
from companion.games.preparation import Memory
from companion.table.catalogues.card_store import CardStoreError, SampleCards
from companion.table.catalogues.squads import read_squad
from companion.table.matches import StoredMatch, unfollowed_matches
from companion.table.opponents import (
    OPPONENTS,
    PERSON,
    header_seats,
    is_for_people,
    person_value,
    seat_fields,
    seat_row,
    seat_value,
    with_seat,
)
from companion.table.ports import News, NewsKind
from companion.table.profiles import Profile
from companion.table.season import SEASON, season_of
from companion.table.session import BY_OPPONENT, Session
from companion.table.tournament_desk import complete_header

SUFFIXES = (".csv", ".toml", ".json")


@dataclass(frozen=True, slots=True)
class OfferedClub:
    """A club to choose, or a file that is not a valid club, with the reason."""

    name: str
    club: SquadClub | None = None
    file: str = ""
    fault: Message | None = None


def clubs(folder: Path | None) -> list[OfferedClub]:
    """Return the players' own clubs first, then the samples; a missing folder holds none."""
    files = sorted(folder.iterdir()) if folder is not None and folder.is_dir() else []
    own = [_read(path) for path in files if path.suffix.lower() in SUFFIXES]
    return own + [OfferedClub(club.name, club) for club in sample_clubs()]


def _read(path: Path) -> OfferedClub:
    try:
        club = read_squad(path)
    except SquadFileError as fault:
        return OfferedClub(path.name, file=path.name, fault=fault.message)
    return OfferedClub(club.name, club, path.name)


CHOICES = ("home", "kop", "format")
"""The keys of `setup` that are chosen besides the clubs."""
KOP_BONUS = "kop_attack_bonus"
KOP_CHOICES = {"K01": ("K01", 2), "K01_1": ("K01", 1), "K02": ("K02", None)}
"""The choices of a kop: the card, and the bonus of the attacking one, which the source has lost (FC-9.4, gap 8)."""
SERIES = ("follows", "league")
"""Keys of the header that tell which match or league at this table a match belongs to."""


@dataclass(frozen=True, slots=True)
class PreparationItem:
    """One step of the preparation: whether it is done, and the text under it."""

    done: bool
    detail: Message


def club_of(state: GameState, side: str) -> ClubInPlay:
    """Return a side's club in a state of FootClub."""
    assert isinstance(state, State)
    return state.clubs[SIDES.index(side)]


class Preparation:
    """The preparation: reads the choices from `memory` until a match exists, and from its journal afterwards.

    `decided` are the keys of the header that a tournament sets: they are shown but cannot be changed.
    """

    def __init__(
        self,
        memory: Memory,
        session: Session | None,
        decided: Fields | None = None,
        people: Sequence[Profile] = (),
    ) -> None:
        """Args: people: the persons who may play, those of the last matches first."""
        self.people = people
        self.decided: Fields = decided or {}
        setup = self.decided.get("setup", {})
        if not memory:
            memory.update(clubs={}, home="blue", kop="K01", format="single", toss=None)
            memory[KOP_BONUS] = setup.get("options", {}).get(KOP_BONUS, 2)
            for side, squad in setup.get("squads", {}).items():
                memory["clubs"][side] = SquadClub(self.decided["sides"][side]["name"], squad)
        memory.update({key: value for key, value in setup.items() if key in memory})
        self._memory = memory
        self.session = session

    def club(self, side: str) -> SquadClub | None:
        """Return the club chosen for a side."""
        chosen: SquadClub | None = self._memory["clubs"].get(side)
        return chosen

    def name(self, side: str) -> Message:
        """Return a side's display name: its club, or its colour if no club is chosen."""
        club, sides = self.club(side), self.decided.get("sides", {})
        if self.session is not None:
            sides = self.session.header["sides"]
        if side in sides:
            return Message("common.literal", {"text": sides[side]["name"]})
        return Message("common.literal", {"text": club.name}) if club else Message(f"app.side.{side}")

    def setup(self, key: str) -> str:
        """Return the value of `home`, `kop` or `format`."""
        setup: dict[str, str] = self._memory if self.session is None else self.session.header["setup"]
        return setup[key]

    def choose(self, key: str, value: object) -> None:
        """Set `home`, `kop` or `format`; only before the match exists."""
        self._memory[key] = value
        if key == "home":
            self._memory["toss"] = None

    def toss(self, random: Random) -> str:
        """Draw by lot which club is at home, and return its side; only before the match exists."""
        side = random.choice(SIDES)
        self._memory.update(home=side, toss=side)
        return side

    @property
    def kop(self) -> str:
        """The chosen kop and its bonus, one of `KOP_CHOICES` (FC-9.4)."""
        if self.session is None:
            kop, bonus = self._memory["kop"], self._memory[KOP_BONUS]
        else:
            setup = self.session.header["setup"]
            kop, bonus = setup["kop"], setup.get("options", {}).get(KOP_BONUS, 2)
        return next(name for name, choice in KOP_CHOICES.items() if choice in ((kop, bonus), (kop, None)))

    def choose_kop(self, name: str) -> None:
        """Set the kop and the bonus of the attacking one; only before the match exists."""
        kop, bonus = KOP_CHOICES[name]
        self._memory.update({"kop": kop, KOP_BONUS: bonus or 2})

    @property
    def is_for_tournament(self) -> bool:
        """Whether a tournament of the hub decides this match: only people play there."""
        header = self.decided if self.session is None else self.session.header
        return is_for_people(header)

    @property
    def is_second_leg(self) -> bool:
        return self.setup("format") == "leg2"

    def choose_club(self, side: str, club: SquadClub) -> None:
        """Set a side's club; only before the match exists."""
        name = self.decided.get("sides", {}).get(side, {}).get("name", club.name)
        self._memory["clubs"][side] = replace(club, name=name)

    def header(self, own: Fields | None = None) -> JsonObject | None:
        """Return the header for the choices, or None while a club is missing. Raises: Refusal.

        `own` is the `catalogue` of the players' own cards: `match_cards`, the ribbon of each numbered card (FC-1.7),
        and `team_cards`, from which the transfers between two legs draw (FC-16.6).
        """
        blue, red = self.club("blue"), self.club("red")
        if blue is None or red is None:
            return None
        setup: JsonObject = dict(self.decided.get("setup", {}))
        catalogue = {**setup.pop("catalogue", {}), **(own or {})}
        if not self.is_second_leg:
            catalogue.pop("team_cards", None)
        known: dict[str, Any] = {key: value for key, value in setup.items() if key not in CHOICES}
        if catalogue:
            known["catalogue"] = catalogue
        setup["options"] = known["options"] = {**CONSENT, **known.get("options", {}), **self._kop_option()}
        made = header(blue, red, *(self.setup(key) for key in CHOICES), **known)
        if self._memory["toss"] is not None:
            made["toss"] = {"home": self._memory["toss"]}
        made |= header_seats(self._memory.get(OPPONENTS, {}), self.people)
        series = {key: self.decided[key] for key in SERIES if key in self.decided}
        return {**complete_header(made, {**self.decided, "setup": setup}), **series}

    def seat(self, side: str) -> str:
        """Return who plays a side, as the value of its option."""
        if self.session is None:
            return str(self._memory.get(OPPONENTS, {}).get(side, PERSON))
        return seat_value(self.session.header, side)

    def choose_seat(self, side: str, value: str) -> None:
        """Set who plays a side; only before the match exists."""
        self._memory[OPPONENTS] = with_seat(self._memory.get(OPPONENTS, {}), side, value)

    def _kop_option(self) -> Fields:
        return {KOP_BONUS: 1} if self._memory["kop"] == "K01" and self._memory[KOP_BONUS] == 1 else {}

    def steps(self, side: str) -> tuple[str, ...]:
        """Return the steps of a club in order; a second leg begins with the transfers instead of the squad."""
        first = "transfers" if self.is_second_leg and self.club(side) is not None else "squad"
        return (first, "sheet", "tactics")

    def transfers(self, side: str) -> PreparationItem:
        """Return the step of the transfers between two legs: the players taken, or why there are none (FC-16.6)."""
        if self.session is None:
            return PreparationItem(False, Message("app.clubs.transfers_todo"))
        club, squads = club_of(self.session.state, side), self.session.header["setup"].get("squads", {})
        before = {card["id"] for card in squads.get(side, {}).get("players", ())}
        taken = [player.card.name for id, player in club.players.items() if id not in before]
        if squads and taken:
            return PreparationItem(True, Message("common.literal", {"text": ", ".join(taken)}))
        state = self.session.state
        assert isinstance(state, State)
        if may_transfer(state, side_of(side)):
            return PreparationItem(False, Message("app.clubs.transfers_todo"))
        return PreparationItem(True, Message("app.clubs.transfers_none"))

    def squad(self, side: str) -> PreparationItem:
        """Return the squad step: the number of cards and the coach."""
        club = self.club(side)
        chosen: Fields | None = club.squad if club else None
        if self.session is not None:
            chosen = self.session.header["setup"].get("squads", {}).get(side)
        if chosen is None:
            return PreparationItem(self.session is not None, Message("app.clubs.squad_todo"))
        return PreparationItem(True, squad_of(chosen))

    def sheet(self, side: str) -> PreparationItem:
        """Return the team-sheet step: formation, ATT and DEF, secret until both clubs have picked their team."""
        club = None if self.session is None else club_of(self.session.state, side)
        if self.session is None or club is None or club.lineup is None:
            return PreparationItem(False, self._first("sheet", side) or Message("app.clubs.sheet_todo"))
        if any(club_of(self.session.state, each).lineup is None for each in SIDES):
            return PreparationItem(True, Message("app.clubs.sheet_secret"))
        sums = f"{formation_text(club.formation)}, ATT {attack(club)}, DEF {defence(club)}"
        return PreparationItem(True, Message("common.literal", {"text": sums}))

    def tactics(self, side: str) -> PreparationItem:
        """Return the tactical-choice step: whether it is made, never its content (FC-4.5)."""
        known = None if self.session is None else club_of(self.session.state, side).tactics_known
        if known is None:
            return PreparationItem(False, self._first("tactics", side) or Message("app.clubs.tactics_todo"))
        return PreparationItem(True, Message("app.clubs.tactics_known" if known else "app.clubs.tactics_secret"))

    def needed_first(self, what: str, side: str) -> tuple[str, str] | None:
        """Return the step and its side that come before a side's team sheet or tactical choice, if any is open.

        Both squads come first (the match begins with them), then a club's own team sheet.
        """
        for each in (side, *(other for other in SIDES if other != side)):
            if self.session is None and self.club(each) is None:
                return "squad", each
        if what == "tactics" and (self.session is None or club_of(self.session.state, side).lineup is None):
            return "sheet", side
        return None

    def _first(self, what: str, side: str) -> Message | None:
        """Return what to do before a step, in words."""
        before = self.needed_first(what, side)
        if before is None:
            return None
        step, other = before
        return Message(f"app.clubs.first.{step}", {"side": Message(f"app.side.{other}")})

    def missing(self) -> list[Message]:
        """Return what is still missing before the kick-off."""
        found = []
        for side in SIDES:
            undone = [what for what in self.steps(side) if not getattr(self, what)(side).done]
            if self.session is None and "transfers" in undone:
                undone.remove("transfers")  # they begin with the match
            for what in undone[:1] if "squad" in undone else undone:
                found.append(Message(f"app.clubs.missing.{what}", {"club": self.name(side)}))
        return found


def squad_of(squad: Fields) -> Message:
    """Return the number of team cards in a squad, including coach and goalkeeper, and its coach."""
    cards = len(squad["players"]) + 2
    coach = squad["coach"].get("name", "")
    return (
        Message("app.clubs.squad_of", {"n": cards, "coach": coach})
        if coach
        else Message("app.clubs.cards", {"n": cards})
    )


def tactics_prompt(session: Session, side: str) -> Prompt | None:
    """Return the game's ask for this side's tactical choice, or None if it is not due."""
    for choice in session.decision().choices:
        if choice.event.get("event") == "tactics" and choice.side == side:
            return next((prompt for prompt in choice.prompts if prompt.kind == "counts"), None)
    return None


Tapped = Callable[[str, str], None]
"""Callback for a tap: receives the item (`name`, `squad`, `sheet`, `tactics`) and the side."""

_ICONS = {"squad": "users", "transfers": "gavel", "sheet": "board", "tactics": "lock"}


class ClubPanel(Card):
    """A club's column with an edge in the side's colour, on the outer side of the screen."""

    def __init__(self, preparation: Preparation, side: str, tapped: Tapped, *, right: bool, **kwargs: Any) -> None:
        self._right, self._tapped = right, tapped
        super().__init__(side=side, radius=0, spacing=dp(6 if display.portrait else 8), **kwargs)
        self.padding = (dp(10), dp(6), dp(16), dp(6)) if right else (dp(16), dp(6), dp(10), dp(6))
        self.bind(pos=self._edge, size=self._edge)
        self._name: str = text(preparation.name(side))
        self._named = preparation.session is None and preparation.club(side) is not None
        fill(
            self,
            self._head(preparation),
            *(self._row(what, getattr(preparation, what)(side)) for what in preparation.steps(side)),
            Widget(),
        )

    def _head(self, preparation: Preparation) -> Widget:
        """Return the name, and the button for who plays this club, filled if it is an opponent of the app."""
        if preparation.is_for_tournament:
            return self._name_row()
        value = preparation.seat(self.side)
        row = seat_row(FOOTCLUB.id, self.side, value, preparation.people)
        person = next((each for each in preparation.people if person_value(each.id) == value), None)
        seat = PushButton(icon="" if person else row.icon, icon_side=26, side=self.side, wide=52)
        seat.style = "quiet" if seat_fields(value) is None else "brass"
        if person is not None:
            seat.mark(badge_of(person))
        seat.spoken = f"{self._name} {text(row.label)} {text(row.detail)}"
        seat.bind(on_tap=lambda *_: self._tapped("seat", self.side))
        head = HBox(self._name_row(), seat, spacing=dp(4))
        head.size_hint_y, head.height = None, dp(48 if display.portrait else 52)
        return head

    def _name_row(self) -> PushButton:
        language = display.language
        row = PushButton(self._name, style="quiet", kind="titre", left=True, pad=4, end_tone=self.side)
        row.mark(SideBadge(colour=self.side, letter=language(f"app.letter.{self.side}"), side=34))
        if self._named:
            row.end, row.spoken = "edit", language("app.clubs.rename", club=self._name)
        row.size_hint_y, row.height = None, dp(48 if display.portrait else 52)
        row.bind(on_tap=lambda *_: self._tapped("name", self.side))
        return row

    def _row(self, what: str, item: PreparationItem) -> PushButton:
        row = PushButton(translate(f"app.clubs.{what}"), icon=_ICONS[what], icon_side=26, left=True, side=self.side)
        if display.theme.roomy or not item.done:
            row.detail = text(item.detail)
        row.style, row.end = ("side_thin", "check") if item.done else ("todo", "right")
        row.end_tone = self.side
        tall = 54 if display.portrait or display.is_low else 56 * max(1.0, display.theme.text / 100 * 0.87)
        row.size_hint_y, row.height = None, dp(tall)
        row.spoken = f"{self._name} {row.text}"
        row.bind(on_tap=lambda *_: self._tapped(what, self.side))
        return row

    def _edge(self, *_: object) -> None:
        self.canvas.after.clear()
        width = dp(6)
        with self.canvas.after:
            Color(*display.theme.tone(self.side))
            Rectangle(pos=(self.right - width if self._right else self.x, self.y), size=(width, self.height))


if TYPE_CHECKING:
    from companion.app.context import AppContext

load_kv(__file__)

log = logging.getLogger(__name__)

MAX_HOME_LENGTH = 24
"""Letters of “CLUB is at home” that fit in the text size of the other options, on the smallest screen."""

FORMATS = ("single", "league", "leg1", "leg2")


class ClubsPage(Page):
    """The preparation page.

    `args`: `session` once the match exists; `decided`, the header keys that a tournament or a league sets; `follows`,
    the id of the first leg, for a second leg.
    """

    shows_match = True

    def build(self) -> None:
        self._redraw_soon = Clock.create_trigger(lambda *_: self.app.redraw())
        translate = self.app.translate
        self._decided = self._header_decided()
        if self._decided is None and self.route.args.get("session") is None:
            self.keep_setup("footclub")
        session: Session | None = self.route.args.get("session")
        self._plan = Preparation(self.memory, session, self._decided, people_of(self.app))
        bar = self.ids.bar
        bar.title = translate("app.clubs.title" if not self.portrait else "app.game.footclub")
        if self.app.theme.roomy:
            bar.sub = translate("app.step", step=2 if self._plan.session is None else 3, steps=3)
        kick = PushButton(translate("app.clubs.kick_off"), end="right", hug=True, pad=16, act=self._kick_off)
        kick.style = "dashed" if self._plan.missing() else "chalk"
        self._add_bar_buttons()
        bar.at_end(kick)
        left, right = reversed(SIDES) if self.app.preferences.swapped else SIDES
        for piece in (
            ClubPanel(self._plan, left, self._tapped, right=False),
            self._swap(),
            ClubPanel(self._plan, right, self._tapped, right=not self.portrait),
        ):
            self.ids.body.add_widget(piece)
        self._options()
        if self._plan.session is not None:
            self._plan.session.outputs.subscribe(self._on_news)

    def _add_bar_buttons(self) -> None:
        """Add the season and the last line-ups to the bar, before a match is begun."""
        bar, translate = self.ids.bar, self.app.translate
        season = chosen_season(self)
        if season is not None and self.app.theme.roomy:
            bar.sub = season.name
        if self._decided is None and self._plan.session is None:
            bar.at_end(season_button(self, "footclub"))
        again = last_match(self.app, "footclub") if self._plan.session is None and self._decided is None else None
        if again is not None:
            label = translate("app.end.same_line_ups")
            if self.portrait and not self.app.theme.roomy:
                push = PushButton(icon="users", style="outlined", spoken=label, wide=58)
            else:
                push = PushButton(label, icon="users", style="outlined", kind="corps", hug=True, pad=12)
            push.bind(on_tap=lambda *_: self._take_over(again))
            bar.at_end(push)

    def leave(self) -> None:
        self._redraw_soon.cancel()
        if self._plan.session is not None:
            self._plan.session.outputs.unsubscribe(self._on_news)

    def _on_news(self, news: News) -> None:
        """Show what an opponent has prepared."""
        if news.kind is NewsKind.EVENT and news.fields.get("by") == BY_OPPONENT:
            self._redraw_soon()

    def _take_over(self, match: StoredMatch) -> None:
        """Take the clubs, team sheets and tactical choices of another match."""
        ledger = ledger_of(self.app, match)
        session = None if ledger is None else begin_rematch(self.app, ledger)
        if session is not None:
            self.app.navigator.open_from_home("clubs", session=session)

    def back(self) -> bool:
        if self._plan.session is None or (self._decided is not None and not self._is_local):
            return False
        self.app.home()
        return True

    # Layout between and under the two clubs

    def _swap(self) -> BoxLayout:
        tall = self.portrait
        box = HBox(size_hint=(1, None) if tall else (None, 1), padding=dp(4))
        label = self.app.translate("app.clubs.places")
        lines = label if tall else label.replace(" ", "\n", 1)
        push = PushButton(lines, icon="swap", icon_side=28, kind="mini", stacked=not tall, pad=6, spoken=label)
        push.bind(on_tap=lambda *_: self.app.swap_sides())
        if tall:
            box.height, push.size_hint_x, push.width, push.kind = dp(56), None, dp(220), "bouton"
            fill(box, Widget(), push, Widget())
        else:
            least = dp(64) * self.app.theme.text / 100
            box.width = least
            push.size_hint, push.height, push.pos_hint, push.hug = (None, None), dp(96), {"center_y": 0.5}, True
            push.bind(width=lambda _, wide: setattr(box, "width", max(least, wide + dp(8))))
            box.add_widget(push)
        return box

    def _options(self) -> None:
        translate, plan = self.app.translate, self._plan
        fixed: Fields = self._decided["setup"] if self._decided is not None else {}
        homes = [(side, translate("app.clubs.home", club=plan.name(side))) for side in SIDES]
        kops = [(name, translate(f"app.clubs.kop.{name}")) for name in KOP_CHOICES]
        formats = [(name, translate(f"app.clubs.format.{name}")) for name in FORMATS]
        home = HBox(spacing=dp(8), tall=58)
        homes_row = self._segments("home", homes, plan.setup("home"), fixed, self._chooser("home"))
        for push in homes_row.pushes.values():
            if len(push.text) > MAX_HOME_LENGTH:
                push.kind = "mini"
        home.add_widget(homes_row)
        if plan.session is None and "home" not in fixed:
            home.add_widget(
                PushButton(icon="dice", icon_side=28, spoken=translate("app.clubs.toss"), act=self._toss, wide=58)
            )
        kop = self._segments("kop", kops, plan.kop, fixed, self._choose_kop)
        league = self._league_button() if plan.setup("format") == "league" else None
        formats_row = self._segments("format", formats, plan.setup("format"), fixed, self._choose_format)
        if league is not None:
            for push in formats_row.pushes.values():
                push.kind = "mini"  # leaves space for the button beside
        match = HBox(formats_row, spacing=dp(8), tall=58)
        if league is not None:
            match.add_widget(league)
        if self.portrait:
            fill(self.ids.options, home, HBox(kop, tall=58), match)
            return
        fill(self.ids.options, self._labelled("home", home, kop), self._labelled("format", match))

    def _league_button(self) -> PushButton | None:
        """Return the button that opens a league evening, or None once a match exists or something decides it."""
        if self._plan.session is not None or self._decided is not None:
            return None
        label = self.app.translate("app.clubs.league")
        if self.portrait:
            push = PushButton(icon="cup", icon_side=28, spoken=label, wide=58)
        else:
            push = PushButton(label, icon="cup", hug=True, pad=12)
        push.bind(on_tap=lambda *_: self.app.open("league"))
        return push

    def _segments(
        self, name: str, choices: Sequence[tuple[str, str]], value: str, fixed: Fields, chosen: Callable[[Any], None]
    ) -> SegmentedControl:
        """Return the segments of an option; a single one if a tournament, a league or the first leg decides it."""
        if name in fixed:
            choices = [choice for choice in choices if choice[0] == value]
        return SegmentedControl(choices, value, chosen, kind="corps")

    def _labelled(self, name: str, *parts: Widget) -> BoxLayout:
        label = Name(self.app.translate(f"app.clubs.option.{name}"), halign="left", wide=104)
        label.strong = False
        return HBox(label, *parts, spacing=dp(10), tall=58)

    def _header_decided(self) -> Fields | None:
        """Return the header keys that a tournament, a league or the first leg of this match decides."""
        first: str | None = self.route.args.get("follows")
        if first is not None and "decided" not in self.route.args:
            replayed = self.app.matches.store.resume(first, self.app.matches.games).ledger
            assert isinstance(replayed.state, State)
            decided = second_leg(replayed.header, replayed.state)
            self.route.args["decided"] = decided and {**decided, "follows": first}
            self.route.args[SEASON] = season_of(replayed.header)
        found: Fields | None = self.route.args.get("decided")
        return found

    # Tap handlers

    def _tapped(self, what: str, side: str) -> None:
        if what in ("name", "squad", "seat"):
            self._tapped_club(what, side)
        elif getattr(self._plan, what)(side).done:
            self.app.show_error(self.app.translate("app.clubs.settled"))
        elif (before := self._plan.needed_first(what, side)) is not None and what != "transfers":
            self._tapped(*before)
        elif what == "sheet" and "transfers" in self._plan.steps(side) and self._transfers_first(side):
            self.app.show_error(self.app.translate("app.clubs.missing.transfers", club=self._plan.name(side)))
        else:
            self._prepare(what, side)

    def _tapped_club(self, what: str, side: str) -> None:
        """Choose who plays, the club, or its name, unless that is decided."""
        if self._plan.session is not None:
            self.app.show_error(self.app.translate("app.clubs.settled"))
        elif what == "seat":
            self._choose_seat(side)
        elif (what == "name" and self._decided is not None) or (what == "squad" and self._squads_decided):
            self._show_decided()
        elif what == "name" and self._plan.club(side) is not None:
            self._rename(side)
        else:
            self._choose_club(side)

    def _chooser(self, name: str) -> Callable[[Any], None]:
        def choose(value: Any) -> None:
            if value == self._plan.setup(name):
                return
            if self._plan.session is not None:
                self.app.show_error(self.app.translate("app.clubs.settled"))
                return
            self._plan.choose(name, value)
            self.app.redraw()

        return choose

    def _choose_seat(self, side: str) -> None:
        def choose(value: str) -> None:
            self._plan.choose_seat(side, value)
            self.app.redraw()

        show_seats(self.app, FOOTCLUB.id, self._plan.seat(side), choose)

    @property
    def _squads_decided(self) -> bool:
        return self._decided is not None and "squads" in self._decided.get("setup", {})

    def _transfers_first(self, side: str) -> bool:
        """Return True if the club has its transfers still before it; the team sheet would end them (FC-16.6)."""
        return self._open_session() is not None and not self._plan.transfers(side).done

    @property
    def _is_local(self) -> bool:
        """Whether a match or a league at this table decides, not a tournament of the hub."""
        return self._decided is not None and any(key in self._decided for key in SERIES)

    def _show_decided(self) -> None:
        self.app.show_error(self.app.translate("app.clubs.decided" if self._is_local else "app.tournament.decided"))

    def _toss(self) -> None:
        side = self._plan.toss(self.app.idle_monitor.platform.random)
        self.app.redraw()
        self.app.show_error(self.app.translate("app.clubs.tossed", club=self._plan.name(side)))

    def _choose_kop(self, name: str) -> None:
        if name == self._plan.kop:
            return
        if self._plan.session is not None:
            self.app.show_error(self.app.translate("app.clubs.settled"))
            return
        self._plan.choose_kop(name)
        self.app.redraw()
        if name == "K01_1":
            self.app.show_error(self.app.translate("app.clubs.kop_reading"))

    def _choose_format(self, name: str) -> None:
        if name == "leg2" and self._decided is None and self._plan.session is None:
            self._choose_first_leg()
        else:
            self._chooser("format")(name)

    def _choose_first_leg(self) -> None:
        """Ask which finished first leg the second one follows (FC-16.1)."""
        waiting = [
            match
            for match in unfollowed_matches(self.app.matches)
            if match.header["setup"].get("format") == "leg1" and match.game == "footclub"
        ]
        if not waiting:
            self.app.show_error(self.app.translate("app.clubs.no_first_leg"))
            return
        entries = []
        for match in waiting:
            names = " – ".join(side["name"] for side in match.header["sides"].values())
            day = format_day(match.created.astimezone().date().isoformat())
            entries.append(SheetEntry(names, partial(self.app.open, "clubs", follows=match.id), day, "cup"))
        self.app.show_sheet(list_sheet(self.app.translate("app.clubs.which_first_leg"), entries))

    def _choose_club(self, side: str) -> None:
        entries = [self._entry(found, side) for found in clubs(self.app.squads)]
        self.app.show_sheet(
            list_sheet(self.app.translate("app.clubs.choose", side=self.app.translate(f"app.side.{side}")), entries)
        )

    def _entry(self, found: OfferedClub, side: str) -> SheetEntry:
        club, other = found.club, self._plan.club("red" if side == "blue" else "blue")
        if club is None:
            reason = self.app.text(found.fault) if found.fault else found.file
            return SheetEntry(
                found.name, lambda: None, self.app.translate("app.clubs.faulty"), "alert", disabled_reason=reason
            )
        disabled_reason = ""
        if other is not None and other.squad == club.squad:
            names = {"club": other.name, "side": self.app.translate(f"app.side.{'red' if side == 'blue' else 'blue'}")}
            disabled_reason = self.app.translate("app.clubs.taken", **names)
        elif other is not None:
            try:
                header(club, other)
            except Refusal as refusal:
                disabled_reason = self.app.format_refusal(refusal)
        detail = self.app.text(squad_of(club.squad))
        return SheetEntry(
            club.name, lambda: self._set_club(side, club), detail, "users", disabled_reason=disabled_reason
        )

    def _set_club(self, side: str, club: SquadClub) -> None:
        self._plan.choose_club(side, club)
        self.app.redraw()

    def _rename(self, side: str) -> None:
        club = self._plan.club(side)
        if club is not None:
            apply_name = lambda name: self._set_club(side, replace(club, name=name))  # noqa: E731
            both = [found.name for found in map(self._plan.club, SIDES) if found is not None]
            known = known_names(self.app, FOOTCLUB.id, *both)
            self.app.show_sheet(naming_sheet(self.app.translate("app.clubs.name"), club.name, apply_name, known=known))

    def _prepare(self, what: str, side: str) -> None:
        session = self._open_session()
        if session is None:
            return
        if what in ("sheet", "transfers"):
            if what == "sheet" or not self._plan.transfers(side).done:
                self.app.open("lineup" if what == "sheet" else "transfers", session=session, side=side)
            else:
                self.app.redraw()
            return
        prompt = tactics_prompt(session, side)
        if prompt is not None:
            self.app.open("tactics", session=session, side=side, ask=prompt)

    def _open_session(self) -> Session | None:
        """Return the match, created from the choices on first use; None if something is missing."""
        if self._plan.session is not None:
            return self._plan.session
        self.app.attempt(self._start_match)
        session: Session | None = self.route.args.get("session")
        self._plan.session = session
        return session

    def _start_match(self) -> None:
        made = self._plan.header(own_catalogue(self.app, with_team_cards=self._plan.is_second_leg))
        if made is None:
            self._show_missing()
        else:
            self.route.args["session"] = self.app.start_match("footclub", {**made, **season_fields(self)})

    def _show_missing(self) -> None:
        self.app.show_error("\n".join(self.app.text(message) for message in self._plan.missing()))

    def _kick_off(self) -> None:
        if self._plan.missing():
            self._show_missing()
        else:
            self.app.navigator.open_from_home("table", session=self._plan.session)


def own_catalogue(app: AppContext, *, with_team_cards: bool = False) -> JsonObject:
    """Return `setup.catalogue` of the players' own cards. The sample numbers are fictional and are not used.

    With `with_team_cards` the team cards are among them, the samples where the players have none (FC-16.6). An
    unreadable catalogue counts as empty: the table then asks for the place instead.
    """
    cards = card_store(app) if app.squads is not None else SampleCards(app.translate.code)
    found: JsonObject = {}
    try:
        if cards.is_own(MATCH):
            found["match_cards"] = match_cards(cards.rows(MATCH))
        if with_team_cards:
            found["team_cards"] = team_cards(cards.rows(TEAM) if cards.is_own(TEAM) else sample_rows())
    except CardStoreError as trouble:
        log.warning("cards not read: %s", trouble)
    return {key: value for key, value in found.items() if value}
