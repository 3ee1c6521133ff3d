"""Writes many passages in requests of bounded size."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import structlog

from libs.elastic.server import ElasticsearchServer
from libs.runtime.errors import Unavailable
from services.retrieve.corpus.feed import TextPassage
from services.retrieve.engines.elasticsearch.mapping import FILLER
from services.retrieve.search.terms import indexed_terms

LARGEST_REQUEST = 5_000_000
"""Bytes; Elastic recommends 5 to 15 MB, and a passage with its labels takes about one kB."""

Lines = tuple[str, ...]

_log = structlog.get_logger("parley.elasticsearch")


def put_lines(passage: TextPassage, sparse: Mapping[str, float] | None) -> Lines:
    """The lines that write one passage, replacing an earlier one with its key."""
    document: dict[str, Any] = {
        "key": passage.key,
        "document": passage.document,
        "body": " ".join(indexed_terms(passage)) + FILLER,
        "labels": passage.labels,
    }
    if passage.first_second is not None and passage.last_second is not None:
        document |= {"first_second": passage.first_second, "last_second": passage.last_second}
    if sparse:
        document["sparse"] = sparse
    return (_line({"index": {"_id": str(passage.key)}}), _line(document))


def delete_lines(key: int) -> Lines:
    """The line that deletes a passage; harmless if it does not exist."""
    return (_line({"delete": {"_id": str(key)}}),)


def send(server: ElasticsearchServer, index: str, actions: Iterable[Lines], largest: int = LARGEST_REQUEST) -> None:
    """Write everything; on return all of it is on disk, and searchable after a refresh.

    Raises:
        Unavailable: some of it could not be written; retry all of it.
    """
    for request in _requests(actions, largest):
        answer = server.ask_patiently(
            lambda client, lines=request: client.bulk(  # type: ignore[misc]
                index=index,
                operations=lines,
                require_alias=True,
                filter_path=["errors", "items.*.error", "items.*.status"],
            )
        )
        if answer["errors"]:
            failures = [outcome for item in answer["items"] for outcome in item.values() if "error" in outcome]
            _log.error("passages were not written", index=index, count=len(failures), first=failures[0])
            raise Unavailable("ENGINE_UNAVAILABLE", "Elasticsearch did not write all passages.")


def _requests(actions: Iterable[Lines], largest: int) -> Iterator[list[str]]:
    lines: list[str] = []
    size = 0
    for action in actions:
        length = sum(len(line.encode()) + 1 for line in action)
        if lines and size + length > largest:
            yield lines
            lines, size = [], 0
        lines += action
        size += length
    if lines:
        yield lines


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
