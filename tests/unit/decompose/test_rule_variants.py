"""A question in other words by rules: what each way makes of it, and which wordings are told apart."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.contracts.query import Decision, DecisionRecord
from libs.language.analysis import terms_of
from libs.language.known import ENGLISH
from services.decompose.history import HistoryWindow
from services.decompose.query.multi_query import Rewriter
from services.decompose.query.rule_variants import (
    QuestionWording,
    distinct_wordings,
    further_wordings,
    in_context,
    parts,
    with_focus,
    with_synonyms,
)
from services.decompose.words.domain import Domain, load_domain
from tests.unit.decompose.conversations import REFUND, VIKING, conversation

GENERAL, MATERNAL = load_domain(language="en"), load_domain(Path("maternal_health"), language="en")
QUESTION = "When did Viking 1 land on Mars?"


def record(standalone: str, raw: str = "", decision: Decision = Decision.PASS) -> DecisionRecord:
    return DecisionRecord(decision, "", raw=raw or standalone, standalone=standalone)


def distinct_texts(*texts: str, language: str = "en") -> list[str]:
    return [wording.text for wording in distinct_wordings(map(QuestionWording, texts), language)]


@pytest.mark.parametrize(
    "same",
    [
        "when did viking 1 land on mars",
        "Viking 1: land on Mars",
        "Landing of the Viking 1 on Mars",
        "On Mars, when did Viking 1 land?",
    ],
)
def test_case_punctuation_order_and_little_words_make_no_other_wording(same: str) -> None:
    assert distinct_texts(QUESTION, same) == [QUESTION]


def test_another_word_makes_another_wording_and_none_makes_nothing() -> None:
    assert distinct_texts(QUESTION, "When did Viking 2 land on Mars?", "Why was it?") == [
        QUESTION,
        "When did Viking 2 land on Mars?",
    ]
    assert distinct_texts("Why?", "Why not?", QUESTION) == ["Why?", QUESTION]


def test_little_words_are_those_of_the_questions_language() -> None:
    german = "Wann ist die Sonde auf dem Mars gelandet?"
    assert distinct_texts(german, "Sonde Mars gelandet", language="de") == [german]


@pytest.mark.parametrize(
    ("question", "domain", "reworded"),
    [
        ("Is swelling normal when pregnant?", MATERNAL, "Is swelling oedema normal when pregnant expecting?"),
        ("How do I cancel my loans?", GENERAL, "How do I cancel terminate my loans credit?"),
        ("Who was Marie Curie?", GENERAL, None),
    ],
)
def test_rules_put_another_word_behind_each_of_the_domains_terms(
    question: str, domain: Domain, reworded: str | None
) -> None:
    assert with_synonyms(question, domain, ENGLISH) == reworded


def test_rules_ask_for_the_domains_aspects_that_were_not_said() -> None:
    question = "How is care given after a C-section?"
    assert (
        with_focus(question, MATERNAL, ENGLISH)
        == "How is care given after a C-section, complications, prevention, special cases"
    )


def test_the_shipped_domain_has_the_built_in_words_where_it_has_none_of_its_own() -> None:
    assert (MATERNAL.name, GENERAL.name) == ("maternal health", "general")
    assert MATERNAL.unique_roles == GENERAL.unique_roles
    assert MATERNAL.focus == ("complications", "prevention", "care", "special cases")


@pytest.mark.parametrize(
    ("question", "window", "reworded"),
    [
        ("How heavy was the lander?", conversation(VIKING), "How heavy was the lander, Viking 1, Mars"),
        ("How heavy was Viking 1?", conversation(VIKING), "How heavy was Viking 1, Mars"),
        ("How far is Mars for Viking 1?", conversation(VIKING), None),
        ("How heavy was the lander?", conversation(), None),
    ],
)
def test_what_the_conversation_is_most_about_is_put_beside_a_question_that_does_not_say_it(
    question: str, window: HistoryWindow, reworded: str | None
) -> None:
    assert in_context(question, window, GENERAL, ENGLISH) == reworded


def test_a_question_that_changes_the_topic_is_not_put_beside_the_former_one() -> None:
    question = "How do I bake bread?"
    switched = further_wordings(record(question, decision=Decision.SWITCH), conversation(VIKING), GENERAL, "en")
    assert [wording.text for wording in switched] == [question, question, "bake", "bread"]


@pytest.mark.parametrize(
    ("question", "language", "beginning_and_end"),
    [
        (QUESTION, "en", ("Viking 1 land", "1 land on Mars")),
        ("Who built Viking 1?", "en", ("built Viking", "Viking 1")),
        ("What is a solar eclipse?", "en", ("solar", "eclipse")),
        ("How does the moon of Mars differ from our moon?", "en", ("moon of Mars", "differ from our moon")),
        (
            "Wie lange kann man ein Buch der Bibliothek ausleihen?",
            "de",
            ("Buch der Bibliothek", "Bibliothek ausleihen"),
        ),
        ("退款政策", "zh", ("退款政", "款政策")),
        ("COVID-19 in 2021", "en", ("COVID-19", "2021")),
        ("What is COVID-19?", "en", ()),
        ("What is photosynthesis?", "en", ()),
        ("Mars, Mars!", "en", ()),
        ("Who are you?", "en", ()),
        ("", "en", ()),
    ],
)
def test_the_parts_of_a_question_are_two_thirds_of_what_it_says_from_its_beginning_and_its_end(
    question: str, language: str, beginning_and_end: tuple[str, ...]
) -> None:
    assert parts(question, language) == beginning_and_end


WORDS = st.sampled_from(["crater", "lander", "antenna", "the", "of", "Olympus", "dust", "is", "battery", "2003", "?"])


@given(st.lists(WORDS, min_size=1, max_size=9, unique=True), st.sampled_from([conversation(), conversation(REFUND)]))
async def test_a_question_that_says_two_things_is_searched_in_three_wordings_by_different_words(
    words: list[str], window: HistoryWindow
) -> None:
    question = " ".join(words)
    query = (await Rewriter(GENERAL).rewrite(record(question), window, ENGLISH, None)).query
    term_sets = [
        frozenset(terms_of(text, "en")) for text in (query.text, *(variant.text for variant in query.variants))
    ]
    assert len(set(term_sets)) == len(term_sets)
    assert query.text == question
    if len(term_sets[0]) > 1:
        assert len(term_sets) == 3
        assert all(term_sets)


@pytest.mark.parametrize("question", ["What is photosynthesis?", "Photosynthesis", "Why?"])
async def test_a_question_that_says_one_thing_has_no_other_wording(question: str) -> None:
    query = (await Rewriter(GENERAL).rewrite(record(question), conversation(), ENGLISH, None)).query
    assert (query.text, query.variants) == (question, ())
