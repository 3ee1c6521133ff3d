"""What every vector engine holds to: cosines, exactly."""

from dataclasses import replace

import numpy as np
import pytest

from services.retrieve.corpus.documents import Document
from services.retrieve.corpus.writing import put_documents
from tests.conformance.world import ANYBODY, EngineUnderTest, whole
from tests.fakes.stored_documents import ENCODER, PREPARATION, put

WIDTH = ENCODER.profile.width
NORTH, EAST = np.eye(WIDTH, dtype=np.float32)[:2]


def pointing(name: str, vector: np.ndarray) -> Document:
    """A document that brings its vector."""
    return whole(name, f"text of {name}", vector=tuple(vector.tolist()), vector_model=ENCODER.profile.name)


def put_windows(engine: EngineUnderTest, name: str, *vectors: np.ndarray) -> None:
    """A document of one passage with a window for each vector."""
    prepared_document = PREPARATION.prepare(whole(name, f"{name} in {len(vectors)} windows"))
    rows = np.array(vectors, np.float16)
    document = replace(prepared_document, vectors=rows, windows=(len(rows),), model=ENCODER.profile.name)
    engine.world.corpus.write(put_documents, "default", [document]).result()


def near(engine: EngineUnderTest, vector: np.ndarray, limit: int = 100) -> list[tuple[str, float]]:
    """What lies near a unit vector, with its score."""
    index = engine.world.engines.of("default").vector()
    assert index is not None
    hits = index.search(vector, limit, ANYBODY)
    return list(zip(engine.world.ids(hits), hits.scores.tolist(), strict=True))


def test_a_score_is_the_cosine(vector: EngineUnderTest) -> None:
    angles = {"same": 0.0, "near": 0.5, "far": 1.2}
    vector.world.put(*(pointing(name, NORTH * np.cos(a) + EAST * np.sin(a)) for name, a in angles.items()))
    matches = near(vector, NORTH)
    assert [name for name, _ in matches] == ["same", "near", "far"]
    assert [score for _, score in matches] == pytest.approx([np.cos(a) for a in angles.values()], abs=1e-3)


def test_a_score_may_be_zero_or_negative(vector: EngineUnderTest) -> None:
    vector.world.put(pointing("along", NORTH), pointing("across", EAST), pointing("against", -NORTH))
    matches = near(vector, NORTH)
    assert [name for name, _ in matches] == ["along", "across", "against"]
    assert [score for _, score in matches] == pytest.approx([1, 0, -1], abs=1e-3)


def test_all_that_is_against_a_query_is_found_where_nothing_else_is(vector: EngineUnderTest) -> None:
    vector.world.put(pointing("against", -NORTH), pointing("rather against", -(NORTH + EAST) / np.sqrt(2)))
    assert [name for name, _ in near(vector, NORTH)] == ["rather against", "against"]


def test_exact_scores_may_be_negative(vector: EngineUnderTest) -> None:
    vector.world.put(pointing("against", -NORTH), pointing("across", EAST))
    index = vector.world.engines.of("default").vector()
    assert index is not None
    scores = index.scores(NORTH, vector.world.keys("across", "against"), ANYBODY)
    assert scores.tolist() == pytest.approx([0, -1], abs=1e-3)


def test_passages_with_the_same_vector_are_all_found_with_the_same_score(vector: EngineUnderTest) -> None:
    vector.world.put_at_once([whole(f"d{number}", "moon") for number in range(40)])
    hits = vector.hits("moon", limit=40)
    assert len(set(hits.keys.tolist())) == 40
    assert hits.scores.tolist() == pytest.approx([hits.scores[0]] * 40, abs=1e-6)


def test_a_passage_without_a_vector_is_not_found_and_has_no_score(vector: EngineUnderTest) -> None:
    vector.world.put(whole("a", "moon"))
    put(vector.world.corpus, whole("bare", "moon"), vectors=False)
    assert vector.find("moon") == ["a"]
    scores = vector.scores("moon", "bare", "a")
    assert np.isnan(scores[0])
    assert scores[1] > 0.5


def test_the_vectors_of_passages_come_back(vector: EngineUnderTest) -> None:
    vector.world.put(pointing("north", NORTH), pointing("east", EAST))
    index = vector.world.engines.of("default").vector()
    assert index is not None
    keys = np.concatenate([vector.world.keys("east", "north"), [987_654]])
    assert index.vectors(keys) == pytest.approx(np.array([EAST, NORTH, np.zeros(WIDTH)]), abs=1e-3)


def test_a_passage_is_as_near_as_its_nearest_window(vector: EngineUnderTest) -> None:
    between = (NORTH + EAST) / np.sqrt(2)
    put_windows(vector, "both", EAST, NORTH)
    put_windows(vector, "between", between)
    put_windows(vector, "against", -NORTH, -EAST)
    assert [name for name, _ in near(vector, NORTH)] == ["both", "between", "against"]
    assert [score for _, score in near(vector, NORTH)] == pytest.approx([1, np.sqrt(0.5), 0], abs=1e-3)
    index = vector.world.engines.of("default").vector()
    assert index is not None
    scores = index.scores(EAST, vector.world.keys("against", "both", "between"), ANYBODY)
    assert scores.tolist() == pytest.approx([0, 1, np.sqrt(0.5)], abs=1e-3)


def test_a_passage_is_found_once_however_many_windows_it_has(vector: EngineUnderTest) -> None:
    put_windows(vector, "many", *[NORTH] * 64)
    put_windows(vector, "one", NORTH)
    assert sorted(name for name, _ in near(vector, NORTH)) == ["many", "one"]


def test_the_vector_of_a_passage_is_the_mean_of_its_windows(vector: EngineUnderTest) -> None:
    put_windows(vector, "both", EAST, NORTH)
    index = vector.world.engines.of("default").vector()
    assert index is not None
    (mean,) = index.vectors(vector.world.keys("both"))
    assert mean == pytest.approx((NORTH + EAST) / np.sqrt(2), abs=1e-3)


def test_all_windows_of_a_passage_leave_with_it(vector: EngineUnderTest) -> None:
    put_windows(vector, "a", EAST, NORTH)
    put_windows(vector, "b", -EAST, -NORTH)
    assert len(near(vector, NORTH)) == 2
    put_windows(vector, "a", -NORTH)
    assert near(vector, EAST)[0][1] == pytest.approx(0, abs=1e-3)
    vector.world.delete("a")
    assert [name for name, _ in near(vector, NORTH)] == ["b"]


def test_a_passage_that_is_gone_has_no_score(vector: EngineUnderTest) -> None:
    vector.world.put(whole("a", "moon"), whole("b", "moon"))
    missing_keys = vector.world.keys("a")
    vector.world.delete("a")
    index = vector.world.engines.of("default").vector()
    assert index is not None
    assert np.isnan(index.scores(NORTH, missing_keys, ANYBODY)).all()
    assert not index.vectors(missing_keys).any()


def test_no_passages_have_no_scores(vector: EngineUnderTest) -> None:
    vector.world.put(whole("a", "moon"))
    index = vector.world.engines.of("default").vector()
    assert index is not None
    nothing = np.zeros(0, np.int64)
    assert index.scores(NORTH, nothing, ANYBODY).shape == (0,)
    assert index.vectors(nothing).shape == (0, WIDTH)


def test_the_nearest_among_thousands_are_the_true_ones(vector: EngineUnderTest) -> None:
    words = [f"word{number}" for number in range(40)]
    texts = [" ".join(words[(n * step) % 40] for step in range(1, 7)) + f" {words[n % 17]}" for n in range(1_500)]
    vector.world.put_at_once([whole(f"d{number}", text) for number, text in enumerate(texts)])
    query = ENCODER.encode(["word3 word9 word27"])[0]
    stored_vectors = ENCODER.encode(texts).astype(np.float16).astype(np.float32)
    true = np.sort(stored_vectors @ query)[::-1][:100]
    matches = [score for _, score in near(vector, query, 100)]
    assert matches == pytest.approx(true.tolist(), abs=1e-4)
