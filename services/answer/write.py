"""Write an answer step by step: text deltas, a citation after each sentence, images, and finally the complete answer.

A language model is asked first, because it understands text that the rules only compare: it decides whether there is an
answer, and the rules' doubt is only recorded. The rules' draft is always made after that, in a thread: it takes some 12
milliseconds, tells what was computed, and is the fallback if the model fails.
"""

import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from itertools import chain
from math import inf
from typing import Final

from libs.contracts.answers import Answer, PlacedImage
from libs.contracts.conversation import AnswerForm
from libs.contracts.evidence import Passage
from libs.contracts.options import Length
from libs.contracts.stages.answer import (
    FollowUps,
    RecommendRequest,
    SearchAgain,
    WriteRequest,
    WriteResult,
    WriteStep,
)
from libs.contracts.usage import Degraded, Stage, Usage
from libs.llm.errors import LlmError
from libs.runtime.errors import FailedPrecondition
from libs.runtime.threads import in_thread
from services.answer.answer_language import is_foreign, requested_language
from services.answer.by_model.task_model import TaskModel
from services.answer.by_model.translation import translate
from services.answer.citing.drafts import AnswerDraft
from services.answer.image_placement.matching import read_paragraphs
from services.answer.image_placement.placer import ImagePlacer
from services.answer.quoting.drafting import draft_answer
from services.answer.recommend import recommend_with
from services.answer.reshaping import reshaped, without_model
from services.answer.settings import AnswerSettings, Plugins
from services.answer.writing.llm import LlmWriter
from services.answer.writing.transcript import Transcript, send

EVERY_DOUBT: Final = 0.0
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
        plugins: Plugins | None = None,
        translator: TaskModel | None = None,
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
        self._plugins = plugins or Plugins()

    async def write(self, request: WriteRequest) -> AsyncGenerator[WriteStep, None]:
        """Yield the steps of an answer; the last one is its only result, or asks for another search."""
        start, transcript = time.perf_counter(), Transcript()
        async with aclosing(self._by_model(request, transcript)) as steps:
            async for step in steps:
                yield step
        if transcript.wanted_search:
            yield SearchAgain(transcript.wanted_search, (transcript.usage,) if transcript.usage else ())
            return
        draft, reports = await self._in_form(await self._draft(request, transcript.unanswered), request, transcript)
        engine = "llm" if transcript.has_support or draft.is_translated else "rules"
        paragraphs = draft.paragraphs_beside_model if transcript.has_support else draft.paragraphs
        for step in chain(reports, send(paragraphs, transcript, _passages(request))):
            yield step
        other_usage: tuple[Usage, ...] = ()
        if request.follow_ups and request.references:
            recommended = await recommend_with(self._plugins, _follow_ups(request, transcript), transcript.follow_ups)
            for report in recommended.degraded:
                yield report
            yield FollowUps(recommended.questions)
            other_usage = recommended.usage
        placed, placing_usage = await self._place_pictures(request, transcript, start)
        for picture in placed:
            yield picture
        usage = transcript.usage or Usage(Stage.ANSWER, "write")
        total_usage = replace(usage, milliseconds=1000 * (time.perf_counter() - start))
        images = tuple(picture for picture in placed if isinstance(picture, PlacedImage))
        answer = _answer(draft, transcript, engine, images)
        yield WriteResult(answer, (total_usage, *other_usage, *placing_usage))

    async def _by_model(self, request: WriteRequest, transcript: Transcript) -> AsyncGenerator[WriteStep, None]:
        foreign = is_foreign(request)
        if foreign and request.form is not AnswerForm.TRANSLATION:
            effect = f"The answer quotes its sources in their own language, not in “{request.language}”."
            yield Degraded(Stage.ANSWER, "NOT_IMPLEMENTED", effect)
        if self._llm is not None and request.references and not foreign:
            async with aclosing(self._llm.write(request, self._length(request), transcript)) as steps:
                async for step in steps:
                    yield step

    async def _draft(self, request: WriteRequest, is_doubted: bool) -> AnswerDraft:
        """The rules' draft; of a doubted one only the nearest quotations, unless abstaining is forbidden."""
        threshold = EVERY_DOUBT if is_doubted else self._settings.abstain_threshold
        return reshaped(await in_thread(draft_answer, request, self._length(request), threshold), request)

    async def _in_form(
        self, draft: AnswerDraft, request: WriteRequest, transcript: Transcript
    ) -> tuple[AnswerDraft, tuple[Degraded, ...]]:
        """Return the draft in a form that takes a language model, or what is said without one, with its failure."""
        if request.form is not AnswerForm.TRANSLATION or self._translator is None:
            return draft if transcript.has_support else without_model(draft, request), ()
        try:
            quoted = draft.quotations or draft.nearest
            paragraphs, usage = await translate(self._translator, quoted, requested_language(request))
        except LlmError as error:
            degraded = Degraded(Stage.ANSWER, error.reason, "The answer was not translated.")
            return without_model(draft, request), (degraded,)
        transcript.usage = usage or transcript.usage
        return AnswerDraft(quotations=paragraphs, abstain_score=draft.abstain_score), ()

    async def _place_pictures(
        self, request: WriteRequest, transcript: Transcript, start: float
    ) -> tuple[tuple[PlacedImage | Degraded, ...], tuple[Usage, ...]]:
        """Place images within the time that the request's budget, if any, leaves, and say how long it took."""
        if self._image_placer is None or request.without_images:
            return (), ()
        begin = time.perf_counter()
        seconds_left = max(0.0, request.budget.max_seconds - begin + start) if request.budget.max_seconds else inf
        paragraphs = list(read_paragraphs(transcript.paragraphs))
        placed = await self._image_placer.place(
            request.question, paragraphs, request.references, request.principals, seconds_left
        )
        usage = Usage(Stage.ANSWER, "place", 1000 * (time.perf_counter() - begin))
        return placed, (usage,) if placed else ()

    def _length(self, request: WriteRequest) -> Length:
        return Length.SHORT if request.form is AnswerForm.SHORTER else request.length or self._settings.length


def _follow_ups(request: WriteRequest, transcript: Transcript) -> RecommendRequest:
    best = sorted(request.references, key=lambda reference: reference.number)
    evidence = tuple(reference.evidence for reference in best)
    event = request.understanding.related_event if request.understanding else None
    return RecommendRequest(request.question, evidence, request.view, transcript.text, event)


def _passages(request: WriteRequest) -> dict[str, Passage]:
    cited = (reference.evidence.passage for reference in request.references)
    in_tables = (passage for section in request.tables for passage in section.passages)
    return {passage.passage_id: passage for passage in (*cited, *in_tables)}


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
    )
