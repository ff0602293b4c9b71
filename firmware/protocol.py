"""The tray's protocol: numbered messages over frames, resent until acknowledged. Both ends use this file.

It runs unchanged under CPython on the host and MicroPython on the microcontroller, and is independent of any port:
bytes go in and out, and the caller passes the time (milliseconds of a monotonic clock). Each frame (`framing`) holds
one list (`cbor`), whose first item is its type:

    HELLO  [0, version, own boot, peer's boot or 0, oldest message not acknowledged, who I am]
    DATA   [1, link, number, ack, mask, age in ms, message]
    ACK    [2, link, ack, mask]
    WORD   [3, text]

- A boot is a number unique to one start of a device. `link` is the xor of both boots, in every DATA and ACK, so that
  frames of an earlier start are rejected.
- `ack` is the number up to which all messages have arrived. Bit i of `mask` says that ack + 2 + i has arrived too.
- HELLO up to its version, and WORD, are the same in every version.
"""

from firmware.cbor import Malformed, decode, encode
from firmware.framing import MAX_BODY, FrameDecoder, frame

VERSION = 1
"""Version of frames and messages. Both ends must have the same."""

WINDOW = 8
"""Maximum number of unacknowledged messages in transit."""
QUEUE_SIZE = 32
"""Maximum number of messages kept until they are acknowledged."""
HEARTBEAT = 1000
"""Milliseconds after which an idle end sends a sign of life."""
SILENCE = 3500
"""Milliseconds without a frame after which the peer counts as lost."""
GREETING = 250
"""Milliseconds between two greetings of an end that searches for its peer."""
ANSWER_INTERVAL = 50
"""Minimum milliseconds between two greetings in reply."""
MIN_RETRY_MS, FIRST_RETRY_MS, MAX_RETRY_MS = 40, 200, 2000
"""Resend timeouts in milliseconds: minimum, initial and maximum. Adapted to the measured round trip."""
MAX_MESSAGE = MAX_BODY - 40

HELLO, DATA, ACK, WORD = 0, 1, 2, 3

REPL = "repl"
"""The word that makes the firmware return its port to MicroPython's prompt."""

# Message types, the first item of each message. From the tray:
PRESS = "press"  # index of the button in the greeting, held?
MOVING = "moving"  # on?
LID = "lid"  # open?
MISSED = "missed"  # number of dropped messages
FAULT = "fault"  # a sentence for diagnostics
# From the host:
SHOW = "show"  # scene, reading?, [left, right] or None, six bytes of the two colours, moment or None


class _PendingMessage:
    """A message in transit, kept until it is acknowledged."""

    def __init__(self, number: int, at: int, raw: bytes) -> None:
        self.number = number
        self.at = at
        self.raw = raw
        self.sent = -1  # time of sending, -1 if not sent yet
        self.stamp = 0  # sequence number of this transmission
        self.attempts = 0
        self.is_received = False  # received, although an earlier message is missing


class _Outgoing:
    """Outgoing messages: numbered, sent, and resent until the peer has them."""

    def __init__(self) -> None:
        self.queue: list[_PendingMessage] = []
        self._next = 1
        self._stamp = 0
        self._patience = FIRST_RETRY_MS
        self._round_trip = 0

    def offer(self, raw: bytes, at: int) -> bool:
        if len(self.queue) >= QUEUE_SIZE:
            return False
        self.queue.append(_PendingMessage(self._next, at, raw))
        self._next += 1
        return True

    def oldest(self) -> int:
        """Return the number of the oldest unacknowledged message, or of the next one."""
        return self.queue[0].number if self.queue else self._next

    def resend_all(self) -> None:
        for kept in self.queue:
            kept.sent, kept.attempts, kept.is_received = -1, 0, False

    def due(self, now: int) -> list[_PendingMessage]:
        """Return the messages to send now, and mark them as sent."""
        found = []
        for kept in self.queue[:WINDOW]:
            if not kept.is_received and (
                kept.sent < 0 or now - kept.sent >= self._patience << min(kept.attempts - 1, 4)
            ):
                self._stamp += 1
                kept.sent, kept.stamp, kept.attempts = now, self._stamp, kept.attempts + 1
                found.append(kept)
        return found

    def acknowledged(self, ack: int, mask: int, now: int) -> None:
        newest = 0
        for kept in self.queue[:WINDOW]:
            beyond = kept.number - ack - 2
            come = kept.number <= ack or (beyond >= 0 and mask >> beyond & 1 == 1)
            if come and not kept.is_received and kept.sent >= 0:
                kept.is_received = True
                newest = max(newest, kept.stamp)
                if kept.attempts == 1:
                    self._measure(now - kept.sent)
        while self.queue and self.queue[0].number <= ack and self.queue[0].is_received:
            del self.queue[0]
        for kept in self.queue[:WINDOW]:
            if kept.stamp < newest and not kept.is_received:
                kept.sent = -1  # a later one arrived, so this one was lost

    def _measure(self, took: int) -> None:
        self._round_trip = (7 * self._round_trip + took) // 8 if self._round_trip else took
        self._patience = min(MAX_RETRY_MS, max(MIN_RETRY_MS, 2 * self._round_trip + 20))


class _Incoming:
    """Incoming messages: delivered once and in order. Early ones are buffered."""

    def __init__(self, oldest: int = 1) -> None:
        self.next_number = oldest
        self._early: dict[int, tuple[object, int]] = {}

    def mask(self) -> int:
        """Return which messages after the awaited one have arrived."""
        mask = 0
        for number in self._early:
            mask |= 1 << (number - self.next_number - 1)
        return mask

    def skip_to(self, oldest: int, messages: list[tuple[object, int]]) -> None:
        """Skip messages that an earlier start of this end acknowledged. They will not be sent again."""
        if oldest > self.next_number:
            self.next_number = oldest
            self._early = {number: early for number, early in self._early.items() if number >= oldest}
            self._hand_out(messages)

    def keep(self, number: int, message: object, at: int, messages: list[tuple[object, int]]) -> None:
        if self.next_number < number < self.next_number + WINDOW:
            self._early[number] = (message, at)
        elif number == self.next_number:
            messages.append((message, at))
            self.next_number += 1
            self._hand_out(messages)

    def _hand_out(self, messages: list[tuple[object, int]]) -> None:
        while self.next_number in self._early:
            messages.append(self._early.pop(self.next_number))
            self.next_number += 1


class SerialLink:
    """One end of the link. Messages to send are offered; received ones are delivered once and in order.

    - `boot`: a number unique to this start (1 to 2**53).
    - `about`: identification of this end, sent in the greeting.
    - `greets`: this end searches for its peer. The other end only answers, and is silent without a listener.
    """

    def __init__(self, boot: int, about: dict[str, object], greets: bool = False) -> None:
        self._boot = boot
        self._about = about
        self._greets = greets
        self._framer = FrameDecoder()
        self._outgoing = _Outgoing()
        self._incoming = _Incoming()
        self._greeting = greets
        self._greeted = -GREETING
        self._acknowledge = False
        self._sent_at = 0
        self._heard_at = 0
        self.peer_boot = 0
        """The peer's boot; 0 before the first greeting."""
        self.peer_about: dict[str, object] = {}
        self.peer_version = 0
        """Protocol version in the last greeting; 0 before it."""
        self.linked = False
        """True if both ends know each other and the peer was heard recently."""
        self.starts = 0
        """Number of peer starts. A change means that the peer has lost its state."""
        self.greetings = 0
        """Number of greetings received. After each one the peer may need the current state."""
        self.peer_words: list[str] = []
        """Words received outside of messages. The reader clears the list."""
        self.foreign_frames = 0
        """Number of valid frames that this version does not understand."""

    @property
    def bad(self) -> int:
        """Number of invalid pieces between frames."""
        return self._framer.bad

    @property
    def waiting(self) -> int:
        """Number of unacknowledged messages."""
        return len(self._outgoing.queue)

    def offer(self, message: object, at: int) -> bool:
        """Queue a message about an event at time `at`. Return False if the queue is full.

        Raises: ValueError if the message cannot be encoded.
        """
        raw = encode(message)
        if len(raw) > MAX_MESSAGE:
            raise ValueError("message too long")
        return self._outgoing.offer(raw, at)

    def drop_pending(self) -> None:
        """Drop unacknowledged messages, which have no meaning for a restarted peer."""
        self._outgoing.queue = []

    def reopened(self) -> None:
        """Handle a new or reopened line: greet again and resend unacknowledged messages."""
        self.linked = False
        self._greeting = self._greets
        self._outgoing.resend_all()

    def feed(self, data: bytes, now: int) -> list[tuple[object, int]]:
        """Process received bytes. Return the completed messages, each with the time of its event. Never raises."""
        messages: list[tuple[object, int]] = []
        for body in self._framer.feed(data):
            try:
                parts = decode(body)
                if not isinstance(parts, list) or not parts:
                    raise Malformed("no list")
                self._received(parts, now, messages)
            except Malformed:
                self.foreign_frames += 1
        return messages

    def due(self, now: int) -> bytes:
        """Return the bytes to send now.

        Must be called at least every few tens of milliseconds while messages are waiting.
        """
        out = bytearray()
        if self.linked and now - self._heard_at > SILENCE:
            self.linked = False
        looking = self._greets and not self.linked
        if (self._greeting and now - self._greeted >= ANSWER_INTERVAL) or (looking and now - self._greeted >= GREETING):
            out.extend(self._hello(now))
        if self.linked:
            for kept in self._outgoing.due(now):
                out.extend(self._data(kept, now))
            if self._acknowledge or now - self._sent_at >= HEARTBEAT:
                out.extend(
                    frame(
                        encode(
                            [ACK, self._boot ^ self.peer_boot, self._incoming.next_number - 1, self._incoming.mask()]
                        )
                    )
                )
                self._mark_sent(now)
        return bytes(out)

    def _hello(self, now: int) -> bytes:
        self._greeting = False
        self._greeted = now
        return frame(encode([HELLO, VERSION, self._boot, self.peer_boot, self._outgoing.oldest(), self._about]))

    def _data(self, kept: _PendingMessage, now: int) -> bytes:
        ack, mask, age = self._incoming.next_number - 1, self._incoming.mask(), max(0, now - kept.at)
        head = encode([DATA, self._boot ^ self.peer_boot, kept.number, ack, mask, age])
        self._mark_sent(now)
        return frame(bytes([head[0] + 1]) + head[1:] + kept.raw)  # one more item: the already encoded message

    def _mark_sent(self, now: int) -> None:
        self._acknowledge = False
        self._sent_at = now

    def _received(self, parts: list[object], now: int, messages: list[tuple[object, int]]) -> None:
        kind = parts[0]
        if kind == HELLO:
            self._greeted_by(parts, now, messages)
        elif kind == WORD and len(parts) == 2 and isinstance(parts[1], str):
            self.peer_words.append(parts[1])
            del self.peer_words[:-4]
        elif kind in (DATA, ACK):
            link, numbers = _parse_numbers(parts[1:2]), _parse_numbers(parts[2:4] if kind == ACK else parts[2:6])
            if len(parts) != (4 if kind == ACK else 7):
                raise Malformed("not as long as it should be")
            if not self.peer_boot or link[0] != self._boot ^ self.peer_boot:
                self._greeting = True  # of a start that one of the ends does not know
                return
            self._heard_at, self.linked = now, True
            if kind == DATA:
                self._acknowledge = True
                self._incoming.keep(numbers[0], parts[6], now - numbers[3], messages)
                numbers = numbers[1:]
            if self._outgoing.queue and numbers[0] < self._outgoing.oldest() - 1:
                self._greeting = True  # the peer waits for a message that no longer exists
            self._outgoing.acknowledged(numbers[0], numbers[1], now)
        else:
            raise Malformed("no frame of ours")

    def _greeted_by(self, parts: list[object], now: int, messages: list[tuple[object, int]]) -> None:
        self.peer_version = _parse_numbers(parts[1:2])[0]
        if self.peer_version != VERSION:
            self.peer_boot, self.linked = 0, False
            self._greeting = not self._greets  # so that the searching end learns it too
            return
        numbers = _parse_numbers(parts[2:5])
        if len(numbers) != 3:
            raise Malformed("no greeting")
        boot, knows, oldest = numbers
        about = parts[5] if len(parts) == 6 else None
        if boot == 0 or oldest == 0 or not isinstance(about, dict):
            raise Malformed("no greeting")
        if boot != self.peer_boot:
            self.peer_boot, self.peer_about = boot, about
            self.starts += 1
            self._incoming = _Incoming(oldest)
            self._outgoing.resend_all()
        self._incoming.skip_to(oldest, messages)
        self._heard_at, self.linked, self._acknowledge = now, True, True
        self.greetings += 1
        if knows != self._boot:
            self._greeting = True


def word(text: str) -> bytes:
    """Return a frame with one word, which any version understands."""
    return frame(encode([WORD, text]))


def _parse_numbers(parts: list[object]) -> list[int]:
    numbers = [part for part in parts if isinstance(part, int) and part >= 0]
    if len(numbers) != len(parts) or not numbers:
        raise Malformed("no number where one should be")
    return numbers
