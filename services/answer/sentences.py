"""The whole sentences of the evidence, each where it stands in a passage that may be cited.

Passages are cut from documents and overlap. Those of one document that touch are laid together again, so that a
sentence at a cut is seen to be whole or not, and what was said before it is known. Only whole sentences within one
passage count: they begin at the beginning of a sentence, end with a stop, and are no headings.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

from libs.contracts.evidence import Passage, Reference
from libs.contracts.spans import Span
from libs.text.sentences import Sentence, split_sentences
from services.answer.evidence_sanitizer import sanitize_reference
from services.answer.lexicon.words import stems_of

_STOPS = tuple(".!?…‽。！？।")
_AFTER_STOP = "\"'”’»)]*_"
_WHOLE_START = re.compile(r"""["'“‘«(\[*_]*[^\W_]""")
_MOST_CHARACTERS = 1000
"""A longer `sentence` is a list or a table that lost its marks."""
_LEAST_WORDS_OF_LINE = 3
_MOST_BEFORE = 2


@dataclass(frozen=True, slots=True)
class EvidenceSentence:
    """A whole sentence of a reference's passage."""

    reference: Reference
    span: Span
    """In the passage's text."""
    text: str
    """The words with single spaces between them."""
    stems: tuple[str, ...]
    position: int
    """Where it begins in its document; in its passage where the document's place is unknown."""
    before: tuple[str, ...] = ()
    """The sentences just before it in the same paragraph, the nearest last; at most two."""
    stem_set: frozenset[str] = field(default=frozenset(), compare=False)
    stems_before: frozenset[str] = field(default=frozenset(), compare=False)

    @property
    def passage(self) -> Passage:
        """The passage that it stands in."""
        return self.reference.evidence.passage

    @property
    def quote(self) -> str:
        """The words exactly as the passage has them."""
        return self.span.of(self.passage.text)


@dataclass(slots=True)
class _Stretch:
    """Passages of one document that touch, laid together: where they begin in it, and their text."""

    start: int
    text: str
    members: list[Reference]

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def read_sentences(references: Sequence[Reference]) -> tuple[EvidenceSentence, ...]:
    """The whole sentences of the references in the order of the references, each wording once, at its best place.

    Where not one of them ends with a stop (notes, captions, records), the lines count as sentences. What tells whoever
    answers what to do is left out.
    """
    stretches = list(_stretches([sanitize_reference(reference) for reference in references]))
    return _each_once(stretches, _is_whole) or _each_once(stretches, _is_line)


def _each_once(
    stretches: Sequence["_Stretch"], counts: Callable[["_Stretch", Sentence], bool]
) -> tuple[EvidenceSentence, ...]:
    found: dict[str, EvidenceSentence] = {}
    for stretch in stretches:
        for sentence in _sentences_of(stretch, counts):
            key = sentence.text.casefold()
            if key not in found or sentence.reference.number < found[key].reference.number:
                found[key] = sentence
    return tuple(sorted(found.values(), key=lambda s: (s.reference.number, s.span.start)))


def _stretches(references: Iterable[Reference]) -> Iterator[_Stretch]:
    documents: dict[tuple[str, str], list[Reference]] = {}
    for reference in references:
        passage = reference.evidence.passage
        documents.setdefault((passage.collection, passage.document_id), []).append(reference)
    for members in documents.values():
        if len(members) > 1:
            members.sort(key=lambda r: (r.evidence.passage.span, r.number))
        yield from _laid_together(members)


def _laid_together(members: Sequence[Reference]) -> Iterator[_Stretch]:
    current: _Stretch | None = None
    for reference in members:
        passage = reference.evidence.passage
        if current is not None and _joins(current, passage):
            current.text += passage.text[current.end - passage.span.start :]
            current.members.append(reference)
            continue
        if current is not None:
            yield current
        current = _Stretch(passage.span.start, passage.text, [reference])
    if current is not None:
        yield current


def _joins(stretch: _Stretch, passage: Passage) -> bool:
    """Whether a passage goes on where the stretch is, with the same words where they overlap."""
    if (
        passage.span.end - passage.span.start != len(passage.text)
        or not stretch.start <= passage.span.start < stretch.end
    ):
        return False
    overlap = stretch.end - passage.span.start
    return stretch.text[passage.span.start - stretch.start :] == passage.text[:overlap] or (
        overlap > len(passage.text) and stretch.text[passage.span.start - stretch.start :].startswith(passage.text)
    )


def _sentences_of(stretch: _Stretch, counts: Callable[[_Stretch, Sentence], bool]) -> Iterator[EvidenceSentence]:
    members = sorted(stretch.members, key=lambda reference: reference.number)
    before: list[str] = []
    end_of_last = 0
    for sentence in split_sentences(stretch.text):
        if sentence.heading or stretch.text.find("\n\n", end_of_last, sentence.start) >= 0:
            before = []
        end_of_last = sentence.end
        if sentence.heading:
            continue
        text = " ".join(sentence.text.split())
        start, end = stretch.start + sentence.start, stretch.start + sentence.end
        if counts(stretch, sentence) and (place := _place(members, start, end)):
            yield _evidence_sentence(text, place, start, before[-_MOST_BEFORE:])
        before.append(text)


def _evidence_sentence(
    text: str, place: tuple[Reference, Span], position: int, before: Sequence[str]
) -> EvidenceSentence:
    """What stands before it is stemmed only here: much of a passage is before nothing that counts."""
    reference, span = place
    stems = stems_of(text)
    stems_before = frozenset(chain.from_iterable(map(stems_of, before)))
    return EvidenceSentence(
        reference, span, text, stems, position, tuple(before), stem_set=frozenset(stems), stems_before=stems_before
    )


def _is_whole(stretch: _Stretch, sentence: Sentence) -> bool:
    if len(sentence.text) > _MOST_CHARACTERS or not sentence.text.rstrip(_AFTER_STOP).endswith(_STOPS):
        return False
    opening = _WHOLE_START.match(sentence.text)
    if opening is None:
        return False
    cut_before = sentence.start == 0 and stretch.start > 0
    return not (cut_before and opening[0][-1].islower())


def _is_line(stretch: _Stretch, sentence: Sentence) -> bool:
    return len(sentence.text) <= _MOST_CHARACTERS and len(sentence.text.split()) >= _LEAST_WORDS_OF_LINE


def _place(members: Sequence[Reference], start: int, end: int) -> tuple[Reference, Span] | None:
    """The first passage that holds all of a stretch of its document; None when a cut goes through it everywhere."""
    for reference in members:
        offset = reference.evidence.passage.span.start
        if offset <= start and end <= offset + len(reference.evidence.passage.text):
            return reference, Span(start - offset, end - offset)
    return None
