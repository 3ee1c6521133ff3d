"""Writes answers with a language model from numbered evidence and verifies every sentence.

The text is streamed as it arrives. Each complete sentence is compared with the passages that it cites, then with all
others. A supported sentence gets its citation markers; any other is withdrawn, and the answer continues without it. The
model is awaited, sentences are checked in threads.
"""

import re
import time
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from libs.contracts.answers import Citation, Verdict
from libs.contracts.evidence import Passage
from libs.contracts.options import Length
from libs.contracts.stages.answer import WriteRequest, WriteStep
from libs.contracts.usage import Degraded, Progress, Stage, Usage
from libs.llm.errors import BudgetUsedUp, LlmError
from libs.llm.messages import Delta, PricedModel
from libs.llm.prompts import Prompt
from libs.runtime.threads import in_thread
from services.answer.answer_language import answer_language
from services.answer.citations import renumber, with_markers
from services.answer.writing.checking import SentenceChecks
from services.answer.writing.dependent_sentences import unfounded_citation
from services.answer.writing.pieces import Piece, SentenceBegins, SentenceEnds, Sign, coalesce, within
from services.answer.writing.prompt_building import PromptMaterial, gather_material
from services.answer.writing.prompt_items import select_references
from services.answer.writing.sending import Repeats, repeat_citation
from services.answer.writing.text_reader import BAR, NO_ANSWER, TextReader
from services.answer.writing.transcript import Transcript

TASK = "write"
_QUOTED = "The language model could not be used; the documents are quoted instead"
_WHOLE = re.compile(r"[.!?…‽。！？।:;][\"'”’»)\]*_]*\Z")


@dataclass(frozen=True, slots=True)
class LlmWriter:
    """Writes answers with a chat model; the prompt has the placeholders in `prompt_building.PROMPT`."""

    model: PricedModel
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
            yield Degraded(Stage.ANSWER, error.reason, f"{_QUOTED} ({error.message}).")
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

    def _begin_writing(self, request: WriteRequest, length: Length, transcript: Transcript) -> "_Writing":
        """Prepare the prompt and the checks of the answer."""
        references = select_references(request.references, self.max_passages, self.max_words)
        price = self.model.price_of(TASK)
        material = gather_material(self.prompt, request, length, references, price)
        transcript.triplets = tuple(material.triplets)
        passages = {r.evidence.passage.passage_id: r.evidence.passage for r in request.references}
        reader = TextReader(answer_language(request), request.follow_ups)
        return _Writing(transcript, SentenceChecks(request, references), material, passages, reader)

    async def _write_steps(self, request: WriteRequest, writing: "_Writing") -> AsyncGenerator[WriteStep, None]:
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


@dataclass(slots=True)
class _Writing:
    """The state of an answer while the model writes it."""

    transcript: Transcript
    checks: SentenceChecks
    material: PromptMaterial
    passages: Mapping[str, Passage]
    """Passages of all references, by id."""
    reader: TextReader
    usage: Usage | None = None
    truncated: bool = False
    error: LlmError | None = None
    repeats: Repeats = field(default_factory=Repeats)
    _lead: str = ""
    """The list marker of the sentence's item."""
    _leaning: list[tuple[int, str]] = field(default_factory=list)
    """Numbers and texts of the sentences that wait for the verdict on the next one."""

    @property
    def is_cut(self) -> bool:
        """Whether the token limit was reached before the answer was complete."""
        return self.truncated and not self.reader.has_next_questions

    @property
    def was_left(self) -> bool:
        """Whether reading stopped before the provider reported its usage."""
        return self.repeats.goes_round or isinstance(self.error, BudgetUsedUp)

    def note(self, delta: Delta) -> None:
        """Record the usage and the truncation that a delta reports."""
        self.usage = delta.usage or self.usage
        self.truncated = self.truncated or delta.truncated

    async def read(self, text: str) -> AsyncIterator[WriteStep]:
        """Yield the steps for a further piece of text."""
        async for step in self._steps(self.reader.read(text)):
            yield step

    async def finish(self) -> AsyncIterator[WriteStep]:
        """Yield the steps at the end of the text; the rest of a text that repeats itself is not read."""
        if self.repeats.goes_round:
            for step in (*self.break_off("It was not read on."), *self.unsettled()):
                yield step
            return
        async for step in self._steps(self.reader.finish(), last=True):
            yield step
        for step in self.unsettled():
            yield step

    async def _steps(self, signs: Iterator[Sign], last: bool = False) -> AsyncIterator[WriteStep]:
        for sign in signs:
            if isinstance(sign, Piece):
                yield self.transcript.delta(sign.text)
            elif isinstance(sign, SentenceBegins):
                self.transcript.begin(sign.gap)
                self._lead = sign.lead
                if sign.lead:
                    yield self.transcript.delta(sign.lead)
            else:
                for step in (*self._orphaned_heads(sign), *await self._judge(sign, last)):
                    yield step

    async def _judge(self, sentence: SentenceEnds, last: bool) -> Sequence[WriteStep]:
        """The steps at a sentence's end; none yet if it is judged with the next one."""
        if sentence.endless or (last and self.is_cut and not _WHOLE.search(sentence.text)):
            return self.break_off("The sentence was cut off.")
        number = self.transcript.sentence
        if self.repeats.is_repeat(sentence.text):
            return self._end_sentence(sentence, repeat_citation(number))
        if sentence.announces or (sentence.is_prose and self.checks.depends_on_next(sentence.text)):
            self._leaning.append((number, sentence.text))
            self.transcript.end(self._lead + sentence.text + sentence.closing)
            return (self.transcript.delta(sentence.closing),) if sentence.closing else ()
        citation = await self.checks.check(sentence, number)
        citation = await self.checks.replace(citation, sentence, self.transcript.cited_spans)
        if citation.replacement and self.repeats.is_repeat(citation.replacement):
            citation = repeat_citation(number)
        return self._end_sentence(sentence, citation)

    def _orphaned_heads(self, sentence: SentenceEnds) -> Sequence[Citation]:
        """Withdraw the head of a table that something else than a row follows."""
        heads = [] if sentence.row else [number for number, text in self._leaning if text.startswith(BAR)]
        self._leaning = [each for each in self._leaning if each[0] not in heads]
        return self._settle([unfounded_citation(number) for number in heads])

    def _end_sentence(self, sentence: SentenceEnds, citation: Citation) -> Sequence[WriteStep]:
        """The markers, if the sentence is supported, and the verdict."""
        if citation.verdict is Verdict.WITHDRAWN:
            self.transcript.end("", citation)
            return (citation,)
        citation = renumber(citation, self.passages, self.transcript.numbers)
        numbers = [] if sentence.code else [span.number for span in citation.references]
        ground = sentence.text if citation.replacement is None else citation.replacement
        text = with_markers(self._lead + ground, numbers) + sentence.closing
        leaning = self._settle([self.checks.judge_by_next(*waiting, ground, citation) for waiting in self._leaning])
        self._leaning = []
        if citation.replacement is not None:
            citation = replace(citation, replacement=text)
            self.transcript.end(text, citation)
            return (*leaning, citation)
        self.transcript.end(text, citation)
        end = with_markers("", numbers) + sentence.closing
        return (*((self.transcript.delta(end),) if end else ()), *leaning, citation)

    def unsettled(self) -> Sequence[Citation]:
        """Return the verdicts on sentences that depended on a next one that never came."""
        leaning, self._leaning = self._leaning, []
        return self._settle([unfounded_citation(number) for number, _ in leaning])

    def _settle(self, citations: Sequence[Citation]) -> Sequence[Citation]:
        """Record the verdicts on sentences that waited for the next one."""
        for citation in citations:
            self.transcript.settle(citation)
        return citations

    def break_off(self, reason: str) -> Sequence[WriteStep]:
        """Withdraw the sentence in progress, if any."""
        if not self.transcript.is_open:
            return ()
        citation = Citation(self.transcript.sentence, (), Verdict.WITHDRAWN, 0.0, reason, replacement="")
        self.transcript.end("", citation)
        return (citation,)

    def degraded(self) -> Iterator[Degraded]:
        """Yield what was not done as requested."""
        has_support = self.transcript.has_support
        if self.reader.finds_no_answer:
            return
        if self.error is not None:
            message = (
                "The language model stopped early; the answer ends with the last sentence that the documents support."
            )
            yield Degraded(Stage.ANSWER, self.error.reason, message if has_support else f"{_QUOTED}.")
        elif not has_support:
            effect = "The documents do not support what the language model wrote; they are quoted instead."
            yield Degraded(Stage.ANSWER, "LLM_UNUSABLE", effect)
        elif self.is_cut:
            effect = "The language model reached its token limit; the answer ends with its last complete sentence."
            yield Degraded(Stage.ANSWER, "BUDGET_EXHAUSTED", effect)
