"""A passage that was met before is written and read as it is, and as no other."""

from dataclasses import replace

from libs.contracts.evidence import EngineScores, Evidence, Passage, Relevance
from libs.contracts.spans import Span
from libs.contracts.wire.codec import from_message, to_message
from libs.contracts.wire.known import MAX_BYTES, MAX_ENTRIES, writing_once
from parley.context.v1 import evidence_pb2

PASSAGE = Passage("luna#0", "luna", "It landed.", span=Span(3, 13), metadata={"agency": "USSR"}, headings=("Luna 9",))


def there_and_back(passage: Passage) -> Passage:
    message = to_message(passage, evidence_pb2.Passage).SerializeToString()
    return from_message(evidence_pb2.Passage.FromString(message), Passage)


def test_equal_messages_give_one_passage() -> None:
    assert there_and_back(PASSAGE) == PASSAGE
    assert there_and_back(PASSAGE) is there_and_back(replace(PASSAGE))


def test_whatever_differs_gives_another_one() -> None:
    others = [
        replace(PASSAGE, text="It fell."),
        replace(PASSAGE, metadata={"agency": "NASA"}),
        replace(PASSAGE, collection="restricted"),
        replace(PASSAGE, span=Span(4, 14)),
    ]
    for other in (PASSAGE, *others, PASSAGE):
        assert there_and_back(other) == other


def test_values_that_are_made_and_dropped_are_told_apart() -> None:
    """A new value may get the place in memory, and so the id, of one that is gone."""
    for number in range(3 * MAX_ENTRIES):
        assert there_and_back(Passage(f"p#{number}", "p", f"Text {number}.")).text == f"Text {number}."


def test_a_long_passage_is_read_each_time() -> None:
    long = replace(PASSAGE, text="x" * (MAX_BYTES + 1))
    assert there_and_back(long) == there_and_back(long) == long
    assert there_and_back(long) is not there_and_back(long)


def test_evidence_differs_where_its_passage_is_the_same() -> None:
    first = Evidence(PASSAGE, EngineScores(lexical=1.0, fused=0.5), 1, Relevance.HIGH)
    second = replace(first, rank=2, relevance=Relevance.LOW)
    for evidence in (first, second, first):
        message = to_message(evidence, evidence_pb2.Evidence).SerializeToString()
        assert from_message(evidence_pb2.Evidence.FromString(message), Evidence) == evidence


def test_the_same_value_is_written_once() -> None:
    names: list[str] = []

    def write(value: Passage, message: evidence_pb2.Passage) -> None:
        names.append(value.passage_id)
        message.passage_id = value.passage_id

    write_once = writing_once(write)
    for value in (PASSAGE, PASSAGE, replace(PASSAGE), PASSAGE):
        message = evidence_pb2.Passage()
        write_once(value, message)
        assert message.passage_id == "luna#0"
    assert names == ["luna#0", "luna#0"]
