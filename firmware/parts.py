"""What the tray asks of its board; by itself a board on which nothing happens and nothing is seen."""


class Parts:
    """A board derives from it and has what it has: the other parts are as if they were not there."""

    def edges(self) -> list[tuple[int, bool, int]]:
        """What interrupts saw since the last call: button, whether it went down, when (ms since the start)."""
        return []

    def buttons(self) -> list[bool]:
        """Whether each button is down right now."""
        return []

    def piezo(self) -> int:
        """The piezo's level, 0 to 4095."""
        return 0

    def lid(self) -> bool:
        """Whether the lid is open or a hand is in the tray."""
        return False

    def light(self, rgb: bytearray) -> None:
        """Sends the ring and the edge their colours, three bytes a light."""

    def digits(self, segments: bytes) -> None:
        """Lights the segments of the eight digits."""

    def alive(self) -> None:
        """Tells the watchdog that all is well."""
