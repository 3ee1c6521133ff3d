"""Quoting an answer, or saying that there is none."""

from dataclasses import replace

import pytest

from libs.contracts.evidence import EngineScores, Evidence, Passage, Reference, WholeSection
from libs.contracts.options import Length
from libs.contracts.query import FunctionCall, NodeSearch, QueryGraph, QueryNode, SearchedTerm
from libs.contracts.stages.answer import WriteRequest
from libs.documents.reading import structure_of
from services.answer.citing.drafts import AnswerDraft
from services.answer.quoting.drafting import draft_answer
from services.answer.subquestions import sub_questions
from tests.unit.answer.quoting.asking import reference_to, search

LAUNCH = "Venera 7 was launched on 17 August 1970. The rocket was a Molniya."
LANDING = "On 15 December 1970 Venera 7 landed on Venus. Its parachute had torn."
MARINER = "Mariner 9 reached Mars on 14 November 1971. A dust storm hid the planet."
LANDED, REACHED = "When did Venera 7 land?", "When did Mariner 9 reach Mars?"
BOTH = QueryGraph((QueryNode("1", LANDED), QueryNode("2", REACHED)))


def draft(
    question: str, *references: Reference, graph: QueryGraph | None = None, never_abstain: bool = False
) -> AnswerDraft:
    nodes = graph.nodes if graph and len(graph.nodes) > 1 else (QueryNode("1", question),)
    searches = tuple(search(node.id, node.text, *_of_node(node.id, references)) for node in nodes if node.need_rag)
    request = WriteRequest(question, graph, references, searches=searches, never_abstain=never_abstain)
    return draft_answer(request, Length.MEDIUM, 0.5)


def _of_node(node: str, references: tuple[Reference, ...]) -> list[Reference]:
    return [r for r in references if node in r.evidence.nodes or not r.evidence.nodes]


def texts(answer: AnswerDraft) -> list[list[str]]:
    """Paragraph by paragraph, without marks of what answers best."""
    return [[sentence.text.replace("**", "") for sentence in paragraph] for paragraph in answer.paragraphs]


def test_it_quotes_what_answers_under_where_it_stands() -> None:
    answer = draft(LANDED, reference_to(LANDING, "Venera 7"))
    assert texts(answer)[0][:2] == ["Venera 7", "On 15 December 1970 Venera 7 landed on Venus."]
    assert not answer.abstained


def test_each_sub_question_is_answered_from_its_own_evidence_in_order() -> None:
    mariner, venera = (
        reference_to(MARINER, "Mariner 9", nodes=("2",)),
        reference_to(LANDING, "Venera 7", rank=2, nodes=("1",)),
    )
    answer = draft("Both?", mariner, venera, graph=BOTH)
    assert [paragraph[0] for paragraph in texts(answer)] == ["Venera 7", "Mariner 9"]


def test_a_passage_that_two_sub_questions_found_has_for_each_the_score_that_it_has_there() -> None:
    common_reference = reference_to("Rovers compared. Perseverance is heavy.", "Rovers", nodes=("1", "2"))
    own = reference_to(
        "Perseverance has a mass of 1,025 kilograms.", "Perseverance", rank=2, nodes=("2",), fused_score=0.6
    )
    graph = QueryGraph((QueryNode("1", "Which rovers are compared?"), QueryNode("2", "What mass has Perseverance?")))
    first = search("1", "Which rovers are compared?", common_reference)
    second = search("2", "What mass has Perseverance?", own, reference_to("", "Rovers", fused_score=0.1))
    answer = draft_answer(
        WriteRequest("Both?", graph, (common_reference, own), searches=(first, second)), Length.MEDIUM, 0.5
    )
    assert "Perseverance has a mass of 1,025 kilograms." in texts(answer)[-1]


def test_a_sub_question_quotes_by_its_own_words_not_by_others_that_helped_to_search() -> None:
    own, other = SearchedTerm("land"), SearchedTerm("reach", weight=0.4)
    searches = (NodeSearch("1", (own, other)), NodeSearch("2", (own,)))
    venera, _ = sub_questions(WriteRequest("Both?", BOTH, searches=searches))
    assert venera.search == NodeSearch("1", (own,))


def test_what_two_sub_questions_quote_stands_once_under_one_heading() -> None:
    both = reference_to("Venera 7 landed on Venus. Mariner 9 reached Mars.", "Probes", nodes=("1", "2"))
    (paragraph,) = texts(draft("Both?", both, graph=BOTH))
    assert paragraph == ["Probes", "Venera 7 landed on Venus.", "Mariner 9 reached Mars."]


def test_a_part_without_evidence_is_named_as_a_gap() -> None:
    answer = draft("Both?", reference_to(LANDING, nodes=("1",)), graph=BOTH)
    assert (answer.abstained, answer.gaps) == (False, (REACHED,))
    assert texts(answer)[-1] == [
        "The documents found don't tell this part of the question: When did Mariner 9 reach Mars."
    ]


def test_a_part_whose_evidence_tells_of_something_else_is_a_gap() -> None:
    answer = draft(
        "Both?", reference_to(LANDING, nodes=("1",)), reference_to("Barley is sown.", "e", nodes=("2",)), graph=BOTH
    )
    assert answer.gaps == (REACHED,)


def test_without_evidence_it_says_so() -> None:
    answer = draft_answer(WriteRequest(LANDED), Length.MEDIUM, 0.5)
    assert (answer.abstained, answer.abstain_score, answer.gaps) == (True, 1.0, (LANDED,))
    assert texts(answer) == [["Nothing was found for this question in the documents."]]


def test_where_no_piece_answers_what_comes_nearest_is_shown_and_said_to_be_no_answer() -> None:
    answer = draft("Who paid for the opera house in Sydney?", reference_to(MARINER, "Mariner 9", fused_score=0.3))
    assert (answer.abstained, answer.abstains) == (True, True)
    assert texts(answer)[0] == ["The documents found don't say it; nearest are:"]
    assert texts(answer)[1][0] == "Mariner 9"


def test_below_the_threshold_what_may_be_no_answer_is_quoted_as_the_nearest_passages_and_nothing_is_emphasised() -> (
    None
):
    reference = reference_to(MARINER, "Mariner 9", fused_score=0.3)
    question = "Who paid for the opera house in Sydney?"
    request = WriteRequest(question, None, (reference,), searches=(search("1", question, reference),))
    answer = draft_answer(request, Length.MEDIUM, 1.0)
    assert (answer.abstained, answer.gaps) == (False, ())
    caution, (heading, *quotations) = answer.paragraphs
    assert [sentence.text for sentence in caution] == ["The nearest passages:"]
    assert heading.text == "**Mariner 9**"
    assert quotations
    assert not any("**" in sentence.text for sentence in quotations)


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("Wer hat die Oper in Sydney bezahlt?", "Die gefundenen Dokumente sagen es nicht; am nächsten kommen:"),
        ("Qui a payé l'opéra de Sydney ?", "Les documents trouvés ne le disent pas ; s'en rapprochent le plus :"),
        ("谁为悉尼歌剧院付钱？", "找到的文档没有说明这一点；最接近的内容是："),
    ],
)
def test_it_speaks_the_language_of_the_question(question: str, sentence: str) -> None:
    assert texts(draft(question, reference_to(MARINER, fused_score=0.3)))[0] == [sentence]


def test_in_a_language_that_it_has_no_words_in_passages_stand_alone() -> None:
    answer = draft("Ποιος πλήρωσε την όπερα στο Σίδνεϊ;", reference_to(MARINER, "Mariner 9", fused_score=0.3))
    assert answer.abstained
    assert texts(answer)[0][0] == "Mariner 9"


LAUNCHED = QueryNode("1", "When was Venera 7 launched?", answer="17 August 1970")
DAYS = FunctionCall("date_difference", ("#1", "#2", "days"))
COMPUTED = QueryNode("3", "days from #1 to #2", False, DAYS, "120 days", ("1", "2"))


def test_a_computed_answer_comes_first_with_the_values_it_follows_from() -> None:
    graph = QueryGraph((LAUNCHED, QueryNode("2", LANDED, answer="15 December 1970"), COMPUTED))
    answer = draft(
        "How long?", reference_to(LAUNCH, "e", nodes=("1",)), reference_to(LANDING, nodes=("2",)), graph=graph
    )
    computed_text = "Days from 17 August 1970 to 15 December 1970: 120 days (17 August 1970; 15 December 1970)."
    assert texts(answer)[0] == [computed_text]


def test_a_row_that_stands_below_a_computed_result_is_not_quoted_again() -> None:
    head, rows = "| Pump | Pressure |\n|---|---|", ["| P-10 | 3 bar |", "| P-20 | 5 bar |", "| P-30 | 4 bar |"]
    table = "\n".join((head, *rows))
    passage = replace(reference_to(table, "pumps").evidence.passage, blocks=structure_of(table).blocks)
    reference, question = Reference(1, Evidence(passage, rank=1)), "What is the red pressure of P-20?"
    searches, tables = (search("1", question, reference),), (WholeSection((passage,)),)
    request = WriteRequest(question, references=(reference,), searches=searches, tables=tables)
    computed, quoted = texts(draft_answer(request, Length.MEDIUM, 0.5))
    assert computed[1:5] == ["Pressure where Pump: P-20: 5 bar.", "The table says nothing of: “red”.", head, rows[1]]
    assert quoted == ["pumps", head, rows[0], rows[2]]


def test_a_comparison_tells_the_value_of_each_name() -> None:
    call = FunctionCall("earliest", ("Venera 7", "#1", "Mariner 9", "#2"))
    which = QueryNode("3", "which was launched earlier", False, call, "Venera 7", ("1", "2"))
    graph = QueryGraph((LAUNCHED, QueryNode("2", "When was Mariner 9 launched?", answer="30 May 1971"), which))
    answer = draft("Which?", reference_to(LAUNCH, nodes=("1",)), graph=graph)
    computed_text = "Which was launched earlier: Venera 7 (Venera 7: 17 August 1970; Mariner 9: 30 May 1971)."
    assert texts(answer)[0] == [computed_text]


def test_what_could_not_be_computed_is_named_beside_what_it_lacks() -> None:
    call = FunctionCall("earliest", ("Venera 7", "#1", "Mariner 9", "#2"))
    lacking = QueryNode("2", "When was Mariner 9 launched?")
    graph = QueryGraph((LAUNCHED, lacking, QueryNode("3", "which was launched earlier", False, call, None, ("1", "2"))))
    answer = draft("Which?", reference_to(LAUNCH, nodes=("1",)), graph=graph)
    assert answer.gaps == ("When was Mariner 9 launched?",)
    assert answer.uncomputed == ("which was launched earlier",)
    assert texts(answer)[-1] == ["Something is missing to work this out: which was launched earlier."]


def test_what_is_computed_on_the_way_to_another_search_is_not_told() -> None:
    year = QueryNode("2", "the year of #1", False, FunctionCall("year_of", ("#1",)), "1970", ("1",))
    after = QueryNode("3", "What landed on Venus in #2?", links=("2",))
    answer = draft("What landed?", reference_to(LANDING, nodes=("3",)), graph=QueryGraph((LAUNCHED, year, after)))
    assert all("year of" not in text for paragraph in texts(answer)[:1] for text in paragraph)


@pytest.mark.parametrize(("length", "most"), [(Length.SHORT, 40), (Length.MEDIUM, 110), (Length.LONG, 220)])
def test_an_answer_is_as_long_as_is_asked_for(length: Length, most: int) -> None:
    story = " ".join(f"Cassini found the moon number {n} of Saturn beside ring {n * n}." for n in range(2, 60))
    question = "What did Cassini find?"
    reference = reference_to(story)
    request = WriteRequest(question, references=(reference,), searches=(search("1", question, reference),))
    (paragraph,) = draft_answer(request, length, 0.5).quotations
    assert most - 12 < sum(len(sentence.text.split()) for sentence in paragraph[1:]) <= most


BRIDGE = "Die Obere Melzbrücke wurde am 3. Oktober 1931 eröffnet. Sie ist 120 Meter lang."


def test_a_short_question_has_the_language_of_its_evidence() -> None:
    passage = Passage("p", "d", BRIDGE, title="Brücken", language="de")
    reference = Reference(1, Evidence(passage, EngineScores(vector=0.8, fused=0.9), rank=1))
    answer = draft_answer(WriteRequest("Melzbrücke?", None, (reference,)), Length.SHORT, 0.0)
    assert answer.paragraphs[0][0].text.startswith("Die gefundenen Dokumente")


def test_what_is_missing_is_told_in_the_language_of_the_question() -> None:
    nothing = draft_answer(WriteRequest("Wie viele Türme hat das Schloss?"), Length.SHORT, 0.5)
    assert texts(nothing) == [["Zu dieser Frage wurde in den Dokumenten nichts gefunden."]]
    duration, call = "Wie lange dauerte der Bau?", FunctionCall("subtract", ("[1]", "[2]"))
    known = (QueryNode("1", "Wann wurde die Brücke eröffnet?"), QueryNode("2", "Wann wurde sie begonnen?"))
    graph = QueryGraph((*known, QueryNode("3", duration, False, call, links=("1", "2"))))
    answer = draft(duration, reference_to(BRIDGE, nodes=("1",)), graph=graph)
    assert texts(answer)[-1] == ["Um dies auszurechnen, fehlen Angaben: Wie lange dauerte der Bau."]
