"""Parley in the comparison: default requests, one caller, and what became of each turn."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.peers.base import Base, Turn
from bench.peers.suite_side import history_of, suite_over
from bench.turns import Stub, gateway_at, outcome_of
from evaluation.ranking import RankingQuality, judge_ranking, mean_quality
from parley.gateway.v1 import event_pb2, gateway_pb2

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


def ask(stub: Stub, turn: Turn, speculate: bool | None = None) -> Observation:
    """One default request, but for the ranking and, where that is said, whether the model starts on a guess."""
    options = gateway_pb2.RequestOptions(ranking=PLACES, speculate=speculate)
    request = gateway_pb2.AskRequest(question=turn.question, history=history_of(turn), options=options)
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
            observation.outcome = outcome_of(event.completed)
    return observation


def count(usage: event_pb2.UsageEvent, observation: Observation) -> None:
    """What the turn's calls took."""
    for task in usage.tasks:
        tokens = task.input_tokens + task.output_tokens
        observation.tokens += tokens
        observation.discarded += tokens if task.discarded else 0


def observe(
    base: Base,
    data: Path,
    turns: Sequence[Turn],
    environment: dict[str, str],
    processes: int,
    speculate: bool | None,
    after_warm_up: Callable[[], object],
) -> list[Observation]:
    """Ask the turns in their order of a suite in so many processes, after a few that nobody looks at."""
    with suite_over(base, data, environment, processes) as suite, gateway_at(suite.address) as stub:
        for turn in turns[-WARM:]:
            ask(stub, turn)
        after_warm_up()
        return [ask(stub, turn, speculate) for turn in turns]


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
