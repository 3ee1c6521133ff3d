"""Understand a question with a language model and the rules together.

The model gives the question's category, its unclear phrase, the topics of the probe that may be meant, the event it is
about, incomplete names, and a translation into the collection's language. The rules work on that: they also judge the
translation, compute its times and places, and date the event. A refusal by the rules is final. A refusal by the model
alone must name the offending words of the question, and be confirmed by a second call on the question alone
(`services.intent.by_model.judge_llm`).
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from libs.contracts.query import Decision, DecisionRecord
from libs.contracts.spans import Span
from libs.contracts.understanding import (
    Grounded,
    GroundedKind,
    QuestionRejection,
    QuestionSupplement,
    RelatedEvent,
    Understanding,
)
from libs.contracts.usage import Degraded, Stage, Usage
from libs.language.detection import reading_language
from libs.language.known import ENGLISH, phrase
from libs.language.topics.questions import PointingWords
from libs.llm.errors import LlmError
from libs.runtime.threads import in_thread
from libs.text.tokens import content_stems, content_words
from services.intent.by_model.judge_llm import Judge
from services.intent.by_model.reading import (
    FullName,
    IntentForm,
    IntentReader,
    category_of,
    is_unclear,
    needs_translation,
)
from services.intent.clarify import MAX_CHOICES, options
from services.intent.grounding.groundings import Grounding
from services.intent.grounding.related_event import told_event
from services.intent.policy.policies import Policies
from services.intent.question import Question
from services.intent.rules import MAX_FOUND, RulesEngine

_TELLS_BY_MODEL: Final = "read by the language model, and found in the conversation or the corpus"
_UNBELIEVED: Final = "The language model's refusal was ignored, because the policy's patterns do not confirm it."
_MAX_QUESTION_BACK: Final = 200  # characters; a longer one is not used (taste)


@dataclass(frozen=True, slots=True)
class Read:
    """The result of understanding a question."""

    understanding: Understanding
    usage: tuple[Usage, ...] = ()
    degraded: tuple[Degraded, ...] = ()


@dataclass(frozen=True, slots=True)
class LlmEngine:
    """Understands with a model; stateless and safe for concurrent use."""

    rules: RulesEngine
    reader: IntentReader
    judge: Judge

    def tallied(self, usages: list[Usage]) -> "LlmEngine":
        """Return the same engine, which appends the usage of every model answer to `usages`, even of unusable ones."""
        reader = replace(self.reader, model=self.reader.model.tallied(usages))
        return replace(self, reader=reader, judge=replace(self.judge, model=self.judge.model.tallied(usages)))

    async def understand(
        self, question: Question, on_fault: Callable[[str], None], on_decision: Callable[[bool], None]
    ) -> Read:
        """Understand a question that the rules do not refuse; for the arguments see `IntentReader.read`.

        Raises:
            LlmError: the model failed, or its form was unusable twice.
        """
        reading, usage = await self.reader.read(question, on_fault, on_decision)
        translated_question = self._translate(question, reading)
        by_rules = await in_thread(self.rules.read, translated_question, _names(translated_question, reading.names))
        understanding = replace(
            by_rules,
            engine="llm",
            language=reading.language.strip().lower()[:35],  # the contract's longest
            translated_query="" if translated_question is question else translated_question.standalone,
        )
        if understanding.question_rejection.is_reject:
            return Read(understanding, (usage,))
        rejection, judge_usage, degraded = await self._rejection(
            translated_question, question.language, reading, understanding.question_rejection
        )
        if rejection.is_reject:
            return Read(
                Understanding(rejection, grounded_query=translated_question.standalone, engine="llm"),
                (usage, *judge_usage),
                degraded,
            )
        return Read(
            self._read(question, translated_question, reading, understanding, rejection),
            (usage, *judge_usage),
            degraded,
        )

    async def judged(self, text: str) -> tuple[QuestionRejection, Usage]:
        """Return the model's judgement of a question, by the policy's stances.

        Raises:
            LlmError: the model failed, or cannot distinguish bad from harmless questions.
        """
        category, usage = await self.judge.category(text)
        return self._policies.rejection(category, reading_language(text, usual=ENGLISH)), usage

    @property
    def _policies(self) -> Policies:
        return self.rules.policies

    def _translate(self, question: Question, reading: IntentForm) -> Question:
        """Return the question in the collection's language; the same object if no translation is needed."""
        if not needs_translation(question, reading):
            return question
        translation = " ".join(reading.translation.split())
        record = question.record or DecisionRecord(Decision.PASS, "", question.text, question.text)
        return replace(question, text=translation, record=replace(record, standalone=translation, sure_standalone=""))

    async def _rejection(
        self, question: Question, language: str, reading: IntentForm, by_rules: QuestionRejection
    ) -> tuple[QuestionRejection, tuple[Usage, ...], tuple[Degraded, ...]]:
        """Return the final refusal: the model's, if its second judgement confirms it."""
        rejection = self._policies.rejection(category_of(reading.category), language)
        if not rejection.is_reject:
            return rejection if rejection.category else by_rules, (), ()
        try:
            category, usage = await self.judge.category(question.standalone)
        except LlmError as error:
            return by_rules, (), (Degraded(Stage.INTENT, error.reason, _UNBELIEVED),)
        second_rejection = self._policies.rejection(category, language)
        return second_rejection if second_rejection.category else by_rules, (usage,), ()

    def _read(
        self,
        question: Question,
        translated_question: Question,
        reading: IntentForm,
        understanding: Understanding,
        rejection: QuestionRejection,
    ) -> Understanding:
        threshold = self.rules.ask_threshold
        is_unclear_question = is_unclear(question, reading)
        score = understanding.ask_score
        return replace(
            understanding,
            question_rejection=rejection,
            ask_score=max(score, threshold) if is_unclear_question else min(score, threshold / 2),  # surely below
            question_supplement=self._supplement(question, reading) if is_unclear_question else QuestionSupplement(),
            related_event=_event(translated_question, reading) or understanding.related_event,
        )

    def _supplement(self, question: Question, reading: IntentForm) -> QuestionSupplement:
        """Return the question back with the model's choice of topics; an empty one if it chose fewer than two."""
        topics_by_key = {topic.casefold(): topic for topic in options(question.probe)}
        selection = dict.fromkeys(topics_by_key[" ".join(choice.split()).casefold()] for choice in reading.choices)
        choices = tuple(selection)[:MAX_CHOICES]
        if len(choices) < 2:
            return QuestionSupplement()
        return QuestionSupplement(True, _question_back(question, reading, choices), choices)


def _question_back(question: Question, reading: IntentForm, choices: Sequence[str]) -> str:
    """Return the model's question if it invents no content words; else a question about the unclear phrase."""
    text, language = " ".join(reading.question_back.split()), question.language
    known_texts = (question.text, question.standalone, *question.history, *choices, *PointingWords.of(language).asking)
    known_stems = set(content_stems("\n".join(known_texts), language))
    new_stems = [stem for stem in content_stems(text, language) if stem not in known_stems]
    if text.endswith("?") and len(text) <= _MAX_QUESTION_BACK and not new_stems:
        return text
    return phrase("ask_meaning", language).format(phrase=reading.unclear.strip())


def _names(question: Question, names: Sequence[FullName]) -> tuple[Grounding, ...]:
    """Return the names that the model completes; each full name must occur in the history or the probe."""
    texts = [*question.history, *_titled_probe_texts(question)]
    groundings = []
    for name in names:
        short, full = name.name.strip(), " ".join(name.full.split())
        match = re.search(rf"(?<!\w){re.escape(short)}(?!\w)", question.standalone) if short else None
        is_longer = set(content_words(short, question.language)) < set(content_words(full, question.language))
        if match and is_longer and full not in question.standalone and any(full in text for text in texts):
            span = Span(match.start(), match.end())
            grounded = Grounded(GroundedKind.ENTITY, short, span, full, _TELLS_BY_MODEL)
            groundings.append(Grounding(grounded, span, full))
    return tuple(groundings)


def _event(question: Question, reading: IntentForm) -> RelatedEvent | None:
    """Return the event with its date if the question, history or probe mention it, else None."""
    name = " ".join(reading.event.split())
    texts = [question.standalone, *reversed(question.history), *_titled_probe_texts(question)]
    question_stems = content_stems(question.standalone, question.language)
    is_in_question = not set(content_stems(name, question.language)).isdisjoint(question_stems)
    return told_event(name, texts, question.language) if is_in_question else None


def _titled_probe_texts(question: Question) -> list[str]:
    passages = [evidence.passage for evidence in question.probe[:MAX_FOUND]]
    return [f"{passage.title}. {passage.text}" for passage in passages]
