"""What tests of the ingest share: files of documents, and what a suite answers."""

import json
from pathlib import Path
from typing import Any

from parley.retrieve.v1 import corpus_pb2


def lines(path: Path, *documents: dict[str, Any]) -> Path:
    """A file of a document a line."""
    path.write_text("".join(f"{json.dumps(document)}\n" for document in documents))
    return path


def answer(document: corpus_pb2.Document, status: str, reason: str = "", text: str = "") -> corpus_pb2.IngestResponse:
    """What a suite says of a document."""
    return corpus_pb2.IngestResponse(
        document_id=document.document_id,
        status=corpus_pb2.IngestStatus.Value(f"INGEST_STATUS_{status}"),
        passages=0 if status in ("FAILED", "EMPTY") else 2,
        reason=reason,
        description=text,
    )
