"""Write an answer step by step.

The steps are text deltas, a citation after each sentence, images after the text, and finally the complete answer.

The rules' draft is always made: it takes milliseconds and is the fallback if a language model fails. The model is asked
first, because it understands text that the rules only compare. If its prompt asks for it, the model decides whether the
evidence has an answer, and the rules' doubt is only recorded. The draft is made in parallel, after the model's first
words, in a thread.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import replace
from itertools import chain
from math import inf
from typing import Final, TypeAlias

from libs.contracts.answers import Answer, PlacedImage, TextDelta
from libs.contracts.conversation import AnswerForm
from libs.contracts.options import Budget, Length
from libs.contracts.stages.answer import (
    FollowUps,
    RecommendRequest,
    RecommendResponse,
    WriteRequest,
    WriteResult,
    WriteStep,
)
from libs.contracts.usage import Degraded, Stage, Usage
from libs.llm.errors import LlmError
from libs.llm.settings import RULES
from libs.runtime.errors import FailedPrecondition
from libs.runtime.threads import in_thread
from services.answer.answer_language import is_foreign
from services.answer.by_model.follow_ups import Recommender
from services.answer.by_model.translation import ModelTranslator
from services.answer.drafts import AnswerDraft, Paragraph, without_quotations
from services.answer.image_placement.candidates import read_paragraphs
from services.answer.image_placement.placer import ImagePlacer, PicturePlacement
from services.answer.quoting.drafting import draft_answer
from services.answer.reshaping import length_of_form, reshaped, without_model
from services.answer.settings import AnswerSettings
from services.answer.triplets import cited_triplets
from services.answer.writing.llm import LlmWriter
from services.answer.writing.sending import send
from services.answer.writing.transcript import Transcript

BeginDraft: TypeAlias = Callable[[], asyncio.Task[AnswerDraft]]
"""Returns the task that makes the rules' draft; the task waits until this is called for the first time."""
DOUBTED: Final = 0.0
"""A threshold that every doubt reaches."""


class Writer:
    """Writes with a language model if one is given and usable, else by quoting.

    Raises:
        FailedPrecondition: the settings want a language model, and none is given.
    """

    def __init__(
        self,
        settings: AnswerSettings,
        llm: LlmWriter | None = None,
        image_placer: ImagePlacer | None = None,
        recommender: Recommender | None = None,
        translator: ModelTranslator | None = None,
    ) -> None:
        if settings.engine == "llm" and llm is None:
            raise FailedPrecondition(
                "ENGINE_UNAVAILABLE",
                "The answer needs a language model: set PARLEY_LLM_BASE_URL, or another PARLEY_ANSWER_ENGINE.",
            )
        self._settings = settings
        self._llm = None if settings.engine == "rules" else llm
        self._translator = None if settings.engine == "rules" else translator
        self._image_placer = image_placer
        self._recommender = recommender or Recommender()

    async def write(self, request: WriteRequest) -> AsyncGenerator[WriteStep, None]:
        """Yield the steps of an answer; the last one is its only result."""
        start, is_begun = time.perf_counter(), asyncio.Event()
        drafting = asyncio.create_task(self._draft(request, is_begun))

        def begin_draft() -> asyncio.Task[AnswerDraft]:
            is_begun.set()
            return drafting

        try:
            async with aclosing(self._write_steps(request, begin_draft, start)) as steps:
                async for step in steps:
                    yield step
        finally:
            drafting.cancel()

    async def _write_steps(
        self, request: WriteRequest, begin_draft: BeginDraft, start: float
    ) -> AsyncGenerator[WriteStep, None]:
        transcript = Transcript()
        foreign = is_foreign(request)
        if foreign and request.form is not AnswerForm.TRANSLATION:
            yield _quotes_stay(request.language)
        if self._llm is not None and not foreign and await _may_write(self._llm, request, begin_draft):
            async with aclosing(self._by_model(self._llm, request, transcript, begin_draft)) as steps:
                async for step in steps:
                    yield step
        other_usage: tuple[Usage, ...] = ()
        draft = await (in_thread(self._unanswered, request) if transcript.unanswered else begin_draft())
        draft, reports = await self._in_form(draft, request, transcript)
        engine = "llm" if transcript.has_support or draft.is_translated else "rules"
        paragraphs = _remaining_paragraphs(draft, transcript)
        cited = (r.evidence.passage for r in request.references)
        in_tables = (passage for section in request.tables for passage in section.passages)
        passages = {passage.passage_id: passage for passage in (*cited, *in_tables)}
        for step in chain(reports, send(paragraphs, transcript, passages)):
            yield step
        if request.follow_ups and request.references:
            recommended = await self._follow_ups(request, transcript)
            for report in recommended.degraded:
                yield report
            yield FollowUps(recommended.questions)
            other_usage = recommended.usage
        placement, placing_usage = await self._place_pictures(request, transcript, start)
        for step in placement.steps:
            yield step
        usage = transcript.usage or Usage(Stage.ANSWER, "write")
        total_usage = replace(usage, milliseconds=1000 * (time.perf_counter() - start))
        answer = _answer(draft, transcript, engine, placement.images)
        yield WriteResult(answer, (total_usage, *other_usage, *placing_usage))

    async def _in_form(
        self, draft: AnswerDraft, request: WriteRequest, transcript: Transcript
    ) -> tuple[AnswerDraft, tuple[Degraded, ...]]:
        """Return the draft in a form that takes a language model, or what is said without one, with its failure."""
        if request.form is not AnswerForm.TRANSLATION or self._translator is None:
            return draft if transcript.has_support else without_model(draft, request), ()
        try:
            language = request.language.partition("-")[0].lower()
            paragraphs, usage = await self._translator.translate(draft.quotations or draft.nearest, language)
        except LlmError as error:
            degraded = Degraded(Stage.ANSWER, error.reason, "The answer was not translated.")
            return without_model(draft, request), (degraded,)
        transcript.usage = usage[0] if usage else transcript.usage
        return AnswerDraft(quotations=paragraphs, abstain_score=draft.abstain_score), ()

    async def _by_model(
        self, llm: LlmWriter, request: WriteRequest, transcript: Transcript, begin_draft: BeginDraft
    ) -> AsyncGenerator[WriteStep, None]:
        """Yield the model's steps; the draft starts only after the first words, so as not to delay them."""
        async with aclosing(llm.write(request, self._length(request), transcript)) as steps:
            async for step in steps:
                yield step
                if isinstance(step, TextDelta):
                    begin_draft()

    async def _place_pictures(
        self, request: WriteRequest, transcript: Transcript, start: float
    ) -> tuple[PicturePlacement, tuple[Usage, ...]]:
        """Place images within the time that the request's budget, if any, leaves, and say how long it took."""
        if self._image_placer is None or request.without_images:
            return PicturePlacement(), ()
        begin = time.perf_counter()
        seconds_left = max(0.0, request.budget.max_seconds - begin + start) if request.budget.max_seconds else inf
        paragraphs = list(read_paragraphs(transcript.paragraphs))
        placement = await self._image_placer.place(
            request.question, paragraphs, request.references, request.principals, seconds_left
        )
        usage = Usage(Stage.ANSWER, "place", 1000 * (time.perf_counter() - begin))
        return placement, (usage,) if placement.steps else ()

    async def _follow_ups(self, request: WriteRequest, transcript: Transcript) -> RecommendResponse:
        """Return the writing model's follow-ups, then those made from evidence that is not in the answer."""
        best = sorted(request.references, key=lambda reference: reference.number)
        evidence = tuple(reference.evidence for reference in best)
        event = request.understanding.related_event if request.understanding else None
        recommend_request = RecommendRequest(request.question, evidence, request.view, transcript.text, event)
        may_ask_model = request.budget == Budget() and request.model != RULES
        return await self._recommender.recommend(recommend_request, transcript.follow_ups, may_ask_model)

    async def _draft(self, request: WriteRequest, is_begun: asyncio.Event) -> AnswerDraft:
        await is_begun.wait()
        draft = await in_thread(draft_answer, request, self._length(request), self._settings.abstain_threshold)
        return reshaped(draft, request)

    def _unanswered(self, request: WriteRequest) -> AnswerDraft:
        """Return the draft for when a model found no answer: the nearest quotations, unless abstaining is forbidden."""
        return draft_answer(request, self._length(request), DOUBTED)

    def _length(self, request: WriteRequest) -> Length:
        return length_of_form(request.form, request.length or self._settings.length)


async def _may_write(llm: LlmWriter, request: WriteRequest, begin_draft: BeginDraft) -> bool:
    """Whether the model may write: there is evidence, and it has an answer.

    A model whose prompt asks whether the evidence has an answer judges that itself; otherwise the rules judge.
    """
    if not request.references or llm.judges or request.never_abstain:
        return bool(request.references)
    return not (await begin_draft()).abstained


def _remaining_paragraphs(draft: AnswerDraft, transcript: Transcript) -> tuple[Paragraph, ...]:
    """Return the paragraphs of the draft to send after the language model's text, without what that text quotes."""
    if transcript.has_support:
        return (*draft.computed, *draft.uncomputed_messages)
    quoted = transcript.cited_spans
    return without_quotations(draft.paragraphs, quoted) if quoted else draft.paragraphs


def _answer(draft: AnswerDraft, transcript: Transcript, engine: str, images: tuple[PlacedImage, ...]) -> Answer:
    by_model = engine == "llm"
    return Answer(
        text=transcript.text,
        citations=transcript.citations,
        images=images,
        abstained=draft.abstained and not by_model,
        abstain_score=draft.abstain_score,
        gaps=draft.uncomputed if by_model else (*draft.gaps, *draft.uncomputed),
        engine=engine,
        abstains=draft.abstains,
        triplets=cited_triplets(transcript.triplets, transcript.citations) if by_model else (),
    )


def _quotes_stay(language: str) -> Degraded:
    effect = f"The answer quotes its sources in their own language, not in “{language}”."
    return Degraded(Stage.ANSWER, "NOT_IMPLEMENTED", effect)
