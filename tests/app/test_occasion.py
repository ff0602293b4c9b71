"""The game occasion at the table: layout of every phase, a match by touch alone, cards entered at the table."""

from __future__ import annotations

import pytest

from companion.games.occasion.catalogues import CHANCES, PLAYERS, POSTS
from companion.games.occasion.preparation import OccasionPreparation
from companion.games.occasion.setup import read_header
from companion.table.catalogues.card_store import CardStore, SampleCards, sample
from tests.app.test_table_match import play


def test_a_whole_match_by_touch(tmp_path):
    played = play("occasion_match", tmp_path)
    assert (played.returncode, played.stdout) == (0, ""), played.stdout + played.stderr


def header_of(plan):
    header = plan.header()
    return {**header, "sides": {side: {"name": side} for side in header["sides"]}}


def swapped(value):
    return ["Libéro" if post == "GK" else post for post in value] if isinstance(value, list) else value


@pytest.fixture
def store(tmp_path):
    """Return a store with a set of posts that has a sweeper for the keeper, and cards that use it."""
    card_store = CardStore(tmp_path / "catalogues", tmp_path / "clubs")
    posts = [row | {"set": "salle", "name": "Salle"} for row in sample(POSTS).rows]
    posts.append(posts[0] | {"post": "Libero", "line": "defence"})  # differs by its accent alone
    card_store.save(POSTS, [row | {"post": "Libéro"} if row["post"] == "GK" else row for row in posts])
    players = [row | {"post": "Libéro"} if row["post"] == "GK" else row for row in sample(PLAYERS).rows]
    card_store.save(PLAYERS, players)
    zones = [{key: swapped(value) for key, value in row.items()} for row in sample(CHANCES).rows]
    card_store.save(CHANCES, zones)
    return card_store


def test_own_posts_are_options_of_the_cards_and_of_a_table_that_is_imported(store):
    assert store.load(PLAYERS).faults == ()
    known = {kind.name: kind for kind in store.kinds()}
    (column,) = (column for column in known[PLAYERS.name].columns if column.key == "post")
    assert column.options[-2] == "Libéro"
    assert str(column.option_label("Libéro").args["text"]) == "Libéro"
    assert known[CHANCES.name].column("attack_posts").maximum == 14
    assert {row["post"] for row in store.rows(PLAYERS)} >= {"Libéro", "RB"}
    store.restore_sample(POSTS)
    assert {fault.rule for fault in store.load(PLAYERS).faults} == {"OC-1.1"}


def test_a_set_of_posts_stands_in_the_header_and_a_card_without_a_post_in_it_is_named(store):
    memory: dict = {}
    plan = OccasionPreparation(memory, store)
    (sentence,) = plan.missing()
    assert sentence.args["card"] == "Aline Vasseur"
    assert sentence.args["post"].args == {"text": "Libéro"}
    plan.choose("posts", "salle")
    assert plan.missing() == ()
    posts = read_header(header_of(plan)).setup.posts
    assert (posts["Libéro"], posts["Libero"]) == ("keeper", "defence")
    store.restore_sample(POSTS)
    (sentence,) = OccasionPreparation(memory, store).missing()
    assert sentence.args == {"set": "salle"}


def test_two_sides_with_the_same_cards_keep_names_of_their_own():
    plan = OccasionPreparation({}, SampleCards())
    first, second = plan.header()["sides"]
    before = str(plan.header()["sides"][second]["name"].args["text"])
    plan.choose(f"team.{first}", before)
    names = [side["name"] for side in plan.header()["sides"].values()]
    assert names[0] != names[1]
    plan.choose(f"name.{first}", "Étoile")
    assert plan.header()["sides"][first]["name"].args["text"] == "Étoile"


def test_a_printed_post_may_serve_the_attack_only():
    plan = OccasionPreparation({}, SampleCards())
    usual = plan.header()["setup"]["occasions"]
    zones = lambda occasions: [zone for card in occasions.values() for zone in card["zones"]]  # noqa: E731
    shared = [zone for zone in zones(usual) if "defence_posts" not in zone and zone.get("attack_posts")]
    own = [zone for zone in zones(usual) if "defence_posts" in zone]
    assert own
    plan.choose("printed_post", "attack")
    changed = zones(plan.header()["setup"]["occasions"])
    assert [zone for zone in changed if zone in own] == own
    assert sum(zone["defence_posts"] == [] for zone in changed) >= len(shared)
    read_header(header_of(plan))
    assert zones(usual) == zones(OccasionPreparation({}, SampleCards()).header()["setup"]["occasions"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scenes", "size", "language"),
    [
        ("occasion_match", "720x1280", "en"),
        ("occasion_own", "800x480", "fr"),
        ("occasion_own", "720x1280", "en"),
        ("occasion_posts", "800x480", "fr"),
        ("occasion_posts", "720x1280", "en"),
        ("occasion_phases,occasion_long_names", "800x480", "fr"),
        ("occasion_phases,occasion_asks", "720x1280", "en"),
        ("occasion_cards,occasion_asks", "1280x720", "fr"),
    ],
)
def test_every_screen_is_whole(tmp_path, scenes, size, language):
    played = play(scenes, tmp_path, size, language)
    assert (played.returncode, played.stdout) == (0, ""), played.stdout + played.stderr
