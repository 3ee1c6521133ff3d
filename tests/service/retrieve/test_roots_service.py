"""Roots over the wire: placed before an ingest, and refused by the path of the field at fault."""

from pathlib import Path

import pytest

from parley.retrieve.v1 import corpus_pb2
from tests.service.retrieve.running_stage import serving
from tests.service.serving import refused_fields


def request(*roots: corpus_pb2.WantedRoot, collection: str = "notes") -> corpus_pb2.PlaceRootsRequest:
    return corpus_pb2.PlaceRootsRequest(collection=collection, roots=roots)


def wanted_root(location: str, name: str, has_name: bool = False) -> corpus_pb2.WantedRoot:
    return corpus_pb2.WantedRoot(location=location, name=name, named=has_name)


@pytest.mark.parametrize(
    ("bad", "field"),
    [
        (request(), "roots"),
        (request(wanted_root("", "docs")), "roots[0].location"),
        (request(wanted_root("/a", "a"), wanted_root("/b", "")), "roots[1].name"),
        (request(wanted_root("/a", "a/b")), "roots[0].name"),
        (request(wanted_root("/a", "a\nb")), "roots[0].name"),
        (request(wanted_root("/a\0", "a")), "roots[0].location"),
        (request(wanted_root("/a", "a"), collection="no/slash"), "collection"),
        (request(wanted_root("/a", "n", has_name=True), wanted_root("/b", "n", has_name=True)), "roots[1].name"),
    ],
)
async def test_bad_input_names_its_field(tmp_path: Path, bad: corpus_pb2.PlaceRootsRequest, field: str) -> None:
    async with serving(tmp_path) as client:
        assert await refused_fields(client.corpus.PlaceRoots(bad)) == {field}
        listing = await client.corpus.ListCollections(corpus_pb2.ListCollectionsRequest())
        assert [collection.name for collection in listing.collections] == ["default"]
