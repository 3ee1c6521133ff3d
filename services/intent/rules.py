"""The rules engine: refuse a question, ask back, or ground it; deterministic, without a model.

Refusing takes precedence over asking back, and asking back over grounding. A pick among offered options, as the turn's
reading has it, is merged with the unclear question, and never leads to asking back again. A probe is a shallow search's
evidence.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from libs.contracts.spans import Span
from libs.contracts.understanding import (
    Grounded,
    GroundedKind,
    QuestionRejection,
    QuestionSupplement,
    Understanding,
)
from libs.language.detection import reading_language
from libs.language.known import ENGLISH, language_of, phrase
from libs.language.topics.timelines import TimelineWords
from libs.language.turns.reader import courtesy_reply
from libs.runtime.threads import in_thread_unless
from services.intent.clarify import Clarity, clarity_of, question_back
from services.intent.grounding.entities import complete_names
from services.intent.grounding.groundings import Grounding, rewrite
from services.intent.grounding.places import ground_places
from services.intent.grounding.related_event import find_related_event
from services.intent.grounding.times import Times, ground_times
from services.intent.pointing import find_pointing
from services.intent.policy.policies import Policies
from services.intent.question import Question


def merge(question: str, choice: str, language: str) -> str:
    """Return the unclear question with its pointing phrase replaced by the choice, else prefixed by the choice."""
    first = next(iter(find_pointing(question, "", language)), None)
    if first is None:
        return f"{choice}: {question}" if question else choice
    possessive = language_of(language).phrases.get("possessive", "{name}")
    replacement = possessive.format(name=choice) if first.possessive else choice
    return question[: first.span.start] + replacement + question[first.span.end :]


def wants_timeline(question: str, language: str) -> bool:
    """Whether a question asks for a timeline: `timeline of …`, `history of …`, `what happened when`, `chronology`."""
    words = TimelineWords.of(language)
    return words.wish.search(question) is not None and words.no_wish.search(question) is None


MAX_FOUND = 10
"""How many of the probe's best passages are read (taste)."""
SHORT: Final = 150
"""Maximum characters of a question that is read without a thread, in 2 ms; 99 % of MTRAG's questions are shorter."""


@dataclass(frozen=True, slots=True)
class RulesEngine:
    """Understands by rules; stateless and thread-safe."""

    policies: Policies
    ask_threshold: float = 1.0
    """Minimum ask score for asking back."""

    async def understand(self, question: Question) -> Understanding:
        """Understand a question; in a thread unless it is short."""
        return await in_thread_unless(_is_short(question), self.read, question)

    async def judge(self, text: str) -> QuestionRejection:
        """Judge a question by the policy; in a thread unless it is short."""
        language = reading_language(text, usual=ENGLISH)
        return await in_thread_unless(len(text) <= SHORT, self.policies.judge, text, language)

    def read(self, question: Question, names: Sequence[Grounding] = ()) -> Understanding:
        """Understand a question: refuse it, reply to a courtesy, or ground it and maybe ask back.

        Args:
            question: the question with everything known about it.
            names: names that a model completed; if it did, the rules complete none.
        """
        pick_result = _resolve_pick(question)
        standalone, pick = pick_result or (question.standalone, None)
        rejection = self._judge_all(question.language, question.text, standalone)
        if rejection.is_reject:
            return Understanding(question_rejection=rejection, grounded_query=standalone)
        if reply := courtesy_reply(question.reading):
            return Understanding(rejection, grounded_query=question.text, courtesy_reply=reply)
        if question.asks_nothing:
            supplement = QuestionSupplement(True, phrase("ask_instead", question.language))
            return Understanding(rejection, supplement, grounded_query=question.text)
        times = ground_times(standalone, question.now, question.language)
        clarity = (
            Clarity(question.language)
            if pick
            else clarity_of(question.text, question.named, times.phrases, question.language)
        )
        understanding = _ground(question, standalone, times, pick, names)
        return replace(
            understanding,
            question_rejection=rejection,
            question_supplement=question_back(clarity, self.ask_threshold, question.record, question.probe),
            ask_score=clarity.ask_score,
        )

    def warm_up(self) -> None:
        """Load, blocking, everything that the first question would otherwise wait for."""
        self.read(Question("What did that mission near here find last week?", datetime.now(UTC), place="Berlin"))

    def _judge_all(self, language: str, *texts: str) -> QuestionRejection:
        """Return the first refusal among the wordings of a question, else the judgement of the first wording."""
        rejections = [self.policies.judge(text, language) for text in dict.fromkeys(texts)]
        return next((rejection for rejection in rejections if rejection.is_reject), rejections[0])


def _is_short(question: Question) -> bool:
    """Whether a question is read in 2 ms: short and without a probe, whose texts are read in full."""
    return max(len(question.text), len(question.standalone)) <= SHORT and not question.probe


def _resolve_pick(question: Question) -> tuple[str, Grounded] | None:
    """Return the question merged with the picked option, and the grounding of the pick; None if nothing is picked."""
    choice = question.picked
    if not choice:
        return None
    standalone = merge(question.previous_user_turn, choice, question.language)
    start = standalone.find(choice)
    span = Span(start, start + len(choice)) if start >= 0 else Span()
    return standalone, Grounded(GroundedKind.ENTITY, question.text, span, choice, "picked from the offered choices")


def _ground(
    question: Question, standalone: str, times: Times, pick: Grounded | None, told_names: Sequence[Grounding]
) -> Understanding:
    found = [evidence.passage for evidence in question.probe[:MAX_FOUND]]
    places = ground_places(standalone, question.place, question.language, has_history=bool(question.history))
    names = () if pick else told_names or complete_names(standalone, question.history, question.language)
    groundings = sorted((*times.groundings, *places, *names), key=lambda grounding: grounding.grounded.span)
    query = rewrite(standalone, groundings)
    grounded = tuple(grounding.grounded for grounding in groundings)
    return Understanding(
        grounded_query=query,
        grounded=(pick, *grounded) if pick else grounded,
        time_range=times.time_range,
        range_use=times.use,
        related_event=find_related_event(query, question.history, [each.text for each in found], question.language),
        wants_timeline=wants_timeline(standalone, question.language),
    )
