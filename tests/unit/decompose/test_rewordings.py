"""A question in three wordings without a language model: whole questions, told apart by how close they stay."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.contracts.evidence import Relevance
from libs.contracts.query import Decision, DecisionRecord
from libs.language.analysis import terms_of
from libs.language.topics.questions import QuestionFrames
from services.decompose.history import HistoryWindow
from services.decompose.query.multi_query import Rewriter
from services.decompose.query.rewordings import VariantKind, reword
from services.decompose.words.domain import Domain, domain_in, load_domain
from tests.unit.decompose.conversations import VIKING, conversation

GENERAL, MATERNAL = load_domain(language="en"), load_domain(Path("maternal_health"), language="en")


def reworded(
    question: str,
    language: str = "en",
    *,
    decision: Decision = Decision.PASS,
    window: HistoryWindow | None = None,
    domain: Domain = GENERAL,
) -> list[str]:
    record = DecisionRecord(decision, "", raw=question, standalone=question)
    return list(reword(record, window or HistoryWindow(), domain_in(domain, language), language).values())


@pytest.mark.parametrize(
    ("language", "question", "wordings"),
    [
        (
            "en",
            "When was Magellan launched?",
            [
                "When was Magellan launched?",
                "On what date was Magellan launched?",
                "When was Magellan launched, and what more information is there about Magellan?",
            ],
        ),
        (
            "de",
            "Wann hat Magellan die Venus erreicht?",
            [
                "Wann hat Magellan die Venus erreicht?",
                "Zu welchem Zeitpunkt hat Magellan die Venus erreicht?",
                "Wann hat Magellan die Venus erreicht, und welche Informationen gibt es noch über Magellan und Venus?",
            ],
        ),
        (
            "es",
            "¿Cuáles son los signos de alarma?",
            [
                "¿Cuáles son los signos de alarma?",
                "¿Cuáles son exactamente los signos de alarma?",
                "¿Cuáles son los signos de alarma, y qué más información hay sobre esto?",
            ],
        ),
    ],
)
async def test_three_wordings_without_a_model_are_whole_questions_each_told_apart_by_its_label(
    language: str, question: str, wordings: list[str]
) -> None:
    record = DecisionRecord(Decision.PASS, "", raw=question, standalone=question)
    query = (await Rewriter(GENERAL).rewrite(record, HistoryWindow(), language, None)).record.query
    assert query is not None
    assert [query.text, *(variant.text for variant in query.variants)] == wordings
    assert [(variant.closeness, round(variant.weight, 2)) for variant in query.variants] == [
        (Relevance.MEDIUM, 0.95),
        (Relevance.LOW, 0.9),
    ]


@pytest.mark.parametrize(
    ("question", "language", "wording"),
    [
        ("refund policy", "en", "Can you tell me about this: refund policy?"),
        ("the voltage of the AX-220?", "en", "Can you tell me about this: the voltage of the AX-220?"),
        ("can I return the lamp", "en", "Can I return the lamp?"),
        ("in which year was it lit", "en", "In which year was it lit?"),
        ("die Frist für den Antrag", "de", "Was ist hierzu zu sagen: die Frist für den Antrag?"),
        ("signos de alarma", "es", "¿Qué hay sobre esto: signos de alarma?"),
        ("¿Puedo devolver la lámpara?", "es", "¿Puedo devolver la lámpara?"),
    ],
)
def test_words_that_are_no_question_are_asked_about(question: str, language: str, wording: str) -> None:
    assert reworded(question, language)[0] == wording


@pytest.mark.parametrize(
    ("question", "language", "wording"),
    [
        ("How do I cancel my loans?", "en", "In what way do I cancel or terminate my loans?"),
        ("Is the item damaged?", "en", "Is the item or product damaged or defective?"),
        ("Can I return the lamp?", "en", "What is the answer to this: Can I return the lamp?"),
        ("Who founded the City Bank?", "en", "Which person founded the City Bank?"),
        ("refunds, in short", "en", "What is there to say about this: refunds, in short?"),
        ("Was kostet der Antrag?", "de", "Was genau kostet der Antrag oder Formular?"),
    ],
)
def test_other_words_are_another_beginning_and_a_synonym_beside_a_term_in_its_basic_form(
    question: str, language: str, wording: str
) -> None:
    assert reworded(question, language)[1] == wording


@pytest.mark.parametrize(
    ("question", "decision", "about"),
    [
        ("How heavy was the lander?", Decision.CONDENSE, "Viking 1 and Mars"),
        ("How heavy was the lander of Viking 1?", Decision.CONDENSE, "Mars"),
        ("How heavy was the lander of Venera 9?", Decision.SWITCH, "Venera 9"),
        ("How do I bake bread?", Decision.SWITCH, "it"),
        ("How do I bake bread?", Decision.PASS, "it"),
    ],
)
def test_more_is_asked_about_names_of_the_conversation_only_where_the_turn_goes_on_with_it(
    question: str, decision: Decision, about: str
) -> None:
    wordings = reworded(question, decision=decision, window=conversation(VIKING))
    assert wordings[2] == f"{question[:-1]}, and what more information is there about {about}?"


def test_more_is_asked_about_the_aspects_of_a_domain_that_has_its_own() -> None:
    question = "How is care given after a C-section?"
    aspects = "complications, prevention, care and special cases"
    assert (
        reworded(question, domain=MATERNAL)[2]
        == f"{question[:-1]}, and what more information is there about {aspects}?"
    )


def test_a_language_without_frames_has_the_question_alone() -> None:
    assert reworded("Quand Magellan est-il arrivé ?", "fr") == ["Quand Magellan est-il arrivé ?"]


WORDS = st.sampled_from(
    ["crater", "when", "Lander", "antenna", "the", "Olympus", "refund", "is", "wer", "qué", "2003", "?"]
)


@given(st.lists(WORDS, min_size=1, max_size=9), st.sampled_from(["en", "de", "es"]))
def test_every_wording_of_any_words_is_one_question_that_holds_them_and_is_searched_by_its_own_words(
    words: list[str], language: str
) -> None:
    text = " ".join(words)
    wordings = reworded(text, language)
    assert len(wordings) == len(set(wordings)) == len(VariantKind)
    for wording in wordings:
        assert QuestionFrames.of(language).question.match(wording)
        assert wording.endswith("?")
        assert not wording[0].islower()
    assert text.strip(" ?").casefold() in wordings[0].casefold()
    assert len({frozenset(terms_of(wording, language)) for wording in wordings}) == len(VariantKind)


def test_the_shipped_domain_has_the_built_in_words_where_it_has_none_of_its_own() -> None:
    assert (MATERNAL.name, GENERAL.name) == ("maternal health", "general")
    assert MATERNAL.unique_roles == GENERAL.unique_roles
    assert MATERNAL.focus == ("complications", "prevention", "care", "special cases")
