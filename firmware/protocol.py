"""The tray's protocol: numbered messages over frames, sent until acknowledged; the same file on both ends.

It runs unchanged under CPython on the host and under MicroPython on the microcontroller, and knows no port: bytes go
in, bytes come out, and the time (milliseconds of a steady clock) is handed in. Each frame (`framing`) holds one list
(`cbor`), its first item telling what it is:

    HELLO  [0, version, own boot, peer's boot or 0, oldest message not acknowledged, who I am]
    DATA   [1, link, number, ack, mask, age in ms, message]
    ACK    [2, link, ack, mask]
    WORD   [3, text]

A boot is a number that no other start of a device has; the two of a link, xor-ed, are on every DATA and ACK, so that a
frame of an earlier start is never taken for one of this. `ack` is the number up to which all messages have come, bit i
of `mask` says that ack + 2 + i has come too. HELLO up to its version, and WORD, are the same in every version.
"""

from firmware.cbor import Malformed, decode, encode
from firmware.framing import MOST_BODY, Framer, frame

VERSION = 1
"""Of the frames and messages; both ends must have the same."""

WINDOW = 8
"""Messages on their way at the same time."""
ROOM = 32
"""Messages kept until they are acknowledged."""
HEARTBEAT = 1000
"""Milliseconds after which an end with nothing to say tells that it is there."""
SILENCE = 3500
"""Milliseconds without a frame after which the other end is no more thought to be there."""
GREETING = 250
"""Milliseconds between two greetings of an end that looks for the other."""
ANSWERING = 50
"""Milliseconds at least between two greetings that answer one."""
LEAST_PATIENCE, FIRST_PATIENCE, MOST_PATIENCE = 40, 200, 2000
"""Milliseconds to wait for an acknowledgement before sending anew; measured once messages have come through."""
MOST_MESSAGE = MOST_BODY - 40

HELLO, DATA, ACK, WORD = 0, 1, 2, 3

REPL = "repl"
"""The word by which the firmware gives its port back to MicroPython's prompt."""

# What messages say, the first item of each. The tray's:
PRESS = "press"  # index of the button in the greeting, held?
MOVING = "moving"  # on?
LID = "lid"  # open?
MISSED = "missed"  # how many messages found no room
FAULT = "fault"  # a sentence for the diagnostic
# The host's:
SHOW = "show"  # scene, reading?, [left, right] or None, six bytes of the two colours, moment or None


class _Kept:
    """A message on its way: kept until it is acknowledged."""

    def __init__(self, number: int, at: int, raw: bytes) -> None:
        self.number = number
        self.at = at
        self.raw = raw
        self.sent = -1  # when, -1 for one that is to be sent
        self.stamp = 0  # which sending of all it was
        self.times = 0
        self.there = False  # it has come, though one before it has not


class _Outgoing:
    """The messages of this end: numbered, sent and sent anew until the other end has them."""

    def __init__(self) -> None:
        self.queue: list[_Kept] = []
        self._next = 1
        self._stamp = 0
        self._patience = FIRST_PATIENCE
        self._round_trip = 0

    def offer(self, raw: bytes, at: int) -> bool:
        if len(self.queue) >= ROOM:
            return False
        self.queue.append(_Kept(self._next, at, raw))
        self._next += 1
        return True

    def oldest(self) -> int:
        """The number of the oldest message not acknowledged, or of the next one."""
        return self.queue[0].number if self.queue else self._next

    def send_anew(self) -> None:
        for kept in self.queue:
            kept.sent, kept.times, kept.there = -1, 0, False

    def due(self, now: int) -> list[_Kept]:
        """What is to be sent now, noted as sent."""
        found = []
        for kept in self.queue[:WINDOW]:
            if not kept.there and (kept.sent < 0 or now - kept.sent >= self._patience << min(kept.times - 1, 4)):
                self._stamp += 1
                kept.sent, kept.stamp, kept.times = now, self._stamp, kept.times + 1
                found.append(kept)
        return found

    def acknowledged(self, ack: int, mask: int, now: int) -> None:
        newest = 0
        for kept in self.queue[:WINDOW]:
            beyond = kept.number - ack - 2
            come = kept.number <= ack or (beyond >= 0 and mask >> beyond & 1 == 1)
            if come and not kept.there and kept.sent >= 0:
                kept.there = True
                newest = max(newest, kept.stamp)
                if kept.times == 1:
                    self._measure(now - kept.sent)
        while self.queue and self.queue[0].number <= ack and self.queue[0].there:
            del self.queue[0]
        for kept in self.queue[:WINDOW]:
            if kept.stamp < newest and not kept.there:
                kept.sent = -1  # a later one came through: this one was lost on the way

    def _measure(self, took: int) -> None:
        self._round_trip = (7 * self._round_trip + took) // 8 if self._round_trip else took
        self._patience = min(MOST_PATIENCE, max(LEAST_PATIENCE, 2 * self._round_trip + 20))


class _Incoming:
    """The messages of the other end: handed out once each and in order, those that come early kept until then."""

    def __init__(self, oldest: int = 1) -> None:
        self.awaited = oldest
        self._early: dict[int, tuple[object, int]] = {}

    def mask(self) -> int:
        """Which messages after the awaited one have come."""
        mask = 0
        for number in self._early:
            mask |= 1 << (number - self.awaited - 1)
        return mask

    def skip_to(self, oldest: int, messages: list[tuple[object, int]]) -> None:
        """What lies before was acknowledged by an earlier start of this end, and will not come again."""
        if oldest > self.awaited:
            self.awaited = oldest
            self._early = {number: early for number, early in self._early.items() if number >= oldest}
            self._hand_out(messages)

    def keep(self, number: int, message: object, at: int, messages: list[tuple[object, int]]) -> None:
        if self.awaited < number < self.awaited + WINDOW:
            self._early[number] = (message, at)
        elif number == self.awaited:
            messages.append((message, at))
            self.awaited += 1
            self._hand_out(messages)

    def _hand_out(self, messages: list[tuple[object, int]]) -> None:
        while self.awaited in self._early:
            messages.append(self._early.pop(self.awaited))
            self.awaited += 1


class Link:
    """One end of the link: what to send is offered, what came is handed out once each and in order.

    `boot` tells this start from all others (1 to 2**53); `about` is who this end is, handed over in the greeting. An
    end that `greets` looks for the other one by itself; the other answers only, and is silent where nobody listens.
    """

    def __init__(self, boot: int, about: dict[str, object], greets: bool = False) -> None:
        self._boot = boot
        self._about = about
        self._greets = greets
        self._framer = Framer()
        self._outgoing = _Outgoing()
        self._incoming = _Incoming()
        self._greeting = greets
        self._greeted = -GREETING
        self._acknowledge = False
        self._spoken = 0
        self._heard = 0
        self.peer = 0
        """The other end's boot; 0 before the first greeting."""
        self.peer_about: dict[str, object] = {}
        self.peer_version = 0
        """Of the last greeting; 0 before it."""
        self.linked = False
        """Whether both ends know each other and the other one was heard of late."""
        self.starts = 0
        """How many starts of the other end were greeted; a change says that it knows nothing of before."""
        self.greetings = 0
        """How many greetings came: after one, the other end may want to know how things are."""
        self.words: list[str] = []
        """What the other end said beside the messages; whoever reads it clears it."""
        self.strange = 0
        """Frames that were whole and yet none of this version's."""

    @property
    def bad(self) -> int:
        """Pieces of noise between frames."""
        return self._framer.bad

    @property
    def waiting(self) -> int:
        """Messages not acknowledged yet."""
        return len(self._outgoing.queue)

    def offer(self, message: object, at: int) -> bool:
        """Takes a message to be sent, of what happened at `at`; False when there is no room. ValueError: no CBOR."""
        raw = encode(message)
        if len(raw) > MOST_MESSAGE:
            raise ValueError("message too long")
        return self._outgoing.offer(raw, at)

    def forget(self) -> None:
        """Drops what is not acknowledged: for messages that mean nothing to the other end's new start."""
        self._outgoing.queue = []

    def reopened(self) -> None:
        """The line is a new one, or was closed for a while: greets again, and sends what is not acknowledged."""
        self.linked = False
        self._greeting = self._greets
        self._outgoing.send_anew()

    def feed(self, data: bytes, now: int) -> list[tuple[object, int]]:
        """Takes bytes of the line; the messages that are complete now, each with when it happened. Never raises."""
        messages: list[tuple[object, int]] = []
        for body in self._framer.feed(data):
            try:
                parts = decode(body)
                if not isinstance(parts, list) or not parts:
                    raise Malformed("no list")
                self._received(parts, now, messages)
            except Malformed:
                self.strange += 1
        return messages

    def due(self, now: int) -> bytes:
        """The bytes to send now, if any. Asked at least every few tens of milliseconds while messages are waiting."""
        out = bytearray()
        if self.linked and now - self._heard > SILENCE:
            self.linked = False
        looking = self._greets and not self.linked
        if (self._greeting and now - self._greeted >= ANSWERING) or (looking and now - self._greeted >= GREETING):
            out.extend(self._hello(now))
        if self.linked:
            for kept in self._outgoing.due(now):
                out.extend(self._data(kept, now))
            if self._acknowledge or now - self._spoken >= HEARTBEAT:
                out.extend(
                    frame(encode([ACK, self._boot ^ self.peer, self._incoming.awaited - 1, self._incoming.mask()]))
                )
                self._said(now)
        return bytes(out)

    def _hello(self, now: int) -> bytes:
        self._greeting = False
        self._greeted = now
        return frame(encode([HELLO, VERSION, self._boot, self.peer, self._outgoing.oldest(), self._about]))

    def _data(self, kept: _Kept, now: int) -> bytes:
        ack, mask, age = self._incoming.awaited - 1, self._incoming.mask(), max(0, now - kept.at)
        head = encode([DATA, self._boot ^ self.peer, kept.number, ack, mask, age])
        self._said(now)
        return frame(bytes([head[0] + 1]) + head[1:] + kept.raw)  # one item more: the message as it was encoded

    def _said(self, now: int) -> None:
        self._acknowledge = False
        self._spoken = now

    def _received(self, parts: list[object], now: int, messages: list[tuple[object, int]]) -> None:
        kind = parts[0]
        if kind == HELLO:
            self._greeted_by(parts, now, messages)
        elif kind == WORD and len(parts) == 2 and isinstance(parts[1], str):
            self.words.append(parts[1])
            del self.words[:-4]
        elif kind in (DATA, ACK):
            link, numbers = _numbers(parts[1:2]), _numbers(parts[2:4] if kind == ACK else parts[2:6])
            if len(parts) != (4 if kind == ACK else 7):
                raise Malformed("not as long as it should be")
            if not self.peer or link[0] != self._boot ^ self.peer:
                self._greeting = True  # of a start that this end, or the other, knows nothing of
                return
            self._heard, self.linked = now, True
            if kind == DATA:
                self._acknowledge = True
                self._incoming.keep(numbers[0], parts[6], now - numbers[3], messages)
                numbers = numbers[1:]
            if self._outgoing.queue and numbers[0] < self._outgoing.oldest() - 1:
                self._greeting = True  # it waits for what nobody has any more
            self._outgoing.acknowledged(numbers[0], numbers[1], now)
        else:
            raise Malformed("no frame of ours")

    def _greeted_by(self, parts: list[object], now: int, messages: list[tuple[object, int]]) -> None:
        self.peer_version = _numbers(parts[1:2])[0]
        if self.peer_version != VERSION:
            self.peer, self.linked = 0, False
            self._greeting = not self._greets  # so that the end that looks for the other learns it too
            return
        boot, knows, oldest = _numbers(parts[2:5])
        about = parts[5] if len(parts) == 6 else None
        if boot == 0 or oldest == 0 or not isinstance(about, dict):
            raise Malformed("no greeting")
        if boot != self.peer:
            self.peer, self.peer_about = boot, about
            self.starts += 1
            self._incoming = _Incoming(oldest)
            self._outgoing.send_anew()
        self._incoming.skip_to(oldest, messages)
        self._heard, self.linked, self._acknowledge = now, True, True
        self.greetings += 1
        if knows != self._boot:
            self._greeting = True


def word(text: str) -> bytes:
    """A frame that says one word to whatever version is at the other end."""
    return frame(encode([WORD, text]))


def _numbers(parts: list[object]) -> list[int]:
    numbers = [part for part in parts if isinstance(part, int) and part >= 0]
    if len(numbers) != len(parts) or not numbers:
        raise Malformed("no number where one should be")
    return numbers
