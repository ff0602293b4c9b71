"""A fake hub link with scripted snapshots, and a sample tournament for the screens."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from msgspec import structs

from companion.games.base import Message
from companion.games.registry import SPECS
from companion.messages.wire import ComingMatch, Dispute, DisputeReason, StandingRow, StandingTable
from companion.table.hub_port import HubSnapshot, LinkState, Side, Signer, TableMatch
from companion.tournament.headers import MARK
from companion.tournament.match_choices import CHOICES, match_rows

NAMES = ("Phare FC", "Valcendre", "Hirondelles", "Port-Mélian", "AS Quai Nord", "Huppes 08", "Sablières",
         "Étoile du Gué")  # fmt: skip
LONG = ("Association sportive de Saint-Symphorien", "Olympique de Villefranche-de-Rouergue")
_FIGURES = ((4, 1, 0, 12, 3, 13), (4, 0, 1, 11, 5, 12), (3, 1, 1, 9, 5, 10), (3, 0, 2, 7, 5, 9), (2, 1, 2, 6, 6, 7),
            (1, 1, 3, 5, 10, 4), (1, 0, 4, 4, 11, 3), (0, 0, 5, 2, 11, 0))  # fmt: skip


class StagedHub:
    """Records every call; `see` sets the hub's data."""

    def __init__(self, snapshot: HubSnapshot | None = None) -> None:
        self.now = snapshot or HubSnapshot()
        self.calls: list[tuple[Any, ...]] = []

    def see(self, **changes: Any) -> None:
        """Change the data received from the hub."""
        self.now = replace(self.now, **changes)

    def see_match(self, **changes: Any) -> None:
        """Change the hub's data about this table's match."""
        assert self.now.match is not None
        self.see(match=structs.replace(self.now.match, **changes))

    def snapshot(self) -> HubSnapshot:
        return self.now

    def join(self, address: str, token: str) -> Message | None:
        self.calls.append(("join", address, token))
        if not token.startswith("T"):
            return Message("common.literal", {"text": "no token"})
        self.see(link=LinkState(joined=True))
        return None

    def leave(self) -> None:
        self.calls.append(("leave",))
        self.now = HubSnapshot()

    def notify_appended(self) -> None:
        self.calls.append(("grew",))

    def check_in(self, match: str, side: Side, present: bool) -> None:
        self.calls.append(("check_in", match, side, present))
        if self.now.match is not None:
            self.see_match(present=self.now.match.present - {side} | ({side} if present else set()))

    def confirm(self, match: str, journal: str, line: int, by: Signer, given: bool = True) -> None:
        self.calls.append(("confirm", match, journal, line, by, given))
        if self.now.match is not None:
            self.see_match(confirmed=self.now.match.confirmed - {by} | ({by} if given else set()))

    def dispute(self, match: str, journal: str, line: int, by: Side, why: DisputeReason | None) -> None:
        self.calls.append(("dispute", match, journal, line, by, why))
        if self.now.match is not None:
            found = None if why is None else Dispute(seq=line, by=by, why=why, journal=journal)
            self.see_match(confirmed=self.now.match.confirmed - {by}, dispute=found)

    def close(self) -> None:
        self.calls.append(("close",))


def at(hour: int, minute: int) -> datetime:
    """Return a time of today."""
    return datetime.now(UTC).astimezone().replace(hour=hour, minute=minute, second=0, microsecond=0)


def seconds(time: str) -> int:
    """Return a time of today (`15:40`) in seconds since 1970."""
    return int(at(int(time[:2]), int(time[3:])).timestamp())


def title(text: str) -> Message:
    """Return the name of a round or group, unchanged."""
    return Message("common.literal", {"text": text})


FIXED: dict[str, dict[str, Any]] = {"hoops21": {"target": 15}, "occasion": {"goals": 5}, "nba": {"duration": "short"}}
"""What the organiser has chosen besides the usual values, by game."""


def match(
    home: str = "Valcendre", away: str = "Port-Mélian", game: str = "footclub", id: str = "s1-r6-1", **more: Any
) -> TableMatch:
    """Return a match called to table 3."""
    sides = SPECS[game].home_sides
    setup = {"home": "blue", "format": "league"} if game == "footclub" else {}
    header = {
        "sides": {side: {"name": name} for side, name in zip(sides, (home, away), strict=True)},
        "setup": setup,
        MARK: {MARK: "cup", "match": id},
        CHOICES: {row.id: row.usual for row in match_rows(game)} | FIXED.get(game, {}),
    }
    names = {"home": home, "away": away, "home_side": sides[0], "away_side": sides[1]}
    fields: dict[str, Any] = {"title": title("poule A, journée 6 sur 7"), "called": seconds("15:40"), **names, **more}
    return TableMatch(tournament="cup", match=id, game=game, header=header, **fields)


def table(names: tuple[str, ...] = NAMES, name: str = "Poule A", advance: int = 4) -> StandingTable:
    """Return standings without ties."""
    rows = [
        StandingRow(place + 1, f"e{place}", who, 5, *_FIGURES[place % len(_FIGURES)]) for place, who in enumerate(names)
    ]
    return StandingTable(title(name), tuple(rows), advance)


def coming() -> tuple[ComingMatch, ...]:
    """Return the next matches; the sides of the last one are unknown."""
    pairs = (("15:40", 1, "Phare FC", "Huppes 08"), ("15:40", 2, "Hirondelles", "Sablières"),
             ("16:25", 3, "AS Quai Nord", "Étoile du Gué"), ("17:10", 1, "", ""), ("17:10", 2, "", ""))  # fmt: skip
    return tuple(
        ComingMatch(f"s{number}", home, away, title("Demi-finale 1"), place, seconds(when))
        for number, (when, place, home, away) in enumerate(pairs)
    )


def cup(**changes: Any) -> HubSnapshot:
    """Return a snapshot with eight clubs and a match called to this table."""
    snapshot = HubSnapshot(
        link=LinkState(joined=True, online=True, since=at(9, 2)),
        tournament="Coupe des Baies",
        table=3,
        match=match(present=frozenset({"home"})),
        standings=(table(),),
        coming=coming(),
        reported_at=at(15, 32),
        address="https://hub.local:8443/",
        pages={"s1-r6-1": "https://hub.local:8443/match/s1-r6-1"},
    )
    return replace(snapshot, **changes)
