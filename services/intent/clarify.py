"""Ask back, grounded in the corpus: the question's words decide whether, a probe's topics are the choices.

The stage asks back only if the words are unclear enough, the conversation does not surely resolve them, and a shallow
search (the probe), which the gateway makes, finds two or more topics. So every offered choice can be answered.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from typing import Final

from libs.contracts.evidence import Evidence, Passage
from libs.contracts.query import Decision, DecisionRecord
from libs.contracts.understanding import QuestionSupplement
from libs.language.known import ENGLISH, phrase
from libs.text.sentences import split_sentences
from libs.text.tokens import content_stems
from services.intent.unresolved import Unresolved, ask_score, find_unresolved, has_word_with_stem

HINT: Final = 0.5
"""Added if condensing found no antecedent: a definite alone then reaches 1.5 (by hand)."""
RESOLVED_CONFIDENCE: Final = 0.8
"""Minimum confidence for a condensed question to count as resolved: that of the rules' surer steps, chosen by hand."""
MAX_CHOICES: Final = 5
"""Options to offer: as many as the contract allows."""
_MAX_CHOICE: Final = 80
"""Characters of an option; a line of a console. Of a passage without a title, four are read (taste)."""


@dataclass(frozen=True, slots=True)
class Clarity:
    """How unclear the words of a question are."""

    ask_score: float = 0.0
    unresolved: tuple[Unresolved, ...] = ()
    named_by_user: bool = True
    """Whether the nouns of demonstratives (`that refund`) occur in the user's own earlier turns."""
    question_stems: frozenset[str] = frozenset()
    """Stems of what is asked about the unclear thing: `land` in `When did that probe land?`."""
    language: str = field(kw_only=True)
    """The question's language, ISO 639-1."""


@dataclass(frozen=True, slots=True)
class Clarifier:
    """Decides whether to ask back, and what to offer."""

    threshold: float = 1.5
    """Minimum ask score for asking back (by hand)."""

    def clarity(
        self,
        question: str,
        history: Sequence[str],
        record: DecisionRecord | None,
        user_turns: Sequence[str] = (),
        times: Sequence[str] = (),
        *,
        language: str,
    ) -> Clarity:
        """Return how unclear the last turn is, judged by its own words and the history.

        Args:
            question: the last turn.
            history: all earlier messages.
            record: how condensing read the turn.
            user_turns: the user's part of the history.
            times: phrases of a known time (`this week`), which are clear.
            language: the question's language, ISO 639-1.
        """
        unresolved = tuple(
            phrase
            for phrase in find_unresolved(question, history, language)
            if not any(time in phrase.phrase or phrase.phrase in time for time in times)
        )
        score = ask_score(unresolved)
        is_hinted = record is not None and record.decision is Decision.CLARIFY
        user_text = "\n".join(user_turns).lower()
        named_by_user = all(
            has_word_with_stem(phrase.demonstrative_noun, user_text, language)
            for phrase in unresolved
            if phrase.demonstrative_noun
        )
        unclear_stems = {word for phrase in unresolved for word in content_stems(phrase.phrase, language)}
        question_stems = frozenset(content_stems(question, language)) - unclear_stems
        return Clarity(
            score + HINT if is_hinted else score, unresolved, named_by_user, question_stems, language=language
        )

    def supplement(
        self, clarity: Clarity, record: DecisionRecord | None, probe: Sequence[Evidence]
    ) -> QuestionSupplement:
        """Return the question back, or an empty one if there is nothing to ask."""
        if clarity.ask_score < self.threshold or self._is_resolved(clarity, record):
            return QuestionSupplement()
        choices = _answerable(clarity.question_stems, probe)[:MAX_CHOICES]
        if len(choices) < 2:
            return QuestionSupplement()
        return QuestionSupplement(True, _description(clarity), choices)

    def _is_resolved(self, clarity: Clarity, record: DecisionRecord | None) -> bool:
        """Whether condensing surely found what is meant: it added words, or the user named it before."""
        if record is None or record.decision is not Decision.CONDENSE or record.confidence < RESOLVED_CONFIDENCE:
            return False
        return clarity.named_by_user or bool(record.added_terms)


def topics(probe: Sequence[Evidence]) -> tuple[str, ...]:
    """Return the topics of the evidence: the titles of its documents, without duplicates, in rank order."""
    topic_by_key: dict[str, str] = {}
    for evidence in probe:
        topic = _topic(evidence.passage)
        if topic:
            topic_by_key.setdefault(topic.casefold(), topic)
    return tuple(topic_by_key.values())


def _answerable(question_stems: Set[str], probe: Sequence[Evidence]) -> tuple[str, ...]:
    """Return the topics whose passages mention what is asked; all topics if fewer than two do."""
    matches = topics([evidence for evidence in probe if not question_stems.isdisjoint(_stems_of(evidence.passage))])
    return matches if len(matches) >= 2 else topics(probe)


def _stems_of(passage: Passage) -> list[str]:
    return content_stems(passage.text, passage.language or ENGLISH)


def _topic(passage: Passage) -> str:
    """Return the document's title, else the beginning of the passage."""
    if passage.title.strip():
        return " ".join(passage.title.split())
    sentences = split_sentences(passage.text[: 4 * _MAX_CHOICE], passage.language or ENGLISH)
    first = " ".join(sentences[0].text.split()) if sentences else ""
    return first if len(first) <= _MAX_CHOICE else f"{first[:_MAX_CHOICE].rsplit(' ', 1)[0]} …"


def _description(clarity: Clarity) -> str:
    if not clarity.unresolved:
        return phrase("ask_which", clarity.language)
    unclear = max(clarity.unresolved, key=lambda unresolved: unresolved.weight)
    return phrase("ask_meaning", clarity.language).format(phrase=unclear.phrase)
