"""An answer while a language model writes it: its sentences are judged as they end, and recorded with their markers."""

import re
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from libs.contracts.answers import Citation, Verdict
from libs.contracts.evidence import Passage
from libs.contracts.stages.answer import WriteStep
from libs.contracts.usage import Degraded, Stage, Usage
from libs.llm.errors import BudgetUsedUp, LlmError
from libs.llm.messages import Delta
from services.answer.citations import renumber, with_markers, withdrawn
from services.answer.writing.checks.checking import SentenceChecks
from services.answer.writing.checks.dependent_sentences import NO_GROUND
from services.answer.writing.pieces import Piece, SentenceBegins, SentenceEnds, Sign
from services.answer.writing.prompt_building import PromptMaterial
from services.answer.writing.sending import SAID_BEFORE, Repeats
from services.answer.writing.text_reader import BAR, TextReader
from services.answer.writing.transcript import Transcript

QUOTED = "The language model could not be used; the documents are quoted instead"
_ENDS_EARLY = "The language model stopped early; the answer ends with the last sentence that the documents support."
_UNSUPPORTED = "The documents do not support what the language model wrote; they are quoted instead."
_CUT = "The language model reached its token limit; the answer ends with its last complete sentence."
_WHOLE = re.compile(r"[.!?…‽。！？।:;][\"'”’»)\]*_]*\Z")


@dataclass(slots=True)
class AnswerInProgress:
    """What is known of the answer so far."""

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
            return self._end_sentence(sentence, withdrawn(number, SAID_BEFORE))
        if sentence.announces or (sentence.is_prose and self.checks.depends_on_next(sentence.text)):
            self._leaning.append((number, sentence.text))
            self.transcript.end(self._lead + sentence.text + sentence.closing)
            return (self.transcript.delta(sentence.closing),) if sentence.closing else ()
        citation = await self.checks.check(sentence, number)
        citation = await self.checks.replace(citation, sentence, self.transcript.cited_spans)
        if citation.replacement and self.repeats.is_repeat(citation.replacement):
            citation = withdrawn(number, SAID_BEFORE)
        return self._end_sentence(sentence, citation)

    def _orphaned_heads(self, sentence: SentenceEnds) -> Sequence[Citation]:
        """Withdraw the head of a table that something else than a row follows."""
        heads = [] if sentence.row else [number for number, text in self._leaning if text.startswith(BAR)]
        self._leaning = [each for each in self._leaning if each[0] not in heads]
        return self._settle([withdrawn(number, NO_GROUND) for number in heads])

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
        return self._settle([withdrawn(number, NO_GROUND) for number, _ in leaning])

    def _settle(self, citations: Sequence[Citation]) -> Sequence[Citation]:
        """Record the verdicts on sentences that waited for the next one."""
        for citation in citations:
            self.transcript.settle(citation)
        return citations

    def break_off(self, reason: str) -> Sequence[WriteStep]:
        """Withdraw the sentence in progress, if any."""
        if not self.transcript.is_open:
            return ()
        citation = withdrawn(self.transcript.sentence, reason)
        self.transcript.end("", citation)
        return (citation,)

    def degraded(self) -> Iterator[Degraded]:
        """Yield what was not done as requested."""
        has_support, reason, effect = self.transcript.has_support, "", ""
        if self.reader.finds_no_answer:
            return
        if self.error is not None:
            reason, effect = self.error.reason, _ENDS_EARLY if has_support else f"{QUOTED}."
        elif not has_support:
            reason, effect = "LLM_UNUSABLE", _UNSUPPORTED
        elif self.is_cut:
            reason, effect = "BUDGET_EXHAUSTED", _CUT
        if reason:
            yield Degraded(Stage.ANSWER, reason, effect)
