"""Results that come from a cluster: each exactly once, in order, whatever is repeated or missing."""

from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.connection.gateway_connection import CommandError
from cli.ingest.cluster.rows import LOST, FileEnd, Row, WorkerFault, delivered, packed_rows, unpacked_rows
from cli.ingest.cluster.stored import to_be_sent
from cli.ingest.sources import Item, ReadItem
from ingest.documents import Unreadable
from parley.retrieve.v1 import corpus_pb2

FILES = ("a.md", "b.jsonl", "c.md")
SIZES = (1, 3, 0)
"""Documents of each file."""


def item(name: str, stored_passages: int = 0) -> Item:
    return Item(name, None, corpus_pb2.Document(document_id=name, text=f"Text of {name}."), stored_passages)


ROWS = [
    Row(place, number, item(f"{FILES[place]}-{number}") if number < size else FileEnd())
    for place, size in enumerate(SIZES)
    for number in range(size + 1)
]
DOCUMENTS = ["a.md-0", "b.jsonl-0", "b.jsonl-1", "b.jsonl-2"]


def names(items: Iterable[ReadItem]) -> list[str]:
    """Each document's id, or the name of a file that failed with an exclamation mark."""
    names = list[str]()
    for read_item in items:
        if isinstance(read_item, Unreadable):
            assert read_item.reason == LOST
        names.append(read_item.document.document_id if isinstance(read_item, Item) else f"{read_item.where}!")
    return names


def delivery(rows: Sequence[Row], began: list[str] | None = None) -> list[str]:
    return names(delivered(rows, FILES, (began if began is not None else []).append))


def test_everything_that_comes_is_yielded_in_order_and_each_file_is_begun_once() -> None:
    began: list[str] = []
    assert delivery(ROWS, began) == DOCUMENTS
    assert began == list(FILES)


def test_what_comes_again_is_left_out() -> None:
    assert delivery([*ROWS[:4], *ROWS[1:4], *ROWS[4:]]) == DOCUMENTS


@pytest.mark.parametrize(
    ("missing", "names"),
    [
        ({0, 1}, ["a.md!", "b.jsonl-0", "b.jsonl-1", "b.jsonl-2"]),
        ({1}, ["a.md-0", "a.md!", "b.jsonl-0", "b.jsonl-1", "b.jsonl-2"]),
        ({2}, ["a.md-0", "b.jsonl!", "b.jsonl-1", "b.jsonl-2"]),
        ({2, 4}, ["a.md-0", "b.jsonl!", "b.jsonl-1"]),
        ({3, 5}, ["a.md-0", "b.jsonl-0", "b.jsonl!", "b.jsonl-2"]),
        ({6}, ["a.md-0", "b.jsonl-0", "b.jsonl-1", "b.jsonl-2", "c.md!"]),
        (set(range(7)), ["a.md!", "b.jsonl!", "c.md!"]),
    ],
)
def test_a_file_of_which_something_is_missing_fails_once(missing: set[int], names: list[str]) -> None:
    rows = [row for place, row in enumerate(ROWS) if place not in missing]
    result = delivery(rows)
    assert [name for name in result if name.endswith("!")] == [name for name in names if name.endswith("!")]
    expected = [name for name in DOCUMENTS if name in {row_name(row) for row in rows}]
    assert [name for name in result if not name.endswith("!")] == expected


def row_name(row: Row) -> str:
    return row.content.document.document_id if isinstance(row.content, Item) else ""


@given(st.data())
def test_whatever_is_missing_or_repeated_each_file_comes_once_or_fails_once(data: st.DataObject) -> None:
    missing = data.draw(st.sets(st.integers(0, len(ROWS) - 1)))
    rows = [row for place, row in enumerate(ROWS) if place not in missing]
    cut = data.draw(st.integers(0, len(rows)))
    result = delivery([*rows[:cut], *rows[data.draw(st.integers(0, cut)) : cut], *rows[cut:]])
    kept = {row_name(row) for row in rows}
    broken = [FILES[place] for place in range(3) if any(ROWS[row].place == place for row in missing)]
    assert [name for name in result if not name.endswith("!")] == [name for name in DOCUMENTS if name in kept]
    assert [name for name in result if name.endswith("!")] == [f"{name}!" for name in broken]


def test_a_worker_that_cannot_work_ends_the_ingest() -> None:
    with pytest.raises(CommandError, match="no model"):
        delivery([ROWS[0], Row(0, 1, WorkerFault("no model"))])


def test_rows_survive_the_way_through_the_cluster() -> None:
    rows = [*ROWS, Row(3, 0, Unreadable("d.md", "is encrypted", 3)), Row(3, 1, WorkerFault("no model"))]
    assert list(unpacked_rows(packed_rows(rows))) == rows


def test_a_stored_document_is_not_sent_unless_one_of_its_id_was_sent_before() -> None:
    kept: list[Item] = []
    items = [item("a", 2), item("b"), item("b", 3), item("a", 2), item("a"), item("a", 2)]
    assert names(to_be_sent(items, kept.append)) == ["b", "b", "a", "a"]
    assert names(kept) == ["a", "a"]
