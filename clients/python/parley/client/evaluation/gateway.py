"""Calls a running suite, blocking: a whole turn in several wordings, verification of given sentences."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import grpc

from parley.answer.v1 import answer_pb2, answer_pb2_grpc
from parley.client.asking import ask
from parley.client.attempts import PATIENCE
from parley.client.connection import Connection, Metadata, Tls
from parley.client.evaluation.documents import label_of
from parley.client.gateways import open_channel
from parley.context.v1 import answer_pb2 as context_answer_pb2
from parley.context.v1 import evidence_pb2, query_pb2, session_pb2, usage_pb2
from parley.gateway.v1 import event_pb2, gateway_pb2, gateway_pb2_grpc, session_pb2_grpc
from parley.gateway.v1 import session_pb2 as gateway_session_pb2
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc, retrieve_pb2

DEFAULT_ADDRESS = "127.0.0.1:50051"
ADDRESS_VARIABLE = "PARLEY_CLIENT_ADDRESS"
TOKEN_VARIABLE = "PARLEY_CLIENT_TOKEN"


@dataclass(frozen=True, slots=True)
class Gateway:
    """Which suite is asked, and in whose name."""

    address: str = field(default_factory=lambda: os.environ.get(ADDRESS_VARIABLE, DEFAULT_ADDRESS))
    """Host and port, or several gateways with commas between them; without it the variable PARLEY_CLIENT_ADDRESS, else
    this machine's default port."""
    collection: str = ""
    """Where to look; empty means "default"."""
    principals: tuple[str, ...] = ()
    """Who asks; a suite without authentication believes it from its own machine only."""
    token: str = field(default_factory=lambda: os.environ.get(TOKEN_VARIABLE, ""), repr=False)
    """A JSON Web Token or an API key; without it the variable PARLEY_CLIENT_TOKEN."""
    tls: Tls | None = None
    """Files for an encrypted connection; a token is sent to other machines over TLS alone."""
    seconds: float = 120.0
    """Greatest time of a turn, or of another call (taste)."""
    patience: float = PATIENCE
    """Seconds for which a turn is asked again while a stage or a gateway restarts."""

    @contextmanager
    def open(self) -> Iterator["Suite"]:
        """A connection for as long as the context lasts.

        Raises:
            ValueError: an address, a principal or the token cannot be used.
        """
        connection = Connection(self.address, self.token, self.principals, self.tls)
        with open_channel(self.address, connection.credentials(), connection.server_name) as channel:
            yield Suite(self, channel, connection.metadata)


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked, and by which models; an empty model is the suite's own, `rules` none."""

    question: str
    rewriter_model: str = ""
    answer_model: str = ""
    wordings: tuple[str, ...] = ()
    max_docs: int = 8  # taste


@dataclass(frozen=True, slots=True)
class Turn:
    """What became of a question."""

    references: Sequence[evidence_pb2.Reference]
    queries: Mapping[str, str]
    """The wordings that were searched, each with its label; none where nothing was."""
    text: str
    engine: str
    """Who wrote the text: `rules` or `llm`."""
    citations: Sequence[context_answer_pb2.Citation]
    usage: Sequence[usage_pb2.Usage]
    degraded: Sequence[usage_pb2.Degraded]
    outcome: str
    abstain_score: float


class Suite:
    """The stubs of a gateway. Every failure is a `grpc.RpcError` with the status that the gateway gave."""

    def __init__(self, gateway: Gateway, channel: grpc.Channel, metadata: Metadata = ()) -> None:
        self._gateway = gateway
        self._turns = gateway_pb2_grpc.GatewayServiceStub(channel)
        self._answers = answer_pb2_grpc.AnswerServiceStub(channel)
        self._sessions = session_pb2_grpc.SessionServiceStub(channel)
        self._corpus = corpus_pb2_grpc.CorpusServiceStub(channel)
        self._asking = metadata

    def ask(self, wish: Wish) -> Turn:
        """A whole turn; it is neither refused nor asked back, and follow-ups and timelines are left out."""
        request = gateway_pb2.AskRequest(question=wish.question, options=self._options(wish))
        gateway = self._gateway
        stream = ask(self._turns, request, seconds=gateway.seconds, metadata=self._asking, patience=gateway.patience)
        events = [response.event for response in stream]
        return _turn([event for event in events if event.turn_id == events[-1].turn_id])

    def verify(
        self, sentences: Sequence[str], passages: Sequence[evidence_pb2.Passage]
    ) -> Sequence[context_answer_pb2.Citation]:
        """One verdict a sentence."""
        request = answer_pb2.VerifyRequest(sentences=sentences, passages=passages)
        return self._answers.Verify(request, timeout=self._gateway.seconds, metadata=self._asking).citations

    def references(self, session: str) -> Sequence[evidence_pb2.Reference]:
        """What the latest answer of a session cites: numbers, and which passages, without their words."""
        request = gateway_pb2.GetReferencesRequest(session_id=session)
        response = self._turns.GetReferences(request, timeout=self._gateway.seconds, metadata=self._asking)
        return [_reference(passage) for passage in response.passages]

    def stored_references(self, session: str) -> Sequence[evidence_pb2.Reference]:
        """The same with words, scores and relevance, as they were stored with the turn."""
        request = gateway_pb2.GetReferencesRequest(session_id=session)
        turn_id = self._turns.GetReferences(request, timeout=self._gateway.seconds, metadata=self._asking).turn_id
        if not turn_id:
            return ()
        turn_request = gateway_session_pb2.GetTurnRequest(turn_id=turn_id)
        response = self._sessions.GetTurn(turn_request, timeout=self._gateway.seconds, metadata=self._asking)
        return response.turn.references

    def passage(self, passage_id: str, collection: str) -> evidence_pb2.Passage:
        """A passage as it is now."""
        request = corpus_pb2.GetPassageRequest(passage_id=passage_id, collection=collection)
        return self._corpus.GetPassage(request, timeout=self._gateway.seconds, metadata=self._asking).passage

    def _options(self, wish: Wish) -> gateway_pb2.RequestOptions:
        return gateway_pb2.RequestOptions(
            collection=self._gateway.collection,
            depth=retrieve_pb2.Depth(evidence=wish.max_docs),
            strategy=query_pb2.STRATEGY_MULTI_QUERY,
            plan=gateway_pb2.PLAN_OFF,
            timeline=gateway_pb2.TIMELINE_USE_OFF,
            recommendations=0,
            ask_back=gateway_pb2.ACT_RECORD_ONLY,
            reject=gateway_pb2.ACT_RECORD_ONLY,
            rewriter_model=wish.rewriter_model,
            answer_model=wish.answer_model,
            wordings=wish.wordings,
        )


def _turn(events: Sequence[event_pb2.Event]) -> Turn:
    last = {event.WhichOneof("event"): event for event in events}
    citations = {event.citation.sentence: event.citation for event in events if event.HasField("citation")}
    end = last["completed"].completed
    return Turn(
        references=last["references"].references.references,
        queries=_wordings_of_plan(last["plan"].plan.graph.nodes) if "plan" in last else {},
        text=last["text_end"].text_end.text,
        engine=last["text_end"].text_end.engine,
        citations=list(citations.values()),
        usage=last["usage"].usage.tasks,
        degraded=[event.degraded for event in events if event.HasField("degraded")],
        outcome=session_pb2.Outcome.Name(end.outcome).removeprefix("OUTCOME_"),
        abstain_score=end.abstain_score,
    )


def _reference(numbered_passage: gateway_pb2.NumberedPassage) -> evidence_pb2.Reference:
    passage = evidence_pb2.Passage(passage_id=numbered_passage.passage_id, collection=numbered_passage.collection)
    return evidence_pb2.Reference(number=numbered_passage.number, evidence=evidence_pb2.Evidence(passage=passage))


def _wordings_of_plan(nodes: Sequence[query_pb2.QueryNode]) -> Mapping[str, str]:
    """The wordings of a plan with their labels; a wording that occurs twice has its first label."""
    labels: dict[str, str] = {}
    for wording, label in (each for node in nodes for each in _wordings(node)):
        labels.setdefault(wording, label)
    return labels


def _wordings(node: query_pb2.QueryNode) -> Sequence[tuple[str, str]]:
    """Those of one search; a wording that counts for nothing is not searched."""
    variants = ((variant.text, label_of(variant.closeness)) for variant in node.query.variants if variant.weight > 0)
    return ((node.query.text or node.text, label_of(evidence_pb2.RELEVANCE_HIGH)), *variants)
