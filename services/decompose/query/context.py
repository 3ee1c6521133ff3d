"""The sentences of a conversation that a rewrite may use, without thanks, greetings and scraps."""

from collections.abc import Iterator
from dataclasses import dataclass

from libs.contracts.conversation import Speaker
from libs.contracts.query import ContextSelection, ContextSentence
from libs.language.topics.follow_ups import Fillers
from libs.text.sentences import split_sentences
from libs.text.tokens import content_words, words
from services.decompose.history import Exchange, HistoryWindow


@dataclass(frozen=True, slots=True)
class ContextBounds:
    """How sentences of the history are selected (Conv-RAG's published settings)."""

    sentences: int = 5
    trade_off: float = 0.7
    """Lambda of the marginal relevance: the weight of similarity to the question against novelty, 0 to 1."""
    representatives: int = 3
    """Candidate sentences per cluster, those nearest to its centre."""
    fewest_clusters: int = 2
    most_clusters: int = 7
    least_words: int = 4
    """Minimum words of an agent's sentence; a shorter one is a scrap."""
    most_extracted: int = 200
    """Maximum number of sentences that are embedded, taken from the newest turns."""
    filler: tuple[str, ...] = ()
    """Openings of sentences without content; empty for those of the turn's language."""


def in_order(selection: ContextSelection) -> tuple[ContextSentence, ...]:
    """Return the selected sentences in the order of the conversation."""
    sentences = {item.sentence for item in selection.selected}
    return tuple(sentence for sentence in selection.extracted if sentence in sentences)


def extract_sentences(window: HistoryWindow, bounds: ContextBounds, language: str) -> tuple[ContextSentence, ...]:
    """Return the distinct sentences of a window, oldest first: user turns whole, agents' turns split into sentences.

    Args:
        window: the conversation.
        bounds: which sentences are kept.
        language: the language of the turn, ISO 639-1.
    """
    reader, by_text = _SentenceReader(bounds, language), dict[str, ContextSentence]()
    for position, exchange in enumerate(window.exchanges):
        for sentence in reader.read(exchange, window.first_turn + position):
            by_text.setdefault(sentence.text, sentence)
    return tuple(by_text.values())[-bounds.most_extracted :]


class _SentenceReader:
    """Reads the sentences of exchanges in a language."""

    def __init__(self, bounds: ContextBounds, language: str) -> None:
        self._bounds = bounds
        self._language = language
        openings = bounds.filler or Fillers.of(language).openings
        self._fillers = [words(opening, language) for opening in openings]

    def read(self, exchange: Exchange, turn: int) -> Iterator[ContextSentence]:
        """Yield the sentences with content, the user's first."""
        question = " ".join(exchange.question.split())
        if content_words(question, self._language) and not self._is_filler(question):
            yield ContextSentence(question, Speaker.USER, turn)
        for sentence in split_sentences(exchange.answer, self._language):
            text = " ".join(sentence.text.split())
            is_long = len(words(text, self._language)) >= self._bounds.least_words
            if not sentence.heading and is_long and not self._is_filler(text):
                yield ContextSentence(text, Speaker.AGENT, turn)

    def _is_filler(self, text: str) -> bool:
        """Whether a sentence begins with filler and has little other content."""
        text_words = words(text, self._language)
        for filler in self._fillers:
            if text_words[: len(filler)] == filler:
                rest = " ".join(text_words[len(filler) :])
                return len(content_words(rest, self._language)) < self._bounds.least_words
        return False
