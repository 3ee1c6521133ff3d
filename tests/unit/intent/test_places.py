import pytest

from services.intent.grounding.groundings import rewrite
from services.intent.grounding.places import ground_places


@pytest.mark.parametrize(
    ("language", "question", "rewritten"),
    [
        ("en", "What museums are nearby?", "What museums are near Berlin?"),
        ("en", "Which nearby museums show rockets?", "Which nearby (near Berlin) museums show rockets?"),
        ("en", "What is the weather here?", "What is the weather in Berlin?"),
        ("en", "restaurants near me", "restaurants near Berlin"),
        ("en", "How far is the Moon from here?", "How far is the Moon from Berlin?"),
        ("en", "What observatories are in this city?", "What observatories are in Berlin?"),
        ("en", "Is there a planetarium around here?", "Is there a planetarium near Berlin?"),
        ("en", "Which telescopes are close by?", "Which telescopes are near Berlin?"),
        ("en", "What's in my area?", "What's in Berlin?"),
        ("en", "What happened here in 1945?", "What happened in Berlin in 1945?"),
        ("en", "Who lives here", "Who lives in Berlin"),
        ("en", "Can I see the eclipse from our town?", "Can I see the eclipse from Berlin?"),
        ("en", "Where can I watch a rocket launch near here?", "Where can I watch a rocket launch near Berlin?"),
        ("en", "Who governs this region?", "Who governs Berlin?"),
        ("en", "Which clinics close to me are open on Sunday?", "Which clinics near Berlin are open on Sunday?"),
        ("en", "Find a nearby pharmacy", "Find a nearby (near Berlin) pharmacy"),
        ("en", "Is there an observatory in the vicinity?", "Is there an observatory near Berlin?"),
        ("en", "What is the best school where I live?", "What is the best school in Berlin?"),
        ("de", "Welche Museen gibt es in der Nähe?", "Welche Museen gibt es in der Nähe von Berlin?"),
        ("de", "Gibt es hier ein Kino?", "Gibt es in Berlin ein Kino?"),
        ("de", "Wie weit ist es von hier nach Rom?", "Wie weit ist es von Berlin nach Rom?"),
        ("de", "Wie ist das Wetter hier?", "Wie ist das Wetter in Berlin?"),
        ("de", "Wer ist Bürgermeister in dieser Stadt?", "Wer ist Bürgermeister in Berlin?"),
        ("de", "Welche Apotheke hat bei uns um die Ecke auf?", "Welche Apotheke hat in der Nähe von Berlin auf?"),
        ("de", "Wie viele Einwohner hat meine Stadt?", "Wie viele Einwohner hat Berlin?"),
        ("de", "Wann fährt der letzte Bus von hier aus?", "Wann fährt der letzte Bus von Berlin?"),
    ],
)
def test_words_for_here_become_the_sessions_place(language: str, question: str, rewritten: str) -> None:
    groundings = ground_places(question, "Berlin", has_history=False, language=language)
    assert rewrite(question, groundings) == rewritten
    assert [g.grounded.value for g in groundings] == ["Berlin"]
    assert [g.grounded.span.of(question) for g in groundings] == [g.grounded.phrase for g in groundings]


@pytest.mark.parametrize(
    "question", ["What museums are nearby?", "What is the weather here?", "Who lives in this city?"]
)
def test_without_a_known_place_they_are_left_as_they_stand_and_that_is_said(question: str) -> None:
    groundings = ground_places(question, "", has_history=False, language="en")
    assert rewrite(question, groundings) == question
    assert [g.grounded.reason for g in groundings] == ["left as it stands: the session names no place"]


def test_this_city_may_be_one_that_was_spoken_of() -> None:
    (german,) = ground_places("Welche Museen gibt es in dieser Stadt?", "Berlin", has_history=True, language="de")
    assert german.replaced_span is None
    (grounding,) = ground_places("What museums are in this city?", "Berlin", has_history=True, language="en")
    assert grounding.replaced_span is None
    assert "spoken of" in grounding.grounded.reason


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("en", "Here is my question: what is a comet?"),
        ("en", "What do you mean here?"),
        ("en", "click here"),
        ("en", "Stars are scattered here and there"),
        ("en", "the nearby star Proxima Centauri"),
        ("en", "Which nearby galaxies are spirals?"),
        ("en", "How are near-Earth objects found?"),
        ("en", "Where is Tycho?"),
        ("en", "Was he taken to a nearby hospital?"),
        ("en", "Which planets are nearby Neptune?"),
        ("en", "Which word is missing here: a giant ... for mankind?"),
        ("en", "Why do people say 'from here to eternity'?"),
        ("en", "How does a local anaesthetic work?"),
        ("de", "Was liegt in der Nähe des Bahnhofs?"),
        ("de", "Hier ist meine Frage: Was ist ein Komet?"),
        ("de", "Was ist hier gemeint?"),
        ("de", "Worum geht es hier?"),
        ("de", "Welche Museen gibt es in der Nähe von Köln?"),
        ("de", "Was bedeutet hier der Begriff Pegel?"),
    ],
)
def test_words_that_only_look_like_it_are_passed_over(language: str, question: str) -> None:
    assert ground_places(question, "Berlin", has_history=False, language=language) == ()
