import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from services.retrieve.corpus.feed import Marks, VectorBatch
from services.retrieve.corpus.filtering import EARLIEST, LATEST, Admission, Seconds
from services.retrieve.engines.milvus import schema
from services.retrieve.engines.milvus.engine import portions

CORPUS = "0123456789abcdef" * 2


def batch(owners: list[int], documents: list[int] | None = None) -> VectorBatch:
    """One passage for each owner, with keys from 1; changed are these documents, or the owners."""
    count = len(owners)
    document_keys = np.array(documents if documents is not None else sorted(set(owners)), np.int64)
    keys, vectors = np.arange(1, count + 1), np.ones((count, 2), np.float16)
    return VectorBatch(document_keys, 9, keys, np.array(owners, np.int64), np.zeros(count, np.bool_), vectors)


def test_a_condition_is_met_by_any_of_its_labels_and_all_conditions_must_hold() -> None:
    one, two = schema.digest("principal:ann"), schema.digest("public")
    admission = Admission((frozenset({"principal:ann", "public"}), frozenset({"source:news"})), Seconds(5, 9))
    labels = ", ".join(f'"{digest}"' for digest in sorted((one, two)))
    assert schema.admitted(admission) == (
        f"array_contains_any(labels, [{labels}]) and "
        f'array_contains_any(labels, ["{schema.digest("source:news")}"]) and '
        "(first_second <= 9 and last_second >= 5)"
    )


def test_documents_without_a_date_pass_where_they_are_wanted() -> None:
    expression = schema.admitted(Admission((), Seconds(5, 9), undated=True))
    digest = schema.digest("undated")
    assert expression == (f'((first_second <= 9 and last_second >= 5) or array_contains_any(labels, ["{digest}"]))')


@given(st.lists(st.frozensets(st.text(), min_size=1), min_size=1))
def test_no_sign_of_a_label_stands_in_an_expression(labels: list[frozenset[str]]) -> None:
    expression = schema.admitted(Admission(tuple(labels)))
    condition = r'array_contains_any\(labels, \["[0-9a-f]{32}"(, "[0-9a-f]{32}")*\]\)'
    assert re.fullmatch(f"{condition}( and {condition})*", expression)


@given(st.text(), st.text())
def test_two_labels_are_kept_as_two(one: str, other: str) -> None:
    assert (schema.digest(one) == schema.digest(other)) == (one == other)


def test_what_has_no_date_is_in_no_range_not_even_an_open_one() -> None:
    (row,) = schema.passage_rows(batch([7]), np.array([0]), {7: Marks(("public",), None, None)})
    assert not (row["first_second"] <= LATEST and row["last_second"] >= EARLIEST)
    assert row["labels"] == [schema.digest("public")]


def test_a_passage_whose_document_is_gone_by_now_is_left_out() -> None:
    marks = {7: Marks(("public",), 1, 2)}
    assert [row["key"] for row in schema.passage_rows(batch([7, 8]), np.array([0, 1]), marks)] == [1]


def test_the_state_row_tells_how_far_a_collection_is_and_is_admitted_by_no_label() -> None:
    row = schema.state_row(12_345, 4)
    assert schema.sequence_of([row]) == 12_345
    assert schema.sequence_of([]) == 0
    assert not re.fullmatch("[0-9a-f]{32}", row["labels"][0])


def test_a_name_tells_the_collection_of_its_own_corpus_alone() -> None:
    name = schema.collection_name("parley", CORPUS, 12)
    assert re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", name)
    assert schema.row_of_name(name, "parley", CORPUS) == 12
    assert schema.row_of_name(name, "parley", "f" * 32) is None
    assert schema.row_of_name(name, "other", CORPUS) is None
    assert schema.row_of_name(f"parley_0_{CORPUS}_12", "parley", CORPUS) == -1


@given(st.lists(st.integers(1, 12), max_size=40), st.sets(st.integers(1, 15)), st.integers(1, 20))
def test_every_changed_document_is_in_one_portion_with_all_its_passages(
    owners: list[int], deleted_documents: set[int], most: int
) -> None:
    changes = batch(owners, sorted(deleted_documents | set(owners)))
    documents_in_order: list[int] = []
    for documents, positions in portions(changes, most):
        documents_in_order += documents.tolist()
        assert set(changes.owners[positions].tolist()) <= set(documents.tolist())
        assert len(positions) == sum(owners.count(document) for document in documents.tolist())
        assert len(documents) == 1 or len(documents) + len(positions) <= 2 * most + max(map(owners.count, documents))
    assert documents_in_order == changes.documents.tolist()
