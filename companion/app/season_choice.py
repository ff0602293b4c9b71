"""The season of a match in preparation: a button in the page's bar and the sheet that chooses or names a season."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from companion.app.display import translate
from companion.app.game_screens import preparation_of
from companion.app.page import Page
from companion.app.widgets.button import PushButton
from companion.app.widgets.name_sheet import naming_sheet
from companion.app.widgets.sheet import Sheet, SheetEntry, list_sheet
from companion.games.base import Fields
from companion.table.season import SEASON, Season, new_season, seasons

if TYPE_CHECKING:
    from companion.app.context import AppContext


def chosen_season(page: Page) -> Season | None:
    """Return the season chosen on a page, at first the one in the route's `season`."""
    season: Season | None = page.memory.setdefault(SEASON, page.route.args.get(SEASON))
    return season


def season_fields(page: Page) -> Fields:
    """Return the header's keys of the season chosen on a page."""
    season = chosen_season(page)
    return {} if season is None else {SEASON: season.fields()}


def season_button(page: Page, game: str) -> PushButton:
    """Return the button of the bar that opens the choice of the season; brass while one is chosen."""
    season = chosen_season(page)
    name = translate("app.season.none") if season is None else season.name
    push = PushButton(icon="calendar", icon_side=28, wide=58, spoken=translate("app.season.chosen", name=name))
    push.style = "quiet" if season is None else "brass"
    push.bind(on_tap=lambda *_: page.app.show_sheet(_season_sheet(page, game)))
    return push


def open_preparation(app: AppContext, game: str, season: Season) -> None:
    """Open the preparation of a match of a season."""
    name, args = preparation_of(game)
    app.open(name, **args, **{SEASON: season})


def _season_sheet(page: Page, game: str) -> Sheet:
    app, chosen = page.app, chosen_season(page)
    found = seasons(app.matches, game)
    if chosen is not None:
        found.setdefault(chosen, 0)
    entries = [SheetEntry(translate("app.season.none"), partial(_choose, page, None), on=chosen is None)]
    for season, n in found.items():
        detail = translate("app.season.matches", n=n)
        entries.append(SheetEntry(season.name, partial(_choose, page, season), detail, on=season == chosen))
    entries.append(SheetEntry(translate("app.season.new"), partial(_ask_name, page, tuple(found)), icon="plus"))
    if chosen is not None and found[chosen]:
        open_page = partial(app.open, SEASON, **{SEASON: chosen})
        entries.append(SheetEntry(translate("app.season.look"), open_page, chosen.name, "calendar"))
    return list_sheet(translate("app.season.which"), entries)


def _ask_name(page: Page, known: Sequence[Season]) -> None:
    """Ask for the name of a season; one that exists is chosen instead of a second one of the same name."""

    def named(name: str) -> None:
        _choose(page, next((season for season in known if season.name == name), None) or new_season(name))

    page.app.show_sheet(naming_sheet(translate("app.season.name"), "", named))


def _choose(page: Page, season: Season | None) -> None:
    page.memory[SEASON] = season
    page.app.redraw()
