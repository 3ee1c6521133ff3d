"""How an answer came about, as lines of text: what was understood, searched, left out and spent. Prints nothing."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from itertools import groupby
from operator import attrgetter
from typing import Any, Final

from cli.view.output import enum_word
from parley.context.v1 import query_pb2, understanding_pb2, usage_pb2
from parley.gateway.v1 import event_pb2


class Tone(Enum):
    """How much attention a line needs."""

    QUIET = "quiet"
    """How the answer came about."""
    PLAIN = "plain"
    """A part of the result."""
    WARNING = "warning"
    """Something is missing or does not hold."""


Line = tuple[str, str, Tone]
"""A label and a text."""


def details(event: event_pb2.Event) -> Iterator[Line]:
    """Yield the lines that only a reader of the details sees; none for an event of the answer itself."""
    kind = event.WhichOneof("event") or ""
    if (describe := _DESCRIPTIONS.get(kind)) is not None:
        yield from describe(getattr(event, kind))


def _understanding(event: understanding_pb2.Understanding) -> Iterator[Line]:
    for phrase in event.grounded:
        result = f"is {phrase.value}" if phrase.value else f"stays as it is ({phrase.reason})"
        yield "grounded", f"“{phrase.phrase}” {result}", Tone.QUIET
    if event.question_rejection.is_reject:
        yield "refused", enum_word(event.question_rejection, "category", "by the policy"), Tone.QUIET


def _usage(event: event_pb2.UsageEvent) -> Iterator[Line]:
    yield "usage", _total(event), Tone.QUIET
    for part, spending in (("rewriting", event.rewriting), ("answering", event.answering)):
        if spending.cost_source not in (usage_pb2.COST_SOURCE_UNSPECIFIED, usage_pb2.COST_SOURCE_NONE):
            yield part, _spending(spending), Tone.QUIET
    if times := _times(event):
        yield "ms", times, Tone.QUIET


def understood_as(record: query_pb2.DecisionRecord) -> str:
    """The standalone question that was searched and answered: with those words only that the turn surely needs."""
    return record.sure_standalone or record.standalone


def condensed(record: query_pb2.DecisionRecord) -> str:
    """How a follow-up was condensed, and why."""
    understood = understood_as(record)
    question = "unchanged" if understood == record.raw else f"“{understood}”"
    decision = enum_word(record, "decision")
    why = f"{decision}: {record.reason}" if record.reason else decision
    engine = f"; {record.engine}" if record.engine else ""
    return f"{question} ({why}{engine})"


def searched_by(record: query_pb2.DecisionRecord) -> str:
    """What is sent to retrieval: the text, and the weighted terms, vectors and variants from the conversation."""
    query = record.query
    words = f"“{query.text or understood_as(record)}”" + (f" beside “{query.turn}”" if query.turn else "")
    if query.terms:
        words += " + " + ", ".join(f"{term.term} x{term.weight:.2g}" for term in query.terms)
    if query.texts:
        words += f" + the vectors of {_count(len(query.texts), 'text')}"
    for variant in query.variants:
        label = f" ({enum_word(variant, 'closeness').capitalize()})" if variant.closeness else ""
        words += f" | “{variant.text}” x{variant.weight:.2g}{label}"
    return words


def _plan(event: event_pb2.PlanEvent) -> Iterator[Line]:
    """The parts that a question was split into; nothing if it was not split."""
    if len(event.graph.nodes) < 2:
        return
    parts = "; ".join(f"#{node.id} {node.text}" for node in event.graph.nodes)
    reason = f" ({event.graph.reason})" if event.graph.reason else ""
    yield "timeline plan" if event.timeline else "plan", f"{parts}{reason}", Tone.QUIET


def _sub_query(event: event_pb2.SubQueryEvent) -> Iterator[Line]:
    """What was searched, and the result."""
    if event.status == event_pb2.SUB_QUERY_STATUS_DEGRADED:
        yield "searched", f"{event.text} — failed ({event.reason})", Tone.WARNING
    elif event.status != event_pb2.SUB_QUERY_STATUS_STARTED:
        answer = f", answer: {event.answer}" if event.HasField("answer") else ""
        yield "searched", f"{event.text} — {_count(event.evidence, 'passage')}{answer}", Tone.QUIET


def degraded(event: usage_pb2.Degraded) -> str:
    """What is missing, where and why."""
    stage = enum_word(event, "stage")
    return f"{stage} ({event.reason}): {event.effect}"


def outcome(event: event_pb2.CompletedEvent) -> str:
    """How a turn ended, and the session to continue in."""
    word = enum_word(event, "outcome")
    sure = f" ({event.abstain_score:.2f})" if word == "abstained" else ""
    return f"{word}{sure}" + (f"; go on with --session {event.session_id}" if event.session_id else "")


def _total(event: event_pb2.UsageEvent) -> str:
    """What a turn cost."""
    tokens = f"{event.input_tokens} tokens in, {event.output_tokens} out"
    if in_vain := sum(task.input_tokens + task.output_tokens for task in event.tasks if task.discarded):
        tokens += f" ({in_vain} of them in vain)"
    models = ", ".join(sorted({task.model for task in event.tasks if task.model}))
    unknown = any(task.cost_source == usage_pb2.COST_SOURCE_UNKNOWN for task in event.tasks)
    cost = "cost unknown" if unknown else f"${event.cost_usd:.4f}"
    return f"{event.milliseconds:.0f} ms, {tokens}, {cost}" + (f" ({models})" if models else "")


def _spending(part: event_pb2.Spending) -> str:
    """Tokens and cost of language models for one part of a turn."""
    cost = "cost unknown" if part.cost_source == usage_pb2.COST_SOURCE_UNKNOWN else f"${part.cost_usd:.4f}"
    return f"{part.input_tokens} tokens in, {part.output_tokens} out, {cost}"


def _times(event: event_pb2.UsageEvent) -> str:
    """Milliseconds per stage and task; tasks that ran several times are summed."""
    labels = []
    tasks = sorted(event.tasks, key=attrgetter("stage", "task"))
    for (_, task), group in groupby(tasks, key=attrgetter("stage", "task")):
        runs = list(group)
        durations = [run.milliseconds for run in runs if not run.model]
        stage = enum_word(runs[0], "stage")
        label = stage if task in ("", stage) else f"{stage} {task}"
        labels.append(f"{label} {sum(durations):.1f}" + (f" (x{len(durations)})" if len(durations) > 1 else ""))
    return ", ".join(labels)


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" + ("" if number == 1 else "s")


_DESCRIPTIONS: Final[Mapping[str, Callable[[Any], Iterable[Line]]]] = {
    "understanding": _understanding,
    "condensed": lambda record: [("condensed", condensed(record), Tone.QUIET)],
    "plan": _plan,
    "sub_query": _sub_query,
    "degraded": lambda event: [("degraded", degraded(event), Tone.WARNING)],
    "recommendation": lambda event: [("next", question, Tone.PLAIN) for question in event.questions],
    "usage": _usage,
    "completed": lambda event: [("outcome", outcome(event), Tone.QUIET)],
}
"""By kind of event."""
