"""The sheets of screen 17: who is there, who confirms what, the referee's, the groups, the QR code, the menu."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from kivy.app import App
from kivy.metrics import dp
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.figures.words import say, text
from companion.app.widgets.choosing import Entry, list_sheet
from companion.app.widgets.push import Push
from companion.app.widgets.qr import QrCode
from companion.app.widgets.sheet import Sheet
from companion.app.widgets.text import Name, Tally, Text
from companion.messages.wire import StandingTable
from companion.table.hub_port import Side, Signer
from companion.table.tournament_desk import SIDES, Standing, colour_of, name_of

if TYPE_CHECKING:
    from companion.app.screens.tournament import TournamentPage

_LARGE = 72


def ask_presence(page: TournamentPage, side: Side) -> None:
    """Asks whether a side is there, its name in large letters; of one that is, whether that was a mistake."""
    match = page.standing.match
    if match is None:
        return
    there = side in match.present
    word = "app.tournament.absent" if there else "app.tournament.here"
    act = partial(_checked, page, side, not there)
    page.app.lay(_name_sheet(page, side, say("app.tournament.presence"), say(word), act, filled=not there))


def ask_presences(page: TournamentPage) -> None:
    """Both sides with what was said of them, to take back."""
    match = page.standing.match
    if match is None:
        return
    entries = [
        Entry(name_of(match, side), partial(ask_presence, page, side), icon="check", on=side in match.present)
        for side in SIDES
    ]
    page.app.lay(list_sheet(say("app.tournament.presence"), entries))


def ask_confirmation(page: TournamentPage, side: Side) -> None:
    """Shows a side the result that it confirms, or takes its confirmation back."""
    match = page.standing.match
    if match is None:
        return
    given = side in match.confirmed
    word = "app.tournament.withdraw" if given else "app.tournament.confirm"
    act = partial(_confirmed, page, side, not given)
    page.app.lay(_name_sheet(page, side, say("app.tournament.result"), say(word), act, filled=not given, scored=True))


def ask_referee(page: TournamentPage) -> None:
    """The referee's own confirmation, behind the referee's PIN."""
    match = page.standing.match
    if match is not None:
        given = "referee" in match.confirmed
        _as_referee(page, lambda: _confirmed(page, "referee", not given))


def referee_menu(page: TournamentPage) -> None:
    """What the table's referee may do in the place of a side that is not at the screen."""
    _as_referee(page, lambda: page.app.lay(list_sheet(say("app.tournament.referee"), _referee_entries(page))))


def groups_sheet(standings: Sequence[StandingTable], choose: Callable[[int], None]) -> Sheet:
    """The groups, to see the standings of another one."""
    entries = [Entry(text(table.title), partial(choose, at)) for at, table in enumerate(standings)]
    return list_sheet(say("app.tournament.groups"), entries)


def qr_sheet(standing: Standing) -> Sheet:
    """The code of this match's public page, else of the tournament's, with the address in letters."""
    app = App.get_running_app()
    look, match = standing.look, standing.match
    own = look.pages.get(match.match) if match is not None else None
    address = own or look.address or ""
    body = BoxLayout(orientation="vertical" if app.portrait else "horizontal", spacing=dp(16))
    around = AnchorLayout()
    code = QrCode(address)

    def fit(_: Any, size: tuple[float, float]) -> None:
        code.side = max(80.0, min(size) / dp(1))

    around.bind(size=fit)
    around.add_widget(code)
    words = BoxLayout(orientation="vertical", spacing=dp(8))
    if app.portrait:
        words.size_hint_y, words.height = None, dp(140) * app.theme.text / 100
    words.add_widget(Widget())
    words.add_widget(Text(say("app.tournament.qr.match" if own else "app.tournament.qr.all"), halign="left"))
    for line in _lines(address):
        shown = Name(line, kinds=["corps", "mini"], tone="craie2", halign="left", size_hint_y=None)
        shown.height = dp(24) * app.theme.text / 100
        words.add_widget(shown)
    words.add_widget(Widget())
    for piece in (around, words):
        body.add_widget(piece)
    return Sheet(say("app.tournament.qr.title"), body, box=(0.04, 0.04, 0.92, 0.92))


def menu_sheet(page: TournamentPage) -> None:
    """Where one can go from here."""
    app = page.app
    entries = [Entry(say("app.table.menu_home"), app.home, icon="house")]
    if page.standing.match is not None:
        entries.append(Entry(say("app.tournament.referee"), partial(referee_menu, page), icon="gavel"))
    entries.append(Entry(say("app.tournament.settings"), partial(app.open, "settings", room="tournament"), icon="gear"))
    entries.append(Entry(say("app.home.look_back"), partial(app.open, "matches"), icon="list"))
    app.lay(list_sheet(say("app.table.menu"), entries))


# Inside


def _name_sheet(
    page: TournamentPage,
    side: Side,
    title: str,
    words: str,
    act: Callable[[], None],
    *,
    filled: bool,
    scored: bool = False,
) -> Sheet:
    """One side's name, large, over the button that says it; with the score where that is what is said."""
    standing, match = page.standing, page.standing.match
    body = BoxLayout(orientation="vertical", spacing=dp(8))
    if match is not None:
        scores = f"{standing.score('home')} – {standing.score('away')}"
        if scored:
            pair = f"{name_of(match, SIDES[0])} – {name_of(match, SIDES[1])}"
            body.add_widget(Name(pair, kinds=["bouton", "corps", "mini"], halign="center", size_hint_y=0.5))
            body.add_widget(Tally(scores, ("fort", "grand", "titre")))
        name, colour = name_of(match, side), colour_of(match, side)
        body.add_widget(Name(name, kinds=["grand", "titre", "bouton", "corps"], tone=colour, halign="center"))
        push = Push(words, icon="check" if filled else "undo", look="side" if filled else "outlined", kind="titre")
        push.side, push.spoken = colour, f"{name} {words}"
        push.size_hint_y, push.height = None, dp(_LARGE)
        push.bind(on_tap=lambda *_: _done(page, act))
        body.add_widget(push)
    return Sheet(title, body, box=(0.1, 0.1, 0.8, 0.8))


def _done(page: TournamentPage, act: Callable[[], None]) -> None:
    page.app.lift()
    act()


def _checked(page: TournamentPage, side: Side, present: bool) -> None:
    page.desk.check_in(side, present)
    page.show()


def _confirmed(page: TournamentPage, by: Signer, given: bool) -> None:
    """Something else may stand by now: then it is shown, and nothing confirmed."""
    done = page.desk.confirm(page.standing, by, given)
    page.show()
    if not done:
        page.app.sorry(say("app.tournament.changed"))


def _as_referee(page: TournamentPage, act: Callable[[], None]) -> None:
    """Does something once the referee's PIN is typed; the next one is asked again."""
    from companion.app.screens.pin import ask_pin

    lock = page.app.kiosk.referee
    if lock is None or not lock.set:
        page.app.sorry(say("app.tournament.no_referee"))
        return

    def enter() -> None:
        lock.shut()
        act()

    ask_pin(page.app, lock, enter)


def _referee_entries(page: TournamentPage) -> list[Entry]:
    standing, match = page.standing, page.standing.match
    if match is None:
        return []
    found = []
    if standing.step in ("gathering", "ready"):
        for side in SIDES:
            there = side in match.present
            word = "app.tournament.referee.absent" if there else "app.tournament.referee.here"
            act = partial(_checked, page, side, not there)
            found.append(Entry(say(word, name=name_of(match, side)), act, icon="undo" if there else "check"))
    if standing.step == "confirming":
        for by in match.needs:
            name = say("app.tournament.referee") if by == "referee" else name_of(match, by)
            given = by in match.confirmed
            word = "app.tournament.referee.withdraw" if given else "app.tournament.referee.confirm"
            act = partial(_confirmed, page, by, not given)
            found.append(Entry(say(word, name=name), act, icon="undo" if given else "check"))
    if standing.played is not None:
        found.append(Entry(say("app.tournament.look_back"), page.resume, icon="list"))
    return found


def _lines(address: str) -> list[str]:
    """An address on two lines: the machine, and where on it."""
    scheme, _, rest = address.partition("://")
    host, slash, path = rest.partition("/")
    return [f"{scheme}://{host}", *([slash + path] if path else [])]
