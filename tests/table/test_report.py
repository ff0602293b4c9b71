"""The content of a match report: all valid events, each once, consistent with the game's own figures."""

from __future__ import annotations

from fractions import Fraction

import pytest

from companion.games.registry import DICE_STATISTICS, GAMES, SPECS
from companion.language import LANGUAGES, Language
from companion.table.dice import Pictures, pictures_of
from companion.table.history import axis_step, score_of
from companion.table.report import dice_text, expected_vs_actual_by_side, report
from tests.table.sample_match import ledger_of, sample_header, until_duel
from tests.table.sample_reports import amended, played, report_of, seen_roll


@pytest.mark.parametrize("game", GAMES)
def test_the_course_leads_to_the_final_score(game: str) -> None:
    ledger = played(game, 1)
    match_report = report_of(ledger)
    final = score_of(ledger.game, ledger.state)
    assert {side.side: side.points for side in match_report.sides} == final
    assert sum(final.values()) > 0
    assert match_report.course.changes[-1].scores == tuple(final.values())
    assert [change.line for change in match_report.course.changes] == sorted(
        change.line for change in match_report.course.changes
    )
    for change in match_report.course.changes:
        assert change.line == ledger.events[change.position - 1].line
        assert change.scores == tuple(score_of(ledger.game, ledger.events[change.position - 1].state_after).values())
    assert match_report.is_finished
    assert match_report.result is not None


@pytest.mark.parametrize("game", GAMES)
def test_every_standing_fact_and_every_roll_is_told_once(game: str) -> None:
    ledger = played(game, 2)
    match_report = report_of(ledger)
    assert [fact.row.line for fact in match_report.events if fact.row.is_active] == [
        event.line for event in ledger.events
    ]
    thrown = [event.line for event in ledger.events if ledger.game.dice_from_event(event.fields)]
    assert [roll.line for roll in match_report.rolls] == thrown
    assert bool(thrown) is (game != "occasion")


@pytest.mark.parametrize("game", ["footclub", "hoops21", "nba"])
def test_the_luck_of_the_rolls_sums_to_that_of_the_match(game: str) -> None:
    match_report = report_of(played(game, 4))
    for side in match_report.sides:
        measures = match_report.tally.sides[side.name].expected_vs_actual.values()
        lucks = [
            measure
            for measure in (expected_vs_actual_by_side(roll, side.side) for roll in match_report.rolls)
            if measure is not None
        ]
        assert sum((got for got, _ in lucks), Fraction(0)) == sum((each.actual for each in measures), Fraction(0))
        assert sum((due for _, due in lucks), Fraction(0)) == sum((each.expected for each in measures), Fraction(0))


def test_a_tackle_was_promised_21_of_36_and_tells_its_dice() -> None:
    """FC-7.3: 7 or more with two dice."""
    match_report = report_of(
        ledger_of(sample_header(), [*until_duel(sample_header()), {"event": "roll", "dice": [5, 4]}])
    )
    roll = match_report.rolls[-1]
    (measure,) = roll.expected_vs_actual
    assert (measure.actual, measure.expected) == (1, Fraction(21, 36))
    assert Language("fr").text(dice_text(match_report, roll.dice)) == "5, 4"


def test_undone_and_corrected_facts_are_told_as_such() -> None:
    match_report = report_of(amended())
    corrected, undone = match_report.amended_events
    assert corrected.row.is_corrected
    assert corrected.row.fields["colour"] == "red"
    assert corrected.row.is_active
    assert not undone.row.is_active
    assert undone.scores is None
    assert undone.row.line not in [roll.line for roll in match_report.rolls]


def test_a_roll_says_how_it_was_read() -> None:
    ledger = ledger_of(
        sample_header(), [*until_duel(sample_header()), {"event": "roll", "dice": [5, 4], "by": "camera"}]
    )
    line = ledger.events[-1].line
    kept = pictures_of(seen_roll(5, 4))
    match_report = report(ledger, DICE_STATISTICS["footclub"], "1", lambda at: kept if at == line else Pictures())
    roll = match_report.rolls[-1]
    assert (roll.by, roll.was_asked, roll.is_purged) == ("camera", False, False)
    assert roll.confidence == pytest.approx(0.989)
    assert match_report.rolls[0].by == "unknown"
    assert match_report.rolls[0].confidence is None


def test_line_ups_are_those_of_the_beginning_and_of_the_end() -> None:
    match_report = report_of(played("footclub", 33))
    blue, red = match_report.sides
    on_pitch, bench = blue.start
    assert len(on_pitch.members) == 10
    assert bench.members
    assert blue.start == blue.end
    assert {member.name for member in red.start[0].members} - {member.name for member in red.end[0].members}
    assert not any(side.start for side in report_of(played("hoops21", 1)).sides)
    for game in ("nba", "occasion"):
        assert all(side.end for side in report_of(played(game, 3)).sides)


def test_people_are_called_by_their_names() -> None:
    ledger = played("footclub", 1)
    squad = ledger.header["setup"]["squads"]["blue"]["players"][0]
    assert SPECS["footclub"].person_name(ledger.state, "blue", squad["id"]) == squad["name"]
    assert SPECS["hoops21"].person_name(None, "orange", "nobody") == "nobody"


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_all_that_is_told_is_in_the_catalogues(game: str, code: str) -> None:
    language, match_report = Language(code), report_of(played(game, 1))
    told_words = [language.text(fact.row.text) for fact in match_report.events]
    told_words += [language.text(dice_text(match_report, roll.dice)) for roll in match_report.rolls]
    for side in match_report.sides:
        for group in (*side.start, *side.end):
            told_words += [language.text(group.title), *(language.text(member.role) for member in group.members)]
            told_words += [language.text(note) for member in group.members for note in member.notes]
    assert [word for word in told_words if word.startswith(("report.", f"{game}.", "sheet.")) or "{" in word] == []


def test_axes_step_as_people_count() -> None:
    assert [axis_step(most, 8) for most in (0, 3, 8, 9, 16, 17, 40, 41, 400, 401)] == [1, 1, 1, 2, 2, 5, 5, 10, 50, 100]


@pytest.mark.parametrize(("game", "turns"), [("footclub", 10), ("nba", 12), ("occasion", 5), ("hoops21", 8)])
def test_the_course_is_measured_in_turns(game: str, turns: int) -> None:
    course = report_of(played(game, 1)).course
    assert turns <= course.turns < len(played(game, 1).events)
    at = [change.turn_number for change in course.changes]
    assert at == sorted(at)
    assert 0 < at[0] <= at[-1] <= course.turns
