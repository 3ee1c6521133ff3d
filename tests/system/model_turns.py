"""Turns of a suite that has a language model, and what they say."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import grpc

from bench.suite import running_suite
from cli.suite.processes import STAGES
from parley.context.v1 import (
    answer_pb2,
    conversation_pb2,
    evidence_pb2,
    query_pb2,
    session_pb2,
    understanding_pb2,
    usage_pb2,
)
from parley.gateway.v1 import event_pb2, gateway_pb2, gateway_pb2_grpc
from tests.system.door import ingest, last, one


@dataclass(frozen=True)
class Turn:
    """All events of a turn that came to its end."""

    events: Sequence[event_pb2.Event]

    @property
    def outcome(self) -> str:
        return session_pb2.Outcome.Name(one(list(self.events), "completed").completed.outcome)

    @property
    def record(self) -> query_pb2.DecisionRecord:
        return one(list(self.events), "condensed").condensed

    @property
    def understanding(self) -> understanding_pb2.Understanding:
        return one(list(self.events), "understanding").understanding

    @property
    def text(self) -> str:
        """What holds in the end."""
        return one(list(self.events), "text_end").text_end.text

    @property
    def streamed(self) -> list[str]:
        return [event.text.delta for event in self.events if event.HasField("text")]

    @property
    def sentences(self) -> dict[int, str]:
        """Each sentence as it was streamed, markers included."""
        texts: dict[int, str] = {}
        for event in self.events:
            if event.HasField("text"):
                texts[event.text.sentence] = texts.get(event.text.sentence, "") + event.text.delta
        return texts

    @property
    def citations(self) -> list[answer_pb2.Citation]:
        return [event.citation for event in self.events if event.HasField("citation")]

    @property
    def verdicts(self) -> list[str]:
        return [answer_pb2.Verdict.Name(citation.verdict).removeprefix("VERDICT_") for citation in self.citations]

    @property
    def degraded(self) -> list[tuple[str, str]]:
        """Stage and reason of what was not done as asked."""
        degradations = [event.degraded for event in self.events if event.HasField("degraded")]
        return [(usage_pb2.Stage.Name(each.stage).removeprefix("STAGE_"), each.reason) for each in degradations]

    @property
    def usage(self) -> dict[str, usage_pb2.Usage]:
        """What the model used, by task."""
        return {task.task: task for task in one(list(self.events), "usage").usage.tasks if task.model}

    @property
    def references(self) -> dict[str, evidence_pb2.Reference]:
        """By passage id."""
        numbered = last(list(self.events), "references").references.references
        return {reference.evidence.passage.passage_id: reference for reference in numbered}


@dataclass(frozen=True)
class Asker:
    """A gateway whose stages have a language model."""

    port: int
    gateway: gateway_pb2_grpc.GatewayServiceStub

    def request(self, question: str, *history: str) -> gateway_pb2.AskRequest:
        """A turn after a history that is brought along: user and agent in turns."""
        speakers = (conversation_pb2.SPEAKER_USER, conversation_pb2.SPEAKER_AGENT)
        messages = [
            conversation_pb2.HistoryMessage(speaker=speakers[position % 2], text=text)
            for position, text in enumerate(history)
        ]
        return gateway_pb2.AskRequest(question=question, history=messages)

    def ask(self, question: str, *history: str, collection: str = "", seconds: float = 100) -> Turn:
        """A whole turn."""
        request = self.request(question, *history)
        request.options.collection = collection
        return Turn([response.event for response in self.gateway.Ask(request, timeout=seconds)])


@contextmanager
def asking_a_suite(
    data: Path, documents: Sequence[Path], environment: dict[str, str], processes: int = len(STAGES)
) -> Iterator[Asker]:
    """A suite over these files and folders, with these settings, in that many processes."""
    with running_suite(data, environment, processes) as running:
        ingest(running.port, *map(str, documents))
        with grpc.insecure_channel(running.address) as channel:
            yield Asker(running.port, gateway_pb2_grpc.GatewayServiceStub(channel))


@contextmanager
def asking_about(
    folder: Path, pages: Mapping[str, str], environment: dict[str, str], processes: int = len(STAGES)
) -> Iterator[Asker]:
    """A suite over pages by their file names, kept in the folder; two processes start in a third of the time of six."""
    documents = folder / "documents"
    documents.mkdir()
    for name, text in pages.items():
        (documents / name).write_text(text, encoding="utf-8")
    with asking_a_suite(folder / "data", [documents], environment, processes) as asker:
        yield asker
