"""The referee's PIN goes from the desk to a table over the real link, and is gone when it is taken back or left."""

from __future__ import annotations

from pathlib import Path

from argon2 import PasswordHasher

from tests.link.hall import TableSeat, TournamentHall, expect, real_link


def test_the_referees_pin_reaches_a_table_and_is_taken_back(tmp_path: Path) -> None:
    (tmp_path / "hub").mkdir()
    (tmp_path / "t1").mkdir()
    hall = TournamentHall(tmp_path / "hub")
    seat = TableSeat(tmp_path / "t1", real_link)
    try:
        assert seat.port.join(hall.address(1), hall.table_tokens.token("t1")) is None
        expect(lambda: seat.port.snapshot().table == 1, "the table's state")
        assert seat.port.snapshot().referee_pin is None
        hall.core.tables.set_referee_pin("2580")
        expect(lambda: seat.port.snapshot().referee_pin is not None, "the PIN")
        assert PasswordHasher().verify(seat.port.snapshot().referee_pin or "", "2580")
        hall.core.tables.set_referee_pin(None)
        expect(lambda: seat.port.snapshot().referee_pin is None, "no PIN")
        hall.core.tables.set_referee_pin("1470")
        expect(lambda: seat.port.snapshot().referee_pin is not None, "the new PIN")
        seat.port.leave()
        assert seat.port.snapshot().referee_pin is None
    finally:
        seat.switch_off()
        hall.close()
