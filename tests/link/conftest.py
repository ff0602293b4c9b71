"""A hall with tables, closed at the end whatever happened."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.link.hall import Hall, Seat, expect, real_link


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    """One with three tables and six who play."""
    (tmp_path / "hub").mkdir()
    made = Hall(tmp_path / "hub", 3, ("Ada", "Blaise", "Carl", "Dora", "Emil", "Fanny"))
    yield made
    made.close()


@pytest.fixture
def sit(tmp_path: Path, hall: Hall) -> Iterator[Callable[..., Seat]]:
    """Opens a table of the hall that has joined and has its match; `folder` and `token` where they are not its own."""
    seats: list[Seat] = []

    def opened(number: int = 1, folder: str | None = None, token: str | None = None) -> Seat:
        seat = Seat(tmp_path / (folder or f"t{number}"), real_link)
        seats.append(seat)
        if not seat.port.snapshot().link.joined:
            assert seat.port.join(hall.address(number), token or hall.door.token(f"t{number}")) is None
        expect(lambda: seat.port.snapshot().match is not None, "a match for the table", hall.organise)
        return seat

    yield opened
    for seat in seats:
        seat.switch_off()
