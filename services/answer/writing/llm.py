"""Writes answers with a language model from numbered evidence and verifies every sentence.

The text is streamed as it arrives. A complete sentence that is supported gets its citation markers; any other is
withdrawn, and the answer continues without it. The model is awaited, sentences are checked in threads.
"""

import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass

from libs.contracts.options import Length
from libs.contracts.stages.answer import WriteRequest, WriteStep
from libs.contracts.usage import Degraded, Progress, Stage
from libs.llm.client import OpenAiChatModel
from libs.llm.errors import BudgetUsedUp, LlmError
from libs.llm.messages import Delta
from libs.llm.prompts import Prompt
from libs.runtime.deadline import enforced
from libs.runtime.threads import in_thread
from services.answer.answer_language import answer_language
from services.answer.writing.answer_in_progress import QUOTED, AnswerInProgress
from services.answer.writing.checks.checking import SentenceChecks
from services.answer.writing.pieces import Sign
from services.answer.writing.prompt_building import PromptMaterial, gather_material, select_references
from services.answer.writing.text_reader import TextReader
from services.answer.writing.transcript import Transcript

TASK = "write"


@dataclass(frozen=True, slots=True)
class LlmWriter:
    """Writes answers with a chat model; the prompt has the placeholders in `prompt_building.PROMPT`."""

    model: OpenAiChatModel
    prompt: Prompt
    max_passages: int
    max_words: int

    async def write(
        self, request: WriteRequest, length: Length, transcript: Transcript
    ) -> AsyncGenerator[WriteStep, None]:
        """Yield the estimated usage, then text and citations as they arrive; a failure is reported, never raised.

        The text, its verdicts and the usage are recorded in `transcript`; if the text has no support there, the caller
        must write something else. `transcript.unanswered` is set if the model finds no answer in the evidence.
        """
        yield Progress("The language model writes.")
        try:
            material, writing = await in_thread(self._begin_writing, request, length, transcript)
        except BudgetUsedUp as error:
            yield Degraded(Stage.ANSWER, error.reason, f"{QUOTED} ({error.message}).")
            return
        yield self.model.estimated(material.messages, "", task=TASK, milliseconds=0.0)
        async with aclosing(self._signs(request, material, writing)) as signs:
            async for sign in signs:
                for step in await writing.take(sign):
                    yield step
        for citation in writing.finish():
            yield citation
        transcript.unanswered = writing.reader.finds_no_answer
        transcript.wanted_search = writing.reader.wanted_search if request.may_search_again else ""
        transcript.follow_ups = writing.reader.questions()
        transcript.usage = writing.usage
        for degraded in writing.degraded():
            yield degraded

    def _begin_writing(
        self, request: WriteRequest, length: Length, transcript: Transcript
    ) -> tuple[PromptMaterial, AnswerInProgress]:
        references = select_references(request.references, self.max_passages, self.max_words)
        material = gather_material(self.prompt, request, length, references, self.model.price_of(TASK))
        passages = {r.evidence.passage.passage_id: r.evidence.passage for r in request.references}
        reader = TextReader(answer_language(request), request.follow_ups)
        return material, AnswerInProgress(transcript, SentenceChecks(request, references), passages, reader)

    async def _signs(
        self, request: WriteRequest, material: PromptMaterial, writing: AnswerInProgress
    ) -> AsyncGenerator[Sign, None]:
        start, text = time.monotonic(), []
        try:
            async with aclosing(self._deltas(request, material)) as deltas:
                async for delta in deltas:
                    text.append(delta.text)
                    writing.usage, writing.truncated = delta.usage, delta.truncated
                    for sign in writing.reader.read(delta.text):
                        yield sign
        except LlmError as error:
            writing.error, writing.usage = error, error.usage
        for sign in () if writing.is_cut or writing.error else writing.reader.finish():
            yield sign
        if writing.usage is None and isinstance(writing.error, BudgetUsedUp):
            milliseconds = 1000 * (time.monotonic() - start)
            written = "".join(text)
            writing.usage = self.model.estimated(material.messages, written, task=TASK, milliseconds=milliseconds)

    async def _deltas(self, request: WriteRequest, material: PromptMaterial) -> AsyncGenerator[Delta, None]:
        """The model's text, for as long as the request allows."""
        limit = material.most_output and min(material.most_output, self.model.most_output)
        seconds = request.budget.max_seconds
        ends = time.monotonic() + seconds if seconds else None
        async with aclosing(self.model.stream(material.messages, task=TASK, max_tokens=limit)) as stream:
            while True:
                left = None if ends is None else max(0.0, ends - time.monotonic())
                async with enforced(left, lambda: BudgetUsedUp("the time for writing is used up")):
                    delta = await anext(stream, None)
                if delta is None:
                    return
                yield delta
