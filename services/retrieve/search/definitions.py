"""The order for a question of what something is: what opens its page or section, and what tells it, comes first.

"What is Sentinel?" fits every passage of the page on Sentinel, and the first of them least, for it names it least. So a
passage gets a bonus, a weighted sum of features in [0, 1]. Their weights are stored in `definitions.json` beside this
module, with what they were chosen on and what that gave. Pure functions.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

import numpy as np
from numpy.typing import NDArray

from libs.contracts.evidence import Passage
from libs.text.definitions import Thing, definiteness, share_named

WEIGHTS: Final = "definitions.json"
FEATURES: Final = ("title", "heading", "told")
"""How much of the title, of the document that a passage opens, names the thing; the same of the heading of the section
that it opens; and how surely a sentence tells what the thing is."""
READ: Final = 200
"""The best candidates, whose texts are read (taste)."""


@dataclass(frozen=True, slots=True)
class DefinitionOrder:
    """The order by weighted features."""

    weights: NDArray[np.float64]
    """One for each feature, in the order of FEATURES."""

    @classmethod
    def load(cls) -> "DefinitionOrder":
        """Read the weights that are part of this package."""
        chosen = json.loads((files(__package__) / WEIGHTS).read_text(encoding="utf-8"))
        return cls(np.array([chosen["weights"][name] for name in FEATURES], np.float64))

    def bonuses(
        self, thing: Thing, passages: Sequence[Passage | None], before: Sequence[Passage | None]
    ) -> NDArray[np.float64]:
        """What is added to the fused score of each passage; `before` has what precedes each in its document, if any."""
        features = [_features(thing, *each) for each in zip(passages, before, strict=True)]
        bonuses: NDArray[np.float64] = np.array(features, np.float64).reshape(-1, len(FEATURES)) @ self.weights
        return bonuses


def _features(thing: Thing, passage: Passage | None, before: Passage | None) -> tuple[float, float, float]:
    if passage is None:
        return 0.0, 0.0, 0.0
    opens_document = before is None or before.document_id != passage.document_id
    opens_section = opens_document or (before is not None and before.headings != passage.headings)
    title = share_named(thing, passage.title) if opens_document else 0.0
    heading = share_named(thing, passage.headings[-1]) if opens_section and passage.headings else 0.0
    return title, heading, definiteness(thing, passage.text)
