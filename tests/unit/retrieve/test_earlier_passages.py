"""A follow-up is searched beside the passages that earlier answers stood on; what was searched by is told."""

from dataclasses import replace

import pytest

from libs.contracts.options import RetrieveOptions
from libs.contracts.query import SearchedTerm, WeightedPassage, WeightedQuery, WeightedTerm, WeightedText
from services.retrieve.corpus.corpus import Corpus
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


async def found(retriever: Retriever, query: WeightedQuery, options: RetrieveOptions = BY_VECTORS) -> list[str]:
    """The documents of the evidence, the best first; nothing may have failed."""
    result, degraded = await search(retriever, query, options)
    assert degraded == []
    return [evidence.passage.document_id for evidence in result.evidence]


async def terms(retriever: Retriever, query: WeightedQuery) -> dict[str, SearchedTerm]:
    result, _ = await search(retriever, query, RetrieveOptions())
    return {term.term: term for term in result.terms}


@pytest.mark.parametrize("name", ["luna", "viking"])
async def test_what_an_earlier_answer_stood_on_steers_the_search(retriever: Retriever, name: str) -> None:
    beside = replace(VAGUE, passages=(WeightedPassage(name, 0.5),))
    assert (await found(retriever, beside))[0] == name


async def test_a_passage_of_negative_weight_pushes_away(retriever: Retriever) -> None:
    assert set((await found(retriever, VAGUE))[:2]) == {"luna", "viking"}
    away = replace(VAGUE, passages=(WeightedPassage("luna", -0.5),))
    assert (await found(retriever, away))[0] == "viking"


async def test_a_passage_that_is_gone_adds_nothing(corpus: Corpus, retriever: Retriever) -> None:
    plain = await found(retriever, VAGUE)
    corpus.delete("default", "cassini").result()
    beside = replace(VAGUE, passages=(WeightedPassage("cassini", 5.0), WeightedPassage("never", 5.0)))
    assert await found(retriever, beside) == [name for name in plain if name != "cassini"]


async def test_a_passage_that_the_asker_may_not_see_adds_nothing(retriever: Retriever) -> None:
    beside = WeightedQuery("Mars", passages=(WeightedPassage("secret", 5.0),))
    assert await found(retriever, beside) == await found(retriever, WeightedQuery("Mars"))
    ann = replace(BY_VECTORS, principals=("ann",))
    assert (await found(retriever, beside, ann))[0] == "secret"


async def test_what_was_searched_by_is_told_with_how_rare_it_is(retriever: Retriever) -> None:
    terms_by_name = await terms(
        retriever, replace(VAGUE, text="Viking landed softly", terms=(WeightedTerm("years", 0.4),))
    )
    assert {name: term.weight for name, term in terms_by_name.items()} == {"vike": 1, "land": 1, "soft": 1, "year": 0.4}
    assert terms_by_name["vike"].rarity == terms_by_name["year"].rarity == pytest.approx(rarity(1, 4))
    assert terms_by_name["vike"].rarity > terms_by_name["soft"].rarity > terms_by_name["land"].rarity > 0


async def test_words_of_variants_are_not_told(retriever: Retriever) -> None:
    assert (await terms(retriever, replace(VAGUE, variants=(WeightedText("Saturn", 0.5),)))).keys() == {"land", "soft"}


async def test_where_the_full_text_engine_fails_nothing_is_told(
    retriever: Retriever, monkeypatch: pytest.MonkeyPatch
) -> None:
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
