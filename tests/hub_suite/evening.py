"""A whole evening through pages and two table apps: entrants, draw, calls, a dispute, a correction, losses, podium.

Everything is done as people do it: the organiser at the desk, a player's phone and the big screen are pages in
Chromium, the tables are apps that a finger touches, and the hub is `companion hub`. Each step is a check.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from companion.language import LANGUAGES, Language
from tests.hub_suite.evening_kit import (
    DESK,
    HALL,
    PHONE,
    Desk,
    Hub,
    Pages,
    Table,
    Unmet,
    browser,
    check,
    expect,
    new_page,
    set_up_link,
)
from tests.hub_suite.rounds import Check

EVENING = "evening"
"""Trial of an evening."""
PASSWORD, NEW_PASSWORD = "tapis vert du jeudi", "une autre phrase longue"
NAMES = (
    *("Émile Rousseau", "Chloé Durand", "Zoé Lefèvre", "Bruno Keller", "Inès Haddad", "Tomáš Novák"),
    *("Agnès O’Connor", "Jean-Baptiste Hohenlohe-Langenburg", "Noémie Petit", "Léon Martin", "Sofia Rossi", "Ann Lee"),
)
CLUBS = ("Le Phare", "Quai Nord", "")
LATE, ABSENT = "Malo Le Gall", NAMES[9]
ROUNDS, TARGET = 3, 7
PLAYED_EVENTS = 6
"""Events of a match before a table or the hub is lost."""


class Evening:
    """The people, tables and pages of one evening. `pictures` is the folder of the pictures."""

    def __init__(self, folder: Path, language: str, opened: Any) -> None:
        self.t = Language(language)
        self.pictures = folder / "pictures"
        self.pictures.mkdir(parents=True)
        self.hub = Hub(folder / "hub", language)
        self.tables = tuple(Table(folder / f"table-{number}", number, self.t) for number in (1, 2))
        pages = {name: new_page(opened, language, size) for name, size in SIZES.items()}
        self.desk = Desk(pages["desk"], self.hub.address, self.t)
        self.other_desk = Desk(pages["other desk"], self.hub.address, self.t)
        self.phone = Pages(pages["phone"], self.hub.address, self.t)
        self.hall = Pages(pages["hall"], self.hub.address, self.t)
        self._pictures = 0
        self.wrong = ""
        """The match whose result was entered wrongly."""

    @property
    def tournament(self) -> str:
        return self.desk.tournament

    def picture(self, name: str, *of: str) -> None:
        """Save pictures of the pages and tables of these names (`desk`, `phone`, `hall`, `table-1`), else of all."""
        self._pictures += 1
        start = f"{self._pictures:02}-{name}"
        for page in ("desk", "phone", "hall"):
            if page in of or (not of and getattr(self, page).page.url != "about:blank"):
                getattr(self, page).picture(self.pictures / f"{start}-{page}.png")
        for table in self.tables:
            if f"table-{table.number}" in of or not of:
                table.gesture("picture", file=str(self.pictures / f"{start}-table-{table.number}.png"))

    def sides(self, table: Table) -> tuple[str, str]:
        """Return the names of those who are called to a table."""
        _, home, away = self.desk.at_table(table.number)
        return home, away

    def check_in(self, table: Table, *names: str) -> None:
        """Check these players in at a table."""
        for name in names:
            table.answer(name, "app.tournament.here")

    def begin_match(self, table: Table, events: int) -> None:
        """Check both players in, begin the match and play some events."""
        self.check_in(table, *self.sides(table))
        table.tap("app.tournament.begin", "app.prepare.start")
        table.gesture("play", events=events)

    def finish_matches(self, *tables: Table) -> None:
        """Play the open matches to their end, at once, and open the page where a result is confirmed."""
        for table in tables:
            table.start_gesture("play")
        for table in tables:
            table.follow()
            check(table.state["over"], f"table {table.number} plays to the end, in {table.state['texts']}")
            table.tap("app.tournament.to_confirm")

    def agree(self, table: Table, *names: str) -> None:
        """Confirm the result for these players."""
        for name in names:
            table.answer(name, "app.tournament.confirm")

    def call_all(self) -> None:
        """Call matches at *Now* until every table has one."""
        self.desk.go()
        while self.desk.page.locator("form:has(input[value=proposal]) button.slim").count():
            self.desk.press("web.call", "form:has(button.slim):has(input[value=proposal])")

    def take_draw(self) -> None:
        """Take the draw that *Now* proposes."""
        self.desk.go()
        self.desk.press("web.draw.take")

    def enter_rest(self, wrong: bool = False) -> None:
        """Enter the results of all matches that no table plays; one of them the wrong way round if asked."""
        for at, (match, home, away) in enumerate(self.desk.matches("ready", "called")):
            first = sorted((home, away))[0] == home
            score = (TARGET + at % 2, at % 5) if first else (at % 5, TARGET + at % 2)
            if wrong and at == 0:
                self.wrong, score = match, score[::-1]
            self.desk.enter_result(match, *score)


SIZES = {"desk": DESK, "other desk": DESK, "phone": PHONE, "hall": HALL}


def set_up(evening: Evening) -> None:
    """the first link sets the password, and a second person logs in with it"""
    desk, other = evening.desk, evening.other_desk
    desk.open(set_up_link(evening.hub.start()))
    evening.picture("set-up", "desk")
    desk.fill(name="Claire", password=PASSWORD, again=PASSWORD)
    desk.press("web.set_up.do")
    desk.expect("h2", "the desk", evening.t("web.create"))
    other.open("/desk/login")
    other.fill(name="Paul", password=PASSWORD)
    other.press("web.login.do")
    other.expect("h2", "the other desk", evening.t("web.create"))
    evening.picture("first", "desk")


def create(evening: Evening) -> None:
    """a Swiss of hoops21 to seven points is made for two tables"""
    desk = evening.desk
    desk.page.select_option("#game", "hoops21")
    desk.page.select_option("#format", "swiss")
    desk.press("web.plan.next")
    desk.fill(name="Coupe du Phare", rounds=str(ROUNDS), tables="2")
    seven = desk.page.locator("option", has_text=re.compile(f"^{TARGET}$")).first
    seven.locator("xpath=..").select_option(label=str(TARGET))
    evening.picture("new", "desk")
    desk.press("web.create.do")
    desk.tournament = desk.page.url.split("/desk/t/")[1].split("/")[0]


def paste(evening: Evening) -> None:
    """twelve entrants are pasted from a spreadsheet, looked at and entered"""
    desk = evening.desk
    desk.go("entries")
    rows = (f"{name}\t{seed}\t{CLUBS[seed % len(CLUBS)]}" for seed, name in enumerate(NAMES, 1))
    desk.page.fill("#lines", "\n".join(rows))
    desk.press("web.preview.do")
    desk.expect("form.call h2", "the preview of twelve", evening.t("web.preview", n=len(NAMES)))
    columns = [select.input_value() for select in desk.page.locator("select[name=column]").all()]
    check(columns == ["name", "seed", "club"], f"the columns are taken for {columns}")
    evening.picture("preview", "desk")
    desk.press("web.enter_many.do")
    check(desk.page.locator("ul.lines > li").count() == len(NAMES), f"twelve are entered: {desk.text('main')}")
    evening.picture("entries", "desk")


def pair(evening: Evening) -> None:
    """two tables join by the six digits that they show"""
    desk = evening.desk
    for table in evening.tables:
        table.start()
        table.tap("app.home.settings", "app.settings.room.tournament", "app.settings.hub.pair")
        table.gesture("type", text=evening.hub.host)
        table.expect(code_of, "six digits")
        evening.picture(f"code-{table.number}", f"table-{table.number}")
        desk.open("/desk/tables")
        desk.page.fill("#code", code_of(table.state))
        evening.picture(f"let-in-{table.number}", "desk")
        desk.press("web.pairing.let_in")
        table.expect(lambda state: "Coupe du Phare" in " ".join(state["texts"]), "the tournament that it joined")
        evening.picture(f"joined-{table.number}", f"table-{table.number}")


def code_of(state: dict[str, Any]) -> str:
    """Return the digits that a table shows; empty without."""
    return next((text.replace(" ", "") for text in state["texts"] if re.fullmatch(r"\d{3} \d{3}", text)), "")


def presence(evening: Evening) -> None:
    """the desk sees both tables"""
    desk = evening.desk

    def seen() -> bool:
        desk.open("/desk/tables")
        return desk.page.locator(".presence.here").count() == len(evening.tables)

    expect(seen, f"both tables here; {desk.text('main')}")
    evening.picture("tables", "desk")
    for table in evening.tables:
        table.tap("app.back")
        table.expect(lambda state: state["page"] in ("home", "tournament"), "home")
    evening.picture("home", "table-1", "table-2")


def start(evening: Evening) -> None:
    """the tournament starts, and the first draw is taken"""
    desk = evening.desk
    evening.phone.open(f"/t/{evening.tournament}")
    evening.hall.open(f"/t/{evening.tournament}/screen")
    evening.picture("before", "phone", "hall")
    desk.go()
    evening.picture("to-start", "desk")
    desk.press("web.start")
    desk.expect("h2", "the first draw", evening.t("web.draw.proposed", round=1))
    evening.picture("draw", "desk")
    evening.take_draw()
    check(ABSENT in pairings(evening), "everybody is drawn")


def draw_again(evening: Evening) -> None:
    """one does not come and another comes late: the draw is taken back and made again"""
    desk, t = evening.desk, evening.t
    desk.go("pairings")
    desk.unfold("web.undraw")
    evening.picture("undraw", "desk")
    desk.press("web.undraw.do", round=1)
    desk.go("entries")
    line = f"ul.lines > li:has(b:text-is('{ABSENT}'))"
    desk.unfold("web.withdraw", line)
    desk.page.locator(f"{line} form:has(input[value=withdraw]) input[name=why]").fill("pas venu")
    evening.picture("withdraw", "desk")
    desk.press("web.withdraw.do", f"{line} form:has(input[value=withdraw])")
    desk.fill(name=LATE, seed="13")
    desk.press("web.enter.do", "form:has(#name)")
    evening.picture("late", "desk")
    desk.go()
    desk.expect("h2", "the draw made again", t("web.draw.proposed", round=1))
    evening.take_draw()
    check(LATE in pairings(evening), f"{LATE} is drawn: {pairings(evening)}")
    check(ABSENT not in pairings(evening), f"{ABSENT} is not drawn: {pairings(evening)}")
    check(len(desk.matches("ready")) == len(NAMES) // 2, "six matches are to be called")
    evening.picture("pairings", "desk")


def pairings(evening: Evening) -> str:
    """Return the first round as the desk shows it."""
    evening.desk.go("pairings")
    return evening.desk.text("section.card:has(h2)")


def call(evening: Evening) -> None:
    """matches are called to both tables: tables, phone and big screen show it"""
    evening.call_all()
    for table in evening.tables:
        home, away = evening.sides(table)
        table.expect(lambda state: state["page"] == "tournament", "the page of the tournament")
        for name in (home, away):
            table.expect_text("app.tournament.asked", name=name)
        evening.hall.expect(".hall", f"{home} is called", home)
    home, _ = evening.sides(evening.tables[0])
    evening.phone.open(f"/t/{evening.tournament}")
    evening.phone.unfold("web.entry.find")
    evening.phone.page.get_by_role("link", name=home, exact=True).click()
    evening.phone.expect("[data-call]", "the call of a player", evening.t("web.print.table", number=1))
    evening.desk.go()
    evening.picture("called")


def check_in(evening: Evening) -> None:
    """those who come check in, and the desk tells who is missing"""
    desk, table = evening.desk, evening.tables[0]
    home, away = evening.sides(table)
    evening.check_in(table, away)
    desk.expect(desk.tile(1), "who is there", evening.t("web.present.only", name=away))
    evening.picture("one-is-there", "desk", "table-1")
    evening.check_in(table, home)
    desk.expect(desk.tile(1), "both are there", evening.t("web.present.both"))
    evening.picture("both-are-there", "desk", "table-1")


def play(evening: Evening) -> None:
    """both matches are played to their end, seen live by phone and big screen"""
    one, two = evening.tables
    one.tap("app.tournament.begin")
    evening.picture("prepare", "table-1")
    one.tap("app.prepare.start")
    one.gesture("play", events=PLAYED_EVENTS)
    evening.phone.press_link("web.entry.follow")
    evening.phone.expect(".board .score span", "the score on the phone")
    score = one.state["score"]
    evening.hall.expect(".hall .what", "the score on the big screen", str(max(score)))
    evening.begin_match(two, PLAYED_EVENTS)
    evening.desk.go()
    evening.desk.expect(f"{evening.desk.tile(2)}.playing", "table 2 plays")
    evening.picture("playing")
    evening.finish_matches(*evening.tables)
    evening.picture("over")


def confirm(evening: Evening) -> None:
    """at table 1 both agree, and the result counts"""
    table, desk = evening.tables[0], evening.desk
    match, home, away = desk.at_table(1)
    evening.agree(table, home, away)
    expect(lambda: any(match == id for id, _, _ in desk.matches("done")), "the result of table 1")
    desk.go()
    evening.picture("confirmed", "desk", "table-1")


def dispute(evening: Evening) -> None:
    """at table 2 one does not agree: the organiser is alerted and rules, and the table shows it"""
    table, desk, t = evening.tables[1], evening.desk, evening.t
    match, home, away = desk.at_table(2)
    evening.agree(table, home)
    table.answer(away, "app.tournament.dispute")
    evening.picture("why-not", "table-2")
    table.tap("common.dispute.dice")
    desk.go()
    desk.expect("[data-alert^=dispute]", "the alert of the dispute", home)
    check(away in desk.text("section.call"), "who does not agree")
    desk.unfold("web.dispute.look", "section.call")
    evening.picture("dispute", "desk", "table-2")
    desk.page.locator("input[name=choice][value=stands]").check()
    desk.page.locator("section.call form:has(input[value=settle]) input[name=why]").fill("La photo montre un 5.")
    desk.press("web.dispute.settle")
    table.expect(lambda state: "La photo montre un 5." in state["texts"], "the ruling")
    check(any(match == id for id, _, _ in desk.matches("done")), "the result that was ruled")
    desk.go()
    evening.picture("ruled", "desk", "table-2")
    check(t("app.tournament.ruled") in " ".join(table.state["texts"]), f"who ruled: {table.state['texts']}")


def lose_a_table(evening: Evening) -> None:
    """table 1 is killed during a match: the desk is alerted, and the match goes on where it was"""
    table, desk = evening.tables[0], evening.desk
    evening.call_all()
    evening.begin_match(table, PLAYED_EVENTS)
    score, sequence = table.state["score"], table.state["sequence"]
    table.kill()
    desk.go()
    desk.expect("[data-alert^=left]", "the alert that table 1 is gone", evening.t("web.table", number=1))
    evening.picture("left", "desk")
    table.start()
    table.tap("app.home.resume")
    table.gesture("look")
    check(
        (table.state["score"], table.state["sequence"]) == (score, sequence), f"{table.state['score']} is not {score}"
    )
    desk.go()
    expect(lambda: reload(desk).locator("[data-alert^=left]").count() == 0, "table 1 is back")
    evening.picture("back", "desk", "table-1")
    evening.finish_matches(table)
    match, home, away = desk.at_table(1)
    evening.agree(table, home, away)
    expect(lambda: any(match == id for id, _, _ in desk.matches("done")), "the result of table 1")


def reload(desk: Desk) -> Any:
    """Return the page of the desk, loaded again."""
    desk.page.reload()
    return desk.page


def lose_the_hub(evening: Evening) -> None:
    """the hub is killed during a match: pages say so, the table plays on, and all goes on when it is back"""
    table, desk = evening.tables[1], evening.desk
    evening.begin_match(table, PLAYED_EVENTS)
    match, home, away = desk.at_table(2)
    evening.phone.open(f"/t/{evening.tournament}/match/{match}")
    evening.phone.page.evaluate("window.same = true")
    evening.hub.kill()
    evening.phone.expect(".state.lost", "the phone is offline")
    evening.finish_matches(table)
    evening.agree(table, home, away)
    evening.picture("without-hub", "phone", "hall", "table-2")
    evening.hub.start()
    evening.phone.expect(".state.live", "the phone is back")
    check(evening.phone.page.evaluate("window.same"), "the phone's page was never loaded anew")
    expect(lambda: any(match == id for id, _, _ in desk.matches("done")), "the result that was played without the hub")
    desk.go()
    evening.picture("hub-back")


def next_round(evening: Evening) -> None:
    """the rest of the round is entered at the desk, and the second round is drawn"""
    evening.enter_rest(wrong=True)
    evening.desk.go()
    evening.desk.expect("h2", "the second draw", evening.t("web.draw.proposed", round=2))
    evening.take_draw()
    evening.phone.open(f"/t/{evening.tournament}/standings")
    evening.picture("second-round", "desk", "phone", "hall")


def correct(evening: Evening) -> None:
    """a wrong result is corrected: the desk asks whether the draw is made anew"""
    desk = evening.desk
    desk.go(f"match/{evening.wrong}")
    home, away = (
        int(field.input_value())
        for field in desk.page.locator("form:has(input[value=correct]) input[type=number]").all()
    )
    evening.picture("to-correct", "desk")
    desk.enter_result(evening.wrong, away, home, "correct", "À l’envers sur la feuille")
    desk.go()
    desk.expect("form.call", "the question about the draw")
    evening.picture("question", "desk")
    before = pairings(evening)
    desk.go()
    desk.page.locator("input[name=choice][value=redraw]").check()
    desk.page.locator("form.call input[name=why]").fill("Rien n’est joué")
    desk.press("web.answer")
    if desk.page.locator("button", has_text=evening.t("web.draw.take")).count():
        evening.take_draw()
    check(pairings(evening) != before, "another draw")
    evening.picture("answered", "desk")


def change_password(evening: Evening) -> None:
    """a changed password ends the other session and opens the desk"""
    desk, other = evening.desk, evening.other_desk
    desk.open("/desk/password")
    desk.fill(present=PASSWORD, password=NEW_PASSWORD, again=NEW_PASSWORD)
    evening.picture("password", "desk")
    desk.press("web.password.change.do")
    desk.go()
    desk.expect(".tiles", "the desk of the one who changed it")
    other.open("/desk")
    check("/login" in other.page.url, f"the other session has ended, and not {other.page.url}")
    other.fill(name="Paul", password=NEW_PASSWORD)
    other.press("web.login.do")
    other.expect("h2", "the other desk", evening.t("web.create"))


def call_early(evening: Evening) -> None:
    """while the players rest the desk says so, and a match is called from its page all the same"""
    desk, table = evening.desk, evening.tables[0]
    desk.go()
    if desk.page.locator("form:has(input[value=proposal]) button.slim").count() == 0:
        sentence = evening.t("web.calls.rest", time="").split(":")[0].strip()
        desk.expect("section.card", "why nobody is called", sentence)
    evening.picture("resting", "desk")
    match, home, _ = desk.matches("ready")[0]
    desk.go(f"match/{match}")
    desk.press("web.call", "form:has(input[value=call])")
    table.expect(lambda state: evening.t("app.tournament.asked", name=home) in state["texts"], f"the call of {home}")
    desk.go()
    evening.picture("called-early", "desk", "hall", "table-1")


def last_rounds(evening: Evening) -> None:
    """the last rounds are entered at the desk"""
    evening.enter_rest()
    evening.take_draw()
    evening.enter_rest()
    check(not evening.desk.matches("ready", "called"), "everything is played")


def podium(evening: Evening) -> None:
    """the big screen shows the podium and every page the final standing"""
    desk = evening.desk
    desk.go()
    desk.expect(".call", "the winner at the desk")
    winner = desk.text(".call b")
    evening.hall.expect(".podium", "the podium")
    evening.hall.expect(".slide.on h2", "the winner on the big screen", winner)
    evening.phone.open(f"/t/{evening.tournament}")
    evening.phone.expect(".podium", "the podium on the phone")
    for table in evening.tables:
        table.expect_text("app.tournament.ended")
        table.expect(lambda state: winner_name(evening, winner, state), f"the winner: {winner}")
    evening.picture("podium")
    evening.phone.open(f"/t/{evening.tournament}/standings")
    rows = evening.phone.page.locator("tbody tr")
    check(rows.count() == len(NAMES), f"{rows.count()} are in the standings")
    check(ABSENT not in evening.phone.text("main"), f"{ABSENT} never played")
    first = rows.first.locator(".name a").inner_text()
    check(evening.t("web.champion", name=first) == winner, f"{first} is first; {winner}")
    evening.picture("standings", "phone")


def winner_name(evening: Evening, sentence: str, state: dict[str, Any]) -> bool:
    """Return whether a table shows the name of the winner whom a page announces."""
    return any(evening.t("web.champion", name=text) == sentence for text in state["texts"])


STEPS: tuple[Callable[[Evening], None], ...] = (
    *(set_up, create, paste, pair, presence, start, draw_again, call, check_in, play, confirm, dispute),
    *(lose_a_table, lose_the_hub, next_round, correct, change_password, call_early, last_rounds, podium),
)


def evenings(place: Path) -> Iterator[tuple[str, list[Check]]]:
    """Yield an evening in each language by its name, with its checks."""
    for language in LANGUAGES:
        yield f"{EVENING} in {language}", list(played_evening(place / f"{EVENING}-{language}", language))


def played_evening(folder: Path, language: str) -> Iterator[Check]:
    """Play an evening and yield a check for each step. A step that fails ends the evening."""
    with ExitStack() as stack:
        evening = Evening(folder, language, stack.enter_context(browser()))
        stack.callback(evening.hub.stop)
        for table in evening.tables:
            stack.callback(table.stop)
        for number, step in enumerate(STEPS):
            name = str(step.__doc__)
            try:
                step(evening)
            except Unmet as unmet:
                yield Check(name, (f"{step.__name__}: {unmet}", f"{len(STEPS) - number - 1} steps were not reached"))
                return
            except Exception as error:  # noqa: BLE001 (Playwright's own: the step has failed)
                yield Check(name, (f"{step.__name__}: {''.join(traceback.format_exception(error))}",))
                return
            yield Check(name)
