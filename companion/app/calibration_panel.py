"""The panel beside the camera's picture on screen 15: the steps, what the present one found, what can be done now."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.calibrating import STEPS, Bench
from companion.app.figures.slots import face_mark
from companion.app.figures.words import say
from companion.app.looking import written_day
from companion.app.widgets.marks import Icon
from companion.app.widgets.push import Push
from companion.app.widgets.text import Head, Text
from companion.table.ports import LaysCard
from vision.calibration_words import WELL, Step, health_of
from vision.roll import SeenRoll

if TYPE_CHECKING:
    from companion.app.screens.calibration import CalibrationPage

_MOST_FACES = 4


def steps_list(bench: Bench, whole: bool) -> list[Widget]:
    """The steps one under the other: those that are done with a check, the present one in brass; it alone, unless the
    `whole` list has room."""
    rows: list[Widget] = []
    for number, step in enumerate(STEPS, 1):
        if not whole and step is not bench.step:
            continue
        now, done = step is bench.step, step in bench.done and bench.done[step].done
        tone = "laiton" if now else "craie" if done else "craie3"
        row = BoxLayout(size_hint_y=None, height=dp(27), spacing=dp(8))
        if done and not now:
            row.add_widget(Icon("check", side=22, tone=tone, pos_hint={"center_y": 0.5}))
        else:
            row.add_widget(Head(str(number), kind="corps", tone=tone, size_hint_x=None, width=dp(22), flow="box"))
        words = (Head if now else Text)(say(f"calibration.name.{step}"), kind="corps", tone=tone, flow="box")
        words.halign, words.valign = "left", "middle"
        row.add_widget(words)
        rows.append(row)
    return rows


def told(bench: Bench) -> list[Widget]:
    """What the step found, in words, and what could be better."""
    if bench.busy is not None:
        return [_words(f"calibration.busy.{bench.busy}")]
    if bench.kept:
        return _kept(bench)
    if bench.step is Step.TRY and bench.corners_known:
        return _trial(bench)
    done = bench.done.get(bench.step)
    if done is None:
        return []
    words = [_words(f"calibration.{'found' if done.done else 'failed'}.{bench.step}")]
    poor = [finding for finding in done.findings if finding.score < WELL]
    if done.done or bench.step is Step.LIGHT:
        words += [_words(f"calibration.mend.{finding.aspect}", tone="laiton") for finding in poor]
    return words


def pushes(bench: Bench, page: CalibrationPage) -> list[Push]:
    """The buttons of this moment, the usual one last."""
    if bench.busy is not None:
        return []
    if bench.kept:
        return [_push("calibration.done", page.app.back, look="chalk", icon="check")]
    if bench.step is Step.TRY and bench.corners_known:
        return _trial_pushes(bench, page)
    found = [_push("calibration.lay_card", page.lay_card, icon="plus")] if _lays(bench, Step.CARD) else []
    step, done = bench.step, bench.done.get(bench.step)
    found.append(_push(f"calibration.again.{step}", lambda: page.begin(step), icon="target"))
    if done is not None and done.done and step is not Step.TRY:
        found.append(_push(f"calibration.next.{step}", page.go_on, look="chalk", end="right"))
    elif step is Step.CARD:
        found.append(_push("calibration.without_card", page.go_on, end="right"))
    return found


def _trial_pushes(bench: Bench, page: CalibrationPage) -> list[Push]:
    if bench.seen is not None and not bench.judged:
        return [
            _push("calibration.no", lambda: page.judge(False), icon="cross"),
            _push("calibration.yes", lambda: page.judge(True), look="chalk", icon="check"),
        ]
    found = [_push("calibration.throw_one", page.throw, icon="roll")] if _lays(bench, Step.TRY) else []
    return [*found, _push("calibration.keep", page.keep, look="chalk" if bench.trials else "outlined", icon="disk")]


def _trial(bench: Bench) -> list[Widget]:
    words: list[Widget] = []
    if bench.seen is None:
        words.append(_words("calibration.lay_die"))
    elif bench.judged:
        words.append(_words("calibration.wrong" if bench.misread else "calibration.right"))
    else:
        words += [_words("calibration.read"), _faces(bench.seen)]
    if bench.trials:
        words.append(_words("calibration.trials", tone="craie2", right=bench.right, n=bench.trials))
    return words


def _kept(bench: Bench) -> list[Widget]:
    if bench.fault:
        return [_words("calibration.not_kept", tone="laiton")]
    figure, mend = health_of(bench.findings())
    words = [
        _words("calibration.kept", day=written_day(bench.made[:10]), camera=bench.camera),
        Head(say("calibration.figure", figure=figure), kind="titre", halign="left"),
    ]
    if mend is not None:
        words.append(_words(f"calibration.mend.{mend}", tone="laiton"))
    if bench.in_match:
        words.append(_words("calibration.clear_first", tone="laiton"))
    return words


def _faces(seen: SeenRoll) -> BoxLayout:
    """The faces that were read, as they are drawn everywhere."""
    row = BoxLayout(size_hint_y=None, height=dp(60), spacing=dp(8))
    for die in seen.roll.dice[:_MOST_FACES]:
        row.add_widget(face_mark(die.face, 54, die.kind))
    row.add_widget(Widget())
    return row


def _words(id: str, tone: str = "craie", **args: Any) -> Widget:
    return Text(say(id, **args), halign="left", tone=tone)


def _lays(bench: Bench, step: Step) -> bool:
    """Whether what is done by hand at a real table is done by a tap here."""
    reader: object = bench.reader
    return bench.step is step and isinstance(reader, LaysCard)


def _push(word: str, act: Callable[[], Any], look: str = "outlined", icon: str = "", end: str = "") -> Push:
    push = Push(say(word), look=look, icon=icon, end=end)
    push.bind(on_tap=lambda *_: act())
    return push
