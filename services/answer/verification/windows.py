"""Splits passages into windows, each a sentence or two adjacent ones, with their stems.

A passage is read once for all sentences that are checked against it; recently used passages are cached. No I/O.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

from libs.contracts.answers import CitedSpan
from libs.contracts.evidence import Passage
from libs.contracts.spans import Span
from libs.language.detection import reading_language
from libs.language.known import ENGLISH
from libs.text.sentences import split_sentences
from services.answer.lexicon.words import stems_of
from services.answer.verification.claims import Claims, read_claims


def plain(text: str) -> str:
    """Normalize a text for comparing quotes: case and white space are ignored."""
    return " ".join(text.split()).casefold()


@dataclass(frozen=True, slots=True)
class ParsedSentence:
    """A sentence of a passage."""

    span: Span
    text: str
    stems: frozenset[str]
    language: str
    """ISO 639-1."""

    @property
    def claims(self) -> Claims:
        """Its claims."""
        return read_claims(self.text, self.language)


@dataclass(frozen=True, slots=True)
class ParsedPassage:
    """The parts of a passage that are read before any comparison."""

    sentences: tuple[ParsedSentence, ...]
    """Without headings."""
    title_stems: frozenset[str]
    stems: frozenset[str]
    """Of its text, including headings."""


@dataclass(frozen=True, slots=True)
class WindowSource:
    """A passage and the number that the answer cites it by; 0 for none."""

    passage: Passage
    number: int = 0

    @property
    def language(self) -> str:
        """The passage's language, ISO 639-1; detected if unknown."""
        return self.passage.language or reading_language(self.passage.text)

    @property
    def parsed(self) -> ParsedPassage:
        """The passage, read."""
        return read_passage(self.passage.title, self.passage.text, self.language)


@dataclass(frozen=True, slots=True)
class EvidenceWindow:
    """One sentence of a passage, or two adjacent ones."""

    source: WindowSource
    sentences: tuple[ParsedSentence, ...]
    stems: frozenset[str]
    """Includes the stems of the title."""

    @property
    def language(self) -> str:
        """The passage's language, ISO 639-1."""
        return self.sentences[0].language

    @property
    def single(self) -> bool:
        """Whether it is one sentence."""
        return len(self.sentences) == 1

    @property
    def span(self) -> Span:
        """Its location in the passage, with the text between its sentences."""
        return Span(self.sentences[0].span.start, self.sentences[-1].span.end)

    @property
    def claims(self) -> Claims:
        """The claims of its sentences."""
        return read_claims(" ".join(sentence.text for sentence in self.sentences), self.language)

    @property
    def cited_span(self) -> CitedSpan:
        """Its location, for a citation."""
        return CitedSpan.of(self.source.number, self.source.passage, self.span)


@lru_cache(maxsize=256)  # taste
def read_passage(title: str, text: str, language: str) -> ParsedPassage:
    """Return a passage's sentences with their stems."""
    sentences, stems = list[ParsedSentence](), frozenset[str]()
    for each in split_sentences(text, language):
        told = frozenset(stems_of(each.text, language))
        stems |= told
        if not each.heading:
            sentences.append(ParsedSentence(Span(each.start, each.end), each.text, told, language))
    return ParsedPassage(tuple(sentences), frozenset(stems_of(title, language)), stems)


def _windows_of(source: WindowSource) -> Iterator[EvidenceWindow]:
    passage = source.parsed
    alone = [(sentence,) for sentence in passage.sentences]
    for sentences in (*alone, *pairwise(passage.sentences)):
        stems = passage.title_stems.union(*(sentence.stems for sentence in sentences))
        yield EvidenceWindow(source, sentences, stems)


class SourceMaterial:
    """Passages that sentences are compared with, read on first use."""

    def __init__(self, sources: Sequence[WindowSource]) -> None:
        self._sources = tuple(sources)

    @cached_property
    def shortest_windows(self) -> tuple[EvidenceWindow, ...]:
        """The windows of all passages, the shortest first."""
        windows = (window for source in self._sources for window in _windows_of(source))
        return tuple(sorted(windows, key=lambda window: window.span.end - window.span.start))

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The languages of the passages, in order; English without any."""
        return tuple(dict.fromkeys(source.language for source in self._sources)) or (ENGLISH,)

    @cached_property
    def text(self) -> str:
        """The titles and texts of all passages."""
        return "\n".join(text for source in self._sources for text in (source.passage.title, source.passage.text))
