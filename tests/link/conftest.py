"""Fixtures: a hall with tables, always closed at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.link.hall import TableSeat, TournamentHall, expect, real_link


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[TournamentHall]:
    """Start a hall with three tables and six entries."""
    (tmp_path / "hub").mkdir()
    made = TournamentHall(tmp_path / "hub", 3, ("Ada", "Blaise", "Carl", "Dora", "Emil", "Fanny"))
    yield made
    made.close()


@pytest.fixture
def sit(tmp_path: Path, hall: TournamentHall) -> Iterator[Callable[..., TableSeat]]:
    """Open a table that has joined and has its match; `folder` and `token` override its own."""
    seats: list[TableSeat] = []

    def opened(number: int = 1, folder: str | None = None, token: str | None = None) -> TableSeat:
        seat = TableSeat(tmp_path / (folder or f"t{number}"), real_link)
        seats.append(seat)
        if not seat.port.snapshot().link.joined:
            assert seat.port.join(hall.address(number), token or hall.table_tokens.token(f"t{number}")) is None
        expect(lambda: seat.port.snapshot().match is not None, "a match for the table", hall.organise)
        return seat

    yield opened
    for seat in seats:
        seat.switch_off()
