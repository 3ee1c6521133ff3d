"""Candidates of two engines: every one with the exact scores of both, and what is said where an engine fails."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray
from structlog.testing import capture_logs

from libs.contracts.usage import Degraded, Stage
from libs.runtime.errors import ParleyError, Unavailable
from services.retrieve.corpus.filtering import Access
from services.retrieve.engines.protocols import Hits
from services.retrieve.search.engine_queries import EngineQuery
from services.retrieve.search.hybrid import Candidates, EngineSearch, attempt, complete_candidates, failure_of


@dataclass(frozen=True)
class Table:
    """An engine that knows each passage's score for each query, by key."""

    scores_by_query: Mapping[str, Mapping[int, float]]
    others: float | None = None
    error: Exception | None = None

    def search(self, query: str, limit: int, access: Access) -> Hits:
        best = sorted(self.scores_by_query[query].items(), key=lambda item: -item[1])[:limit]
        return Hits(np.array([key for key, _ in best]), np.array([score for _, score in best]), self.others)

    def scores(self, query: str, keys: NDArray[np.int64], access: Access) -> NDArray[np.float64]:
        if self.error:
            raise self.error
        return np.array([self.scores_by_query[query].get(int(key), np.nan) for key in keys])


def search(engine: Table, weights: Mapping[str, float], depth: int, least: float = -np.inf) -> EngineSearch[str]:
    wordings = [EngineQuery(text, weight) for text, weight in weights.items()]
    return EngineSearch.run(engine, list(weights), wordings, depth, Access(), least)


MOON = Table({"moon": {2: 4.0, 3: 1.0, 7: 2.0}, "luna": {2: 0.0, 3: 3.0, 7: 2.0}})


NOT_TO_BE_ASKED = RuntimeError("not to be asked")
EXACT = {
    "what one wording did not find is looked up, and the mean is weighted": (
        (MOON, {"moon": 1.0, "luna": 0.5}, 1),
        {2: (4.0 + 0.0) / 1.5, 3: (1.0 + 1.5) / 1.5, 7: 2.0},
    ),
    "one wording has the engine's own scores": ((MOON, {"moon": 1.0}, 2), {2: 4.0, 3: 1.0, 7: 2.0}),
    "a complete list tells the score of all others without being asked": (
        (Table({"moon": {2: 4.0}}, others=0.0, error=NOT_TO_BE_ASKED), {"moon": 1.0}, 5),
        {2: 4.0, 3: 0.0},
    ),
    "an engine that found everything is not asked again": (
        (Table({"moon": {2: 4.0}}, error=NOT_TO_BE_ASKED), {"moon": 1.0}, 5),
        {2: 4.0},
    ),
}


@pytest.mark.parametrize("case", EXACT)
def test_the_exact_scores_of_passages_are_those_of_the_engine(case: str) -> None:
    (engine, weights, depth), expected = EXACT[case]
    scores = search(engine, weights, depth).exact(np.array(list(expected)))
    assert scores == pytest.approx(list(expected.values()))


def test_hits_below_the_least_score_are_dropped() -> None:
    assert search(MOON, {"moon": 1.0}, depth=5, least=2.0).hits[0].keys.tolist() == [2, 7]


def test_candidates_are_what_either_engine_found_with_both_scores() -> None:
    words = search(Table({"q": {9: 5.0, 2: 3.0}}, others=0.0), {"q": 1.0}, depth=5)
    vectors = search(Table({"q": {2: 0.8, 4: 0.9, 9: 0.1}}), {"q": 1.0}, depth=2)
    candidates = complete_candidates(words, vectors, ())
    assert candidates.keys.tolist() == [2, 4, 9]
    assert candidates.lexical is not None
    assert candidates.vector is not None
    assert candidates.lexical.tolist() == [3.0, 0.0, 5.0]
    assert candidates.vector.tolist() == [0.8, 0.9, 0.1]
    assert candidates.degraded == ()


def test_nobody_taking_part_finds_nothing() -> None:
    candidates = complete_candidates(None, None, ())
    assert (candidates.keys.tolist(), candidates.lexical, candidates.vector) == ([], None, None)


FAILED = [
    Degraded(
        Stage.RETRIEVE, "ENGINE_UNAVAILABLE", f"The {name} engine failed: the results are those of the other engine."
    )
    for name in ("full-text", "vector")
]


def failing() -> EngineSearch[str]:
    """Its wordings find different passages, so it is asked for scores, and fails."""
    engine = Table({"q": {2: 0.8}, "r": {5: 0.7}}, error=Unavailable("ENGINE_UNAVAILABLE", "Gone."))
    return search(engine, {"q": 1.0, "r": 1.0}, depth=1)


@pytest.mark.parametrize("side", ["full-text", "vector"])
def test_an_engine_that_fails_to_look_up_scores_takes_no_part_and_is_named(side: str) -> None:
    working = search(Table({"q": {4: 0.9}}, others=0.0), {"q": 1.0}, depth=1)
    is_words = side == "full-text"
    candidates: Candidates = complete_candidates(*((failing(), working) if is_words else (working, failing())), ())
    assert (candidates.lexical is None, candidates.vector is None) == (is_words, not is_words)
    assert candidates.keys.tolist() == [2, 4, 5]
    assert candidates.degraded == (FAILED[0 if is_words else 1],)


@pytest.mark.parametrize("earlier", [[], FAILED[:1], FAILED])
def test_where_both_engines_failed_sooner_or_later_there_is_no_answer(earlier: Sequence[Degraded]) -> None:
    words = None if earlier else failing()
    vectors = None if len(earlier) == 2 else failing()
    with pytest.raises(Unavailable) as error:
        complete_candidates(words, vectors, earlier)
    assert (error.value.reason, error.value.message) == (
        "ENGINE_UNAVAILABLE",
        "No search engine answers: retrieve's log says why.",
    )


def test_an_attempt_gives_its_result_or_records_the_failure() -> None:
    failures: list[Degraded] = []
    assert attempt("vector", lambda: 1, failures) == 1
    assert failures == []
    assert attempt("vector", lambda: 1 // 0, failures) is None
    assert failures == [FAILED[1]]


def test_a_failure_keeps_the_reason_of_an_error_of_ours() -> None:
    def work() -> None:
        raise ParleyError("INDEX_BROKEN", "Broken.")

    failures: list[Degraded] = []
    attempt("vector", work, failures)
    assert [failure.reason for failure in failures] == ["INDEX_BROKEN"]


def test_a_failure_is_logged_with_its_error_unless_a_server_is_down() -> None:
    error = ParleyError("INDEX_BROKEN", "Broken.")
    with capture_logs() as logs:
        failure_of("vector", error)
        failure_of("vector", Unavailable("ENGINE_UNAVAILABLE", "Gone."))
    expected = {"engine": "vector", "reason": "INDEX_BROKEN", "exc_info": error}
    assert logs == [{"event": "engine failed", "log_level": "warning"} | expected]
