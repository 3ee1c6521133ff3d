"""What a question asks the meaning of, and how surely a text tells it."""

import pytest

from services.retrieve.search.definitions import Thing, defines, share_named, thing_asked

OWNERSHIP = Thing(("ownership",), "en")


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("What is a snapshot?", "en"),
        ("whats a snapshot", "en"),
        ("What does snapshot mean?", "en"),
        ("Can you explain what a snapshot is?", "en"),
        ("Tell me about snapshots.", "en"),
        ("Define: snapshot", "en"),
        ("Snapshots?", "en"),
        ("Was ist ein Snapshot?", "de"),
        ("Erkläre mir Snapshots", "de"),
        ("Snapshot – was ist das?", "de"),
        ("C'est quoi un snapshot ?", "fr"),
        ("Un snapshot, c'est quoi ?", "fr"),
        ("¿Qué es un snapshot?", "es"),
        ("Cos'è uno snapshot?", "it"),
    ],
)
def test_a_question_may_ask_what_something_is_in_many_forms(question: str, language: str) -> None:
    thing = thing_asked(question, language)
    assert thing is not None
    assert [stem.removesuffix("s") for stem in thing.stems] == ["snapshot"]


def test_a_question_is_read_though_its_language_was_not_recognised() -> None:
    assert thing_asked("Que signifie AOF ?", "pt") == Thing(("aof",), "fr")


@pytest.mark.parametrize(
    "question",
    [
        "When did the first probe land on Mars?",
        "How do I take a snapshot of it?",
        "Can it be nested?",
        "What's our refund window?",
        "?",
    ],
)
def test_most_questions_ask_something_else(question: str) -> None:
    assert thing_asked(question, "en") is None


@pytest.mark.parametrize(
    ("heading", "share"),
    [
        ("Ownership", 1.0),
        ("4.1. Ownership", 1.0),
        ("What is ownership?", 1.0),
        ("Ownership | The book", 1.0),
        ("Ownership rules", 0.5),
        ("Borrowing", 0.0),
    ],
)
def test_a_heading_names_a_thing_alone_or_among_other_words(heading: str, share: float) -> None:
    assert share_named(OWNERSHIP, heading) == share


@pytest.mark.parametrize(
    ("text", "defines_it"),
    [
        ("**Ownership** (of memory) is a set of rules.", True),
        ("It has rules. Ownership is a set of them.", True),
        ("Ownership can be moved.", False),
        ("Read more on ownership.", False),
    ],
)
def test_a_sentence_that_begins_with_a_thing_and_says_what_it_is_defines_it(text: str, defines_it: bool) -> None:
    assert defines(OWNERSHIP, text) is defines_it


def test_a_thing_of_two_words_is_named_by_the_last_one_by_half() -> None:
    thing = thing_asked("What is a containerd snapshotter?", "en")
    assert thing is not None
    assert [share_named(thing, heading) for heading in ("Snapshotters", "Containerd", "Containerd snapshotter")] == [
        0.5,
        0.0,
        1.0,
    ]


def test_each_language_has_words_of_its_own_for_it() -> None:
    assert defines(Thing(("eigentum",), "de"), "Das Eigentum ist eine Menge von Regeln.")
