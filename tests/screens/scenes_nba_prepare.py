"""Scenes of the NBA preparation: the team builder, the market's deck, the draft, the readings of the rules."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from companion.games.nba.tables import FATIGUE_PILE, POSITIONS
from tests.app.evening import SceneContext
from tests.screens.scenes import starting

Scene = Callable[["SceneContext"], Awaitable[None]]
DRAFT_PICKS = 3
"""The cards that a side picks in each round of a draft."""


async def open_row(evening: SceneContext, label: str, page: str, place: int = 0) -> None:
    """Open the page of a preparation row by its label; `place` counts the rows of several sides with this label."""
    rows = [tap for tap in evening.table.taps() if label in tap.spoken_name()]
    await evening.table.tap_widget(rows[place])
    assert evening.table.app.navigator.back_stack[-1].name == page


async def preparation(evening: SceneContext) -> None:
    """Open the preparation of an NBA match."""
    evening.table.app.end_session()
    evening.table.app.navigator.go_home()
    evening.table.app.open_setups.pop("nba", None)  # the choices of the scene before
    evening.table.app.open("prepare", game="nba")
    await evening.table.frames(4)


def tokens(evening: SceneContext, **wanted: Any) -> list[Any]:
    """Return the cards on the screen with these attributes."""
    found = [tap for tap in evening.table.taps() if type(tap).__name__ == "CardToken"]
    return [tap for tap in found if all(getattr(tap, key) == value for key, value in wanted.items())]


def give_own_cards(evening: SceneContext, starters: int = 10, positions: tuple[str, ...] = POSITIONS) -> None:
    """Store a catalogue of the players' own, as one box has it: ten starters, ten substitutes, NBA players, tactics.

    `positions` are those that a substitute may have.
    """
    from companion.app.cards.rows import card_store
    from companion.games.nba.catalogues import PLAYERS, TACTICS
    from companion.table.catalogues.card_store import sample

    rows = list(sample(PLAYERS).rows)
    known = [row for row in rows if row.get("role") == "starter"][:starters]
    bench = [row for row in rows if row.get("role") == "substitute" and set(row["positions"]) <= set(positions)][:10]
    on_sale = [row for row in rows if row.get("role", "nba") == "nba"]
    store = card_store(evening.table.app)
    store.save(PLAYERS, [{**row, "id": f"own-{row['id']}"} for row in (*known, *bench, *on_sale)])
    store.save(TACTICS, [{**row, "id": f"own-{row['id']}"} for row in sample(TACTICS).rows])


async def build_teams(evening: SceneContext) -> None:
    """Build the team of both sides: the first by hand from the suggestion, with six substitutes and six tactics."""
    table, label = evening.table, evening.translate("app.nba.prepare.built_label")
    await table.tap_widget(starting(evening, evening.translate("app.nba.prepare.team_selection")))
    await open_row(evening, label, "nba_team")
    await evening.tap("app.nba.team.suggest")
    await table.tap_widget(tokens(evening, place="sg", fill=tokens(evening)[1].fill)[0])
    await evening.tap("app.nba.team.tab_bench", n=7)
    await table.tap_widget(tokens(evening)[0])
    await evening.tap("app.nba.team.tab_tactics", n=5)
    await table.tap_widget(starting(evening, "+"))
    await evening.capture("nba-built-by-hand")
    await evening.tap("app.nba.team.done")
    await open_row(evening, label, "nba_team", 1)
    await evening.tap("app.nba.team.suggest")
    await evening.tap("app.nba.team.done")
    await evening.capture("03-nba-built")


async def draw_deck(evening: SceneContext) -> None:
    """Let the app draw the deck of the market."""
    await open_row(evening, evening.translate("app.nba.prepare.deck"), "nba_deck")
    await evening.tap("app.nba.deck.draw")
    await evening.tap("app.nba.team.done")


async def read_rules(evening: SceneContext) -> None:
    """Let removed fatigue go to the box."""
    await open_row(evening, evening.translate("app.readings.title"), "readings")
    await evening.tap("app.nba.prepare.removed_to.box")
    await evening.tap("app.back")


async def deal_draft(evening: SceneContext) -> None:
    """Let the app deal the draft, and choose for both sides."""
    await evening.table.tap_widget(starting(evening, evening.translate("app.nba.prepare.draft")))
    await open_row(evening, evening.translate("app.nba.prepare.deal"), "nba_draft")
    await evening.tap("app.nba.draft.deal")
    await play_draft(evening)
    await evening.tap("app.nba.team.done")


async def team(evening: SceneContext) -> None:
    """The team builder: each part, a team that lacks a card, the suggestion."""
    await preparation(evening)
    await evening.capture("03-nba-rows")
    await open_row(evening, evening.translate("app.nba.prepare.built_label"), "nba_team")
    await evening.capture("nba-team-court")
    for tab, count in (("bench", 7), ("tactics", 5)):
        await evening.tap(f"app.nba.team.tab_{tab}", n=count)
        await evening.capture(f"nba-team-{tab}")
    await evening.table.tap_widget(starting(evening, "\N{MINUS SIGN}"))
    await evening.capture("nba-team-lacks")
    await evening.tap("app.nba.team.done")
    await evening.capture("nba-team-why")
    await evening.tap("app.close")
    await evening.tap("app.nba.team.suggest")
    await evening.capture("nba-team-suggested")
    await evening.tap("app.nba.team.done")
    await evening.tap("app.nba.prepare.players.solo")
    await open_row(evening, evening.translate("app.nba.prepare.built_label"), "nba_team", 1)
    await evening.tap("app.nba.team.suggest")
    await evening.capture("nba-team-solo")
    await evening.tap("app.nba.team.done")


async def own_cards(evening: SceneContext) -> None:
    """Own cards that lack a position: for the bench, then for the court; the numbers of the coaches."""
    give_own_cards(evening, positions=POSITIONS[:-1])
    await preparation(evening)
    await open_row(evening, evening.translate("app.nba.prepare.built_label"), "nba_team")
    await evening.capture("nba-team-uncovered")
    await evening.tap("app.back")
    for place, coach in ((0, "discount"), (1, "second_tactic")):
        await choose_coach(evening, place, coach)
    await evening.capture("03-nba-coaches")
    give_own_cards(evening, starters=4)
    await preparation(evening)
    await open_row(evening, evening.translate("app.nba.prepare.samples"), "catalogues")
    await evening.tap("app.back")
    await evening.capture("03-nba-samples")
    forget_own_cards(evening)


async def choose_coach(evening: SceneContext, place: int, id: str) -> None:
    """Choose a coach for the side of the row at this place."""
    label = evening.translate("app.nba.prepare.coach")
    await evening.table.tap_widget([tap for tap in evening.table.taps() if label in tap.spoken_name()][place])
    skill = evening.translate("nba.skill.stop")
    await evening.table.tap(evening.translate(f"app.nba.coach.{id}", skill=skill))


def forget_own_cards(evening: SceneContext) -> None:
    """Remove the catalogues of `give_own_cards`, so that other scenes begin with the sample."""
    from companion.app.cards.rows import catalogue_folder

    for file in catalogue_folder(evening.table.app).glob("nba-*"):
        file.unlink()


async def deck(evening: SceneContext) -> None:
    """The deck: to be counted, drawn, counted."""
    await preparation(evening)
    await open_row(evening, evening.translate("app.nba.prepare.deck"), "nba_deck")
    await evening.capture("nba-deck")
    await evening.tap("app.nba.deck.draw")
    await evening.capture("nba-deck-drawn")
    await evening.tap("app.nba.deck.count")
    await evening.tap("app.nba.team.done")
    await evening.capture("03-nba-counted")


async def draft(evening: SceneContext) -> None:
    """A whole draft dealt by the app."""
    await preparation(evening)
    await evening.table.tap_widget(starting(evening, evening.translate("app.nba.prepare.draft")))
    await open_row(evening, evening.translate("app.nba.prepare.deal"), "nba_draft")
    await evening.capture("nba-draft-rule")
    await evening.tap("app.nba.draft.deal")
    await evening.capture("nba-draft-covered")
    await play_draft(evening)
    await evening.capture("nba-draft-over")
    await evening.tap("app.nba.team.done")
    await evening.capture("03-nba-drafted")


async def play_draft(evening: SceneContext) -> None:
    """Choose the first three cards of every hand."""
    table = evening.table
    while table.has(evening.translate("app.secret.alone")):
        await table.hold(evening.translate("app.secret.alone"))
        for place in range(DRAFT_PICKS):
            await table.tap_widget(tokens(evening)[place])
        await evening.capture("nba-draft-picked")
        await evening.tap("app.nba.draft.choose")


async def readings(evening: SceneContext) -> None:
    """The readings of the rules, one of them changed."""
    await preparation(evening)
    await open_row(evening, evening.translate("app.readings.title"), "readings")
    await evening.capture("readings")
    await evening.tap("app.nba.prepare.normal_cards.24")
    await evening.capture("readings-changed")
    await evening.tap("app.back")
    await evening.capture("03-nba-readings")


async def fatigue(evening: SceneContext) -> None:
    """The size of the fatigue pile, one card fewer than usual, and back."""
    await preparation(evening)
    label = evening.translate("app.nba.prepare.fatigue_cards")
    await evening.table.tap(f"\N{MINUS SIGN} {label}")
    await evening.capture("03-nba-fatigue")
    assert evening.table.app.navigator.back_stack[-1].memory["chosen"]["fatigue_cards"] == FATIGUE_PILE[2] - 1
    await evening.table.tap(f"+ {label}")


SCENES: dict[str, Scene] = {
    "nba_team": team,
    "nba_own_cards": own_cards,
    "nba_deck": deck,
    "nba_draft": draft,
    "nba_readings": readings,
    "nba_fatigue": fatigue,
}
