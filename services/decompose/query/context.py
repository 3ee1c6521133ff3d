"""The sentences of a conversation that a rewrite may use, without thanks, greetings and scraps."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from libs.contracts.conversation import Speaker
from libs.contracts.query import ContextSelection, ContextSentence
from libs.language.topics.follow_ups import Fillers
from libs.text.sentences import split_sentences
from libs.text.tokens import content_words, words
from services.decompose.history import Exchange, HistoryWindow


@dataclass(frozen=True, slots=True)
class ContextBounds:
    """How many sentences of the history are selected, and which (Conv-RAG's published settings)."""

    sentences: int = 5
    trade_off: float = 0.7
    """Lambda of the marginal relevance: the weight of similarity to the question against novelty, 0 to 1."""


MIN_WORDS: Final = 4
"""Minimum words of an agent's sentence; a shorter one is a scrap (Conv-RAG's published settings)."""
MAX_EXTRACTED: Final = 200
"""Maximum number of sentences that are embedded, taken from the newest turns; a bound on the cost, by taste."""


def in_order(selection: ContextSelection) -> tuple[ContextSentence, ...]:
    """Return the selected sentences in the order of the conversation."""
    sentences = {item.sentence for item in selection.selected}
    return tuple(sentence for sentence in selection.extracted if sentence in sentences)


def extract_sentences(window: HistoryWindow, language: str) -> tuple[ContextSentence, ...]:
    """Return the distinct sentences of a window, oldest first: user turns whole, agents' turns split into sentences.

    Args:
        window: the conversation.
        language: the language of the turn, ISO 639-1.
    """
    reader, by_text = _SentenceReader(language), dict[str, ContextSentence]()
    for position, exchange in enumerate(window.exchanges):
        for sentence in reader.read(exchange, window.first_turn + position):
            by_text.setdefault(sentence.text, sentence)
    return tuple(by_text.values())[-MAX_EXTRACTED:]


class _SentenceReader:
    """Reads the sentences of exchanges in a language."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._fillers = [words(opening, language) for opening in Fillers.of(language).openings]

    def read(self, exchange: Exchange, turn: int) -> Iterator[ContextSentence]:
        """Yield the sentences with content, the user's first."""
        question = " ".join(exchange.question.split())
        if content_words(question, self._language) and not self._is_filler(question):
            yield ContextSentence(question, Speaker.USER, turn)
        for sentence in split_sentences(exchange.answer, self._language):
            text = " ".join(sentence.text.split())
            is_long = len(words(text, self._language)) >= MIN_WORDS
            if not sentence.heading and is_long and not self._is_filler(text):
                yield ContextSentence(text, Speaker.AGENT, turn)

    def _is_filler(self, text: str) -> bool:
        """Whether a sentence begins with filler and has little other content."""
        text_words = words(text, self._language)
        for filler in self._fillers:
            if text_words[: len(filler)] == filler:
                rest = " ".join(text_words[len(filler) :])
                return len(content_words(rest, self._language)) < MIN_WORDS
        return False
