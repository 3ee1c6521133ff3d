import pytest

from libs.contracts.dates import PartialDate
from libs.contracts.understanding import RelatedEvent
from services.intent.related_event import find_related_event
from services.intent.rules import wants_timeline

APOLLO = (
    "Apollo 11 lifted off on 16 July 1969. On 20 July 1969 the landing of Apollo 11 was watched by millions. "
    "Apollo 11 splashed down on 24 July 1969."
)
HASTINGS = "The Battle of Hastings was fought on 14 October 1066."


@pytest.mark.parametrize(
    ("question", "name", "date"),
    [
        ("Who watched the Apollo 11 landing?", "Apollo 11 landing", PartialDate(1969, 7, 20)),
        ("Who flew on Apollo 11?", "Apollo 11", PartialDate(1969, 7)),
        ("Who won the Battle of Hastings?", "Battle of Hastings", PartialDate(1066, 10, 14)),
        ("What caused the 2008 financial crisis?", "2008 financial crisis", PartialDate(2008)),
        ("What did Hurricane Katrina destroy?", "Hurricane Katrina", None),
        ("Who won World War II?", "World War II", None),
        ("Who were the allies in World war II?", "World war II", None),
        ("Why did the Challenger disaster happen?", "Challenger disaster", None),
        ("When did the French Revolution begin?", "French Revolution", None),
    ],
)
def test_a_named_event_is_told_with_the_date_that_sources_agree_on(
    question: str, name: str, date: PartialDate | None
) -> None:
    assert find_related_event(question, [HASTINGS], [APOLLO], language="en") == RelatedEvent(name, date)


@pytest.mark.parametrize(
    "question",
    [
        "How far is Mars?",
        "What is Windows 11?",
        "What did NASA launch in 2012?",
        "What is the main purpose of that NASA mission?",
        "who was Neil Armstrong?",
        "What is a battle?",
        "",
    ],
)
def test_a_question_that_names_no_event_has_none(question: str) -> None:
    assert find_related_event(question, [HASTINGS], [APOLLO], language="en") is None


def test_years_that_contradict_each_other_leave_the_date_open() -> None:
    texts = ["The Battle of Hastings was in 1066.", "The Battle of Hastings was in 1067."]
    assert find_related_event("Who won the Battle of Hastings?", [], texts, language="en") == RelatedEvent(
        "Battle of Hastings"
    )


def test_days_that_differ_leave_the_month() -> None:
    texts = ["The Battle of Hastings was on 14 October 1066.", "The Battle of Hastings ended on 15 October 1066."]
    event = find_related_event("Who won the Battle of Hastings?", [], texts, language="en")
    assert event == RelatedEvent("Battle of Hastings", PartialDate(1066, 10))


@pytest.mark.parametrize(
    "question",
    [
        "Give me a timeline of Mars missions",
        "What is the history of lunar exploration?",
        "what happened when on Apollo 13",
        "Tell me the course of events",
        "Put the landings in chronological order",
        "What were the milestones of the Luna programme?",
        "What happened between 1969 and 1972?",
        "How did the race to the Moon unfold?",
    ],
)
def test_a_wish_for_a_course_of_events_is_heard(question: str) -> None:
    assert wants_timeline(question, language="en")


@pytest.mark.parametrize(
    "question",
    ["How do I clear my browser history?", "When did it land?", "What happened last week?", "How did it evolve?", ""],
)
def test_other_questions_wish_for_none(question: str) -> None:
    assert not wants_timeline(question, language="en")
