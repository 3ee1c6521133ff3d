"""The units of a passage that an answer may quote: whole sentences, list items, table rows and code blocks.

A unit has its span in the passage and its text in CommonMark. It also records what is needed to understand it: whether
it only introduces what follows, whether it depends on what precedes, the header of its table. Pure functions.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

from libs.contracts.evidence import Evidence, Passage, Reference
from libs.contracts.spans import Span
from libs.contracts.structure import Block, BlockKind, Part
from libs.documents.reading import structure_of
from libs.documents.rendering import plain_words
from libs.language.analysis import terms_of
from libs.language.known import ENGLISH
from libs.text.limits import MAX_PASSAGE
from libs.text.memoize import memoized
from libs.text.prompt_injection import APART
from libs.text.sentences import split_sentences
from services.answer.citing.drafts import Quotation
from services.answer.evidence_sanitizer import sanitize_reference
from services.answer.quoting.dependence import (
    CUT,
    SHORT,
    announces,
    count_words,
    goes_on,
    is_index,
    is_label,
    is_scrap,
    promises,
    unwrapped,
)
from services.answer.quoting.standing import GOES_ON, STANDS, standing
from services.answer.quoting.unit_rendering import (
    clean,
    item_body,
    render_code,
    render_item,
    render_prose,
    render_row,
)

PARTED: Final = frozenset({BlockKind.LIST, BlockKind.TABLE, BlockKind.DEFINITION, BlockKind.RECORDS})
FENCE: Final = "```"
"""Blocks with a code fence are quoted whole, because splitting into sentences would break the fence."""
MAX_ITEM: Final = 25
"""Maximum words of a list item that is one unit (taste)."""


@dataclass(frozen=True, slots=True)
class Unit(Quotation):
    """A part of a passage that may be quoted."""

    kind: BlockKind
    block: int
    """Index of its block in the passage."""
    text: str
    """The text as shown, in CommonMark."""
    terms: frozenset[str]
    counts: tuple[tuple[str, int], ...] = ()
    """Its terms with their frequencies."""
    context_terms: frozenset[str] = frozenset()
    """Terms of the text needed to understand it: headings, table header, the item above it."""
    header: Span | None = None
    """The header of its table."""
    introduces: bool = False
    """Whether it says nothing without the following block: it announces it, or is its label (`Warning`)."""
    standing: float = STANDS
    """How far it stands by itself (`services.answer.quoting.standing`)."""
    part: int = 0
    """Index of its item or row in the block."""
    depth: int = 0
    """Nesting depth of its list item."""
    partial: bool = False
    """Whether further items or rows of its block stand in passages beside."""
    continues: bool = False
    """Whether it continues an item that begins in another unit."""
    words: int = field(default=0)

    @property
    def length(self) -> int:
        """Number of its terms, including repetitions."""
        return sum(count for _, count in self.counts)


def read_units(reference: Reference) -> tuple[Unit, ...]:
    """Return the units of a reference's passage in text order, without prompt injections."""
    clean_reference = sanitize_reference(reference)
    passage = clean_reference.evidence.passage
    blocks = passage.blocks or structure_of(passage.text[:MAX_PASSAGE]).blocks
    place = "\n".join((passage.title, *passage.headings))
    units = _units_of(passage.text, blocks, place, passage.language, passage.span.start > 0)
    return tuple(replace(unit, reference=clean_reference) for unit in units)


@lru_cache(maxsize=256)  # passages; writing and recommending read the same ones (taste)
def _units_of(text: str, blocks: tuple[Block, ...], place: str, language: str, goes_on: bool) -> tuple[Unit, ...]:
    return tuple(_UnitReader(text, blocks, place, language, goes_on).units())


class _UnitReader:
    """Reads the units of one passage."""

    def __init__(self, text: str, blocks: tuple[Block, ...], place: str, language: str, goes_on: bool) -> None:
        """`place` is its title and headings; it goes on if its document has text before it."""
        self._text, self._blocks, self._language, self._goes_on = text, blocks, language, goes_on
        self._reference = Reference(0, Evidence(Passage("", "", text)))
        self._reading_language = language or ENGLISH
        self._place = frozenset(self._terms(place))

    def units(self) -> Iterator[Unit]:
        """Yield the units, block by block."""
        header = None
        for number, block in enumerate(self._blocks):
            if block.kind is BlockKind.FURNITURE:
                continue
            if block.kind is BlockKind.TABLE:
                header = block.header or header  # a later piece of a table has its header in a block of its own
                block = replace(block, header=header)
            for unit in self._block_units(number, block):
                if APART not in unit.quote and unit.text:
                    yield unit
            header = None if block.parts else header

    def _block_units(self, number: int, block: Block) -> Iterator[Unit]:
        if block.parts:
            yield from self._parts(number, block, self._place)
        elif block.kind is BlockKind.CODE:
            text = render_code(block.span.of(self._text))
            yield self._unit(number, block, block.span, text, self._place)
        elif block.kind is BlockKind.QUOTATION and FENCE in block.span.of(self._text):
            yield self._unit(number, block, block.span, clean(block.span.of(self._text).strip()), self._place)
        elif block.kind is not BlockKind.TABLE or block.header is None:
            yield from self._sentences(number, block, self._place, len(self._blocks) == 1)

    def _parts(self, number: int, block: Block, context_terms: frozenset[str]) -> Iterator[Unit]:
        if block.header is not None:
            context_terms = context_terms | frozenset(self._terms(block.header.of(self._text)))
        parent: frozenset[str] = frozenset()
        for position, part in enumerate(block.parts):
            part_context = context_terms | parent if part.depth else context_terms
            units = [
                replace(unit, part=position, depth=part.depth, introduces=announces(unit.quote))
                for unit in self._part(number, block, part, part_context)
            ]
            yield from units
            parent = units[0].terms if not part.depth else parent

    def _part(self, number: int, block: Block, part: Part, context_terms: frozenset[str]) -> Iterator[Unit]:
        """Yield an item or row; a long item is split into sentences, with the first one's terms as context."""
        words = part.span.of(self._text)
        if block.kind in (BlockKind.TABLE, BlockKind.RECORDS):
            text = render_row(words) if block.kind is BlockKind.TABLE else render_item(words, 0)
            yield self._unit(number, block, part.span, text, context_terms)
            return
        body = item_body(words)
        sentences = split_sentences(words[body:], self._reading_language) if count_words(words) > MAX_ITEM else ()
        if len(sentences) < 2 or "\n\n" in words.strip() or FENCE in words:
            yield self._unit(number, block, part.span, render_item(words, part.depth), context_terms)
            return
        start, first = part.span.start, body + sentences[0].end
        head = self._unit(
            number, block, Span(start, start + first), render_item(words[:first], part.depth), context_terms
        )
        yield head
        for sentence in sentences[1:]:
            span = Span(start + body + sentence.start, start + body + sentence.end)
            yield replace(
                self._unit(number, block, span, render_prose(sentence.text), context_terms | head.terms), continues=True
            )

    def _sentences(self, number: int, block: Block, context_terms: frozenset[str], is_alone: bool) -> Iterator[Unit]:
        """Yield the sentences of a block; `is_alone` if it is the only one of the passage."""
        text = block.span.of(self._text)
        if is_scrap(text):
            return
        text = unwrapped(text) if block.kind is BlockKind.PARAGRAPH else text
        sentences = split_sentences(text, self._reading_language)
        before = self._text[: block.span.start].rstrip() or CUT * self._goes_on
        for sentence in sentences:
            words, start = sentence.text, block.span.start + sentence.start
            if is_scrap(words):
                continue
            unit = self._unit(number, block, Span(start, start + len(words)), render_prose(words), context_terms)
            is_end = sentence is sentences[-1] and (len(sentences) == 1 or unit.words >= SHORT)
            labels = is_end and not is_alone and self._is_label(number, unit.text)
            introduces = labels or promises(words, self._reading_language)
            leans = goes_on(words, before) and not introduces and not is_alone
            leans = leans or is_index(words, self._reading_language)
            stands = standing(unit.text, self._reading_language) if before else STANDS
            yield replace(unit, introduces=introduces, standing=GOES_ON if leans else stands)
            before = words

    def _is_label(self, number: int, text: str) -> bool:
        """Whether a block's only line is the label of what follows, and nothing announces it as content."""
        previous = self._blocks[number - 1] if number else None
        is_announced = previous is not None and announces(previous.span.of(self._text))
        return not is_announced and is_label(text)

    def _unit(self, number: int, block: Block, span: Span, text: str, context_terms: frozenset[str]) -> Unit:
        counts = Counter(self._terms(span.of(self._text)))
        return Unit(
            self._reference,
            span,
            block.kind,
            number,
            text,
            frozenset(counts),
            tuple(counts.items()),
            context_terms - counts.keys(),
            block.header,
            partial=block.partial,
            words=count_words(text),
        )

    def _terms(self, text: str) -> Sequence[str]:
        return _terms_in(text, self._language)


@memoized(texts=8192, longest=1024)  # characters (taste)
def _terms_in(text: str, language: str) -> tuple[str, ...]:
    """Return the terms of a sentence or line; cached because passages recur."""
    return tuple(terms_of(plain_words(text), language))
