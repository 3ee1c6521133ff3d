"""A turn that is restarted comes anew: nothing of its first run is left in the answer."""

from parley.client.answers import AnswerBuilder
from parley.client.event_reader import EventReader
from parley.client.events import CitationEvent, RestartedEvent
from parley.context.v1 import answer_pb2, usage_pb2
from parley.gateway.v1 import event_pb2
from tests.unit.client.scripted_gateway import DUG, LANDED, references


def message(seq: int, **content: object) -> event_pb2.Event:
    return event_pb2.Event(turn_id="q-1", seq=seq, **content)  # type: ignore[arg-type]


def run(first_seq: int, passage: str, text: str) -> list[event_pb2.Event]:
    span = answer_pb2.CitedSpan(passage_id="p1", number=1)
    contents: list[dict[str, object]] = [
        {"references": event_pb2.ReferencesEvent(references=references(passage))},
        {"text": answer_pb2.TextDelta(paragraph=1, sentence=1, delta=text)},
        {"citation": answer_pb2.Citation(sentence=1, references=[span])},
        {"degraded": usage_pb2.Degraded(reason="DEADLINE_NEAR")},
    ]
    return [message(seq, **content) for seq, content in enumerate(contents, start=first_seq)]


def test_the_answer_is_that_of_the_second_run() -> None:
    reader, builder = EventReader(), AnswerBuilder("When?")
    messages = [
        *run(1, LANDED, "It landed."),
        message(5, restarted=event_pb2.RestartedEvent()),
        *run(6, DUG, "It dug."),
    ]
    events = [reader.read(each) for each in messages]
    for event in events:
        builder.add(event)
    assert isinstance(events[4], RestartedEvent)
    assert [event.citation.text for event in events if isinstance(event, CitationEvent)] == ["It landed.", "It dug."]
    answer = builder.answer()
    assert (answer.text, len(answer.citations), len(answer.degraded)) == ("It dug.", 1, 1)
    assert [reference.passage.text for reference in answer.references] == [DUG]
    assert answer.turn_id == "q-1"
