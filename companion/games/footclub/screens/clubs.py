"""Screen 03: the preparation of a match: clubs, home, kop, format; then team sheets and tactical choices."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kivy.graphics import Color, Rectangle
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.cards.rows import card_store
from companion.app.display import display, text, translate
from companion.app.page import Page, load_kv
from companion.app.widgets.button import PushButton
from companion.app.widgets.components import Card, HBox, SegmentedControl, fill
from companion.app.widgets.marks import SideBadge
from companion.app.widgets.name_sheet import naming_sheet
from companion.app.widgets.sheet import SheetEntry, list_sheet
from companion.app.widgets.text import Name
from companion.games.base import Fields, GameState, JsonObject, Message, Prompt, Refusal
from companion.games.catalogue import SquadClub, SquadFileError
from companion.games.footclub.catalogues import MATCH, match_cards
from companion.games.footclub.squads import CONSENT, header, sample_clubs
from companion.games.footclub.state import Club as ClubInPlay
from companion.games.footclub.state import State
from companion.games.footclub.tables import KOPS, SIDES
from companion.games.footclub.team import attack, defence, formation_text
from companion.games.preparation import Memory
from companion.table.catalogues.card_store import CardStoreError
from companion.table.catalogues.squads import read_squad
from companion.table.session import Session
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

    def __init__(self, memory: Memory, session: Session | None, decided: Fields | None = None) -> None:
        self.decided: Fields = decided or {}
        if not memory:
            memory.update(clubs={}, home="blue", kop="K01", format="single")
        memory.update({key: value for key, value in self.decided.get("setup", {}).items() if key in memory})
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

    def choose_club(self, side: str, club: SquadClub) -> None:
        """Set a side's club; only before the match exists."""
        name = self.decided.get("sides", {}).get(side, {}).get("name", club.name)
        self._memory["clubs"][side] = replace(club, name=name)

    def header(self, match_cards: Fields | None = None) -> JsonObject | None:
        """Return the header for the choices, or None while a club is missing. Raises: Refusal.

        `match_cards` are those of the players' own catalogue: the ribbon of each numbered card (FC-1.7).
        """
        blue, red = self.club("blue"), self.club("red")
        if blue is None or red is None:
            return None
        known: dict[str, Any] = {"catalogue": {"match_cards": match_cards}} if match_cards else {}
        known |= {key: value for key, value in self.decided.get("setup", {}).items() if key not in CHOICES}
        known["options"] = {**CONSENT, **known.get("options", {})}
        made = header(blue, red, *(self.setup(key) for key in CHOICES), **known)
        return complete_header(made, self.decided)

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
            return PreparationItem(False, Message("app.clubs.sheet_todo"))
        if any(club_of(self.session.state, each).lineup is None for each in SIDES):
            return PreparationItem(True, Message("app.clubs.sheet_secret"))
        sums = f"{formation_text(club.formation)}, ATT {attack(club)}, DEF {defence(club)}"
        return PreparationItem(True, Message("common.literal", {"text": sums}))

    def tactics(self, side: str) -> PreparationItem:
        """Return the tactical-choice step: whether it is made, never its content (FC-4.5)."""
        known = None if self.session is None else club_of(self.session.state, side).tactics_known
        if known is None:
            return PreparationItem(False, Message("app.clubs.tactics_todo"))
        return PreparationItem(True, Message("app.clubs.tactics_known" if known else "app.clubs.tactics_secret"))

    def missing(self) -> list[Message]:
        """Return what is still missing before the kick-off."""
        found = []
        for side in SIDES:
            items = {"squad": self.squad(side), "sheet": self.sheet(side), "tactics": self.tactics(side)}
            undone = [what for what, item in items.items() if not item.done]
            for what in undone[:1] if "squad" in undone else undone:
                found.append(Message(f"app.clubs.missing.{what}", {"club": self.name(side)}))
        return found


def squad_of(squad: Fields) -> Message:
    """Return the number of team cards in a squad, including coach and goalkeeper, and its coach."""
    cards = len(squad["players"]) + 2
    return Message("app.clubs.squad_of", {"n": cards, "coach": squad["coach"].get("name", "")})


def tactics_prompt(session: Session, side: str) -> Prompt | None:
    """Return the game's ask for this side's tactical choice, or None if it is not due."""
    for choice in session.decision().choices:
        if choice.event.get("event") == "tactics" and choice.side == side:
            return next((prompt for prompt in choice.prompts if prompt.kind == "counts"), None)
    return None


Tapped = Callable[[str, str], None]
"""Callback for a tap: receives the item (`name`, `squad`, `sheet`, `tactics`) and the side."""

_ICONS = {"squad": "users", "sheet": "board", "tactics": "lock"}


class ClubPanel(Card):
    """A club's column with an edge in the side's colour, on the outer side of the screen."""

    def __init__(self, preparation: Preparation, side: str, tapped: Tapped, *, right: bool, **kwargs: Any) -> None:
        self._right, self._tapped = right, tapped
        super().__init__(side=side, radius=0, spacing=dp(6 if display.portrait else 8), **kwargs)
        self.padding = (dp(10), dp(6), dp(16), dp(6)) if right else (dp(16), dp(6), dp(10), dp(6))
        self.bind(pos=self._edge, size=self._edge)
        self._name: str = text(preparation.name(side))
        fill(self, self._name_row(), *(self._row(what, getattr(preparation, what)(side)) for what in _ICONS), Widget())

    def _name_row(self) -> PushButton:
        language = display.language
        row = PushButton(self._name, style="quiet", kind="titre", left=True, pad=4, end="edit", end_tone=self.side)
        row.mark(SideBadge(colour=self.side, letter=language(f"app.letter.{self.side}"), side=34))
        row.spoken = language("app.clubs.rename", club=self._name)
        row.size_hint_y, row.height = None, dp(48 if display.portrait else 52)
        row.bind(on_tap=lambda *_: self._tapped("name", self.side))
        return row

    def _row(self, what: str, item: PreparationItem) -> PushButton:
        row = PushButton(translate(f"app.clubs.{what}"), icon=_ICONS[what], icon_side=26, left=True, side=self.side)
        if display.theme.roomy or not item.done:
            row.detail = text(item.detail)
        row.style, row.end = ("side_thin", "check") if item.done else ("todo", "right")
        row.end_tone = self.side
        row.size_hint_y, row.height = None, dp(54 if display.portrait else 56)
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

FORMATS = ("single", "league")


class ClubsPage(Page):
    """The preparation page.

    `args`: `session` once the match exists; `decided`, the header keys that a tournament sets.
    """

    def build(self) -> None:
        translate = self.app.translate
        self._decided = self.route.args.get("decided")
        self._plan = Preparation(self.memory, self.route.args.get("session"), self._decided)
        bar = self.ids.bar
        bar.title = translate("app.clubs.title" if not self.portrait else "app.game.footclub")
        if self.app.theme.roomy:
            bar.sub = translate("app.step", step=2 if self._plan.session is None else 3, steps=3)
        kick = PushButton(translate("app.clubs.kick_off"), end="right", hug=True, pad=16, act=self._kick_off)
        kick.style = "dashed" if self._plan.missing() else "chalk"
        bar.at_end(kick)
        left, right = reversed(SIDES) if self.app.preferences.swapped else SIDES
        for piece in (
            ClubPanel(self._plan, left, self._tapped, right=False),
            self._swap(),
            ClubPanel(self._plan, right, self._tapped, right=not self.portrait),
        ):
            self.ids.body.add_widget(piece)
        self._options()

    def back(self) -> bool:
        if self._plan.session is None or self._decided is not None:
            return False
        self.app.home()
        return True

    # Layout between and under the two clubs

    def _swap(self) -> BoxLayout:
        tall = self.portrait
        box = HBox(size_hint=(1, None) if tall else (None, 1), padding=dp(4))
        push = PushButton(
            self.app.translate("app.clubs.places"), icon="swap", icon_side=28, kind="mini", stacked=not tall, pad=6
        )
        push.bind(on_tap=lambda *_: self.app.swap_sides())
        if tall:
            box.height, push.size_hint_x, push.width, push.kind = dp(56), None, dp(160), "bouton"
            fill(box, Widget(), push, Widget())
        else:
            least = dp(64) * self.app.theme.text / 100
            box.width = least
            push.size_hint, push.height, push.pos_hint, push.hug = (None, None), dp(96), {"center_y": 0.5}, True
            push.bind(width=lambda _, wide: setattr(box, "width", max(least, wide + dp(8))))
            box.add_widget(push)
        return box

    def _options(self) -> None:
        translate = self.app.translate
        options: dict[str, list[tuple[str, str]]] = {
            "home": [(side, translate("app.clubs.home", club=self._plan.name(side))) for side in SIDES],
            "kop": [(kop, translate(f"app.clubs.kop.{kop}")) for kop in KOPS],
            "format": [(format, translate(f"app.clubs.format.{format}")) for format in FORMATS],
        }
        second = HBox(spacing=dp(16), tall=58)
        if self._decided is not None:
            for name in options.keys() & self._decided["setup"].keys():
                value = self._plan.setup(name)
                options[name] = [choice for choice in options[name] if choice[0] == value] or [
                    (value, translate(f"app.clubs.format.{value}"))
                ]
        for name, choices in options.items():
            line = HBox(spacing=dp(10), tall=58)
            if self.app.theme.roomy or not self.portrait:
                label = Name(translate(f"app.clubs.option.{name}"), halign="left", wide=84)
                label.strong = False
                line.add_widget(label)
            line.add_widget(SegmentedControl(choices, self._plan.setup(name), self._chooser(name), kind="corps"))
            row = self.ids.options if self.portrait or name == "home" else second
            row.add_widget(line)
        if not self.portrait:
            self.ids.options.add_widget(second)

    # Tap handlers

    def _tapped(self, what: str, side: str) -> None:
        begun = self._plan.session is not None
        if what in ("name", "squad"):
            if begun:
                self.app.show_error(self.app.translate("app.clubs.settled"))
            elif what == "name" and self._decided is not None:
                self.app.show_error(self.app.translate("app.tournament.decided"))
            elif what == "name" and self._plan.club(side) is not None:
                self._rename(side)
            else:
                self._choose_club(side)
        elif getattr(self._plan, what)(side).done:
            self.app.show_error(self.app.translate("app.clubs.settled"))
        else:
            self._prepare(what, side)

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
        if other is not None:
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
            self.app.show_sheet(naming_sheet(self.app.translate("app.clubs.name"), club.name, apply_name))

    def _prepare(self, what: str, side: str) -> None:
        session = self._open_session()
        if session is None:
            return
        if what == "sheet":
            self.app.open("lineup", session=session, side=side)
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
        return session

    def _start_match(self) -> None:
        made = self._plan.header(own_match_cards(self.app))
        if made is None:
            self._show_missing()
        else:
            self.route.args["session"] = self.app.start_match("footclub", made)

    def _show_missing(self) -> None:
        self.app.show_error("\n".join(self.app.text(message) for message in self._plan.missing()))

    def _kick_off(self) -> None:
        if self._plan.missing():
            self._show_missing()
        else:
            self.app.navigator.open_from_home("table", session=self._plan.session)


def own_match_cards(app: AppContext) -> dict[str, JsonObject]:
    """Return the match cards of the players' own catalogue. The sample numbers are fictional and are not used.

    An unreadable catalogue counts as empty: the table then asks for the place instead.
    """
    if app.squads is None or not card_store(app).is_own(MATCH):
        return {}
    try:
        return match_cards(card_store(app).rows(MATCH))
    except CardStoreError as trouble:
        log.warning("match cards not read: %s", trouble)
        return {}
