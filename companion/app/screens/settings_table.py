"""The settings of this very table: its camera and dice, its name, what it keeps on its disk."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

from kivy.clock import Clock

from companion.app.house import Eyes, OwnFaces
from companion.app.widgets.choosing import Entry, list_sheet
from companion.app.widgets.naming import naming_sheet
from companion.journal.database import StoreError

if TYPE_CHECKING:
    from companion.app.app import TapisVertApp
    from companion.app.screens.settings import SettingsPage

MEGABYTE = 1_000_000
ROOM = (500, 2000, 8000)
"""Megabytes that pictures may take."""
DAYS = (0, 30, 90, 365)
"""Days after which pictures go; 0: when the room is needed."""


def source_words(app: TapisVertApp, source: str) -> str:
    """A camera as players call it."""
    word, _, number = source.partition(":")
    known = ("none", "auto", "simulated", "picamera", "camera")
    return str(app.say(f"app.eyes.{word}", number=number)) if word in known else source


def keep(app: TapisVertApp, section: str, key: str, value: bool | int | str) -> None:
    """Keeps a setting; players are told when it cannot be written."""
    fault = app.settled.keep(section, key, value)
    app.redraw()
    if fault is not None:
        app.sorry(app.text(fault))


# The table


def table_rows(page: SettingsPage) -> None:
    """The name that this table has among others."""
    app = page.app
    name = page.rows.push("app.settings.rename", lambda: rename(app), icon="edit")
    name.text = app.settled.config.table.name
    page.rows.line("table_name", name, app.say("app.settings.table_name.detail"))


def rename(app: TapisVertApp) -> None:
    """Asks for the name of the table."""
    name = app.settled.config.table.name
    app.lay(naming_sheet(app.say("app.settings.table_name"), name, partial(keep, app, "table", "name")))


# Dice and camera


def dice_rows(page: SettingsPage) -> None:
    """The camera, and what is known of the players' own dice."""
    app, rows, house = page.app, page.rows, page.app.manners.house
    if house.eyes is not None:
        push = rows.push("app.settings.camera", partial(_choose_camera, app, house.eyes), icon="cam")
        push.text = source_words(app, house.eyes.source)
        rows.line("camera", push, app.say("app.settings.camera.detail"))
    switch = [(True, app.say("app.settings.on")), (False, app.say("app.settings.off"))]
    misreads = app.settled.config.data.misreads
    rows.choice(
        "misreads", switch, misreads, partial(keep, app, "data", "misreads"), app.say("app.settings.next_start")
    )
    if not house.own_dice:
        rows.note(app.say("app.settings.own_dice.none"))
    for game, own in house.own_dice.items():
        known, of = own.told
        rows.note(app.say("app.settings.own_dice", game=app.say(f"app.game.{game}"), n=known, of=of))
        if known:
            rows.pushes(("bin", "app.settings.own_dice.forget", partial(_forget, app, own), True))


def _choose_camera(app: TapisVertApp, eyes: Eyes) -> None:
    def take(source: str) -> None:
        keep(app, "camera", "source", eyes.choose(source))

    entries = [
        Entry(source_words(app, source), partial(take, source), icon="camoff" if source == "none" else "cam",
              on=source == eyes.source)
        for source in eyes.sources()
    ]  # fmt: skip
    app.lay(list_sheet(app.say("app.settings.camera"), entries))


def _forget(app: TapisVertApp, own: OwnFaces) -> None:
    try:
        own.forget()
    except OSError as fault:
        app.sorry(app.say("app.settings.own_dice.kept", reason=fault.strerror))
        return
    app.redraw()


# What is kept


def data_rows(page: SettingsPage) -> None:
    """Where the matches are, how much room they and their pictures take, and a backup of everything."""
    app, rows, kept = page.app, page.rows, page.app.settled.config.data
    rows.note(_room(app))
    soon = app.say("app.settings.next_start")
    sizes = [(size, app.say("app.settings.pictures_mb.of", n=size)) for size in ROOM]
    rows.choice("pictures_mb", sizes, kept.pictures_mb, partial(keep, app, "data", "pictures_mb"), soon)
    days = [(n, app.say("app.settings.pictures_days.of", n=n) if n else app.say("app.settings.never")) for n in DAYS]
    rows.choice("pictures_days", days, kept.pictures_days, partial(keep, app, "data", "pictures_days"), soon)
    backup = app.manners.house.backup
    if backup is not None and app.papers is not None:
        rows.pushes(("out", "app.settings.backup", partial(_back_up, app, backup), False))
        told = page.memory.get("backup", app.say("app.settings.backup.detail"))
        rows.note(told)
    rows.pushes(("list", "app.home.look_back", lambda: app.open("matches"), False))


def _room(app: TapisVertApp) -> str:
    """The folder, what the matches take there, and what is free."""
    file = app.matches.store.path
    size = sum(path.stat().st_size for path in file.parent.glob(f"{file.name}*"))
    free = shutil.disk_usage(file.parent).free
    return str(app.say("app.settings.room_taken", folder=file.parent, mb=-(-size // MEGABYTE), free=free // MEGABYTE))


def _back_up(app: TapisVertApp, backup: Callable[[Path], object]) -> None:
    """Asks where to, and writes it out of the screen's way."""
    places = app.papers.places() if app.papers else ()
    name = f"tapis-vert-{app.matches.store.clock.now():%Y-%m-%d-%H%M%S}.zip"
    entries = []
    for place in places:
        here = place == places[0]
        words = app.say("app.report.place.table") if here else app.say("app.report.place.stick", name=place.name)
        entries.append(Entry(words, partial(_write, app, backup, place / name), icon="disk", detail=str(place)))
    app.lay(list_sheet(app.say("app.settings.backup"), entries))


def _write(app: TapisVertApp, backup: Callable[[Path], object], file: Path) -> None:
    place = app.room.trail[-1]

    def tell(words: str) -> None:
        place.memory["backup"] = words
        if app.room.trail and app.room.trail[-1] is place and not app.room.sheets:
            app.redraw()

    def work() -> None:
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            backup(file)
            told: Any = ("app.report.written", {})
        except StoreError as trouble:
            told = ("app.report.not_written", {"reason": trouble.message})
        except OSError as fault:
            told = ("app.report.not_written", {"reason": fault.strerror or str(fault)})
        words = app.say(told[0], folder=file.parent.name, file=file.name, **told[1])
        Clock.schedule_once(lambda *_: tell(words))

    tell(app.say("app.report.writing", file=file.name))
    Thread(target=work, name="backup").start()
