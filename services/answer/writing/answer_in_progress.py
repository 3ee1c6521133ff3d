"""An answer while a language model writes it: its sentences are judged as they end, and recorded with their markers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from libs.contracts.answers import Citation, Verdict
from libs.contracts.evidence import Passage
from libs.contracts.stages.answer import WriteStep
from libs.contracts.usage import Degraded, Stage, Usage
from libs.language.characters import without_unseen
from libs.llm.errors import LlmError
from services.answer.citing.citations import renumber, with_markers, withdrawn
from services.answer.verification.windows import plain
from services.answer.writing.checks.checking import SentenceChecks
from services.answer.writing.checks.dependent_sentences import NO_GROUND
from services.answer.writing.pieces import Kind, Piece, SentenceBegins, SentenceEnds, Sign
from services.answer.writing.text_reader import TextReader
from services.answer.writing.transcript import Transcript

QUOTED: Final = "The language model could not be used; the documents are quoted instead"
_SAID_BEFORE: Final = "It was said before."
_UNFINISHED: Final = "The sentence was not finished."
_ENDS_EARLY: Final = (
    "The language model stopped early; the answer ends with the last sentence that the documents bear out."
)
_UNSUPPORTED: Final = "The documents do not support what the language model wrote; they are quoted instead."
_CUT: Final = "The language model reached its token limit; the answer ends with its last complete sentence."


@dataclass(slots=True)
class AnswerInProgress:
    """What is known of the answer so far."""

    transcript: Transcript
    checks: SentenceChecks
    passages: Mapping[str, Passage]
    """Passages of all references, by id."""
    reader: TextReader
    usage: Usage | None = None
    truncated: bool = False
    error: LlmError | None = None
    _lead: str = ""
    _waiting: list[tuple[int, SentenceEnds]] = field(default_factory=list)
    """The sentences that wait for the verdict on the next one, with their numbers."""
    _said: set[str] = field(default_factory=set)
    """The sentences written so far, including withdrawn ones."""

    @property
    def is_cut(self) -> bool:
        """Whether the token limit was reached before the answer was complete."""
        return self.truncated and not self.reader.has_next_questions

    async def take(self, sign: Sign) -> Sequence[WriteStep]:
        """Return the steps for a sign of the text."""
        if isinstance(sign, Piece):
            return (self.transcript.delta(sign.text),)
        if isinstance(sign, SentenceBegins):
            self.transcript.begin(sign.gap)
            self._lead = sign.lead
            return (self.transcript.delta(sign.lead),) if sign.lead else ()
        return (*self._orphaned_heads(sign), *await self._judge(sign))

    def finish(self) -> Sequence[Citation]:
        """Withdraw the sentence in progress, and those that depend on a next one that never came."""
        citations = [withdrawn(number, NO_GROUND) for number, _ in self._waiting]
        if self.transcript.is_open:
            citations.append(withdrawn(self.transcript.sentence, _UNFINISHED))
        return self._settle(citations)

    async def _judge(self, sentence: SentenceEnds) -> Sequence[WriteStep]:
        """The steps at a sentence's end; no verdict yet if it is judged with the next one."""
        number, words = self.transcript.sentence, plain(sentence.text)
        if words in self._said:
            return self._end_sentence(sentence, withdrawn(number, _SAID_BEFORE))
        self._said.add(words)
        if self.checks.depends_on_next(sentence):
            self._waiting.append((number, sentence))
            steps = (self.transcript.delta(sentence.closing),) if sentence.closing else ()
            self.transcript.end()
            return steps
        return self._end_sentence(sentence, await self.checks.check(sentence, number, self.transcript.cited_spans))

    def _orphaned_heads(self, sentence: SentenceEnds) -> Sequence[Citation]:
        """Withdraw the head of a table that something else than a row follows."""
        heads = [] if sentence.is_row else [each for each in self._waiting if each[1].kind is Kind.HEAD]
        self._waiting = [each for each in self._waiting if each not in heads]
        return self._settle([withdrawn(number, NO_GROUND) for number, _ in heads])

    def _end_sentence(self, sentence: SentenceEnds, citation: Citation) -> Sequence[WriteStep]:
        """The markers, if the sentence is supported, and the verdict."""
        if citation.verdict is Verdict.WITHDRAWN:
            self.transcript.end(citation)
            return (citation,)
        citation = renumber(citation, self.passages, self.transcript.numbers)
        numbers = [] if sentence.kind is Kind.CODE else [span.number for span in citation.references]
        end = with_markers("", numbers) + sentence.closing
        ground = sentence.text if citation.replacement is None else citation.replacement
        earlier = [self.checks.judge_by_next(*waiting, ground, citation) for waiting in self._waiting]
        self._waiting = []
        steps: list[WriteStep] = []
        if citation.replacement is not None:
            citation = replace(citation, replacement=without_unseen(self._lead + ground) + end)
        elif end:
            steps.append(self.transcript.delta(end))
        self.transcript.end(citation)
        return (*steps, *self._settle(earlier), citation)

    def _settle(self, citations: Sequence[Citation]) -> Sequence[Citation]:
        for citation in citations:
            self.transcript.settle(citation)
        return citations

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
