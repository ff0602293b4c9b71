"""Screen 17, the tournament: standings, this table's match with who is there, the next matches, the link's state."""

from __future__ import annotations

from functools import partial
from typing import Any

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.figures.coming import Coming
from companion.app.figures.standings import Standings
from companion.app.kiosk import LOOK
from companion.app.page import Page, load_kv
from companion.app.resuming import take_up
from companion.app.screens.tournament_bar import TournamentBar
from companion.app.screens.tournament_card import MatchCard
from companion.app.screens.tournament_sheets import groups_sheet, menu_sheet
from companion.app.widgets.pieces import Card
from companion.app.widgets.push import Push
from companion.app.widgets.text import Text
from companion.messages.wire import ComingMatch, StandingTable
from companion.table.hub_port import HubLook
from companion.table.tournament_desk import Standing, TournamentDesk, own_table

load_kv(__file__)

RIGHT = 364
"""Width of the column of the match, in dp."""
_GROUP = 56


class TournamentPage(Page):
    """Looks at the desk again and again; each part is built anew only when what it shows is different."""

    def build(self) -> None:
        self._look: HubLook | None = None
        self._table: Standings | None = None
        self._filled = False
        self.standing = Standing(HubLook())
        self.show()
        self._pulse = Clock.schedule_interval(self._beat, LOOK)

    def leave(self) -> None:
        self._pulse.cancel()
        if self._table is not None:
            self._table.leave()

    @property
    def desk(self) -> TournamentDesk:
        """What the page shows and does."""
        desk: TournamentDesk | None = self.app.kiosk.desk
        if desk is None:
            raise RuntimeError("the page of a tournament without a hub")
        return desk

    def show(self) -> None:
        """The page as things stand now; only the bar anew where nothing else is different."""
        before, self.standing = self.standing, self.desk.standing()
        self._look = look = self.standing.look
        self.ids.bar.clear_widgets()
        self.ids.bar.add_widget(TournamentBar(self.standing, partial(menu_sheet, self)))
        if self._filled and _body(before) == _body(self.standing):
            return
        self._filled = True
        if self._table is not None:
            self._table.leave()
            self._table = None
        body = self.ids.body
        body.clear_widgets()
        pieces = [self._left(look), *([self._right(look)] if look.match is not None else [])]
        for piece in reversed(pieces) if self.portrait else pieces:
            body.add_widget(piece)

    def resume(self) -> None:
        """The match goes on where it was."""
        played = self.standing.played
        if played is not None:
            take_up(self.app, played.summary)

    def begin(self) -> None:
        """To the preparation, which asks for what the tournament leaves open."""
        from companion.app.preparing.registry import page_of

        match = self.standing.match
        page: Any = page_of(match.game) if match is not None else None
        if match is None or page is None:
            self.app.sorry(self.app.say("app.unknown_game"))
            return
        args = {"game": match.game} if page == "prepare" else {}
        self.app.open(page, decided=match.header, **args)

    def _beat(self, *_: object) -> None:
        """A sheet over the page stays what it is: it is drawn anew when the sheet has gone."""
        if self.desk.hub.look() is not self._look and not self.app.room.sheets:
            self.show()
            for tap in (tap for tap in self.walk(restrict=True) if isinstance(tap, Push)):
                tap.sleep()

    # The columns

    def _left(self, look: HubLook) -> BoxLayout:
        """Standings; the matches to come where they have no column of their own."""
        say, table = self.app.say, self._chosen(look)
        column = BoxLayout(orientation="vertical", padding=(dp(16), dp(6)), spacing=dp(6))
        alone = look.match is None or self.portrait
        if table is None:
            column.add_widget(Coming(self._others(look), whole=True))
        else:
            if len(look.standings) > 1:
                group = Push(self.app.text(table.title), look="well", left=True, end="right", size_hint_y=None)
                group.height = dp(_GROUP)
                group.bind(on_tap=lambda *_: self.app.lay(groups_sheet(look.standings, self._choose)))
                column.add_widget(group)
            names = frozenset((look.match.home, look.match.away)) if look.match else frozenset()
            self._table = Standings(say("app.tournament.standings"), table, names)
            column.add_widget(self._table)
            if alone and look.coming:
                if self.portrait:
                    column.add_widget(Coming(self._others(look), rows=3 if self._roomy else 2))
                else:
                    column.add_widget(Coming(self._others(look), across=2, rows=1, titled=False))
        if alone and (self.portrait or table is None or look.frozen or look.link.trouble is not None):
            self._add_note(column, look, table)
        return column

    def _right(self, look: HubLook) -> BoxLayout:
        """The match; below it, where the screen is wide, the matches to come."""
        panel = Card(radius=0, padding=(dp(16), dp(12)), spacing=dp(8))
        panel.add_widget(MatchCard(self))
        if self.portrait:
            panel.size_hint_y = None
            panel.bind(minimum_height=panel.setter("height"))
            return panel
        panel.size_hint_x, panel.width = None, dp(RIGHT)
        panel.add_widget(Coming(self._others(look)) if look.standings else Widget())
        if self._roomy or look.link.trouble is not None:
            self._add_note(panel, look, own_table(look))
        return panel

    @property
    def _roomy(self) -> bool:
        return bool(self.app.theme.roomy)

    @staticmethod
    def _others(look: HubLook) -> list[ComingMatch]:
        """The matches to come but this table's own."""
        own = look.match.match if look.match is not None else None
        return [match for match in look.coming if match.match != own]

    def _add_note(self, column: BoxLayout, look: HubLook, table: StandingTable | None) -> None:
        note = self._note(look, table)
        if note:
            noticed = look.frozen or look.link.trouble is not None
            column.add_widget(Text(note, kind="mini", tone="laiton" if noticed else "craie2", halign="left"))

    def _note(self, look: HubLook, table: StandingTable | None) -> str:
        if look.link.trouble is not None:
            return str(self.app.text(look.link.trouble))
        if look.frozen:
            return str(self.app.say("app.tournament.frozen"))
        if table is not None and table.advance:
            return str(self.app.say("app.tournament.advance", n=table.advance))
        return ""

    def _chosen(self, look: HubLook) -> StandingTable | None:
        """The group that somebody asked for, else this table's."""
        at = self.memory.get("group")
        return look.standings[at] if at is not None and at < len(look.standings) else own_table(look)

    def _choose(self, at: int) -> None:
        self.memory["group"] = at
        self.app.redraw()


def _body(standing: Standing) -> tuple[object, ...]:
    """What the page below its bar shows."""
    look = standing.look
    link = look.link.online if standing.step == "confirmed" else None
    return look.match, look.table, look.standings, look.coming, look.frozen, standing.step, standing.played, link
