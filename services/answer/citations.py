"""Citations: the markers in the text, and the words of a passage behind them, exact to the character.

A marker stands right behind the stop of its sentence, as in `It landed in 1969.[2]`: so the sentence stays in one
piece, and a splitter of sentences keeps the two together.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import replace

from libs.contracts.answers import Citation, CitedSpan, Verdict
from libs.contracts.evidence import Passage
from services.answer.drafts import Quotation
from services.answer.numbering import SectionNumbers
from services.answer.subquestions import Computed

_MARKERS = re.compile(
    r"\s*(?:\[\d{1,3}(?:\s*[,;]\s*\d{1,3})*\]\s*)+(?=[.!?…,;:]|\s|\Z)|\s*\[\d{1,3}(?:\s*[,;]\s*\d{1,3})*\]"
)
_NUMBERS = re.compile(r"\d+")
_WORDS = re.compile(r"[^\W_]+")


def marked(text: str, numbers: Iterable[int]) -> str:
    """A sentence with its markers."""
    return text + "".join(f"[{number}]" for number in dict.fromkeys(numbers))


def unmarked(text: str) -> tuple[str, tuple[int, ...]]:
    """A sentence without its markers, wherever they stand in it, and their numbers in order."""
    numbers = tuple(int(number) for marker in _MARKERS.findall(text) for number in _NUMBERS.findall(marker))
    return _MARKERS.sub("", text).strip(), tuple(dict.fromkeys(numbers))


def cite_quote(sentence: int, shown: str, quotation: Quotation, number: int) -> Citation:
    """The citation of words that are quoted, checked like any other: what is shown must stand in the passage.

    Args:
        sentence: its place in the answer, from 1.
        shown: the words as the answer shows them, in CommonMark.
        quotation: where they stand.
        number: what their section is cited by.
    """
    cited = CitedSpan(number, quotation.passage.passage_id, quotation.span, quotation.quote)
    if stands_in(shown, quotation.quote):
        return Citation(sentence, (cited,), Verdict.VERIFIED, 1.0, "The words stand in the passage.")
    reason = "The words do not stand in the passage."
    return Citation(sentence, (cited,), Verdict.WITHDRAWN, 0.0, reason, replacement="")


def cite_computed(sentence: int, computed: Computed, passages: Mapping[str, Passage]) -> Citation | None:
    """The citation of a computed sentence: the words that its values come from.

    None where none of them stands in its passage. The sentence itself stands nowhere, and the reason says so.

    Args:
        sentence: its place in its answer, from 1.
        computed: the values' sources.
        passages: the references' passages by id.
    """
    cited = tuple(
        span
        for span in computed.sources
        if span.passage_id in passages and span.quote and span.span.of(passages[span.passage_id].text) == span.quote
    )
    if not cited:
        return None
    return Citation(sentence, cited, Verdict.VERIFIED, 1.0, f"Computed from the cited words ({computed.function}).")


def renumbered(citation: Citation, passages: Mapping[str, Passage], numbers: SectionNumbers) -> Citation:
    """The citation with the numbers that the text cites by; `passages` holds those it cites, by id."""
    if citation.verdict is Verdict.WITHDRAWN:
        return citation
    cited = (replace(c, number=numbers.number_of(passages[c.passage_id])) for c in citation.references)
    return replace(citation, references=tuple(cited))


def stands_in(shown: str, quote: str) -> bool:
    """Whether the shown words are words of the quote in their order; marks, white space and what is left out aside."""
    words = iter(_words(quote))
    return all(word in words for word in _words(shown))


def _words(text: str) -> list[str]:
    return _WORDS.findall(unicodedata.normalize("NFKC", text))
