"""Documents as they are sent."""

from ingest.documents import Omission, OmissionReason, ParsedDocument
from ingest.wire import LEFT_OUT, document_of


def test_as_many_properties_are_sent_as_fit_together() -> None:
    metadata = {"history": "x" * 20_000, "author": "Ann", "notes": "y" * 9_000, "keywords": "z" * 7_000}
    omission = Omission(OmissionReason.PICTURE, "page 1")
    document = document_of(ParsedDocument("a", "Rain.", metadata=metadata, omissions=(omission,)))
    kept = {name: metadata[name] for name in ("author", "keywords")}
    assert document.metadata == {**kept, LEFT_OUT: "1 picture without recognised text"}
