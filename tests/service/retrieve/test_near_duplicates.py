"""What is shown once, with the packaged model: copies of a text, and not texts that differ in one fact."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from parley.context.v1 import query_pb2
from parley.retrieve.v1 import corpus_pb2, retrieve_pb2
from services.retrieve.embedding.packaged import packaged_folder
from tests.service.retrieve.running_stage import Client, serving

pytestmark = pytest.mark.skipif(packaged_folder() is None, reason="the packaged model is not installed")

ONE_FACT = (
    ("The cable car carries {} people an hour. It runs every day.", "900", "1,200"),
    ("The rope was replaced in {}. That took three weeks.", "2009", "2019"),
    ("The contract with the valley ends on {}.", "30 June 2027", "30 September 2027"),
    ("{} repairs the engine at night.", "Wagner", "Keller"),
    ("Dogs are {}allowed in the cabins. A muzzle is needed.", "", "not "),
    ("The valve must be {} before the start.", "open", "closed"),
    ("Bicycles are taken when the wind is {} 40 km/h.", "above", "below"),
    ("The counterweight has a mass of 12 {}.", "kg", "tonnes"),
    ("The brake {} stops the rope within a second.", "K7", "K7 Pro"),
    ("Set {} to 30 to wait longer.", "retry_max", "retry_min"),
    ("Adults pay {} euros.", "12 euros and children 8", "8 euros and children 12"),
    ("Der Sessellift fährt {}bei Nebel. Die Karte gilt trotzdem.", "", "nicht "),
)
COPIES = (
    ("The kiosk sells tea and soup. It is open daily.", "The kiosk sells tea and soup; it's open daily!"),
    ("The hut was opened on 4 May 1933 by the mayor.", "The hut was opened by the mayor on May 4, 1933."),
    ("You do not need a ticket below the age of six.", "You don't need a ticket below the age of six."),
    ("Staff wear a blue jacket and a badge at work.", "Employees wear a blue jacket and a badge at work."),
    ("The first cabin leaves at 8:30 from the square.", "The first cabin leaves at 8.30 from the square."),
    ("Please bring gloves. Children need a helmet.", "Children need a helmet. Please bring gloves."),
    (
        "The sauna of the hotel is open from Monday to Friday. Towels are lent at the desk near the pool.",
        "The sauna of the hotel is open from Monday to Friday. Towels are lent at the desk near the pool.\nAsk us.",
    ),
    ("Die Hütte hat 40 Betten und eine Küche.", "Die Hütte hat 40 Betten sowie eine Küche."),
)


@pytest.fixture
async def shelf(tmp_path: Path) -> AsyncIterator[Client]:
    """A stage with all of these texts."""
    pairs = [(form.format(first), form.format(second)) for form, first, second in ONE_FACT]
    async with serving(tmp_path, "auto") as client:
        for name, texts in (("fact", pairs), ("copy", COPIES)):
            documents = [
                corpus_pb2.Document(document_id=f"{name}{number}{side}", text=text)
                for number, pair in enumerate(texts)
                for side, text in zip("ab", pair, strict=True)
            ]
            await client.ingest(*documents)
        yield client


async def shown(client: Client, text: str) -> list[set[str]]:
    """The documents of each piece of evidence for a text."""
    request = retrieve_pb2.RetrieveRequest(query=query_pb2.WeightedQuery(text=text))
    steps = [step async for step in client.retrieve.Retrieve(request)]
    return [
        {item.passage.document_id, *(copy.passage.document_id for copy in item.near_duplicates)}
        for item in steps[-1].result.evidence
    ]


async def test_texts_that_differ_in_one_fact_are_both_shown(shelf: Client) -> None:
    for number, (form, first, _) in enumerate(ONE_FACT):
        found = await shown(shelf, form.format(first))
        assert {f"fact{number}a"} in found, form
        assert {f"fact{number}b"} in found, form


async def test_copies_are_shown_once(shelf: Client) -> None:
    for number, (text, _) in enumerate(COPIES):
        assert {f"copy{number}a", f"copy{number}b"} in await shown(shelf, text), text
