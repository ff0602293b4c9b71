"""The root widget: the felt background, the open page, the sheets above it, and the back stack."""

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
"""Maximum number of rule links offered for a sentence."""
MAX_SHORT_NOTICE = 60
"""Characters of a notice that fits in a low sheet."""
_NOTICE, _SHORT_NOTICE = 0.5, 0.34
"""Heights of a notice as shares of the window."""

PAGES = {
    "home": "home:HomePage",
    "games": "games:GamesPage",
    "prepare": "prepare:PreparePage",
    "readings": "readings:ReadingsPage",
    "tactics": "tactics:TacticsPage",
    "welcome": "welcome:WelcomePage",
    "trouble": "trouble:TroublePage",
    "settings": "settings:SettingsPage",
    "diagnostic": "diagnostic:DiagnosticPage",
    "tournament": "tournament:TournamentPage",
    "calibration": "calibration:CalibrationPage",
    "matches": "matches:MatchesPage",
    "report": "report:ReportPage",
    "statistics": "statistics:StatisticsPage",
    "history": "matches:HistoryPage",
    "profile": "profile:ProfilePage",
    "profile_edit": "profile:ProfileEditPage",
    "season": "season:SeasonPage",
    "table": "table:TablePage",
    "table_facing": "table_facing:FacingTablePage",
    "board": "board_picture:BoardPicturePage",
    "timeline": "correct:TimelinePage",
    "correct": "correct:CorrectPage",
    "catalogues": "catalogues:CataloguesPage",
    "catalogue": "catalogues:CataloguePage",
    "card": "card:CardPage",
    "exchange": "catalogues:ExchangePage",
}
"""Pages by name: module in `companion.app.screens` and class. Games add their own pages."""

_ESCAPE = 27


class Navigator(FloatLayout):
    """The root widget, with one page at a time. `back_stack` holds the routes that led to it."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self.context = context
        self.back_stack: list[Route] = []
        self.sheets: list[Overlay] = []
        self.page: Page | None = None
        self.on_screen_keyboard: OnScreenKeyboard | None = None
        """The on-screen keyboard while it is shown."""
        with self.canvas.before:
            self._cloth_colour = Color()
            self._cloth = Rectangle()
        self.bind(size=self._draw_background)

    def attach_window(self, window: WindowBase) -> None:
        """Follow the window: its size sets the density and layout, its back key goes back."""
        self._window = window
        self._on_window_resize()
        window.bind(on_resize=self._on_window_resize, on_keyboard=self._on_key)

    def apply_preferences(self) -> None:
        """Apply rotation and scale from the settings. The caller rebuilds the page."""
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
        """Open a page one level deeper."""
        self.back_stack.append(route)
        self.show()

    def go_back(self) -> None:
        """Go up one level; does nothing at the top."""
        if len(self.back_stack) > 1:
            self.back_stack.pop()
            self.show()

    def go_home(self) -> None:
        """Return to the first page."""
        del self.back_stack[1:]
        self.show()

    def open_from_home(self, name: str, **args: object) -> None:
        """Open a page directly below the first one and discard the rest of the back stack."""
        del self.back_stack[1:]
        self.push(Route(name, args))

    def show(self) -> None:
        """Build the page of the current route. Closes all sheets."""
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
        """Show a sheet above everything else. A sheet for the `side` at the far edge is rotated."""
        self.sheets.append(sheet)
        if side is not None and self.page is not None and side == self.page.far_side:
            holder = RotatedBox()
            holder.add_widget(sheet)
            self.add_widget(holder)
        else:
            self.add_widget(sheet)
        sheet.slide_in()

    def remove_widget(self, widget: Widget, *args: object, **kwargs: Any) -> None:
        """Remove a widget. A rotated sheet is removed together with its holder."""
        holder = widget.parent
        super().remove_widget(holder if isinstance(holder, RotatedBox) else widget, *args, **kwargs)

    def close_sheet(self) -> None:
        """Close the top sheet."""
        if self.sheets:
            self.remove_widget(self.sheets.pop())

    def show_notice(self, sentence: str) -> None:
        """Show a sheet with one sentence and a close button. A sentence that is already on top is not shown again."""
        top = self.sheets[-1] if self.sheets else None
        if isinstance(top, Sheet) and top.notice == sentence:
            return
        body = VBox(Text(sentence, flow="box", halign="left", valign="top"), spacing=dp(8))
        for rule in rules_in(sentence)[:MAX_RULE_LINKS]:
            push = PushButton(self.context.translate("app.help.open", rule=rule), icon="help", tall=56)
            push.bind(on_tap=lambda _, rule=rule: open_rule(self.context, rule))
            body.add_widget(push)
        tall = _SHORT_NOTICE if len(sentence) <= MAX_SHORT_NOTICE and len(body.children) == 1 else _NOTICE
        sheet = Sheet(self.context.translate("app.notice"), body, box=(0.12, (1 - tall) / 2, 0.76, tall))
        sheet.notice = sentence
        self.show_sheet(sheet)

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
    """Return the page class of a name, importing its module if needed. Raises: KeyError if there is none."""
    page: type[Page] = load_object(page_names().get(name) or f"companion.app.screens.{PAGES[name]}")
    return page
