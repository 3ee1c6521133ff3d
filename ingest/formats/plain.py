"""Plain text, with its structure. Reading blocks."""

from collections.abc import Iterator

from ingest.content import Content
from ingest.detection.charsets import decoded
from ingest.documents import ReadResult
from ingest.titles import plain_title
from libs.documents.furniture import without_page_furniture
from libs.documents.plain import parse_plain


def read(content: Content) -> Iterator[ReadResult]:
    """Yield one document, titled by its text, else by its file's name; errors as in `Reader`."""
    source = decoded(content.read(), content.charset)
    text = without_page_furniture(source.text).strip("\n")
    yield content.document(text, title=plain_title(text), structure=parse_plain(text), omissions=source.omissions)
