"""Three rewordings of a question without a language model, each a whole question in its own language.

The first is the question itself, the second asks it in other words, the third asks for more beside it: what the
conversation or the question names. A language without `question_frames.toml` has only the first.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from itertools import islice
from types import MappingProxyType
from typing import Final

from libs.contracts.evidence import Relevance
from libs.contracts.query import Decision, DecisionRecord
from libs.language.known import language_of
from libs.language.patterns import any_of
from libs.language.topics.questions import QuestionFrames
from libs.language.turns.reader import joined
from libs.text.names import find_names
from services.decompose.history import HistoryWindow
from services.decompose.words.domain import Domain

TOPICS: Final = 2
"""Names that the third question asks about (taste)."""
_MARKS: Final = " \t\n?!.…¿¡"


class VariantKind(StrEnum):
    """A way of rewording."""

    STANDALONE = "standalone"
    """Specific, and understandable without the conversation."""
    SYNONYMS = "synonyms"
    """Precise terms and synonyms, with the same meaning."""
    EXPANDED = "expanded"
    """With related aspects."""


CLOSENESS: Final[Mapping[VariantKind, Relevance]] = MappingProxyType(
    dict(zip(VariantKind, (Relevance.HIGH, Relevance.MEDIUM, Relevance.LOW), strict=True))
)
"""How close each kind stays to the question: it says the same, says it in other words, asks for more."""


def reword(record: DecisionRecord, window: HistoryWindow, domain: Domain, language: str) -> Mapping[VariantKind, str]:
    """Return the wording of each kind.

    Args:
        record: the decision about the turn; only a turn that goes on with the conversation is asked with its names.
        window: the conversation.
        domain: the words of the documents' subject in the language.
        language: of the question, ISO 639-1.
    """
    frames = QuestionFrames.of(language)
    question = record.question.strip(_MARKS)
    if not frames.whole:
        return {VariantKind.STANDALONE: record.question}
    if not frames.question.match(record.question):
        question = frames.about.format(text=question)
    history = window.texts() if record.decision is Decision.CONDENSE else ()
    topics = _topics(question, history, domain, language)
    bodies = {
        VariantKind.STANDALONE: question,
        VariantKind.SYNONYMS: _in_other_words(question, domain, frames, language),
        VariantKind.EXPANDED: frames.more.format(question=question, topics=joined(topics, language) or frames.this),
    }
    return {kind: frames.whole.format(question=body[:1].upper() + body[1:]) for kind, body in bodies.items()}


def _in_other_words(question: str, domain: Domain, frames: QuestionFrames, language: str) -> str:
    """The question with another beginning and with synonyms beside the domain's terms, each in its basic form.

    The terms stay, because a wording that lacks the word of the documents finds less than the question.
    """
    flags = re.IGNORECASE if language_of(language).capitalises_nouns else 0  # elsewhere a capital makes a name
    terms = re.compile(rf"\b{any_of(domain.synonyms)}\b", flags)
    worded = terms.sub(lambda term: _either(term[0], domain, frames), question)
    opening = re.match(rf"(?i){any_of(frames.openings)}\b", worded)
    if opening is not None:
        return frames.openings[" ".join(opening[0].lower().split())] + worded[opening.end() :]
    return worded if worded != question else frames.otherwise.format(question=question)


def _either(term: str, domain: Domain, frames: QuestionFrames) -> str:
    synonyms = domain.synonyms[" ".join(term.lower().split())]
    return frames.either.format(word=term, other=synonyms[0]) if synonyms else term


def _topics(question: str, history: Iterable[str], domain: Domain, language: str) -> tuple[str, ...]:
    """What more is asked about: the domain's aspects, or names of the conversation, else of the question itself."""
    if domain.rules_expand and domain.focus:
        return domain.focus
    others = (name for text in history for name in _names(text, language) if name not in question)
    return tuple(islice(dict.fromkeys(others), TOPICS)) or tuple(dict.fromkeys(_names(question, language)))[:TOPICS]


def _names(text: str, language: str) -> Iterator[str]:
    """The names of a text; where nouns are capitalised, its nouns, too."""
    has_noun_capitals = language_of(language).capitalises_nouns
    return (name.text for name in find_names(text, language) if name.is_sure or has_noun_capitals)
