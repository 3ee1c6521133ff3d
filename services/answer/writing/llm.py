"""Writes answers with a language model from numbered evidence and verifies every sentence.

The text is streamed as it arrives. Each complete sentence is compared with the passages that it cites, then with all
others. A supported sentence gets its citation markers; any other is withdrawn, and the answer continues without it. The
model is awaited, sentences are checked in threads.
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
from libs.runtime.threads import in_thread
from services.answer.answer_language import answer_language
from services.answer.writing.answer_in_progress import QUOTED, AnswerInProgress
from services.answer.writing.checks.checking import SentenceChecks
from services.answer.writing.prompt_building import PromptMaterial, gather_material
from services.answer.writing.prompt_items import select_references
from services.answer.writing.stream import coalesce, within
from services.answer.writing.text_reader import NO_ANSWER, TextReader
from services.answer.writing.transcript import Transcript

TASK = "write"


@dataclass(frozen=True, slots=True)
class LlmWriter:
    """Writes answers with a chat model; the prompt has the placeholders in `prompt_building.PROMPT`."""

    model: OpenAiChatModel
    prompt: Prompt
    max_passages: int
    """Passages in a prompt, the best ranked first."""
    max_words: int
    """Words of these passages together."""

    @property
    def judges(self) -> bool:
        """Whether the prompt asks the model to report that the evidence holds no answer."""
        return self.prompt.says(NO_ANSWER)

    async def write(
        self, request: WriteRequest, length: Length, transcript: Transcript
    ) -> AsyncGenerator[WriteStep, None]:
        """Yield the estimated usage, then text and citations as they arrive; a failure is reported, never raised.

        The text, its verdicts and the usage are recorded in `transcript`; if the text has no support there, the caller
        must write something else. `transcript.unanswered` is set if the model finds no answer in the evidence.
        """
        yield Progress("The language model writes.")
        try:
            writing = await in_thread(self._begin_writing, request, length, transcript)
        except BudgetUsedUp as error:
            yield Degraded(Stage.ANSWER, error.reason, f"{QUOTED} ({error.message}).")
            return
        yield self.model.estimated(writing.material.messages, "", task=TASK, milliseconds=0.0)
        async with aclosing(self._write_steps(request, writing)) as steps:
            async for step in steps:
                yield step
        transcript.unanswered = writing.reader.finds_no_answer
        transcript.follow_ups = writing.reader.questions()
        transcript.usage = writing.usage
        for degraded in writing.degraded():
            yield degraded

    def _begin_writing(self, request: WriteRequest, length: Length, transcript: Transcript) -> AnswerInProgress:
        """Prepare the prompt and the checks of the answer."""
        references = select_references(request.references, self.max_passages, self.max_words)
        price = self.model.price_of(TASK)
        material = gather_material(self.prompt, request, length, references, price)
        transcript.triplets = tuple(material.triplets)
        passages = {r.evidence.passage.passage_id: r.evidence.passage for r in request.references}
        reader = TextReader(answer_language(request), request.follow_ups)
        return AnswerInProgress(transcript, SentenceChecks(request, references), material, passages, reader)

    async def _write_steps(self, request: WriteRequest, writing: AnswerInProgress) -> AsyncGenerator[WriteStep, None]:
        """Yield the steps of the model's text, up to its end or its failure."""
        start, text = time.monotonic(), []
        try:
            async with aclosing(self._deltas(request, writing.material)) as deltas:
                async for delta in deltas:
                    text.append(delta.text)
                    writing.note(delta)
                    async for step in writing.read(delta.text):
                        yield step
                    if writing.repeats.goes_round:
                        break
            async for step in writing.finish():
                yield step
        except LlmError as error:
            writing.error, writing.usage = error, error.usage or writing.usage
            for step in (*writing.break_off("The sentence was not finished."), *writing.unsettled()):
                yield step
        if writing.usage is None and writing.was_left:
            milliseconds = 1000 * (time.monotonic() - start)
            messages = writing.material.messages
            writing.usage = self.model.estimated(messages, "".join(text), task=TASK, milliseconds=milliseconds)

    def _deltas(self, request: WriteRequest, material: PromptMaterial) -> AsyncGenerator[Delta, None]:
        limit = material.most_output and min(material.most_output, self.model.most_output)
        stream = self.model.stream(material.messages, task=TASK, max_tokens=limit)
        return within(coalesce(stream), request.budget.max_seconds)
