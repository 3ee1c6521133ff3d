"""Splitting questions whose answer is computed from the answers of their parts."""

import pytest

from libs.contracts.query import FunctionCall
from libs.language.known import ENGLISH
from tests.unit.decompose.splitting import SPLITTER

COMPUTED = [
    # The things share the words that are said once.
    (
        "How many years passed between the launch of Sputnik 1 and Apollo 11?",
        ["when was the launch of Sputnik 1", "when was the launch of Apollo 11"],
        FunctionCall("date_difference", ("#1", "#2", "years")),
    ),
    (
        "How many days lie between the launch of Chandrayaan-3 and its landing?",
        ["when was the launch of Chandrayaan-3", "when was Chandrayaan-3's landing"],
        FunctionCall("date_difference", ("#1", "#2", "days")),
    ),
    (
        "How old was the bridge when it collapsed?",
        ["when did the bridge begin", "when was it that the bridge collapsed"],
        FunctionCall("date_difference", ("#1", "#2", "years")),
    ),
    (
        "How old was Neil Armstrong when he landed on the Moon?",
        ["when was Neil Armstrong born", "when was it that Neil Armstrong landed on the Moon"],
        FunctionCall("date_difference", ("#1", "#2", "years")),
    ),
    (
        "How old was Clara Weiss when the museum opened?",
        ["when was Clara Weiss born", "when was it that the museum opened"],
        FunctionCall("date_difference", ("#1", "#2", "years")),
    ),
    (
        "How many days after the storm did the ferry run?",
        ["when was the storm", "when did the ferry run"],
        FunctionCall("date_difference", ("#1", "#2", "days")),
    ),
    (
        "How many days after the launch of Luna 9 did it land?",
        ["when was the launch of Luna 9", "when did Luna 9 land"],
        FunctionCall("date_difference", ("#1", "#2", "days")),
    ),
    (
        "How many years after Sputnik 1 was Vostok 1 launched?",
        ["when was Sputnik 1 launched", "when was Vostok 1 launched"],
        FunctionCall("date_difference", ("#1", "#2", "years")),
    ),
    (
        "How many weeks after dropping Python 3.6 did the next release arrive?",
        ["when was dropping Python 3.6", "when did the next release arrive"],
        FunctionCall("date_difference", ("#1", "#2", "weeks")),
    ),
    (
        "Did Spirit or Opportunity drive farther?",
        ["how far did Spirit drive", "how far did Opportunity drive"],
        FunctionCall("greatest", ("Spirit", "#1", "Opportunity", "#2")),
    ),
    (
        "Did Venera 13 survive longer than Venera 14?",
        ["how long did Venera 13 survive", "how long did Venera 14 survive"],
        FunctionCall("is_greater", ("#1", "#2")),
    ),
    # Each says its own.
    (
        "which is larger, Jupiter or Saturn?",
        ["how large is Jupiter", "how large is Saturn"],
        FunctionCall("greatest", ("Jupiter", "#1", "Saturn", "#2")),
    ),
    (
        "Which launched earlier, Viking 1 or Mariner 9?",
        ["when Viking 1 launched", "when Mariner 9 launched"],
        FunctionCall("earliest", ("Viking 1", "#1", "Mariner 9", "#2")),
    ),
    (
        "Which was launched later, Viking 1 or Mariner 9?",
        ["when was Viking 1 launched", "when was Mariner 9 launched"],
        FunctionCall("latest", ("Viking 1", "#1", "Mariner 9", "#2")),
    ),
    (
        "Which rover is lighter, Spirit or Opportunity?",
        ["how heavy is Spirit", "how heavy is Opportunity"],
        FunctionCall("least", ("Spirit", "#1", "Opportunity", "#2")),
    ),
    (
        "Which took more pictures, Mariner 4 or Ranger 7?",
        ["how many pictures Mariner 4 took", "how many pictures Ranger 7 took"],
        FunctionCall("greatest", ("Mariner 4", "#1", "Ranger 7", "#2")),
    ),
    (
        "Is Jupiter larger than Saturn?",
        ["how large is Jupiter", "how large is Saturn"],
        FunctionCall("is_greater", ("#1", "#2")),
    ),
    (
        "Was Luna 9 launched before Surveyor 1?",
        ["when was Luna 9 launched", "when was Surveyor 1 launched"],
        FunctionCall("is_before", ("#1", "#2")),
    ),
    (
        "Did Spirit land on Mars after Beagle 2 was lost?",
        ["when did Spirit land on Mars", "when was it that Beagle 2 was lost"],
        FunctionCall("is_after", ("#1", "#2")),
    ),
    (
        "Did Luna 9 land before or after Surveyor 1 landed?",
        ["when did Luna 9 land", "when was it that Surveyor 1 landed"],
        FunctionCall("earliest", ("Luna 9", "#1", "Surveyor 1", "#2")),
    ),
    (
        "How long after the launch of Luna 9 did Surveyor 1 land?",
        ["when was the launch of Luna 9", "when did Surveyor 1 land"],
        FunctionCall("date_difference", ("#1", "#2", "days")),
    ),
    (
        "How many days after its launch did Luna 9 land?",
        ["when was Luna 9's launch", "when did Luna 9 land"],
        FunctionCall("date_difference", ("#1", "#2", "days")),
    ),
]


@pytest.mark.parametrize(("question", "sub_queries", "function"), COMPUTED)
def test_what_follows_from_two_answers_is_computed_from_them(
    question: str, sub_queries: list[str], function: FunctionCall
) -> None:
    *searches, computation = SPLITTER.plan(question, None, ENGLISH).nodes
    assert [node.text for node in searches] == sub_queries
    assert (computation.need_rag, computation.function_call, computation.links) == (False, function, ("1", "2"))


IN_A_YEAR = [
    (
        "Which probe was launched in the year that Phoenix landed?",
        "when was it that Phoenix landed",
        "which probe was launched in",
    ),
    ("In the year when Luna 9 was launched, what landed?", "when was it that Luna 9 was launched", "what landed in"),
    (
        "What flew in the year in which Vega 1 bypassed Halley?",
        "when was it that Vega 1 bypassed Halley",
        "what flew in",
    ),
]


def test_a_time_beside_an_event_waits_for_the_time_of_the_event() -> None:
    nodes = SPLITTER.plan("Where did everybody meet the year before they went to Barcelona?", None, ENGLISH).nodes
    first, second = nodes
    assert first.text == "in which year was it that everybody went to Barcelona"
    assert (second.text, second.links) == ("where did everybody meet the year before #1", ("1",))


@pytest.mark.parametrize(("question", "event", "sub_query"), IN_A_YEAR)
def test_a_year_told_by_an_event_is_computed_from_its_date(question: str, event: str, sub_query: str) -> None:
    first, second, third = SPLITTER.plan(question, None, ENGLISH).nodes
    assert first.text == event
    assert second.function_call == FunctionCall("year_of", ("#1",))
    assert (third.text, third.links) == (f"{sub_query} #2", ("2",))
