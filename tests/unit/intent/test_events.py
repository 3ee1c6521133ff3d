import pytest

from libs.contracts.dates import PartialDate
from libs.contracts.understanding import RelatedEvent
from services.intent.related_event import find_related_event
from services.intent.rules import wants_timeline

APOLLO = (
    "Apollo 11 lifted off on 16 July 1969. On 20 July 1969 the landing of Apollo 11 was watched by millions. "
    "Apollo 11 splashed down on 24 July 1969."
)
FIRE = "The Great Fire of London started on 2 September 1666. The 1906 San Francisco earthquake struck in April 1906."
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
        ("What was lost in the Great Fire of London?", "Great Fire of London", PartialDate(1666, 9, 2)),
        ("How strong was the 1906 San Francisco earthquake?", "1906 San Francisco earthquake", PartialDate(1906, 4)),
        ("Which teams played the 1966 World Cup final?", "1966 World Cup", PartialDate(1966)),
        ("What was said at the Yalta conference?", "Yalta conference", None),
        ("When did the French Revolution begin?", "French Revolution", None),
    ],
)
def test_a_named_event_is_told_with_the_date_that_sources_agree_on(
    question: str, name: str, date: PartialDate | None
) -> None:
    assert find_related_event(question, [HASTINGS, FIRE], [APOLLO], language="en") == RelatedEvent(name, date)


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
        "Did Apple launch a phone in 2007?",
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
    ("language", "question", "wish"),
    [
        ("en", "Give me a timeline of Mars missions", True),
        ("en", "What is the history of lunar exploration?", True),
        ("en", "what happened when on Apollo 13", True),
        ("en", "Tell me the course of events", True),
        ("en", "Put the landings in chronological order", True),
        ("en", "What were the milestones of the Luna programme?", True),
        ("en", "What happened between 1969 and 1972?", True),
        ("en", "How did the race to the Moon unfold?", True),
        ("en", "How do I clear my browser history?", False),
        ("en", "When did it land?", False),
        ("en", "What happened last week?", False),
        ("en", "How did it evolve?", False),
        ("en", "", False),
        ("de", "Zeig mir eine Zeitleiste der Expedition", True),
        ("de", "Erzähle die Geschichte der Linie 3", True),
        ("de", "Was geschah zwischen 1897 und 1899?", True),
        ("de", "Wann war die Eröffnung?", False),
    ],
)
def test_a_wish_for_a_course_of_events_is_heard(language: str, question: str, wish: bool) -> None:
    assert wants_timeline(question, language) is wish


_TEXTS = (
    "Die Schlacht bei Hastings fand am 14. Oktober 1066 statt. Der Zweite Weltkrieg begann 1939. "
    "Apollo 11 startete am 16. Juli 1969. Nach der Challenger-Katastrophe am 28. Januar 1986 ruhte das Programm."
)


@pytest.mark.parametrize(
    ("question", "name", "date"),
    [
        ("Wer gewann die Schlacht bei Hastings?", "Schlacht bei Hastings", PartialDate(1066, 10, 14)),
        ("Wann begann der Zweite Weltkrieg?", "Zweite Weltkrieg", PartialDate(1939)),
        ("Was löste die Finanzkrise von 2008 aus?", "Finanzkrise von 2008", PartialDate(2008)),
        ("Was zerstörte das Hochwasser 2013?", "Hochwasser 2013", PartialDate(2013)),
        ("Wer flog mit Apollo 11?", "Apollo 11", PartialDate(1969, 7)),
        ("Was folgte auf die Challenger-Katastrophe?", "Challenger-Katastrophe", PartialDate(1986, 1, 28)),
        ("Wann brach die Französische Revolution aus?", "Französische Revolution", None),
    ],
)
def test_a_named_event_has_the_date_that_the_sources_agree_on(
    question: str, name: str, date: PartialDate | None
) -> None:
    assert find_related_event(question, (), (_TEXTS,), "de") == RelatedEvent(name, date)


@pytest.mark.parametrize("question", ["Wie weit ist der Mars?", "Was ist Windows 11?", "Was kostet das Schwimmbad?"])
def test_other_questions_name_no_event(question: str) -> None:
    assert find_related_event(question, (), (_TEXTS,), "de") is None
