"""The sentences of a conversation that a rewrite may use, without thanks, greetings and scraps."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from libs.contracts.conversation import Speaker
from libs.contracts.query import ContextSelection, ContextSentence
from libs.text.sentences import split_sentences
from libs.text.tokens import content_words, words
from services.decompose.history import HistoryWindow

FILLER = (
    "thank you", "thanks", "you are welcome", "you're welcome", "welcome", "hello", "hi", "hey", "good morning", "bye",
    "goodbye", "ok", "okay", "great", "perfect", "got it", "i see", "sure", "of course", "no problem", "sorry",
    "i hope this helps", "hope this helps", "hope that helps", "glad to help", "happy to help", "i'm happy to help",
    "let me know", "please let me know", "feel free to", "is there anything else", "do you have any other", "as an ai",
    "that's a great question", "great question", "good question", "i understand",
)  # fmt: skip
"""Openings of sentences without content."""


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
    filler: tuple[str, ...] = FILLER


def in_order(selection: ContextSelection) -> tuple[ContextSentence, ...]:
    """Return the selected sentences in the order of the conversation."""
    sentences = {item.sentence for item in selection.selected}
    return tuple(sentence for sentence in selection.extracted if sentence in sentences)


def extract_sentences(window: HistoryWindow, bounds: ContextBounds) -> tuple[ContextSentence, ...]:
    """Return the distinct sentences of a window, oldest first: user turns whole, agents' turns split into sentences."""
    by_text: dict[str, ContextSentence] = {}
    for position, exchange in enumerate(window.exchanges):
        for sentence in _of_exchange(exchange.question, exchange.answer, window.first_turn + position, bounds):
            by_text.setdefault(sentence.text, sentence)
    return tuple(by_text.values())[-bounds.most_extracted :]


def _of_exchange(question: str, answer: str, turn: int, bounds: ContextBounds) -> Iterator[ContextSentence]:
    question_text = " ".join(question.split())
    if content_words(question_text) and not _is_filler(question_text, bounds):
        yield ContextSentence(question_text, Speaker.USER, turn)
    for sentence in split_sentences(answer):
        text = " ".join(sentence.text.split())
        if not sentence.heading and len(words(text)) >= bounds.least_words and not _is_filler(text, bounds):
            yield ContextSentence(text, Speaker.AGENT, turn)


def _is_filler(text: str, bounds: ContextBounds) -> bool:
    """Whether a sentence begins with filler and has little other content."""
    text_words = words(text)
    for phrase in bounds.filler:
        phrase_words = words(phrase)
        if text_words[: len(phrase_words)] == phrase_words:
            return len(_content(text_words[len(phrase_words) :])) < bounds.least_words
    return False


def _content(text_words: Sequence[str]) -> list[str]:
    return content_words(" ".join(text_words))
