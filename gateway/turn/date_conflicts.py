"""Marks events that the answer and the timeline date differently, in both of them, without resolving the conflict."""

from collections.abc import Iterator
from dataclasses import replace

from gateway.turn.draft import Draft
from libs.chronology.contradictions import AnswerSentence, Contradiction, find_contradictions
from libs.contracts.answers import Answer, Citation, Verdict
from libs.contracts.timeline import DateConflict, Timeline
from libs.language.detection import reading_language
from libs.language.known import ENGLISH
from libs.runtime.threads import in_thread


async def mark_contradictions(draft: Draft) -> tuple[Timeline | Citation, ...]:
    """Return what has to be emitted again, the timeline first; nothing if both agree.

    The timeline gets a conflict between the event and the sentence. The sentence's citation names the other date and
    is no longer verified: its own source supports it, another one does not. Call this whenever the answer or the
    timeline is complete; the comparison runs once.
    """
    answer, timeline = draft.answer, draft.timeline
    if answer is None or timeline is None or draft.is_compared:
        return ()
    draft.is_compared = True
    language = reading_language(draft.forms().standalone, usual=ENGLISH)
    contradictions = await in_thread(find_contradictions, list(_sentences(draft, answer)), timeline, language)
    if not contradictions:
        return ()
    conflicts = tuple(DateConflict((one.event_id,), _conflict_text(one), one.sentence) for one in contradictions)
    draft.timeline = replace(timeline, conflicts=timeline.conflicts + conflicts)
    by_sentence = {one.sentence: one for one in contradictions}
    citations = tuple(
        _mark(citation, by_sentence[citation.sentence]) if citation.sentence in by_sentence else citation
        for citation in answer.citations
    )
    draft.answer = replace(answer, citations=citations)
    return (draft.timeline, *(citation for citation in citations if citation.sentence in by_sentence))


def _sentences(draft: Draft, answer: Answer) -> Iterator[AnswerSentence]:
    """Yield the current text of the sentences that have citations and are not withdrawn."""
    documents = {r.evidence.passage.passage_id: r.evidence.passage.document_id for r in draft.references}
    for citation in answer.citations:
        streamed_text = draft.sentences.get(citation.sentence, "")
        text = streamed_text if citation.replacement is None else citation.replacement
        if text and citation.references and citation.verdict is not Verdict.WITHDRAWN:
            document_ids = frozenset(documents.get(span.passage_id, span.passage_id) for span in citation.references)
            yield AnswerSentence(citation.sentence, text, document_ids, _quotes(citation))


def _quotes(citation: Citation) -> tuple[str, ...]:
    return tuple(span.quote for span in citation.references)


def _conflict_text(one: Contradiction) -> str:
    return f"The answer (sentence {one.sentence}) says {one.said!r}, the timeline {one.told!r}."


def _mark(citation: Citation, one: Contradiction) -> Citation:
    reason = f"The timeline dates this otherwise: {one.told!r}, not {one.said!r}."
    return replace(citation, verdict=Verdict.WEAK, reason=f"{citation.reason} {reason}".strip())
