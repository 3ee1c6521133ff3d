"""A follow-up is searched beside the passages that earlier turns found; what was searched by is told."""

from dataclasses import replace

import pytest

from libs.contracts.evidence import RankedPassage
from libs.contracts.options import RetrieveOptions
from libs.contracts.query import SearchedTerm, WeightedQuery, WeightedTerm, WeightedText
from libs.contracts.stages.retrieve import EarlierRanking, RetrieveResult
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.deleting import delete_document
from services.retrieve.corpus.documents import Document
from services.retrieve.engines.embedded.lexical import LexicalIndex
from services.retrieve.search.recall import search
from services.retrieve.search.retrieval import rarity
from services.retrieve.search.retriever import Retriever
from tests.fakes.stored_documents import put

BY_VECTORS = RetrieveOptions(lexical_weight=0)
SHELF = (
    Document("luna", "Luna landed softly on the Moon.", whole=True),
    Document("viking", "Viking landed softly on Mars.", whole=True),
    Document("cassini", "Cassini circled Saturn for years.", whole=True),
    Document("secret", "Zond landed in secret on Venus.", whole=True, principals=("ann",)),
)
VAGUE = WeightedQuery("landed softly")


@pytest.fixture(autouse=True)
def _shelf(corpus: Corpus) -> None:
    for document in SHELF:
        put(corpus, replace(document, language="en"))


def ranking(**scores: float) -> EarlierRanking:
    """What an earlier turn found, the best first."""
    return EarlierRanking(tuple(RankedPassage(name, score) for name, score in scores.items()))


async def found(
    retriever: Retriever,
    query: WeightedQuery,
    options: RetrieveOptions = BY_VECTORS,
    earlier: tuple[EarlierRanking, ...] = (),
) -> list[str]:
    """The documents of the evidence, the best first; nothing may have failed."""
    (result,) = [step async for step in retriever.retrieve(query, options, earlier)]
    assert isinstance(result, RetrieveResult)
    return [evidence.passage.document_id for evidence in result.evidence]


async def terms(retriever: Retriever, query: WeightedQuery) -> dict[str, SearchedTerm]:
    result, _ = await search(retriever, query, RetrieveOptions(principals=("ann",)))  # who sees all
    return {term.term: term for term in result.terms}


@pytest.mark.parametrize("name", ["luna", "viking"])
async def test_what_an_earlier_turn_found_steers_the_search(retriever: Retriever, name: str) -> None:
    assert (await found(retriever, VAGUE, earlier=(ranking(**{name: 1.0}),)))[0] == name


async def test_the_best_that_was_found_steers_most_and_the_newest_turn_more(retriever: Retriever) -> None:
    mostly_mars = ranking(viking=0.9, luna=0.5)
    assert (await found(retriever, VAGUE, earlier=(mostly_mars,)))[0] == "viking"
    assert (await found(retriever, VAGUE, earlier=(mostly_mars, ranking(luna=1.0))))[0] == "viking"
    assert (await found(retriever, VAGUE, earlier=(ranking(luna=1.0), mostly_mars)))[0] == "luna"


async def test_a_passage_that_is_gone_adds_nothing(corpus: Corpus, retriever: Retriever) -> None:
    corpus.write(delete_document, "default", "cassini").result()
    plain = await found(retriever, VAGUE)
    assert await found(retriever, VAGUE, earlier=(ranking(cassini=1.0, never=0.9),)) == plain
    assert (await found(retriever, VAGUE, earlier=(ranking(cassini=1.0, viking=0.9),)))[0] == "viking"


async def test_a_passage_that_was_ingested_again_is_the_same(corpus: Corpus, retriever: Retriever) -> None:
    put(corpus, Document("viking", "Viking landed softly on the plains of Mars.", whole=True, language="en"))
    assert (await found(retriever, VAGUE, earlier=(ranking(viking=1.0),)))[0] == "viking"


async def test_a_passage_that_the_asker_may_not_see_adds_nothing(retriever: Retriever) -> None:
    beside = (ranking(secret=1.0),)
    mars = WeightedQuery("landed on")
    assert await found(retriever, mars, earlier=beside) == await found(retriever, mars)
    ann = replace(BY_VECTORS, principals=("ann",))
    assert (await found(retriever, mars, ann, beside))[0] == "secret"


@pytest.mark.parametrize("score", [1e300, -1e300])
async def test_scores_of_any_size_are_borne(retriever: Retriever, score: float) -> None:
    earlier = (EarlierRanking((RankedPassage("viking", score), RankedPassage("luna", -score))),)
    assert set(await found(retriever, VAGUE, earlier=earlier)) == {"luna", "viking", "cassini"}


async def test_what_was_searched_by_is_told_with_how_rare_it_is(retriever: Retriever) -> None:
    terms_by_name = await terms(
        retriever, replace(VAGUE, text="Viking landed softly", terms=(WeightedTerm("years", 0.4),))
    )
    assert {name: term.weight for name, term in terms_by_name.items()} == {"vike": 1, "land": 1, "soft": 1, "year": 0.4}
    assert terms_by_name["vike"].rarity == terms_by_name["year"].rarity == pytest.approx(rarity(1, 4))
    assert terms_by_name["vike"].rarity > terms_by_name["soft"].rarity > terms_by_name["land"].rarity > 0


async def test_words_of_variants_are_not_told(retriever: Retriever) -> None:
    assert (await terms(retriever, replace(VAGUE, variants=(WeightedText("Saturn", 0.5),)))).keys() == {"land", "soft"}


async def test_a_failed_full_text_engine_tells_none(retriever: Retriever, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise OSError("the disk is gone")

    monkeypatch.setattr(LexicalIndex, "search", broken)
    assert await terms(retriever, VAGUE) == {}


@pytest.mark.parametrize("passages", [1, 10, 10_000])
def test_a_term_is_the_rarer_the_fewer_passages_have_it(passages: int) -> None:
    rarities = [rarity(having, passages) for having in range(1, passages + 1, max(1, passages // 10))]
    assert rarities == sorted(rarities, reverse=True)
    assert all(0 < each < 1 for each in rarities)
    assert rarity(0, passages) > rarities[0]


def test_a_few_passages_do_not_tell_which_words_are_rare() -> None:
    assert rarity(10_000, 10_000) < 0.1 * rarity(0, 10_000)
    assert rarity(4, 4) > 0.4 * rarity(0, 4)
