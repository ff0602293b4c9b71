"""The public pages: their content in both languages, and that they stay frozen during a review."""

from __future__ import annotations

import re

import pytest
from fastapi import FastAPI

from companion.games.registry import SPECS
from companion.hub.core import Core
from companion.hub.web.drawing import style_sheet
from companion.messages.wire import RollPicture
from companion.theme import tokens
from companion.tournament import facts as fa
from companion.tournament.values import Plan
from tests.hub.core_kit import played
from tests.hub.desk_kit import RunningTournament
from tests.hub.web.pages_kit import CLUBS, called, propose, round_played, start_tournament, visitor
from tests.tournament import plans

GAMES = ("footclub", "hoops21", "nba", "occasion")


@pytest.mark.parametrize("code", ["fr", "en"])
@pytest.mark.parametrize("game", ["footclub", "hoops21", "occasion"])
def test_a_match_is_followed(app: FastAPI, core: Core, game: str, code: str) -> None:
    evening = start_tournament(core, plans.swiss("Coupe", game, 2))
    propose(evening, fa.Draw)
    propose(evening, fa.Call)
    client, (table, match) = visitor(app), next(iter(called(evening).items()))
    client.cookies.set("language", code)
    page = f"/t/{evening.id}/match/{match}"
    assert client.get(page).status_code == 200, "before its first line"
    card = evening.played(table, 3)
    for until in (1, 2, len(card.lines) // 3, 2 * len(card.lines) // 3, len(card.lines)):
        core.inbox.accept([card.batch(1, until)])
        for path in (page, page.replace("/match/", "/story/"), f"/t/{evening.id}", f"/t/{evening.id}/screen"):
            response = client.get(path)
            assert response.status_code == 200, (path, until)
            assert f'<html lang="{code}">' in response.text
            assert not re.findall(
                r"\b(?:web|app|footclub|nba|hoops21|occasion|common)\.[a-z_]+\.[a-z_.]+", response.text
            )
    live = core.views.match(evening.id, match)
    assert live is not None
    assert all(name in response.text for name in live.names.values())
    colours = SPECS[game].colours[: len(live.names)]
    story = client.get(page.replace("/match/", "/story/")).text.split('class="lines story"')[1]
    assert all(f'class="badge side-{colour}"' in story for colour in colours), "each side acts in the timeline"
    assert client.get(f"/tables/{table}").text.count('class="board"') == 1


@pytest.mark.parametrize("game", GAMES)
def test_a_match_of_no_tournament_is_followed_at_its_table(app: FastAPI, core: Core, game: str) -> None:
    client, card = visitor(app), played("t1", 1, game, 5)
    assert "Aucun match" in client.get("/tables/t1").text
    for part in (1, 2, 3):
        core.inbox.accept([card.batch(1, part * len(card.lines) // 3)])
        response = client.get("/tables/t1")
        assert response.status_code == 200
        assert response.text.count('class="board"') == 1
        assert not re.findall(r"\b(?:web|app|footclub|nba|hoops21|occasion|common)\.[a-z_]+\.[a-z_.]+", response.text)


def test_where_everybody_has_gone_home_nobody_has_won(app: FastAPI, core: Core) -> None:
    evening = start_tournament(core, plans.knock_out("Coupe", "occasion"))
    for entry in list(core.tournaments.state(evening.id).entries):
        evening.decide(fa.Withdraw(entry))
    for path in (f"/t/{evening.id}", f"/t/{evening.id}/screen"):
        page = visitor(app).get(path).text
        assert "Tout le monde s’est retiré" in page
        assert "remporte le tournoi" not in page


def test_an_unfinished_bracket_names_where_sides_come_from(app: FastAPI, core: Core) -> None:
    evening = start_tournament(core, plans.knock_out("Coupe", "occasion"))
    page = visitor(app).get(f"/t/{evening.id}/standings").text
    assert "Quarts de finale" in page
    assert "vainqueur Quart\u00a01" in page
    assert "perdant Demie\u00a02" in page


def test_every_match_of_a_double_knock_out_has_its_number(app: FastAPI, core: Core) -> None:
    evening, client = start_tournament(core, plans.double_knock_out("Coupe", "occasion")), visitor(app)
    client.cookies.set("language", "en")
    page = client.get(f"/t/{evening.id}/standings").text
    codes = re.findall(r"<small>([^<]+)</small>", page)
    assert codes[:7] == ["W1.1", "W1.2", "W1.3", "W1.4", "W2.1", "W2.2", "W3.1"]
    assert len(set(codes)) == len(codes)
    assert "winner W1.3" in page
    assert "loser W2.1" in page
    assert "Winners’ bracket 1.3" in client.get(f"/t/{evening.id}/programme").text


def test_lines_join_two_matches_of_a_round_to_the_next_one(app: FastAPI, core: Core) -> None:
    evening = start_tournament(core, plans.double_knock_out("Coupe", "occasion"))
    page = visitor(app).get(f"/t/{evening.id}/standings").text
    lines = re.findall(r'<li class="(straight|down|up|)"><a class="tie', page)
    assert lines[:8] == ["down", "up", "down", "up", "down", "up", "straight", "straight"], "the winners and the finals"
    assert lines[8:] == ["", "straight", "straight", "down", "up", "straight", ""], "the second final, and the losers"


def test_a_tournament_ends_with_a_podium_on_page_and_screen(app: FastAPI, core: Core) -> None:
    evening, client = start_tournament(core, plans.knock_out("Coupe", "occasion")), visitor(app)
    assert 'class="podium"' not in client.get(f"/t/{evening.id}").text
    for seed in range(0, 400, 100):
        round_played(evening, seed)
    for path in ("", "/screen"):
        page = client.get(f"/t/{evening.id}{path}").text
        steps = re.findall(r'<li class="step-(\d)"', page)
        assert steps == ["1", "2", "3"], path
        assert 'data-ended="terminé"' in page, path
        assert all(club in page for club in CLUBS), path
        assert "Aucun match en cours" not in page, path


def test_no_slide_of_the_big_screen_holds_a_row_or_two_that_are_left(app: FastAPI, core: Core) -> None:
    evening = start_tournament(core, None, [f"Player {number}" for number in range(1, 12)])
    propose(evening, fa.Draw)
    page = visitor(app).get(f"/t/{evening.id}/screen").text
    tables = re.findall(r'<table class="hall-table".*?</table>', page, re.DOTALL)
    assert [table.count('<td class="points">') for table in tables] == [6, 5]


def test_the_big_screen_has_a_round_clock_a_qr_code_and_all_groups_on_one_slide(app: FastAPI, core: Core) -> None:
    swiss, client = start_tournament(core), visitor(app)
    assert "data-until" not in client.get(f"/t/{swiss.id}/screen").text
    propose(swiss, fa.Draw)
    propose(swiss, fa.Call)
    page = client.get(f"/t/{swiss.id}/screen").text
    call = next(iter(core.tournaments.state(swiss.id).calls.values()))
    assert f'data-until="{call.clock + 60 * core.tournaments.state(swiss.id).plan.minutes}"' in page
    assert '<div class="qr"' in page
    groups = start_tournament(core, plans.groups_then_knock_out("Poules", "occasion", 2, 2))
    slides = re.findall(r'<section class="slide.*?</section>', client.get(f"/t/{groups.id}/screen").text, re.DOTALL)
    assert [slide.count("<caption>") for slide in slides if "<caption>" in slide] == [2]


def test_a_players_page_tells_the_call_the_next_match_and_the_results(app: FastAPI, core: Core) -> None:
    evening, client = start_tournament(core, None, [*CLUBS, "Zoé"]), visitor(app)
    assert f'/t/{evening.id}/entry/e9"' in client.get(f"/t/{evening.id}").text
    page = f"/t/{evening.id}/entry/e1"
    assert "data-call" not in client.get(page).text
    propose(evening, fa.Draw)
    match = next(each for each in core.tournaments.progress(evening.id).matches.values() if "e1" in each.seats)
    opponent = core.tournaments.state(evening.id).entries[match.away if match.home == "e1" else match.home or ""].name
    assert f"contre <b>{opponent}</b>" in client.get(page).text
    propose(evening, fa.Call)
    table = core.tournaments.state(evening.id).calls[match.id].table
    assert f'data-call="Table {table}\u00a0: contre {opponent}"' in client.get(page).text
    home = match.home == "e1"
    evening.decide(fa.Result(match.id, match.home or "", match.away or "", (5, 2) if home else (2, 5)))
    text = client.get(page).text
    assert "data-call" not in text
    assert "5 – 2" in text, "the own points first"
    assert "gagné" in text
    assert "exempt" in client.get(f"/t/{evening.id}/entry/{core.tournaments.state(evening.id).draws[0].draw.bye}").text
    assert client.get(f"/t/{evening.id}/entry/e99").status_code == 404


@pytest.mark.parametrize(
    "plan",
    [
        plans.double_knock_out("Coupe", "occasion"),
        plans.groups_then_knock_out("Coupe", "occasion", 2, 2),
        plans.round_robin("Coupe", "occasion"),
        plans.knock_out("Coupe", "occasion", legs=2),
    ],
    ids=lambda plan: plan.stages[0].kind + str(len(plan.stages)) + str(plan.stages[0].legs),
)
def test_every_format_has_its_pages(app: FastAPI, core: Core, plan: Plan) -> None:
    evening, client = start_tournament(core, plan), visitor(app)
    for seed in (100, 200):
        for page in ("", "/standings", "/programme", "/screen"):
            assert client.get(f"/t/{evening.id}{page}").status_code == 200
        round_played(evening, seed)
    for match in core.tournaments.progress(evening.id).matches:
        assert client.get(f"/t/{evening.id}/match/{match}").status_code == 200, match


@pytest.mark.parametrize("path", ["/icon.svg", "/favicon.ico"])
def test_the_icon_is_kept_by_browsers(app: FastAPI, path: str) -> None:
    icon = visitor(app).get(path)
    assert (icon.status_code, icon.headers["content-type"]) == (200, "image/svg+xml")
    assert "max-age=86400" in icon.headers["cache-control"]
    assert icon.text.startswith("<svg ")


def test_what_is_not_there_is_said_so(app: FastAPI, evening: RunningTournament) -> None:
    client = visitor(app)
    for path in ("/t/nowhere", f"/t/{evening.id}/nothing", f"/t/{evening.id}/match/nothing", "/tables/none", "/x"):
        page = client.get(path)
        assert page.status_code == 404, path
        assert "existe pas" in page.text
    assert client.get("/pictures/t1/1/2/3").status_code == 404
    assert client.get("/events", params={"page": "/t/nowhere"}).status_code == 404
    assert client.get("/language/xx").status_code == 404
    for back in ("//evil.example", "https://evil.example", "/\\evil.example"):
        answer = client.get("/language/en", params={"back": back}, follow_redirects=False)
        assert answer.headers["location"] == "/"


def test_the_language_is_the_browsers_until_another_is_chosen(app: FastAPI) -> None:
    client = visitor(app)
    assert '<html lang="fr">' in client.get("/", headers={"accept-language": "de,es;q=0.8"}).text
    assert '<html lang="en">' in client.get("/", headers={"accept-language": "de, en-GB;q=0.7, fr;q=0.5"}).text
    client.get("/language/fr", params={"back": "/"})
    assert '<html lang="fr">' in client.get("/", headers={"accept-language": "en"}).text


def test_a_picture_of_the_newest_roll_is_shown(app: FastAPI, core: Core) -> None:
    evening = start_tournament(core, plans.swiss("Coupe", "hoops21", 2))
    propose(evening, fa.Draw)
    propose(evening, fa.Call)
    table, match = next(iter(called(evening).items()))
    card = evening.played(table, 5)
    core.inbox.accept([card.batch()])
    live = core.views.match(evening.id, match)
    assert live is not None
    assert live.roll is not None
    image = b"\xff\xd8\xff\xe0 a picture"
    core.inbox.store_picture(RollPicture(card.epoch, live.roll.line, "tray", image, table=table))
    client = visitor(app)
    page = client.get(f"/t/{evening.id}/match/{match}").text
    address = re.search(r'src="(/pictures/[^"]+)"', page)
    assert address
    response = client.get(address[1])
    assert response.content == image
    assert response.headers["content-type"] == "image/jpeg"


def test_the_style_sheet_is_made_of_the_theme() -> None:
    made = style_sheet()
    for name, colour in tokens().normal.surfaces.items():
        assert f"--{name}: {colour};" in made
    used = set(re.findall(r"var\((--[\w-]+)\)", made))
    known = set(re.findall(r"(--[\w-]+):", made)) | {"--m", "--i", "--p"}
    assert used <= known


def test_every_id_in_the_templates_is_a_sentence() -> None:
    from importlib import resources

    from companion.language import messages

    known = messages("fr")
    folder = resources.files("companion.hub.web") / "templates"
    used = {
        (file.name, id)
        for file in folder.iterdir()
        for id in re.findall(r"""["']((?:web|bulletin|app)\.[a-z_.]+[a-z])["']""", file.read_text(encoding="utf-8"))
    }
    assert [each for each in used if each[1] not in known] == []
    named = {
        "app.game.": GAMES,
        "web.status.": ("waiting", "ready", "called", "done", "walkover", "annulled", "not_needed"),
        "web.fact.": tuple(fa.FACT_TYPES),
        "web.desk.": ("overview", "entries", "pairings", "matches", "trace", "exports"),
        "web.by.": ("bye", "forfeit", "double_forfeit", "withdrawal", "shootout", "extra_time", "concession"),
        "web.seat.": ("winner", "loser"),
        "web.stage.": ("round_robin", "swiss", "knock_out", "double_knock_out"),
        "web.column.": ("semi_final", "quarter_final", "round_of_16", "winners", "losers", "final", "reset", "third"),
        "web.conflict.": ("closed", "overdue", "rest"),
        "web.fate.": ("undone", "corrected"),
        "web.key.for_": ("table", "referee", "player", "desk"),
        "web.join.": ("organiser", "entry_desk", "viewer", "referee"),
        "web.table.": ("here", "away"),
        "web.role.": ("table", "referee", "player", "organiser", "entry_desk", "viewer", "session"),
        "web.format.": ("swiss", "round_robin", "knock_out", "double_knock_out", "groups"),
        "tournament.choice.": ("home", "away", "replay", "keep", "redraw", "order"),
    }
    assert [start + end for start, ends in named.items() for end in ends if start + end not in known] == []
