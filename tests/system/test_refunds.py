"""A conversation about refunds: what leans on it is made to stand alone, what stands alone is left byte for byte."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from parley.context.v1 import query_pb2
from parley.gateway.v1 import event_pb2
from parley.retrieve.v1 import corpus_pb2, retrieve_pb2
from tests.system.door import Door, one, parley

pytestmark = pytest.mark.xdist_group("suite")

COLLECTION = "refunds"
CLAUSES = {
    "window": (
        "Refund window",
        "The refund window is 30 days: goods that come back to us within 30 days of their delivery get a full refund.",
    ),
    "damaged-on-arrival": (
        "Goods that arrive damaged",
        "Under the refund policy, items that arrive damaged get a full refund even after the refund window.",
    ),
    "misuse": ("Damage by misuse", "Items damaged by misuse are not covered."),
    "payment": (
        "Payment of refunds",
        "Refunds are paid within five business days, which is how long we take to process them.",
    ),
}
STRATEGIES = (
    query_pb2.STRATEGY_UNSPECIFIED,
    query_pb2.STRATEGY_LADDER,
    query_pb2.STRATEGY_MMR,
    query_pb2.STRATEGY_MULTI_QUERY,
)
WINDOW, DAMAGED = "What's our refund window?", "What about damaged items?"


@pytest.fixture(scope="module")
def refunds(door: Door, tmp_path_factory: pytest.TempPathFactory) -> Door:
    """The suite, with the four clauses in a collection of their own."""
    file = tmp_path_factory.mktemp("refunds") / "clauses.jsonl"
    lines = [{"id": name, "title": title, "text": text} for name, (title, text) in CLAUSES.items()]
    file.write_text("\n".join(json.dumps(line) for line in lines))
    done = parley(door.port, "ingest", str(file), "--collection", COLLECTION)
    assert done.returncode == 0, done.stdout + done.stderr
    return door


def ask(door: Door, session: str, turns: Sequence[str], **options: object) -> list[event_pb2.Event]:
    """The events of the last of several turns."""
    events: list[event_pb2.Event] = []
    for turn in turns:
        events = door.ask(turn, session, collection=COLLECTION, **options)
    return events


def record(events: list[event_pb2.Event]) -> query_pb2.DecisionRecord:
    return one(events, "condensed").condensed


def first_found(events: list[event_pb2.Event]) -> str:
    """The document of the first reference."""
    return one(events, "references").references.references[0].evidence.passage.document_id


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_another_case_asks_for_the_policy_and_finds_its_clause(
    refunds: Door, strategy: query_pb2.Strategy.ValueType
) -> None:
    events = ask(refunds, f"damaged-{strategy}", [WINDOW, DAMAGED], strategy=strategy)
    assert record(events).standalone == "refund policy for damaged items"
    assert first_found(events) == "damaged-on-arrival"
    assert CLAUSES["damaged-on-arrival"][1] in one(events, "text_end").text_end.text


def test_sentences_are_chosen_with_the_suites_own_vectors(refunds: Door) -> None:
    events = ask(refunds, "chosen", [WINDOW, DAMAGED], strategy=query_pb2.STRATEGY_MMR)
    texts = [text.text for text in record(events).query.texts]
    assert WINDOW in texts
    assert CLAUSES["window"][1] in texts
    assert all(event.WhichOneof("event") != "degraded" for event in events)


def test_the_raw_words_find_the_misuse_clause_first(refunds: Door) -> None:
    events = ask(refunds, "damaged-raw", [WINDOW, DAMAGED], strategy=query_pb2.STRATEGY_LAST_TURN)
    assert first_found(events) == "misuse"


def test_both_engines_take_the_raw_words_for_the_misuse_clause(refunds: Door) -> None:
    request = corpus_pb2.SearchRequest(query=DAMAGED, options=retrieve_pb2.RetrieveOptions(collection=COLLECTION))
    found = refunds.corpus.Search(request).evidence
    for engine in ("lexical", "vector"):
        best = max(found, key=lambda item: getattr(item.scores, engine))
        assert best.passage.document_id == "misuse"


def test_how_long_it_takes_is_asked_without_the_pointer(refunds: Door) -> None:
    turns = [WINDOW, DAMAGED, "And how long does that refund take to process?"]
    events = ask(refunds, "how-long", turns)
    assert record(events).standalone == "how long does the refund take to process"
    assert first_found(events) == "payment"


@pytest.mark.parametrize(
    ("turns", "turn"),
    [
        ([WINDOW], "how do I track my order?"),
        (["How do refunds get billed?", "When is my card charged?"], "and is there a mobile app?"),
    ],
)
def test_what_stands_alone_is_left_byte_for_byte(refunds: Door, turns: list[str], turn: str) -> None:
    told = record(ask(refunds, f"alone-{len(turns)}", [*turns, turn]))
    assert told.decision in {query_pb2.DECISION_PASS, query_pb2.DECISION_SWITCH}
    assert (told.standalone, told.query.text) == (turn, turn)


def test_both_ways_stand_side_by_side(refunds: Door, tmp_path: Path) -> None:
    file = tmp_path / "turns.jsonl"
    file.write_text("\n".join(json.dumps({"question": turn}) for turn in (WINDOW, DAMAGED)))
    done = parley(refunds.port, "ask", "--conversation", str(file), "--contrast", "--collection", COLLECTION)
    assert done.returncode == 0, done.stderr
    first = [line.split("\t") for line in done.stdout.splitlines() if line.startswith("found 1")]
    assert first == [
        ["found 1", "[1] Refund window", "[1] Refund window"],
        ["found 1", "[1] Damage by misuse", "[1] Goods that arrive damaged"],
    ]
