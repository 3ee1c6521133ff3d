"""The sentences of a conversation that a rewrite may use, as plain text, without thanks, greetings and scraps."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from libs.contracts.conversation import Speaker
from libs.contracts.query import ContextSelection, ContextSentence
from libs.documents.rendering import plain_words
from libs.language.topics.clauses import Remarks
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
    """Return the sentences of a window, oldest first, none twice: user turns whole, agents' turns split.

    Two sentences of the same words are one, whatever their marks.

    Args:
        window: the conversation; what users say in courtesy is not in it.
        language: the language of the turn, ISO 639-1.
    """
    by_words = dict[tuple[str, ...], ContextSentence]()
    for turn, exchange in enumerate(window.exchanges, start=window.first_turn):
        for sentence in _sentences(exchange, turn, language):
            by_words.setdefault(tuple(words(sentence.text, language)), sentence)
    return tuple(by_words.values())[-MAX_EXTRACTED:]


def _sentences(exchange: Exchange, turn: int, language: str) -> Iterator[ContextSentence]:
    """The sentences with content, the user's first."""
    question = " ".join(plain_words(exchange.question).split())
    if content_words(question, language):
        yield ContextSentence(question, Speaker.USER, turn)
    for sentence in split_sentences(exchange.answer, language):
        text = _without_courtesy(" ".join(plain_words(sentence.text).split()), language)
        if not sentence.heading and len(words(text, language)) >= MIN_WORDS:
            yield ContextSentence(text, Speaker.AGENT, turn)


def _without_courtesy(sentence: str, language: str) -> str:
    """A sentence up to the clause, if any, that is said in courtesy: `…, hope that helps!`."""
    courtesy = Remarks.of(language).courtesy.search(sentence)
    return sentence[: courtesy.start()] if courtesy else sentence
