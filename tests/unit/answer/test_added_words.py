"""A short sentence that shares only its subject with the passages is not borne out by them."""

import pytest

from services.answer.writing.checking import stems_in, unsupported_words

PASSAGES = ["The harbour of Slate Bay opened on 4 April 1902 with one pier.", "Its breakwater was built of granite."]
TOLD, ASKED = stems_in(PASSAGES, language="en"), stems_in(["When did the harbour of Slate Bay open?"], "en")


@pytest.mark.parametrize(
    "sentence",
    [
        "The harbour of Slate Bay has sunk.",
        "The pier collapsed.",
        "The pier burned down.",
        "The harbour is for sale.",
        "Ghosts haunt the harbour.",
    ],
)
def test_what_nobody_says_of_it_is_untold(sentence: str) -> None:
    assert unsupported_words(sentence, ASKED, [TOLD], language="en")


@pytest.mark.parametrize(
    "sentence",
    [
        "The harbour opened with one pier.",
        "The breakwater is of granite.",
        "It was constructed of granite.",
        "The harbour of Slate Bay was inaugurated on 4 April 1902.",
        "The harbour of Slate Bay opened.",
    ],
)
def test_what_is_told_in_other_words_is_left_to_the_check_of_claims(sentence: str) -> None:
    assert unsupported_words(sentence, ASKED, [TOLD], language="en") == ()


def test_a_sentence_without_news_is_none_of_its_business() -> None:
    assert unsupported_words("", ASKED, [TOLD], language="en") == ()
