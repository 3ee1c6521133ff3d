"""Retrieval over every combination of engines: the same evidence for the same question, and what fails is said."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from libs.contracts.dates import TimeRange
from libs.contracts.options import Depth, Fusion, RetrieveOptions
from libs.contracts.query import Filters, WeightedQuery, WeightedText
from libs.runtime.errors import NotFound, Unavailable
from services.retrieve.embedding.batching import BatchingEmbedder
from services.retrieve.engines.collection import Engines
from services.retrieve.engines.collection_view import CollectionView
from services.retrieve.engines.opening import EngineMakers
from services.retrieve.engines.protocols import LexicalEngine, VectorEngine
from services.retrieve.search.ranking import RankingSettings
from services.retrieve.search.recall import search
from services.retrieve.search.retriever import Retriever
from tests.conformance.world import World, whole

SHELF = (
    whole("luna", "Luna 9 landed softly on the Moon.", title="Luna 9", date="1966-02-03"),
    whole("surveyor", "Surveyor 1 landed on the Moon too.", date="1966-06-02"),
    whole("viking", "Viking 1 landed on Mars.", date="1976-07-20"),
    whole("copy", "Luna 9 landed softly on the moon!", source="news"),
    whole("cassini", "Cassini circled Saturn for thirteen years, from 2004 to 2017."),
    whole("secret", "Zond landed on the Moon in secret.", principals=("ann",)),
)
EVERYTHING = RetrieveOptions()


async def found(retriever: Retriever, query: str | WeightedQuery, options: RetrieveOptions = EVERYTHING) -> list[str]:
    """The documents of the evidence with their near duplicates, the best first; nothing may have failed."""
    weighted_query = query if isinstance(query, WeightedQuery) else WeightedQuery(query)
    result, degraded = await search(retriever, weighted_query, options)
    assert degraded == []
    return [
        passage.document_id
        for evidence in result.evidence
        for passage in (evidence.passage, *(copy.passage for copy in evidence.near_duplicates))
    ]


@pytest.fixture(autouse=True)
def _shelf(place: World) -> None:
    place.put(*SHELF)


async def test_the_same_question_finds_the_same(retriever: Retriever) -> None:
    first_answer = await found(retriever, "Viking landed on Mars")
    assert (first_answer[0], first_answer[-1]) == ("viking", "cassini")
    assert sorted(first_answer) == ["cassini", "copy", "luna", "surveyor", "viking"]
    assert (await found(retriever, "thirteen years around Saturn"))[0] == "cassini"


async def test_every_candidate_has_the_exact_score_of_both_engines(retriever: Retriever) -> None:
    shallow = RetrieveOptions(depth=Depth(lexical=1, vector=1))
    deep, _ = await search(retriever, WeightedQuery("Luna 9 landed softly"), EVERYTHING)
    few, _ = await search(retriever, WeightedQuery("Luna 9 landed softly"), shallow)
    scores = {evidence.passage.passage_id: evidence.scores for evidence in deep.evidence}
    assert few.evidence
    for evidence in few.evidence:
        expected = scores[evidence.passage.passage_id]
        assert evidence.scores.lexical == pytest.approx(expected.lexical)
        assert evidence.scores.vector == pytest.approx(expected.vector, abs=1e-5)


async def test_near_duplicates_are_one_piece_of_evidence(retriever: Retriever) -> None:
    result, _ = await search(retriever, WeightedQuery("Luna 9 landed softly on the Moon"), EVERYTHING)
    best = result.evidence[0]
    assert {best.passage.document_id, *(copy.passage.document_id for copy in best.near_duplicates)} == {"luna", "copy"}


@pytest.mark.parametrize("fusion", list(Fusion))
async def test_each_way_of_fusing_puts_the_obvious_first(retriever: Retriever, fusion: Fusion) -> None:
    assert (await found(retriever, "Cassini circled Saturn", RetrieveOptions(fusion=fusion)))[0] == "cassini"


async def test_each_engine_alone_puts_the_obvious_first(retriever: Retriever) -> None:
    for options in (RetrieveOptions(vector_weight=0), RetrieveOptions(lexical_weight=0)):
        assert (await found(retriever, "Cassini circled Saturn", options))[0] == "cassini"


async def test_a_further_wording_finds_what_the_question_does_not_say(retriever: Retriever) -> None:
    options = RetrieveOptions(depth=Depth(lexical=1, vector=1, evidence=3))
    query = WeightedQuery("Saturn", variants=(WeightedText("Viking on Mars", 0.5),))
    assert set(await found(retriever, query, options)) == {"cassini", "viking"}


async def test_filters_hold_in_both_engines(retriever: Retriever) -> None:
    sixties = TimeRange(datetime(1960, 1, 1, tzinfo=UTC), datetime(1970, 1, 1, tzinfo=UTC))
    options = RetrieveOptions(filters=Filters(dates=sixties))
    assert set(await found(retriever, "landed", options)) == {"luna", "surveyor"}
    news = RetrieveOptions(filters=Filters(sources=("news",)))
    assert await found(retriever, "landed", news) == ["copy"]


async def test_a_permission_holds_in_both_engines(retriever: Retriever) -> None:
    assert "secret" not in await found(retriever, "Zond landed on the Moon")
    assert (await found(retriever, "Zond landed on the Moon", RetrieveOptions(principals=("ann",))))[0] == "secret"


async def test_a_permission_revoked_between_two_questions_leaks_nothing(place: World, retriever: Retriever) -> None:
    ann = RetrieveOptions(principals=("ann",))
    assert (await found(retriever, "Zond in secret", ann))[0] == "secret"
    place.put(replace(SHELF[-1], principals=("bob",)))
    assert "secret" not in await found(retriever, "Zond in secret", ann)


async def test_what_is_written_between_two_questions_is_evidence(place: World, retriever: Retriever) -> None:
    await found(retriever, "Huygens on Titan")
    place.put(whole("huygens", "Huygens landed on Titan."))
    assert (await found(retriever, "Huygens on Titan"))[0] == "huygens"
    place.delete("huygens")
    assert "huygens" not in await found(retriever, "Huygens on Titan")


async def test_a_collection_that_does_not_exist_is_not_found(retriever: Retriever) -> None:
    with pytest.raises(NotFound):
        await search(retriever, WeightedQuery("moon"), RetrieveOptions(collection="nowhere"))


class Switch:
    """Makes engines fail as a server does that does not answer, until it is turned off again."""

    def __init__(self, makers: EngineMakers) -> None:
        self.down: set[str] = set()
        self._makers = makers

    @property
    def makers(self) -> EngineMakers:
        """The same engines, behind the switch."""
        return replace(self._makers, lexical=self._lexical, vector=self._vector)

    def _lexical(self, home: CollectionView) -> LexicalEngine:
        return _Behind(self, "lexical", self._makers.lexical(home))  # type: ignore[return-value]

    def _vector(self, home: CollectionView, width: int) -> VectorEngine:
        return _Behind(self, "vector", self._makers.vector(home, width))  # type: ignore[return-value]


class _Behind:
    def __init__(self, switch: Switch, name: str, engine: object) -> None:
        self._switch = switch
        self._name = name
        self._engine = engine

    def __getattr__(self, attribute: str) -> object:
        if attribute in {"search", "scores", "follow", "sequence"} and self._name in self._switch.down:
            raise Unavailable("ENGINE_UNAVAILABLE", "switched off")
        return getattr(self._engine, attribute)


@pytest.fixture
def switch(makers: EngineMakers) -> Switch:
    return Switch(makers)


@pytest.fixture
def failing_retriever(
    place: World, switch: Switch, retriever: Retriever, embedder: BatchingEmbedder
) -> Iterator[Retriever]:
    """The same engines once more, each of which can be made to fail."""
    engines = Engines(place.corpus, place.folder / "switched", replace(switch.makers, sweeps=()))
    yield Retriever(place.corpus, engines, embedder, RankingSettings())
    switch.down.clear()
    engines.close()


@pytest.mark.parametrize(("down", "name"), [("vector", "vector"), ("lexical", "full-text")])
async def test_an_engine_that_fails_is_said_and_the_other_goes_on(
    failing_retriever: Retriever, switch: Switch, down: str, name: str
) -> None:
    switch.down = {down}
    result, degraded = await search(failing_retriever, WeightedQuery("Viking landed on Mars"), EVERYTHING)
    assert result.evidence[0].passage.document_id == "viking"
    assert [failure.reason for failure in degraded] == ["ENGINE_UNAVAILABLE"]
    assert name in degraded[0].effect


async def test_no_engine_at_all_is_a_failure(failing_retriever: Retriever, switch: Switch) -> None:
    switch.down = {"vector", "lexical"}
    with pytest.raises(Unavailable):
        await search(failing_retriever, WeightedQuery("Viking landed on Mars"), EVERYTHING)


async def test_an_engine_that_comes_back_has_what_was_written_meanwhile(
    place: World, failing_retriever: Retriever, switch: Switch
) -> None:
    await found(failing_retriever, "Huygens on Titan")
    switch.down = {"vector", "lexical"}
    place.put(whole("huygens", "Huygens landed on Titan."))
    place.delete("cassini")
    switch.down = {"vector"}
    assert (await search(failing_retriever, WeightedQuery("Huygens on Titan"), EVERYTHING))[1]
    switch.down = set()
    result = await found(failing_retriever, "Huygens on Titan, not Cassini at Saturn")
    assert result[0] == "huygens"
    assert "cassini" not in result
