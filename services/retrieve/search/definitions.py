"""What a question of what something is lifts: what opens its page or section, and what tells it. Pure functions.

"What is Sentinel?" fits every passage of the page on Sentinel, and the first of them least, for it names it least.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from libs.contracts.evidence import Passage
from services.retrieve.search.defining import Thing, definiteness, share_named
from services.retrieve.search.ranking import DefinitionBoosts


def bonuses(
    thing: Thing, passages: Sequence[Passage | None], before: Sequence[Passage | None], boosts: DefinitionBoosts
) -> NDArray[np.float64]:
    """What is added to the fused score of each passage; `before` has what precedes each in its document, if any."""
    return np.array([_bonus(thing, *each, boosts) for each in zip(passages, before, strict=True)], np.float64)


def _bonus(thing: Thing, passage: Passage | None, before: Passage | None, boosts: DefinitionBoosts) -> float:
    if passage is None:
        return 0.0
    opens_document = before is None or before.document_id != passage.document_id
    opens_section = opens_document or (before is not None and before.headings != passage.headings)
    title = share_named(thing, passage.title) if opens_document else 0.0
    heading = share_named(thing, passage.headings[-1]) if opens_section and passage.headings else 0.0
    return boosts.title * title + boosts.heading * heading + boosts.told * definiteness(thing, passage.text)
