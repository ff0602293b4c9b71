"""Entries at the desk: pasted lists with a preview, changes of name, seed and club, and questions about look-alikes."""

from __future__ import annotations

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from companion.hub.core import Core
from companion.hub.web.entry_lists import near_names, read_entry_list
from companion.tournament import facts as fa
from tests.hub.desk_kit import RunningTournament, plan_of
from tests.hub.web.pages_kit import called, do, organiser, propose, round_played
from tests.hub.web.test_questions import yes
from tests.printing import pdf_text
from tests.tournament import plans


@pytest.fixture
def desk(app: FastAPI) -> TestClient:
    client = organiser(app)
    client.get("/language/en")
    return client


@pytest.fixture
def cup(core: Core) -> RunningTournament:
    """Return a tournament without entries."""
    plan = plans.swiss("Cup", "occasion", 3)
    return RunningTournament(core, core.tournaments.create(plan_of(plan), "Claire"))


@pytest.mark.parametrize(
    ("text", "columns", "first"),
    [
        ("Ana\nBea", ("name",), ("Ana", "", "", "")),
        ("Ana\t1\nBea\t2", ("name", "seed"), ("Ana", "1", "", "")),
        ("1\tAna\tPhare FC\n2\tBea\tHuppes 08", ("seed", "name", "club"), ("Ana", "1", "Phare FC", "")),
        ("Ana;1;A\nBea;;B", ("name", "seed", "group"), ("Ana", "1", "", "A")),
        ("Ana,3\nBea,4", ("name", "seed"), ("Ana", "3", "", "")),
        ("Martin, Ana\nDurand, Bea", ("name",), ("Martin, Ana", "", "", "")),
        ("Club,Nom,Tête de série\nPhare FC,Ana,1", ("club", "name", "seed"), ("Ana", "1", "Phare FC", "")),
        ("Name\tClub\n\nAna\t\nBea\tPhare", ("name", "club"), ("Ana", "", "", "")),
    ],
)
def test_a_list_is_read_as_it_comes(text: str, columns: tuple[str, ...], first: tuple[str, ...]) -> None:
    found = read_entry_list(text)
    line = found.lines()[0]
    assert found.columns == columns
    assert (line.name, line.seed, line.club, line.group) == first


def test_the_organiser_may_say_what_each_column_holds() -> None:
    found = read_entry_list("Ana\tMartin\t1", "tab", ("name", "name", "none"))
    assert [(line.name, line.seed) for line in found.lines()] == [("Ana Martin", "")]


@pytest.mark.parametrize(
    ("one", "other", "near"),
    [
        *(("Alice Martin", "alice martin", True), ("Émile", "Emile", True), ("Alice Martin", "Alice Martinn", True)),
        *(("Alice Martin", "Alice Martyn", True), ("Player 1", "Player 2", False), ("Ana", "Ann", False)),
        *(("Alice Martin", "Alice Marton X", False), ("Bruno", "Chloé", False)),
    ],
)
def test_names_that_are_nearly_the_same(one: str, other: str, near: bool) -> None:
    assert bool(near_names([other], [one])) == near
    assert bool(near_names([one, other], [])) == near


def test_tabs_of_a_spreadsheet_are_previewed_by_columns_then_entered(
    desk: TestClient, core: Core, cup: RunningTournament
) -> None:
    page = f"/desk/t/{cup.id}/entries"
    lines = "Name\tSeed\tClub\nAna\t1\tPhare FC\nBea\t2\tHuppes 08"
    preview = do(desk, page, event="preview", lines=lines)
    assert preview.status_code == 200
    assert "Preview of 2 lines" in preview.text
    assert '<option value="club" selected>' in preview.text
    assert not core.tournaments.state(cup.id).entries, "nothing is entered yet"
    columns = {"separator": "tab", "column": ["name", "seed", "club"]}
    assert do(desk, page, event="enter_many", lines=lines, **columns).status_code == 200
    entries = core.tournaments.state(cup.id).entries.values()
    assert [(each.name, each.seed, each.club) for each in entries] == [("Ana", 1, "Phare FC"), ("Bea", 2, "Huppes 08")]
    assert "Phare FC" in desk.get(page).text


def test_a_refused_list_is_shown_by_columns_again(desk: TestClient, cup: RunningTournament) -> None:
    refused = do(
        desk, f"/desk/t/{cup.id}/entries", event="enter_many", lines="Ana\tx1\nBea\t2", column=["name", "seed"]
    )
    assert refused.status_code == 409
    assert "Preview of 2 lines" in refused.text
    assert "Ana\tx1" in refused.text


def test_nearly_equal_names_and_equal_seeds_are_a_question(
    desk: TestClient, core: Core, cup: RunningTournament
) -> None:
    page = f"/desk/t/{cup.id}/entries"
    do(desk, page, event="enter", name="Alice Martin", seed="1")
    asked = do(desk, page, event="enter_many", lines="alice martin\t2\nBruno\t1")
    assert asked.status_code == 409
    assert "nearly the same as “Alice Martin”" in asked.text
    assert "the same seed 1" in asked.text
    assert len(core.tournaments.state(cup.id).entries) == 1
    assert yes(desk, asked).status_code == 200
    assert len(core.tournaments.state(cup.id).entries) == 3


def test_a_name_is_mended_during_the_tournament_and_the_trace_keeps_both(
    desk: TestClient, core: Core, evening: RunningTournament
) -> None:
    round_played(evening, 1)
    propose(evening, fa.Draw)
    propose(evening, fa.Call)
    assert called(evening)
    page, before = f"/desk/t/{evening.id}/entries", core.tournaments.state(evening.id)
    assert do(desk, page, event="edit", entry="e1", name="Le Phare", seed="5", club="Brest").status_code == 200
    state = core.tournaments.state(evening.id)
    assert (state.entries["e1"].name, state.entries["e1"].seed, state.entries["e1"].club) == ("Le Phare", 5, "Brest")
    assert (state.reports, state.calls) == (before.reports, before.calls)
    trace = desk.get(f"/desk/t/{evening.id}/trace").text
    assert "Phare FC → Le Phare · 5 · Brest" in trace
    assert "Le Phare" in desk.get(f"/t/{evening.id}/standings").text
    assert do(desk, page, event="edit", entry="e1", name="Valcendre").status_code == 409, "the name of another"


def test_a_seed_that_decided_matches_in_play_stays(desk: TestClient, core: Core) -> None:
    cup = RunningTournament(core, core.tournaments.create(plan_of(plans.knock_out("Cup", "occasion")), "Claire"))
    for number in range(1, 5):
        cup.decide(fa.Enter(f"e{number}", f"Player {number}", number))
    cup.decide(fa.Start())
    page = f"/desk/t/{cup.id}/entries"
    assert yes(desk, do(desk, page, event="edit", entry="e4", name="Player 4", seed="1")).status_code == 200
    cup.decide(fa.Edit("e4", "Player 4", 4))
    propose(cup, fa.Call)
    refused = do(desk, page, event="edit", entry="e1", name="Player 1", seed="9")
    assert refused.status_code == 409
    assert "Matches decided by the seeds or the groups have begun" in refused.text
    assert do(desk, page, event="edit", entry="e1", name="First", seed="1").status_code == 200


def test_a_changed_name_is_deleted_with_the_first_one(core: Core, evening: RunningTournament) -> None:
    evening.decide(fa.Edit("e2", "Valcendre Sud", club="Ligue du Sud"))
    core.retention.forget_entry(evening.id, "e2", "Claire")
    facts = " ".join(str(each.fact) for each in core.tournaments.trace(evening.id))
    assert "Valcendre" not in facts
    assert "Ligue" not in facts
    assert core.tournaments.state(evening.id).entries["e2"].name == "#2"
    core.retention.forget_tournament(evening.id, "Claire")
    evening.decide(fa.Edit("e3", "Somebody", club="Club"))
    assert core.tournaments.state(evening.id).entries["e3"].name == "#3"


@pytest.mark.parametrize(("typed", "group"), [("B", "B"), ("b", "B"), ("2", "B"), ("Poule B", "B"), ("", None)])
def test_a_group_is_chosen_and_changed_before_the_start(
    desk: TestClient, core: Core, typed: str, group: str | None
) -> None:
    plan = plans.groups_then_knock_out("Cup", "occasion", 2, 1)
    cup = RunningTournament(core, core.tournaments.create(plan_of(plan), "Claire"))
    page = f"/desk/t/{cup.id}/entries"
    assert do(desk, page, event="enter", name="Ana", group="A").status_code == 200
    assert '<option value="A" selected>' in desk.get(page).text
    assert do(desk, page, event="edit", entry="e1", name="Ana", group=typed).status_code == 200
    assert core.tournaments.state(cup.id).entries["e1"].group == group
    detail = "Ana · A → Ana" + (f" · {group}" if group else "")
    assert detail in desk.get(f"/desk/t/{cup.id}/trace").text
    assert do(desk, page, event="edit", entry="e1", name="Anna").status_code == 200
    assert core.tournaments.state(cup.id).entries["e1"].group == group, "a form without the field keeps it"


def test_a_group_that_the_tournament_does_not_have_is_refused(desk: TestClient, core: Core) -> None:
    plan = plans.groups_then_knock_out("Cup", "occasion", 2, 1)
    cup = RunningTournament(core, core.tournaments.create(plan_of(plan), "Claire"))
    refused = do(
        desk,
        f"/desk/t/{cup.id}/entries",
        event="enter_many",
        lines="Ana;Poule A\nBea;Poule C",
        column=["name", "group"],
    )
    assert refused.status_code == 409
    assert "one of these words: A, B" in refused.text
    assert not core.tournaments.state(cup.id).entries


def test_a_group_can_no_longer_be_changed_once_a_match_of_it_has_begun(desk: TestClient, core: Core) -> None:
    plan = plans.groups_then_knock_out("Cup", "occasion", 2, 1)
    cup = RunningTournament(core, core.tournaments.create(plan_of(plan), "Claire"))
    for number, group in enumerate("AABB", 1):
        cup.decide(fa.Enter(f"e{number}", f"Player {number}", group=group))
    cup.decide(fa.Start())
    propose(cup, fa.Call)
    assert called(cup)
    refused = do(desk, f"/desk/t/{cup.id}/entries", event="edit", entry="e1", name="Player 1", group="B")
    assert refused.status_code == 409
    assert "seed and group of Player 1 stay" in refused.text


def test_a_tournament_without_groups_asks_for_none(desk: TestClient, core: Core, cup: RunningTournament) -> None:
    page = f"/desk/t/{cup.id}/entries"
    assert 'name="group"' not in desk.get(page).text
    assert do(desk, page, event="enter_many", lines="Ana;Poule A", column=["name", "group"]).status_code == 200


def test_the_club_of_an_entry_stands_with_its_name(desk: TestClient, core: Core) -> None:
    evening = RunningTournament(core, core.tournaments.create(plan_of(plans.swiss("Cup", "occasion", 2)), "Claire"))
    for number in range(1, 5):
        evening.decide(fa.Enter(f"e{number}", f"Player {number}", club="Phare FC" if number == 1 else ""))
    evening.decide(fa.Start())
    round_played(evening, 1)
    for page in (f"/t/{evening.id}/standings", f"/t/{evening.id}/screen", f"/t/{evening.id}/entry/e1"):
        assert "Phare FC" in desk.get(page).text, page
    entries = desk.get(f"/api/tournaments/{evening.id}").json()["entries"]
    assert [each["club"] for each in entries] == ["Phare FC", "", "", ""]
    (stage,) = desk.get(f"/desk/t/{evening.id}/export/results.json").json()["standings"]
    assert {row["name"]: row["club"] for row in stage["rows"]}["Player 1"] == "Phare FC"
    for path in ("print/entrants", "print/standings", "print/people", "export/tournament"):
        content = desk.get(f"/desk/t/{evening.id}/{path}.pdf").content
        assert "Phare FC" in " ".join(pdf_text.plain(page) for page in pdf_text.pages(content)), path


def test_those_who_have_withdrawn_are_not_counted(desk: TestClient, cup: RunningTournament) -> None:
    for number, name in enumerate(("Ana", "Bea", "Cléo"), 1):
        cup.decide(fa.Enter(f"e{number}", name))
    cup.decide(fa.Start())
    cup.decide(fa.Withdraw("e3"))
    for path in (f"/desk/t/{cup.id}/entries", f"/t/{cup.id}"):
        page = desk.get(path).text
        assert "2 entries" in page, path
        assert "3 entries" not in page, path


def test_people_find_their_name_with_an_accent(desk: TestClient, cup: RunningTournament) -> None:
    for number, name in enumerate(("Zoé", "Émile", "Ana"), 1):
        cup.decide(fa.Enter(f"e{number}", name))
    page = desk.get(f"/t/{cup.id}").text
    assert sorted(("Zoé", "Émile", "Ana"), key=page.index) == ["Ana", "Émile", "Zoé"]
