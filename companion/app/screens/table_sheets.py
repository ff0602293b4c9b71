"""The sheets of the table: its menu, the choices folded away, the camera's picture, and the pause."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kivy.app import App
from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout

from companion.app.figures.choice import ChoiceButton
from companion.app.figures.tray import Boxed, Photograph
from companion.app.figures.words import say, text
from companion.app.help.guide import guide, is_guided
from companion.app.help.rules import known, open_rule, rules_of, rules_sheet
from companion.app.screens.table_edge import Offer
from companion.app.screens.table_plan import menu_choices
from companion.app.widgets.pieces import Scroller
from companion.app.widgets.push import Push
from companion.app.widgets.sheet import Sheet
from companion.app.widgets.text import Text
from companion.games.base import Choice
from companion.table.session import Session

if TYPE_CHECKING:
    from companion.app.screens.table import TablePage

_TRAY_EVERY = 0.1


def menu_sheet(page: TablePage) -> Sheet:
    """Pause, settings, home, and what the game keeps out of the way."""
    app = App.get_running_app()
    guided = is_guided(page)
    grid = GridLayout(cols=1 if app.portrait else 2, spacing=dp(8), size_hint_y=None)
    grid.bind(minimum_height=grid.setter("height"))
    plain = (
        ("play", say("app.table.menu_resume"), lambda: None),
        ("clock", say("app.table.menu_pause"), app.manners.rest),
        ("list", say("app.table.menu_timeline"), lambda: app.open("timeline", session=page.session)),
        (
            "swap",
            say("app.table.menu_places"),
            lambda: app.prefer(replace(app.preferences, swapped=not app.preferences.swapped)),
        ),
        ("help", say("app.help.phase"), lambda: app.lay(_phase_rules(page.session))),
        ("eye", say("app.help.hide_guide" if guided else "app.help.show_guide"), lambda: guide(page, not guided)),
        ("gear", say("app.table.menu_settings"), lambda: app.open("settings")),
        ("house", say("app.table.menu_home"), app.home),
        *_of_tournament(page),
    )
    for icon, words, act in plain:
        push = Push(words, icon=icon, look="outlined", left=True, pad=14, size_hint_y=None, height=dp(58))
        push.bind(on_tap=lambda _, act=act: _lifted(act))
        grid.add_widget(push)
    scenes = page.sides()
    for choice in menu_choices(page.session.awaits()):
        offer = page.offer(choice)
        scene = scenes.get(choice.side or "")
        button = ChoiceButton(
            text=offer.text,
            detail=scene.name if scene else offer.detail,
            rank=2,
            barred=offer.barred,
            held=offer.held,
            side=scene.colour if scene else "",
        )
        if offer.held:
            button.detail = say("app.table.hold", name=button.detail)
        button.bind(on_tap=lambda _, offer=offer: _lifted(offer.tap))
        grid.add_widget(button)
    body = Scroller()
    body.add_widget(grid)
    return Sheet(say("app.table.menu"), body)


def _of_tournament(page: TablePage) -> list[tuple[str, str, Any]]:
    """The way to the tournament's page, and this match's code for phones."""
    app = App.get_running_app()
    if not app.kiosk.plays(page.session):
        return []

    def code() -> None:
        from companion.app.screens.tournament_sheets import qr_sheet

        app.lay(qr_sheet(app.kiosk.desk.standing()))

    look = app.kiosk.desk.hub.look()
    shown = [("cup", say("app.tournament.title"), app.kiosk.go)]
    return [*shown, ("phone", say("app.tournament.qr.title"), code)] if look.address or look.pages else shown


def _phase_rules(session: Session) -> Sheet:
    """What matters in the present phase, and why what is barred cannot be done."""
    barred = [choice.barred.rule for choice in session.awaits().choices if choice.barred is not None]
    rules = dict.fromkeys((*rules_of(session.game.id, session.state.phase), *filter(known, barred)))
    return rules_sheet(say("app.help.phase"), tuple(rules))


def more_sheet(page: TablePage, side: str, choices: tuple[Choice, ...]) -> Sheet:
    """The choices of an edge that did not fit."""
    scene = page.sides()[side]
    grid = GridLayout(cols=1 if App.get_running_app().portrait else 2, spacing=dp(8), size_hint_y=None)
    grid.bind(minimum_height=grid.setter("height"))
    for choice in choices:
        offer = page.offer(choice)
        detail = offer.detail
        if choice.barred is not None:
            detail = say("app.table.refused", reason=text(choice.barred.reason).rstrip("."), rule=choice.barred.rule)
        button = ChoiceButton(
            text=offer.text,
            detail=detail,
            effect=offer.effect,
            rank=offer.rank,
            barred=offer.barred,
            held=offer.held,
            side=scene.colour,
        )
        button.bind(on_tap=lambda _, offer=offer, choice=choice: _take(offer, choice))
        grid.add_widget(button)
    body = Scroller()
    body.add_widget(grid)
    return Sheet(say("app.table.more_of", name=scene.name), body)


def _take(offer: Offer, choice: Choice) -> None:
    """A choice that is barred opens the rule that bars it."""
    if choice.barred is not None:
        open_rule(choice.barred.rule)
    else:
        _lifted(offer.tap)


def _lifted(act: Any) -> None:
    App.get_running_app().lift()
    act()


class CameraSheet(Sheet):
    """The whole picture of the tray as it is now, with every die boxed, and what the camera says of itself."""

    def __init__(self, session: Session) -> None:
        self._session = session
        camera = session.dice.camera
        if session.dice.reader is not None:
            session.dice.reader.show_tray(True)  # until the next event, also where no dice are awaited
        body = BoxLayout(orientation="vertical", spacing=dp(8))
        boxes = [Boxed(die.box, asked=not die.reading.certain) for die in session.dice.lying]
        self._photograph = Photograph(session.dice.picture, boxes, whole=True, boxes_in=session.dice.picture_size)
        body.add_widget(self._photograph)
        if camera is not None and not camera.present:
            words = say("app.table.camera_gone", name=camera.name)
        else:
            words = say("app.table.camera_sees", name=camera.name if camera else "", n=len(boxes))
        foot = BoxLayout(size_hint_y=None, height=dp(56), spacing=dp(8))
        foot.add_widget(Text(words, tone="craie2", flow="box", halign="left"))
        calibrate = Push(say("calibration.open"), icon="target", hug=True, size_hint_x=None)
        calibrate.bind(on_tap=lambda *_: App.get_running_app().open("calibration"))
        foot.add_widget(calibrate)
        body.add_widget(foot)
        super().__init__(say("app.table.camera"), body, box=(0.04, 0.04, 0.92, 0.92))
        self._pulse = Clock.schedule_interval(self._show, _TRAY_EVERY)

    def _show(self, *_: object) -> Any:
        if self.parent is None:
            self._pulse.cancel()
            return
        self._photograph.show(self._session.dice.picture)
