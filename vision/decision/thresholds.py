"""Thresholds for certainty, and the minimum evidence for a question."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from math import sqrt

from vision.classification.classes import PLAIN
from vision.classification.face_nets import Classification
from vision.detection.finder import Candidate
from vision.dice_sets import Kind

_NEARLY = 0.5
"""Share of a look's top class that a face of the set must reach, or the die is treated as foreign."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Thresholds for certainty. All values are probabilities 0..1.

    A reading is certain only above these:
    - `sure`: probability of the mark.
    - `sure_if_plain`: the same if all possible faces are plain. Blur or grain can then hide no mark, and the colour has
      its own threshold.
    - `turned`: the same if the figure upside down is also on the die, and only a line or dot tells 6 from 9.
    - `coloured`: probability of the colour where only the colour distinguishes the face from another face of the die.
    - `body`: probability, by body colour, that the kind is among those that have the mark.
    - `count_prior`: probability of a kind by the requested number of each kind, if the body colour does not decide it.
    - `min_body_chance`: minimum probability of that kind by its body colour.
    - `state`: probability from which a die counts as blurred or hidden.
    - `trusted`: minimum trust in a certain reading (`vision.decision.trust`).

    A find becomes a question above these:
    - `min_evidence`: a candidate counts as a die.
    - `min_evidence_agreed`: minimum evidence where every look gives the face at least `min_agreement`.
    - `min_evidence_ambiguous`: minimum evidence for a face of the set, or one nearly as likely as another mark.
    - `min_evidence_unknown`: minimum evidence for a find with none of the set's marks.
    - `min_evidence_blank`: minimum evidence for a find with no mark at all.
    - `min_evidence_alone`: minimum evidence for the only find of a single image. A watched tray is often empty.
    - `min_die_trust`: with less trust than this, at most one find is asked about, and none if all requested dice are
      present.
    - `min_face_chance`: a face below this is not offered as possible.
    """

    sure: float = 0.75
    sure_if_plain: float = 0.5
    turned: float = 0.9
    coloured: float = 0.85
    body: float = 0.9
    count_prior: float = 0.95
    min_body_chance: float = 0.1
    state: float = 0.6
    trusted: float = 0.6
    min_evidence: float = 0.65
    min_evidence_agreed: float = 0.5
    min_evidence_ambiguous: float = 0.6
    min_agreement: float = 0.5
    min_evidence_unknown: float = 0.75
    min_evidence_blank: float = 0.85
    min_evidence_alone: float = 0.5
    min_die_trust: float = 0.5
    min_face_chance: float = 0.01

    def min_evidence_for(self, classification: Classification, known: Collection[int]) -> float:
        """Return the minimum evidence for asking about a find. `known`: the classes of the set's faces.

        A find that shows a face of the set at every look has the lowest threshold, a blank one the highest. A missed
        die costs more than a question, but each question costs some of the players' patience.
        """
        best_class = int(classification.classes[1:].argmax()) + 1
        if best_class in known:
            return (
                self.min_evidence_agreed
                if classification.min_view_chance >= self.min_agreement
                else self.min_evidence_ambiguous
            )
        if max(float(classification.classes[number]) for number in known) >= _NEARLY * float(
            classification.classes[best_class]
        ):
            return self.min_evidence_ambiguous
        return self.min_evidence_blank if best_class == PLAIN else self.min_evidence_unknown

    def min_mark_for(self, kinds: Collection[Kind], *, turned: bool) -> float:
        """Return the threshold for a certain mark among `kinds`. `turned`: upside down it is another mark."""
        sure = self.sure_if_plain if all(kind.marks == "plain" for kind in kinds) else self.sure
        return max(sure, self.turned) if turned else sure


def evidence(one: Candidate, classification: Classification) -> float:
    """Return the evidence for a die: geometric mean of the finder's score and the face networks' die probability."""
    return sqrt(max(one.score * classification.die_chance, 0.0))
