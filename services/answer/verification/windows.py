"""Splits passages into windows, each a sentence or two adjacent ones, with their stems.

A passage is read once for all sentences that are checked against it; recently used passages are cached. No I/O.
`find_quote` raises WorkCancelled when nobody waits for the result any more.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from libs.contracts.answers import CitedSpan
from libs.contracts.evidence import Passage
from libs.contracts.spans import Span
from libs.language.detection import reading_language
from libs.language.known import ENGLISH
from libs.runtime.threads import raise_if_cancelled
from libs.text.sentences import Sentence, split_sentences
from services.answer.lexicon.words import stems_of
from services.answer.verification.claims import Claims, read_claims, unspaced


def plain(text: str) -> str:
    """Normalize a text for comparing quotes: case, white space and spaces around punctuation are ignored."""
    return " ".join(unspaced(text).split()).casefold()


@dataclass(frozen=True, slots=True)
class WindowSource:
    """A passage and the number that the answer cites it by; 0 for none."""

    passage: Passage
    number: int = 0

    @property
    def language(self) -> str:
        """The passage's language, ISO 639-1; detected if unknown."""
        return self.passage.language or _language_of_text(self.passage.text)


@dataclass(frozen=True, slots=True)
class ParsedSentence:
    """A sentence of a passage."""

    span: Span
    text: str
    stems: frozenset[str]
    language: str
    """ISO 639-1."""


@dataclass(frozen=True, slots=True)
class ParsedPassage:
    """The parts of a passage that are read before any comparison."""

    sentences: tuple[ParsedSentence, ...]
    """Without headings."""
    title_stems: frozenset[str]
    stems: frozenset[str]
    """Of its text, including headings."""


@dataclass(frozen=True, slots=True)
class EvidenceWindow:
    """One sentence of a passage, or two adjacent ones."""

    source: WindowSource
    span: Span
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
    def length(self) -> int:
        """Length in characters, including the text between its sentences."""
        return self.span.end - self.span.start

    @property
    def passage_stems(self) -> frozenset[str]:
        """The stems of the whole passage."""
        return _parse_source(self.source).stems

    @property
    def whole(self) -> str:
        """Its text as it is in the passage."""
        return self.span.of(self.source.passage.text)

    @property
    def claims(self) -> Claims:
        """The claims of its sentences."""
        return read_claims(" ".join(sentence.text for sentence in self.sentences), self.language)

    @property
    def cited_span(self) -> CitedSpan:
        """Its location, for a citation."""
        passage = self.source.passage
        return CitedSpan(self.source.number, passage.passage_id, self.span, self.whole)


@lru_cache(maxsize=256)  # taste
def _language_of_text(text: str) -> str:
    return reading_language(text)


@lru_cache(maxsize=256)  # taste
def read_passage(title: str, text: str, language: str) -> ParsedPassage:
    """Return a passage's sentences with their stems."""
    sentences = split_sentences(text, language)
    parsed_sentences = tuple(_parse_sentence(sentence, language) for sentence in sentences if not sentence.heading)
    headings = (stems_of(sentence.text, language) for sentence in sentences if sentence.heading)
    stems = frozenset().union(*(sentence.stems for sentence in parsed_sentences), *headings)
    return ParsedPassage(parsed_sentences, frozenset(stems_of(title, language)), stems)


def _parse_source(source: WindowSource) -> ParsedPassage:
    return read_passage(source.passage.title, source.passage.text, source.language)


def _parse_sentence(sentence: Sentence, language: str) -> ParsedSentence:
    text = sentence.text
    return ParsedSentence(Span(sentence.start, sentence.end), text, frozenset(stems_of(text, language)), language)


def windows_of(source: WindowSource) -> Iterator[EvidenceWindow]:
    """Yield the windows of a passage, in order."""
    passage = _parse_source(source)
    for position, sentence in enumerate(passage.sentences):
        stems = sentence.stems | passage.title_stems
        yield EvidenceWindow(source, sentence.span, (sentence,), stems)
        for following in passage.sentences[position + 1 : position + 2]:
            span = Span(sentence.span.start, following.span.end)
            yield EvidenceWindow(source, span, (sentence, following), stems | following.stems)


class SourceMaterial:
    """Passages that sentences are compared with, read on first use."""

    def __init__(self, sources: Sequence[WindowSource]) -> None:
        self.sources = tuple(sources)

    @cached_property
    def windows(self) -> tuple[EvidenceWindow, ...]:
        """The windows of all passages, in order."""
        return tuple(window for source in self.sources for window in windows_of(source))

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The languages of the passages, in order; English without any."""
        return tuple(dict.fromkeys(source.language for source in self.sources)) or (ENGLISH,)

    @cached_property
    def text(self) -> str:
        """The titles and texts of all passages."""
        return "\n".join(text for source in self.sources for text in (source.passage.title, source.passage.text))

    def find_quote(self, sentence: str) -> EvidenceWindow | None:
        """Return the first window that a sentence repeats verbatim, or None."""
        matches = self._windows_by_letters.get(_letters(sentence), ())
        return next((window for window in matches if plain(window.whole) == plain(sentence)), None)

    @cached_property
    def _windows_by_letters(self) -> Mapping[str, Sequence[EvidenceWindow]]:
        """The windows by their letters: comparing with each of them would take longer than all other checks."""
        windows: dict[str, list[EvidenceWindow]] = defaultdict(list)
        for window in self.windows:
            raise_if_cancelled()
            windows[_letters(window.whole)].append(window)
        return windows


def _letters(text: str) -> str:
    return "".join(text.split()).casefold()
