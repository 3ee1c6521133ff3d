"""Checks a standalone question, by rules or a model: nothing invented, lost or left open. No I/O of its own."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from libs.text.tokens import content_words, stem
from services.decompose.condense.anaphora import ReferenceKind, find_anaphora
from services.decompose.condense.content_words import says_any, stems_of
from services.decompose.history import HistoryWindow
from services.decompose.words.domain import Domain
from services.decompose.words.phrases import PhraseKind, find_phrases

MIN_KEPT = 0.5
"""Minimum share of the turn's content words that its standalone question must keep (by hand)."""


class Fault(Enum):
    """A fault of a standalone question."""

    OVER_REWRITE = "over-rewrite"
    UNDER_REWRITE = "under-rewrite"
    STALE_TOPIC = "stale topic"


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault and the words that show it."""

    fault: Fault
    words: tuple[str, ...]

    @property
    def reason(self) -> str:
        """The fault as a human-readable sentence."""
        words = ", ".join(f'"{word}"' for word in self.words)
        sentences = {
            Fault.OVER_REWRITE: f"nobody said {words}",
            Fault.UNDER_REWRITE: f"{words} still stands for something that is not named",
            Fault.STALE_TOPIC: f"the turn's own {words} got lost",
        }
        return f"{self.fault.value}: {sentences[self.fault]}"


def check(
    standalone: str,
    turn: str,
    window: HistoryWindow,
    domain: Domain,
    language: str,
    grounded: Iterable[str] = (),
) -> Finding | None:
    """Return the first fault of a standalone question; None if it may be used.

    Args:
        standalone: the question to check.
        turn: the last turn, verbatim.
        window: the conversation.
        domain: the words of the documents' subject.
        language: of the turn; ISO 639-1.
        grounded: values to which phrases of the turn were grounded; their words may be added.
    """
    sources = (turn, *grounded, *window.texts())
    own = {stem(word, language) for word in (*domain.connectives, domain.case_connective)}
    content = [
        word for word in content_words(standalone, language) if len(word) > 1 or word.isdecimal()
    ]  # skips the "s" of "Viking 1's"
    unsupported = [
        word for word in content if (key := stem(word, language)) not in own and not _occurs(key, sources, language)
    ]
    if unsupported:
        return Finding(Fault.OVER_REWRITE, tuple(unsupported))
    if anaphora := find_anaphora(standalone, language=language):
        return Finding(Fault.UNDER_REWRITE, (anaphora.text,))
    missing = _missing_words(standalone, _without_pointer(turn, language), language)
    return Finding(Fault.STALE_TOPIC, missing) if missing else None


def _occurs(word: str, texts: Iterable[str], language: str) -> bool:
    """Whether a stem occurs in one of the texts; reads a text only if none before it has the word."""
    return any(says_any(text, frozenset((word,)), language) for text in texts)


def _without_pointer(turn: str, language: str) -> str:
    """The turn without an anaphora such as "the second one", which a good rewrite replaces."""
    anaphora = find_anaphora(turn, language=language)
    if anaphora is None or anaphora.reference not in {ReferenceKind.ONE, ReferenceKind.DEMONSTRATIVE}:
        return turn
    return turn[: anaphora.start] + turn[anaphora.end :]


def _missing_words(standalone: str, turn: str, language: str) -> tuple[str, ...]:
    """Names and numbers of the turn missing from its standalone question, or all lost words if more than half."""
    standalone_stems = stems_of(standalone, language)
    missing_names = [
        phrase.text
        for phrase in find_phrases(turn, language=language)
        if phrase.kind is not PhraseKind.THING and not stems_of(phrase.text, language) <= standalone_stems
    ]
    if missing_names:
        return tuple(missing_names)
    content = content_words(turn, language)
    missing = [word for word in content if stem(word, language) not in standalone_stems]
    return tuple(missing) if len(missing) > len(content) * (1 - MIN_KEPT) else ()
