import pytest

from services.intent.groundings import rewrite
from services.intent.places import ground_places


@pytest.mark.parametrize(
    ("question", "rewritten"),
    [
        ("What museums are nearby?", "What museums are near Berlin?"),
        ("Which nearby museums show rockets?", "Which nearby (near Berlin) museums show rockets?"),
        ("What is the weather here?", "What is the weather in Berlin?"),
        ("restaurants near me", "restaurants near Berlin"),
        ("How far is the Moon from here?", "How far is the Moon from Berlin?"),
        ("What observatories are in this city?", "What observatories are in Berlin?"),
        ("Is there a planetarium around here?", "Is there a planetarium near Berlin?"),
        ("Which telescopes are close by?", "Which telescopes are near Berlin?"),
        ("What's in my area?", "What's in Berlin?"),
        ("What happened here in 1945?", "What happened in Berlin in 1945?"),
        ("Who lives here", "Who lives in Berlin"),
        ("Can I see the eclipse from our town?", "Can I see the eclipse from Berlin?"),
    ],
)
def test_words_for_here_become_the_sessions_place(question: str, rewritten: str) -> None:
    groundings = ground_places(question, "Berlin", has_history=False, language="en")
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
    (grounding,) = ground_places("What museums are in this city?", "Berlin", has_history=True, language="en")
    assert grounding.replaced_span is None
    assert "spoken of" in grounding.grounded.reason


@pytest.mark.parametrize(
    "question",
    [
        "Here is my question: what is a comet?",
        "What do you mean here?",
        "click here",
        "Stars are scattered here and there",
        "the nearby star Proxima Centauri",
        "Which nearby galaxies are spirals?",
        "How are near-Earth objects found?",
        "Where is Tycho?",
    ],
)
def test_words_that_only_look_like_it_are_passed_over(question: str) -> None:
    assert ground_places(question, "Berlin", has_history=False, language="en") == ()
