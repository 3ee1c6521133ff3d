"""Quoting an answer."""

import pytest

from services.answer.requests import Length, WriteRequest
from services.answer.writing.extractive import draft_answer
from services.vocabulary.answers import CitedSpan
from services.vocabulary.evidence import Reference
from services.vocabulary.query import FunctionCall, QueryGraph, QueryNode
from services.vocabulary.spans import Span
from tests.unit.answer.evidence_making import reference

LAUNCH = "Venera 7 was launched on 17 August 1970. The rocket was a Molniya."
LANDING = "On 15 December 1970 Venera 7 landed on Venus. Its parachute had torn."
MARINER = "Mariner 9 reached Mars on 14 November 1971. A dust storm hid the planet."


def texts(
    question: str, *references: Reference, graph: QueryGraph | None = None, length: Length = Length.MEDIUM
) -> list[list[str]]:
    request = WriteRequest(question, graph, tuple(references))
    return [[s.text for s in paragraph] for paragraph in draft_answer(request, length, 0.5).paragraphs]


def test_the_first_sentence_answers() -> None:
    found = texts("When did Venera 7 land?", reference(1, LAUNCH, title="Venera 7"), reference(2, LANDING))
    assert found[0][0] == "On 15 December 1970 Venera 7 landed on Venus."


def test_a_sibling_in_a_series_is_not_mistaken_for_what_is_asked() -> None:
    other = reference(1, "Venera 8 was launched on 27 March 1972.")
    found = texts("When was Venera 7 launched?", other, reference(2, LAUNCH))
    assert found[0][0] == "Venera 7 was launched on 17 August 1970."


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("How deep is the second well?", "It is 14 metres deep."),
        ("How deep is the first well?", "The first well is 9 metres deep."),
    ],
)
def test_of_things_in_a_row_it_tells_of_the_one_that_is_asked_for(question: str, first: str) -> None:
    wells = "The second well was finished on 28 May. It is 14 metres deep. The first well is 9 metres deep."
    assert texts(question, reference(1, wells, title="The well"))[0][0] == first


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How much is a ticket for a child?", "A ticket costs 4 euros, for children 2 euros."),
        ("When did we get the electric motor?", "The electric motor came on 12 April 2025."),
    ],
)
def test_what_is_only_worded_otherwise_is_found(question: str, answer: str) -> None:
    note = "The electric motor came on 12 April 2025. A ticket costs 4 euros, for children 2 euros."
    assert texts(question, reference(1, note, title="The ferry", cosine=0.5))[0][0] == answer


def test_a_date_told_just_before_is_quoted_with_what_happened_then() -> None:
    story = "On 20 July 1969 the crew undocked. Armstrong landed Eagle by hand. Collins waited in orbit."
    found = texts("When did Armstrong land Eagle?", reference(1, story, title="Armstrong and Eagle"))
    assert found[0][:2] == ["On 20 July 1969 the crew undocked.", "Armstrong landed Eagle by hand."]


GRAPH = QueryGraph((QueryNode("1", "When did Venera 7 land?"), QueryNode("2", "When did Mariner 9 reach Mars?")))


def test_each_sub_question_has_a_paragraph_from_its_own_evidence_in_order() -> None:
    found = texts(
        "When did Venera 7 land and when did Mariner 9 reach Mars?",
        reference(1, MARINER, nodes=("2",)),
        reference(2, LANDING, nodes=("1",)),
        graph=GRAPH,
    )
    assert [paragraph[0] for paragraph in found] == [
        "On 15 December 1970 Venera 7 landed on Venus.",
        "Mariner 9 reached Mars on 14 November 1971.",
    ]


def test_a_part_without_an_answer_is_named_as_a_gap() -> None:
    request = WriteRequest("Both?", GRAPH, (reference(1, LANDING, nodes=("1",)),))
    draft = draft_answer(request, Length.MEDIUM, 0.5)
    assert not draft.abstained
    assert draft.gaps == ("When did Mariner 9 reach Mars?",)
    assert "When did Mariner 9 reach Mars" in draft.paragraphs[-1][0].text


def test_a_part_whose_evidence_tells_of_something_else_is_a_gap() -> None:
    request = WriteRequest("Both?", GRAPH, (reference(1, LANDING, nodes=("1",)), reference(2, LAUNCH, nodes=("2",))))
    draft = draft_answer(request, Length.MEDIUM, 0.5)
    assert draft.gaps == ("When did Mariner 9 reach Mars?",)
    assert [sentence.text for sentence in draft.quoted[0]][:1] == ["On 15 December 1970 Venera 7 landed on Venus."]
    assert all("rocket" not in sentence.text for paragraph in draft.paragraphs for sentence in paragraph)


def test_a_gap_is_named_when_the_answer_is_wanted_all_the_same() -> None:
    request = WriteRequest("Both?", GRAPH, (reference(1, LANDING, nodes=("1",)),), never_abstain=True)
    assert draft_answer(request, Length.MEDIUM, 0.5).gaps == ("When did Mariner 9 reach Mars?",)


def test_what_could_not_be_computed_is_named_beside_what_it_lacks() -> None:
    call = FunctionCall("earliest", ("Venera 7", "#1", "Mariner 9", "#2"))
    lacking = QueryNode("2", "When was Mariner 9 launched?")
    graph = QueryGraph((LAUNCHED, lacking, QueryNode("3", "which was launched earlier", False, call, None, ("1", "2"))))
    request = WriteRequest("Which?", graph, (reference(1, LAUNCH, nodes=("1",)),))
    draft = draft_answer(request, Length.MEDIUM, 0.5)
    assert (draft.abstained, draft.computed) == (False, ())
    assert draft.gaps == ("When was Mariner 9 launched?", "which was launched earlier")
    assert draft.said[-1][0].text == "Nothing was found to work this out: which was launched earlier."


LAUNCHED = QueryNode("1", "When was Venera 7 launched?", answer="17 August 1970")
LANDED = QueryNode("2", "When did Venera 7 land?", answer="15 December 1970")
DAYS = FunctionCall("date_difference", ("#1", "#2", "days"))
COMPUTED = QueryNode("3", "days from #1 to #2", False, DAYS, "120 days", ("1", "2"))


def test_a_computed_answer_comes_first_with_the_values_it_follows_from() -> None:
    graph = QueryGraph((LAUNCHED, LANDED, COMPUTED))
    found = texts("How long?", reference(1, LANDING, nodes=("2",)), reference(2, LAUNCH, nodes=("1",)), graph=graph)
    assert found[0] == ["Days from 17 August 1970 to 15 December 1970: 120 days (17 August 1970; 15 December 1970)."]
    assert found[1][0] == "Venera 7 was launched on 17 August 1970."


def test_a_comparison_tells_the_value_of_each_name() -> None:
    call = FunctionCall("earliest", ("Venera 7", "#1", "Mariner 9", "#2"))
    which = QueryNode("3", "which was launched earlier", False, call, "Venera 7", ("1", "2"))
    graph = QueryGraph((LAUNCHED, QueryNode("2", "When was Mariner 9 launched?", answer="30 May 1971"), which))
    found = texts("Which?", reference(1, LAUNCH, nodes=("1",)), graph=graph)
    assert found[0] == ["Which was launched earlier: Venera 7 (Venera 7: 17 August 1970; Mariner 9: 30 May 1971)."]


def test_what_is_computed_on_the_way_to_another_search_is_not_told() -> None:
    year = QueryNode("2", "the year of #1", False, FunctionCall("year_of", ("#1",)), "1970", ("1",))
    after = QueryNode("3", "What landed in #2?", links=("2",))
    found = texts("What landed?", reference(1, LANDING, nodes=("3",)), graph=QueryGraph((LAUNCHED, year, after)))
    assert found[0] == ["On 15 December 1970 Venera 7 landed on Venus."]


def test_the_sentence_that_others_were_built_on_is_the_one_that_is_told() -> None:
    source = CitedSpan(0, "doc2#0", Span(0, 8), "Venera 7")
    first = QueryNode("1", "Which probe landed on Venus?", answer="Venera 7", source=source)
    graph = QueryGraph((first, QueryNode("2", "When did #1 land?", links=("1",))))
    other = reference(1, "The first probe that landed on Venus was Venera 7.", nodes=("1",))
    told = reference(2, "Venera 7 landed softly on Venus.", nodes=("1",))
    found = texts("When?", other, told, reference(3, LANDING, nodes=("2",)), graph=graph)
    assert found[0] == ["Venera 7 landed softly on Venus."]


def test_of_two_sentences_the_one_about_the_year_that_is_asked_comes_first() -> None:
    other = reference(1, "The Japanese lander Akatsuki was launched in May 2010.")
    slim = reference(2, "The Japanese lander SLIM was a test of aim. SLIM was launched in 2023.")
    found = texts("Which Japanese lander was launched in 2023?", other, slim)
    assert found[0][0] == "SLIM was launched in 2023."


def test_what_was_said_is_not_said_again() -> None:
    again = "Venera 7 landed on Venus on 15 December 1970."
    (paragraph,) = texts("When did Venera 7 land?", reference(1, LANDING), reference(2, again), length=Length.LONG)
    assert again not in paragraph


@pytest.mark.parametrize(("length", "most"), [(Length.SHORT, 1), (Length.MEDIUM, 3), (Length.LONG, 4)])
def test_a_paragraph_is_no_longer_than_asked_for(length: Length, most: int) -> None:
    story = " ".join(f"Cassini found the moon number {n} of Saturn beside ring {n * n}." for n in range(2, 12))
    (paragraph,) = texts("What did Cassini find?", reference(1, story), length=length)
    assert 1 <= len(paragraph) <= most


def test_without_evidence_it_says_so() -> None:
    draft = draft_answer(WriteRequest("When did Venera 7 land?"), Length.MEDIUM, 0.5)
    assert (draft.abstained, draft.abstain_score) == (True, 1.0)
    assert draft.paragraphs[0][0].text == "Nothing was found for this question in the documents."


def test_an_abstention_names_what_is_missing() -> None:
    draft = draft_answer(
        WriteRequest("When did the Mars One crew land?", references=(reference(1, MARINER),)), Length.MEDIUM, 0.5
    )
    assert draft.abstained
    assert "“Mars One”" in draft.paragraphs[0][0].text


def test_told_never_to_abstain_it_quotes_the_nearest_and_keeps_the_score() -> None:
    request = WriteRequest("When did the Mars One crew land?", references=(reference(1, MARINER),), never_abstain=True)
    draft = draft_answer(request, Length.MEDIUM, 0.5)
    assert (draft.abstained, draft.abstains) == (False, True)
    assert draft.abstain_score > 0.5
    assert draft.paragraphs[0][0].source is not None
