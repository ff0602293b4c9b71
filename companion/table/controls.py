"""Buttons, lights and the tray's feeling around one match: what comes in is stamped with what its presser saw.

Stands between the devices and the session, in the session's thread. A press from before the present state stood long
enough to be seen is dropped, however late it arrives (SCREENS 4.7).
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from companion.games.base import Board, Message, SideScene
from companion.table import panel
from companion.table.history import winner_of
from companion.table.panel import Pressed, Seen
from companion.table.ports import FeelsTray, News, NewsKind
from companion.table.session import Session
from hardware.ports import Device, DeviceNews, Lamp, Lamps, Lid, Link, Moment, Moving, Press, Role, Scene, Show, Source

log = logging.getLogger(__name__)


class Devices:
    """For as long as the app is open; matches come and go. No call blocks or raises."""

    def __init__(self, devices: Sequence[Device] = ()) -> None:
        self._devices = tuple(devices)
        self._shown = Show()
        self._were: dict[Source, bool] = {}
        self._failed: set[str] = set()

    @property
    def links(self) -> tuple[Link, ...]:
        """How each device is."""
        return tuple(device.link for device in self._devices)

    @property
    def has_button(self) -> bool:
        """Whether there is a real button to press."""
        return any(link.online and not link.simulated for link in self.links)

    @property
    def missed(self) -> tuple[Link, ...]:
        """The devices that were there and are not."""
        return tuple(link for link in self.links if not link.online and link.source in self._were)

    def changed(self, link: Link) -> Message | None:
        """What players are told of a device that is otherwise now. One that never came is not missed."""
        before = self._were.get(link.source)
        if link.simulated or (before is None and not link.online):
            return None
        self._were[link.source] = link.online
        if before is None or before == link.online:
            return None
        return Message(f"button.{link.source}_{'back' if link.online else 'gone'}")

    def start(self) -> None:
        """Begins with every device."""
        for device in self._devices:
            self._guarded(device.start)

    def show(self, show: Show) -> None:
        """What is to be seen from now on; a value that stands already is not sent again, but for its moment."""
        if show.moment is None and show == self._shown:
            return
        self._shown = replace(show, moment=None)
        for device in self._devices:
            self._guarded(partial(device.show, show))

    @property
    def shown(self) -> Show:
        """What stands now, moments left out."""
        return self._shown

    def poll(self) -> list[DeviceNews]:
        """What happened since the last call, device by device."""
        news: list[DeviceNews] = []
        for device in self._devices:
            self._guarded(partial(_gather, device, news))
        return news

    def close(self) -> None:
        """Lights out."""
        for device in self._devices:
            self._guarded(device.close)

    def _guarded(self, act: Callable[[], object]) -> None:
        try:
            act()
        except Exception as fault:
            if str(fault) not in self._failed:  # told once: it may fail thirty times a second
                self._failed.add(str(fault))
                log.exception("a device failed")


def _gather(device: Device, news: list[DeviceNews]) -> None:
    news.extend(device.poll())


# What the tray feels, as far as it can be believed: dice that roll, a hand or an open lid. Pure: time comes in.

LONGEST = 10.0
"""Seconds after which dice that are felt to roll all the time are a broken sensor, and a lid was left open."""


class Feeling:
    """Of one tray. Nothing is known before it has told anything, and after it is gone."""

    def __init__(self) -> None:
        self._since: dict[type[Moving] | type[Lid], float | None] = {}

    def told(self, hint: Moving | Lid, now: float) -> None:
        """The tray tells what it feels."""
        on = hint.on if isinstance(hint, Moving) else hint.open
        since = self._since.get(type(hint))
        self._since[type(hint)] = (now if since is None else since) if on else None

    def gone(self) -> None:
        """The tray is lost."""
        self._since.clear()

    def moving(self, now: float) -> bool | None:
        """Whether something moves in the tray; None where nothing is known or what is told cannot be true."""
        lasting = [now - since for since in self._since.values() if since is not None]
        if not self._since or any(seconds >= LONGEST for seconds in lasting):
            return None
        return bool(lasting)


REACTION = 0.25
"""Seconds for which a new state stands before a press can be meant for it: as choices on the screen stay dead."""
AGAIN = 0.3
"""Seconds within which a second press of the same button is none."""
SHOWN = (NewsKind.ENTRY, NewsKind.UNDO, NewsKind.CORRECT, NewsKind.QUESTION, NewsKind.CAMERA)
"""News at which lights may be others."""
SIGHTS = 64
"""States remembered; a press from before them is too old for any."""

ROLES = tuple(Role)
"""What buttons may mean."""

TESTED = Show(Scene.REST, lamps=Lamps(*[Lamp.ON] * len(Role)))
"""While buttons are tried, all lamps are on, and the one that is pressed breathes."""

Tester = Callable[[str, str, bool], None]
"""Told role, device and whether it was held of each press, while buttons are tried."""

Order = Callable[[], tuple[SideScene, SideScene]]


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence for the players: a device has gone or come back."""

    message: Message


@dataclass(frozen=True, slots=True)
class _Sight:
    """What there was to see from a time on."""

    since: float
    sequence: int
    seen: Seen


class Controls:
    """One for the app. `attend` a match, `beat` often; without a match the lights rest."""

    def __init__(self, devices: Devices, monotonic: Callable[[], float], sound: Callable[[], bool] = bool) -> None:
        """`sound` says whether buzzers may be heard."""
        self.devices = devices
        self._monotonic, self.sound = monotonic, sound
        self._match: _Match | None = None
        self._last: dict[Role, float] = {}
        self._feeling = Feeling()
        self._tester: Tester | None = None
        self.referee = False
        """Whether somebody has called the referee and nobody has said that it is settled."""

    def listen(self, tester: Tester | None) -> None:
        """Presses go there and nowhere else, until it is None again."""
        self._tester = tester
        self._light()

    def start(self) -> None:
        """Begins with the devices; their lights rest."""
        self.devices.start()
        self._light()

    def close(self) -> None:
        self._match = None
        self.devices.close()

    def attend(self, session: Session, order: Order) -> None:
        """From now on a match's buttons and lights. `order`: the sides left and right, as the screen has them."""
        self._match = match = _Match(session, order)
        self.referee = False

        def hear(news: News) -> None:
            if self._match is match and news.kind in SHOWN:
                match.look(self._monotonic())
                self._light(match.moment(news))

        session.outputs.subscribe(hear)
        match.look(self._monotonic())
        self._light()

    def leave(self) -> None:
        """The match is over or let go."""
        self._match, self.referee = None, False
        self._light()

    def call_referee(self, called: bool) -> None:
        """Somebody calls the referee, or it is settled."""
        if called != self.referee:
            self.referee = called
            log.info("the referee is called" if called else "the referee's call is settled")
            self._light(Moment.REFEREE if called else None)

    def refuse(self) -> None:
        """A press that means nothing now is seen and heard to have been one."""
        self._light(Moment.REFUSED)

    def beat(self) -> list[Pressed | Told]:
        """What happened since the last call. Hands the tray's feeling on to the reader."""
        now = self._monotonic()
        news = self.devices.poll()
        if self._match is not None:
            self._match.look(now)
        heard: list[Pressed | Told] = []
        for item in news:
            if isinstance(item, Press):
                heard += self._pressed(item)
            elif isinstance(item, Link):
                heard += self._linked(item)
            else:
                self._feeling.told(item, now)
        if self._match is not None:
            self._match.stirred(self._feeling.moving(now))
        self._light()
        return heard

    # What comes in

    def _pressed(self, press: Press) -> list[Pressed | Told]:
        before, self._last[press.role] = self._last.get(press.role), press.at
        if before is not None and 0 <= press.at - before < AGAIN:
            return []
        if self._tester is not None:
            self._tester(press.role, press.source, press.held)
            self._light(pressed=press.role)
            return []
        if press.role is Role.REFEREE and self._match is not None:
            self.call_referee(not self.referee)
            return []
        sight = self._match.sight(press.at - REACTION) if self._match is not None else None
        if sight is None:
            log.info("a press that nobody can have meant was dropped: %s", press)
            return []
        return [Pressed(press, sight.seen, sight.sequence)]

    def _linked(self, link: Link) -> list[Pressed | Told]:
        """A device that was there and is gone, or is there again: said."""
        if link.source is Source.TRAY and not link.online:
            self._feeling.gone()
        said = self.devices.changed(link)
        return [Told(said)] if said is not None else []

    # What goes out

    def _light(self, moment: Moment | None = None, pressed: Role | None = None) -> None:
        match = self._match
        if self._tester is not None:
            lamps = TESTED.lamps if pressed is None else replace(TESTED.lamps, **{pressed.value: Lamp.BREATHING})
            self.devices.show(replace(TESTED, lamps=lamps, sound=self.sound()))
            return
        if match is None:
            self.devices.show(Show(Scene.REST, moment=moment, sound=self.sound()))
            return
        self.devices.show(replace(panel.shown(match.standing(self.referee), self.sound()), moment=moment))


class _Match:
    """A match as the devices are concerned: what there was to see when, and what lights have shown of it."""

    def __init__(self, session: Session, order: Order) -> None:
        self.session, self._order = session, order
        self._sights: deque[_Sight] = deque(maxlen=SIGHTS)
        self._facts = panel.Facts([entry.fields for entry in session.ledger.standing])
        reader = session.dice.reader
        self._feeler: FeelsTray | None = reader if isinstance(reader, FeelsTray) else None
        self._rolling: bool | None = None
        self._before = self.standing(False)

    def look(self, now: float) -> None:
        """Notes what there is to see, if it is another than before."""
        session = self.session
        seen = Seen(session.awaits(), self._order(), session.dice.question, self._finished)
        if self._sights:
            last = self._sights[-1]
            if last.sequence == session.sequence and _alike(last.seen, seen):
                return
        self._sights.append(_Sight(now, session.sequence, seen))

    def sight(self, at: float) -> _Sight | None:
        """What there was to see at a time; None for one before everything known."""
        return next((sight for sight in reversed(self._sights) if sight.since <= at), None)

    def stirred(self, rolling: bool | None) -> None:
        """Dice move in the tray, or no longer; None: nothing feels them."""
        if rolling != self._rolling:
            self._rolling = rolling
            if self._feeler is not None:
                self._feeler.stirred(rolling)

    def moment(self, news: News) -> Moment | None:
        """What of the news is worth a moment; keeps what was to be seen for the next one."""
        before, self._before = self._before, self.standing(False)
        standing = self.session.ledger.standing
        if news.kind is NewsKind.CORRECT:
            self._facts.corrected([entry.fields for entry in standing])
        if news.kind is not NewsKind.ENTRY or not self._facts.news(len(standing) - 1, news.fields):
            return None
        return panel.moment_of(before, self._before, news.fields, news.outcome or {})

    def standing(self, referee: bool) -> panel.Standing:
        """The match as lights know it."""
        session, scene = self.session, self.session.scene()
        board: Board = scene.board
        camera = session.dice.camera
        return panel.Standing(
            sides=self._order(),
            awaits=session.awaits(),
            score={side.side: points for side, points in zip(scene.sides, board.score, strict=True)},
            finished=self._finished,
            winner=winner_of(session.game, session.state) if self._finished else None,
            asked=session.dice.question is not None,
            lost=camera is not None and not camera.present,
            rolling=self._rolling is True,
            undoable=session.ledger.newest is not None,
            referee=referee,
        )

    @property
    def _finished(self) -> bool:
        return self.session.game.finished(self.session.state)


def _alike(one: Seen, other: Seen) -> bool:
    """Whether two sights of one state show the same question and the same places."""
    places = [tuple(side.side for side in seen.sides) for seen in (one, other)]
    return one.question is other.question and places[0] == places[1]
