"""The language model's engine: it writes from numbered evidence, and nothing is believed before it is checked.

Its text streams as it comes. A sentence that is complete is compared with the passages that it cites, then with all
others: borne out it gets its markers; else it is withdrawn, and the text that holds goes on without it.
"""

import asyncio
import re
import time
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from contextlib import aclosing
from dataclasses import replace

from services.answer.citations import marked
from services.answer.lexicon.words import stems_of
from services.answer.requests import Length, WriteRequest
from services.answer.steps import Progress, WriteStep
from services.answer.subquestions import sub_questions
from services.answer.verification.verify import Checker, Source
from services.answer.writing.pieces import Piece, SentenceBegins, SentenceEnds, SentenceReader, Sign, coalesced
from services.answer.writing.transcript import Transcript
from services.llm.errors import LlmError
from services.llm.evidence import DataBlock, DataItem
from services.llm.messages import ChatModel, Delta
from services.llm.prompts import Prompt, PromptValue
from services.vocabulary.answers import Citation, Verdict
from services.vocabulary.evidence import Reference
from services.vocabulary.usage import Degraded, Stage, Usage

PLACES = frozenset({"length", "language", "evidence", "parts", "question"})
"""What the prompt `write` may ask for."""
_LENGTHS = {
    Length.SHORT: "one or two sentences",
    Length.MEDIUM: "one or two short paragraphs",
    Length.LONG: "as much as the items tell about the question, in paragraphs",
}

_YES_OR_NO = re.compile(
    r"\W*(?:(?:and|but|so|or)\s+)?(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\b",
    re.IGNORECASE,
)
"""Its own words may answer such a question."""


class BudgetUsedUp(LlmError):  # noqa: N818 - named as the failures of services.runtime.errors
    """The request's own limit came before the end."""

    def __init__(self) -> None:
        super().__init__("BUDGET_EXHAUSTED", "the time for writing is used up")


class LlmWriter:
    """Writes with a chat model.

    Args:
        model: the chat model.
        prompt: with the places in `PLACES`.
        passages: most passages that the model is given.
        coalesce_seconds: pieces of text within so much time go out as one.
    """

    def __init__(self, model: ChatModel, prompt: Prompt, passages: int, coalesce_seconds: float) -> None:
        self._model = model
        self._prompt = prompt
        self._passages = passages
        self._coalesce_seconds = coalesce_seconds

    async def write(
        self, request: WriteRequest, length: Length, transcript: Transcript
    ) -> AsyncGenerator[WriteStep | Usage, None]:
        """Text, citations and the model's usage as they come; a failure is told as degraded, never raised.

        What was said and what of it holds is in `transcript`; without support there, something else has to be said.
        """
        yield Progress("The language model writes.")
        references = sorted(request.references, key=lambda reference: reference.number)[: self._passages]
        checks, reader = _Checks(request, references), SentenceReader()
        try:
            async with aclosing(self._deltas(request, length, references)) as deltas:
                async for delta in deltas:
                    async for step in _steps(reader.read(delta.text), transcript, checks):
                        yield step
                    if delta.usage:
                        yield delta.usage
            async for step in _steps(reader.finish(), transcript, checks):
                yield step
        except LlmError as error:
            for step in _broken_off(transcript):
                yield step
            yield Degraded(Stage.ANSWER, error.reason, _effect(transcript))
            return
        if not transcript.has_support:
            effect = "What the language model wrote is not borne out by the documents; they are quoted instead."
            yield Degraded(Stage.ANSWER, "LLM_UNUSABLE", effect)

    def _deltas(
        self, request: WriteRequest, length: Length, references: Sequence[Reference]
    ) -> AsyncGenerator[Delta, None]:
        values: dict[str, PromptValue] = {
            "length": _LENGTHS[length],
            "language": f"Write in the language “{request.language}”." if request.language else "",
            "evidence": DataBlock([_item(reference) for reference in references]),
            "parts": "\n".join(f"- {sub.text}" for sub in sub_questions(request) if sub.computed is None),
            "question": request.question,
        }
        limit = request.budget.max_tokens or None
        stream = self._model.stream(self._prompt.messages(values), task="write", max_tokens=limit)
        return _within(coalesced(stream, self._coalesce_seconds), request.budget.max_seconds)


def _item(reference: Reference) -> DataItem:
    """A passage as the model sees it: its number, how relevant it is, where it comes from, what it says."""
    passage = reference.evidence.passage
    source = passage.url or passage.source or passage.document_id
    return DataItem(reference.number, passage.text, passage.title, reference.evidence.relevance.value.title(), source)


async def _within(deltas: AsyncGenerator[Delta, None], seconds: float) -> AsyncGenerator[Delta, None]:
    """The stream for at most `seconds`; 0 sets no limit."""
    ends = time.monotonic() + seconds if seconds else None
    async with aclosing(deltas):
        while True:
            try:
                async with asyncio.timeout(None if ends is None else max(0.0, ends - time.monotonic())):
                    delta = await anext(deltas, None)
            except TimeoutError:
                raise BudgetUsedUp from None
            if delta is None:
                return
            yield delta


class _Checks:
    """Compares sentences with what they cite, off the event loop."""

    def __init__(self, request: WriteRequest, references: Sequence[Reference]) -> None:
        self._asked = "" if _YES_OR_NO.match(request.question) else _words_asked(request)
        self._sources = {r.number: Source(r.evidence.passage, r.number) for r in references}
        self._of_all: Checker | None = None

    async def check(self, sentence: SentenceEnds, number: int) -> Citation:
        """The verdict, with the references that bear the sentence out."""
        return await asyncio.to_thread(self._check, sentence, number)

    def _check(self, sentence: SentenceEnds, number: int) -> Citation:
        if self._asked and set(stems_of(sentence.text)).issubset(stems_of(self._asked)):
            reason = "It says no more than the question."
            return Citation(number, (), Verdict.WITHDRAWN, 0.0, reason, replacement="")
        cited = [self._sources[n] for n in sentence.numbers if n in self._sources]
        if cited:
            citation = Checker(cited).check(sentence.text, number)
            if citation.verdict is not Verdict.WITHDRAWN:
                return citation
        self._of_all = self._of_all or Checker(list(self._sources.values()))
        elsewhere = self._of_all.check(sentence.text, number)
        if elsewhere.verdict is not Verdict.VERIFIED:
            return replace(elsewhere, verdict=Verdict.WITHDRAWN, replacement="")
        reason = (
            "It cites no passage that bears it out, but another one does." if sentence.numbers else elsewhere.reason
        )
        return replace(elsewhere, reason=reason)


def _words_asked(request: WriteRequest) -> str:
    """The words that a sentence must go beyond to tell anything."""
    return " ".join([request.question, *(sub.text for sub in sub_questions(request)), "question answer"])


async def _steps(signs: Iterator[Sign], transcript: Transcript, checks: _Checks) -> AsyncIterator[WriteStep]:
    """The steps of what was read."""
    for sign in signs:
        if isinstance(sign, SentenceBegins):
            transcript.begin(sign.new_paragraph)
        elif isinstance(sign, Piece):
            yield transcript.delta(sign.text)
        else:
            citation = await checks.check(sign, transcript.sentence)
            for step in _ended(sign, citation, transcript):
                yield step


def _ended(sentence: SentenceEnds, citation: Citation, transcript: Transcript) -> Sequence[WriteStep]:
    """Markers only for what is borne out, then the verdict."""
    if citation.verdict is Verdict.WITHDRAWN:
        transcript.end(sentence.text, citation)
        return (citation,)
    numbers = [cited.number for cited in citation.references]
    transcript.end(marked(sentence.text, numbers), citation)
    return (transcript.delta(marked("", numbers)), citation)


def _broken_off(transcript: Transcript) -> Sequence[WriteStep]:
    """Takes back the sentence that was being written."""
    if not transcript.is_open:
        return ()
    reason = "The sentence was not finished."
    citation = Citation(transcript.sentence, (), Verdict.WITHDRAWN, 0.0, reason, replacement="")
    transcript.end("", citation)
    return (citation,)


def _effect(transcript: Transcript) -> str:
    if transcript.has_support:
        return "The language model broke off; the answer ends where it was borne out."
    return "The language model could not be used; the documents are quoted instead."
