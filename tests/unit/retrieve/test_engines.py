import math
import shutil
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from libs.contracts.dates import TimeRange
from libs.contracts.query import Filters
from libs.language.known import ENGLISH
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.documents import Document
from services.retrieve.corpus.filtering import Access, access_of
from services.retrieve.corpus.reading import passage_ids_of_keys
from services.retrieve.engines.collection import CollectionEngines, Engines
from services.retrieve.engines.embedded.lexical import FILLER_TERMS
from services.retrieve.search.engine_queries import query_terms
from tests.fakes.stored_documents import ENCODER, put

ANYBODY = Access()
terms = query_terms((ENGLISH,))


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with Corpus.open(tmp_path) as corpus:
        yield corpus


@pytest.fixture
def engines(corpus: Corpus, tmp_path: Path) -> Iterator[Engines]:
    engines = Engines(corpus, tmp_path / "engines")
    yield engines
    engines.close()


def by_words(corpus: Corpus, engines: CollectionEngines, words: str, access: Access = ANYBODY) -> list[str]:
    return ids(corpus, engines.lexical().search(dict(terms(words)), 100, access).keys.tolist())


def by_vector(corpus: Corpus, engines: CollectionEngines, words: str, access: Access = ANYBODY) -> list[str]:
    index = engines.vector()
    return ids(corpus, index.search(ENCODER.encode([words])[0], 100, access).keys.tolist()) if index else []


def ids(corpus: Corpus, keys: list[int]) -> list[str]:
    """Passage ids in order; a key that the corpus does not know is an error."""
    ids_by_key = corpus.read(lambda connection: passage_ids_of_keys(connection, keys))
    return [ids_by_key[key] for key in keys]


def whole(name: str, text: str, **more: object) -> Document:
    return replace(Document(name, text, whole=True, language=ENGLISH), **more)  # type: ignore[arg-type]


def test_words_are_found_by_their_stems_and_stop_words_are_not_words(corpus: Corpus, engines: Engines) -> None:
    put(corpus, whole("a", "The lander landed on the Moon"))
    put(corpus, whole("b", "An orbiter circles Mars"))
    assert by_words(corpus, engines.of("default"), "landing") == ["a"]
    assert by_words(corpus, engines.of("default"), "on the") == []


def test_a_title_is_searched_too(corpus: Corpus, engines: Engines) -> None:
    put(corpus, whole("a", "It circled.", title="Mariner"))
    assert by_words(corpus, engines.of("default"), "mariner") == ["a"]


def test_weights_of_terms_decide_the_order(corpus: Corpus, engines: Engines) -> None:
    put(corpus, whole("moon", "moon probe"))
    put(corpus, whole("mars", "mars probe"))
    index = engines.of("default").lexical()
    hits = index.search({"moon": 0.5, "mar": 1.0}, 10, ANYBODY)
    assert ids(corpus, hits.keys.tolist()) == ["mars", "moon"]
    assert hits.scores[0] == pytest.approx(2 * hits.scores[1])


def test_a_score_is_bm25_that_hardly_minds_the_length(corpus: Corpus, engines: Engines) -> None:
    lengths = {"short": 2, "middle": 18, "long": 34}  # with the filler these are kept exactly, others within 6 %
    for name, length in lengths.items():
        put(corpus, whole(name, " ".join(["moon", *[name] * (length - 1)])))
    put(corpus, whole("last", " ".join(["last"] * 18)))
    index = engines.of("default").lexical()
    hits = index.search({"moon": 1.0}, 10, ANYBODY)
    mean = 18.0
    b = 0.75 * mean / (mean + FILLER_TERMS)
    rarity = math.log(1 + (4 - 3 + 0.5) / (3 + 0.5))
    expected = {name: rarity / (1 + 1.2 * (1 - b + b * length / mean)) for name, length in lengths.items()}
    scores = dict(zip(ids(corpus, hits.keys.tolist()), hits.scores.tolist(), strict=True))
    assert scores == pytest.approx(expected, rel=1e-5)
    assert list(scores) == ["short", "middle", "long"]


def test_exact_scores_are_those_of_the_search(corpus: Corpus, engines: Engines) -> None:
    for number in range(30):
        put(corpus, whole(f"d{number}", "moon " * (number % 4) + "probe " * (number % 3) + "rock"))
    collection = engines.of("default")
    index, vectors = collection.lexical(), collection.vector()
    assert vectors is not None
    query, vector = dict(terms("moon probe")), ENCODER.encode(["moon probe"])[0]
    by_terms, by_cosine = index.search(query, 100, ANYBODY), vectors.search(vector, 100, ANYBODY)
    assert len(by_terms.keys) > 10
    assert index.scores(query, by_terms.keys) == pytest.approx(by_terms.scores, abs=1e-5)
    assert vectors.scores(vector, by_cosine.keys) == pytest.approx(by_cosine.scores, abs=1e-5)
    assert index.scores({"nowhere": 1.0}, by_terms.keys).tolist() == [0.0] * len(by_terms.keys)


def test_a_write_is_found_by_the_next_search_in_both_engines(corpus: Corpus, engines: Engines) -> None:
    collection = engines.of("default")
    put(corpus, whole("a", "first version"))
    assert by_words(corpus, collection, "first") == by_vector(corpus, collection, "first") == ["a"]
    put(corpus, whole("a", "second version"))
    assert (by_words(corpus, collection, "first"), by_words(corpus, collection, "second")) == ([], ["a"])
    corpus.delete("default", "a").result()
    assert by_words(corpus, collection, "second") == by_vector(corpus, collection, "second") == []


def test_engines_go_on_where_they_stopped(corpus: Corpus, tmp_path: Path) -> None:
    first = Engines(corpus, tmp_path / "engines")
    put(corpus, whole("a", "before the stop"))
    first.catch_up()
    first.close()
    put(corpus, whole("b", "after the stop"))
    second = Engines(corpus, tmp_path / "engines")
    assert sorted(by_words(corpus, second.of("default"), "stop")) == ["a", "b"]
    assert sorted(by_vector(corpus, second.of("default"), "stop")) == ["a", "b"]
    second.close()


@pytest.mark.parametrize("damage", ["gone", "state gone", "cut"])
def test_a_damaged_index_is_built_anew(corpus: Corpus, tmp_path: Path, damage: str) -> None:
    first = Engines(corpus, tmp_path / "engines")
    put(corpus, whole("a", "lunar dust"))
    first.catch_up()
    first.close()
    (folder,) = (tmp_path / "engines").iterdir()
    if damage == "gone":
        shutil.rmtree(folder)
    elif damage == "state gone":
        (folder / "state.json").unlink()
    else:
        (folder / "index" / "meta.json").write_text("{")
    second = Engines(corpus, tmp_path / "engines")
    assert by_words(corpus, second.of("default"), "lunar dust") == ["a"]
    second.close()


def test_an_index_that_forgot_to_say_how_far_it_is_doubles_nothing(corpus: Corpus, tmp_path: Path) -> None:
    first = Engines(corpus, tmp_path / "engines")
    put(corpus, whole("a", "early"))
    first.catch_up()
    (folder,) = (tmp_path / "engines").iterdir()
    early = (folder / "state.json").read_text()
    put(corpus, whole("b", "late"))
    first.catch_up()
    first.close()
    (folder / "state.json").write_text(early)  # as after a kill between the index's commit and ours
    second = Engines(corpus, tmp_path / "engines")
    assert by_words(corpus, second.of("default"), "early late").count("b") == 1
    second.close()


def test_collections_know_nothing_of_each_other_and_leave_nothing_behind(
    corpus: Corpus, engines: Engines, tmp_path: Path
) -> None:
    put(corpus, whole("a", "moon"))
    put(corpus, whole("b", "moon"), "other")
    assert by_words(corpus, engines.of("other"), "moon") == by_vector(corpus, engines.of("other"), "moon") == ["b"]
    corpus.delete_collection("other").result()
    engines.catch_up()
    assert len(list((tmp_path / "engines").iterdir())) == 1


SPRING = TimeRange(datetime(1969, 3, 1, tzinfo=UTC), datetime(1969, 6, 1, tzinfo=UTC))
SHELF = (
    whole("public", "moon", date="1969-04", metadata={"craft": "probe"}),
    whole("late", "moon", date="1970", source="news", metadata={"craft": "lander"}),
    whole("undated", "moon", source="news", metadata={"craft": "probe"}),
    whole("secret", "moon", date="1969-05-02", principals=("ann",)),
    whole("year", "moon", date="1969", principals=("ann", "bob")),
)


@pytest.mark.parametrize(
    ("filters", "principals", "expected"),
    [
        (Filters(), (), {"public", "late", "undated"}),
        (Filters(), ("bob",), {"public", "late", "undated", "year"}),
        (Filters(dates=SPRING), ("ann",), {"public", "secret", "year"}),
        (Filters(dates=SPRING, undated=True), (), {"public", "undated"}),
        (Filters(sources=("news", "web")), (), {"late", "undated"}),
        (Filters(metadata={"craft": "probe"}), (), {"public", "undated"}),
        (Filters(metadata={"craft": "probe"}, sources=("news",)), (), {"undated"}),
        (Filters(document_ids=("secret", "late")), (), {"late"}),
        (Filters(metadata={"craft": "probe=lander"}), (), set()),
    ],
)
def test_both_engines_filter_alike(
    corpus: Corpus, engines: Engines, filters: Filters, principals: tuple[str, ...], expected: set[str]
) -> None:
    for document in SHELF:
        put(corpus, document)
    access = access_of(filters, principals)
    collection = engines.of("default")
    assert set(by_words(corpus, collection, "moon", access)) == expected
    assert set(by_vector(corpus, collection, "moon", access)) == expected


EDITS = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sampled_from(["", "moon", "mars moon", "venus " * 300])), max_size=12
)


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(EDITS, st.sets(st.integers(0, 12)))
def test_after_any_edits_both_engines_hold_what_the_corpus_holds(
    tmp_path_factory: pytest.TempPathFactory, edits: list[tuple[str, str]], looks: set[int]
) -> None:
    folder = tmp_path_factory.mktemp("edits")
    with Corpus.open(folder) as corpus:
        engines = Engines(corpus, folder / "engines")
        expected: dict[str, str] = {}
        for number, (name, text) in enumerate(edits):
            if text:
                put(corpus, Document(name, text, language=ENGLISH))
                expected[name] = text
            else:
                corpus.delete("default", name).result()
                expected.pop(name, None)
            if number in looks:
                engines.catch_up()
        collection = engines.of("default")
        for search in (by_words, by_vector):
            passage_ids = search(corpus, collection, "moon mars venus")
            assert len(passage_ids) == len(set(passage_ids)) == corpus.collection("default")[1].passages
            assert {passage.split("#")[0] for passage in passage_ids} == expected.keys()
        engines.close()


def test_keys_that_are_gone_have_no_vector(corpus: Corpus, engines: Engines) -> None:
    put(corpus, whole("a", "moon"))
    index = engines.of("default").vector()
    assert index is not None
    assert np.isnan(index.scores(ENCODER.encode(["moon"])[0], np.array([999])))[0]
    assert not index.vectors(np.array([999])).any()
