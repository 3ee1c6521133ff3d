"""Requests for the answer stage, made of a small story."""

from parley.answer.v1 import answer_pb2
from parley.context.v1 import evidence_pb2

STORY = (
    "Mariner 9 was launched on 30 May 1971. On 14 November 1971 Mariner 9 entered orbit round Mars. "
    "Mariner 9 returned 7,329 pictures."
)
OTHER = "Hope has a mass of about 1,350 kilograms. Hope reached Mars on 9 February 2021."


def evidence(text: str, name: str, title: str) -> evidence_pb2.Evidence:
    """A passage as a client gives it that has no scores."""
    passage = evidence_pb2.Passage(passage_id=f"{name}#0", document_id=name, text=text, title=title)
    passage.span.end = len(text)
    return evidence_pb2.Evidence(passage=passage, rank=1)


EVIDENCE = (evidence(STORY, "mariner-9", "Mariner 9"), evidence(OTHER, "hope", "Hope"))


def write_request(question: str, **fields: object) -> answer_pb2.WriteRequest:
    """The question with the story as references 1 and 2."""
    references = [evidence_pb2.Reference(number=n, evidence=e) for n, e in enumerate(EVIDENCE, start=1)]
    return answer_pb2.WriteRequest(question=question, references=references, **fields)  # type: ignore[arg-type]
