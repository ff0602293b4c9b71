"""The room behind everything: the felt, the page that is open, the sheets over it, and the way back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kivy.graphics import Color, Rectangle
from kivy.metrics import Metrics, dp
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.app import textures
from companion.app.display import display
from companion.app.game_screens import load_object, page_names
from companion.app.help.rules import open_rule, rules_in
from companion.app.page import Overlay, Page, Route
from companion.app.theme import density, portrait
from companion.app.widgets.button import PushButton
from companion.app.widgets.components import VBox
from companion.app.widgets.marks import RotatedBox
from companion.app.widgets.sheet import Sheet
from companion.app.widgets.text import Text

if TYPE_CHECKING:
    from kivy.core.window import WindowBase

    from companion.app.context import AppContext
    from companion.app.keyboard import OnScreenKeyboard

MAX_RULE_LINKS = 2
"""So many rules that a sentence names are offered to be opened."""

PAGES = {
    "home": "home:HomePage",
    "games": "games:GamesPage",
    "prepare": "prepare:PreparePage",
    "tactics": "tactics:TacticsPage",
    "welcome": "welcome:WelcomePage",
    "settings": "settings:SettingsPage",
    "diagnostic": "diagnostic:DiagnosticPage",
    "tournament": "tournament:TournamentPage",
    "calibration": "calibration:CalibrationPage",
    "matches": "matches:MatchesPage",
    "report": "report:ReportPage",
    "statistics": "statistics:StatisticsPage",
    "history": "matches:HistoryPage",
    "table": "table:TablePage",
    "table_facing": "table_facing:FacingTablePage",
    "timeline": "correct:TimelinePage",
    "correct": "correct:CorrectPage",
    "catalogues": "catalogues:CataloguesPage",
    "catalogue": "catalogues:CataloguePage",
    "card": "card:CardPage",
    "exchange": "catalogues:ExchangePage",
}
"""The pages by name: module in `companion.app.screens` and class. Games bring pages of their own."""

_ESCAPE = 27


class Navigator(FloatLayout):
    """Holds one page at a time; `trail` is the way that led to it."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self.context = context
        self.back_stack: list[Route] = []
        self.sheets: list[Overlay] = []
        self.page: Page | None = None
        self.on_screen_keyboard: OnScreenKeyboard | None = None
        """The keys on the screen, while they are there."""
        with self.canvas.before:
            self._cloth_colour = Color()
            self._cloth = Rectangle()
        self.bind(size=self._draw_background)

    def attach_window(self, window: WindowBase) -> None:
        """Follows the window: its size decides the density and the layout, its back key goes back."""
        self._window = window
        self._on_window_resize()
        window.bind(on_resize=self._on_window_resize, on_keyboard=self._on_key)

    def apply_preferences(self) -> None:
        """The settings are other ones: the picture is turned and scaled as they say; who asks builds the page anew."""
        preferences = self.context.preferences
        self._window.rotation = preferences.rotation
        width, height = self._window.size
        Metrics.density = density(width, height, preferences.width_mm)
        display.portrait, display.size = portrait(width, height), (width, height)

    def _on_window_resize(self, *_: Any) -> None:
        self.apply_preferences()
        self.show()

    def _on_key(self, _: Any, key: int, *__: Any) -> bool:
        if key != _ESCAPE:
            return False
        self.context.back()
        return True

    def push(self, route: Route) -> None:
        """One level deeper."""
        self.back_stack.append(route)
        self.show()

    def go_back(self) -> None:
        """One level up; at the top it stays."""
        if len(self.back_stack) > 1:
            self.back_stack.pop()
            self.show()

    def go_home(self) -> None:
        """Back to the first page."""
        del self.back_stack[1:]
        self.show()

    def open_from_home(self, name: str, **args: object) -> None:
        """A page directly under the first one: what led there is done with."""
        del self.back_stack[1:]
        self.push(Route(name, args))

    def show(self) -> None:
        """Builds the page of the present place; sheets do not survive that."""
        if not self.back_stack:
            return
        while self.sheets:
            self.remove_widget(self.sheets.pop())
        if self.on_screen_keyboard is not None:
            self.on_screen_keyboard.target.focus = False
        if self.page is not None:
            self.page.leave()
            self.remove_widget(self.page)
        self._draw_background()
        route = self.back_stack[-1]
        facing = route.name == "table" and self.context.preferences.facing
        self.page = page_class("table_facing" if facing else route.name)(self.context, route)
        self.add_widget(self.page)

    def show_sheet(self, sheet: Overlay, side: str | None = None) -> None:
        """A sheet over everything else; one for the `side` at the far edge is turned round."""
        self.sheets.append(sheet)
        if side is not None and self.page is not None and side == self.page.far_side:
            holder = RotatedBox()
            holder.add_widget(sheet)
            self.add_widget(holder)
        else:
            self.add_widget(sheet)
        sheet.slide_in()

    def remove_widget(self, widget: Widget, *args: object, **kwargs: Any) -> None:
        """A sheet that is turned round goes with its holder."""
        holder = widget.parent
        super().remove_widget(holder if isinstance(holder, RotatedBox) else widget, *args, **kwargs)

    def close_sheet(self) -> None:
        """The uppermost sheet goes."""
        if self.sheets:
            self.remove_widget(self.sheets.pop())

    def show_notice(self, sentence: str) -> None:
        """A sheet with one sentence and a cross."""
        body = VBox(Text(sentence, flow="box", halign="left", valign="top"), spacing=dp(8))
        for rule in rules_in(sentence)[:MAX_RULE_LINKS]:
            push = PushButton(self.context.translate("app.help.open", rule=rule), icon="help", tall=56)
            push.bind(on_tap=lambda _, rule=rule: open_rule(self.context, rule))
            body.add_widget(push)
        self.show_sheet(Sheet(self.context.translate("app.notice"), body, box=(0.12, 0.25, 0.76, 0.5)))

    def _draw_background(self, *_: object) -> None:
        theme = self.context.theme
        self._cloth.size = self.size
        if theme.textured:
            self._cloth_colour.rgba = (1, 1, 1, 1)
            self._cloth.texture = textures.felt(theme.tapis)
            right, top = (max(1.0, side) / self._cloth.texture.width for side in self.size)
            self._cloth.tex_coords = (0, 0, right, 0, right, top, 0, top)
        else:
            self._cloth_colour.rgba = theme.tapis
            self._cloth.texture = None


def page_class(name: str) -> type[Page]:
    """The page of that name, its code loaded if it was not yet. KeyError if there is none."""
    page: type[Page] = load_object(page_names().get(name) or f"companion.app.screens.{PAGES[name]}")
    return page
