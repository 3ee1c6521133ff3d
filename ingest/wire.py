"""Parsed documents as the messages that the suite ingests. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Final

from ingest.documents import ParsedDocument, counts_in_words
from libs.contracts.wire.codec import fill, fill_field
from parley.retrieve.v1 import corpus_pb2

MAX_BYTES: Final = 8 * 1024 * 1024 - 1024
"""Maximum size of a document with its pictures, in bytes: a server's message limit, less 1 KB for what is around it."""
TOO_LARGE: Final = f"is larger than {MAX_BYTES:,} bytes with its pictures: split it"
LEFT_OUT: Final = "left_out"
"""Metadata of a document that tells what a reader of its file may miss, in words."""
MAX_METADATA_BYTES: Final = 15 * 1024
"""Of names and values together: the contract's 16 KB, less what tells what is left out."""
UNSENDABLE: Final = "contains a value that cannot be sent"


def document_of(source: ParsedDocument, principals: Sequence[str] = (), whole: bool = False) -> corpus_pb2.Document:
    """The message of a document, without its vector.

    Args:
        principals: who may see it if it names nobody itself.
        whole: make its text one passage.

    Raises:
        ValueError: it has a value that cannot be sent, such as an unpaired surrogate.
    """
    left_out = counts_in_words(Counter(omission.reason for omission in source.omissions))
    metadata = _fitting(source.metadata)
    document = corpus_pb2.Document(
        document_id=source.document_id,
        title=source.title,
        text=source.text,
        url=source.url,
        date=source.date,
        source=source.source,
        metadata={**metadata, LEFT_OUT: left_out} if left_out else metadata,
        principals=source.principals or principals,
        whole=whole,
    )
    for image in source.images:
        fill(image, document.images.add())
    if source.structure is not None and source.text and not whole:
        fill_field(document, "structure", source.structure)
    document.original = source.original
    if document.ByteSize() > MAX_BYTES:
        document.ClearField("original")
    return document


def _fitting(metadata: Mapping[str, str]) -> Mapping[str, str]:
    """The properties that fit together, the shortest first; longer ones are left out."""
    sizes = {name: len(f"{name}{value}".encode("utf-8", "surrogatepass")) for name, value in metadata.items()}
    shortest = sorted(sizes, key=sizes.__getitem__)
    totals = dict(zip(shortest, accumulate(sizes[name] for name in shortest), strict=True))
    return {name: value for name, value in metadata.items() if totals[name] <= MAX_METADATA_BYTES}
