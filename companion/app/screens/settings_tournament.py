"""The settings of the tournament: the hub joined by address and token, how the link stands, the referee's PIN."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion.app.screens.settings_lock import LockRow
from companion.app.widgets.naming import naming_sheet
from companion.table.hub_port import HubPort, LinkState

if TYPE_CHECKING:
    from companion.app.app import TapisVertApp
    from companion.app.screens.settings import SettingsPage

LONGEST_ADDRESS, LONGEST_TOKEN = 120, 200


def tournament_rows(page: SettingsPage) -> None:
    """What can be set; without a link in the house a sentence."""
    app, rows, hub = page.app, page.rows, page.app.manners.house.hub
    if hub is None:
        rows.note(app.say("app.settings.hub.unsupported"))
        return
    look = hub.look()
    if not look.link.joined:
        rows.sentence("app.settings.hub.none")
        rows.pushes(("cup", "app.settings.hub.join", partial(ask_address, app, hub), False))
        return
    for sentence in _told(app, hub):
        rows.note(sentence)
    join = rows.push("app.settings.hub.join", partial(ask_address, app, hub), icon="edit")
    join.text = look.tournament or app.say("app.settings.hub.join")
    rows.line("hub", join, app.say("app.settings.hub.detail"))
    referee = app.kiosk.referee
    if referee is not None:
        detail = app.say("app.settings.referee.on" if referee.set else "app.settings.referee.off")
        rows.line("referee", LockRow(app, referee, shut=False), detail)
    rows.pushes(("power", "app.settings.hub.leave", partial(_leave, app, hub), True))


def ask_address(app: TapisVertApp, hub: HubPort) -> None:
    """Asks for the organiser's address, then for the token; whether both are taken shows in the state of the link."""

    def join(address: str, token: str) -> None:
        fault = hub.join(address, token)
        app.redraw()
        if fault is not None:
            app.sorry(app.text(fault))

    def ask_token(address: str) -> None:
        title = app.say("app.settings.hub.token")
        app.lay(naming_sheet(title, "", partial(join, address), longest=LONGEST_TOKEN))

    title = app.say("app.settings.hub.address")
    app.lay(naming_sheet(title, "", ask_token, longest=LONGEST_ADDRESS))


def _leave(app: TapisVertApp, hub: HubPort) -> None:
    hub.leave()
    app.redraw()


def _told(app: TapisVertApp, hub: HubPort) -> list[str]:
    """How the link stands, and what waits."""
    look = hub.look()
    told = [_state(app, look.link, look.tournament or "", look.table)]
    if look.link.trouble is not None:
        told.append(app.text(look.link.trouble))
    if look.link.waiting:
        told.append(app.say("app.settings.hub.waiting", n=look.link.waiting))
    return told


def _state(app: TapisVertApp, link: LinkState, name: str, table: int | None) -> str:
    if link.since is None:
        return str(app.say("app.settings.hub.state.never"))
    since = app.kiosk.moment(link.since)
    if not link.online:
        return str(app.say("app.settings.hub.state.off", since=since))
    return str(app.say("app.settings.hub.state.on", name=name, table="–" if table is None else table, since=since))
