"""The organiser's pages: tournaments, entries, pairings, matches, tables, keys, retention and deletion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import SystemRandom
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse, Response

from companion.games.base import JsonObject, Message, Refusal
from companion.games.registry import SPECS
from companion.hub.models import (
    RESULT_COUNTED,
    RESULT_NONE,
    JournalHead,
    KeepableCard,
    LiveMatch,
    MatchRef,
    OrganiserNotice,
    StoryLine,
)
from companion.hub.pairing import PairingDesk
from companion.hub.registry import DESK_ROLES, MAX_TABLE_NUMBER
from companion.hub.results import RESULT_NOTICES
from companion.hub.retention import RetentionTerms
from companion.hub.web import drawing, plan_form, questions
from companion.hub.web.desk_tables import next_call, next_round, table_tiles
from companion.hub.web.entry_lists import COLUMNS, SEPARATORS
from companion.hub.web.forms import (
    SCORINGS,
    Form,
    SentForm,
    entry_list,
    field_value,
    parse_entries,
    parse_fact,
    parse_number,
    plan_fields,
    proposal_id,
    refill_form,
    whole_field,
)
from companion.hub.web.localization import Locale, Names, entries_by_name, trace_lines
from companion.hub.web.pages import NoSuchPage, PageDependencies, Scoreboard, scoreboard
from companion.hub.web.presence import TablesSeen
from companion.hub.web.printouts import PRINTOUTS
from companion.hub.web.site import Forbidden, OrganiserContext, redirect_to
from companion.tournament import facts as fa
from companion.tournament import rules, validation
from companion.tournament.facts import TournamentState
from companion.tournament.headers import sides as seats
from companion.tournament.headers import threshold_after
from companion.tournament.match_choices import match_rows
from companion.tournament.pairing import group_names
from companion.tournament.progress import Match, TournamentProgress
from companion.tournament.ranking import final_ranking
from companion.tournament.report_file import report_stage

TRACE_LINES = 500


@dataclass(frozen=True, slots=True)
class DeskPage:
    """A page of the desk: its template, the id of its title (or a literal title), its values."""

    template: str
    head: str
    values: JsonObject
    literal: bool = False

    def title(self, locale: Locale) -> str:
        """Return the title in the visitor's language."""
        return self.head if self.literal else locale.t(self.head)


KEPT_KINDS = ("player", "tactic")


@dataclass(frozen=True, slots=True)
class KeepOffer:
    """What an entry may keep after a match, up to a cost; `cards` is None if no journal tells what it bought.

    `before` is its choice so far.
    """

    entry: str
    threshold: int
    cards: Sequence[KeepableCard] | None
    before: fa.Keep | None

    def kept_names(self) -> list[str]:
        """Return the names of the cards of the choice so far, or their ids if the match does not tell them."""
        names = {card.id: card.name for card in self.cards or ()}
        ids = (self.before.player, self.before.tactic) if self.before is not None else ()
        return [names.get(id, id) for id in ids if id is not None]


@dataclass(frozen=True, slots=True)
class DisputedMatch:
    """A match whose result a side does not agree with, as the organiser needs it for a ruling.

    - `board`: the scoreboard of the match at its end
    - `story`: the newest events, last one first
    - `signers`: who has confirmed, with the time
    """

    notice: OrganiserNotice
    match: Match
    live: LiveMatch
    board: Scoreboard
    story: Sequence[StoryLine]
    signers: Sequence[tuple[str, str]]


DISPUTE_LINES = 6
"""Number of events that the organiser sees beside a dispute."""


class DeskPages:
    """The pages of the desk in the organiser's language."""

    def __init__(self, dependencies: PageDependencies, locale: Locale, pairing: PairingDesk) -> None:
        self._dependencies, self._locale, self._core = dependencies, locale, dependencies.core
        self._pairing = pairing

    def first(self) -> DeskPage:
        """Return the first page: tournaments, a form for a new one, notices."""
        branches = [each for each in self._core.views.journals() if each.branch > 0]
        notices = self._core.views.notices()
        asked = {(each.table, each.epoch) for each in notices if each.kind == "copied_card"}
        values = {
            "rows": self._core.tournaments.all(),
            "games": tuple(SPECS),
            "formats": plan_form.FORMATS,
            "plan_templates": self._core.plan_templates.all(),
            "notices": notices,
            "backups": self._dependencies.backups(),
            "branches": [each for each in branches if (each.table, each.epoch) in asked],
            "resolved_branches": [each for each in branches if (each.table, each.epoch) not in asked],
            "tables": {each.id: each for each in self._core.tables.all()},
        }
        return DeskPage("desk_first.html", "web.desk", values)

    def new(self, game: str, format: str, template: str = "") -> DeskPage:
        """Return the form of a new tournament. Raises: NoSuchPage, for an unknown game, format or template."""
        kept = next((each for each in self._core.plan_templates.all() if each.id == template), None)
        if template and kept is None:
            raise NoSuchPage
        if kept is not None:
            game, format = (kept.fields.get(name, ("",))[0] for name in ("game", "format"))
        if game not in SPECS or format not in plan_form.FORMATS:
            raise NoSuchPage
        values = {
            "game": game,
            "format": format,
            "fields": plan_form.fields_of(game, format),
            "values": plan_form.start_values(game, format, kept.fields if kept else {}),
            "places": plan_form.place_count(game, format),
            "match_rows": [
                (plan_form.row_field(row), row.label, plan_form.row_options(row))
                for row in match_rows(game)
                if len(row.options) > 1
            ],
            "tie_breaks": plan_form.tie_break_choices(format),
            "scorings": tuple(SCORINGS),
            "points": SPECS[game].tournament.points,
        }
        return DeskPage("desk_new.html", "web.create", values)

    def refused_new(self, form: Form) -> DeskPage:
        """Return the page of a refused form of a new tournament."""
        try:
            return self.new(field_value(form, "game"), field_value(form, "format"))
        except NoSuchPage:
            return self.first()

    def tables(self) -> DeskPage:
        """Return the page of tables with their matches, valid keys and sessions."""
        keys = [each for each in self._core.keys.all() if each.role != "set_up"]
        rows = self._core.tables.all()
        lives = {row.id: self._core.views.live(row.id) for row in rows}
        number = max((row.number for row in rows), default=0) + 1
        seen = TablesSeen(rows, self._dependencies.presence(), self._locale).statuses()
        values: dict[str, Any] = {
            "rows": rows,
            "table_names": self._table_names(),
            "keys": keys,
            "lives": lives,
            "desk_roles": DESK_ROLES,
            "next": number,
            "seen": seen,
            "pairing": self._pairing.waiting(),
            "address": self._dependencies.address,
            "can_pair": self._dependencies.link is not None,
            "has_referee_pin": self._core.tables.referee_pin() is not None,
        }
        return DeskPage("desk_tables.html", "web.desk.tables", values)

    def data(self) -> DeskPage:
        """Return the page of retention periods."""
        values = {"terms": self._core.retention.terms(), "backups": self._dependencies.backups()}
        return DeskPage("desk_data.html", "web.desk.data", values)

    def tournament(self, tournament: str, page: str) -> DeskPage:
        """Return a page of a tournament. Raises: NoSuchPage, UnknownTournament."""
        state = self._core.tournaments.state(tournament)
        names = Names(self._locale, state, self._core.tournaments.progress(tournament))
        values: dict[str, Any] = {"id": tournament, "names": names, "state": state, "page": page}
        values |= self._archive(tournament) | {"table_names": self._table_names()}
        values["result_notices"] = self._result_notices(names, tournament)
        values["alerts"] = sum(
            len(each) for each in (names.progress.questions, self.disputes(names, tournament), values["result_notices"])
        )
        makers = {"overview": self._overview, "entries": self._entries, "pairings": self._pairings}
        makers |= {"matches": self._matches, "trace": self._trace, "exports": self._exports}
        if page.startswith("match/"):
            values |= self._match(names, tournament, page.removeprefix("match/"))
            return DeskPage("desk_match.html", names.both(values["match"]), values, literal=True)
        if page not in makers:
            raise NoSuchPage
        values |= makers[page](names, tournament)
        return DeskPage(f"desk_{page}.html", state.plan.name, values, literal=True)

    def _overview(self, names: Names, tournament: str) -> dict[str, Any]:
        desk = self._core.tournaments
        proposals = [{"fact": fact, "seen": proposal_id(fact)} for fact in desk.proposals(tournament)]
        schedule = desk.schedule(tournament)
        lives = self._core.views.lives_by_match(tournament)
        tiles = table_tiles(names, lives)
        running = [tile.match for tile in tiles if tile.match is not None]
        seen = TablesSeen(self._core.tables.all(), self._dependencies.presence(), self._locale)
        return {
            "now": self._dependencies.now,
            "tiles": tiles,
            "to_decide": [tile for tile in tiles if tile.alert],
            "next_round": next_round(names, schedule),
            "next_call": next_call(tiles, schedule, self._dependencies.now),
            "questions": names.progress.questions,
            "ranking": final_ranking(names.progress),
            "disputes": self.disputes(names, tournament),
            "other_draw": _other_draw(names),
            **_start(names.state),
            "calls": [each for each in proposals if isinstance(each["fact"], fa.Call)],
            "draws": [each for each in proposals if isinstance(each["fact"], fa.Draw | fa.Seed)],
            "schedule": schedule,
            "seen": seen.statuses(),
            "left": [match for match in running if seen.has_left(match)],
            "checked_in": {
                tile.match.id: seen.checked_in(tournament, tile.match, names)
                for tile in tiles
                if tile.match is not None and tile.state == "called"
            },
        }

    def disputes(self, names: Names, tournament: str) -> list[DisputedMatch]:
        """Return the open disputes of a tournament, oldest first."""
        found = []
        for notice in reversed(self._core.views.notices()):
            about = notice.match_ref
            if notice.kind != "disputed" or about is None or about.tournament != tournament:
                continue
            match, live = names.progress.matches.get(about.match), self._core.views.match(tournament, about.match)
            if match is None or match.over or live is None or notice.table is None or notice.epoch is None:
                continue
            story = self._core.views.story(notice.table, notice.epoch)[: -DISPUTE_LINES - 1 : -1]
            board = scoreboard(live, names.state.plan.game, None)
            found.append(DisputedMatch(notice, match, live, board, story, self._signers(names, tournament, match)))
        return found

    def _result_notices(self, names: Names, tournament: str) -> list[OrganiserNotice]:
        """Return the open notices about results of a tournament that wait for the organiser, oldest first."""
        return [
            notice
            for notice in reversed(self._core.views.notices())
            if notice.kind in RESULT_NOTICES
            and notice.match_ref is not None
            and notice.match_ref.tournament == tournament
            and notice.match_ref.match in names.progress.matches
        ]

    def _signers(self, names: Names, tournament: str, match: Match) -> list[tuple[str, str]]:
        """Return who confirmed the result of a match at the table, with the time."""
        given = self._core.views.signers(tournament, match.id)
        sides = {"home": names.side(match, True), "away": names.side(match, False)}
        sides["referee"] = self._locale.t("web.role.referee")
        return [(sides.get(signer, signer), self._locale.clock(at)) for signer, at in given.items()]

    def _entries(self, names: Names, tournament: str) -> dict[str, Any]:
        entries = tuple(names.state.entries.values())
        groups = group_names(names.state.plan.stages[0].groups)
        kinds = {"columns": COLUMNS, "separators": tuple(SEPARATORS), "groups": groups if len(groups) > 1 else ()}
        return {"entries": entries, "pasted": None, "pasted_text": "", **kinds, **_start(names.state)}

    def page_of_form(self, tournament: str, page: str, form: Form) -> DeskPage:
        """Return the page that a form of a tournament came from; a pasted list is shown by columns again."""
        many = field_value(form, "event") == "enter_many"
        return self.preview(tournament, form) if many else self.tournament(tournament, page)

    def preview(self, tournament: str, form: Form) -> DeskPage:
        """Return the page of the entries with a pasted list by columns, before it is entered."""
        page = self.tournament(tournament, "entries")
        found = entry_list(form)
        values = {"pasted": found if found.rows else None, "pasted_text": (form.get("lines") or ("",))[0]}
        return replace(page, values={**page.values, **values})

    def _pairings(self, names: Names, tournament: str) -> dict[str, Any]:
        proposals = self._core.tournaments.proposals(tournament)
        proposed = next((fact for fact in proposals if isinstance(fact, fa.Draw)), None)
        stage = names.progress.stages[0].plan if names.progress.stages else names.state.plan.stages[0]
        field = len([entry for entry in names.state.entries if entry not in names.state.withdrawn])
        newest = len(names.state.draws)
        undraw = rules.decide(names.state, fa.Undraw(newest)) if newest else None
        return {
            "undrawable": newest > 0 and undraw is None,
            "undraw_refused": undraw.message if undraw is not None else None,
            "seated": _seated(names) if newest else {},
            "proposed": proposed,
            "pairs": proposed.pairs if proposed else [(None, None)] * (field // 2),
            "swiss": stage.kind == "swiss",
            "round": len(names.state.draws) + 1,
            "rounds": stage.rounds,
            "choices": entries_by_name(names.state),
            "draws": names.state.draws[::-1],
            "unseed": next((stage for stage in names.state.seeded if _possible(names.state, fa.Unseed(stage))), None),
        }

    def _matches(self, names: Names, tournament: str) -> dict[str, Any]:
        return {"matches": [each for each in names.progress.matches.values() if each.status != "not_needed"]}

    def _match(self, names: Names, tournament: str, id: str) -> dict[str, Any]:
        found = names.progress.matches.get(id)
        if found is None:
            raise NoSuchPage
        lines = trace_lines(self._core.tournaments.trace(tournament), names)
        trace = [each for each in lines if getattr(each.recorded.fact, "match", None) == id]
        countable = [each for each in self._core.views.journals() if _countable(each, tournament, names.progress, id)]
        return {
            "match": found,
            "disputes": [each for each in self.disputes(names, tournament) if each.match.id == id],
            "signers": self._signers(names, tournament, found),
            "trace": trace,
            "live": self._core.views.match(tournament, id),
            "keep_offers": self._keep_offers(names, tournament, found),
            "countable": sorted(countable, key=lambda each: (each.match_ref is not None, each.last), reverse=True),
            "tables": range(1, min(names.state.plan.tables, 64) + 1),
        }

    def _keep_offers(self, names: Names, tournament: str, match: Match) -> list[KeepOffer]:
        """Return what each side of a finished match may keep for the next round; nothing where no round follows."""
        threshold = threshold_after(names.state, match) if match.status == "done" else None
        if threshold is None:
            return []
        last = self._core.views.last_state(tournament, match.id)
        keepable = SPECS[names.state.plan.game].tournament.keepable
        before = {keep.entry: keep for keep in names.state.kept if keep.match == match.id}
        return [
            KeepOffer(entry, threshold, None if last is None else keepable(last, side, threshold), before.get(entry))
            for side, entry in seats(names.state, match).items()
            if entry
        ]

    def keep(self, tournament: str, form: Form) -> fa.Fact:
        """Return the cards kept in a form. Raises: Refusal, if the match does not offer them."""
        id, entry = field_value(form, "match"), field_value(form, "entry")
        state = self._core.tournaments.state(tournament)
        names = Names(self._locale, state, self._core.tournaments.progress(tournament))
        match = rules.find_match(state, id)
        offer = next((each for each in self._keep_offers(names, tournament, match) if each.entry == entry), None)
        fields: dict[str, Any] = {"event": "keep", "match": id, "entry": entry}
        for kind in KEPT_KINDS:
            card = field_value(form, kind)
            if not card:
                continue
            cost: object = parse_number(field_value(form, f"{kind}_cost") or "0")
            if offer is not None and offer.cards is not None:
                offered = {each.id: each for each in offer.cards if each.kind == kind}
                if card not in offered:
                    raise Refusal("not_offered", Message("web.refusal.not_offered"))
                cost = offered[card].cost
            fields |= {kind: card, f"{kind}_cost": cost}
        return fa.parse(fields)

    def _table_names(self) -> dict[str, str]:
        """Return the name of each table by its id, or "Table" with its number."""
        rows = self._core.tables.all()
        return {row.id: row.name or self._locale.t("web.print.table", number=row.number) for row in rows}

    def _trace(self, names: Names, tournament: str) -> dict[str, Any]:
        lines = trace_lines(self._core.tournaments.trace(tournament), names)
        return {"trace": lines[: -TRACE_LINES - 1 : -1]}

    def _archive(self, tournament: str) -> dict[str, Any]:
        """Return the archive values of a tournament's pages: whether it is archived, and who decided it."""
        return {"archived": self._core.archive.is_archived(tournament), "steps": self._core.archive.steps(tournament)}

    def _exports(self, names: Names, tournament: str) -> dict[str, Any]:
        address = f"{self._dependencies.address}/t/{tournament}"
        return {
            "entries": entries_by_name(names.state),
            "address": address,
            "code": drawing.qr_code(address),
            "printouts": tuple(PRINTOUTS),
            "has_report": report_stage(names.progress) is not None,
        }


def _possible(state: TournamentState, fact: fa.Fact) -> bool:
    """Return whether an event may be recorded now."""
    return rules.decide(state, fact) is None


def _start(state: TournamentState) -> dict[str, Any]:
    """Return whether the start can be taken back."""
    return {"unstartable": state.started and _possible(state, fa.Unstart())}


def _other_draw(names: Names) -> fa.Draw | None:
    """Return the draw that would take the place of the newest one, if a question asks for it."""
    if not any(question.kind == "redraw" for question in names.progress.questions):
        return None
    before = rules.apply(names.state, fa.Undraw(len(names.state.draws)))
    return rules.propose_draw(before)


def _seated(names: Names) -> dict[str, str]:
    """Return the entries of the newest Swiss round that may change places, by id, in the order of the tables."""
    draw = names.state.draws[-1].draw
    begun = {
        seat
        for match in names.progress.matches.values()
        if match.kind == "swiss" and match.round == draw.round and (match.status == "called" or match.status == "done")
        for seat in match.seats
    }
    seats = [seat for pair in draw.pairs for seat in pair] + ([draw.bye] if draw.bye else [])
    return {seat: names.seat(seat) for seat in seats if seat not in begun}


def _countable(journal: JournalHead, tournament: str, now: TournamentProgress, match: str) -> bool:
    """Return whether a finished journal could count for an open match.

    It must be unassigned, pending, or of an annulled result.
    """
    if journal.branch or not journal.over or journal.forgotten is not None:
        return False
    bound = journal.match_ref
    if bound is None or bound.tournament != tournament:
        return bound is None
    if bound.match == match:
        return journal.result != RESULT_NONE
    there = now.matches.get(bound.match)
    return journal.result == RESULT_COUNTED and there is not None and not there.over


MAX_RETENTION_DAYS = 3650
ROLES = ("table", "referee", "player", *DESK_ROLES)
ENTRY_DESK_EVENTS = ("enter", "enter_many", "edit", "preview", "withdraw", "readmit")
"""The forms that the entry desk may send."""


def missing_refusal() -> Refusal:
    """Return the refusal of an action on something that does not exist; nothing was done."""
    return Refusal("gone", Message("web.refusal.gone"))


def _check_confirmed(form: Form) -> None:
    """Check the confirmation box of an irreversible action. Raises: Refusal."""
    if field_value(form, "sure") != "1":
        raise Refusal("sure", Message("web.refusal.sure"))


class DeskContext(OrganiserContext):
    """A request of the desk."""

    @property
    def desk(self) -> DeskPages:
        """The pages of the desk."""
        return DeskPages(self.dependencies, self.locale, self.site.pairing)

    def show(self, found: DeskPage, status: int = 200, refused: Message | None = None) -> HTMLResponse:
        """Return a page of the desk, with the reason of a refusal if there is one."""
        values: dict[str, Any] = {"session": self.session, "open_notices": len(self.core.views.notices())}
        values |= {"refused": refused, "asked": (), "title": found.title(self.locale)}
        return self.page(found.template, status, **(values | found.values))

    def ask(self, found: DeskPage, unanswered: questions.Unanswered, form: Form) -> HTMLResponse:
        """Return the page of a form with the questions to answer first, and with the submitted values."""
        resent = [(name, value) for name, values in form.items() for value in values]
        asked = replace(found, values={**found.values, "asked": unanswered.questions, "resent": resent})
        return refill_form(self.request, self.show(asked, 409), form)

    def refuse(self, found: DeskPage, refused: Refusal, form: Form) -> HTMLResponse:
        """Return the page of a refused form with the submitted values."""
        return refill_form(self.request, self.show(found, 409, refused.message), form)

    def record(self, tournament: str, form: Form) -> None:
        """Record the events of the form in one transaction. Raises: Refusal."""
        desk, why = self.core.tournaments, field_value(form, "why")
        state = desk.state(tournament)
        event = field_value(form, "event")
        if self.session.role == "entry_desk" and event not in ENTRY_DESK_EVENTS:
            raise Forbidden
        if event == "enter_many":
            entered = parse_entries(form, state)
            questions.ask(questions.about_entries(entered, state), form)
            desk.decide(tournament, entered, self.session.name)
        elif event == "proposal":
            proposed = {proposal_id(fact): fact for fact in desk.proposals(tournament)}
            taken = [proposed[seen] for seen in form.get("seen", ()) if seen in proposed]
            if not taken or len(taken) < len(form["seen"]):
                raise Refusal("stale", Message("web.refusal.stale"))
            self._ask(tournament, form, *taken)
            desk.decide(tournament, taken, self.session.name, why)
        elif event == "count":
            epoch = whole_field(form, "epoch", "count", "epoch", 1)
            journal = field_value(form, "of_table"), epoch
            desk.count_journal(journal, MatchRef(tournament, field_value(form, "match")), self.session.name, why)
        elif event == "settle":
            self._settle(tournament, form, why)
        elif event == "keep":
            desk.decide(tournament, self.desk.keep(tournament, form), self.session.name, why)
        else:
            fact = parse_fact(form, state, self.dependencies.now)
            self._ask(tournament, form, fact)
            desk.decide(tournament, self._with_lots(fact, state), self.session.name, why)

    def _ask(self, tournament: str, form: Form, *facts: fa.Fact) -> None:
        """Raise `Unanswered` if an event looks like a mistake and the form does not say that it is none."""
        questions.ask([each for fact in facts for each in self._doubts(tournament, fact)], form)

    def _doubts(self, tournament: str, fact: fa.Fact) -> Sequence[questions.DeskQuestion]:
        """Return what the organiser is asked about an event before it is recorded."""
        desk = self.core.tournaments
        state = desk.state(tournament)
        if rules.decide(state, fact) is not None:
            return ()  # refused anyway, with its reason
        others = [row for row in desk.all() if row.id != tournament and not row.archived and not row.over]
        calls = {row.name: desk.state(row.id).calls for row in others} if isinstance(fact, fa.Call) else {}
        return (
            *questions.about_play(fact, state, tournament, self.core.views),
            *questions.about_score(fact, state),
            *questions.about_table(fact, calls),
            *questions.about_entries([fact], state),
            *questions.about_withdrawal(fact, state),
        )

    def _settle(self, tournament: str, form: Form, why: str) -> None:
        """Record the ruling about a dispute: the journal's result counts, or the match is played again.

        Raises: Refusal, also of a dispute that has changed or ended since.
        """
        names = Names(self.locale, self.core.tournaments.state(tournament), self.core.tournaments.progress(tournament))
        seen = field_value(form, "seen")
        disputes = self.desk.disputes(names, tournament)
        found = next((each for each in disputes if f"{each.notice.id}/{each.live.journal.seq}" == seen), None)
        choice = field_value(form, "choice")
        if found is None or choice not in ("stands", "again"):
            raise Refusal("stale", Message("web.refusal.stale"))
        if not why:
            raise validation.refusal("missing_field", place="rule", field="why")
        journal = found.live.journal
        act = self.core.tournaments.count_journal if choice == "stands" else self.core.tournaments.replay_match
        act((journal.table, journal.epoch), MatchRef(tournament, found.match.id), self.session.name, why)

    def _with_lots(self, fact: fa.Fact, state: TournamentState) -> fa.Fact:
        """Draw the lots of an answer that asks for them; the order of the form does not count."""
        if not isinstance(fact, fa.Rule) or fact.choice != "lot":
            return fact
        asked = rules.find_question(state, fact.question)
        return replace(fact, order=tuple(SystemRandom().sample(asked.entries, len(asked.entries))))

    # Forms of the hub itself. Each returns the address of the next page, or a page to show once. They raise
    # `Refusal`.

    def create(self, form: Form) -> str:
        """Create a tournament, and keep its form as a template if asked to."""
        created = self.core.tournaments.create(plan_fields(form), self.session.name)
        if field_value(form, "template") == "1":
            fields = {name: each for name, each in form.items() if name not in plan_form.NOT_IN_TEMPLATES}
            self.core.plan_templates.keep(field_value(form, "name"), fields)
        return f"/desk/t/{created}/entries"

    def remove_template(self, form: Form) -> str:
        """Remove a template of tournaments."""
        if not self.core.plan_templates.remove(field_value(form, "template")):
            raise missing_refusal()
        return "/desk"

    def dismiss(self, form: Form) -> str:
        """Dismiss a notice."""
        found = parse_number(field_value(form, "notice"))
        if not isinstance(found, int) or not self.core.tournaments.dismiss(found, self.session.name):
            raise missing_refusal()
        return "/desk"

    def choose(self, form: Form) -> str:
        """Choose which journal of a copied card counts."""
        table = field_value(form, "of_table")
        epoch, branch, journal = (parse_number(field_value(form, name)) for name in ("epoch", "branch", "journal"))
        if not isinstance(epoch, int) or not isinstance(branch, int) or not isinstance(journal, int):
            raise missing_refusal()
        if (table, epoch, branch) not in [(each.table, each.epoch, each.branch) for each in self.core.views.journals()]:
            raise missing_refusal()
        self.core.tournaments.choose_branch(table, epoch, branch, self.session.name, journal)
        return "/desk"

    def register(self, form: Form) -> str:
        """Register a table, or change its number and name."""
        place = whole_field(form, "number", "table", "number", 1, MAX_TABLE_NUMBER)
        id = field_value(form, "id") or f"table-{place}"
        known = next((each for each in self.core.tables.all() if each.id == id), None)
        again = field_value(form, "again") == "1"
        if known is None and again:
            raise missing_refusal()  # another organiser removed it after this page was loaded
        if known is not None and not again:
            args = {"number": known.number, "name": known.name or known.id}
            raise Refusal("table_there", Message("web.refusal.table_there", args))
        self.core.tables.register(id, place, field_value(form, "name"))
        return "/desk/tables"

    def remove(self, form: Form) -> str:
        """Remove a table."""
        table = field_value(form, "of_table")
        if not self.core.tables.known(table):
            raise missing_refusal()
        self.core.tables.remove(table)
        self.dependencies.revoked(table)
        return "/desk/tables"

    def issue(self, form: Form) -> DeskPage:
        """Issue a key, shown once with its QR code."""
        role, table = field_value(form, "role"), field_value(form, "of_table") or None
        known = table is not None and self.core.tables.known(table)
        if role not in ROLES or (table is not None and not known) or (role not in DESK_ROLES and table is None):
            raise Refusal("key_of_table", Message("web.refusal.key_of_table"))
        label = validation.check_text(field_value(form, "label"), "key", "label", most=validation.MAX_NAME_LENGTH)
        if role == "table" and table is not None:
            key, text = self._admit(table, label)
        else:
            key = self.core.keys.issue(role, None if role in DESK_ROLES else table, label)
            text = f"{self.dependencies.address}/join?key={key}"
        values = {"role": role, "of_table": table, "label": label, "text": text, "key": key}
        values |= {
            "link": self.dependencies.link,
            "row": next((x for x in self.core.tables.all() if x.id == table), None),
        }
        return DeskPage("desk_key.html", "web.key.new", values | {"code": drawing.qr_code(text)})

    def _admit(self, table: str, label: str) -> tuple[str, str]:
        """Admit a table with a new key. Returns its token, and the text of its QR code."""
        self.core.keys.revoke_all("table", table)  # the broker knows one key per table: the newest
        return self.dependencies.admitted(table, self.core.keys.issue("table", table, label))

    def pair(self, form: Form) -> str:
        """Let in the table that shows this code, as a known table or as a new one."""
        pairing, link, table = self.site.pairing, self.dependencies.link, field_value(form, "of_table")
        found = pairing.find(field_value(form, "code"))
        if link is None or (table and not self.core.tables.known(table)):
            raise missing_refusal()
        if not table:
            number = whole_field(form, "number", "table", "number", 1, MAX_TABLE_NUMBER)
            table = self.core.tables.register(f"table-{number}", number).id
        pairing.approve(found, link, self._admit(table, "")[0])
        return "/desk/tables"

    def turn_away(self, form: Form) -> str:
        """Turn away a table that asks to join."""
        if not self.site.pairing.refuse(field_value(form, "request")):
            raise missing_refusal()
        return "/desk/tables"

    def revoke(self, form: Form) -> str:
        """Revoke a key."""
        found = next((each for each in self.core.keys.all() if str(each.id) == field_value(form, "key")), None)
        if found is None or found.role == "set_up":
            raise missing_refusal()
        self.core.keys.revoke(found.id)
        if found.role == "table" and found.table:
            self.dependencies.revoked(found.table)
        return "/desk/tables"

    def referee_pin(self, form: Form) -> str:
        """Give all tables a PIN for the referee, or take it back."""
        take_back = field_value(form, "take_back") == "1"
        self.core.tables.set_referee_pin(None if take_back else field_value(form, "pin"))
        return "/desk/tables"

    def terms(self, form: Form) -> str:
        """Set the retention periods."""
        names, pictures = (
            whole_field(form, f"{kind}_days", "terms", "days", 0, MAX_RETENTION_DAYS) for kind in ("names", "pictures")
        )
        self.core.retention.set_terms(RetentionTerms(names, pictures))
        return "/desk/data"

    def pictures(self, form: Form) -> str:
        """Delete all pictures."""
        _check_confirmed(form)
        self.core.retention.forget_pictures(None, self.session.name)
        return "/desk/data"


ACTIONS: dict[str, tuple[Callable[[DeskContext, Form], str | DeskPage], Callable[[DeskPages], DeskPage]]] = {
    "template": (DeskContext.remove_template, DeskPages.first),
    "notice": (DeskContext.dismiss, DeskPages.first),
    "choose": (DeskContext.choose, DeskPages.first),
    "register": (DeskContext.register, DeskPages.tables),
    "remove": (DeskContext.remove, DeskPages.tables),
    "issue": (DeskContext.issue, DeskPages.tables),
    "revoke": (DeskContext.revoke, DeskPages.tables),
    "referee_pin": (DeskContext.referee_pin, DeskPages.tables),
    "pair": (DeskContext.pair, DeskPages.tables),
    "turn_away": (DeskContext.turn_away, DeskPages.tables),
    "terms": (DeskContext.terms, DeskPages.data),
    "pictures": (DeskContext.pictures, DeskPages.data),
}
"""Form actions, each with the page that contains its form."""


def _desk(request: Request) -> DeskContext:
    return DeskContext(request)


def _own(context: Annotated[DeskContext, Depends(_desk)], form: SentForm) -> Form:
    context.check_form(context.session, form)
    return form


Organiser = Annotated[DeskContext, Depends(_desk)]
OwnForm = Annotated[Form, Depends(_own)]
"""A form with a valid CSRF token of the organiser's session. Raises: Forbidden, for any other."""

routes = APIRouter(prefix="/desk", default_response_class=HTMLResponse)
"""The routes of the desk. Each checks the session first, and each form its CSRF token."""


@routes.get("")
def first(context: Organiser) -> Response:
    """Show the tournaments, a form for a new one, and open notices."""
    return context.show(context.desk.first())


@routes.get("/new")
def new(context: Organiser, game: str = "", format: str = "", template: str = "") -> Response:
    """Show the form of a new tournament: the fields that this game and format use."""
    return context.show(context.desk.new(game, format, template))


@routes.get("/tables")
def tables(context: Organiser) -> Response:
    """Show the tables and the keys of tables and people."""
    return context.show(context.desk.tables())


@routes.get("/data")
def data(context: Organiser) -> Response:
    """Show retention periods and deletion."""
    return context.show(context.desk.data())


@routes.get("/t/{tournament}")
def overview(context: Organiser, tournament: str) -> Response:
    """Show the pending actions of a tournament."""
    return context.show(context.desk.tournament(tournament, "overview"))


@routes.get("/t/{tournament}/{page}")
def page(context: Organiser, tournament: str, page: str) -> Response:
    """Show entries, pairings, matches, history or exports of a tournament."""
    return context.show(context.desk.tournament(tournament, page))


@routes.get("/t/{tournament}/match/{match:path}")
def match(context: Organiser, tournament: str, match: str) -> Response:
    """Show a match with its actions: call, result, correction, annulment."""
    return context.show(context.desk.tournament(tournament, f"match/{match}"))


@routes.post("/t/{tournament}")
def record(context: Organiser, tournament: str, form: OwnForm) -> Response:
    """Record an event of a tournament: an entry, a draw, a call, a result, a correction, an answer."""
    page = field_value(form, "page") or "overview"
    if field_value(form, "event") == "preview":
        return context.show(context.desk.preview(tournament, form))
    try:
        context.record(tournament, form)
    except questions.Unanswered as unanswered:
        return context.ask(context.desk.page_of_form(tournament, page, form), unanswered, form)
    except Refusal as refused:
        return context.refuse(context.desk.page_of_form(tournament, page, form), refused, form)
    return redirect_to(f"/desk/t/{tournament}" + ("" if page == "overview" else f"/{page}"))


@routes.post("/t/{tournament}/archive")
def archive(context: Organiser, tournament: str, form: OwnForm) -> Response:
    """Archive a tournament, which hides it from the public pages, or restore it."""
    try:
        if not context.core.archive.set_archived(
            tournament, field_value(form, "archived") == "1", context.session.name, field_value(form, "why")
        ):
            raise missing_refusal()
    except Refusal as refused:
        return context.refuse(context.desk.tournament(tournament, "exports"), refused, form)
    return redirect_to(f"/desk/t/{tournament}/exports")


@routes.post("/t/{tournament}/forget")
def forget(context: Organiser, tournament: str, form: OwnForm) -> Response:
    """Permanently delete names, journals or pictures of a tournament."""
    state, what = context.core.tournaments.state(tournament), field_value(form, "what")
    try:
        _check_confirmed(form)
        if what == "entry" and field_value(form, "entry") not in state.entries:
            raise missing_refusal()
    except Refusal as refused:
        return context.show(context.desk.tournament(tournament, "exports"), 409, refused.message)
    retention, by = context.core.retention, context.session.name
    if what == "entry":
        retention.forget_entry(tournament, field_value(form, "entry"), by)
    elif what == "pictures":
        retention.forget_pictures(tournament, by)
    elif what == "names":
        retention.forget_tournament(tournament, by)
    else:
        raise NoSuchPage
    return redirect_to(f"/desk/t/{tournament}/exports")


@routes.post("/do/{action}")
def act(context: Organiser, action: str, form: OwnForm) -> Response:
    """Run an action on the hub itself: a new tournament, tables, keys, retention."""
    if action == "create":
        try:
            return redirect_to(context.create(form))
        except Refusal as refused:
            return context.refuse(context.desk.refused_new(form), refused, form)
    if action not in ACTIONS:
        raise NoSuchPage
    do, page = ACTIONS[action]
    try:
        done = do(context, form)
    except Refusal as refused:
        return context.refuse(page(context.desk), refused, form)
    return redirect_to(done) if isinstance(done, str) else context.show(done)
