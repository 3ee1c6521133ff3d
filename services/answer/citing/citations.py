"""Citations: markers in the text, and the exact words of the cited passages.

A marker follows the full stop of its sentence, as in `It landed in 1969.[2]`: sentence splitters then keep the sentence
and its marker together. Its number is of a section of a document, in order of first citation. Pure functions, but for
`SectionNumbers`, which counts.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import replace

from libs.contracts.answers import Citation, CitedSpan, Verdict
from libs.contracts.evidence import Passage, Section
from libs.contracts.stages.answer import NumberedPassage, Numbering
from libs.text.citation_marks import code_spans
from services.answer.citing.drafts import DraftSentence, Quotation
from services.answer.subquestions import ComputedAnswer


class SectionNumbers:
    """Assigns each section a number on its first citation, from 1, without gaps."""

    def __init__(self) -> None:
        self._sections: dict[Section, int] = {}
        self._passages: dict[str, int] = {}

    def number_of(self, passage: Passage) -> int:
        """Return the number of a passage's section, assigning one if needed."""
        number = self._sections.setdefault(passage.section, len(self._sections) + 1)
        self._passages.setdefault(passage.passage_id, number)
        return number

    @property
    def numbering(self) -> Numbering:
        """All passages cited so far, ordered by number."""
        by_number = sorted(self._passages.items(), key=lambda item: item[1])
        return Numbering(tuple(NumberedPassage(passage_id, number) for passage_id, number in by_number))


_MARKERS = re.compile(
    r"(?:(?<!\s)\s++)?(?:(?:\[\d{1,3}(?:\s*+[,;]\s*+\d{1,3})*+\]\s*){1,40}(?=[.!?…,;:]|\s|\Z)"
    r"|\[\d{1,3}(?:\s*+[,;]\s*+\d{1,3})*+\])"
)
"""Runs of at most 40 markers with numbers below 1,000: a bound of the search, beyond every answer (taste)."""
_NUMBERS = re.compile(r"\d+")
TRANSLATED = 0.5
"""The score of a translated quotation (by hand)."""
_WORDS = re.compile(r"[^\W_]+")


def with_markers(text: str, numbers: Iterable[int]) -> str:
    """Return a sentence with its markers appended."""
    return text + "".join(f"[{number}]" for number in dict.fromkeys(numbers))


def without_markers(text: str) -> tuple[str, tuple[int, ...]]:
    """Return a sentence without its markers, wherever they occur but in code, and their numbers in order."""
    code = list(code_spans(text))
    markers = [
        marker
        for marker in _MARKERS.finditer(text)
        if not any(start <= marker.start() < end or start < marker.end() <= end for start, end in code)
    ]
    numbers = [int(number) for marker in markers for number in _NUMBERS.findall(marker[0])]
    cuts = [0, *(place for marker in markers for place in marker.span()), len(text)]
    plain = "".join(text[start:end] for start, end in zip(cuts[::2], cuts[1::2], strict=True))
    return plain.strip(), tuple(dict.fromkeys(numbers))


def withdrawn(sentence: int, reason: str) -> Citation:
    """Return the verdict on a sentence that nothing supports; `sentence` is its position in the answer, from 1."""
    return Citation(sentence, (), Verdict.WITHDRAWN, 0.0, reason, replacement="")


def cite_quote(sentence: int, shown: DraftSentence, quotation: Quotation, number: int) -> Citation:
    """Return the citation of a quoted sentence: verified if its words occur in the passage, else withdrawn.

    A translation is weak: no word of it can be compared. `sentence` is its position in the answer, from 1, and `number`
    the reference number of the quotation's section.
    """
    spans = (CitedSpan.of(number, quotation.passage, quotation.span),)
    if shown.is_translated:
        reason = "A language model translated the words; its numbers are those of the passage."
        return Citation(sentence, spans, Verdict.WEAK, TRANSLATED, reason)
    if stands_in(shown.text, quotation.quote):
        reason = "The words stand in the passage."
        return Citation(sentence, spans, Verdict.VERIFIED, 1.0, reason, answers=shown.answers)
    return replace(withdrawn(sentence, "The words do not stand in the passage."), references=spans)


def cite_computed(sentence: int, computed: ComputedAnswer, passages: Mapping[str, Passage]) -> Citation | None:
    """Return the citation of a computed sentence: the words that its values come from; None if no source matches.

    The sentence itself occurs in no passage, so the citation's reason says that it was computed.
    """
    spans = tuple(
        span
        for span in computed.sources
        if span.passage_id in passages and span.quote and span.span.of(passages[span.passage_id].text) == span.quote
    )
    if not spans:
        return None
    return Citation(sentence, spans, Verdict.VERIFIED, 1.0, f"Computed from the cited words ({computed.function}).")


def renumber(citation: Citation, passages: Mapping[str, Passage], numbers: SectionNumbers) -> Citation:
    """Return the citation with the reference numbers of the text; `passages` maps the ids of cited passages."""
    if citation.verdict is Verdict.WITHDRAWN:
        return citation
    spans = (replace(span, number=numbers.number_of(passages[span.passage_id])) for span in citation.references)
    return replace(citation, references=tuple(spans))


def stands_in(text: str, quote: str) -> bool:
    """Whether all shown words occur in the quote in the same order; case, markup and omissions are ignored."""
    words = iter(_words(quote))
    return all(word in words for word in _words(text))


def _words(text: str) -> list[str]:
    return _WORDS.findall(unicodedata.normalize("NFKC", text).casefold())
