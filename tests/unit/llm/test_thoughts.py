"""Thoughts of a model, taken out of its answer wherever the stream is cut."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.llm.thoughts import ThoughtFilter

SAID = [
    ("In July 1969.", "In July 1969."),
    ("<think>When? 1969 < 1970.</think>In July.", "In July."),
    ("\n<think>\nWhen?\n</think>\n\nIn July.", "In July."),
    ("<think></think><think>\n</think>\nIn July.", "In July."),
    ("<think>It ends with `</think>`.</think>In July.", "In July."),
    ("<think>Never </think closed", ""),
    ("<think>", ""),
    ("<thi", "<thi"),
    ("</thi", "</thi"),
    ("<thinner> is no tag", "<thinner> is no tag"),
    ("  indented", "  indented"),
    ("A tag <think>later</think> stays", "A tag <think>later</think> stays"),
    ("<think>a</think> b </think> c", "b </think> c"),
    ("Thoughts end with `</think>`, say the documents.", "Thoughts end with `</think>`, say the documents."),
    ('{"a": "ends with </think>."}', '{"a": "ends with </think>."}'),
    ("", ""),
    (" \n", " \n"),
]
INSIDE = [
    ("When? 1969.</think>In July.", "In July."),
    ("\nWhen?\n</think>\n\nIn July.", "In July."),
    ("</think>\nIn July.", "In July."),
    ("<think>When?</think>In July.", "In July."),
    ("When?</think><think>1969.</think>In July.", "In July."),
    ("It ends with `</think>` or '</think>'.</think>In July.", "In July."),
    ('It is "July"</think>In July.', "In July."),
    ("When?</think>In </think> July.", "In </think> July."),
    ("When? 1969", ""),
    ("When? 1969</thi", ""),
    ('{"a": 1}', '{"a": 1}'),
    ('\n{"a": "</think>"}', '\n{"a": "</think>"}'),
    ("", ""),
]
TEXTS = st.lists(st.sampled_from([*"<>/think \na`{", "<think>", "</think>"]), max_size=20).map("".join)


def in_pieces(text: str, cuts: list[int], thoughts: ThoughtFilter, reason: str | None = "stop") -> str:
    text_shown = [thoughts.feed(text[first:last]) for first, last in pairwise([0, *sorted(cuts), len(text)])]
    return "".join(text_shown) + thoughts.finish(reason)


def whole(text: str, thoughts: ThoughtFilter) -> str:
    return in_pieces(text, [], thoughts)


@pytest.mark.parametrize(("text", "answer"), SAID)
def test_an_answer_is_what_comes_after_the_thoughts_at_its_beginning(text: str, answer: str) -> None:
    thoughts = ThoughtFilter()
    assert whole(text, thoughts) == answer
    assert not thoughts.opens


@pytest.mark.parametrize(("text", "answer"), INSIDE[:3] + INSIDE[4:8])
def test_a_whole_text_shows_by_its_closing_tag_that_it_began_inside_a_thought(text: str, answer: str) -> None:
    thoughts = ThoughtFilter()
    assert (whole(text, thoughts), thoughts.opens, thoughts.is_late) == (answer, True, False)


@pytest.mark.parametrize(
    ("text", "answer", "in_thought"),
    [(*each, opened) for table, opened in ((SAID, False), (INSIDE, True)) for each in table],
)
def test_it_is_the_same_wherever_it_is_cut(text: str, answer: str, in_thought: bool) -> None:
    for first in range(len(text) + 1):
        for second in range(first, len(text) + 1):
            assert in_pieces(text, [first, second], ThoughtFilter(in_thought)) == answer


@given(TEXTS, st.lists(st.integers(0, 120), max_size=8), st.booleans())
def test_any_text_is_the_same_in_pieces_unless_a_thought_was_told(text: str, cuts: list[int], in_thought: bool) -> None:
    in_one, thoughts = ThoughtFilter(in_thought), ThoughtFilter(in_thought)
    expected = whole(text, in_one), in_one.opens
    text_shown = in_pieces(text, [min(cut, len(text)) for cut in cuts], thoughts)
    assert not in_one.is_late
    assert thoughts.opens if thoughts.is_late else (text_shown, thoughts.opens) == expected


@pytest.mark.parametrize("tag", [["</think>"], ["</th", "ink>"], [*"</think>"], ["Hm.</think>"], ['"</think>', "In"]])
def test_a_thought_that_was_given_out_is_noticed_at_its_end_and_nothing_more_is(tag: list[str]) -> None:
    thoughts = ThoughtFilter()
    assert thoughts.feed("When? ") == "When? "
    text_shown = "".join(map(thoughts.feed, tag))
    assert (thoughts.is_late, thoughts.opens, "think>" in text_shown) == (True, True, tag[0].startswith('"'))
    assert [thoughts.feed("In July."), thoughts.finish("stop")] == ["", ""]


@pytest.mark.parametrize(
    ("text", "reason", "opens"),
    [
        ("When?</think>In July.", "stop", True),
        ('{"a": 1}', "stop", True),  # a server that holds to a schema leaves no room for thoughts
        ("When?", "length", True),
        ("When?", None, True),
        ("In July.", "stop", False),
    ],
)
def test_a_text_that_ends_by_itself_without_leaving_its_thought_is_no_longer_taken_to_begin_in_one(
    text: str, reason: str | None, opens: bool
) -> None:
    thoughts = ThoughtFilter(opened=True)
    in_pieces(text, [3], thoughts, reason)
    assert thoughts.opens == opens


def test_text_that_can_be_no_tag_is_not_held_back() -> None:
    thoughts = ThoughtFilter()
    assert [thoughts.feed(piece) for piece in ("In ", "<", "July")] == ["In ", "<", "July"]


def test_a_first_piece_that_may_be_a_tag_is_held_until_that_is_known() -> None:
    thoughts = ThoughtFilter()
    assert [thoughts.feed(piece) for piece in ("<", "th", "ree")] == ["", "", "<three"]
