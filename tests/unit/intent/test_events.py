import pytest

from libs.contracts.dates import PartialDate
from libs.contracts.understanding import RelatedEvent
from services.intent.grounding.related_event import find_related_event
from services.intent.rules import wants_timeline

APOLLO = (
    "Apollo 11 lifted off on 16 July 1969. On 20 July 1969 the landing of Apollo 11 was watched by millions. "
    "Apollo 11 splashed down on 24 July 1969."
)
FIRE = "The Great Fire of London started on 2 September 1666. The 1906 San Francisco earthquake struck in April 1906."
HASTINGS = "The Battle of Hastings was fought on 14 October 1066."
GERMAN = (
    "Die Schlacht bei Hastings fand am 14. Oktober 1066 statt. Der Zweite Weltkrieg begann 1939. "
    "Apollo 11 startete am 16. Juli 1969. Nach der Challenger-Katastrophe am 28. Januar 1986 ruhte das Programm."
)


@pytest.mark.parametrize(
    ("language", "question", "name", "date"),
    [
        ("en", "Who watched the Apollo 11 landing?", "Apollo 11 landing", PartialDate(1969, 7, 20)),
        ("en", "Who flew on Apollo 11?", "Apollo 11", PartialDate(1969, 7)),
        ("en", "Who won the Battle of Hastings?", "Battle of Hastings", PartialDate(1066, 10, 14)),
        ("en", "What caused the 2008 financial crisis?", "2008 financial crisis", PartialDate(2008)),
        ("en", "What did Hurricane Katrina destroy?", "Hurricane Katrina", None),
        ("en", "Who won World War II?", "World War II", None),
        ("en", "Who were the allies in World war II?", "World war II", None),
        ("en", "Why did the Challenger disaster happen?", "Challenger disaster", None),
        ("en", "What was lost in the Great Fire of London?", "Great Fire of London", PartialDate(1666, 9, 2)),
        (
            "en",
            "How strong was the 1906 San Francisco earthquake?",
            "1906 San Francisco earthquake",
            PartialDate(1906, 4),
        ),
        ("en", "Which teams played the 1966 World Cup final?", "1966 World Cup", PartialDate(1966)),
        ("en", "What was said at the Yalta conference?", "Yalta conference", None),
        ("en", "When did the French Revolution begin?", "French Revolution", None),
        ("de", "Wer gewann die Schlacht bei Hastings?", "Schlacht bei Hastings", PartialDate(1066, 10, 14)),
        ("de", "Wann begann der Zweite Weltkrieg?", "Zweite Weltkrieg", PartialDate(1939)),
        ("de", "Was löste die Finanzkrise von 2008 aus?", "Finanzkrise von 2008", PartialDate(2008)),
        ("de", "Was zerstörte das Hochwasser 2013?", "Hochwasser 2013", PartialDate(2013)),
        ("de", "Wer flog mit Apollo 11?", "Apollo 11", PartialDate(1969, 7)),
        ("de", "Was folgte auf die Challenger-Katastrophe?", "Challenger-Katastrophe", PartialDate(1986, 1, 28)),
        ("de", "Wann brach die Französische Revolution aus?", "Französische Revolution", None),
    ],
)
def test_a_named_event_is_told_with_the_date_that_sources_agree_on(
    language: str, question: str, name: str, date: PartialDate | None
) -> None:
    history, texts = ([HASTINGS, FIRE], [APOLLO]) if language == "en" else ([], [GERMAN])
    assert find_related_event(question, history, texts, language) == RelatedEvent(name, date)


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("en", "How far is Mars?"),
        ("en", "What is Windows 11?"),
        ("en", "What did NASA launch in 2012?"),
        ("en", "What is the main purpose of that NASA mission?"),
        ("en", "who was Neil Armstrong?"),
        ("en", "What is a battle?"),
        ("en", ""),
        ("en", "Did Apple launch a phone in 2007?"),
        ("de", "Wie weit ist der Mars?"),
        ("de", "Was ist Windows 11?"),
        ("de", "Was kostet das Schwimmbad?"),
    ],
)
def test_a_question_that_names_no_event_has_none(language: str, question: str) -> None:
    assert find_related_event(question, [HASTINGS], [APOLLO, GERMAN], language) is None


@pytest.mark.parametrize(
    ("texts", "date"),
    [
        (("The Battle of Hastings was in 1066.", "The Battle of Hastings was in 1067."), None),
        (
            ("The Battle of Hastings was on 14 October 1066.", "The Battle of Hastings ended on 15 October 1066."),
            PartialDate(1066, 10),
        ),
    ],
    ids=["years contradict", "days differ"],
)
def test_what_sources_differ_on_is_left_open(texts: tuple[str, ...], date: PartialDate | None) -> None:
    event = find_related_event("Who won the Battle of Hastings?", [], texts, language="en")
    assert event == RelatedEvent("Battle of Hastings", date)


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
