"""Compares words that have an opposite: `first` and `last`, `before` and `after`, `rose` and `fell`, `more` and `less`.

Each word is compared with the source word in the same position, because a long sentence may have both opposites.
General English only.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

from services.answer.verification.alignment import Spot, StemOccurrence, fits_another_better, spot

_OPPOSITES = """
first earliest / last final latest
before ahead earlier prior / after following later afterwards
more over above exceeds exceeded exceeding / less fewer under below beneath
largest biggest greatest high highest longest strongest heaviest most /
smallest low lowest shortest weakest lightest least
oldest / newest youngest
north northern / south southern
east eastern / west western
increase increases increased increasing rise rises rose risen rising grow grows grew grown growing grew gained /
decrease decreases decreased decreasing fall falls fell fallen falling shrink shrank shrinking decline declined dropped
faster quicker / slower
heavier / lighter
thicker / thinner
richer / poorer
older / younger
hot hotter warm warmer / cold colder cool cooler
closer nearer near / farther further far
longer / shorter
high higher / low lower
larger bigger greater / smaller
better best / worse worst
stronger / weaker
many / few
succeeded success successful successfully / failed failure unsuccessful unsuccessfully
arrived entered / departed left
day daytime / night nighttime
inner inside / outer outside
early soon / late
won / lost
accepted approved accept approve / rejected refused reject refuse
open opened / closed shut
began begun started start begin / ended stopped finished end
upper / lower
left / right
alive / dead
maximum / minimum
true / false
manned crewed / unmanned uncrewed
thick / thin
strong / weak
bright light / dark
positive / negative
forwards forward / backwards backward
useful / useless
always / never
include includes including included / exclude excludes excluding excluded
allowed permitted allow / prohibited forbidden banned prohibit
above / below
easily / barely hardly
"""
_WORD = re.compile(r"[^\W\d_]+")


def opposite_word(
    claim: str, claim_stems: tuple[StemOccurrence, ...], evidence: str, evidence_stems: tuple[StemOccurrence, ...]
) -> str | None:
    """Return the first word of the claim that the source replaces by an opposite; None if there is none."""
    side_words, evidence_words = _side_words(claim), _side_words(evidence)
    words = {match[0].lower() for match in side_words}
    for match in side_words:
        contrary, same_side = _sides()[match[0].lower()]
        opposite_positions = _spots(evidence_stems, evidence_words, contrary)
        if not opposite_positions or not contrary.isdisjoint(words):
            continue  # no opposite in the source, or both in the claim, in any order
        same_positions, position = _spots(evidence_stems, evidence_words, same_side), spot(claim_stems, *match.span())
        if not _beside_same(position, same_positions) and (
            not same_positions or fits_another_better(position, same_positions, opposite_positions)
        ):
            return match[0].lower()
    return None


def _beside_same(position: Spot, same: list[Spot]) -> bool:
    """Whether the same word precedes the same next word in the source."""
    return any(position.after[:1] == other.after[:1] for other in same)


def _side_words(text: str) -> list[re.Match[str]]:
    """The words in a text that have an opposite."""
    return [match for match in _WORD.finditer(text) if match[0].lower() in _sides()]


def _spots(stems: tuple[StemOccurrence, ...], words: list[re.Match[str]], targets: frozenset[str]) -> list[Spot]:
    """The positions of the wanted words."""
    return [spot(stems, *match.span()) for match in words if match[0].lower() in targets]


@lru_cache(maxsize=1)
def _sides() -> Mapping[str, tuple[frozenset[str], frozenset[str]]]:
    """Map a word to its opposites and to the words on its own side."""
    sides_by_word: dict[str, tuple[frozenset[str], frozenset[str]]] = {}
    for line in _OPPOSITES.replace("/\n", "/ ").strip().split("\n"):
        first, second = (frozenset(side.split()) for side in line.split("/"))
        for side, contrary in ((first, second), (second, first)):
            for word in side:
                entry = sides_by_word.get(word, (frozenset(), frozenset()))
                sides_by_word[word] = (entry[0] | contrary, entry[1] | side)
    return sides_by_word
