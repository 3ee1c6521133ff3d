"""A suite whose language model answers every question at once, while another one still reads whether it may."""

import json
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import grpc

from bench.suite import RunningSuite, running_suite
from parley.client.evaluation import context_decode, context_encode
from parley.context.v1 import session_pb2
from parley.gateway.v1 import event_pb2, gateway_pb2, gateway_pb2_grpc
from tests.fakes.scripted_llm import LlmRequest, ScriptedLlm
from tests.system.door import ingest, one
from tests.system.leaking import DOCUMENTS, MARKER, Way
from tests.system.model_turns import Asker, Turn

SETTINGS = {
    "PARLEY_LLM_MODEL": "scripted-1",
    "PARLEY_LLM_RETRIES": "0",
    "PARLEY_LLM_STEP_SECONDS": "1.5",
    "PARLEY_GATEWAY_STAGE_SECONDS": "5",
}
GRACE = 0.03
"""Seconds that a text has to come to the gateway once it was asked for."""


@dataclass(frozen=True)
class Models:
    """Two language models: one reads questions, only when the other has begun to answer them."""

    reader: ScriptedLlm
    writer: ScriptedLlm

    @property
    def written(self) -> int:
        """How many answers were asked for so far."""
        return sum(request.writes for request in self.writer.requests)

    def read_as(self, *, waiting: bool = True, then: Callable[[], object] = lambda: None, **form: object) -> None:
        """Forget all that was asked and scripted; each question from now on is answered, and read so.

        Args:
            waiting: whether nothing is read before an answer was asked for, or a second has passed.
            then: done before the form is told.
            form: what differs from the form of an ordinary question.
        """
        self.reader.forget()
        self.writer.forget()
        self.writer.answer_with(partial(_written, str(form.get("category", "none"))))

        def filled(request: LlmRequest) -> str:
            if waiting:
                self.is_answering(request)
            then()
            topics = topics_in(request) if form.get("unclear") else []
            asking = {"question_back": "Which one do you mean?", "choices": topics[:3]} if topics else {}
            return json.dumps({"category": "none", "unclear": "", "names": [], **form, **asking})

        self.reader.answer_with(filled)

    def is_answering(self, request: LlmRequest) -> bool:
        """True as soon as an answer was asked for, after a second in any case: for a reader's script to wait for."""
        end = time.monotonic() + 1
        while not self.written and time.monotonic() < end:
            time.sleep(0.002)
        time.sleep(GRACE)
        return True


def _written(category: str, request: LlmRequest) -> str:
    """The answer made of what was found; a second word on the question; the question as it is."""
    if request.writes:
        return sentences_in(request)
    if "second" in str(request.schema):
        return json.dumps({"first": "none", "second": category, "third": "illegal"})
    return json.dumps({"suffices": True, "parts": [], "standalone": ""})


def sentences_in(request: LlmRequest) -> str:
    """The first sentences that a writer was shown, each with its number."""
    items = re.findall(r"<item n=(\d+)>\n(.*?)\n</item>", request.prompt, re.DOTALL)
    sentences = [(number, sentence) for number, text in items for sentence in re.findall(rf"{MARKER} .*?(?=\.)", text)]
    return " ".join(f"{sentence} [{number}]." for number, sentence in sentences[:4])


def topics_in(request: LlmRequest) -> list[str]:
    """The topics that a reader was shown, as it would copy them."""
    block = request.prompt.split("Topics that a search found:")[1].split("</data>")[0]
    return [line for line in block.splitlines() if line and not line.startswith("<")]


@dataclass(frozen=True)
class TurnResult:
    """A turn, and all that is told of it anywhere."""

    turn: Turn
    everything: str
    reference_count: int
    """How many passages its conversation has of it."""

    @property
    def written_in_vain(self) -> bool:
        """Whether some of an answer had come when it was given up."""
        tasks = one(list(self.turn.events), "usage").usage.tasks
        return any(task.discarded and task.output_tokens for task in tasks)


@dataclass(frozen=True)
class Suite:
    """A running suite, and the models of its stages."""

    running: RunningSuite
    asker: Asker
    models: Models

    def request(self, question: str, way: Way, session: str) -> gateway_pb2.AskRequest:
        """A question asked so."""
        request = self.asker.request(question, *way.history)
        request.options.CopyFrom(way.options)
        if way.kept_by == "suite":
            request.session_id = session
        elif way.kept_by == "caller":
            request.context = context_encode(session_pb2.SessionContext())
        if way.again:
            request.request_id = session
        return request

    def ask(self, question: str, way: Way, session: str) -> TurnResult:
        """A turn that came to its end."""
        request = self.request(question, way, session)
        if way.again:
            self._events(request, way)
        turn, supplied_id = self._events(request, way)
        reference_count, conversation = self._kept(turn)
        return TurnResult(turn, "\n".join((supplied_id, *map(str, turn.events), conversation)), reference_count)

    def keeps(self, session: str) -> bool:
        """Whether a session has a turn."""
        try:
            self.references(session)
        except grpc.RpcError:
            return False
        return True

    def references(self, session: str) -> Sequence[gateway_pb2.NumberedPassage]:
        """What the latest answer of a session stands on."""
        request = gateway_pb2.GetReferencesRequest(session_id=session)
        return self.asker.gateway.GetReferences(request, timeout=30).passages

    def _events(self, request: gateway_pb2.AskRequest, way: Way) -> tuple[Turn, str]:
        gateway = self.asker.gateway
        if not way.two_phases:
            return Turn([response.event for response in gateway.Ask(request, timeout=30)]), ""
        first = gateway_pb2.SupplyQuestionRequest.FromString(request.SerializeToString())
        question = gateway.SupplyQuestion(first, timeout=30)
        second = gateway_pb2.AnswerRequest(question_id=question.question_id)
        return Turn([response.event for response in gateway.Answer(second, timeout=30)]), str(question)

    def _kept(self, turn: Turn) -> tuple[int, str]:
        """How many passages a conversation has, and all that can be read of it."""
        completed = turn.events[-1].completed
        if completed.context:
            context = context_decode(completed.context)
            return sum(len(stored_turn.references) for stored_turn in context.turns), str(context)
        return len(self.references(completed.session_id)) if completed.session_id else 0, ""


def until_it_fails(call: Iterable[gateway_pb2.AskResponse]) -> tuple[list[event_pb2.Event], grpc.StatusCode]:
    """The events of a turn, and the status that it failed with; OK where it did not."""
    events: list[event_pb2.Event] = []
    try:
        for response in call:
            events.append(response.event)
    except grpc.RpcError as error:
        return events, error.code()
    return events, grpc.StatusCode.OK


@contextmanager
def answering_at_once(folder: Path, models: Models) -> Iterator[Suite]:
    """A suite of six processes over the documents."""
    documents = folder / "documents"
    documents.mkdir()
    for name, text in DOCUMENTS.items():
        (documents / name).write_text(text, encoding="utf-8")
    reading = json.dumps({"understand": {"base_url": models.reader.base_url}})
    environment = SETTINGS | {"PARLEY_LLM_BASE_URL": models.writer.base_url, "PARLEY_LLM_TASKS": reading}
    with running_suite(folder / "data", environment) as running:
        ingest(running.port, str(documents))
        with grpc.insecure_channel(running.address) as channel:
            asker = Asker(running.port, gateway_pb2_grpc.GatewayServiceStub(channel))
            yield Suite(running, asker, models)
