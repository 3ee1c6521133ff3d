"""What is written is found, whichever engine searches: the same documents, the same deletes."""

import threading

import pytest

from tests.conformance.world import ALL, EngineUnderTest, whole


def test_a_document_is_found_by_its_words(engine: EngineUnderTest) -> None:
    engine.world.put(whole("luna", "Luna landed on the Moon"), whole("viking", "Viking landed on Mars"))
    assert engine.find("Moon")[0] == "luna"
    assert engine.find("Mars")[0] == "viking"


def test_an_empty_collection_has_nothing(engine: EngineUnderTest) -> None:
    assert engine.find("moon") == []


def test_each_write_is_found_by_the_next_search(engine: EngineUnderTest) -> None:
    for number in range(5):
        engine.world.put(whole(f"d{number}", f"moon rock{number}"))
        assert sorted(engine.find("moon")) == [f"d{n}" for n in range(number + 1)]


def test_a_document_whose_text_became_empty_is_found_no_more(engine: EngineUnderTest) -> None:
    engine.world.put(whole("a", "moon"), whole("b", "moon"))
    assert sorted(engine.find("moon")) == ["a", "b"]
    engine.world.put(whole("a", ""))
    assert engine.find("moon") == ["b"]


@pytest.mark.parametrize("text", ["Луна и Марс", "月面 着陸", "naïve café", "ﬁnal ½ ①", "𝔪𝔬𝔬𝔫 🚀 moon", "σίγμα ΣΊΓΜΑ"])
def test_a_text_in_any_script_is_found(engine: EngineUnderTest, text: str) -> None:
    engine.world.put(whole("other", "something else"), whole("a", text))
    assert engine.find(text)[0] == "a"


def test_the_longest_passage_is_found(engine: EngineUnderTest) -> None:
    engine.world.put(whole("short", "nothing of it"), whole("long", ("crater " * 9_362)[:65_530]))
    assert engine.find("crater")[0] == "long"


def test_a_commit_of_many_documents_is_found_whole(engine: EngineUnderTest) -> None:
    engine.world.put_at_once([whole(f"d{number}", f"moon rock{number % 7}") for number in range(2_300)])
    matches = engine.find("moon", limit=3_000)
    assert len(matches) == len(set(matches)) == 2_300


def test_the_best_come_first_and_a_limit_gives_them(engine: EngineUnderTest) -> None:
    engine.world.put(*(whole(f"d{number}", "moon " * number + "rock " * (12 - number)) for number in range(1, 12)))
    everything, scores = engine.find("moon"), engine.hits("moon").scores.tolist()
    assert len(everything) == 11
    assert engine.find("moon", limit=4) == everything[:4]
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) > 5


def test_more_hits_may_be_asked_for_than_a_server_gives(engine: EngineUnderTest) -> None:
    engine.world.put(whole("a", "moon"))
    assert engine.find("moon", limit=20_000) == ["a"]


def test_exact_scores_are_those_of_the_search(engine: EngineUnderTest) -> None:
    engine.world.put(*(whole(f"d{n}", "moon " * (1 + n % 4) + "probe " * (n % 3) + "rock") for n in range(30)))
    hits = engine.hits("moon probe")
    assert len(hits.keys) == 30
    assert engine.scores("moon probe", *engine.world.ids(hits)) == pytest.approx(hits.scores.tolist(), abs=1e-5)


def test_a_passage_that_the_search_did_not_reach_has_its_exact_score(engine: EngineUnderTest) -> None:
    engine.world.put(*(whole(f"d{number}", "moon " * number + "rock " * (9 - number)) for number in range(1, 9)))
    everything = engine.hits("moon")
    first_hit = engine.find("moon", limit=1)
    last = engine.world.ids(everything)[-1]
    assert last not in first_hit
    assert engine.scores("moon", last) == pytest.approx([everything.scores[-1]], abs=1e-5)


def test_collections_know_nothing_of_each_other(engine: EngineUnderTest) -> None:
    engine.world.put(whole("a", "moon"))
    engine.world.put(whole("b", "moon"), collection="other")
    assert engine.find("moon") == ["a"]
    assert engine.find("moon", collection="other") == ["b"]
    engine.world.delete("b", collection="other")
    assert engine.find("moon") == ["a"]
    assert engine.find("moon", collection="other") == []


def test_a_deleted_collection_leaves_nothing_to_the_next_of_its_name(engine: EngineUnderTest) -> None:
    engine.world.put(whole("old", "moon"), collection="other")
    assert engine.find("moon", collection="other") == ["old"]
    engine.world.delete_collection("other")
    engine.world.engines.catch_up()
    engine.world.put(whole("new", "moon"), collection="other")
    assert engine.find("moon", collection="other") == ["new"]


def test_searches_during_writes_see_every_acknowledged_document(engine: EngineUnderTest) -> None:
    engine.world.put(*(whole(f"kept{number}", "moon") for number in range(5)))
    over, failures, looks = threading.Event(), list[str](), list[int]()

    def search() -> None:
        while not over.is_set():
            try:
                matches = len(engine.hits("moon").keys)
                looks.append(matches)
            except Exception as error:
                failures.append(repr(error))

    searching = [threading.Thread(target=search) for _ in range(3)]
    for thread in searching:
        thread.start()
    for number in range(15):
        engine.world.put(whole(f"new{number}", "moon"))
    over.set()
    for thread in searching:
        thread.join()
    assert failures == []
    assert min(looks) >= 5
    assert len(engine.find("moon", limit=ALL)) == 20


def test_a_document_that_is_being_replaced_is_found_all_the_while(engine: EngineUnderTest) -> None:
    engine.world.put(whole("a", "moon 0"))
    over, looks = threading.Event(), list[int]()

    def search() -> None:
        while not over.is_set():
            looks.append(len(engine.hits("moon").keys))

    searching = threading.Thread(target=search)
    searching.start()
    for number in range(1, 15):
        engine.world.put(whole("a", f"moon {number}"))
        engine.find("moon")
    over.set()
    searching.join()
    assert looks
    assert min(looks) >= 1
    assert engine.find("moon") == ["a"]
