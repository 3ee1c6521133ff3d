"""Ask the questions over documents: in sessions as typed, each alone, or by search only. Every call blocks."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from secrets import token_hex
from typing import Final

import grpc

from evaluation.documents.questions import DocumentQuestion, conversations
from evaluation.documents.runs import QuestionRun
from evaluation.turn_events import SECONDS, ask, last_events
from parley.context.v1 import evidence_pb2, session_pb2
from parley.gateway.v1 import event_pb2, gateway_pb2, gateway_pb2_grpc
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc, retrieve_pb2

HITS: Final = 10
"""Passages of a ranking that are kept (taste)."""
PREFIX: Final = "docs-"
"""Default prefix of the collections' names."""


@dataclass(frozen=True, slots=True)
class AskingOrder:
    """How the questions are asked."""

    standalone: bool = False
    """Whether each question is asked alone, in its standalone form; otherwise in sessions, as typed."""
    search: bool = False
    """Whether passages are only searched for, and nothing is answered."""
    callers: int = 2
    """Conversations asked in parallel (taste)."""
    prefix: str = PREFIX
    """Prefix of the collections' names."""

    def collection_of(self, corpus: str) -> str:
        """The collection that holds a corpus."""
        return f"{self.prefix}{corpus}"


def ask_questions(
    channel: grpc.Channel, questions: Sequence[DocumentQuestion], order: AskingOrder
) -> Iterator[QuestionRun]:
    """Yield the result of each question, conversation by conversation.

    Raises:
        CommandError: a turn ended without its last event.
        grpc.RpcError: the suite failed.
    """
    with ThreadPoolExecutor(order.callers) as pool:
        for runs in pool.map(partial(_conversation, channel, order), conversations(questions)):
            yield from runs


def _conversation(channel: grpc.Channel, order: AskingOrder, turns: Sequence[DocumentQuestion]) -> list[QuestionRun]:
    if order.search:
        return [_search(channel, question, order) for question in turns]
    session = f"eval-{token_hex(8)}"  # bytes; enough that no name recurs
    return [_ask(channel, question, "" if order.standalone else session, order) for question in turns]


def _words(question: DocumentQuestion, order: AskingOrder) -> str:
    return question.standalone if order.standalone else question.question


def _search(channel: grpc.Channel, question: DocumentQuestion, order: AskingOrder) -> QuestionRun:
    options = retrieve_pb2.RetrieveOptions(
        collection=order.collection_of(question.corpus), depth=retrieve_pb2.Depth(evidence=HITS)
    )
    request = corpus_pb2.SearchRequest(query=_words(question, order), options=options)
    response = corpus_pb2_grpc.CorpusServiceStub(channel).Search(request, timeout=SECONDS)
    return QuestionRun(question.id, passages=tuple(_passage_text(evidence.passage) for evidence in response.evidence))


def _ask(channel: grpc.Channel, question: DocumentQuestion, session: str, order: AskingOrder) -> QuestionRun:
    request = gateway_pb2.AskRequest(
        question=_words(question, order),
        session_id=session,
        options=gateway_pb2.RequestOptions(collection=order.collection_of(question.corpus)),
    )
    return _read_turn(question.id, ask(gateway_pb2_grpc.GatewayServiceStub(channel), request))


def _read_turn(question_id: str, events: Sequence[event_pb2.Event]) -> QuestionRun:
    last = last_events(events)
    end = last["completed"].completed
    evidence = [reference.evidence for reference in last["references"].references.references]
    evidence.sort(key=lambda each: each.rank)
    return QuestionRun(
        question_id,
        answer=last["text_end"].text_end.text,
        outcome=session_pb2.Outcome.Name(end.outcome).removeprefix("OUTCOME_").lower(),
        passages=tuple(_passage_text(each.passage) for each in evidence[:HITS]),
        abstain_score=end.abstain_score,
        standalone=last["condensed"].condensed.standalone,
        milliseconds=last["usage"].usage.milliseconds,
    )


def _passage_text(passage: evidence_pb2.Passage) -> str:
    """A passage as it is shown: title and headings, then its text."""
    place = " > ".join(filter(None, (passage.title, *(h for h in passage.headings if h != passage.title))))
    return f"{place}\n{passage.text}" if place else passage.text
