"""Describe the events of a turn in words."""

from collections.abc import Iterable, Mapping
from itertools import groupby
from textwrap import shorten
from typing import Final

from parley.context.v1 import (
    answer_pb2,
    basics_pb2,
    query_pb2,
    session_pb2,
    timeline_pb2,
    understanding_pb2,
    usage_pb2,
)
from parley.gateway.v1 import event_pb2

UNDATED: Final = "undated"
OPENING: Final = 48
"""Characters of a paragraph's opening that identify it."""


def condensed(record: query_pb2.DecisionRecord) -> str:
    """How a follow-up was condensed, and why."""
    left_alone = record.standalone == record.raw
    question = "unchanged" if left_alone else f"“{record.standalone}”"
    decision = _word(query_pb2.Decision.Name(record.decision), "DECISION_")
    why = f"{decision}: {record.reason}" if record.reason else decision
    return f"{question} ({why}{_by(record.engine)})"


def searched_by(record: query_pb2.DecisionRecord) -> str:
    """What is sent to retrieval: the text, and the weighted terms, vectors and variants from the conversation."""
    query = record.query
    words = f"“{query.text or record.standalone}”"
    if query.terms:
        words += " + " + ", ".join(f"{term.term} x{term.weight:.2g}" for term in query.terms)
    if query.texts:
        words += f" + the vectors of {_count(len(query.texts), 'text')}"
    for variant in query.variants:
        words += f" | “{variant.text}” x{variant.weight:.2g}"
    return words


def grounded(grounding: understanding_pb2.Grounded) -> str:
    """A phrase and what it was grounded to."""
    if not grounding.value:
        return f"“{grounding.phrase}” stays as it is ({grounding.reason})"
    return f"“{grounding.phrase}” is {grounding.value}"


def rejection(event: understanding_pb2.QuestionRejection) -> str:
    """Why the policy rejects the question."""
    category = _word(understanding_pb2.Category.Name(event.category), "CATEGORY_")
    return category if category != "unspecified" else "by the policy"


def plan(event: event_pb2.PlanEvent) -> str:
    """The parts that a question was split into; empty if it was not split."""
    if len(event.graph.nodes) < 2:
        return ""
    parts = "; ".join(f"#{node.id} {node.text}" for node in event.graph.nodes)
    return f"{parts} ({event.graph.reason})" if event.graph.reason else parts


def sub_query(event: event_pb2.SubQueryEvent) -> str:
    """What was searched, and the result."""
    if event.status == event_pb2.SUB_QUERY_STATUS_DEGRADED:
        return f"{event.text} — failed ({event.reason})"
    answer = f", answer: {event.answer}" if event.HasField("answer") else ""
    return f"{event.text} — {_count(event.evidence, 'passage')}{answer}"


def citation(event: answer_pb2.Citation) -> str:
    """The verdict on a sentence."""
    verdict = _word(answer_pb2.Verdict.Name(event.verdict), "VERDICT_")
    numbers = " ".join(f"[{number}]" for number in cited_numbers([event]))
    words = f"sentence {event.sentence} {'unchecked' if verdict == 'unspecified' else verdict}"
    words += f" by {numbers}" if numbers and verdict == "verified" else f" {numbers}" if numbers else ""
    return f"{words}: {event.reason}" if event.reason and verdict != "verified" else words


def cited_numbers(citations: Iterable[answer_pb2.Citation]) -> list[int]:
    """The numbers of the references that sentences cite, each once, in ascending order."""
    return sorted({span.number for citation in citations for span in citation.references if span.number > 0})


def image(placement: answer_pb2.PlacedImage, text: str) -> str:
    """A picture, its address, and the opening of the paragraph that it is placed beside."""
    paragraphs = text.split("\n\n")
    opening = paragraphs[placement.paragraph - 1] if 0 < placement.paragraph <= len(paragraphs) else ""
    position = f"beside “{shorten(opening.replace('*', ''), OPENING, placeholder=' …')}”" if opening else ""
    where = f"({placement.image.url or placement.document_id})" if placement.image.url or placement.document_id else ""
    return " ".join(part for part in (placement.image.caption or "a picture", where, position) if part)


def fit(placement: answer_pb2.PlacedImage) -> str:
    """A picture's id, its paragraph's number, and its score with the method of comparison."""
    method = _word(answer_pb2.ComparedBy.Name(placement.compared_by), "COMPARED_BY_")
    by = f"{placement.score:.2f} by {method}" if method != "unspecified" else f"{placement.score:.2f}"
    return f"{placement.image.image_id}, paragraph {placement.paragraph}, {by}"


def sources(event: timeline_pb2.TimelineEvent, numbers: Mapping[str, int]) -> str:
    """The sources of an event: the answer's reference numbers if it has them, else document ids."""
    known_numbers = sorted({numbers[source.passage_id] for source in event.sources if source.passage_id in numbers})
    if known_numbers:
        return " ".join(f"[{number}]" for number in known_numbers)
    return " ".join(sorted({f"({source.document_id})" for source in event.sources if source.document_id}))


def unit(timeline: timeline_pb2.Timeline) -> str:
    """The unit of a timeline, such as "month"; empty if it has none."""
    name = _word(timeline_pb2.Granularity.Name(timeline.granularity), "GRANULARITY_")
    return "" if name == "unspecified" else name


def when(event: timeline_pb2.TimelineEvent) -> str:
    """An event's date, as precise as stated: 2008-05-25, 2008-05, 2008, 1990s, 19th century, spring 1998, 44 BCE."""
    start = _date(event.start, event.precision, event.date_text)
    if not event.HasField("end"):
        return start
    end = _date(event.end, event.precision, event.date_text)
    return start if end == start else f"{start} – {end}"


def _date(date: basics_pb2.PartialDate, precision: int, words: str) -> str:
    if precision == basics_pb2.PRECISION_DECADE and date.year > 0:
        return f"{date.year // 10 * 10}s"
    if precision == basics_pb2.PRECISION_CENTURY and date.year > 0:
        return f"{_ordinal((date.year - 1) // 100 + 1)} century"
    if precision == basics_pb2.PRECISION_SEASON and words:
        return words
    parts = [f"{date.year:04}" if date.year > 0 else f"{1 - date.year} BCE"]
    parts += [f"{part:02}" for part in (date.month, date.day) if part]
    return "-".join(parts)


def _ordinal(number: int) -> str:
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def degraded(event: usage_pb2.Degraded) -> str:
    """What is missing, where and why."""
    stage = _word(usage_pb2.Stage.Name(event.stage), "STAGE_")
    return f"{stage} ({event.reason}): {event.effect}"


def usage(event: event_pb2.UsageEvent) -> str:
    """What a turn cost."""
    tokens = f"{event.input_tokens} tokens in, {event.output_tokens} out"
    if in_vain := sum(task.input_tokens + task.output_tokens for task in event.tasks if task.discarded):
        tokens += f" ({in_vain} of them in vain)"
    models = ", ".join(sorted({task.model for task in event.tasks if task.model}))
    unknown = any(task.cost_source == usage_pb2.COST_SOURCE_UNKNOWN for task in event.tasks)
    cost = "cost unknown" if unknown else f"${event.cost_usd:.4f}"
    return f"{event.milliseconds:.0f} ms, {tokens}, {cost}" + (f" ({models})" if models else "")


def spending(part_usage: event_pb2.Spending) -> str:
    """Tokens and cost of language models for one part of a turn; empty if none was called."""
    if part_usage.cost_source in (usage_pb2.COST_SOURCE_UNSPECIFIED, usage_pb2.COST_SOURCE_NONE):
        return ""
    cost = "cost unknown" if part_usage.cost_source == usage_pb2.COST_SOURCE_UNKNOWN else f"${part_usage.cost_usd:.4f}"
    return f"{part_usage.input_tokens} tokens in, {part_usage.output_tokens} out, {cost}"


def times(event: event_pb2.UsageEvent) -> str:
    """Milliseconds per stage and task; tasks that ran several times are summed."""
    tasks = sorted(event.tasks, key=lambda task: (task.stage, task.task))
    labels = []
    for (stage, task), runs in groupby(tasks, key=lambda task: (task.stage, task.task)):
        durations = [run.milliseconds for run in runs if not run.model]
        name = _word(usage_pb2.Stage.Name(stage), "STAGE_")
        label = name if task in ("", name) else f"{name} {task}"
        labels.append(f"{label} {sum(durations):.1f}" + (f" (x{len(durations)})" if len(durations) > 1 else ""))
    return ", ".join(labels)


def outcome(event: event_pb2.CompletedEvent) -> str:
    """How a turn ended, and the session to continue in."""
    word = _word(session_pb2.Outcome.Name(event.outcome), "OUTCOME_")
    sure = f" ({event.abstain_score:.2f})" if event.outcome == session_pb2.OUTCOME_ABSTAINED else ""
    return f"{word}{sure}" + (f"; go on with --session {event.session_id}" if event.session_id else "")


def _word(name: str, prefix: str) -> str:
    return name.removeprefix(prefix).replace("_", " ").lower()


def _by(engine: str) -> str:
    return f"; {engine}" if engine else ""


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" + ("" if number == 1 else "s")
