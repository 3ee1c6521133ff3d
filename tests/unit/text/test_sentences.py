"""Sentences: where they end, where they don't, and that nothing of a text is lost."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.text.limits import MAX_SENTENCE
from libs.text.sentences import newest_sentences, split_sentences


def sentences(text: str, language: str = "en") -> list[str]:
    return [sentence.text for sentence in split_sentences(text, language)]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Dr. Smith met Prof. Jones."),
        ("en", "The U.S. Navy recovered the capsule."),
        ("en", "It left at 4 p.m. Eastern Time."),
        ("en", "Small bodies, e.g. Ceres, i.e. dwarf planets, follow."),
        ("en", "See No. 5 and Fig. 3 of vol. 2."),
        ("en", "It cost 3.5 million dollars."),
        ("en", "President John F. Kennedy and J. R. R. Tolkien wrote."),
        ("en", "Visit www.example.org/a.html or write to a.b@example.org."),
        ("en", "It was… slow."),
        ("en", '"Why?" he asked.'),
        ("en", "Yahoo! is a company."),
        ("en", "Smith et al. (2004) measured it."),
        ("de", "Dr. Meier traf Prof. Schulz."),
        ("de", "Kleine Körper, z. B. Monde, d. h. Trabanten, folgen."),
        ("de", "Kleine Körper, z.B. Monde, folgen."),
        ("de", "Siehe § 5 Abs. 2 Nr. 3 und Abb. 4 auf S. 12."),
        ("de", "Am 20. Juli 1969 landete die Fähre."),
        ("de", "Im 19. Jahrhundert wuchs die Stadt bzw. Gemeinde."),
        ("de", "Ludwig XIV. Frankreichs König war er."),
        ("de", "Der Bau kostete ca. 3,5 Mio. Euro."),
        ("de", "Das gilt i. d. R. Montags nicht."),
        ("de", "Caesar starb 44 v. Chr. Roms Senat tagte."),
    ],
)
def test_short_forms_initials_decimals_and_quotes_end_nothing(language: str, text: str) -> None:
    assert sentences(text, language) == [text]


@pytest.mark.parametrize(
    ("language", "text", "first"),
    [
        ("en", "He lived in the U.S. He died there.", "He lived in the U.S."),
        ("en", "It ended at 5 p.m. The crew slept.", "It ended at 5 p.m."),
        ("en", "Rocks, dust etc. Scientists kept them.", "Rocks, dust etc."),
        ("en", 'She said: "We go." Then they went.', 'She said: "We go."'),
        ("en", "It was huge.[12][3] Others were small.", "It was huge.[12][3]"),
        ("en", "Did it land? Yes, it did.", "Did it land?"),
        ("en", "i went home. it was late.", "i went home."),
        ("en", "**It landed.** Then it left.", "**It landed.**"),
        ("de", "Es begann 1969. Die Crew schlief.", "Es begann 1969."),
        ("de", "Er wurde nur 3. Danach hörte er auf.", "Er wurde nur 3."),
        ("de", "Caesar starb 44 v. Chr. Das war im März.", "Caesar starb 44 v. Chr."),
        ("de", "Es kam Plan B. Er gelang.", "Es kam Plan B."),
        ("de", "Nüsse, Obst usw. Das alles wurde verkauft.", "Nüsse, Obst usw."),
    ],
)
def test_a_sentence_may_end_after_them(language: str, text: str, first: str) -> None:
    assert sentences(text, language)[0] == first
    assert len(sentences(text, language)) == 2


def test_a_heading_is_a_sentence_of_its_own_without_its_mark() -> None:
    text = "# Apollo 11\nIt landed.\n\n## The crew\nThree men."
    sentences = split_sentences(text, language="en")
    assert [s.text for s in sentences if s.heading] == ["Apollo 11", "The crew"]
    assert [s.text for s in sentences if not s.heading] == ["It landed.", "Three men."]


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        (
            "en",
            "Apollo 11 landed in 1969. It carried three astronauts. Two walked.",
            ["Apollo 11 landed in 1969.", "It carried three astronauts.", "Two walked."],
        ),
        (
            "en",
            "The crew\n\n- Neil Armstrong\n* Buzz Aldrin\n1. Michael Collins\n\n| a | b |\n|---|---|\n| 1 | 2 |",
            ["The crew", "Neil Armstrong", "Buzz Aldrin", "Michael Collins", "| a | b |", "| 1 | 2 |"],
        ),
        (
            "en",
            "月面に着陸した。「小さな一歩だ。」彼は言った！",
            ["月面に着陸した。", "「小さな一歩だ。」", "彼は言った！"],
        ),
        ("xx", "Kaksi kuuta. Ne kiertävät.", ["Kaksi kuuta.", "Ne kiertävät."]),
    ],
    ids=["full stops before capitals", "items, rows and paragraphs", "wide punctuation", "no words of the language"],
)
def test_a_text_falls_into_its_sentences(language: str, text: str, expected: list[str]) -> None:
    assert sentences(text, language) == expected


def test_a_wrapped_line_goes_on() -> None:
    text = "The lander came down in the\nSea of Tranquility and stayed\nthere for a day."
    assert len(sentences(text)) == 1


@pytest.mark.parametrize("text", ["." * 300_000, ("!?" * 150_000) + "x", "x." + "[12]" * 75_000 + "x"])
def test_a_long_run_of_stops_is_divided_by_length_alone(text: str) -> None:
    parts = sentences(text)
    assert "".join(parts) == text
    assert {len(part) for part in parts[:-1]} == {MAX_SENTENCE}


def test_a_long_list_of_bare_numbers_is_divided_at_spaces() -> None:
    text = "1. " * 100_000 + "End."
    parts = sentences(text)
    assert "1. " + " ".join(parts) == text  # the first number marks the item
    assert all(MAX_SENTENCE - 3 <= len(part) <= MAX_SENTENCE for part in parts[:-1])


def test_sentences_can_be_left_undivided() -> None:
    text = "word " * 1000 + "End."
    assert [sentence.text for sentence in split_sentences(text, "en", longest=None)] == [text]


@given(st.text(st.sampled_from('aB1.?!。…"”)\n \t-#*|=[]é月'), max_size=80) | st.text(max_size=80))
def test_sentences_stand_in_order_apart_and_leave_only_space_and_marks(text: str) -> None:
    position = 0
    for sentence in split_sentences(text, language="en"):
        assert sentence.text == text[sentence.start : sentence.end] == sentence.text.strip() != ""
        assert re.fullmatch(
            r"[\s\-*_=~`#>|:+•‣▪·\d.()\[\]xX]*|(?s:.*)(?:```|~~~)(?s:.*)", text[position : sentence.start]
        )
        position = sentence.end


LETTERS = st.text("aAé_1 .-,\n月", max_size=14)


@pytest.mark.parametrize(
    ("longest", "kept"),
    [
        (100, "Dr. Lee left. She came back.\nWhen?"),
        (30, "She came back.\nWhen?"),
        (20, "She came back.\nWhen?"),
        (19, "When?"),
        (4, ""),
    ],
)
def test_the_newest_sentences_of_several_texts_are_kept_whole(longest: int, kept: str) -> None:
    assert newest_sentences(["Dr. Lee left.  She came\nback.", " ", "When?"], longest, "en") == kept


@given(st.lists(LETTERS, max_size=6), LETTERS, st.integers(0, 40))
def test_what_is_kept_of_what_was_kept_and_one_more_text_is_what_is_kept_of_all(
    texts: list[str], newest: str, longest: int
) -> None:
    earlier = newest_sentences(texts, longest, "en").splitlines()
    assert newest_sentences([*earlier, newest], longest, "en") == newest_sentences([*texts, newest], longest, "en")
