"""What breaks a rule of the contract is told in a sentence, with the path of the field beside it."""

import pytest
from google.protobuf.message import Message

from libs.runtime.errors import InvalidInput
from libs.runtime.serving import validation
from libs.runtime.serving.validation import Validation
from parley.context.v1 import conversation_pb2, structure_pb2
from parley.gateway.v1 import gateway_pb2
from parley.retrieve.v1 import corpus_pb2


def asking(**options: object) -> gateway_pb2.AskRequest:
    return gateway_pb2.AskRequest(question="When?", options=gateway_pb2.RequestOptions(**options))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("message", "field", "description"),
    [
        (gateway_pb2.AskRequest(), "question", "The question is empty."),
        (gateway_pb2.AskRequest(question=" "), "question", "The question is empty."),
        (gateway_pb2.AskRequest(question="x" * 9000), "question", "The question must be at most 8192 characters."),
        (
            asking(collection="A B"),
            "options.collection",
            "The collection may hold only letters, digits, dots, _ and -.",
        ),
        (asking(time_zone="x" * 65), "options.time_zone", "The time zone must be at most 64 characters."),
        (asking(strategy=77), "options.strategy", "The strategy has an unknown value."),
        (corpus_pb2.PutDocumentRequest(), "document", "The document is missing."),
    ],
)
def test_a_broken_rule_is_a_sentence_and_told_once(message: Message, field: str, description: str) -> None:
    with pytest.raises(InvalidInput) as error:
        Validation().check(message)
    assert [(violation.field, violation.description) for violation in error.value.violations] == [(field, description)]


@pytest.mark.parametrize(
    "structure",
    [
        structure_pb2.Structure(sections=[structure_pb2.Section()] * 60),
        structure_pb2.Structure(blocks=[structure_pb2.Block(parts=[structure_pb2.Part()] * 10)] * 6),
    ],
)
def test_a_message_of_too_many_parts_is_refused_before_they_are_checked(
    structure: structure_pb2.Structure, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(validation, "MAX_PARTS", 50)
    document = corpus_pb2.Document(document_id="a", structure=structure)
    with pytest.raises(InvalidInput, match="more than 50 parts") as error:
        Validation().check(corpus_pb2.PutDocumentRequest(document=document))
    assert error.value.reason == "MESSAGE_TOO_LARGE"


@pytest.mark.parametrize(
    ("message", "told"),
    [
        (asking(wordings=[""] * 100_000), "The wordings must contain no more than 3 item(s)."),
        (
            gateway_pb2.AskRequest(question="When?", history=[conversation_pb2.HistoryMessage()] * 100_000),
            "The history must contain no more than 400 item(s).",
        ),
        (corpus_pb2.LookUpPassagesRequest(keys=[corpus_pb2.PassageKey()] * 100_000), "The keys must contain no more"),
        (
            corpus_pb2.PutDocumentRequest(
                document=corpus_pb2.Document(
                    document_id="a",
                    structure=structure_pb2.Structure(
                        sections=[structure_pb2.Section()], blocks=[structure_pb2.Block()] * 100_000
                    ),
                )
            ),
            "The kind must not be in list [0].",
        ),
    ],
)
def test_of_many_wrong_items_the_first_violation_is_told(message: Message, told: str) -> None:
    with pytest.raises(InvalidInput) as error:
        Validation().check(message)
    (violation,) = error.value.violations
    assert violation.description.startswith(told)


def test_of_few_wrong_items_each_is_told() -> None:
    with pytest.raises(InvalidInput) as error:
        Validation().check(asking(wordings=[""] * 4))
    assert [violation.field for violation in error.value.violations] == [
        "options.wordings",
        *(f"options.wordings[{place}]" for place in range(4)),
    ]
