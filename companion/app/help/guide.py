"""A guided first match: begun at once with the shipped clubs and cards, with a hint for each of its phases."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from companion.app.figures.words import say
from companion.app.help.rules import rules_of, rules_sheet
from companion.app.lineup.draft import Draft
from companion.app.lineup.reckoning import event
from companion.app.preparing.registry import PREPARING, preparing
from companion.app.widgets.choosing import Entry, list_sheet
from companion.app.widgets.sheet import Sheet
from companion.games.base import Message, Refusal
from companion.table.session import Session, StorageTrouble
from companion.table.squads import header as clubs_header
from companion.table.squads import sample_clubs

if TYPE_CHECKING:
    from companion.app.app import TapisVertApp
    from companion.app.screens.table import TablePage

GUIDED = "guided"
"""Where the memory of the table's place keeps whether hints are shown."""
SHORT = {"hoops21": {"target": 7}, "occasion": {"goals": 1}}
"""A first match is a short one: answers to rows of the preparation."""


def hint(session: Session) -> str:
    """What to do in the present phase, in one or two sentences."""
    return say(f"guide.{session.game.id}.{session.state.phase}")


def hint_sheet(session: Session) -> Sheet:
    """The hint in large letters, and the rules of the phase."""
    rules = rules_of(session.game.id, session.state.phase)
    return rules_sheet(say("app.help.guide"), rules, hint(session))


def is_guided(page: TablePage) -> bool:
    return bool(page.memory.get(GUIDED))


def guide(page: TablePage, wanted: bool) -> None:
    """Shows the hints at the table, or closes them."""
    page.memory[GUIDED] = wanted
    page.pieces.show_bar()


def choose_game(app: TapisVertApp) -> Sheet:
    """The games that can be begun with a guide."""
    games = [game for game in app.matches.games if game == "footclub" or game in PREPARING]
    entries = [Entry(app.say(f"app.game.{game}"), partial(begin, app, game)) for game in games]
    return list_sheet(app.say("app.help.first"), entries)


def begin(app: TapisVertApp, game: str) -> None:
    """Begins a match with what is shipped and opens its table."""
    try:
        session = app.begin(game, guided_header(app, game))
        if game == "footclub":
            _make_ready(session)
    except Refusal as refusal:
        app.sorry(app.ruled(refusal))
    except StorageTrouble as trouble:
        app.sorry(app.text(trouble.message))
    else:
        app.room.go_home_to("table", session=session)
        app.room.trail[-1].memory[GUIDED] = True
        app.redraw()


def guided_header(app: TapisVertApp, game: str) -> dict[str, Any]:
    """The header of a short match between the first two shipped sides."""
    if game == "footclub":
        home, away, *_ = sample_clubs()
        return clubs_header(home, away)
    plan = preparing(game)({})
    for row, value in SHORT.get(game, {}).items():
        plan.choose(row, value)
    made = plan.header()
    for side in made["sides"].values():
        if isinstance(side["name"], Message):
            side["name"] = app.text(side["name"])
    return made


def _make_ready(session: Session) -> None:
    """Both clubs field their best eleven and keep their tactics to themselves."""
    for side in session.game.sides:
        sheet = Draft.sheet(session.state.club(side))
        if sheet is not None:
            session.record(event(sheet))
        session.record({"event": "tactics", "side": side})
