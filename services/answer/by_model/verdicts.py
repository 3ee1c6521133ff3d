"""A language model's verdicts on sentences, within what the rules found.

A sentence quoted verbatim is not shown to the model. Of any other sentence the model may lower the verdict to any, and
raise it by one step if it names words that the passage contains: what the rules withdraw is never verified. The model
is awaited; nothing else is touched.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from libs.contracts.answers import Citation, CitedSpan, Verdict
from libs.contracts.evidence import Passage
from libs.contracts.stages.answer import VerifyRequest, VerifyResponse
from libs.contracts.usage import Usage
from libs.llm.evidence import DataBlock
from services.answer.by_model.forms import TaskModel, evidence_block, locate_quote
from services.answer.evidence_sanitizer import sanitize_passage

PLACEHOLDERS: Final = frozenset(("evidence", "sentences"))
MAX_TOKENS: Final = 1024  # of the reply (taste)
AT_ONCE: Final = 12
"""Sentences of one request (taste)."""
VERBATIM: Final = 1.0
"""The score of a sentence that stands in a passage."""

Support = Literal["supported", "partly", "not stated", "contradicted"]
_VERDICTS: Final[Mapping[Support, Verdict]] = {
    "supported": Verdict.VERIFIED,
    "partly": Verdict.WEAK,
    "not stated": Verdict.WITHDRAWN,
    "contradicted": Verdict.WITHDRAWN,
}
_STEPS: Final = (Verdict.WITHDRAWN, Verdict.WEAK, Verdict.VERIFIED)
_SCORES: Final = {Verdict.WITHDRAWN: 0.1, Verdict.WEAK: 0.4, Verdict.VERIFIED: 0.75}
"""The score where the model changed the verdict: the middle of that verdict's range, since a model gives none."""


@dataclass(frozen=True, slots=True)
class SentenceVerdict:
    """What the model says of one sentence."""

    sentence: int
    support: Support
    item: int
    quote: str


@dataclass(frozen=True, slots=True)
class VerdictsForm:
    """The form that the model fills in."""

    verdicts: tuple[SentenceVerdict, ...]


async def revise(model: TaskModel, request: VerifyRequest, citations: Sequence[Citation]) -> VerifyResponse:
    """Return the citations with the model's verdicts.

    Args:
        model: the model.
        request: sentences and passages.
        citations: the rules' citation of each sentence, in order.

    Raises:
        LlmError: the model failed, or left a sentence out even when asked again.
    """
    passages = [sanitize_passage(passage) for passage in request.passages]
    revised, usage = list(citations), []
    open_places = [place for place, citation in enumerate(citations) if citation.score < VERBATIM]
    for start in range(0, len(open_places), AT_ONCE):
        places = open_places[start : start + AT_ONCE]
        verdicts, batch_usage = await _ask(model, [request.sentences[place] for place in places], passages)
        usage.append(batch_usage)
        for place, verdict in zip(places, verdicts, strict=True):
            revised[place] = _revise(citations[place], verdict, passages)
    return VerifyResponse(tuple(revised), tuple(usage))


async def _ask(
    model: TaskModel, sentences: Sequence[str], passages: Sequence[Passage]
) -> tuple[Sequence[SentenceVerdict], Usage]:
    """The model's verdicts in the order of the sentences, and its usage."""
    expected = list(range(1, len(sentences) + 1))

    def fault(form: VerdictsForm) -> str | None:
        is_complete = sorted(verdict.sentence for verdict in form.verdicts) == expected
        return None if is_complete else "verdicts: must have each sentence once"

    values = {"evidence": evidence_block(passages), "sentences": DataBlock.of(sentences)}
    form, usage = await model.fill_in(VerdictsForm, values, MAX_TOKENS, fault)
    return sorted(form.verdicts, key=lambda verdict: verdict.sentence), usage


def _revise(citation: Citation, verdict: SentenceVerdict, passages: Sequence[Passage]) -> Citation:
    source = locate_quote(passages, verdict.item, verdict.quote)
    change = _change(citation.verdict, _VERDICTS[verdict.support], source)
    if change is citation.verdict:
        return citation
    reason = f"The language model found it {verdict.support}."
    references = citation.references if source is None else (source,)
    return replace(citation, references=references, verdict=change, score=_SCORES[change], reason=reason)


def _change(by_rules: Verdict, by_model: Verdict, source: CitedSpan | None) -> Verdict:
    """Return the verdict after the model's; it rises by at most one step, and only with a source."""
    current, wanted = _STEPS.index(by_rules), _STEPS.index(by_model)
    most = current + 1 if source is not None else current
    return _STEPS[min(wanted, most)]
