"""The sentences of a conversation that a rewrite may be made from, without thanks, greetings and scraps."""

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
"""How sentences begin that carry nothing of a conversation's matter."""


@dataclass(frozen=True, slots=True)
class ContextBounds:
    """How sentences of the history are chosen (Conv-RAG's published settings)."""

    sentences: int = 5
    trade_off: float = 0.7
    """Lambda of the marginal relevance: how much nearness to the question counts beside newness, 0 to 1."""
    representatives: int = 3
    """Sentences a cluster that may be chosen, the nearest to its centre."""
    fewest_clusters: int = 2
    most_clusters: int = 7
    least_words: int = 4
    """An agent's sentence of fewer words is a scrap."""
    most_extracted: int = 200
    """Sentences of the newest turns that are embedded at all."""
    filler: tuple[str, ...] = FILLER


def in_order(selection: ContextSelection) -> tuple[ContextSentence, ...]:
    """What was chosen, in the order of the conversation."""
    chosen = {item.sentence for item in selection.selected}
    return tuple(sentence for sentence in selection.extracted if sentence in chosen)


def extract_sentences(window: HistoryWindow, bounds: ContextBounds) -> tuple[ContextSentence, ...]:
    """The sentences of a window, the oldest first, each wording once: user turns whole, agents' turns in sentences."""
    found: dict[str, ContextSentence] = {}
    for position, exchange in enumerate(window.exchanges):
        for sentence in _of_exchange(exchange.question, exchange.answer, window.first_turn + position, bounds):
            found.setdefault(sentence.text, sentence)
    return tuple(found.values())[-bounds.most_extracted :]


def _of_exchange(question: str, answer: str, turn: int, bounds: ContextBounds) -> Iterator[ContextSentence]:
    said = " ".join(question.split())
    if content_words(said) and not _is_filler(said, bounds):
        yield ContextSentence(said, Speaker.USER, turn)
    for sentence in split_sentences(answer):
        text = " ".join(sentence.text.split())
        if not sentence.heading and len(words(text)) >= bounds.least_words and not _is_filler(text, bounds):
            yield ContextSentence(text, Speaker.AGENT, turn)


def _is_filler(text: str, bounds: ContextBounds) -> bool:
    """Whether a sentence begins like filler and says little more."""
    said = words(text)
    for phrase in bounds.filler:
        begins = words(phrase)
        if said[: len(begins)] == begins:
            return len(_telling(said[len(begins) :])) < bounds.least_words
    return False


def _telling(said: Sequence[str]) -> list[str]:
    return content_words(" ".join(said))
