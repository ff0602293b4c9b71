"""The persons who play: chosen in the preparation, their records, the page of a person and of a club, an erasure."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

from companion.app.people import profiles_of
from companion.games.registry import GAMES
from companion.table.autoplay import play
from companion.table.profiles import PLAYED_BY, Profile
from tests.app.evening import SceneContext
from tests.screens import stage
from tests.screens.scenes_legs import choose_clubs, home

PEOPLE = (
    Profile("person", "a", "Anna", "violet", "crown"),
    Profile("person", "b", "Bérénice-Élisabeth de La Tour d’Auvergne", "white", "anchor"),
    Profile("person", "c", "Спортивный клуб «Днепровские жемчужины»", "lime", "leaf"),
    Profile("person", "d", "Zoé", "orange"),
)
SEEDS = (3, 5)


def keep_people(app: Any) -> None:
    """Store persons, and finished matches of all games between the first two."""
    for person in PEOPLE:
        profiles_of(app).save(person)
    for game in GAMES:
        for seed in SEEDS:
            header, *events = play(GAMES[game], Random(seed))
            sides = zip(header["sides"], PEOPLE[: 1 + (seed == SEEDS[0])], strict=False)
            header[PLAYED_BY] = {side: {"id": person.id, "name": person.name} for side, person in sides}
            app.matches.store.create(header, events, ended=True)


async def open_seat(evening: SceneContext, place: int = 0) -> None:
    """Open the list of who may play a side."""
    table = evening.table
    seats = [tap for tap in table.taps() if evening.translate("app.opponents.who") in tap.spoken_name()]
    seats.sort(key=lambda tap: (tap.to_window(*tap.center)[0], -tap.to_window(*tap.center)[1]))
    await table.tap_widget(seats[place])
    await table.frames(6)


async def choose_person(evening: SceneContext, name: str, place: int = 0) -> None:
    """Choose a person for a side, in two taps."""
    await open_seat(evening, place)
    await evening.table.tap(name)
    await evening.table.frames(6)


async def preparing(evening: SceneContext) -> None:
    """A new person by name, then persons who played before, in every preparation; names of sides used before."""
    table, tap, capture = evening.table, evening.tap, evening.capture
    await home(evening)
    await tap("app.home.new")
    await tap("app.game.hoops21")
    await open_seat(evening)
    await tap("app.opponents.new_person")
    table.type_over("Léa")
    await capture("03-person-named")
    await tap("app.done")
    await table.frames(6)
    assert [person.name for person in profiles_of(table.app).all("person")] == ["Léa"]
    await capture("03-person-new")
    keep_people(table.app)
    for game in ("hoops21", "occasion", "nba"):
        await home(evening)
        await tap("app.home.new")
        await tap(f"app.game.{game}")
        await choose_person(evening, PEOPLE[1].name)
        await capture(f"03-person-{game}")
    await open_seat(evening)
    await capture("03-person-list")
    await home(evening)
    table.app.open("clubs")
    await table.frames(4)
    await choose_clubs(evening)
    await choose_person(evening, PEOPLE[0].name)
    await capture("03-person-footclub")
    await known_names(evening)


async def known_names(evening: SceneContext) -> None:
    """The names of sides that were used before, offered under the field."""
    table, tap = evening.table, evening.tap
    header, *_ = play(GAMES["hoops21"], Random(1))
    for side, name in zip(header["sides"].values(), stage.LONG_NAMES, strict=True):
        side["name"] = name
    table.app.matches.store.create(header)
    await home(evening)
    await tap("app.home.new")
    await tap("app.game.hoops21")
    await tap("app.prepare.rename", name=evening.translate("app.hoops21.prepare.usual.orange"))
    await table.frames(10)
    await evening.capture("03-names-known")
    await table.tap(stage.LONG_NAMES[1])
    await table.frames(6)
    assert stage.LONG_NAMES[1] in table.texts()
    await home(evening)


SCENES: dict[str, Callable[[SceneContext], Awaitable[None]]] = {"people_prepare": preparing}
