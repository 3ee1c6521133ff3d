"""Citations: the markers in the text, and the words of a passage behind them, exact to the character.

A marker stands right behind the stop of its sentence, as in `It landed in 1969.[2]`: so the sentence stays in one
piece, and a splitter of sentences keeps the two together.
"""

import re
from collections.abc import Iterable, Mapping

from services.answer.sentences import EvidenceSentence
from services.answer.subquestions import Computed
from services.vocabulary.answers import Citation, CitedSpan, Verdict
from services.vocabulary.evidence import Passage

_MARKERS = re.compile(
    r"\s*(?:\[\d{1,3}(?:\s*[,;]\s*\d{1,3})*\]\s*)+(?=[.!?…,;:]|\s|\Z)|\s*\[\d{1,3}(?:\s*[,;]\s*\d{1,3})*\]"
)
_NUMBERS = re.compile(r"\d+")


def marked(text: str, numbers: Iterable[int]) -> str:
    """A sentence with its markers."""
    return text + "".join(f"[{number}]" for number in dict.fromkeys(numbers))


def unmarked(text: str) -> tuple[str, tuple[int, ...]]:
    """A sentence without its markers, wherever they stand in it, and their numbers in order."""
    numbers = tuple(int(number) for marker in _MARKERS.findall(text) for number in _NUMBERS.findall(marker))
    return _MARKERS.sub("", text).strip(), tuple(dict.fromkeys(numbers))


def cite_quote(number: int, sentence: EvidenceSentence) -> Citation:
    """The citation of a quoted sentence, checked like any other: its words must stand in its passage."""
    reference = sentence.reference
    cited = CitedSpan(reference.number, sentence.passage.passage_id, sentence.span, sentence.quote)
    if stands_in(sentence.text, cited, sentence.passage):
        return Citation(number, (cited,), Verdict.VERIFIED, 1.0, "The sentence stands in the passage.")
    reason = "The words do not stand in the passage."
    return Citation(number, (cited,), Verdict.WITHDRAWN, 0.0, reason, replacement="")


def cite_computed(number: int, computed: Computed, passages: Mapping[int, Passage]) -> Citation | None:
    """The citation of a computed sentence: the words that its values were taken from, as far as they stand in their
    passages; None where none does. The sentence itself stands nowhere, and the reason says so.

    Args:
        number: the sentence's place in its answer, from 1.
        computed: the values' sources, numbered.
        passages: the references' passages by number.
    """
    cited = tuple(
        span
        for span in computed.sources
        if span.number in passages and span.quote and span.span.of(passages[span.number].text) == span.quote
    )
    if not cited:
        return None
    return Citation(number, cited, Verdict.VERIFIED, 1.0, f"Computed from the cited words ({computed.function}).")


def stands_in(sentence: str, cited: CitedSpan, passage: Passage) -> bool:
    """Whether the span holds the quote, and the quote the sentence, but for white space."""
    return cited.span.of(passage.text) == cited.quote and " ".join(cited.quote.split()) == " ".join(sentence.split())
