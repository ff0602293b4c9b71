"""The link delivers every message once and in order over a noisy line, and distinguishes starts and versions."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from firmware import protocol
from firmware.framing import frame
from firmware.protocol import SerialLink, word
from tests.firmware.lines import Noise

HOST, TRAY = 77, 88


class NoisyConnection:
    """A host and a tray over a line that `noise` may corrupt, with a simulated clock."""

    def __init__(self, noise: Noise | None = None) -> None:
        self.host = SerialLink(HOST, {"name": "host"}, greets=True)
        self.tray = SerialLink(TRAY, {"name": "tray", "buttons": ["confirm"]})
        self.noise = noise
        self.now = 0
        self.at_host: list[tuple[object, int]] = []
        self.at_tray: list[tuple[object, int]] = []

    def pass_time(self, milliseconds: int = 3, cut: bool = False) -> None:
        self.now += milliseconds
        for one, other, heard in ((self.host, self.tray, self.at_tray), (self.tray, self.host, self.at_host)):
            sent = one.due(self.now)
            if not cut:
                heard += other.feed(self.noise.passed(sent) if self.noise else sent, self.now)

    def expect(self, done: object, limit: int = 200_000) -> None:
        assert callable(done)
        while not done():
            self.pass_time()
            assert self.now < limit, "the link stands still"


def linked() -> NoisyConnection:
    pair = NoisyConnection()
    pair.expect(lambda: pair.host.linked and pair.tray.linked)
    return pair


def numbers(heard: list[tuple[object, int]]) -> list[int]:
    return [message[1] for message, _ in heard if isinstance(message, list)]


def test_the_tray_says_nothing_before_it_is_greeted() -> None:
    tray = SerialLink(TRAY, {})
    assert tray.offer(["press", 0, False], 0)
    assert [tray.due(now) for now in range(0, 20_000, 100)] == [b""] * 200


def test_the_greeting_hands_over_who_the_tray_is() -> None:
    pair = linked()
    assert pair.host.peer_about == {"name": "tray", "buttons": ["confirm"]}
    assert (pair.host.peer_boot, pair.tray.peer_boot, pair.host.starts) == (TRAY, HOST, 1)


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([0.0, 1.0, 4.0, 12.0]))
def test_every_message_arrives_once_and_in_order(seed: int, rate: float) -> None:
    pair, sent = NoisyConnection(Noise(seed, rate)), {HOST: 0, TRAY: 0}
    while len(pair.at_host) < 120 or len(pair.at_tray) < 120:
        for end, link in ((HOST, pair.host), (TRAY, pair.tray)):
            while sent[end] < 120 and link.offer(["n", sent[end]], pair.now):
                sent[end] += 1
        pair.pass_time()
        assert pair.now < 200_000, "the link stands still"
    for _ in range(500):
        pair.pass_time()
    assert numbers(pair.at_host) == numbers(pair.at_tray) == list(range(120))


@settings(max_examples=30, deadline=None)
@given(st.lists(st.binary(max_size=80), max_size=20))
def test_any_bytes_do_no_harm(pieces: list[bytes]) -> None:
    pair = linked()
    for piece in pieces:
        assert pair.tray.feed(piece, pair.now) == []
        pair.pass_time()
    pair.host.offer(["n", 1], pair.now)
    pair.expect(lambda: numbers(pair.at_tray) == [1])


WHOLE = st.lists(
    st.integers(-3, 2**64 - 1) | st.sampled_from([0, 1, 2, 3, HOST ^ TRAY]) | st.text(max_size=3) | st.none(),
    max_size=8,
)  # fmt: skip


@settings(max_examples=50, deadline=None)
@given(st.lists(WHOLE, max_size=5))
def test_whole_frames_of_nonsense_never_raise(bodies: list[object]) -> None:
    link = linked().tray
    for now, body in enumerate(bodies, 1000):
        link.feed(frame(protocol.encode(body)), now)
        link.due(now)
    assert link.waiting == 0


def test_room_is_bounded_and_free_again_once_acknowledged() -> None:
    pair = linked()
    taken = sum(pair.tray.offer(["n", number], pair.now) for number in range(100))
    assert taken == protocol.QUEUE_SIZE
    pair.expect(lambda: pair.tray.waiting == 0)
    assert numbers(pair.at_host) == list(range(protocol.QUEUE_SIZE))
    assert pair.tray.offer(["n", 1], pair.now)


def test_a_message_tells_when_it_happened_however_late_it_comes() -> None:
    pair = linked()
    happened = pair.now
    pair.tray.offer(["n", 0], happened)
    for _ in range(30):
        pair.pass_time(100, cut=True)
    pair.expect(lambda: bool(pair.at_host))
    ((_, at),) = pair.at_host
    assert abs(at - happened) <= 3


def test_silence_is_noticed_on_both_sides_and_ends_by_itself() -> None:
    pair = linked()
    for _ in range(protocol.SILENCE // 100 + 2):
        pair.pass_time(100, cut=True)
    assert not pair.host.linked
    assert not pair.tray.linked
    pair.tray.offer(["n", 5], pair.now)
    pair.expect(lambda: numbers(pair.at_host) == [5], limit=pair.now + 1000)
    assert pair.host.starts == 1


def test_a_tray_that_starts_anew_is_a_new_one() -> None:
    pair = linked()
    pair.tray.offer(["n", 1], pair.now)
    pair.expect(lambda: numbers(pair.at_host) == [1])
    pair.tray = SerialLink(TRAY + 1, {"name": "again"})
    pair.tray.offer(["n", 2], pair.now)
    pair.expect(lambda: numbers(pair.at_host) == [1, 2])
    assert pair.host.starts == 2
    assert pair.host.peer_about == {"name": "again"}


def test_a_host_that_starts_anew_gets_what_nobody_acknowledged_and_only_that() -> None:
    pair = linked()
    pair.tray.offer(["n", 1], pair.now)
    pair.expect(lambda: numbers(pair.at_host) == [1] and pair.tray.waiting == 0)
    for number in (2, 3):
        pair.tray.offer(["n", number], pair.now)
    pair.pass_time(cut=True)
    pair.host, pair.at_host = SerialLink(HOST + 1, {}, greets=True), []
    pair.expect(lambda: len(pair.at_host) == 2)
    assert numbers(pair.at_host) == [2, 3]


def test_what_came_early_is_sent_again_to_a_host_that_starts_anew() -> None:
    """A host that has only a later message, without the first one, has not reported it."""
    pair = linked()
    for number in (1, 2):
        pair.tray.offer(["n", number], pair.now)
    pair.now += 1
    frames = pair.tray.due(pair.now).split(b"\0")
    assert pair.host.feed(b"\0" + [piece for piece in frames if piece][1] + b"\0", pair.now) == []
    pair.tray.feed(pair.host.due(pair.now), pair.now)
    pair.host, pair.at_host = SerialLink(HOST + 1, {}, greets=True), []
    pair.expect(lambda: numbers(pair.at_host) == [1, 2])


def test_another_version_is_told_apart_and_nothing_else_passes() -> None:
    pair = NoisyConnection()
    pair.tray.offer(["n", 1], 0)
    strange = protocol.encode([protocol.HELLO, protocol.VERSION + 1, "who", "knows", "what"])
    pair.tray.feed(frame(strange), 0)
    assert (pair.tray.peer_version, pair.tray.linked) == (protocol.VERSION + 1, False)
    answer = pair.tray.due(100)
    pair.host.feed(answer.replace(b"\0", b"\0\0"), 100)
    assert pair.host.peer_version == protocol.VERSION, "the answer says which version it is"
    assert [pair.tray.due(now) for now in range(200, 9000, 100)] == [b""] * 88


def test_a_word_passes_between_any_versions() -> None:
    tray = SerialLink(TRAY, {})
    tray.feed(b"noise" + word(protocol.REPL), 0)
    assert tray.peer_words == [protocol.REPL]


def test_a_queue_that_is_forgotten_leaves_no_gap() -> None:
    pair = linked()
    pair.host.offer(["n", 1], pair.now)
    pair.pass_time(cut=True)
    pair.host.drop_pending()
    pair.host.offer(["n", 2], pair.now)
    pair.expect(lambda: numbers(pair.at_tray) == [2])


def test_a_greeting_that_is_cut_off_is_no_greeting() -> None:
    """Fewer than three numbers once ended the thread of the tray."""
    for length in range(1, 6):
        host = SerialLink(HOST, {}, greets=True)
        hello = [protocol.HELLO, protocol.VERSION, TRAY, HOST, 1, {"name": "tray"}][:length]
        host.feed(frame(protocol.encode(hello)), 0)
        assert (host.linked, host.foreign_frames) == (False, 1)
