"""The tools: ask, search, open a passage, list the collections, ingest; each with its schema and how it is carried out.

Tools call the gateway and raise its ParleyError. Maximum lengths are the contract's, but for that of a text to ingest;
it, and the numbers of passages, are taste.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field

from doors.answer_data import Json, citations_of, place_of
from doors.nulls import NullIsAbsent
from doors.suite import Suite
from parley.client import calls
from parley.client.answers import Answer
from parley.client.documents import Document
from parley.client.events import StateEvent
from parley.client.questions import Options, question_request
from parley.client.values import Passage

COLLECTION: Final = "The collection of documents, one of `list_collections`; empty means the default one."
Report = Callable[[float, float | None, str], Awaitable[None]]
"""Tells the client how far a tool is, of how much if that is known, and what it is doing."""


class NoArguments(NullIsAbsent):
    """Arguments of a tool that takes none, and what those of the others have in common."""

    model_config = ConfigDict(extra="forbid")


class AskArguments(NoArguments):
    """Arguments of `ask`."""

    question: str = Field(min_length=1, max_length=8192, description="The question, in any language.")
    collection: str = Field(default="", max_length=128, description=COLLECTION)
    session_id: str = Field(
        default="",
        max_length=128,
        description="The session_id of an earlier answer, to ask a follow-up in its conversation; empty for a new one.",
    )


class SearchArguments(NoArguments):
    """Arguments of `search`."""

    query: str = Field(min_length=1, max_length=8192, description="What to look for, in plain words.")
    collection: str = Field(default="", max_length=128, description=COLLECTION)
    limit: int = Field(default=5, ge=1, le=50, description="Number of passages.")


class OpenPassageArguments(NoArguments):
    """Arguments of `open_passage`."""

    passage_id: str = Field(min_length=1, description="The passage_id of a citation or of a search result.")
    collection: str = Field(default="", max_length=128, description=COLLECTION)


class IngestArguments(NoArguments):
    """Arguments of `ingest`."""

    document_id: str = Field(min_length=1, max_length=512, description="Its id; a document of the same id is replaced.")
    text: str = Field(min_length=1, max_length=1_000_000, description="The text, Markdown or plain.")
    title: str = Field(default="", max_length=4096, description="Its title.")
    url: str = Field(default="", max_length=4096, description="Its address.")
    date: str = Field(default="", max_length=64, description="Its date in ISO 8601, as far as it is known.")
    collection: str = Field(default="", max_length=128, description=COLLECTION)


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool gives: a text to read, and the same as data."""

    text: str
    data: Json


@dataclass(frozen=True, slots=True)
class ToolDefinition:
    """A tool."""

    title: str
    description: str
    arguments: type[BaseModel]
    carry_out: Callable[[Suite, Any, Report], Awaitable[ToolResult]]
    writes: bool = False


async def ask(suite: Suite, arguments: AskArguments, report: Report) -> ToolResult:
    """Answer a question with citations."""
    turn = suite.ask(question_request(**arguments.model_dump(), options=Options(progress=True)))
    async for event in turn:
        if isinstance(event, StateEvent) and event.activity and not event.is_done:
            await report(event.seq, None, event.activity)
    answer = turn.answer_so_far
    return ToolResult(_answer_text(answer), _answer_data(answer))


async def search(suite: Suite, arguments: SearchArguments, report: Report) -> ToolResult:
    """Find passages."""
    passages = await suite.run(calls.search(arguments.query, arguments.collection, arguments.limit))
    text = "\n\n".join(f"[{passage.passage_id}] {_source(passage)}\n{passage.text}" for passage in passages)
    return ToolResult(text or "Nothing was found.", {"passages": [_passage_data(passage) for passage in passages]})


async def open_passage(suite: Suite, arguments: OpenPassageArguments, report: Report) -> ToolResult:
    """Show a passage as it is now."""
    passage = await suite.run(calls.get_passage(arguments.passage_id, arguments.collection))
    return ToolResult(f"{_source(passage)}\n{passage.text}", _passage_data(passage))


async def list_collections(suite: Suite, arguments: NoArguments, report: Report) -> ToolResult:
    """List the collections that the caller sees."""
    collections = await suite.run(calls.list_collections())
    text = "\n".join(f"{each.name}: {each.documents} documents, {each.passages} passages" for each in collections)
    return ToolResult(text or "There are no collections.", {"collections": [asdict(each) for each in collections]})


async def ingest(suite: Suite, arguments: IngestArguments, report: Report) -> ToolResult:
    """Store a document."""
    fields = arguments.model_dump(exclude={"collection"})
    receipt = await suite.run(calls.put_document(Document(**fields), arguments.collection))
    data = {"document_id": receipt.document_id, "status": receipt.status, "passages": receipt.passages}
    return ToolResult(f"{receipt.document_id}: {receipt.status}, {receipt.passages} passages", data)


TOOLS: Final[Mapping[str, ToolDefinition]] = {
    "ask": ToolDefinition(
        "Ask the documents",
        "Answers a question from the documents, with checked citations. Says so if they contain no answer. Ask"
        " follow-ups with the session_id of the answer before.",
        AskArguments,
        ask,
    ),
    "search": ToolDefinition(
        "Search the documents",
        "Finds passages of the documents for a query, best first, without an answer.",
        SearchArguments,
        search,
    ),
    "open_passage": ToolDefinition(
        "Open a passage", "Returns the present text of a passage.", OpenPassageArguments, open_passage
    ),
    "list_collections": ToolDefinition(
        "List the collections", "Lists the collections of documents, with their sizes.", NoArguments, list_collections
    ),
    "ingest": ToolDefinition(
        "Store a document",
        "Stores a text as a document, so that it can be asked about. Replaces a document of the same id.",
        IngestArguments,
        ingest,
        writes=True,
    ),
}
"""By name."""


def _answer_text(answer: Answer) -> str:
    numbers: dict[int, Passage] = {}
    cited = {span.number for citation in answer.citations for span in citation.spans}
    for reference in answer.references:
        if reference.number in cited:
            numbers.setdefault(reference.number, reference.passage)
    sources = "\n".join(f"[{number}] {_source(passage)}" for number, passage in sorted(numbers.items()))
    notes = "\n".join(f"Note: {each.effect}" for each in answer.degraded)
    return "\n\n".join(part for part in (answer.text, sources, notes) if part)


def _answer_data(answer: Answer) -> Json:
    return {
        "text": answer.text,
        "outcome": str(answer.outcome),
        "session_id": answer.session_id,
        "citations": citations_of(answer),
        "follow_ups": list(answer.recommendations),
    }


def _passage_data(passage: Passage) -> Json:
    return {**place_of(passage), "date": passage.date, "text": passage.text}


def _source(passage: Passage) -> str:
    return ", ".join(part for part in (passage.title or passage.document_id, passage.url, passage.date) if part)
