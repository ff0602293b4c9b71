"""Screen 01, home: the match to resume, a new match, the saved matches, and links to other pages at the bottom."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from itertools import islice

from kivy.factory import Factory
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.cards.rows import catalogue_folder
from companion.app.game_screens import follow_up_of
from companion.app.match_runner import last_match, open_match, play_again
from companion.app.navigator import PAGES
from companion.app.page import Page, load_kv
from companion.app.people import with_crests
from companion.app.screens.matches import format_day
from companion.app.start_trouble import StartTrouble
from companion.app.widgets.button import PushButton
from companion.app.widgets.components import Card, HBox, fill
from companion.app.widgets.marks import SideBadge
from companion.app.widgets.text import BoldText, LimitedText, Name, ScoreText, Text
from companion.games.registry import SPECS
from companion.table.follow_ups import ClosedFollowUps
from companion.table.matches import MatchSummary, unfollowed_matches
from companion.table.tournament_desk import TournamentStatus

load_kv(__file__)

FOOTER_PAGES = {
    "catalogues": ("users", "app.home.catalogues"),
    "calibration": ("dice", "app.home.calibration"),
    "diagnostic": ("pulse", "app.home.diagnostic"),
    "settings": ("gear", "app.home.settings"),
}
"""Page links at the bottom, with icon and text id. Pages that do not exist are left out."""


MAX_ONE_LINE_NAME = 18
"""Characters of a name that fit on one line of the card."""
_EVENT_LINES = 2
"""Lines of the last event on the card; the score gets the rest. In landscape, a warning above takes one of them."""
MAX_LOOKED_BACK = 12
"""Finished matches that the page looks back on for one that asks for a next match."""


class HomePage(Page):
    """The first page. Without a match to resume, the main card starts a new one."""

    def build(self) -> None:
        kept = self.app.matches.recent()
        unfinished = [match for match in kept if not match.is_finished]
        going = next((match for match in unfinished if match.is_begun), unfinished[0] if unfinished else None)
        self.ids.main.add_widget(self._new_card() if going is None else self._resume_card(going))
        if kept or self.app.tournament_follower.joined:
            follow_up = (self._follow_up() or self._rematch()) if going is None else None
            self.ids.main.add_widget(self._secondary_tiles(kept, going is not None, follow_up))
        trouble = self._trouble()
        if trouble is not None:
            self.ids.warning.add_widget(self._trouble_button(trouble.is_read_only))
        for page, (icon, word) in FOOTER_PAGES.items():
            if page in PAGES:
                self.ids.foot.add_widget(self._foot(icon, self.app.translate(word), page))

    def _trouble(self) -> StartTrouble | None:
        """Return what was wrong at the start, or None."""
        trouble = self.app.start_trouble
        return trouble if trouble is not None and trouble.messages else None

    @property
    def _is_tight(self) -> bool:
        """True if a warning takes height from the cards beside each other."""
        return not self.portrait and self._trouble() is not None

    # Main card

    def _card(self) -> Card:
        card = Card(padding=(dp(20), dp(14)), spacing=dp(6), radius=16)
        if self.portrait:
            card.size_hint_y = 1.2 if self.app.theme.roomy else 1.7
        return card

    def _action(self, text: str, icon: str, action: Callable[[], None]) -> PushButton:
        """Return the button of the main card: filled, unless the tournament calls the table."""
        style, tall = "outlined" if self._is_called else "chalk", 56 if self._is_tight else 64
        return PushButton(text, icon=icon, icon_side=26, style=style, kind="titre", act=lambda: action(), tall=tall)

    @property
    def _is_called(self) -> bool:
        """True if a match of the tournament waits at this table."""
        desk = self.app.tournament_follower.desk
        return desk is not None and desk.is_joined and _is_call(desk.status())

    def _new_card(self) -> Card:
        translate = self.app.translate
        card = self._card()
        card.add_widget(BoldText(translate("app.home.welcome"), kind="grand", halign="left"))
        card.add_widget(Text(translate("app.home.how"), tone="craie2", flow="box", halign="left", valign="top"))
        card.add_widget(self._action(translate("app.home.new"), "plus", lambda: self.app.open("games")))
        return card

    def _resume_card(self, match: MatchSummary) -> Card:
        translate = self.app.translate
        card = self._card()
        fill(card, BoldText(self._state_text(match), kind="corps", tone="laiton", halign="left"), self._names(match))
        if match.score and match.is_begun:
            scores = " – ".join(str(match.score.get(side, 0)) for side in match.names)
            card.add_widget(ScoreText(scores, ("score", "fort", "grand", "titre", "bouton")))
            lines = 1 if self._is_tight else _EVENT_LINES
            event = LimitedText(self._last_event_text(match), lines, tone="craie2", flow="wrap", halign="left")
            card.add_widget(event)
        else:
            card.add_widget(Text(self._last_event_text(match), tone="craie2", flow="box", halign="left", valign="top"))
        word = "app.home.resume" if match.trouble is None else "app.home.resume_until"
        card.add_widget(self._action(translate(word), "play", lambda: open_match(self.app, match)))
        return card

    def _state_text(self, match: MatchSummary) -> str:
        """Return whether the match is under way, and since when it is saved."""
        if not match.is_begun:
            return self.app.translate("app.home.one_not_begun")
        if not match.saved_at:
            return self.app.translate("app.home.going")
        saved = datetime.fromisoformat(match.saved_at).astimezone()
        today = self.app.matches.store.clock.now().astimezone().date()
        time = self.app.translate("app.home.time", hour=f"{saved:%-H}", minute=f"{saved:%M}")
        if saved.date() == today:
            return self.app.translate("app.home.going_since", time=time)
        return self.app.translate("app.home.going_since_day", time=time, day=format_day(saved.date().isoformat()))

    def _names(self, match: MatchSummary) -> BoxLayout:
        is_long = max(map(len, match.names.values()), default=0) > MAX_ONE_LINE_NAME
        line = HBox(spacing=dp(8), tall=(60 if is_long else 40) * max(1.0, self.app.theme.text / 100 * 0.9))
        kinds = ["titre", "bouton", "corps", "mini"]
        if len(match.sides) != 2:
            line.add_widget(Name(" – ".join(match.names.values()), kinds=kinds, halign="left", leading=0.9))
            return line
        for at, side in enumerate(with_crests(self.app, match.sides, match.header)):
            badge = SideBadge(colour=side.colour, letter=side.letter, crest=side.crest, side=34, middle=True)
            label = Name(side.name, kinds=kinds, halign=("left", "right")[at], leading=0.9, initials=True)
            fill(line, *((badge, label) if at == 0 else (label, badge)))
        return line

    def _last_event_text(self, match: MatchSummary) -> str:
        translate = self.app.translate
        if match.trouble is not None:
            return self.app.text(match.trouble)
        progress_texts = [self.app.text(part) for part in match.progress] if match.is_begun else []
        game = ", ".join(
            [translate(f"app.game.{match.game_id}"), *(word[:1].lower() + word[1:] for word in progress_texts)]
        )
        if match.last_event is None:
            word = (
                "app.home.nothing_yet" if SPECS[match.game_id].screens.preparation_phases else "app.prepare.nothing_yet"
            )
            return translate(word, game=game)
        word = "app.home.last" if self.app.theme.roomy else "app.home.last_short"
        return translate(word, game=game, fact=self.app.text(match.last_event))

    # Other pages

    def _follow_up(self) -> PushButton | None:
        """Return a tile for what follows the newest finished match that asks for it, such as a second leg."""
        closed = ClosedFollowUps(catalogue_folder(self.app)) if self.app.squads else ()
        for match in islice(unfollowed_matches(self.app.matches), MAX_LOOKED_BACK):
            known = match.game in SPECS and match.id not in closed
            following = follow_up_of(match.header, match.id) if known else None
            if following is not None:
                follow_up, args = following
                names = " – ".join(side["name"] for side in match.header["sides"].values())
                return self._tile(
                    "right", self.app.text(follow_up.label), names, partial(self.app.open, follow_up.page, **args)
                )
        return None

    def _rematch(self) -> PushButton | None:
        """Return a tile that plays the newest match again, with its line-ups; None if there is none."""
        match = last_match(self.app)
        if match is None:
            return None
        names = " – ".join(side["name"] for side in match.header["sides"].values())
        return self._tile("roll", self.app.translate("app.end.rematch"), names, partial(play_again, self.app, match))

    def _secondary_tiles(self, matches: Sequence[MatchSummary], new: bool, follow_up: PushButton | None) -> BoxLayout:
        translate, kept = self.app.translate, len(matches)
        column: BoxLayout = Factory.HomeRooms()
        desk = self.app.tournament_follower.desk
        joined = desk is not None and desk.is_joined
        if self.portrait:
            column.size_hint = (1, 0.36 * (new + joined + bool(kept) + (follow_up is not None)))
        if follow_up is not None:
            column.add_widget(follow_up)
        if desk is not None and joined:
            tile = self._secondary_tile("cup", *self._tournament_words(desk.status()), "tournament")
            tile.style = "chalk" if self._is_called else tile.style
            column.add_widget(tile)
        if new:
            games = translate("app.home.games", n=len(self.app.matches.games))
            column.add_widget(self._secondary_tile("plus", translate("app.home.new"), games, "games"))
        if kept:
            waiting = sum(not match.is_begun for match in matches)
            parts = [translate("app.home.kept", n=kept - waiting)] if kept > waiting else []
            parts += [translate("app.home.not_begun", n=waiting)] if waiting else []
            detail = ", ".join(parts)
            column.add_widget(self._secondary_tile("list", translate("app.home.look_back"), detail, "matches"))
        return column

    def _tournament_words(self, standing: TournamentStatus) -> tuple[str, str]:
        """Return the words of the tournament's tile: the match that waits at this table, the end, or the tournament."""
        snapshot, match, translate = standing.snapshot, standing.match, self.app.translate
        if match is None and snapshot.ended:
            return translate("app.tournament.ended"), snapshot.tournament or ""
        if match is None or not _is_call(standing):
            return translate("app.tournament.title"), snapshot.tournament or ""
        step = translate(f"app.tournament.step.{standing.step}")
        return translate("app.tournament.table_step", n=snapshot.table, step=step), f"{match.home} – {match.away}"

    def _trouble_button(self, is_read_only: bool) -> PushButton:
        word = "app.trouble.read_only" if is_read_only else "app.trouble.settings"
        return PushButton(
            self.app.translate(word),
            icon="alert",
            style="todo",
            left=True,
            act=lambda: self.app.open("trouble"),
            kind="bouton" if self.app.theme.roomy else "corps",
            tall=52,
        )

    def _foot(self, icon: str, text: str, page: str) -> PushButton:
        push = PushButton(
            text, icon=icon, style="quiet", kind="bouton" if self.app.theme.roomy else "corps", pad=6, tall=58
        )
        push.bind(on_tap=lambda *_: self.app.open(page))
        return push

    def _secondary_tile(self, icon: str, text: str, detail: str, page: str) -> PushButton:
        return self._tile(icon, text, detail, lambda: self.app.open(page))

    def _tile(self, icon: str, text: str, detail: str, action: Callable[[], None]) -> PushButton:
        push = PushButton(text, icon=icon, icon_side=30, style="well", kind="titre", left=True, pad=18)
        push.detail = detail if self.app.theme.roomy else ""
        push.bind(on_tap=lambda *_: action())
        return push


def _is_call(standing: TournamentStatus) -> bool:
    """Return True if the sides are awaited at this table."""
    return (
        standing.match is not None and standing.snapshot.table is not None and standing.step in ("gathering", "ready")
    )
