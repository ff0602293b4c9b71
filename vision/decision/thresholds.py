"""Where certainty begins, and from which evidence a find is worth a question."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from math import sqrt

from vision.classification.classes import PLAIN
from vision.classification.face_nets import Look
from vision.detection.finder import Candidate
from vision.dice_sets import Kind

_NEARLY = 0.5
"""Share of what a look names first that a face of the set must have, for the die not to be taken for a stranger."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Where certainty begins. All values are chances 0..1.

    `sure`: a face's mark is certain from here on, `sure_if_plain` where all faces that may lie there are plain ones:
    what blur or grain might hide is then not there, and the colour has a threshold of its own; `sure_if_faint` where
    the finder's score is under `firm`, and `sure_if_blank` if it shows none and no number awaited speaks for it: much
    that is no die is as plain; `sure_if_lonely` where it gives to none in the picture as much as `telling` and nothing
    else says that dice lie there, `turned` where the die has the same figure upside down, and only a line or dot tells
    6 from 9. `steady`: to this a face's chance must come in one place at least, times the finder's mean score at many
    sizes, for pips to be certain where it gives to none as much as `telling_pips`: much that is no die has spots.
    `coloured`: so likely the colour must be where only it tells the face from another one of the die. `body`: so likely
    the kind must be among those that have the mark, by its body's colour. `counted`: so likely the number
    awaited of each kind must make a kind that the body's colour does not tell, and that this colour gives `faint` at
    least. `agreed`: every single look must give the mark this much, `agreed_if_blank` where `sure_if_blank` holds.
    `ruled_out`: a face under this is not offered as possible. `die`: from here on a candidate is taken for a die;
    between `trace` and it the evidence is enough to ask where every look gives the face `agreed_on`, from `torn` on
    where it shows a face of the set, or one nearly as likely as another mark. What shows none of the set's marks is
    asked about from `stranger`, or from `blank` if it shows nothing at all; where nothing else is found in a picture by
    itself, anything from `alone` (a tray that is watched lies empty often enough). `found`: least score of the finder
    for a die that is certain; where as many lie there as are awaited, a face to which every look gives `clear` needs
    none. Where another find is firm, one to which every look gives `distinct` is a die though the finder gives it
    little. `state`: from here on a die counts as blurred or hidden. `trusted`: the least trust in a certain reading;
    `passed_over`: where exactly the dice awaited are certain, what is trusted less than this to be a die is dropped
    (both `vision.decision.trust`).
    """

    sure: float = 0.75
    sure_if_plain: float = 0.5
    sure_if_faint: float = 0.8
    sure_if_blank: float = 0.9
    sure_if_lonely: float = 0.85
    telling: float = 0.7
    steady: float = 0.5
    telling_pips: float = 0.9
    turned: float = 0.9
    coloured: float = 0.85
    agreed: float = 0.05
    agreed_if_blank: float = 0.8
    body: float = 0.9
    ruled_out: float = 0.01
    die: float = 0.65
    trace: float = 0.5
    torn: float = 0.6
    agreed_on: float = 0.5
    stranger: float = 0.75
    blank: float = 0.85
    alone: float = 0.5
    found: float = 0.35
    clear: float = 0.95
    distinct: float = 0.97
    firm: float = 0.6
    counted: float = 0.95
    faint: float = 0.1
    state: float = 0.6
    trusted: float = 0.6
    passed_over: float = 0.5

    def least_evidence(self, look: Look, known: Collection[int]) -> float:
        """The evidence from which a find is asked about at least; `known`: the classes that the set's faces have.

        What shows a face of the set at every look is worth a question soonest, what shows nothing at all latest: a die
        that is lost in silence costs more than a question, and each thing that is asked about costs some patience.
        """
        shown = int(look.classes[1:].argmax()) + 1
        if shown in known:
            return self.trace if look.least >= self.agreed_on else self.torn
        if max(float(look.classes[number]) for number in known) >= _NEARLY * float(look.classes[shown]):
            return self.torn
        return self.blank if shown == PLAIN else self.stranger

    def needed(
        self,
        score: float,
        look: Look,
        kinds: Collection[Kind],
        *,
        turned: bool,
        lonely: bool,
        due: bool,
    ) -> tuple[float, float]:
        """From which chance a mark is certain among `kinds`, and what every look must give it at least.

        `score` is the finder's. `turned`: upside down the mark is another one; `lonely`: nothing else in the picture
        says that dice lie there; `due`: as many dice as are awaited do.
        """
        sure, agreed = self.sure, self.agreed
        if all(kind.marks == "plain" for kind in kinds):
            sure = self.sure_if_plain
        if turned:
            sure = max(sure, self.turned)
        if lonely:
            sure = max(sure, self.sure_if_lonely)
        if score < self.firm:
            blank = not due and int(look.classes.argmax()) == PLAIN
            sure = max(sure, self.sure_if_blank if blank else self.sure_if_faint)
            agreed = self.agreed_if_blank if blank else agreed
        return sure, agreed


def evidence(one: Candidate, look: Look) -> float:
    """How much speaks for a die here: the mean (geometric) of the finder's score and the face nets' chance of a die."""
    return sqrt(max(one.score * look.die, 0.0))
