"""Turns of an experiment: their conversations, requests, and the two lines to be written about each. No I/O."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cli.connection.gateway_connection import CommandError
from evaluation.tasks import Task
from evaluation.turn_events import history_of, last_events, recording_options
from parley.context.v1 import conversation_pb2, evidence_pb2, query_pb2, usage_pb2
from parley.gateway.v1 import event_pb2, gateway_pb2
from parley.retrieve.v1 import retrieve_pb2

ASKER: Final = "|user|: "
"""How MTRAG's retrieval data marks the user."""
Exchange = tuple[str, str]
"""A question and its answer."""


Conversation = tuple[Task, ...]
"""Its turns, the oldest first; turns that the data lacks are left out."""


def rebuild(tasks: Iterable[Task]) -> list[Conversation]:
    """Return the conversations, whose turns the tasks are, in the order in which they begin in the data.

    Raises:
        CommandError: a task names no conversation, or two tasks are the same turn of one.
    """
    conversations: defaultdict[str, dict[int, Task]] = defaultdict(dict)
    for task in tasks:
        if not task.conversation_id:
            raise CommandError(f"The task {task.task_id} does not say to which conversation it belongs.")
        if conversations[task.conversation_id].setdefault(task.turn, task) is not task:
            raise CommandError(f"The turn {task.turn} of {task.task_id}'s conversation occurs twice.")
    return [tuple(turns[number] for number in sorted(turns)) for turns in conversations.values()]


@dataclass(frozen=True, slots=True)
class TurnResult:
    """The result of a turn."""

    record: query_pb2.DecisionRecord
    references: Sequence[evidence_pb2.Reference]
    answer: str
    degraded: Sequence[str]
    """Stage and reason of each step that was degraded."""

    @property
    def rewritten(self) -> str:
        """The question as it was searched; in its own words if the language model failed."""
        return self.record.query.text or self.record.standalone


def request_of(
    turn: Task, exchanges: Iterable[Exchange], collection: str, sentences: int, fusion: retrieve_pb2.Fusion.ValueType
) -> gateway_pb2.AskRequest:
    """Build the request for a turn after the previous exchanges.

    It always leads to an answer, whatever is decided about the question. The question is searched as it was rewritten,
    and not split.
    """
    options = recording_options(
        collection=collection,
        strategy=query_pb2.STRATEGY_MMR,
        context_sentences=sentences,
        fusion=fusion,
        plan=gateway_pb2.PLAN_OFF,
    )
    history = history_of((not place, text) for exchange in exchanges for place, text in enumerate(exchange))
    return gateway_pb2.AskRequest(question=turn.last_turn, history=history, options=options)


def observe(events: Sequence[event_pb2.Event]) -> TurnResult:
    """Collect the result of a turn from its events."""
    last = last_events(events)
    return TurnResult(
        record=last["condensed"].condensed,
        references=last["references"].references.references,
        answer=last["text_end"].text_end.text,
        degraded=[_degraded(event.degraded) for event in events if event.HasField("degraded")],
    )


def _degraded(degraded: usage_pb2.Degraded) -> str:
    return f"{usage_pb2.Stage.Name(degraded.stage).removeprefix('STAGE_').lower()} {degraded.reason}"


def dataset_line(turn: Task, result: TurnResult) -> str:
    """{_id, text, agent_response}: the question as it was rewritten, in the format of MTRAG's retrieval data."""
    return _json({"_id": turn.task_id, "text": f"{ASKER}{result.rewritten}", "agent_response": result.answer})


def intermediate_line(turn: Task, numbers: Sequence[int], result: TurnResult) -> str:
    """How the question was rewritten, what was found, and the answer; `numbers` are those of the turns so far."""
    selection = result.record.selection
    return _json(
        {
            "original_query": turn.last_turn,
            "rewritten_query": result.rewritten,
            "num_extracted_sentences": len(selection.extracted),
            "extracted_sentences": [sentence.text for sentence in selection.extracted],
            "num_clusters": len(selection.cluster_sizes),
            "cluster_sizes": list(selection.cluster_sizes),
            "representative_sentences": [sentence.text for sentence in selection.representatives],
            "selected_sentences": [_selected_sentence(item, numbers) for item in selection.selected],
            "contexts": [_context(reference.evidence) for reference in result.references],
            "agent_response": result.answer,
        }
    )


def _selected_sentence(selected: query_pb2.SelectedSentence, numbers: Sequence[int]) -> Mapping[str, Any]:
    sentence = selected.sentence
    return {
        "sentence": sentence.text,
        "speaker": conversation_pb2.Speaker.Name(sentence.speaker).removeprefix("SPEAKER_").lower(),
        "turn": numbers[sentence.turn],
        "cluster_id": selected.cluster if selected.HasField("cluster") else None,
    }


def _context(evidence: evidence_pb2.Evidence) -> Mapping[str, Any]:
    passage = evidence.passage
    return {"title": passage.title, "text": passage.text, "score": evidence.scores.fused, "url": passage.url}


def _json(line: Mapping[str, Any]) -> str:
    return json.dumps(line, ensure_ascii=False)
