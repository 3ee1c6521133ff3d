"""Turn the events of a turn into the line of its task; pure functions. Times keep microseconds (taste)."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from evaluation.runs import TOTAL, CitedPassage, FoundPassage, SaidSentence, TaskRun
from parley.context.v1 import answer_pb2, evidence_pb2, query_pb2, session_pb2, usage_pb2
from parley.gateway.v1 import event_pb2


def observe(task_id: str, events: Iterable[event_pb2.Event]) -> TaskRun:
    """Collect the line of a task from a turn's events."""
    run = TaskRun(task_id)
    citations: dict[int, answer_pb2.Citation] = {}
    texts: dict[int, str] = defaultdict(str)
    for event in events:
        kind: str = event.WhichOneof("event") or ""
        if kind == "citation":
            citations[event.citation.sentence] = event.citation
        elif kind == "text":
            texts[event.text.sentence] += event.text.delta
        elif kind == "restarted":
            run, citations, texts = TaskRun(task_id), {}, defaultdict(str)
        elif kind in _READERS:
            run = replace(run, **_READERS[kind](getattr(event, kind)))
    return replace(run, citations=_cited_passages(citations), sentences=_standing(texts, citations))


def _condensed(record: query_pb2.DecisionRecord) -> Mapping[str, Any]:
    return {
        "strategy": query_pb2.Strategy.Name(record.strategy).removeprefix("STRATEGY_"),
        "decision": query_pb2.Decision.Name(record.decision).removeprefix("DECISION_"),
        "reason": record.reason,
        "standalone": record.standalone,
    }


def _understanding(event: Any) -> Mapping[str, Any]:
    return {
        "question": event.grounded_query,
        "asked_back": event.question_supplement.is_supply,
        "ask_score": event.ask_score,
        "choices": tuple(event.question_supplement.supply_choices),
        "rejected": event.question_rejection.is_reject,
    }


def _references(event: event_pb2.ReferencesEvent) -> Mapping[str, Any]:
    return {
        "docs": tuple((place.passage_id, place.score) for place in event.ranking),
        "references": tuple(map(_found_passage, event.references)),
    }


def _found_passage(reference: evidence_pb2.Reference) -> FoundPassage:
    passage, scores = reference.evidence.passage, reference.evidence.scores
    vector = scores.vector if scores.HasField("vector") else None
    return FoundPassage(reference.number, passage.passage_id, passage.text, passage.title, vector)


def _usage(event: event_pb2.UsageEvent) -> Mapping[str, Any]:
    durations: dict[str, float] = defaultdict(float)
    for task in event.tasks:
        durations[usage_pb2.Stage.Name(task.stage).removeprefix("STAGE_").lower()] += task.milliseconds
    durations[TOTAL] = event.milliseconds
    return {"ms": {stage: round(milliseconds, 3) for stage, milliseconds in durations.items()}}


def _completed(event: event_pb2.CompletedEvent) -> Mapping[str, Any]:
    outcome = session_pb2.Outcome.Name(event.outcome).removeprefix("OUTCOME_")
    return {"outcome": outcome, "abstained": event.abstains, "abstain_score": event.abstain_score}


def _cited_passages(citations: Mapping[int, answer_pb2.Citation]) -> tuple[CitedPassage, ...]:
    return tuple(
        CitedPassage(sentence, span.passage_id, _verdict(citation))
        for sentence, citation in sorted(citations.items())
        for span in citation.references
    )


def _standing(texts: Mapping[int, str], citations: Mapping[int, answer_pb2.Citation]) -> tuple[SaidSentence, ...]:
    """The sentences of the final answer; withdrawn ones are left out."""
    last = {n: c.replacement for n, c in citations.items() if c.HasField("replacement")}
    final_texts = ((number, last.get(number, text).strip()) for number, text in sorted(texts.items()))
    return tuple(SaidSentence(number, text) for number, text in final_texts if text)


def _verdict(citation: answer_pb2.Citation) -> str:
    return answer_pb2.Verdict.Name(citation.verdict).removeprefix("VERDICT_").lower()


_READERS: Final[Mapping[str, Callable[[Any], Mapping[str, Any]]]] = {
    "condensed": _condensed,
    "understanding": _understanding,
    "references": _references,
    "text_end": lambda event: {"answer": event.text, "gaps": tuple(event.gaps)},
    "usage": _usage,
    "completed": _completed,
}
