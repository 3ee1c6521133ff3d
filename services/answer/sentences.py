"""The whole sentences of the evidence, each with its span in a passage that can be cited.

Passages are cut from documents and overlap. Overlapping passages of one document are merged again, to see whether a
sentence at a cut is complete and which sentences precede it. Only whole sentences within one passage count: they start
at a sentence boundary, end with a full stop or similar, and are not headings. Pure functions.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

from libs.contracts.evidence import Passage, Reference
from libs.contracts.spans import Span
from libs.language.known import ENGLISH
from libs.text.sentences import Sentence, split_sentences
from services.answer.drafts import Quotation
from services.answer.evidence_sanitizer import sanitize_reference
from services.answer.lexicon.words import stems_of

_STOPS = tuple(".!?…‽。！？।")
_AFTER_STOP = "\"'”’»)]*_"
_WHOLE_START = re.compile(r"""["'“‘«(\[*_]*[^\W_]""")
_MAX_CHARACTERS = 1000
"""A longer `sentence` is a list or table that lost its markup (taste)."""
_MIN_WORDS_OF_LINE = 3  # fewer make no statement (taste)
_MAX_BEFORE = 2  # sentences that are a sentence's context (taste)


@dataclass(frozen=True, slots=True)
class EvidenceSentence(Quotation):
    """A whole sentence of a reference's passage."""

    text: str
    """The words with single spaces between them."""
    stems: tuple[str, ...]
    position: int
    """Start offset in its document; in its passage if the passage's offset is unknown."""
    before: tuple[str, ...] = ()
    """The sentences directly before it in the same paragraph, nearest last; at most two."""
    stem_set: frozenset[str] = field(default=frozenset(), compare=False)
    stems_before: frozenset[str] = field(default=frozenset(), compare=False)
    language: str = field(kw_only=True)
    """ISO 639-1."""


@dataclass(slots=True)
class _Stretch:
    """Overlapping passages of one document, merged, with their start in the document."""

    start: int
    text: str
    members: list[Reference]

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def read_sentences(references: Sequence[Reference]) -> tuple[EvidenceSentence, ...]:
    """Return the whole sentences in the order of the references; duplicates are kept only at the best reference.

    If there is no whole sentence (notes, captions, records), lines count as sentences. Prompt injections are left out.
    """
    stretches = list(_stretches([sanitize_reference(reference) for reference in references]))
    return _each_once(stretches, _is_whole) or _each_once(stretches, _is_line)


def _each_once(
    stretches: Sequence["_Stretch"], accepts: Callable[["_Stretch", Sentence], bool]
) -> tuple[EvidenceSentence, ...]:
    sentences_by_text: dict[str, EvidenceSentence] = {}
    for stretch in stretches:
        for sentence in _sentences_of(stretch, accepts):
            key = sentence.text.casefold()
            if key not in sentences_by_text or sentence.reference.number < sentences_by_text[key].reference.number:
                sentences_by_text[key] = sentence
    return tuple(sorted(sentences_by_text.values(), key=lambda item: (item.reference.number, item.span.start)))


def _stretches(references: Iterable[Reference]) -> Iterator[_Stretch]:
    documents: dict[tuple[str, str], list[Reference]] = {}
    for reference in references:
        passage = reference.evidence.passage
        documents.setdefault((passage.collection, passage.document_id), []).append(reference)
    for members in documents.values():
        if len(members) > 1:
            members.sort(key=lambda r: (r.evidence.passage.span, r.number))
        yield from _merge_overlapping(members)


def _merge_overlapping(members: Sequence[Reference]) -> Iterator[_Stretch]:
    current: _Stretch | None = None
    for reference in members:
        passage = reference.evidence.passage
        if current is not None and _overlaps(current, passage):
            current.text += passage.text[current.end - passage.span.start :]
            current.members.append(reference)
            continue
        if current is not None:
            yield current
        current = _Stretch(passage.span.start, passage.text, [reference])
    if current is not None:
        yield current


def _overlaps(stretch: _Stretch, passage: Passage) -> bool:
    """Whether a passage starts within the stretch and has the same words where the two overlap."""
    if (
        passage.span.end - passage.span.start != len(passage.text)
        or not stretch.start <= passage.span.start < stretch.end
    ):
        return False
    overlap = stretch.end - passage.span.start
    return stretch.text[passage.span.start - stretch.start :] == passage.text[:overlap] or (
        overlap > len(passage.text) and stretch.text[passage.span.start - stretch.start :].startswith(passage.text)
    )


def _sentences_of(stretch: _Stretch, accepts: Callable[[_Stretch, Sentence], bool]) -> Iterator[EvidenceSentence]:
    members = sorted(stretch.members, key=lambda reference: reference.number)
    before: list[str] = []
    end_of_last = 0
    for sentence in split_sentences(stretch.text, stretch.members[0].evidence.passage.language or ENGLISH):
        if sentence.heading or stretch.text.find("\n\n", end_of_last, sentence.start) >= 0:
            before = []
        end_of_last = sentence.end
        if sentence.heading:
            continue
        text = " ".join(sentence.text.split())
        start, end = stretch.start + sentence.start, stretch.start + sentence.end
        if accepts(stretch, sentence) and (place := _locate(members, start, end)):
            yield _evidence_sentence(text, place, start, before[-_MAX_BEFORE:])
        before.append(text)


def _evidence_sentence(
    text: str, place: tuple[Reference, Span], position: int, before: Sequence[str]
) -> EvidenceSentence:
    """Build the sentence; preceding sentences are stemmed only here, as most of them are never needed."""
    reference, span = place
    language = reference.evidence.passage.language or ENGLISH
    stems = stems_of(text, language)
    stems_before = frozenset(chain.from_iterable([stems_of(sentence, language) for sentence in before]))
    return EvidenceSentence(
        reference, span, text, stems, position, tuple(before), frozenset(stems), stems_before, language=language
    )


def _is_whole(stretch: _Stretch, sentence: Sentence) -> bool:
    if len(sentence.text) > _MAX_CHARACTERS or not sentence.text.rstrip(_AFTER_STOP).endswith(_STOPS):
        return False
    opening = _WHOLE_START.match(sentence.text)
    if opening is None:
        return False
    cut_before = sentence.start == 0 and stretch.start > 0
    return not (cut_before and opening[0][-1].islower())


def _is_line(stretch: _Stretch, sentence: Sentence) -> bool:
    return len(sentence.text) <= _MAX_CHARACTERS and len(sentence.text.split()) >= _MIN_WORDS_OF_LINE


def _locate(members: Sequence[Reference], start: int, end: int) -> tuple[Reference, Span] | None:
    """Return the first passage that contains the whole range, with its span; None if every passage cuts it."""
    for reference in members:
        offset = reference.evidence.passage.span.start
        if offset <= start and end <= offset + len(reference.evidence.passage.text):
            return reference, Span(start - offset, end - offset)
    return None
