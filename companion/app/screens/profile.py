"""A person or a club of this table: record over all games; name, colour, crest, photo; and erasure."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.image import Image
from kivy.uix.widget import Widget

from companion.app.background import IdleTask
from companion.app.cards.rows import card_store
from companion.app.display import translate
from companion.app.page import Page, load_kv
from companion.app.people import attempt_to_save, badge_of, profiles_of
from companion.app.screens.card import PhotoField, stored_photo
from companion.app.screens.matches import balance_text, club_results, luck_lines, match_history, match_line
from companion.app.widgets.button import PushButton
from companion.app.widgets.components import Grid, HBox, VBox, fill
from companion.app.widgets.marks import SideBadge
from companion.app.widgets.name_sheet import naming_sheet
from companion.app.widgets.sheet import SheetEntry, list_sheet
from companion.app.widgets.text import BoldText, Name, Text
from companion.journal.database import StoreError
from companion.language import reason_of
from companion.table.catalogues.card_store import CardStoreError
from companion.table.history import ClubRecord, ParticipantRecord, Progress, WinLossRecord
from companion.table.profiles import COLOURS, CRESTS, Profile, erase

log = logging.getLogger(__name__)

load_kv(__file__)

MAX_MATCHES = 8
"""Maximum number of matches shown."""
_NAME_KINDS = ["titre", "bouton", "corps", "mini"]
_BADGE, _CHOICE = 64, 52
"""Sides of the large badge and of a choice, in dp."""


class ProfilePage(Page):
    """The badge, the photo and the record. A PIN protects the changes (`ProfileEditPage`), not the record.

    `args`: `profile`, which need not be stored yet; `what`, the part of the records to return to.
    """

    def build(self) -> None:
        given: Profile = self.route.args["profile"]
        profiles = profiles_of(self.app)
        self._profile = profiles.find(given.kind, given.id) or given
        self.ids.bar.title = self._profile.name
        edit = PushButton(translate("app.profile.edit"), icon="edit", style="outlined", hug=True, pad=12)
        edit.bind(on_tap=lambda *_: self.app.open("profile_edit", **self.route.args))
        self.ids.bar.at_end(edit)
        self._left, self._right = _column(*self._badge(profiles.photo(self._profile))), _column()
        fill(self.ids.columns, self._left, self._right)
        self._counting = Text(translate("app.season.counting"), tone="craie2", halign="left")
        self._left.add_widget(self._counting)
        self._history = match_history(self.app)
        self._idle_task: IdleTask[Progress] = IdleTask(self._history.count_matches(), self._show_record)

    def leave(self) -> None:
        self._idle_task.stop()

    def _badge(self, photo: Path | None) -> list[Widget]:
        texture = None if photo is None else stored_photo(photo)
        badge = badge_of(self._profile, _BADGE)
        badge.pos_hint = {"center_y": 0.5}
        pieces: list[Widget] = [badge]
        if texture is not None:
            pieces.append(Image(texture=texture, size_hint_x=None, width=dp(_BADGE * 1.6)))
        # The bar of a narrow page has no room for a long name.
        name = Name(self._profile.name, kinds=_NAME_KINDS, halign="left") if self.portrait else Widget()
        return [HBox(*pieces, name, spacing=dp(12), tall=_BADGE * (1 if texture is None else 1.6))]

    def _show_record(self) -> None:
        self._left.remove_widget(self._counting)
        if self._profile.kind == "person":
            found = [each for each in self._history.participants() if each.id == self._profile.id]
            parts = _person_parts(found[0]) if found else []
        else:
            own = [record for record in self._history.clubs() if record.name.casefold() == self._profile.id]
            parts = [_club_part(record) for record in own]
        for place, part in enumerate(parts or [[_line(translate("app.history.none"))]]):
            fill((self._left, self._right)[place % 2], *part)


class ProfileEditPage(Page):
    """Name, colour, crest, photo and erasure. `args` as those of `ProfilePage`."""

    def build(self) -> None:
        given: Profile = self.route.args["profile"]
        self._profiles = profiles_of(self.app)
        self._profile = self._profiles.find(given.kind, given.id) or given
        self.ids.bar.title = self._profile.name
        fill(self.ids.columns, _column(*self._look_fields()), _column(*self._photo()))

    # Name, colour, crest, photo

    def _look_fields(self) -> Iterator[Widget]:
        profile = self._profile
        yield HBox(badge_of(profile, _BADGE), self._name(), spacing=dp(12), tall=_BADGE + 4)
        yield _title("app.profile.colour")
        colours = [
            (SideBadge(colour=colour, crest=profile.crest, letter=profile.letter), replace(profile, colour=colour))
            for colour in COLOURS
        ]
        yield self._choices(colours, "colour")
        yield _title("app.profile.crest")
        crests = [
            (SideBadge(colour=profile.colour, crest=crest, letter=profile.letter), replace(profile, crest=crest))
            for crest in CRESTS
        ]
        yield self._choices(crests, "crest")

    def _photo(self) -> Iterator[Widget]:
        profile = self._profile
        delete = partial(attempt_to_save, self.app, partial(self._profiles.save_photo, profile, None))
        yield PhotoField(self.app, self._profiles.photo(profile), self._save_photo, delete)
        erase_button = PushButton(translate("app.profile.erase"), icon="bin", style="outlined", left=True, tall=56)
        erase_button.bind(on_tap=lambda *_: self._ask_to_erase())
        yield erase_button

    def _name(self) -> Widget:
        """Return the name; that of a person can be changed. A club is known by its name."""
        name = self._profile.name
        if self._profile.kind == "club":
            note = Text(translate("app.profile.club"), flow="box", halign="left", tone="craie2")
            return VBox(Name(name, kinds=_NAME_KINDS, halign="left"), note) if self.portrait else note
        push = PushButton(name, style="well", end="edit", left=True, spoken=translate("app.prepare.rename", name=name))
        push.bind(
            on_tap=lambda *_: self.app.show_sheet(naming_sheet(translate("app.profile.name"), name, self._rename))
        )
        return push

    def _choices(self, choices: Iterable[tuple[SideBadge, Profile]], what: str) -> Grid:
        """Return a button for each look, the present one filled."""
        grid = Grid(cols=6, spacing=dp(8), grows=True)
        for mark, changed in choices:
            word = translate(f"app.profile.{what}.{getattr(changed, what) or 'initial'}")
            push = PushButton(style="brass" if changed == self._profile else "outlined", tall=_CHOICE, spoken=word)
            push.mark(mark)
            push.bind(on_tap=lambda _, changed=changed: self._save(changed))
            grid.add_widget(push)
        return grid

    def _rename(self, name: str) -> None:
        self._save(replace(self._profile, name=name))

    def _save(self, changed: Profile) -> None:
        if attempt_to_save(self.app, lambda: self._profiles.save(changed)):
            self.app.redraw()

    def _save_photo(self, content: bytes) -> bool:
        def save() -> None:
            self._profiles.save(self._profile)
            self._profiles.save_photo(self._profile, content)

        return attempt_to_save(self.app, save)

    # Erasure

    def _ask_to_erase(self) -> None:
        name = self._profile.name
        entries = [
            SheetEntry(translate("app.profile.keep"), lambda: None),
            SheetEntry(translate("app.profile.erase_now"), self._erase, " ".join(self._consequences()), icon="bin"),
        ]
        height = 152 if len(self._consequences()) > 1 else 92
        self.app.show_sheet(list_sheet(translate("app.profile.erase_which", name=name), entries, height=height))

    def _consequences(self) -> list[str]:
        """Return what an erasure does, and whether the cards of a club keep its name."""
        place = translate("app.home.catalogues")
        kept = [translate("app.profile.erase_cards", place=place)] if self._has_cards() else []
        return [translate("app.profile.erase_detail"), *kept]

    def _has_cards(self) -> bool:
        """Return True for a club whose cards are in a file of the players."""
        try:
            own = [club for club in card_store(self.app).all_clubs() if club.path is not None]
        except CardStoreError as trouble:
            log.warning("the clubs could not be read: %s", trouble)
            return False
        return self._profile.kind == "club" and any(club.name.casefold() == self._profile.id for club in own)

    def _erase(self) -> None:
        """Erase everywhere, close the open match, and tell how many matches lost the name."""
        app, profile = self.app, self._profile
        app.end_session()  # it holds the header with the name; its journal is complete
        replacement = translate(f"app.profile.former.{profile.kind}")
        try:
            erased = erase(profile, app.matches.store, self._profiles, replacement)
        except StoreError as trouble:
            app.show_error(app.text(trouble.message))
            return
        except OSError as error:
            app.show_error(translate("app.profile.not_saved", why=reason_of(error)))
            return
        app.matches.forget_summaries()
        app.history = None
        app.open_setups.clear()
        app.navigator.open_from_home("history", what=self.route.args.get("what"))
        kept = [translate("app.profile.erased_kept", n=erased.kept)] if erased.kept else []
        sentence = translate("app.profile.erased", name=profile.name, n=erased.journals)
        app.show_error(" ".join([sentence, *kept]))


def _person_parts(record: ParticipantRecord) -> list[list[Widget]]:
    """Return the balance over all games, by game and against others; then the newest matches and the luck."""
    results: list[Widget] = [BoldText(balance_text(record), kind="bouton", halign="left")]
    if record.longest_streak > 1:
        results.append(_line(translate("app.profile.streak", n=record.longest_streak)))
    by_game = [(translate(f"app.game.{game}"), balance) for game, balance in record.by_game.items()]
    others = [(balance.name, balance) for balance in record.against.values()]
    for title, balances in (("app.profile.by_game", by_game), ("app.profile.against", others)):
        if balances:
            results += [_title(title), *(_line(_short_balance(name, balance)) for name, balance in balances)]
    newest = [_title("app.history.last"), *(_line(match_line(played)) for played in record.matches[:MAX_MATCHES])]
    measures = luck_lines(record.expected_vs_actual)
    return [results, newest + ([_title("app.profile.luck"), *map(_line, measures)] if measures else [])]


def _club_part(record: ClubRecord) -> list[Widget]:
    """Return the results and the luck of a club in one game, and its newest matches."""
    lines = [club_results(record), *luck_lines(record.expected_vs_actual)]
    newest = map(match_line, record.matches[:MAX_MATCHES])
    game = _heading(translate(f"app.game.{record.game_id}"))
    return [game, *map(_line, lines), _title("app.history.last"), *map(_line, newest)]


def _short_balance(name: str, balance: WinLossRecord) -> str:
    return translate("app.profile.short", name=name, won=balance.won, drawn=balance.drawn, lost=balance.lost)


def _title(id: str) -> BoldText:
    return _heading(translate(id))


def _heading(title: str) -> BoldText:
    return BoldText(title, kind="corps", tone="laiton", halign="left")


def _line(sentence: str) -> Text:
    return Text(sentence, halign="left")


def _column(*pieces: Widget) -> BoxLayout:
    return VBox(*pieces, spacing=dp(8), grows=True, pos_hint={"top": 1})
