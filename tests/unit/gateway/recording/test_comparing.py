"""Where two answers of a stage differ: by the path of a field, the first place first."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.recording.comparing import MAX_VALUE_CHARACTERS, content_of, differences, digest
from parley.answer.v1 import answer_pb2
from parley.context.v1 import answer_pb2 as context_answer_pb2
from parley.context.v1 import usage_pb2
from parley.gateway.v1.replay_pb2 import Difference
from parley.retrieve.v1 import retrieve_pb2

Write = answer_pb2.WriteResponse


def delta(sentence: int, text: str) -> Write:
    return Write(text=context_answer_pb2.TextDelta(paragraph=1, sentence=sentence, delta=text))


def citation(sentence: int, score: float = 1.0) -> Write:
    return Write(citation=context_answer_pb2.Citation(sentence=sentence, score=score))


def result(text: str, *gaps: str) -> Write:
    return Write(result=answer_pb2.WriteResult(answer=context_answer_pb2.Answer(text=text, gaps=gaps)))


def compare(recorded: list[Write], replayed: list[Write]) -> list[Difference]:
    return list(differences(content_of(recorded), content_of(replayed)))


def paths(recorded: list[Write], replayed: list[Write]) -> list[str]:
    return [difference.path for difference in compare(recorded, replayed)]


def test_a_changed_field_is_named_by_its_path_with_both_values() -> None:
    difference = compare([delta(1, "It landed."), result("It landed.")], [delta(1, "It fell."), result("It landed.")])
    assert difference == [Difference(path="text[1]", recorded_value="It landed.", replayed_value="It fell.")]


def timed(milliseconds: float, tokens: int = 1) -> Write:
    usage = usage_pb2.Usage(milliseconds=milliseconds, input_tokens=tokens)
    return Write(result=answer_pb2.WriteResult(usage=[usage]))


WHOLE = [delta(1, "It landed."), citation(1), delta(2, "In 1969.")]
IN_PIECES = [delta(1, "It "), delta(1, "landed."), delta(2, "In 1969."), citation(1)]
LONG = [delta(1, "One."), citation(1), delta(2, "Two."), citation(2), result("One. Two.", "a")]
CHANGED = [delta(1, "One."), citation(1, 0.5), delta(2, "2."), citation(2), result("One. 2.", "b")]


@pytest.mark.parametrize(
    ("recorded", "replayed", "expected"),
    [
        pytest.param(
            LONG,
            CHANGED,
            ["citation.score", "text[2]", "result.answer.text", "result.answer.gaps[0]"],
            id="the first place comes first",
        ),
        pytest.param([citation(1), citation(2)], [citation(1)], ["citation[1]"], id="a missing step is one difference"),
        pytest.param([], [citation(1)], ["citation"], id="a new step is one difference"),
        pytest.param([result("x", "a")], [result("x", "a", "b")], ["result.answer.gaps[1]"], id="a new item"),
        pytest.param(WHOLE, IN_PIECES, [], id="pieces of a sentence are joined, kinds come in any order"),
        pytest.param([timed(1.0)], [timed(2.0)], [], id="times do not count"),
        pytest.param([timed(1.0)], [timed(1.0, tokens=2)], ["result.usage[0].input_tokens"], id="tokens count"),
        pytest.param([citation(1, 0.123456)], [citation(1, 0.123456 + 1e-8)], [], id="the last bits do not count"),
        pytest.param([citation(1, 0.1234)], [citation(1, 0.1235)], ["citation.score"], id="other digits count"),
    ],
)
def test_the_places_that_differ_are_named(recorded: list[Write], replayed: list[Write], expected: list[str]) -> None:
    assert paths(recorded, replayed) == expected


def test_answers_that_differ_only_in_times_have_one_hash() -> None:
    assert digest([timed(1.0)]) == digest([timed(2.0)])
    assert digest(WHOLE) != digest([*WHOLE, delta(2, "!")])


def test_an_absent_field_differs_from_an_empty_one() -> None:
    empty, absent = retrieve_pb2.DetectRangeResponse(), retrieve_pb2.DetectRangeResponse()
    empty.filters.SetInParent()
    assert [d.path for d in differences(content_of([absent]), content_of([empty]))] == ["filters"]


def test_a_long_text_is_shown_around_its_first_difference() -> None:
    (difference,) = compare([delta(1, "a" * 500 + "one" + "b" * 500)], [delta(1, "a" * 500 + "two" + "b" * 500)])
    assert difference.recorded_value.startswith("…aaa")
    assert "one" in difference.recorded_value
    assert "two" in difference.replayed_value
    assert len(difference.recorded_value) == MAX_VALUE_CHARACTERS + 2


SENTENCES = st.lists(st.tuples(st.integers(1, 3), st.text(max_size=5)), max_size=6)


@given(SENTENCES, st.lists(st.floats(0, 1, width=32), max_size=4))
def test_an_answer_never_differs_from_itself(sentences: list[tuple[int, str]], scores: list[float]) -> None:
    answer = [delta(*sentence) for sentence in sentences] + [citation(1, score) for score in scores]
    assert compare(answer, answer) == []


@given(SENTENCES, SENTENCES)
def test_either_order_finds_the_same_places(one: list[tuple[int, str]], other: list[tuple[int, str]]) -> None:
    left, right = [delta(*sentence) for sentence in one], [delta(*sentence) for sentence in other]
    assert sorted(paths(left, right)) == sorted(paths(right, left))


@pytest.mark.parametrize("text", ["", "x"])
def test_a_unary_response_has_no_kind(text: str) -> None:
    recorded, replayed = answer_pb2.ExtractResponse(answer=text), answer_pb2.ExtractResponse(answer="y")
    (difference,) = differences(content_of([recorded]), content_of([replayed]))
    assert difference == Difference(path="answer", recorded_value=text, replayed_value="y")
