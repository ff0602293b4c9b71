"""A noisy serial line that flips, drops, repeats and inserts bytes, and sometimes a whole run of them."""

from __future__ import annotations

from random import Random


class Noise:
    """Corrupts the passing data: of a thousand bytes, about `rate` get each of the four errors."""

    def __init__(self, seed: int, rate: float = 1.0) -> None:
        self._random = Random(seed)
        self._rate = rate / 1000
        self.spoilt = {"flipped": 0, "dropped": 0, "repeated": 0, "inserted": 0}

    def passed(self, data: bytes) -> bytes:
        """Return the corrupted `data`."""
        out = bytearray()
        for at, byte in enumerate(data):
            chance = self._random.random()
            if chance >= 4 * self._rate:
                out.append(byte)
            elif chance < self._rate:
                self.spoilt["flipped"] += 1
                out.append(byte ^ 1 << self._random.randrange(8))
            elif chance < 2 * self._rate:
                self.spoilt["dropped"] += 1
            elif chance < 3 * self._rate:
                self.spoilt["repeated"] += 1
                length = self._random.choice((1, 1, 1, 8, 40))
                out.append(byte)
                out.extend(data[max(0, at + 1 - length) : at + 1])
            else:
                self.spoilt["inserted"] += 1
                out.append(byte)
                out.extend(self._random.randbytes(self._random.choice((1, 1, 3, 60))))
        return bytes(out)
