"""Places, incomplete names and named events: twenty written cases each, those that ground and those that must not."""

import pytest

from libs.contracts.dates import PartialDate
from libs.contracts.understanding import RelatedEvent
from services.intent.entities import complete_names
from services.intent.groundings import rewrite
from services.intent.places import ground_places
from services.intent.related_event import find_related_event

PLACES = [
    ("Where can I watch a rocket launch near here?", "Where can I watch a rocket launch near Lyon?"),
    ("Are there any meteorite collections nearby?", "Are there any meteorite collections near Lyon?"),
    ("How long is the flight from here to Kourou?", "How long is the flight from Lyon to Kourou?"),
    ("Is the eclipse visible here?", "Is the eclipse visible in Lyon?"),
    ("Who governs this region?", "Who governs Lyon?"),
    ("What is the population of my city?", "What is the population of Lyon?"),
    ("Which clinics close to me are open on Sunday?", "Which clinics near Lyon are open on Sunday?"),
    ("Find a nearby pharmacy", "Find a nearby (near Lyon) pharmacy"),
    ("Did it rain here yesterday?", "Did it rain in Lyon yesterday?"),
    ("What can tourists do around here in winter?", "What can tourists do near Lyon in winter?"),
    ("Is there an observatory in the vicinity?", "Is there an observatory near Lyon?"),
    ("What time does the sun set here today?", "What time does the sun set in Lyon today?"),
    ("Which trains go to Paris from here?", "Which trains go to Paris from Lyon?"),
    ("Was he taken to a nearby hospital?", None),
    ("What is the best school where I live?", "What is the best school in Lyon?"),
    ("Which planets are nearby Neptune?", None),
    ("Here are two questions: what is a quasar, and what is a pulsar?", None),
    ("Which word is missing here: a giant ... for mankind?", None),
    ("Why do people say 'from here to eternity'?", None),
    ("How does a local anaesthetic work?", None),
]

NAMES = [
    ("Where was Tereshkova born?", ["Valentina Tereshkova flew in 1963."], "Where was Valentina Tereshkova born?"),
    ("How old was Gagarin?", ["Yuri Gagarin was the first."], "How old was Yuri Gagarin?"),
    ("What did Kepler publish?", ["Johannes Kepler lived in Prague."], "What did Johannes Kepler publish?"),
    ("Who paid Brahe?", ["The astronomer Tycho Brahe had an island."], "Who paid Tycho Brahe?"),
    ("Was Ride a physicist?", ["Sally Ride flew twice."], "Was Sally Ride a physicist?"),
    ("Who followed von Braun in 1970?", ["Wernher von Braun led it."], "Who followed Wernher von Braun in 1970?"),
    ("What did Herschel's sister find?", ["William Herschel built it."], "What did William Herschel's sister find?"),
    ("Was Braun a physicist?", ["Wernher von Braun led it."], "Was Wernher von Braun a physicist?"),
    ("Who commanded Soyuz?", ["Soyuz 11 came down."], "Who commanded Soyuz 11?"),
    ("And what about Vega?", ["Vega 1 met the comet."], "And what about Vega 1?"),
    ("When did Lovell retire?", ["Jim Lovell flew twice. Lovell wrote a book."], "When did Jim Lovell retire?"),
    ("Did Shepard play golf?", ["Did you hear of Alan Shepard?"], "Did Alan Shepard play golf?"),
    ("How was Pioneer built?", ["Pioneer 10 left.", "Pioneer 11 followed."], None),
    ("What did Herschel discover?", ["William Herschel", "Caroline Herschel"], None),
    ("How hot is Venus?", ["Venus is hot.", "Venus Express went there."], None),
    ("Where is Jersey?", ["New Jersey is small."], None),
    ("What is Python?", ["Monty Python made films. A python is a snake."], None),
    ("What did the Curie family do?", ["Marie Curie won."], None),
    ("Who is Elon Musk?", ["Justine Musk"], None),
    ("What is IBM?", ["International IBM Corp"], None),
]  # fmt: skip

TOLD = [
    "The Chelyabinsk meteor fell on 15 February 2013.",
    "The Treaty of Versailles was signed on 28 June 1919.",
    "Hurricane Katrina reached Louisiana on 29 August 2005.",
    "Apollo 13 was launched on 11 April 1970. Apollo 13 splashed down on 17 April 1970.",
    "The Chernobyl disaster began on 26 April 1986.",
    "The Great Fire of London started on 2 September 1666.",
    "The 1906 San Francisco earthquake struck in April 1906.",
    "The Cuban Missile Crisis of October 1962 lasted for thirteen days.",
    "World War II ended in 1945. World War II began in 1939.",
]
EVENTS = [
    ("Who signed the Treaty of Versailles?", "Treaty of Versailles", PartialDate(1919, 6, 28)),
    ("How many homes did Hurricane Katrina destroy?", "Hurricane Katrina", PartialDate(2005, 8, 29)),
    ("Who was hurt in the Chernobyl disaster?", "Chernobyl disaster", PartialDate(1986, 4, 26)),
    ("What was lost in the Great Fire of London?", "Great Fire of London", PartialDate(1666, 9, 2)),
    ("Why did the Apollo 13 mission fail?", "Apollo 13 mission", PartialDate(1970, 4)),
    ("How strong was the 1906 San Francisco earthquake?", "1906 San Francisco earthquake", PartialDate(1906, 4)),
    ("What ended the Cuban Missile Crisis?", "Cuban Missile Crisis", PartialDate(1962, 10)),
    ("Who lost World War II?", "World War II", None),
    ("Where did the Chelyabinsk meteor fall?", "Chelyabinsk meteor", PartialDate(2013, 2, 15)),
    ("What was said at the Yalta conference?", "Yalta conference", None),
    ("Who led the American Revolution?", "American Revolution", None),
    ("What happened in the Tunguska explosion?", "Tunguska explosion", None),
    ("Who won the 2016 presidential election?", "2016 presidential election", PartialDate(2016)),
    ("Which teams played the 1966 World Cup final?", "1966 World Cup", PartialDate(1966)),
    ("Who fought in the Battle of the Bulge?", "Battle of the Bulge", None),
    ("Who was president during the Vietnam War?", "Vietnam War", None),
    ("How do earthquakes begin?", "", None),
    ("What is a treaty?", "", None),
    ("Which mission was the most expensive?", "", None),
    ("Did Apple launch a phone in 2007?", "", None),
]


@pytest.mark.parametrize(("question", "rewritten"), PLACES)
def test_a_place_is_grounded_or_left(question: str, rewritten: str | None) -> None:
    groundings = ground_places(question, "Lyon", has_history=False, language="en")
    assert rewrite(question, groundings) == (rewritten or question)
    assert bool(groundings) == (rewritten is not None)


@pytest.mark.parametrize(("question", "history", "rewritten"), NAMES)
def test_a_name_is_completed_or_left(question: str, history: list[str], rewritten: str | None) -> None:
    assert rewrite(question, complete_names(question, history, (), "en")) == (rewritten or question)


@pytest.mark.parametrize(("question", "name", "date"), EVENTS)
def test_an_event_is_told_with_its_date_or_none_is(question: str, name: str, date: PartialDate | None) -> None:
    assert find_related_event(question, (), TOLD, language="en") == (RelatedEvent(name, date) if name else None)


def test_there_are_twenty_cases_of_each() -> None:
    assert (len(PLACES), len(NAMES), len(EVENTS)) == (20, 20, 20)
