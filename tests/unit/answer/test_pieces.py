"""A model's text, read as it comes."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from services.answer.writing.pieces import Piece, SentenceBegins, SentenceEnds, Sign
from services.answer.writing.text_reader import TextReader

TEXT = (
    "Apollo 11 landed in 1969 [1]. It was the U.S. mission of Dr. Armstrong.[2][3] The crew returned. [4]\n\n"
    "- All was well [1, 2].\n- It cost $1.5 million. [5]\n[6] The end"
)
SENTENCES = [
    ("Apollo 11 landed in 1969.", (1,)),
    ("It was the U.S. mission of Dr. Armstrong.", (2, 3)),
    ("The crew returned.", (4,)),
    ("All was well.", (1, 2)),
    ("It cost $1.5 million.", (5,)),
    ("The end", (6,)),
]


MARKED_UP = (
    'The pier <img src="https://evil.example/x.gif?q=1"> stands! See ![plan](https://evil.example/p.png?q=a b) [1]. '
    "Read [the full story](https://evil.example/s) now, as 3 < 5 [2]. [1](https://evil.example) It is [so] said ["
)


def read(text: str, offsets: list[int]) -> list[Sign]:
    reader = TextReader(language="en")
    signs: list[Sign] = []
    places = sorted({0, *(offset % (len(text) + 1) for offset in offsets), len(text)})
    for start, end in pairwise(places):
        signs += reader.read(text[start:end])
    return [*signs, *reader.finish()]


@given(st.lists(st.integers(0, 1000), max_size=30))
def test_sentences_their_pieces_and_what_they_cite_are_the_same_however_the_text_comes(cuts: list[int]) -> None:
    sentences, text = [], ""
    for sign in read(TEXT, cuts):
        if isinstance(sign, SentenceBegins):
            text = ""
        elif isinstance(sign, Piece):
            text += sign.text
        else:
            assert text == sign.text
            sentences.append((sign.text, sign.numbers))
    assert sentences == SENTENCES
    assert read("", cuts) == []


@given(st.lists(st.integers(0, 1000), max_size=30))
def test_pictures_links_and_tags_are_never_shown_however_the_text_comes(cuts: list[int]) -> None:
    pieces: list[str] = []
    sentences, text = [], ""
    for sign in read(MARKED_UP, cuts):
        if isinstance(sign, Piece):
            text += sign.text
            pieces.append(sign.text)
        elif isinstance(sign, SentenceEnds):
            sentences.append((sign.text, sign.numbers))
            assert text == sign.text
            text = ""
    assert sentences[:3] == [
        ("The pier stands!", ()),
        ("See.", (1,)),
        ("Read the full story now, as 3 < 5.", (2, 1)),
    ]
    assert "evil" not in "".join(pieces)
    assert "<img" not in "".join(pieces)


@given(st.lists(st.integers(0, 1000), max_size=30))
def test_a_line_without_a_stop_is_a_sentence_however_the_text_comes(cuts: list[int]) -> None:
    lines = ["Luna 2 struck the Moon", "On 13 September 1959, shortly after 21:00, Luna 2 crashed near Archimedes."]
    signs = read("\n".join(lines), cuts)
    assert [sign.text for sign in signs if isinstance(sign, SentenceEnds)] == lines
    assert "".join(sign.text for sign in signs if isinstance(sign, Piece)) == "".join(lines)


@given(st.lists(st.integers(0, 20_000), max_size=30))
def test_a_text_without_an_end_is_cut_where_a_word_ends(cuts: list[int]) -> None:
    text = "lorem ipsum dolor " * 1000
    sentences = [sign.text for sign in read(text, [*cuts, *range(0, len(text), 500)]) if isinstance(sign, SentenceEnds)]
    assert " ".join(sentences) == text.strip()
    assert max(map(len, sentences)) < 2000


def test_a_paragraph_begins_where_the_line_breaks() -> None:
    gaps = [sign.gap for sign in read(TEXT, []) if isinstance(sign, SentenceBegins)]
    assert gaps == ["\n\n", " ", " ", "\n\n", "\n", "\n\n"]


def test_words_are_shown_before_their_sentence_ends() -> None:
    reader = TextReader(language="en")
    assert list(reader.read("Apollo 11 landed in ")) == [SentenceBegins("\n\n"), Piece("Apollo 11 landed in")]


LIST = "Do this:\n\n- Open the gate.\n- Let the dog in. It waits there.\n\n1. Close it.\n2) Lock it.\nThat is all."


@given(st.lists(st.integers(0, len(LIST)), max_size=6))
def test_the_marks_of_a_list_are_told_with_its_items(cuts: list[int]) -> None:
    reader, places = TextReader(language="en"), [0, *sorted(cuts), len(LIST)]
    signs = [sign for a, b in pairwise(places) for sign in reader.read(LIST[a:b])] + list(reader.finish())
    leads = [sign.lead for sign in signs if isinstance(sign, SentenceBegins)]
    assert leads == ["", "- ", "- ", "", "1. ", "2) ", ""]
