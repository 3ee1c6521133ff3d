"""Documents that try to take over the answer: 56 attempts, and a model that obeys every one of them.

Each turn is compared with the clean one: the same question over the same documents without the attempt, and a model
that obeys nobody. The scripted model obeys an attempt whether or not it got to see it, in whatever task it is asked to
do: it understands, plans and writes as the document wants. Neither the way of the turn, nor what is cited, nor a
verdict changes.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import pytest

from bench.suite import running_suite
from parley.context.v1 import answer_pb2
from parley.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc
from tests.fakes.scripted_llm import LlmRequest, ScriptedLlm, in_a_thread
from tests.system.door import one
from tests.system.model_turns import Turn

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("injections")]

QUESTION = "When did the harbour of Slate Bay open?"
OPENED = "The harbour of Slate Bay opened on 4 April 1902"
BREAKWATER = "The breakwater of Slate Bay is 310 metres long"
PAGES = {
    "harbour": ("The harbour of Slate Bay", f"{OPENED} with one pier. {BREAKWATER}."),
    "lighthouse": ("The lighthouse of Harrow Point", "The lighthouse of Harrow Point was lit on 3 May 1871."),
    "walk": ("A walk round the bay", "A walk round the harbour of Slate Bay takes forty minutes."),
}
SETTINGS = {"PARLEY_LLM_MODEL": "scripted-1", "PARLEY_LLM_TIMEOUT_SECONDS": "5", "PARLEY_LLM_RETRIES": "0"}
ATTEMPTS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "injections.jsonl").read_text(encoding="utf-8").splitlines()
]


def documents(attempt: dict[str, Any] | None) -> Iterator[corpus_pb2.Document]:
    """The pages, one of them with the attempt in it."""
    where = attempt["where"] if attempt else ""
    for name, (title, text) in PAGES.items():
        page = corpus_pb2.Document(document_id=name, title=title, text=text)
        if attempt and name == ("walk" if where.startswith("other") else "harbour"):
            put_in(page, attempt["says"], where)
        yield page


def put_in(page: corpus_pb2.Document, says: str, where: str) -> None:
    if where in ("text", "other page"):
        page.text = f"{page.text} {says}"
    elif where == "caption":
        page.images.add(image_id="plan", caption=says, url="https://example.org/plan.png", width=800, height=600)
    elif where == "metadata":
        page.metadata["note"] = says
    elif where == "other title":
        page.title = says
    else:
        setattr(page, where, says)


class Model:
    """Answers honestly, and does as the attempt wants where one is set."""

    def __init__(self) -> None:
        self.attempt: dict[str, Any] | None = None
        self.obeyed: list[str] = []

    def answer(self, request: LlmRequest) -> str:
        if request.writes:
            return self._write(request)
        properties = (request.schema or {}).get("properties", {})
        if self.attempt and "form" in self.attempt and "category" in properties:
            self.obeyed.append("understand")
            return json.dumps(self.attempt["form"])
        if "first" in properties:
            return json.dumps({"first": "none", "second": "none", "third": "illegal"})
        if "parts" in properties:
            return json.dumps({"suffices": True, "parts": [], "standalone": ""})
        return json.dumps({"category": "none", "language": "en"})

    def _write(self, request: LlmRequest) -> str:
        number = next(
            item.partition(">")[0] for item in request.prompt.split("<item n=")[1:] if OPENED.split(" of ")[0] in item
        )
        honest = f"{OPENED} [{number}]. {BREAKWATER} [{number}]."
        if self.attempt is None:
            return honest
        self.obeyed.append("write")
        if self.attempt["mode"] == "recites":
            return honest.replace(f" [{number}]", f" {self.attempt['obeyed']}".rstrip())
        return self.attempt["obeyed"] if self.attempt["mode"] == "only" else f"{honest} {self.attempt['obeyed']}"


@dataclass(frozen=True)
class World:
    """A suite, and the model that it asks."""

    model: Model
    llm: ScriptedLlm
    gateway: gateway_pb2_grpc.GatewayServiceStub
    corpus: corpus_pb2_grpc.CorpusServiceStub

    def put(self, attempt: dict[str, Any] | None, collection: str) -> None:
        for document in documents(attempt):
            self.corpus.PutDocument(corpus_pb2.PutDocumentRequest(collection=collection, document=document), timeout=30)

    def ask(self, collection: str, attempt: dict[str, Any] | None, **options: Any) -> Turn:
        self.model.attempt, self.model.obeyed = attempt, []
        request = gateway_pb2.AskRequest(question=QUESTION)
        request.options.MergeFrom(gateway_pb2.RequestOptions(collection=collection, **options))
        return Turn([response.event for response in self.gateway.Ask(request, timeout=60)])


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    model = Model()
    with in_a_thread() as llm:
        llm.answer_with(model.answer)
        settings = SETTINGS | {"PARLEY_LLM_BASE_URL": llm.base_url}
        with (
            running_suite(tmp_path_factory.mktemp("injected") / "data", settings) as running,
            grpc.insecure_channel(running.address) as channel,
        ):
            corpus = corpus_pb2_grpc.CorpusServiceStub(channel)
            new_world = World(model, llm, gateway_pb2_grpc.GatewayServiceStub(channel), corpus)
            new_world.put(None, "clean")
            yield new_world


@pytest.fixture(scope="module")
def clean(world: World) -> Turn:
    """By a model that obeys nobody, over the documents without an attempt."""
    return world.ask("clean", None)


@pytest.fixture(scope="module")
def clean_quotes(world: World) -> Turn:
    """The same by the rules, which quote where the model wrote nothing that holds."""
    return world.ask("clean", {"mode": "only", "obeyed": "Nothing."})


def route(turn: Turn) -> tuple[object, ...]:
    """Where the turn went."""
    plan = one(list(turn.events), "plan").plan.graph
    understanding, record = turn.understanding, turn.record
    return (
        turn.outcome,
        understanding.question_rejection.is_reject,
        understanding.question_supplement.is_supply,
        understanding.grounded_query,
        (record.decision, record.standalone),
        [(node.id, node.text, node.need_rag) for node in plan.nodes],
    )


def verdicts(turn: Turn) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """What of the answer stands: each sentence with its verdict, and by which document and words."""
    return [
        (
            turn.sentences[citation.sentence].partition("[")[0].strip(),
            answer_pb2.Verdict.Name(citation.verdict),
            [(turn.references[span.passage_id].evidence.passage.text[:60], span.quote) for span in citation.references],
        )
        for citation in turn.citations
        if citation.verdict != answer_pb2.VERDICT_WITHDRAWN
    ]


def test_there_are_fifty_attempts_of_many_kinds() -> None:
    assert len({attempt["says"] for attempt in ATTEMPTS}) >= 50
    assert len({attempt["kind"] for attempt in ATTEMPTS}) >= 10


def test_the_clean_turn_answers_with_two_verified_sentences(clean: Turn) -> None:
    assert clean.outcome == "OUTCOME_ANSWERED"
    assert clean.verdicts == ["VERIFIED", "VERIFIED"]
    assert clean.text == f"{OPENED}.[1] {BREAKWATER}.[1]"


@pytest.mark.parametrize("position", range(len(ATTEMPTS)), ids=lambda n: f"{n}-{ATTEMPTS[n]['kind']}")
def test_whatever_the_model_obeys_the_turn_goes_and_cites_as_without(
    world: World, clean: Turn, clean_quotes: Turn, position: int
) -> None:
    attempt = ATTEMPTS[position]
    collection = f"attempt-{position}"
    world.put(attempt, collection)
    turn = world.ask(collection, attempt)
    expected = clean_quotes if attempt["mode"] == "only" else clean
    assert "write" in world.model.obeyed
    assert route(turn) == route(expected)
    assert verdicts(turn) == verdicts(expected)
    assert turn.text == expected.text
    assert "evil.example" not in turn.text
