"""Statistics charts: face counts of each side's dice, and the luck of each side over time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from companion.language import Language
from companion.table.history import DieCount, HistoryTally
from vision.files import write_atomically

GREEN, BRASS, RED, GREY = "#1F5C3F", "#B8862F", "#B51C22", "#6B6B6B"
COLOURS = (GREEN, RED, BRASS, "#1F6CEE", "#4B1A84", "#EE6C0C", "#2FBD88", GREY)
COLUMNS = 3
DIE_CHART_INCHES = (4.2, 2.8)
"""Size of one die's chart in inches."""

LUCK_CHART_INCHES = (8.0, 2.6)
"""Size of one measure's chart in inches."""

DOTS_PER_INCH = 110
"""Pixels per inch."""


def draw_charts(totals_by_game: Mapping[str, HistoryTally], folder: Path, language: Language) -> Iterator[Path]:
    """Write PNG files into a folder, created if missing, and yield their paths. Raises: OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    for game, totals in totals_by_game.items():
        dice = [die for die in totals.dice.values() if die.counts]
        if dice:
            yield _dice_chart(dice, folder / f"{game}-dice.png", language)
        if any(side.course for side in totals.sides.values()):
            yield _expected_vs_actual_chart(totals, folder / f"{game}-luck.png", language)


def _dice_chart(dice: Sequence[DieCount], path: Path, language: Language) -> Path:
    """Draw a chart for each kind of each side: bars for the counts, lines for the expected values."""
    columns = min(COLUMNS, len(dice))
    rows = -(-len(dice) // columns)
    figure = Figure(figsize=(DIE_CHART_INCHES[0] * columns, DIE_CHART_INCHES[1] * rows), layout="constrained")
    grid = figure.subplots(rows, columns, squeeze=False)
    for axes in grid.flat[len(dice) :]:
        axes.set_visible(False)
    for axes, die in zip(grid.flat, dice, strict=False):
        _faces(axes, die, len(dice), language)
    return _save(figure, path)


def _faces(axes: Axes, die: DieCount, tests: int, language: Language) -> None:
    tested = die.fairness
    faces = list(die.probabilities)
    places = range(len(faces))
    axes.bar(
        places, [die.counts[face] for face in faces], color=RED if tested.is_suspicious(tests) else GREEN, width=0.7
    )
    expected = [float(die.probabilities[face] * tested.throws) for face in faces]
    axes.hlines(expected, [place - 0.45 for place in places], [place + 0.45 for place in places], color=BRASS, lw=2)
    axes.set_xticks(list(places), faces)
    name = _escape_formula(f"{die.side}, {die.kind}" if die.side else die.kind)
    chance = language.decimal(f"{tested.p_value:.3f}")
    axes.set_title(f"{name}\n{language('cli.stats.picture', n=tested.throws, p=chance)}", fontsize=9)
    axes.spines[["top", "right"]].set_visible(False)


def _expected_vs_actual_chart(totals: HistoryTally, path: Path, language: Language) -> Path:
    """Draw the accumulated luck, throw by throw, a chart for each measure."""
    measures = list(dict.fromkeys(what for side in totals.sides.values() for what in side.course))
    figure = Figure(figsize=(LUCK_CHART_INCHES[0], LUCK_CHART_INCHES[1] * len(measures)), layout="constrained")
    grid = figure.subplots(len(measures), 1, squeeze=False)
    for axes, what in zip(grid.flat, measures, strict=True):
        for index, (name, side) in enumerate(totals.sides.items()):
            course = [0.0, *map(float, side.course.get(what, []))]
            if len(course) > 1:
                axes.step(
                    range(len(course)),
                    course,
                    where="post",
                    label=_escape_formula(name),
                    color=COLOURS[index % len(COLOURS)],
                )
        axes.axhline(0, color=GREY, lw=0.8)
        axes.set_title(language(f"cli.stats.what.{what}"), fontsize=10)
        axes.set_xlabel(language("cli.stats.tries"), fontsize=8)
        axes.set_ylabel(language("cli.stats.luck"), fontsize=8)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.legend(fontsize=8, frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))
        axes.spines[["top", "right"]].set_visible(False)
    return _save(figure, path)


def _escape_formula(name: str) -> str:
    """Escape a name so that matplotlib does not parse it as a formula."""
    return name.replace("$", r"\$")


def _save(figure: Figure, path: Path) -> Path:
    picture = BytesIO()
    figure.savefig(picture, format="png", dpi=DOTS_PER_INCH)
    write_atomically(path, picture.getvalue())
    return path
