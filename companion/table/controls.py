"""Buttons, lights and tray motion for one match. Each button press is matched with the state its user saw.

Connects the devices and the session, in the session's thread. A press is dropped, however late it arrives, if the
current state was not visible long enough before it (SCREENS 4.7).
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
from hardware.ports import (
    Device,
    DeviceNews,
    Lamp,
    Lamps,
    Lid,
    LightScene,
    Link,
    Moment,
    Moving,
    PanelPress,
    PressSource,
    Role,
    Show,
)

log = logging.getLogger(__name__)


class Devices:
    """All devices, for the lifetime of the app, across matches. No call blocks or raises."""

    def __init__(self, devices: Sequence[Device] = ()) -> None:
        self._devices = tuple(devices)
        self._current_show = Show()
        self._was_online: dict[PressSource, bool] = {}
        self._logged_faults: set[str] = set()

    @property
    def links(self) -> tuple[Link, ...]:
        """The status of each device."""
        return tuple(device.link for device in self._devices)

    @property
    def has_button(self) -> bool:
        """True if there is a real button to press."""
        return any(link.online and not link.simulated for link in self.links)

    @property
    def lost_links(self) -> tuple[Link, ...]:
        """Devices that were online before and are not now."""
        return tuple(link for link in self.links if not link.online and link.source in self._was_online)

    def connection_message(self, link: Link) -> Message | None:
        """Return the message for players if a device's status changed.

        A device that never connected is not reported.
        """
        before = self._was_online.get(link.source)
        if link.simulated or (before is None and not link.online):
            return None
        self._was_online[link.source] = link.online
        if before is None or before == link.online:
            return None
        return Message(f"button.{link.source}_{'back' if link.online else 'gone'}")

    def start(self) -> None:
        """Start all devices (panel, tray, lights)."""
        for device in self._devices:
            self._call_safely(device.start)

    def show(self, show: Show) -> None:
        """Set the light pattern. Re-sends only if it changed, except one-shot effects."""
        if show.moment is None and show == self._current_show:
            return
        self._current_show = replace(show, moment=None)
        for device in self._devices:
            self._call_safely(partial(device.show, show))

    @property
    def current_show(self) -> Show:
        """The current pattern, without one-shot effects."""
        return self._current_show

    def poll(self) -> list[DeviceNews]:
        """Return the events since the last call, device by device."""
        news: list[DeviceNews] = []
        for device in self._devices:
            self._call_safely(partial(_gather, device, news))
        return news

    def close(self) -> None:
        """Turn off all lights and close the devices."""
        for device in self._devices:
            self._call_safely(device.close)

    def _call_safely(self, action: Callable[[], object]) -> None:
        try:
            action()
        except Exception as fault:
            if str(fault) not in self._logged_faults:  # logged once: it may fail thirty times a second
                self._logged_faults.add(str(fault))
                log.exception("a device failed")


def _gather(device: Device, news: list[DeviceNews]) -> None:
    news.extend(device.poll())


# Tray motion, as far as it is plausible: rolling dice, a hand or an open lid. Pure: the time is passed in.

MAX_MOTION_S = 10.0
"""Seconds after which continuous motion counts as a broken sensor, and an open lid as left open."""


class MotionHint:
    """Motion of one tray. Unknown before its first report and after it disconnects."""

    def __init__(self) -> None:
        self._since: dict[type[Moving] | type[Lid], float | None] = {}

    def update(self, hint: Moving | Lid, now: float) -> None:
        """Process a report from the tray."""
        is_moving = hint.on if isinstance(hint, Moving) else hint.open
        since = self._since.get(type(hint))
        self._since[type(hint)] = (now if since is None else since) if is_moving else None

    def reset(self) -> None:
        """Forget all reports: the tray is disconnected."""
        self._since.clear()

    def is_moving(self, now: float) -> bool | None:
        """Return whether something moves in the tray; None if unknown or implausible."""
        durations_s = [now - since for since in self._since.values() if since is not None]
        if not self._since or any(seconds >= MAX_MOTION_S for seconds in durations_s):
            return None
        return bool(durations_s)


REACTION_TIME_S = 0.25
"""Seconds for which a new state must be visible before a press counts for it, like the delay of on-screen choices."""
DEBOUNCE_S = 0.3
"""Seconds within which a second press of the same button is ignored."""
LIGHT_NEWS = (NewsKind.EVENT, NewsKind.UNDO, NewsKind.CORRECT, NewsKind.QUESTION, NewsKind.CAMERA)
"""News kinds that may change the lights."""
MAX_VISIBLE_STATES = 64
"""Number of states kept. A press from before the oldest one is dropped."""

ROLES = tuple(Role)
"""Possible roles of a button."""

TEST_SHOW = Show(LightScene.REST, lamps=Lamps(*[Lamp.ON] * len(Role)))
"""Pattern for the button test: all lamps on; the pressed button's lamp pulses."""

PressListener = Callable[[str, str, bool], None]
"""Called for each press during the button test: role, device, and whether it was held."""

SideOrder = Callable[[], tuple[SideScene, SideScene]]


@dataclass(frozen=True, slots=True)
class DeviceNotice:
    """A message for the players: a device was lost or is back."""

    message: Message


@dataclass(frozen=True, slots=True)
class _TimedState:
    """The visible state from a time on."""

    since: float
    sequence: int
    visible: VisibleState


class Controls:
    """The controls of the app. Call `attach` for a match and `poll` often. Without a match the lights are idle."""

    def __init__(self, devices: Devices, monotonic: Callable[[], float], sound: Callable[[], bool] = bool) -> None:
        """Create the controls. `sound` returns whether buzzers are allowed."""
        self.devices = devices
        self._monotonic, self.sound = monotonic, sound
        self._match: _AttachedMatch | None = None
        self._last_press_at: dict[Role, float] = {}
        self._motion_hint = MotionHint()
        self._tester: PressListener | None = None
        self.is_referee_called = False
        """True if a player has called the referee and the call is not settled yet."""

    def test_buttons(self, tester: PressListener | None) -> None:
        """Redirect all presses to the test callback; None ends the test."""
        self._tester = tester
        self._update_lights()

    def start(self) -> None:
        """Start the devices, with idle lights."""
        self.devices.start()
        self._update_lights()

    def close(self) -> None:
        self._match = None
        self.devices.close()

    def attach(self, session: Session, order: SideOrder) -> None:
        """Attach a match to buttons and lights. `order` returns the left and right sides as on the screen."""
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
        """Detach the match when it is over or closed."""
        self._match, self.is_referee_called = None, False
        self._update_lights()

    def call_referee(self, called: bool) -> None:
        """Call the referee, or settle the call."""
        if called != self.is_referee_called:
            self.is_referee_called = called
            log.info("the referee is called" if called else "the referee's call is settled")
            self._update_lights(Moment.REFEREE if called else None)

    def flash_refusal(self) -> None:
        """Signal by light and sound that a press has no effect."""
        self._update_lights(Moment.REFUSED)

    def poll(self) -> list[ButtonPress | DeviceNotice]:
        """Return the inputs since the last call. Forwards tray motion to the reader."""
        now = self._monotonic()
        news = self.devices.poll()
        if self._match is not None:
            self._match.update(now)
        inputs: list[ButtonPress | DeviceNotice] = []
        for item in news:
            if isinstance(item, PanelPress):
                inputs += self._on_press(item)
            elif isinstance(item, Link):
                inputs += self._on_link_change(item)
            else:
                self._motion_hint.update(item, now)
        if self._match is not None:
            self._match.on_motion(self._motion_hint.is_moving(now))
        self._update_lights()
        return inputs

    # Inputs

    def _on_press(self, press: PanelPress) -> list[ButtonPress | DeviceNotice]:
        before, self._last_press_at[press.role] = self._last_press_at.get(press.role), press.at
        if before is not None and 0 <= press.at - before < DEBOUNCE_S:
            return []
        if self._tester is not None:
            self._tester(press.role, press.source, press.is_long)
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
        """Report that a device was lost or is back."""
        if link.source is PressSource.TRAY and not link.online:
            self._motion_hint.reset()
        message = self.devices.connection_message(link)
        return [DeviceNotice(message)] if message is not None else []

    # Outputs

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
            self.devices.show(Show(LightScene.REST, moment=moment, sound=self.sound()))
            return
        self.devices.show(replace(panel.light_show(match.status(self.is_referee_called), self.sound()), moment=moment))


class _AttachedMatch:
    """A match as seen by the devices: the history of visible states, and the events already shown by lights."""

    def __init__(self, session: Session, order: SideOrder) -> None:
        self.session, self._order = session, order
        self._visible_states: deque[_TimedState] = deque(maxlen=MAX_VISIBLE_STATES)
        self._shown_events = panel.ShownEvents([entry.fields for entry in session.ledger.events])
        reader = session.dice.reader
        self._motion_listener: MotionListener | None = reader if isinstance(reader, MotionListener) else None
        self._is_rolling: bool | None = None
        self._last_status = self.status(False)

    def update(self, now: float) -> None:
        """Record the visible state if it changed."""
        session = self.session
        visible = VisibleState(session.people_decision(), self._order(), session.dice.question, self._is_finished)
        if self._visible_states:
            last_state = self._visible_states[-1]
            if last_state.sequence == session.sequence and _is_same_view(last_state.visible, visible):
                return
        self._visible_states.append(_TimedState(now, session.sequence, visible))

    def visible_at(self, at: float) -> _TimedState | None:
        """Return the state visible at a time; None for a time before the oldest known state."""
        return next((state for state in reversed(self._visible_states) if state.since <= at), None)

    def on_motion(self, is_rolling: bool | None) -> None:
        """Report dice motion to the reader; None if no sensor knows."""
        if is_rolling != self._is_rolling:
            self._is_rolling = is_rolling
            if self._motion_listener is not None:
                self._motion_listener.on_motion(is_rolling)

    def moment(self, news: News) -> Moment | None:
        """Return the one-shot effect for the news, if any. Stores the status for the next comparison."""
        status_before, self._last_status = self._last_status, self.status(False)
        events = self.session.ledger.events
        if news.kind is NewsKind.CORRECT:
            self._shown_events.replace_all([entry.fields for entry in events])
        if news.kind is not NewsKind.EVENT or not self._shown_events.add_if_new(len(events) - 1, news.fields):
            return None
        return panel.moment_of(status_before, self._last_status, news.fields, news.outcome or {})

    def status(self, is_referee_called: bool) -> panel.MatchStatus:
        """Return the match status for the lights."""
        session, scene = self.session, self.session.scene()
        board: Board = scene.board
        camera = session.dice.camera
        return panel.MatchStatus(
            sides=self._order(),
            decision=session.people_decision(),
            score={side.side: points for side, points in zip(scene.sides, board.score, strict=True)},
            is_finished=self._is_finished,
            winner=winner_of(session.game, session.state) if self._is_finished else None,
            has_question=session.dice.question is not None,
            is_camera_lost=camera is not None and not camera.sees,
            is_rolling=self._is_rolling is True,
            can_undo=session.ledger.newest is not None,
            is_referee_called=is_referee_called,
        )

    @property
    def _is_finished(self) -> bool:
        return self.session.game.finished(self.session.state)


def _is_same_view(one: VisibleState, other: VisibleState) -> bool:
    """True if two views of the same state show the same prompt and layout."""
    side_orders = [tuple(side.side for side in seen.sides) for seen in (one, other)]
    return one.question is other.question and side_orders[0] == side_orders[1]
