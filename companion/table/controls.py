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
from companion.table.panel import ButtonPress, VisibleState
from companion.table.ports import MotionListener, News, NewsKind
from companion.table.session import Session
from hardware.ports import Device, DeviceNews, Lamp, Lamps, Lid, Link, Moment, Moving, Press, Role, Scene, Show, Source

log = logging.getLogger(__name__)


class Devices:
    """For as long as the app is open; matches come and go. No call blocks or raises."""

    def __init__(self, devices: Sequence[Device] = ()) -> None:
        self._devices = tuple(devices)
        self._current_show = Show()
        self._was_online: dict[Source, bool] = {}
        self._logged_faults: set[str] = set()

    @property
    def links(self) -> tuple[Link, ...]:
        """How each device is."""
        return tuple(device.link for device in self._devices)

    @property
    def has_button(self) -> bool:
        """Whether there is a real button to press."""
        return any(link.online and not link.simulated for link in self.links)

    @property
    def lost_links(self) -> tuple[Link, ...]:
        """The devices that were there and are not."""
        return tuple(link for link in self.links if not link.online and link.source in self._was_online)

    def connection_message(self, link: Link) -> Message | None:
        """What players are told of a device that is otherwise now. One that never came is not missed."""
        before = self._was_online.get(link.source)
        if link.simulated or (before is None and not link.online):
            return None
        self._was_online[link.source] = link.online
        if before is None or before == link.online:
            return None
        return Message(f"button.{link.source}_{'back' if link.online else 'gone'}")

    def start(self) -> None:
        """Begins with every device."""
        for device in self._devices:
            self._call_safely(device.start)

    def show(self, show: Show) -> None:
        """What is to be seen from now on; a value that stands already is not sent again, but for its moment."""
        if show.moment is None and show == self._current_show:
            return
        self._current_show = replace(show, moment=None)
        for device in self._devices:
            self._call_safely(partial(device.show, show))

    @property
    def current_show(self) -> Show:
        """What stands now, moments left out."""
        return self._current_show

    def poll(self) -> list[DeviceNews]:
        """What happened since the last call, device by device."""
        news: list[DeviceNews] = []
        for device in self._devices:
            self._call_safely(partial(_gather, device, news))
        return news

    def close(self) -> None:
        """Lights out."""
        for device in self._devices:
            self._call_safely(device.close)

    def _call_safely(self, action: Callable[[], object]) -> None:
        try:
            action()
        except Exception as fault:
            if str(fault) not in self._logged_faults:  # told once: it may fail thirty times a second
                self._logged_faults.add(str(fault))
                log.exception("a device failed")


def _gather(device: Device, news: list[DeviceNews]) -> None:
    news.extend(device.poll())


# What the tray feels, as far as it can be believed: dice that roll, a hand or an open lid. Pure: time comes in.

MAX_MOTION_S = 10.0
"""Seconds after which dice that are felt to roll all the time are a broken sensor, and a lid was left open."""


class MotionHint:
    """Of one tray. Nothing is known before it has told anything, and after it is gone."""

    def __init__(self) -> None:
        self._since: dict[type[Moving] | type[Lid], float | None] = {}

    def update(self, hint: Moving | Lid, now: float) -> None:
        """The tray tells what it feels."""
        is_moving = hint.on if isinstance(hint, Moving) else hint.open
        since = self._since.get(type(hint))
        self._since[type(hint)] = (now if since is None else since) if is_moving else None

    def reset(self) -> None:
        """The tray is lost."""
        self._since.clear()

    def is_moving(self, now: float) -> bool | None:
        """Whether something moves in the tray; None where nothing is known or what is told cannot be true."""
        durations_s = [now - since for since in self._since.values() if since is not None]
        if not self._since or any(seconds >= MAX_MOTION_S for seconds in durations_s):
            return None
        return bool(durations_s)


REACTION_TIME_S = 0.25
"""Seconds for which a new state stands before a press can be meant for it: as choices on the screen stay dead."""
DEBOUNCE_S = 0.3
"""Seconds within which a second press of the same button is none."""
LIGHT_NEWS = (NewsKind.EVENT, NewsKind.UNDO, NewsKind.CORRECT, NewsKind.QUESTION, NewsKind.CAMERA)
"""News at which lights may be others."""
MAX_VISIBLE_STATES = 64
"""States remembered; a press from before them is too old for any."""

ROLES = tuple(Role)
"""What buttons may mean."""

TEST_SHOW = Show(Scene.REST, lamps=Lamps(*[Lamp.ON] * len(Role)))
"""While buttons are tried, all lamps are on, and the one that is pressed breathes."""

PressListener = Callable[[str, str, bool], None]
"""Told role, device and whether it was held of each press, while buttons are tried."""

SideOrder = Callable[[], tuple[SideScene, SideScene]]


@dataclass(frozen=True, slots=True)
class DeviceNotice:
    """A sentence for the players: a device has gone or come back."""

    message: Message


@dataclass(frozen=True, slots=True)
class _TimedState:
    """What there was to see from a time on."""

    since: float
    sequence: int
    visible: VisibleState


class Controls:
    """One for the app. `attend` a match, `beat` often; without a match the lights rest."""

    def __init__(self, devices: Devices, monotonic: Callable[[], float], sound: Callable[[], bool] = bool) -> None:
        """`sound` says whether buzzers may be heard."""
        self.devices = devices
        self._monotonic, self.sound = monotonic, sound
        self._match: _AttachedMatch | None = None
        self._last_press_at: dict[Role, float] = {}
        self._motion_hint = MotionHint()
        self._tester: PressListener | None = None
        self.is_referee_called = False
        """Whether somebody has called the referee and nobody has said that it is settled."""

    def test_buttons(self, tester: PressListener | None) -> None:
        """Presses go there and nowhere else, until it is None again."""
        self._tester = tester
        self._update_lights()

    def start(self) -> None:
        """Begins with the devices; their lights rest."""
        self.devices.start()
        self._update_lights()

    def close(self) -> None:
        self._match = None
        self.devices.close()

    def attach(self, session: Session, order: SideOrder) -> None:
        """From now on a match's buttons and lights. `order`: the sides left and right, as the screen has them."""
        self._match = match = _AttachedMatch(session, order)
        self.is_referee_called = False

        def on_news(news: News) -> None:
            if self._match is match and news.kind in LIGHT_NEWS:
                match.update(self._monotonic())
                self._update_lights(match.moment(news))

        session.outputs.subscribe(on_news)
        match.update(self._monotonic())
        self._update_lights()

    def detach(self) -> None:
        """The match is over or let go."""
        self._match, self.is_referee_called = None, False
        self._update_lights()

    def call_referee(self, called: bool) -> None:
        """Somebody calls the referee, or it is settled."""
        if called != self.is_referee_called:
            self.is_referee_called = called
            log.info("the referee is called" if called else "the referee's call is settled")
            self._update_lights(Moment.REFEREE if called else None)

    def flash_refusal(self) -> None:
        """A press that means nothing now is seen and heard to have been one."""
        self._update_lights(Moment.REFUSED)

    def poll(self) -> list[ButtonPress | DeviceNotice]:
        """What happened since the last call. Hands the tray's feeling on to the reader."""
        now = self._monotonic()
        news = self.devices.poll()
        if self._match is not None:
            self._match.update(now)
        inputs: list[ButtonPress | DeviceNotice] = []
        for item in news:
            if isinstance(item, Press):
                inputs += self._on_press(item)
            elif isinstance(item, Link):
                inputs += self._on_link_change(item)
            else:
                self._motion_hint.update(item, now)
        if self._match is not None:
            self._match.on_motion(self._motion_hint.is_moving(now))
        self._update_lights()
        return inputs

    # What comes in

    def _on_press(self, press: Press) -> list[ButtonPress | DeviceNotice]:
        before, self._last_press_at[press.role] = self._last_press_at.get(press.role), press.at
        if before is not None and 0 <= press.at - before < DEBOUNCE_S:
            return []
        if self._tester is not None:
            self._tester(press.role, press.source, press.held)
            self._update_lights(pressed_role=press.role)
            return []
        if press.role is Role.REFEREE and self._match is not None:
            self.call_referee(not self.is_referee_called)
            return []
        state = self._match.visible_at(press.at - REACTION_TIME_S) if self._match is not None else None
        if state is None:
            log.info("a press that nobody can have meant was dropped: %s", press)
            return []
        return [ButtonPress(press, state.visible, state.sequence)]

    def _on_link_change(self, link: Link) -> list[ButtonPress | DeviceNotice]:
        """A device that was there and is gone, or is there again: said."""
        if link.source is Source.TRAY and not link.online:
            self._motion_hint.reset()
        message = self.devices.connection_message(link)
        return [DeviceNotice(message)] if message is not None else []

    # What goes out

    def _update_lights(self, moment: Moment | None = None, pressed_role: Role | None = None) -> None:
        match = self._match
        if self._tester is not None:
            lamps = (
                TEST_SHOW.lamps
                if pressed_role is None
                else replace(TEST_SHOW.lamps, **{pressed_role.value: Lamp.BREATHING})
            )
            self.devices.show(replace(TEST_SHOW, lamps=lamps, sound=self.sound()))
            return
        if match is None:
            self.devices.show(Show(Scene.REST, moment=moment, sound=self.sound()))
            return
        self.devices.show(replace(panel.light_show(match.status(self.is_referee_called), self.sound()), moment=moment))


class _AttachedMatch:
    """A match as the devices are concerned: what there was to see when, and what lights have shown of it."""

    def __init__(self, session: Session, order: SideOrder) -> None:
        self.session, self._order = session, order
        self._visible_states: deque[_TimedState] = deque(maxlen=MAX_VISIBLE_STATES)
        self._shown_events = panel.ShownEvents([entry.fields for entry in session.ledger.events])
        reader = session.dice.reader
        self._motion_listener: MotionListener | None = reader if isinstance(reader, MotionListener) else None
        self._is_rolling: bool | None = None
        self._last_status = self.status(False)

    def update(self, now: float) -> None:
        """Notes what there is to see, if it is another than before."""
        session = self.session
        visible = VisibleState(session.decision(), self._order(), session.dice.question, self._is_finished)
        if self._visible_states:
            last_state = self._visible_states[-1]
            if last_state.sequence == session.sequence and _is_same_view(last_state.visible, visible):
                return
        self._visible_states.append(_TimedState(now, session.sequence, visible))

    def visible_at(self, at: float) -> _TimedState | None:
        """What there was to see at a time; None for one before everything known."""
        return next((state for state in reversed(self._visible_states) if state.since <= at), None)

    def on_motion(self, is_rolling: bool | None) -> None:
        """Dice move in the tray, or no longer; None: nothing feels them."""
        if is_rolling != self._is_rolling:
            self._is_rolling = is_rolling
            if self._motion_listener is not None:
                self._motion_listener.on_motion(is_rolling)

    def moment(self, news: News) -> Moment | None:
        """What of the news is worth a moment; keeps what was to be seen for the next one."""
        status_before, self._last_status = self._last_status, self.status(False)
        events = self.session.ledger.events
        if news.kind is NewsKind.CORRECT:
            self._shown_events.replace_all([entry.fields for entry in events])
        if news.kind is not NewsKind.EVENT or not self._shown_events.add_if_new(len(events) - 1, news.fields):
            return None
        return panel.moment_of(status_before, self._last_status, news.fields, news.outcome or {})

    def status(self, is_referee_called: bool) -> panel.MatchStatus:
        """The match as lights know it."""
        session, scene = self.session, self.session.scene()
        board: Board = scene.board
        camera = session.dice.camera
        return panel.MatchStatus(
            sides=self._order(),
            decision=session.decision(),
            score={side.side: points for side, points in zip(scene.sides, board.score, strict=True)},
            is_finished=self._is_finished,
            winner=winner_of(session.game, session.state) if self._is_finished else None,
            has_question=session.dice.question is not None,
            is_camera_lost=camera is not None and not camera.present,
            is_rolling=self._is_rolling is True,
            can_undo=session.ledger.newest is not None,
            is_referee_called=is_referee_called,
        )

    @property
    def _is_finished(self) -> bool:
        return self.session.game.finished(self.session.state)


def _is_same_view(one: VisibleState, other: VisibleState) -> bool:
    """Whether two sights of one state show the same question and the same places."""
    side_orders = [tuple(side.side for side in seen.sides) for seen in (one, other)]
    return one.question is other.question and side_orders[0] == side_orders[1]
