"""Records a given event by touch: finds the matching choice, taps it, and answers each prompt with real taps."""

from __future__ import annotations

from typing import Any

from companion.app.prompts.flow import is_open_ended, is_switch, legal_options
from companion.app.screens.table_state import fold_hands, hand_choices
from companion.games.base import Choice, Fields, Prompt
from tests.app.evening import SceneContext

WAKE_FRAMES = 40
"""Number of frames after which a new widget surely accepts taps."""


def choice_of(session: Any, fields: Fields) -> Choice:
    """Return the choice that makes this event, the one with the fewest prompts."""
    fitting = [choice for choice in session.decision().choices if makes(choice, fields)]
    assert fitting, f"nothing makes {fields}: {[choice.event for choice in session.decision().choices]}"
    return min(fitting, key=lambda choice: len(choice.prompts))


def possible(session: Any, fields: Fields) -> bool:
    """Return True if a choice on the screen makes this event."""
    return any(makes(choice, fields) for choice in session.decision().choices)


def makes(choice: Choice, fields: Fields) -> bool:
    """Return True if a choice with its prompts answered can make this event."""
    if choice.disabled_reason is not None or any(fields.get(key) != value for key, value in choice.event.items()):
        return False
    keys = set(choice.event)
    for ask in choice.prompts:
        if ask.kind == "lineup":
            return True
        keys.add(ask.field)
        if ask.field not in fields and not ask.optional and ask.kind != "count":
            return False
        values = [option.value for option in ask.options]
        single = ask.kind == "pick" and not ask.maximum and ask.pick_count == 1
        if single and ask.field in fields and fields[ask.field] not in values:
            return False
    spare = {key for key, value in fields.items() if key not in keys and value not in ([], 0)}
    return not spare


async def act(evening: SceneContext, session: Any, fields: Fields) -> int:
    """Record the event by touch and return the number of taps."""
    table, before = evening.table, session.sequence
    choice = choice_of(session, fields)
    taps = await tap_choice(evening, choice)
    answers: dict[str, Any] = dict(choice.event)
    prompts = list(choice.prompts)
    taps += await turn_switches(evening, prompts, fields, answers)
    for ask in prompts:
        if ask.kind == "lineup":
            taps += await line_up(evening, fields)
            break
        ask = ask.resolved(answers)
        answers[ask.field] = fields.get(ask.field)
        taps += await answer(evening, ask, fields.get(ask.field))
    await table.frames(2)
    assert session.sequence != before, f"{fields} was not recorded; on the screen: {table.texts()}"
    return taps


async def turn_switches(evening: SceneContext, prompts: list[Prompt], fields: Fields, answers: dict[str, Any]) -> int:
    """Set the switches above the first prompt to the wanted state and remove them from the prompts."""
    place = taps = 0
    while len(prompts) > 1 and is_switch(prompts[0]):
        ask = prompts.pop(0)
        values = [option.value for option in legal_options(ask)]
        usual = ask.suggested if ask.suggested in values else values[0]
        wanted = answers[ask.field] = fields.get(ask.field, usual)
        if wanted != usual:
            sheet = evening.table.app.navigator.sheets[-1]
            rows = [widget for widget in evening.table.walk(sheet) if type(widget).__name__ == "SegmentedControl"]
            assert len(rows) > place, f"{fields}: no switch {place} on {type(sheet).__name__}: {evening.table.texts()}"
            await evening.table.tap_widget(rows[place].pushes[values.index(wanted)])
            taps += 1
        place += 1
    return taps


async def tap_choice(evening: SceneContext, choice: Choice) -> int:
    """Tap a choice at the edge of its side, or in the list of folded choices."""
    table = evening.table
    scene = table.app.navigator.page.sides().get(choice.side or "")
    colour = scene.colour if scene else ""
    if choice.hand is not None:
        return await tap_in_hand(evening, choice)
    label = evening.table.app.text(choice.label) + ("…" if choice.prompts else "")
    detail = evening.table.app.text(choice.detail) if choice.detail else ""
    others = [
        other for other in table.app.session.decision().choices if other.disabled_reason is None and other != choice
    ]
    alike = any((other.label, other.side) == (choice.label, choice.side) for other in others)

    def fitting() -> list[Any]:
        """Return the buttons of this choice; of choices with the same label only those with the same subtitle."""
        buttons = _buttons(evening, label, colour)
        exact = [button for button in buttons if button.detail == detail]
        return exact if exact or alike else buttons

    taps = 1
    if not fitting():
        more = evening.translate("app.table.more", count=0).split("(")[0]
        for folded in [tap for tap in table.taps() if tap.spoken_name().startswith(more)]:
            await _wakeful(evening, folded)
            taps += 1
            if fitting():
                break
            await evening.tap("app.close")
    buttons = fitting()
    assert buttons, f"no choice {label!r}, {detail!r}: {[tap.spoken_name() for tap in table.taps()]}"
    button = buttons[0]
    if choice.needs_long_press:
        await table.hold_widget(button)
    else:
        await _wakeful(evening, button)
    return taps


async def tap_in_hand(evening: SceneContext, choice: Choice) -> int:
    """Tap the button of a hand, then the choice in its list."""
    folded = fold_hands(evening.table.app.session.decision().choices)
    hand = next(one for one in folded if (group := hand_choices(one)) and choice in group.choices)
    taps = await tap_choice(evening, hand)
    await evening.table.tap_widget(_row(evening, hand.prompts[0], choice.event))
    return taps + 1


def _buttons(evening: SceneContext, label: str, colour: str) -> list[Any]:
    """Return the buttons with this label at the edge of the side of that colour; without a colour, those of both
    sides."""
    return [
        tap
        for tap in evening.table.taps()
        if type(tap).__name__ == "ChoiceButton" and (tap.text, tap.side) == (label, colour) and not tap.is_unavailable
    ]


async def _wakeful(evening: SceneContext, widget: Any) -> None:
    """Tap a widget once its dead time is over (SCREENS 4.7)."""
    from kivy.clock import Clock

    await evening.table.until(lambda: Clock.get_time() >= widget.wakes_at, WAKE_FRAMES)
    await evening.table.tap_widget(widget)


def face_rows(evening: SceneContext) -> Any:
    """Return the rows of faces by which dice are entered."""
    return next(widget for widget in evening.table.walk() if type(widget).__name__ == "FaceRows")


async def answer(evening: SceneContext, ask: Prompt, value: Any) -> int:
    """Answer the open prompt."""
    if value is None and ask.optional:
        await evening.tap("app.ask.skip" if ask.skip_label is None else ask.skip_label.id)
        return 1
    if ask.kind == "count":
        return await _count(evening, ask, int(value or 0))
    if ask.kind == "dice" and any(option.maximum is not None for option in ask.options):
        return await _enter_dice(evening, ask, value or [])
    if ask.kind == "dice":
        return await _remove_dice(evening, ask, value or [])
    values = value if ask.maximum or ask.pick_count > 1 else [value]
    for one in values or []:
        await evening.table.tap_widget(_row(evening, ask, one))
    if is_open_ended(ask):
        await evening.tap("app.ask.done")
    return len(values or []) + is_open_ended(ask)


def _row(evening: SceneContext, ask: Prompt, value: Any) -> Any:
    """Return the row of an option in the open pick list."""
    body = next(one for one in evening.table.walk() if type(one).__name__ in ("RowPick", "PlacePick"))
    pieces = getattr(body, "_rows", None) or body._tiles
    return next(widget for option, widget in pieces if option.value == value)


async def _count(evening: SceneContext, ask: Prompt, wanted: int) -> int:
    body = next(one for one in evening.table.walk() if type(one).__name__ == "CountPrompt")
    steps = wanted - body._value
    for _ in range(abs(steps)):
        await evening.table.tap_widget(body._steps._buttons[1 if steps > 0 else 0])
    await evening.tap("app.ask.done")
    return abs(steps) + 1


async def _enter_dice(evening: SceneContext, ask: Prompt, dice: list[Any]) -> int:
    table = evening.table
    for die in dice:
        buttons = [tap for tap in table.taps() if type(tap).__name__ == "CountButton"]
        await table.tap_widget(next(button for button in buttons if button.option.value == die))
    if ask.minimum != (ask.maximum or ask.pick_count) or not dice:
        await evening.tap("app.ask.done")
        return len(dice) + 1
    return len(dice)


async def _remove_dice(evening: SceneContext, ask: Prompt, values: list[Any]) -> int:
    table, taps = evening.table, 1
    body = next(one for one in table.walk() if type(one).__name__ == "DicePrompt")
    for option, tile in body._tiles:
        if bool(tile.picked) and option.value not in values:
            await table.tap_widget(tile)
            taps += 1
    for option, tile in body._tiles:
        if not tile.picked and option.value in values:
            await table.tap_widget(tile)
            taps += 1
    await evening.tap("app.ask.done")
    return taps


async def line_up(evening: SceneContext, fields: Fields) -> int:
    """Use the court editor: drag each card to its position, remove the fatigue cards, then record."""
    table, taps = evening.table, 1
    page = table.app.navigator.page
    for position, id in fields["court"].items():
        if page._draft.placed[position] == id:
            continue
        tokens = [tap for tap in table.taps() if type(tap).__name__ == "CardToken"]
        await table.tap_widget(next(token for token in tokens if token.card.id == id))
        tokens = [tap for tap in table.taps() if type(tap).__name__ == "CardToken"]
        await table.tap_widget(next(token for token in tokens if token.place == position))
        taps += 2
    while page._draft.fatigue != fields.get("fatigue_removed", 0):
        sign = "+" if page._draft.fatigue < fields.get("fatigue_removed", 0) else "\N{MINUS SIGN}"
        await table.tap(f"{sign} {evening.translate('app.court.fatigue')}")
        taps += 1
    await evening.tap("app.lineup.validate")
    return taps
