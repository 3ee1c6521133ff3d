"""Parley in the comparison: default requests, one caller, and what became of each turn."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import grpc

from bench.peers.base import Base, Turn
from bench.peers.suite_side import SPEAKERS
from bench.suite import RunningSuite, running_suite
from evaluation.ranking import RankingQuality, judge_ranking, mean_quality
from parley.context.v1 import conversation_pb2, session_pb2
from parley.gateway.v1 import event_pb2, gateway_pb2, gateway_pb2_grpc

PLACES = 10
"""Of the ranking that are judged."""
WARM = 5
PATIENCE = 120.0


@dataclass(slots=True)
class Observed:
    """A turn as the caller saw it."""

    first_text: float = 0.0
    """Milliseconds; 0 where no text came."""
    outcome: str = ""
    engine: str = ""
    """Who wrote the text that holds."""
    ranking: list[str] = field(default_factory=list)
    """Of the passages that the shown answer was written from, as the last event `references` has it."""
    tokens: int = 0
    """Of all calls to the model, prompts and answers."""
    discarded: int = 0
    """Of these, tokens of answers that nobody saw."""

    @property
    def counts(self) -> bool:
        """Whether the model's text is what the caller got."""
        return self.outcome == "ANSWERED" and self.engine == "llm" and self.first_text > 0


def ask(stub: gateway_pb2_grpc.GatewayServiceStub, turn: Turn, speculate: bool | None = None) -> Observed:
    """One default request; only the ranking is asked for besides, and, where that is said, what is speculated on."""
    said = [conversation_pb2.HistoryMessage(speaker=SPEAKERS[who], text=text) for who, text in turn.history]
    options = gateway_pb2.RequestOptions(ranking=PLACES, speculate=speculate)
    request = gateway_pb2.AskRequest(question=turn.question, history=said, options=options)
    started, observed = time.perf_counter(), Observed()
    for response in stub.Ask(request, timeout=PATIENCE):
        event = response.event
        kind = event.WhichOneof("event")
        if kind == "text" and not observed.first_text:
            observed.first_text = (time.perf_counter() - started) * 1000
        elif kind == "references":
            observed.ranking = [place.passage_id for place in event.references.ranking]
        elif kind == "text_end":
            observed.engine = event.text_end.engine
        elif kind == "usage":
            count(event.usage, observed)
        elif kind == "completed":
            observed.outcome = session_pb2.Outcome.Name(event.completed.outcome).removeprefix("OUTCOME_")
    return observed


def count(usage: event_pb2.UsageEvent, observed: Observed) -> None:
    """What the turn's calls took."""
    for task in usage.tasks:
        tokens = task.input_tokens + task.output_tokens
        observed.tokens += tokens
        observed.discarded += tokens if task.discarded else 0


def ask_all(
    suite: RunningSuite, turns: Sequence[Turn], speculate: bool | None, warmed: Callable[[], object]
) -> list[Observed]:
    """The turns in their order, after a few that nobody looks at."""
    with grpc.insecure_channel(suite.address) as channel:
        stub = gateway_pb2_grpc.GatewayServiceStub(channel)
        for turn in turns[-WARM:]:
            ask(stub, turn)
        warmed()
        return [ask(stub, turn, speculate) for turn in turns]


def observe(
    base: Base,
    data: Path,
    turns: Sequence[Turn],
    environment: dict[str, str],
    processes: int,
    speculate: bool | None,
    warmed: Callable[[], object],
) -> list[Observed]:
    """Ingest into `data` where that is empty, start anew in so many processes, ask."""
    if not (data / "corpus.db").exists():
        data.mkdir(parents=True, exist_ok=True)
        with running_suite(data) as suite:
            suite.parley("ingest", str(base.passages), "--whole", "--vectors", str(base.vectors))
    with running_suite(data, environment, processes) as suite:
        return ask_all(suite, turns, speculate, warmed)


def quality(turns: Sequence[Turn], observed: Sequence[Observed]) -> RankingQuality:
    """Over the turns with judged passages that the model answered."""
    pairs = zip(turns, observed, strict=True)
    return mean_quality(
        [judge_ranking(seen.ranking, set(turn.judged)) for turn, seen in pairs if turn.judged and seen.counts]
    )
