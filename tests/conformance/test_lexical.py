"""What every full-text engine holds to: weighted stems by BM25."""

import numpy as np
import pytest

from services.retrieve.corpus.documents import Document
from tests.conformance.world import ANYBODY, EngineUnderTest, whole


def searched(engine: EngineUnderTest, terms: dict[str, float]) -> dict[str, float]:
    """What is found for weighted stems, the best first, with scores."""
    hits = engine.world.engines.of("default").lexical().search(terms, 100, ANYBODY)
    return dict(zip(engine.world.ids(hits), hits.scores.tolist(), strict=True))


def test_words_are_found_by_their_stems(lexical: EngineUnderTest) -> None:
    lexical.world.put(whole("a", "The landers were landing"), whole("b", "An orbiter circles"))
    assert lexical.find("landed") == ["a"]
    assert lexical.find("circling orbiters") == ["b"]


def test_stop_words_are_no_words(lexical: EngineUnderTest) -> None:
    lexical.world.put(whole("a", "The lander is on the Moon"))
    assert lexical.find("on the is") == []
    assert lexical.find("") == []


def test_case_and_accents_do_not_matter(lexical: EngineUnderTest) -> None:
    lexical.world.put(whole("a", "CAFÉ Zürich"))
    assert lexical.find("cafe zurich") == lexical.find("Café ZÜRICH") == ["a"]


def test_any_of_several_words_will_do_and_more_are_better(lexical: EngineUnderTest) -> None:
    lexical.world.put(whole("one", "moon rock"), whole("both", "moon mars"), whole("none", "venus rock"))
    matches = lexical.find("moon mars")
    assert matches[0] == "both"
    assert set(matches) == {"one", "both"}


def test_a_title_is_searched_too(lexical: EngineUnderTest) -> None:
    lexical.world.put(whole("a", "It circled.", title="Mariner"))
    assert lexical.find("mariner") == ["a"]


def test_weights_of_stems_decide_the_order(lexical: EngineUnderTest) -> None:
    lexical.world.put(whole("moon", "moon probe"), whole("mars", "mars probe"))
    matches = searched(lexical, {"moon": 0.5, "mar": 1.0})
    assert list(matches) == ["mars", "moon"]
    assert matches["mars"] == pytest.approx(2 * matches["moon"], rel=1e-4)


def test_scores_of_stems_add_up(lexical: EngineUnderTest) -> None:
    lexical.world.put(*(whole(f"d{n}", f"moon{n % 2} mars{n % 3} probe") for n in range(12)))
    one, other = searched(lexical, {"moon0": 1.0}), searched(lexical, {"mars0": 0.7})
    both = searched(lexical, {"moon0": 1.0, "mars0": 0.7})
    assert both == pytest.approx({d: one.get(d, 0) + other.get(d, 0) for d in both}, rel=1e-4)


def test_a_rare_word_counts_more(lexical: EngineUnderTest) -> None:
    lexical.world.put(*(whole(f"common{number}", "moon probe") for number in range(8)), whole("rare", "io probe"))
    assert lexical.find("moon io")[0] == "rare"


def test_a_word_said_often_counts_more_but_ever_less(lexical: EngineUnderTest) -> None:
    filler = [f"rock{number}" for number in range(9)]
    for times in (1, 2, 3):
        lexical.world.put(whole(f"said{times}", " ".join(["moon"] * times + filler[times:])))
    matches = searched(lexical, {"moon": 1.0})
    assert list(matches) == ["said3", "said2", "said1"]
    assert matches["said3"] - matches["said2"] < matches["said2"] - matches["said1"]


def test_a_long_passage_is_hardly_worse_than_a_short_one(lexical: EngineUnderTest) -> None:
    lexical.world.put(whole("short", "moon " + " ".join(f"s{n}" for n in range(20))))
    lexical.world.put(whole("long", "moon " + " ".join(f"l{n}" for n in range(60))))
    matches = searched(lexical, {"moon": 1.0})
    assert list(matches) == ["short", "long"]
    assert matches["long"] > 0.75 * matches["short"]


def test_a_passage_without_the_word_scores_nothing(lexical: EngineUnderTest) -> None:
    lexical.world.put(whole("a", "moon"), whole("b", "mars"))
    assert lexical.scores("moon", "b") == [0.0]


def test_what_has_no_word_has_no_scores(lexical: EngineUnderTest) -> None:
    lexical.world.put(whole("a", "moon"))
    index = lexical.world.engines.of("default").lexical()
    assert index.scores({}, lexical.world.keys("a"), ANYBODY).tolist() == [0.0]
    assert index.scores({"moon": 1.0}, np.zeros(0, np.int64), ANYBODY).tolist() == []


def test_a_query_is_read_in_the_languages_of_the_collection(lexical: EngineUnderTest) -> None:
    lexical.world.put(whole("de", "Die Sonden landeten weich.", language="de"))
    assert lexical.find("Landung der Sonde") == ["de"]
    lexical.world.put(whole("en", "The probes were landing."))
    assert lexical.find("Sonde") == ["de"]
    assert lexical.find("probe") == ["en"]


def test_headings_are_searched_with_what_stands_under_them(lexical: EngineUnderTest) -> None:
    text = "# Handbook\n\n## Mariner\n\nIt circled.\n\n## Viking\n\nIt landed."
    lexical.world.put(Document("a", text, language="en"))
    assert lexical.find("mariner") == ["a#0"]
    assert lexical.find("viking") == ["a#1"]
    assert set(lexical.find("handbook")) == {"a#0", "a#1"}


def test_marks_and_addresses_are_no_words(lexical: EngineUnderTest) -> None:
    lexical.world.put(whole("a", "The [**lander**](https://example.org/index.html) is `new`."))
    assert lexical.find("lander new") == ["a"]
    assert lexical.find("https index html") == []


def test_an_engine_that_gave_all_says_so(lexical: EngineUnderTest) -> None:
    lexical.world.put(*(whole(f"d{number}", "moon") for number in range(5)))
    assert lexical.hits("moon", limit=10).others == 0.0
    assert lexical.hits("moon", limit=3).others is None
