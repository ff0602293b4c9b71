"""A match as a report tells it: sides, course of the score, every roll, luck, corrections, result. Pure data.

Made from a ledger, whatever the game; sentences are messages. What prints or shows it adds nothing of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from companion.games.base import Chances, Die, Fact, Fields, Luck, Message
from companion.games.wording import listed, literal
from companion.journal.ledger import AnyLedger
from companion.table.evidence import Pictures
from companion.table.line_ups import Group, line_up
from companion.table.result import headline_of, score_of, winner_of
from companion.table.story import TimelineRow, timeline
from companion.table.tally import Tally

NO_PICTURES = Pictures()
PicturesOf = Callable[[int], Pictures]
"""The pictures kept with the event of a line."""

Scores = tuple[int, ...]
"""Points in the order of the sides."""


@dataclass(frozen=True, slots=True)
class ReportSide:
    """A side: as the scene has it, its points, its line-up when it was first whole and at the end."""

    side: str
    name: str
    colour: str
    letter: str
    points: int
    facts: tuple[Fact, ...]
    start: tuple[Group, ...]
    end: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class ScoreChange:
    """The fact that changed the score, and the score after it. `place` counts standing facts from 1."""

    place: int
    line: int
    at: str | None
    text: Message
    scores: Scores


@dataclass(frozen=True, slots=True)
class ReportRoll:
    """Dice that made a fact: how they were read, what the odds had promised and what they brought."""

    line: int
    at: str | None
    text: Message
    dice: tuple[Die, ...]
    by: str
    asked: bool
    """Whether the reader was not certain of some die and a player said what it showed."""
    confidence: float | None
    """The least of its readings, None without pictures."""
    purged: bool
    luck: tuple[Luck, ...]
    corrected: bool


@dataclass(frozen=True, slots=True)
class ReportFact:
    """A fact of the timeline with the score after it; an undone one does not count."""

    row: TimelineRow
    side: str | None
    scores: Scores | None
    roll: ReportRoll | None


@dataclass(frozen=True, slots=True)
class MatchReport:
    """All that a report says. `version` is that of the journal's rules, `program` that of the program."""

    game_id: str
    title: str
    started: str | None
    ended: str | None
    sides: tuple[ReportSide, ...]
    result: Message | None
    detail: Message | None
    winner: str | None
    finished: bool
    changes: tuple[ScoreChange, ...]
    facts: tuple[ReportFact, ...]
    tally: Tally
    version: int
    program: str

    @property
    def rolls(self) -> tuple[ReportRoll, ...]:
        """The rolls that count."""
        return tuple(fact.roll for fact in self.facts if fact.roll is not None and fact.row.stands)

    @property
    def amended(self) -> tuple[ReportFact, ...]:
        """Facts that were undone or corrected."""
        return tuple(fact for fact in self.facts if fact.row.corrected or not fact.row.stands)


def report(ledger: AnyLedger, chances: Chances, program: str, pictures: PicturesOf | None = None) -> MatchReport:
    """The report of a match as it stands now."""
    game, state = ledger.game, ledger.state
    counted = Tally()
    counted.add(ledger, chances)
    ids = tuple(ledger.header["sides"])
    rows = timeline(game, ledger, ())
    courses = _course(ledger, ids)
    lucks = _lucks(ledger, chances)
    facts = tuple(_fact(ledger, row, ids, courses, lucks, pictures or (lambda _: NO_PICTURES)) for row in rows)
    words, scene = headline_of(game, state), game.scene(state)
    ends = [row.at for row in rows if row.at]
    score = score_of(game, state)
    start, end = _first_line_up(ledger), line_up(game.id, state)
    sides = tuple(
        ReportSide(
            side.side,
            side.name,
            side.colour,
            side.letter,
            score.get(side.side, 0),
            side.facts,
            start.get(side.side, ()),
            end.get(side.side, ()),
        )
        for side in scene.sides
    )
    return MatchReport(
        game_id=game.id,
        title=" – ".join(side.name for side in sides),
        started=ends[0] if ends else None,
        ended=ends[-1] if ends else None,
        sides=sides,
        result=words.text if words else None,
        detail=words.detail if words else None,
        winner=winner_of(game, state),
        finished=game.finished(state),
        changes=_changes(ledger, rows, courses),
        facts=facts,
        tally=counted,
        version=ledger.header["journal"],
        program=program,
    )


def score_course(ledger: AnyLedger) -> tuple[ScoreChange, ...]:
    """Only how the score went: what a curve is drawn of."""
    return _changes(ledger, timeline(ledger.game, ledger, ()), _course(ledger, tuple(ledger.header["sides"])))


def die_word(game_id: str, die: Die) -> Message:
    """How a die's face is said: a number, a colour, both, or a symbol."""
    if die.symbol is not None:
        return Message(f"{game_id}.symbol.{die.symbol}")
    if die.colour is None:
        return literal("?" if die.value is None else die.value)
    if die.value is None:
        return Message(f"report.colour.{die.colour}")
    return Message("report.face", {"value": die.value, "colour": Message(f"{game_id}.colour.{die.colour}")})


def dice_words(shown: MatchReport, dice: tuple[Die, ...]) -> Message:
    """The faces of a roll in their order, those of each kind together where there are several; nothing for no dice."""
    kinds = dict.fromkeys(die.kind for die in dice)
    groups = [(kind, _faces(shown.game_id, [die for die in dice if die.kind == kind])) for kind in kinds]
    if len(groups) < 2:
        return groups[0][1] if groups else literal("")
    head, *rest = [Message("report.dice_of", {"kind": kind_word(shown, kind), "dice": each}) for kind, each in groups]
    for group in rest:
        head = Message("report.dice_beside", {"head": head, "rest": group})
    return head


def _faces(game_id: str, dice: list[Die]) -> Message:
    """Faces in their order; symbols, whose order says nothing, by their numbers."""
    symbols = Counter(die.symbol for die in dice)
    if None in symbols:
        return listed([die_word(game_id, die) for die in dice])
    return listed([Message(f"{game_id}.dice.{symbol}", {"n": count}) for symbol, count in symbols.most_common()])


def kind_word(shown: MatchReport, kind: str) -> Message:
    """What a kind of dice is called; where it is a side's own, by the side's name."""
    own = next((side.name for side in shown.sides if side.side == kind), None)
    return literal(own) if own is not None else Message(f"sheet.kind.{kind}")


def luck_by_side(roll: ReportRoll, side: str) -> tuple[Fraction, Fraction] | None:
    """What a roll brought a side and what was promised; None if it was not its luck."""
    own = [luck for luck in roll.luck if luck.side == side]
    if not own:
        return None
    return sum((luck.got for luck in own), Fraction(0)), sum((luck.expected for luck in own), Fraction(0))


def _course(ledger: AnyLedger, ids: tuple[str, ...]) -> dict[int, Scores]:
    """The score after each standing fact, by its line."""
    found = {}
    for standing in ledger.standing:
        score = score_of(ledger.game, standing.state_after)
        found[standing.line] = tuple(score.get(id, 0) for id in ids)
    return found


def _changes(ledger: AnyLedger, rows: tuple[TimelineRow, ...], course: dict[int, Scores]) -> tuple[ScoreChange, ...]:
    found = []
    told = {row.line: row for row in rows}
    before: Scores = (0,) * len(ledger.header["sides"])
    for place, standing in enumerate(ledger.standing, 1):
        scores = course[standing.line]
        if scores != before:
            row = told[standing.line]
            found.append(ScoreChange(place, standing.line, row.at, row.text, scores))
        before = scores
    return tuple(found)


def _lucks(ledger: AnyLedger, chances: Chances) -> dict[int, tuple[Luck, ...]]:
    found, before = {}, ledger.initial
    for standing in ledger.standing:
        found[standing.line] = chances.luck(before, standing.fields, standing.outcome, standing.state_after)
        before = standing.state_after
    return found


def _fact(
    ledger: AnyLedger,
    row: TimelineRow,
    ids: tuple[str, ...],
    courses: dict[int, Scores],
    lucks: dict[int, tuple[Luck, ...]],
    pictures: PicturesOf,
) -> ReportFact:
    dice = ledger.game.dice(row.fields)
    roll = _roll(row, dice, lucks.get(row.line, ()), pictures(row.line)) if dice else None
    return ReportFact(row, _side(row.fields, ids), courses.get(row.line), roll)


def _roll(row: TimelineRow, dice: tuple[Die, ...], luck: tuple[Luck, ...], kept: Pictures) -> ReportRoll:
    return ReportRoll(
        line=row.line,
        at=row.at,
        text=row.text,
        dice=dice,
        by=row.by if row.by in ("camera", "touch", "button", "serial", "import") else "unknown",
        asked=any(not die.certain for die in kept.dice),
        confidence=min((die.confidence for die in kept.dice), default=None),
        purged=kept.purged,
        luck=luck,
        corrected=row.corrected,
    )


def _side(fields: Fields, ids: tuple[str, ...]) -> str | None:
    named = (fields.get(key) for key in ("side", "team"))
    return next((side for side in named if isinstance(side, str) and side in ids), None)


def _first_line_up(ledger: AnyLedger) -> dict[str, tuple[Group, ...]]:
    """Each side's line-up when it was first known."""
    found: dict[str, tuple[Group, ...]] = {}
    sides = set(ledger.header["sides"])
    for state in (ledger.initial, *(standing.state_after for standing in ledger.standing)):
        now: Any = line_up(ledger.game.id, state)
        found |= {side: groups for side, groups in now.items() if groups and side not in found}
        if not now or found.keys() >= sides:
            break
    return found
