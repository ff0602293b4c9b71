"""Scenes of screen 17: the tournament at a table, every step of its match, link states, groups, QR code, settings."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

import cv2
import numpy as np
from msgspec import structs

from companion.app.pin_lock import PinLock
from companion.app.screens.tournament import modules
from companion.clock import ManualClock
from companion.games.base import Message
from companion.link.pairing import pairing_address_fault
from companion.messages.token import Token, format_token, invitation
from companion.messages.wire import PodiumStep, Ruling
from companion.table.hub_port import LinkState, PairingState
from companion.table.tournament_desk import complete_header
from companion.tournament.headers import parse_mark
from tests.app.evening import SceneContext
from tests.screens.scenes_system import FAST_HASHER, furnish, home, type_pin
from tests.screens.scenes_wizard import StagedCameras
from tests.screens.stage import StagedReader
from tests.screens.staged_hub import LONG, NAMES, StagedHub, at, cup, match, table, title
from vision.codes import read_qr_code
from vision.roll import TrayPicture

Scene = Callable[["SceneContext"], Awaitable[None]]


def attached(evening: SceneContext, hub: Any, **parts: Any) -> Any:
    """Inject a hub link into the running app's platform and return the app."""
    from companion.app.tournament_follower import TournamentFollower

    app = evening.table.app
    app.end_session()
    platform = furnish(evening, hub=hub, **parts)
    app.tournament_follower = TournamentFollower(app, platform)
    return app


async def opened(evening: SceneContext, hub: Any, **parts: Any) -> Any:
    """Open the tournament page over the home page."""
    app = attached(evening, hub, **parts)
    await home(evening)
    app.open("tournament")
    await evening.table.frames(6)
    return app


async def waiting(evening: SceneContext) -> None:
    """Check-in in every link state; no match; groups; a knock-out; long names; a QR code; the menu."""
    hub = StagedHub(cup())
    app = await opened(evening, hub)
    await evening.capture("17-gathering")
    for name, snapshot in SNAPSHOTS.items():
        hub.now = snapshot
        app.redraw()
        if name == "many":
            await evening.table.until(lambda: in_sight(evening, "Valcendre", "42"))
        await evening.capture(f"17-{name}")
    hub.now = cup()
    app.redraw()
    await evening.table.frames(3)
    await evening.tap("app.tournament.qr.title")
    await evening.capture("17-qr")
    assert await read_by_phone(evening) == hub.now.pages["s1-r6-1"]
    await evening.tap("app.close")
    await evening.tap("app.table.menu")
    await evening.capture("17-menu")
    await evening.tap("app.close")
    hub.now = SNAPSHOTS["groups"]
    app.redraw()
    await evening.table.frames(3)
    await evening.table.tap("Poule A")
    await evening.capture("17-groups-list")
    await evening.table.tap("Poule C")
    await evening.capture("17-groups-other")
    app.home()
    await evening.capture("01-home-tournament")
    hub.now = cup(match=match())
    app.home()
    await evening.capture("01-home-called")
    tiles = [child.text for child in evening.table.walk() if getattr(child, "text", "")]
    assert (
        app.translate("app.tournament.table_step", n=hub.now.table, step=app.translate("app.tournament.step.gathering"))
        in tiles
    )


def in_sight(evening: SceneContext, *expected: str) -> bool:
    """Return True if all these words are visible in the standings, none scrolled out of view."""
    from companion.app.widgets.text import Text
    from tests.app import layout  # this import opens the window

    lines = [child for child in evening.table.walk() if type(child).__name__ == "_Line"]
    texts = [text for line in lines for text in line.children if isinstance(text, Text)]
    visible = {text.text for text in texts if not layout._scrolled_away(text)}
    return set(expected) <= visible


async def read_by_phone(evening: SceneContext) -> str:
    """Decode the QR code from the pixels of the screen."""
    file = evening.folder / "screen.png"
    await evening.table.picture(file)
    content, _, _ = cv2.QRCodeDetector().detectAndDecode(cv2.imread(str(file)))
    return str(content)


async def presences(evening: SceneContext) -> None:
    """Sides check in, one by mistake; with both present the match can start."""
    hub = StagedHub(cup(match=match()))
    await opened(evening, hub)
    await evening.capture("17-nobody")
    await evening.table.tap(evening.translate("app.tournament.asked", name="Valcendre"))
    await evening.capture("17-here")
    await evening.tap("app.tournament.here", "Valcendre")
    await evening.table.tap(evening.translate("app.tournament.asked", name="Port-Mélian"))
    await evening.tap("app.tournament.here", "Port-Mélian")
    await evening.capture("17-ready")
    await evening.tap("app.tournament.presence")
    await evening.capture("17-presences")
    await evening.table.tap("Valcendre")
    await evening.capture("17-absent")
    await evening.tap("app.tournament.absent", "Valcendre")
    assert hub.now.match.present == {"away"}


async def decided(evening: SceneContext) -> None:
    """Settings fixed by the tournament cannot be changed; the rest of the setup is as usual, for every game."""
    hub = StagedHub()
    for game in ("footclub", "hoops21", "nba", "occasion"):
        hub.now = cup(match=match(game=game, id=f"s1-{game}", present=frozenset({"home", "away"})))
        app = await opened(evening, hub)
        await evening.tap("app.tournament.begin")
        if game != "nba" or evening.table.app.theme.roomy:  # its four match lengths do not fit with large text
            await evening.capture(f"17-prepare-{game}")
        names = [tap for tap in evening.table.taps() if tap.spoken_name().endswith("Valcendre")]
        await evening.table.tap_widget(names[0])
        assert evening.translate("app.tournament.decided") in evening.table.texts()
        await evening.tap("app.close")
        if game == "hoops21":
            target = evening.translate("app.hoops21.prepare.target")
            row = next(tap for tap in evening.table.taps() if tap.spoken_name().strip() == target)
            await evening.table.tap_widget(row)
            assert evening.translate("app.tournament.decided") in evening.table.texts()
            await evening.tap("app.close")
        if game == "footclub":
            for side, club in (("Valcendre", "Saint-Oréan"), ("Port-Mélian", "Montbrézil")):
                await evening.tap("app.clubs.squad", side)
                await evening.table.tap(club)
            await evening.tap("app.clubs.sheet", "Valcendre")
            await evening.tap("app.back")
            await evening.capture("17-prepare-footclub-begun")
        else:
            await evening.tap("app.prepare.start")
            await evening.table.frames(6)
        header = app.session.header
        fixed = {"hoops21": ("target", 15), "occasion": ("goals_to_win", 5), "nba": ("duration", "short")}
        if game in fixed:
            key, value = fixed[game]
            assert header["setup"][key] == value, "the tournament fixes what a match is"
        assert [side["name"] for side in header["sides"].values()] == ["Valcendre", "Port-Mélian"]
        mark = parse_mark(header)
        assert mark is not None
        assert (mark.tournament, mark.match) == ("cup", f"s1-{game}")
        assert set(header["sides"]) == set(hub.now.match.header["sides"])
        assert ("grew",) in hub.calls
    app.end_session()


async def confirming(evening: SceneContext) -> None:
    """A match started, resumed and finished; both sides and the referee confirm, the referee with a PIN."""
    clock = ManualClock()
    referee = PinLock(evening.folder / "referee.toml", clock.monotonic, FAST_HASHER)
    referee.remove_pin()
    hub = StagedHub(cup(match=match(game="hoops21", referee=True)))
    app = await opened(evening, hub, referee_lock=referee)
    header = complete_header(app.matches.games["hoops21"].random_header(Random(4)), hub.now.match.header)
    session = app.start_match("hoops21", header)
    app.redraw()
    await evening.capture("17-going")
    await evening.tap("app.home.resume")
    play_on(session)
    app.redraw()
    await evening.capture("17-table-over")
    await evening.tap("app.table.menu")
    await evening.capture("17-table-menu")
    await evening.tap("app.tournament.qr.title")
    await evening.capture("17-table-qr")
    assert await read_by_phone(evening) == hub.now.pages["s1-r6-1"]
    await evening.tap("app.close")
    await evening.tap("app.tournament.to_confirm")
    await evening.capture("17-confirming")
    await evening.table.tap(evening.translate("app.tournament.agreed", name="Valcendre"))
    await evening.capture("17-confirm")
    await evening.tap("app.tournament.confirm", "Valcendre")
    assert hub.now.match.confirmed == {"home"}
    await evening.table.tap("Valcendre")
    await evening.capture("17-withdraw")
    await evening.tap("app.tournament.withdraw", "Valcendre")
    assert hub.now.match.confirmed == set()
    await as_referee(evening, referee)
    await evening.capture("17-all-confirmed")
    hub.see_match(sent=True)
    await evening.table.until(lambda: evening.translate("app.tournament.done.sent") in evening.table.texts())
    app.end_session()


async def disputed(evening: SceneContext) -> None:
    """A side does not agree with a result; the organiser rules, also while the match is played again."""
    hub = StagedHub(cup(match=match(game="hoops21")))
    app = await opened(evening, hub)
    header = complete_header(app.matches.games["hoops21"].random_header(Random(4)), hub.now.match.header)
    session = app.start_match("hoops21", header)
    play_on(session)
    app.redraw()
    app.tournament_follower.open_page()
    await evening.table.frames(4)
    asked = evening.translate("app.tournament.agreed", name="Valcendre")
    await evening.table.tap(asked)
    await evening.capture("17-agree-or-not")
    await evening.tap("app.tournament.dispute", "Valcendre")
    await evening.capture("17-dispute-why")
    await evening.table.tap(evening.translate("common.dispute.dice"))
    assert hub.now.match.dispute.by == "home"
    await evening.capture("17-disputed")
    call = hub.now.match
    decided_match = {"tournament": "cup", "match": call.match, "home": call.home, "away": call.away}
    why = evening.translate("common.dispute.dice")
    hub.see(match=None, ruling=Ruling(**decided_match, score=(21, 18), why=why))
    await evening.table.until(lambda: why in evening.table.texts())
    await evening.capture("17-ruled")
    mark = {**call.header["tournament"], "again": 1}
    again = structs.replace(call, dispute=None, header={**call.header, "tournament": mark})
    hub.see(match=again, ruling=Ruling(**decided_match, why=why))
    app.redraw()
    await evening.table.frames(4)
    await evening.capture("17-ruled-again")
    session = app.start_match("hoops21", complete_header(header, again.header))
    app.tournament_follower.start()
    app.open("table", session=session)
    await evening.table.frames(4)
    hub.see(match=None, ruling=Ruling(**decided_match, score=(21, 10)))
    title = evening.translate("app.tournament.ruled.title")
    await evening.table.until(lambda: title in evening.table.texts())
    await evening.capture("17-ruled-in-play")
    await evening.tap("app.tournament.title")
    assert app.navigator.back_stack[-1].name == "tournament"
    app.end_session()


async def ended(evening: SceneContext) -> None:
    """The end is announced once: podium, joint third, long names, nobody first, a knock-out; the way to free play."""
    hub = StagedHub(cup(match=match(game="hoops21", sent=True)))
    app = await opened(evening, hub)
    app.tournament_follower.start()
    app.home()
    await evening.table.frames(4)
    hub.see(match=None, coming=(), podium=PODIUM)
    await evening.table.until(lambda: app.navigator.back_stack[-1].name == "tournament")
    await evening.table.frames(4)
    assert {evening.translate("app.tournament.ended"), *NAMES[:3]} <= set(evening.table.texts())
    assert evening.translate("app.tournament.none_coming") not in evening.table.texts()
    await evening.capture("17-ended")
    podiums = {
        "joint-third": (*PODIUM[:2], PodiumStep(3, NAMES[2:4])),
        "long": (PodiumStep(1, LONG[:1]), PodiumStep(2, LONG[1:]), PodiumStep(3, NAMES[2:4])),
        "nobody-first": (),
    }
    advance = evening.translate("app.tournament.advance", n=4)
    for standings in ((table(advance=4),), ()):
        for name, podium in podiums.items():
            hub.see(podium=podium, standings=standings)
            app.redraw()
            await evening.table.frames(4)
            assert advance not in evening.table.texts(), "nobody is to go through any more"
            await evening.capture(f"17-ended-{name}{'' if standings else '-knock-out'}")
    hub.see(podium=PODIUM)
    app.redraw()
    await evening.table.frames(4)
    await evening.tap("app.tournament.free_play")
    assert app.navigator.back_stack[-1].name == "home"
    await evening.capture("01-home-ended")
    assert evening.translate("app.tournament.ended") in evening.table.texts()
    app.tournament_follower.start()
    await evening.table.frames(4)
    assert app.navigator.back_stack[-1].name == "home", "a table whose tournament is over starts with free play"


PODIUM = tuple(PodiumStep(rank, (name,)) for rank, name in enumerate(NAMES[:3], 1))


async def as_referee(evening: SceneContext, referee: Any) -> None:
    """Without a PIN the referee can do nothing; with it the referee confirms for all, with a PIN request each time."""
    hub, word = evening.table.app.tournament_follower.desk.hub, evening.translate("app.tournament.referee")
    await evening.table.tap(evening.translate("app.tournament.agreed", name=word))
    await evening.capture("17-referee-none")
    assert evening.translate("app.tournament.no_referee") in evening.table.texts()
    await evening.tap("app.close")
    referee.set_pin("2580")
    referee.lock()
    await evening.table.tap(evening.translate("app.tournament.agreed", name=word))
    await type_pin(evening, "1111")
    assert not hub.now.match.confirmed
    await evening.tap("app.close")
    await evening.table.tap(evening.translate("app.tournament.agreed", name=word))
    await type_pin(evening, "2580")
    assert hub.now.match.confirmed == {"referee"}
    for name in ("Valcendre", "Port-Mélian"):
        await evening.tap("app.table.menu")
        await evening.table.tap(word)
        await type_pin(evening, "2580")
        await evening.capture("17-referee")
        await evening.table.tap(evening.translate("app.tournament.referee.confirm", name=name))
    assert hub.now.match.confirmed == {"home", "away", "referee"}


async def called_away(evening: SceneContext) -> None:
    """A call opens its page on an idle table and shows a notice on a busy one; a later correction is detected."""
    hub = StagedHub(cup(match=None))
    app = attached(evening, hub)
    app.tournament_follower.start()
    await home(evening)
    hub.see(match=match(game="hoops21"))
    await evening.table.until(lambda: app.navigator.back_stack[-1].name == "tournament")
    await evening.tap("app.table.menu")
    await evening.tap("app.tournament.settings")
    assert app.navigator.back_stack[-1].name == "settings"
    hub.see(match=match("Ada", "Blaise", id="s2"))
    call_text = evening.translate("app.tournament.called", table=3, home="Ada", away="Blaise")
    await evening.table.until(lambda: call_text in evening.table.texts())
    await evening.capture("17-called")
    assert app.navigator.back_stack[-1].name == "settings"
    hub.see(match=match(game="hoops21"))
    app.tournament_follower.open_page()
    session = app.start_match(
        "hoops21", complete_header({"journal": 1, "game": "hoops21", **PLAIN}, hub.now.match.header)
    )
    play_on(session)
    app.redraw()
    await evening.table.frames(4)
    await evening.table.tap(evening.translate("app.tournament.agreed", name="Valcendre"))
    session.undo()
    play_on(session)
    await evening.tap("app.tournament.confirm", "Valcendre")
    assert evening.translate("app.tournament.changed") in evening.table.texts()
    assert not hub.now.match.confirmed
    await evening.capture("17-changed")
    await evening.tap("app.close")
    app.end_session()


async def joining(evening: SceneContext) -> None:
    """The settings: no link, solo, address, token and line with slips, every link state, the referee's PIN, left."""
    app = attached(evening, None)
    await home(evening)
    await evening.tap("app.home.settings")
    await evening.tap("app.settings.room.tournament")
    await evening.capture("19-tournament-unsupported")
    hub = StagedHub()
    referee = PinLock(evening.folder / "judge.toml", ManualClock().monotonic, FAST_HASHER)
    referee.remove_pin()
    attached(evening, hub, referee_lock=referee)
    app.redraw()
    await evening.capture("19-tournament-alone")
    token = format_token(Token("table-3", "k" * 22))
    typed = {
        "address": "hub.local",
        "bad-address": "hub local",
        "bad-line": f"tapis-vert://hub.local:4222/{token[:-2]}",
    }
    await evening.tap("app.settings.hub.join")
    for name, text in reversed(typed.items()):
        await evening.table.frames(6)
        evening.table.type_over(text)
        await evening.tap("app.done")
        await evening.table.frames(6)
        if name != "address":
            await evening.capture(f"19-tournament-{name}")
            assert evening.table.field().text == text, "what was typed is still there"
            assert not hub.calls
    for text in ("wrong", "TOKEN-1"):
        evening.table.type_over(text)
        await evening.tap("app.done")
        await evening.table.frames(6)
        assert hub.calls[-1] == ("join", "hub.local", text)
        if text == "wrong":
            assert "no token" in evening.table.texts()
            assert evening.table.field().text == text
            await evening.capture("19-tournament-bad-token")
    await evening.tap("app.settings.hub.join")
    await evening.table.frames(6)
    evening.table.type_over(f" tapis-vert://hub.local:4222/{token} ")
    await evening.tap("app.done")
    assert hub.calls[-1] == ("join", "hub.local:4222", token)
    await evening.capture("19-tournament-never")
    for name, link in LINKS.items():
        hub.see(link=link, tournament="Coupe des Baies", table=3)
        await evening.table.seconds(0.5)
        await evening.capture(f"19-tournament-{name}")
    await evening.tap("app.settings.lock.choose")
    for _ in range(2):
        await type_pin(evening, "2580")
    assert referee.try_pin("2580")
    await evening.capture("19-tournament-referee")
    hub.see(referee_pin=FAST_HASHER.hash("1470"))
    app.tournament_follower.poll()
    app.redraw()
    await evening.capture("19-tournament-referee-given")
    assert evening.translate("app.settings.referee.given") in evening.table.texts()
    assert not referee.try_pin("2580")
    await evening.table.hold(evening.translate("app.settings.hub.leave"))
    assert hub.calls[-1] == ("leave",)
    app.tournament_follower.poll()
    assert referee.try_pin("2580"), "a table that has left has its own PIN again"
    assert evening.translate("app.settings.hub.none") in evening.table.texts()
    await evening.tap("app.back")


async def scanning(evening: SceneContext) -> None:
    """The desk's QR code under the camera: another code, a damaged one, the right one; the camera is released."""
    hub, cameras = StagedHub(), StagedCameras()
    app = attached(evening, hub, cameras=cameras, read_code=read_qr_code)
    await home(evening)
    app.open("settings", room="tournament")
    await evening.table.frames(4)
    await evening.capture("19-tournament-scan-offer")
    await evening.tap("app.settings.hub.scan")
    reader = cameras.previews[-1][1]
    await evening.table.seconds(0.5)
    await evening.capture("19-tournament-scan")
    line = invitation("hub.local:4222", format_token(Token("table-3", "k" * 22)))
    for text, sentence in (("http://hub.local/join", "app.settings.hub.other_code"), (line[:-3], "link.token.slip")):
        fault = evening.translate(sentence)
        await hold_code(evening, reader, text, lambda fault=fault: fault in evening.table.texts())
        assert not hub.calls
    await evening.capture("19-tournament-scan-slip")
    await hold_code(evening, reader, line, lambda: hub.calls)
    assert hub.calls == [("join", "hub.local:4222", format_token(Token("table-3", "k" * 22)))]
    assert not app.navigator.sheets
    await evening.tap("app.back")


class StagedPairing:
    """Pairing without a network: `now` is what has come of the newest request."""

    def __init__(self) -> None:
        self.now = PairingState("asking")
        self.asked: list[str] = []
        self.closed = 0

    def address_fault(self, address: str) -> Message | None:
        return pairing_address_fault(address)

    def ask(self, address: str) -> StagedPairing:
        self.asked.append(address)
        self.now = PairingState("asking")
        return self

    def state(self) -> PairingState:
        return self.now

    def close(self) -> None:
        self.closed += 1


async def pairing(evening: SceneContext) -> None:
    """A code for the desk: a slip in the address, asked, the code, the hub away, every refusal, again, let in."""
    hub, asking = StagedHub(), StagedPairing()
    app = attached(evening, hub, pairing=asking)
    await home(evening)
    app.open("settings", room="tournament")
    await evening.table.frames(4)
    await evening.capture("19-tournament-pair-offer")
    await evening.tap("app.settings.hub.pair")
    await evening.table.frames(6)
    for address in ("hub local", "192.168.1.20:8470"):
        evening.table.type_over(address)
        await evening.tap("app.done")
        await evening.table.frames(6)
        if not asking.asked:
            assert evening.table.field().text == address, "what was typed is still there"
            await evening.capture("19-tournament-pair-address")
    assert asking.asked == ["192.168.1.20:8470"]
    await evening.capture("19-tournament-pair-asking")
    away = PairingState("waiting", "482913", Message("link.pairing.away"))
    for name, state in (("code", PairingState("waiting", "482913")), ("away", away)):
        asking.now = state
        await evening.table.seconds(0.3)
        assert "482 913" in evening.table.texts()
        await evening.capture(f"19-tournament-pair-{name}")
    for reason in ("refused", "gone", "too_many", "unreachable"):
        trouble = Message(f"link.pairing.{reason}", {"address": "192.168.1.20:8470"})
        asking.now = PairingState("failed", trouble=trouble)
        await evening.table.seconds(0.3)
        assert app.text(trouble) in evening.table.texts()
        await evening.capture(f"19-tournament-pair-{reason}")
        if reason != "unreachable":
            await evening.tap("app.settings.hub.pair.again")
            await evening.table.seconds(0.3)
    assert len(asking.asked) == 4
    await evening.tap("app.settings.hub.pair.change")
    await evening.table.frames(6)
    assert evening.table.field().text == "192.168.1.20:8470"
    await evening.tap("app.done")
    await evening.table.seconds(0.3)
    await evening.tap("app.close")
    assert asking.closed == len(asking.asked), "every request is ended"
    await evening.tap("app.settings.hub.pair")
    await evening.table.frames(6)
    evening.table.type_over("hub.local")
    await evening.tap("app.done")
    asking.now = PairingState("joined", "482913", invitation=("hub.local:4222", "TOKEN-1"))
    await evening.table.seconds(0.3)
    assert hub.calls[-1] == ("join", "hub.local:4222", "TOKEN-1")
    assert not app.navigator.sheets
    await evening.tap("app.back")


async def hold_code(evening: SceneContext, reader: StagedReader, text: str, true: Callable[[], object]) -> None:
    """Hold a sheet with this QR code under the camera until a condition is true."""
    picture = TrayPicture(code_under_camera(text))

    def holds() -> object:
        if not reader.news:
            reader.news.append(picture)
        return true()

    await evening.table.until(holds)


def code_under_camera(text: str) -> bytes:
    """Return a picture of a sheet with this QR code, slightly turned, on a dark tray."""
    module = 5
    code = np.kron(np.where(modules(text), 0, 255), np.ones((module, module))).astype(np.uint8)
    code = np.pad(code, 4 * module, constant_values=255)
    picture = np.full((480, 640), 60, np.uint8)
    top, left = (480 - code.shape[0]) // 2, (640 - code.shape[1]) // 2
    picture[top : top + code.shape[0], left : left + code.shape[1]] = code
    turned = cv2.warpAffine(picture, cv2.getRotationMatrix2D((320, 240), 6, 1.0), (640, 480), borderValue=(60.0,))
    return bytes(cv2.imencode(".jpg", cv2.GaussianBlur(turned, (3, 3), 0))[1])


def play_on(session: Any) -> None:
    """Play a legal match to its end."""
    random = Random(session.sequence)
    while not session.game.finished(session.state):
        session.record(session.game.random_event(session.state, random))


PLAIN: dict[str, Any] = {"sides": {"orange": {"name": "O"}, "white": {"name": "W"}}, "setup": {"target": 7}}
LINKS = {
    "online": LinkState(joined=True, online=True, since=at(9, 2)),
    "offline": LinkState(joined=True, since=at(15, 32), waiting=41),
    "trouble": LinkState(joined=True, since=at(15, 32), trouble=title("Une autre machine répond à cette adresse.")),
}


SNAPSHOTS = {
    "offline": cup(link=LinkState(joined=True, since=at(15, 32), waiting=41)),
    "never": cup(link=LinkState(joined=True), reported_at=None),
    "trouble": cup(link=LinkState(joined=True, since=at(9, 2), trouble=title("Jeton refusé."))),
    "no-match": cup(match=None),
    "no-match-none-coming": cup(match=None, coming=()),
    "frozen": cup(frozen=True),
    "review": cup(match=match(review=True)),
    "sent": cup(match=match(sent=True)),
    "groups": cup(match=None, standings=tuple(table(name=f"Poule {letter}", advance=2) for letter in "ABC")),
    "many": cup(standings=(table(tuple(f"Club {n}" for n in range(38)) + NAMES, "Ronde 4", 0),)),
    "knock-out": cup(standings=()),
    "long": cup(
        match=match(*LONG),
        standings=(table((*LONG, *NAMES[2:])),),
        tournament="Championnat interrégional d’automne",
        link=LinkState(joined=True, since=at(15, 32)),
    ),
}


SCENES: dict[str, Scene] = {
    "tournament_waiting": waiting,
    "tournament_presences": presences,
    "tournament_decided": decided,
    "tournament_confirming": confirming,
    "tournament_disputed": disputed,
    "tournament_ended": ended,
    "tournament_called": called_away,
    "tournament_joining": joining,
    "tournament_scanning": scanning,
    "tournament_pairing": pairing,
}
