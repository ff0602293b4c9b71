"""Screen 19: what the players may set, applied at once and kept in the configuration. Only what exists is shown."""

from __future__ import annotations

from kivy.clock import Clock
from kivy.metrics import dp

from companion.app.kiosk import LOOK
from companion.app.page import Page, load_kv
from companion.app.screens.settings_lock import LockRow
from companion.app.screens.settings_rows import Rows
from companion.app.screens.settings_table import data_rows, dice_rows, table_rows
from companion.app.screens.settings_tournament import tournament_rows
from companion.app.theme import TEXT_SIZES
from companion.app.widgets.push import Push
from companion.theme import CONTRASTS

load_kv(__file__)

ROOMS = {
    "screen": "globe", "sound": "sound", "dice": "dice", "seats": "users", "tournament": "cup", "house": "lock",
    "data": "disk",
}  # fmt: skip
"""The groups of settings, each with its icon."""
HIGH, GAP = 56, 6
"""Of the groups and between them, in dp; where the screen is low they are lower."""
SAVER_MINUTES = (5, 10, 30, 0)
LEAST_LIGHT = 20
"""The darkest that can be set: the screen must stay readable enough to make it brighter."""


class SettingsPage(Page):
    """One group at a time; which one is kept in the place's memory. `args`: `room`, the first one."""

    def build(self) -> None:
        say = self.app.say
        self.ids.bar.title = say("app.settings.title")
        self.ids.bar.sub = say("app.settings.at_once") if self.app.theme.roomy else ""
        here = self.memory.setdefault("room", self.place.args.get("room", "screen"))
        for room, icon in ROOMS.items():
            push = Push(say(f"app.settings.room.{room}"), icon=icon, icon_side=24, left=True, pad=12)
            push.look, push.size_hint_y, push.height = "raised" if room == here else "quiet", None, self._high()
            push.kind = "bouton" if self.app.theme.roomy else "corps"
            push.bind(on_tap=lambda _, room=room: self._enter(room))
            self.ids.rooms.add_widget(push)
        self.rows = Rows(self.app, self.ids.rows, self.portrait)
        {
            "screen": self._screen,
            "sound": self._sound,
            "dice": lambda: dice_rows(self),
            "seats": self._seats,
            "tournament": lambda: tournament_rows(self),
            "house": self._house,
            "data": lambda: data_rows(self),
        }[here]()

        self._pulse = Clock.schedule_interval(self._look, LOOK) if here == "tournament" else None
        self._seen = self._link()

    def leave(self) -> None:
        if self._pulse is not None:
            self._pulse.cancel()

    def _link(self) -> object:
        hub = self.app.manners.house.hub
        return None if hub is None else hub.look().link

    def _look(self, *_: object) -> None:
        """The state of the link is told as it changes, but not under somebody who is writing."""
        if self._link() != self._seen and not self.app.room.sheets:
            self.app.redraw()

    def _high(self) -> float:
        """The height of a group: all of them stand in sight, with a dp to spare so that nothing scrolls."""
        if self.portrait:
            return float(dp(HIGH))
        free = self.app.room.height - self.ids.bar.height - dp(21 + GAP * (len(ROOMS) - 1))
        return float(min(dp(HIGH), free / len(ROOMS)))

    def _enter(self, room: str) -> None:
        self.memory["room"] = room
        self.app.redraw()

    # The groups

    def _screen(self) -> None:
        say, rows = self.app.say, self.rows
        rows.row("language", [("fr", "Français"), ("en", "English")], say("app.settings.language.other"))
        rows.row("text_scale", rows.named("text_scale", TEXT_SIZES))
        rows.row("contrast", rows.named("contrast", CONTRASTS))
        motions = [(False, say("app.settings.motion.full")), (True, say("app.settings.motion.less"))]
        rows.row("less_motion", motions)
        rows.slide("brightness", "sun", LEAST_LIGHT)
        rows.panel()

    def _sound(self) -> None:
        say, rows = self.app.say, self.rows
        detail = "" if self.app.manners.house.voice else say("app.settings.voice.none")
        rows.row("voice", rows.named("voice", ("off", "results", "all")), detail or say("app.settings.voice.detail"))
        if self.app.preferences.voice == "all":
            rows.note(say("app.settings.voice.explored"))
        detail = "" if self.app.manners.house.chimes else say("app.settings.effects.none")
        rows.row("effects", [(True, say("app.settings.on")), (False, say("app.settings.off"))], detail)
        rows.slide("volume", "sound", 0)

    def _seats(self) -> None:
        say, rows = self.app.say, self.rows
        rows.row("seats", rows.named("seats", ("beside", "facing")))
        if self.app.preferences.facing:
            rows.note(say("app.settings.seats.explained"))
        rows.row("hand", rows.named("hand", ("right", "left")))
        places = [(False, say("app.settings.places.left")), (True, say("app.settings.places.right"))]
        rows.row("swapped", places, say("app.settings.swapped.detail"))

    def _house(self) -> None:
        say, rows = self.app.say, self.rows
        table_rows(self)
        minutes = [
            (m, say("app.settings.saver.after", minutes=m) if m else say("app.settings.off")) for m in SAVER_MINUTES
        ]
        rows.row("saver_minutes", minutes, say("app.settings.saver_minutes.detail"))
        rows.row("keyboard", rows.named("keyboard", ("auto", "shown", "hidden")))
        house = self.app.manners.house
        if house.lock is not None:
            detail = say("app.settings.lock.on" if house.lock.set else "app.settings.lock.off")
            rows.line("lock", LockRow(self.app, house.lock), detail)
        rows.pushes(
            ("pulse", "app.settings.diagnostic", lambda: self.app.open("diagnostic"), False),
            ("hand", "app.settings.first_steps", lambda: self.app.open("welcome"), False),
            *([("power", "app.settings.leave", self.app.stop, True)] if house.kiosk else []),
        )
