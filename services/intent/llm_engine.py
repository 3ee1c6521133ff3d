"""Understanding by a language model, with the rules beside it.

The model says what kind of question it is, what in it is unclear and which of the probe's topics may be meant, which
event it is about, which names are cut short, and how it reads in the collection's language. The rules compute from
that: they judge the translation, too, ground its times and places by their own arithmetic, and date the event. A
refusal by the rules stands whatever the model says; one by the model alone needs words of the question that it is for,
and its own word a second time, on the question alone (`services.intent.judge_llm`).
"""

import asyncio
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
from libs.llm.errors import LlmError
from libs.llm.tally import Tallied
from libs.text.tokens import content_stems, content_words
from services.intent.clarify import topics
from services.intent.groundings import Grounding
from services.intent.judge_llm import Judge
from services.intent.policy import Policy
from services.intent.question import Question
from services.intent.reading import FullName, IntentForm, Reader, category_of, is_unclear, needs_translation
from services.intent.related_event import event_of, is_told
from services.intent.rules import MOST_FOUND, RulesEngine

_TELLS_BY_MODEL: Final = "the language model's reading, told so in the conversation or the corpus"
_UNBELIEVED: Final = "The language model's refusal was not believed; the policy's own patterns decided."
_LONGEST_QUESTION_BACK: Final = 200
_ASKING: Final = frozenset(
    content_stems(
        "which what mean refer ask asking know interested interest talk talking clarify specify tell one following "
        "particular exactly question want looking look about thing please could would like options topic topics"
    )
)
"""Words of asking itself."""


@dataclass(frozen=True, slots=True)
class Read:
    """What came of it."""

    understanding: Understanding
    usage: tuple[Usage, ...] = ()
    degraded: tuple[Degraded, ...] = ()


@dataclass(frozen=True, slots=True)
class LlmEngine:
    """Reads with a model; without state, safe from several at once."""

    rules: RulesEngine
    reader: Reader
    judge: Judge

    def tallied(self, used: list[Usage]) -> "LlmEngine":
        """The same engine, noting in `used` what each of its answers took, also of those that could not be used."""
        reader = replace(self.reader, model=Tallied(self.reader.model, used))
        return replace(self, reader=reader, judge=replace(self.judge, model=Tallied(self.judge.model, used)))

    async def understand(
        self, question: Question, refused: Callable[[str], None], decided: Callable[[bool], None]
    ) -> Read:
        """What the suite makes of a question that the rules do not refuse; its arguments as with `Reader.read`.

        Raises:
            LlmError: the model failed, or what it filled in could not be used, asked twice.
        """
        reading, usage = await self.reader.read(question, refused, decided)
        asked = self._translated(question, reading)
        by_rules = await asyncio.to_thread(self.rules.read, asked, _names(asked, reading.names))
        understanding = replace(
            by_rules,
            engine="llm",
            language=reading.language.strip().lower()[:35],
            translated_query="" if asked is question else asked.standalone,
        )
        if understanding.question_rejection.is_reject:
            return Read(understanding, (usage,))
        rejection, used, degraded = await self._rejection(asked, reading, understanding.question_rejection)
        if rejection.is_reject:
            return Read(
                Understanding(rejection, grounded_query=asked.standalone, engine="llm"), (usage, *used), degraded
            )
        return Read(self._read(question, asked, reading, understanding, rejection), (usage, *used), degraded)

    async def judged(self, text: str) -> tuple[QuestionRejection, Usage]:
        """The model's word on a question, by the policy's stances.

        Raises:
            LlmError: the model failed, or can't tell bad from harmless.
        """
        category, usage = await self.judge.category(text)
        return self._policy.rejection(category), usage

    @property
    def _policy(self) -> Policy:
        return self.rules.policy

    def _translated(self, question: Question, reading: IntentForm) -> Question:
        """The question in the collection's language; itself where it is in that already."""
        if not needs_translation(question, reading, self.reader.language):
            return question
        translation = " ".join(reading.translation.split())
        record = question.record or DecisionRecord(Decision.PASS, "", question.text, question.text)
        return replace(question, text=translation, record=replace(record, standalone=translation))

    async def _rejection(
        self, asked: Question, reading: IntentForm, by_rules: QuestionRejection
    ) -> tuple[QuestionRejection, tuple[Usage, ...], tuple[Degraded, ...]]:
        """The refusal that holds: the model's, where it says so twice."""
        rejection = self._policy.rejection(category_of(reading.category))
        if not rejection.is_reject:
            return rejection if rejection.category else by_rules, (), ()
        try:
            category, usage = await self.judge.category(asked.standalone)
        except LlmError as error:
            return by_rules, (), (Degraded(Stage.INTENT, error.reason, _UNBELIEVED),)
        confirmed = self._policy.rejection(category)
        return confirmed if confirmed.category else by_rules, (usage,), ()

    def _read(
        self,
        question: Question,
        asked: Question,
        reading: IntentForm,
        understanding: Understanding,
        rejection: QuestionRejection,
    ) -> Understanding:
        threshold = self.rules.clarifier.threshold
        unclear = is_unclear(question, reading)
        score = understanding.ask_score
        return replace(
            understanding,
            question_rejection=rejection,
            ask_score=max(score, threshold) if unclear else min(score, threshold / 2),
            question_supplement=self._supplement(question, reading) if unclear else QuestionSupplement(),
            related_event=_event(asked, reading) or understanding.related_event,
        )

    def _supplement(self, question: Question, reading: IntentForm) -> QuestionSupplement:
        """The question back with the model's choice of the probe's topics; none where it chose fewer than two."""
        known = {topic.casefold(): topic for topic in topics(question.probe)}
        chosen = dict.fromkeys(known[" ".join(choice.split()).casefold()] for choice in reading.choices)
        choices = tuple(chosen)[: self.rules.clarifier.most_choices]
        if len(choices) < 2:
            return QuestionSupplement()
        return QuestionSupplement(True, _question_back(question, reading, choices), choices)


def _question_back(question: Question, reading: IntentForm, choices: Sequence[str]) -> str:
    """The model's question where it says nothing but what was said; else the words that are unclear."""
    text = " ".join(reading.question_back.split())
    said = set(content_stems("\n".join((question.text, question.standalone, *question.history, *choices))))
    invented = [stem for stem in content_stems(text) if stem not in said | _ASKING]
    if text.endswith("?") and len(text) <= _LONGEST_QUESTION_BACK and not invented:
        return text
    return f'What do you mean by "{reading.unclear.strip()}"?'


def _names(asked: Question, names: Sequence[FullName]) -> tuple[Grounding, ...]:
    """The names that the model completes with what was told: every one has to stand so in history or probe."""
    texts = [*asked.history, *_found(asked)]
    groundings = []
    for name in names:
        short, full = name.name.strip(), " ".join(name.full.split())
        match = re.search(rf"(?<!\w){re.escape(short)}(?!\w)", asked.standalone) if short else None
        longer = set(content_words(short)) < set(content_words(full))
        if match and longer and full not in asked.standalone and any(full in text for text in texts):
            span = Span(match.start(), match.end())
            grounded = Grounded(GroundedKind.ENTITY, short, span, full, _TELLS_BY_MODEL)
            groundings.append(Grounding(grounded, span, full))
    return tuple(groundings)


def _event(asked: Question, reading: IntentForm) -> RelatedEvent | None:
    """The event, where history or probe tell it, with the date that they tell."""
    name = " ".join(reading.event.split())
    texts = [*reversed(asked.history), *_found(asked)]
    about = not set(content_stems(name)).isdisjoint(content_stems(asked.standalone))
    if not about or not is_told(name, [asked.standalone, *texts]):
        return None
    return event_of(name, texts, reading.event_date.strip())


def _found(asked: Question) -> list[str]:
    passages = [evidence.passage for evidence in asked.probe[:MOST_FOUND]]
    return [f"{passage.title}. {passage.text}" for passage in passages]
