"""Near duplicates: documents that say the same are shown once, with all of them listed. Pure functions.

The best-ranked passage of a group stays in the list, and the others are attached to it as further sources. Nothing is
dropped, because dropping lowers quality (nDCG@10 of the benchmark MTRAG: .430 -> .397 at cosine .8).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from libs.contracts.evidence import Passage
from libs.documents.rendering import plain_words
from libs.text.said import names_beyond, numbers_beyond
from services.retrieve.search.sameness import tell_the_same


@dataclass(frozen=True, slots=True)
class GroupMember:
    """A further passage of a group: its position in the ranked list and its cosine to the head."""

    position: int
    similarity: float


@dataclass(frozen=True, slots=True)
class DuplicateGroup:
    """A passage and those that say the same, as positions in the ranked list."""

    head: int
    duplicates: tuple[GroupMember, ...] = ()


Sameness: TypeAlias = Callable[[int, Sequence[GroupMember]], Sequence[GroupMember]]
"""Those of some passages, which read like that of a position, that say the same as it."""


def group_near_duplicates(
    vectors: NDArray[np.float32], threshold: float, limit: int, same: Sameness
) -> Sequence[DuplicateGroup]:
    """Group a ranked list by cosine similarity and by what its passages say.

    Visits passages from the best down. Each ungrouped passage heads a new group, which takes all later ungrouped
    passages that are similar to it and say the same. Each head is compared by itself, so the first few groups of a long
    list are cheap, and `same` is asked only about similar passages.

    Args:
        vectors: unit vectors in rank order, shape (passages, width); an all-zero row is similar to nothing.
        threshold: least cosine of a duplicate, in (0, 1].
        limit: stop after this many groups.
        same: which similar passages say the same; a cosine hardly depends on a number or on `not`.

    Returns:
        Groups in rank order of their heads; no position occurs twice.
    """
    free = np.ones(len(vectors), dtype=bool)
    groups: list[DuplicateGroup] = []
    for head in range(len(vectors)):
        if free[head] and len(groups) < limit:
            free[head] = False
            similar = head + np.flatnonzero(free[head:] & (vectors[head:] @ vectors[head] >= threshold))
            # Computed one by one: the last bits of a product of matrices depend on how many passages there are.
            members = [GroupMember(at, float(np.vdot(vectors[at], vectors[head]))) for at in similar.tolist()]
            duplicates = tuple(same(head, members)) if members else ()
            free[[member.position for member in duplicates]] = False
            groups.append(DuplicateGroup(head, duplicates))
    return groups


def say_the_same(first: Passage, second: Passage) -> bool:
    """Whether two passages that read alike are of different documents and tell the same, of the same things."""
    if first.document_id == second.document_id:
        return False
    text, other_text, language = _words(first.text), _words(second.text), first.language
    place, other_place = ("\n".join((each.title, *each.headings)) for each in (first, second))
    return (
        tell_the_same(text, other_text, language)
        and _names_no_more(place, f"{other_place}\n{other_text}", language)
        and _names_no_more(other_place, f"{place}\n{text}", language)
    )


@lru_cache(maxsize=4096)  # taste
def _words(text: str) -> str:
    return plain_words(text)


def _names_no_more(place: str, known: str, language: str) -> bool:
    """Whether a title and headings have no name or number beyond a text."""
    beyond = (*names_beyond(place, [known], language), *numbers_beyond(place, [known], language))
    return not beyond
