"""What may be done with a whole club, as icons for the bar of its page: another name, a table of it, taking it away."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kivy.metrics import dp

from companion.app.cards import notes
from companion.app.cards.drawer import Drawer
from companion.app.cards.sending import export_sheet
from companion.app.widgets.naming import naming_sheet
from companion.app.widgets.push import Push

if TYPE_CHECKING:
    from companion.app.app import TapisVertApp


def club_icons(app: TapisVertApp, drawer: Drawer, memory: dict[str, Any]) -> list[Push]:
    """The icons; a sample club cannot be taken away. `memory` is the page's, for its note."""
    icons = [("edit", "app.squad.rename", partial(_rename, app, drawer))]
    icons.append(("out", "app.exchange.export", partial(_export, app, drawer, memory)))
    if drawer.own:
        icons.append(("bin", "app.squad.delete", partial(_delete, app, drawer)))
    pushes = []
    for icon, word, action in icons:
        push = Push("", icon=icon, icon_side=26, spoken=app.say(word), size_hint_x=None, width=dp(56))
        push.bind(on_tap=lambda *_, action=action: action())
        pushes.append(push)
    return pushes


def _rename(app: TapisVertApp, drawer: Drawer) -> None:
    def take(name: str) -> None:
        if notes.attempt(lambda: drawer.rename(name)):
            app.redraw()

    app.lay(naming_sheet(app.say("app.squad.name"), drawer.name, take))


def _export(app: TapisVertApp, drawer: Drawer, memory: dict[str, Any]) -> None:
    name = f"club-{Path(drawer.args.get('file', drawer.name)).stem}"
    export_sheet(app, name, drawer.kind, drawer.rows, memory)


def _delete(app: TapisVertApp, drawer: Drawer) -> None:
    """Sets the club's file aside; the page above says so and can bring it back."""
    path, above = Path(drawer.args["file"]), app.room.trail[-2].memory

    def away() -> None:
        aside = drawer.shelf.set_aside(path)
        sentence = app.say("app.cards.deleted", card=drawer.name)
        notes.leave(above, sentence, partial(drawer.shelf.move, aside, path))

    if notes.attempt(away):
        app.room.go_back()
