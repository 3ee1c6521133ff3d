"""Finds the sentence of the passages to put in the place of one that they do not bear out. Pure functions.

What a model tells in words that the check does not accept, or with a wrong number, mostly stands in a sentence that has
most of its other words.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from libs.contracts.answers import Citation, CitedSpan, Verdict
from libs.text.prompt_injection import APART
from services.answer.lexicon.words import stems_of
from services.answer.quoting.unit_rendering import item_body, render_prose
from services.answer.verification.claims import read_claims
from services.answer.verification.windows import ParsedSentence, WindowSource, read_passage

LEAST_SHARED: Final = 0.8
"""Least share of a sentence's words that its replacement has, with the passage's title (by hand)."""
_ROW: Final = "|"
"""A table row is no replacement: it needs its head."""
_REASON: Final = "The passage's own words stand in its place: {}"


def replaced(
    citation: Citation, sentence: str, sources: Sequence[WindowSource], quoted: Iterable[CitedSpan]
) -> Citation:
    """Return a withdrawal with the nearest sentence of the passages as replacement; unchanged if none is near.

    Args:
        citation: the withdrawal.
        sentence: what was withdrawn, without markers.
        sources: the passages, the most likely first.
        quoted: the words that the answer has cited before; they are not told again.
    """
    candidates = [(source, parsed) for source in sources for parsed in _sentences(source)]
    shares = [_share(sentence, source, parsed) for source, parsed in candidates]
    if not shares or (most := max(shares)) < LEAST_SHARED:
        return citation
    source, parsed = candidates[shares.index(most)]
    denials, others = (read_claims(text, source.language).denials for text in (sentence, parsed.text))
    span = CitedSpan(source.number, source.passage.passage_id, parsed.span, parsed.text)
    is_told = any(each.passage_id == span.passage_id and each.span.overlaps(span.span) for each in quoted)
    if is_told or bool(denials) is not bool(others):
        return citation
    text = render_prose(parsed.text[item_body(parsed.text) :])
    return Citation(citation.sentence, (span,), Verdict.VERIFIED, 1.0, _REASON.format(citation.reason), text)


def _sentences(source: WindowSource) -> Iterable[ParsedSentence]:
    sentences = read_passage(source.passage.title, source.passage.text, source.language).sentences
    return (each for each in sentences if APART not in each.text and not each.text.lstrip().startswith(_ROW))


def _share(sentence: str, source: WindowSource, parsed: ParsedSentence) -> float:
    """The share of a sentence's words that another one has; those of its title count only beside others."""
    stems = frozenset(stems_of(sentence, source.language))
    title_stems = read_passage(source.passage.title, source.passage.text, source.language).title_stems
    if not stems & (parsed.stems - title_stems):
        return 0.0
    return len(stems & (parsed.stems | title_stems)) / len(stems)
