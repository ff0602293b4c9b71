"""Board interface of the tray. The default implementation is a board without any parts."""


class Parts:
    """Base class of boards. A board overrides the parts that it has; missing parts do nothing."""

    def edges(self) -> list[tuple[int, bool, int]]:
        """Return the interrupts since the last call: button, whether it went down, time (ms since the start)."""
        return []

    def buttons(self) -> list[bool]:
        """Return whether each button is down now."""
        return []

    def piezo(self) -> int:
        """Return the piezo's level, 0 to 4095."""
        return 0

    def lid(self) -> bool:
        """Return True if the lid is open or a hand is in the tray."""
        return False

    def light(self, rgb: bytearray) -> None:
        """Send the colours of the ring and the edge, three bytes per light."""

    def digits(self, segments: bytes) -> None:
        """Show the segments of the eight digits."""

    def alive(self) -> None:
        """Feed the watchdog."""
