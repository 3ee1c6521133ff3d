"""What a conversation's latest answer cites, as documents: as it was stored with the turn, or as it is by now."""

from collections.abc import Iterable, Iterator, Sequence

import grpc

from parley.client.evaluation.contexts import context_decode
from parley.client.evaluation.documents import source_document
from parley.client.evaluation.gateway import Gateway, Suite
from parley.client.evaluation.results import SourceDocument
from parley.context.v1 import evidence_pb2


def get_references_result_doc(
    need_new_content: bool = False, *, session: str = "", context: str = "", gateway: Gateway | None = None
) -> list[SourceDocument]:
    """The references of the latest answer that has some, by number; none where no answer has.

    A passage that is not there any more, or that the asker may not see, is left out of the new content; the numbers of
    the others stay.

    Args:
        need_new_content: True: the present words of each passage, from the corpus; False: those stored with the turn.
        session: the conversation's id, where the suite keeps it.
        context: the encoded conversation, where the client carries it (`completed.context`).
        gateway: which suite; None for the one of the environment. A context's stored words are read without asking it.

    Raises:
        ValueError: not one of session and context is given, or the context cannot be read.
        grpc.RpcError: the suite cannot be reached, or refuses (NOT_FOUND: it keeps no such session).
    """
    if bool(session) == bool(context):
        raise ValueError("The conversation is named twice or not at all: give either session or context.")
    if not need_new_content and context:
        return _documents(_stored_references(context))
    with (gateway or Gateway()).open() as suite:
        if not need_new_content:
            return _documents(suite.stored_references(session))
        references = _stored_references(context) if context else suite.references(session)
        return _documents(_with_present_passages(references, suite))


def _stored_references(context: str) -> Sequence[evidence_pb2.Reference]:
    """The references of the latest turn that has some."""
    turns = context_decode(context).turns
    return next((turn.references for turn in reversed(turns) if turn.references), ())


def _with_present_passages(
    references: Iterable[evidence_pb2.Reference], suite: Suite
) -> Iterator[evidence_pb2.Reference]:
    """The same with the passages as they are; those that are gone are left out."""
    for reference in references:
        passage = reference.evidence.passage
        try:
            present = suite.passage(passage.passage_id, passage.collection)
        except grpc.RpcError as error:
            if error.code() not in (grpc.StatusCode.NOT_FOUND, grpc.StatusCode.PERMISSION_DENIED):
                raise
            continue
        reference_copy = evidence_pb2.Reference()
        reference_copy.CopyFrom(reference)
        reference_copy.evidence.passage.CopyFrom(present)
        yield reference_copy


def _documents(references: Iterable[evidence_pb2.Reference]) -> list[SourceDocument]:
    """By number."""
    return [source_document(reference) for reference in sorted(references, key=lambda reference: reference.number)]
