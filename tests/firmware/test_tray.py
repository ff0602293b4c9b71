"""The tray program with scripted inputs and recorded lights, on a simulated clock."""

from __future__ import annotations

from firmware import digits, protocol, scenes, settings
from firmware.parts import Parts
from firmware.protocol import SerialLink
from firmware.scenes import LightRing
from firmware.tray import Tray, tray_info

SETTINGS = settings.read("{}")
RED, BLUE = (255, 0, 0), (0, 0, 255)
COLOURS = bytes(RED + BLUE)


class FakeBoard(Parts):
    """A board controlled by the test."""

    def __init__(self) -> None:
        self.down = [False, False]
        self.seen_by_interrupts: list[tuple[int, bool, int]] = []
        self.level = 10
        self.opened = False
        self.rgb: list[bytes] = []
        self.digit: list[bytes] = []

    def edges(self) -> list[tuple[int, bool, int]]:
        seen, self.seen_by_interrupts = self.seen_by_interrupts, []
        return seen

    def buttons(self) -> list[bool]:
        return list(self.down)

    def piezo(self) -> int:
        return self.level

    def lid(self) -> bool:
        return self.opened

    def light(self, rgb: bytearray) -> None:
        self.rgb.append(bytes(rgb))

    def digits(self, segments: bytes) -> None:
        self.digit.append(segments)


class TrayWithHost:
    """A tray and, after the greeting, its host."""

    def __init__(self, greeted: bool = True) -> None:
        self.board = FakeBoard()
        self.tray = Tray(self.board, SETTINGS, SerialLink(7, tray_info(SETTINGS, "1", "x")))
        self.host = SerialLink(9, {}, greets=True)
        self.now = 0
        self.plugged = greeted
        self.received: list[tuple[object, int]] = []
        self.pass_time(400)

    def pass_time(self, milliseconds: int) -> None:
        for _ in range(milliseconds // 4):
            self.now += 4
            to_tray = self.host.due(self.now) if self.plugged else b""
            to_host = self.tray.step(to_tray, self.now)
            if self.plugged:
                self.received += self.host.feed(to_host, self.now)

    def show(self, scene: str, reading: bool = False, score: object = None, moment: object = None) -> None:
        self.host.offer([protocol.SHOW, scene, reading, score, COLOURS, moment], self.now)
        self.pass_time(40)

    def of(self, kind: str) -> list[list[object]]:
        return [message[1:] for message, _ in self.received if isinstance(message, list) and message[0] == kind]


def picture(scene: str, reading: bool = False, since: int = 0) -> bytes:
    ring = LightRing(SETTINGS["ring"]["lights"], SETTINGS["ring"]["edge"], SETTINGS["ring"]["level"])
    ring.draw(scene, reading, (RED, BLUE), since)
    return bytes(ring.rgb)


def test_how_things_are_is_told_after_a_greeting_and_then_changes_only() -> None:
    evening = TrayWithHost()
    assert (evening.of(protocol.MOVING), evening.of(protocol.LID)) == ([[False]], [[False]])
    evening.board.opened = True
    evening.board.level = 900
    evening.pass_time(200)
    evening.board.level = 12
    evening.pass_time(1000)
    assert evening.of(protocol.MOVING) == [[False], [True], [False]]
    assert evening.of(protocol.LID) == [[False], [True]]
    evening.host.reopened()
    evening.pass_time(100)
    assert evening.of(protocol.LID) == [[False], [True], [True]]


def test_presses_are_kept_for_a_host_that_is_away_hints_are_not() -> None:
    evening = TrayWithHost(greeted=False)
    pressed = []
    for _ in range(5):
        pressed.append(evening.now + 4)
        evening.board.down[1], evening.board.opened = True, True
        evening.pass_time(100)
        evening.board.down[1], evening.board.opened = False, False
        evening.pass_time(100)
    evening.plugged = True
    evening.pass_time(1000)
    assert evening.of(protocol.PRESS) == [[1, False]] * 5
    assert [at for message, at in evening.received if message == [protocol.PRESS, 1, False]] == pressed
    assert evening.of(protocol.LID) == [[False]]


def test_presses_without_room_are_counted_and_the_count_is_told() -> None:
    evening = TrayWithHost(greeted=False)
    for number in range(protocol.QUEUE_SIZE + 5):
        at = evening.now
        evening.board.seen_by_interrupts = [(number % 2, True, at), (number % 2, False, at + 50)]
        evening.pass_time(100)
    evening.plugged = True
    evening.pass_time(2000)
    assert len(evening.of(protocol.PRESS)) == protocol.QUEUE_SIZE
    assert evening.of(protocol.MISSED) == [[5]]


def test_a_scene_a_score_and_a_moment_are_shown() -> None:
    evening = TrayWithHost()
    evening.show("left", score=[12, 3])
    assert evening.board.rgb[-1] == picture("left")
    assert evening.board.digit[-1] == digits.score_segments(12, 3)
    evening.show("left", score=[13, 3], moment="goal_left")
    assert evening.board.rgb[-1] != picture("left")
    evening.pass_time(scenes.MOMENTS["goal_left"] + 100)
    assert evening.board.rgb[-1] == picture("left")
    evening.show("right", reading=True)
    assert evening.board.rgb[-1] == picture("right", reading=True)
    assert evening.board.digit[-1] == digits.DARK


def test_dice_that_roll_end_a_moment() -> None:
    evening = TrayWithHost()
    evening.show("left", moment="foul")
    evening.board.level = 900
    evening.pass_time(20)
    assert evening.board.rgb[-1] == picture("left")


def test_what_stands_is_sent_anew_each_second_and_no_more() -> None:
    evening = TrayWithHost()
    evening.show("left")
    before = len(evening.board.rgb)
    evening.pass_time(10_000)
    assert len(evening.board.rgb) - before in (9, 10)
    assert len(evening.board.digit) == 1


def test_without_a_host_it_breathes_and_with_one_it_shows_what_it_was_told() -> None:
    evening = TrayWithHost()
    evening.show("both")
    evening.plugged = False
    evening.pass_time(protocol.SILENCE + 100)
    alone = evening.board.rgb[-1]
    assert alone != picture("both")
    evening.pass_time(1000)
    assert evening.board.rgb[-1] != alone, "it breathes"
    evening.plugged = True
    evening.pass_time(1000)
    assert evening.board.rgb[-1] == picture("both")


def test_messages_of_nonsense_are_told_and_forgotten() -> None:
    evening = TrayWithHost()
    for message in (
        ["dance"],
        17,
        [protocol.SHOW],
        [protocol.SHOW, {}, 3, "a", b"\1", ["goal"]],
        [protocol.SHOW, [], None, [1], 5, {}],
        [protocol.SHOW, "left", True, [2**70 % 2**60, -5], b"123456", 5],
    ):
        evening.host.offer(message, evening.now)
    evening.pass_time(500)
    assert evening.of(protocol.FAULT) == [["unknown message"]] * 3
    evening.show("both")
    assert evening.board.rgb[-1] == picture("both")


def test_the_prompt_is_asked_for_by_a_word() -> None:
    evening = TrayWithHost()
    assert not evening.tray.prompt_requested
    evening.tray.step(protocol.word(protocol.REPL), evening.now)
    assert evening.tray.prompt_requested


def test_the_greeting_of_the_fullest_tray_fits_a_frame() -> None:
    full = settings.read('{"buttons": {"confirm": 1, "undo": 2, "left": 3, "right": 4, "referee": 5}}')
    link = SerialLink(2**53 - 1, tray_info(full, "10.20.30-beta", "MicroPython v1.99.9-preview.1234 on 2030-12-31"))
    link.feed(protocol.word("x"), 0)
    host = SerialLink(2**53 - 3, {}, greets=True)
    link.feed(host.due(0), 0)
    host.feed(link.due(100), 100)
    assert host.peer_about["buttons"] == ["confirm", "undo", "left", "right", "referee"]
