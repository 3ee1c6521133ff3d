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
"""Of the ranking that are judged: those of nDCG@10."""
WARM = 5  # turns (taste)
PATIENCE = 120.0  # timeout of a turn, in seconds (taste)


@dataclass(slots=True)
class Observation:
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


def ask(stub: gateway_pb2_grpc.GatewayServiceStub, turn: Turn, speculate: bool | None = None) -> Observation:
    """One default request, but for the ranking and, where that is said, whether the model starts on a guess."""
    history = [conversation_pb2.HistoryMessage(speaker=SPEAKERS[speaker], text=text) for speaker, text in turn.history]
    options = gateway_pb2.RequestOptions(ranking=PLACES, speculate=speculate)
    request = gateway_pb2.AskRequest(question=turn.question, history=history, options=options)
    start, observation = time.perf_counter(), Observation()
    for response in stub.Ask(request, timeout=PATIENCE):
        event = response.event
        kind = event.WhichOneof("event")
        if kind == "text" and not observation.first_text:
            observation.first_text = (time.perf_counter() - start) * 1000
        elif kind == "references":
            observation.ranking = [place.passage_id for place in event.references.ranking]
        elif kind == "text_end":
            observation.engine = event.text_end.engine
        elif kind == "usage":
            count(event.usage, observation)
        elif kind == "completed":
            observation.outcome = session_pb2.Outcome.Name(event.completed.outcome).removeprefix("OUTCOME_")
    return observation


def count(usage: event_pb2.UsageEvent, observation: Observation) -> None:
    """What the turn's calls took."""
    for task in usage.tasks:
        tokens = task.input_tokens + task.output_tokens
        observation.tokens += tokens
        observation.discarded += tokens if task.discarded else 0


def ask_all(
    suite: RunningSuite, turns: Sequence[Turn], speculate: bool | None, after_warm_up: Callable[[], object]
) -> list[Observation]:
    """The turns in their order, after a few that nobody looks at."""
    with grpc.insecure_channel(suite.address) as channel:
        stub = gateway_pb2_grpc.GatewayServiceStub(channel)
        for turn in turns[-WARM:]:
            ask(stub, turn)
        after_warm_up()
        return [ask(stub, turn, speculate) for turn in turns]


def observe(
    base: Base,
    data: Path,
    turns: Sequence[Turn],
    environment: dict[str, str],
    processes: int,
    speculate: bool | None,
    after_warm_up: Callable[[], object],
) -> list[Observation]:
    """Ingest into `data` where that is empty, start anew in so many processes, ask."""
    if not (data / "corpus.db").exists():
        data.mkdir(parents=True, exist_ok=True)
        with running_suite(data) as suite:
            suite.parley("ingest", str(base.passages), "--whole", "--vectors", str(base.vectors))
    with running_suite(data, environment, processes) as suite:
        return ask_all(suite, turns, speculate, after_warm_up)


def quality(turns: Sequence[Turn], observations: Sequence[Observation]) -> RankingQuality:
    """Over the turns with judged passages that the model answered."""
    pairs = zip(turns, observations, strict=True)
    return mean_quality(
        [
            judge_ranking(observation.ranking, set(turn.judged))
            for turn, observation in pairs
            if turn.judged and observation.counts
        ]
    )
