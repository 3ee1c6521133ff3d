"""A line of JSON that cannot be read costs that line, however bad it is."""

import pytest

from ingest.bounds import ReadingBounds
from ingest.content import Content
from ingest.documents import ParsedDocument, Unreadable
from ingest.readers import read

DEEP = 100_000


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("[" * DEEP, "is too deep to be read"),
        ('{"text": "Deep.", "tags": ' + "[" * DEEP + "]" * DEEP + "}", "is too deep to be read"),
        ('{"text": "A number.", "count": ' + "7" * 5000 + "}", "is not JSON"),
        ('{"text": "' + "long " * 20_000 + '"}', "is longer than 50,000 bytes"),
    ],
    ids=["brackets", "deep", "number", "long"],
)
def test_the_lines_after_a_bad_one_are_read(line: str, reason: str) -> None:
    data = "\n".join(['{"id": "a", "text": "Tin."}', line, '{"id": "b", "text": "Lead."}']).encode()
    bounds = ReadingBounds(line_bytes=50_000 if "longer" in reason else 10**6)
    first, bad, last = read(Content("x.jsonl", "x.jsonl", "x.jsonl", data=data, bounds=bounds))
    assert isinstance(first, ParsedDocument)
    assert bad == Unreadable("x.jsonl", reason, 2)
    assert isinstance(last, ParsedDocument)
    assert (first.text, last.text) == ("Tin.", "Lead.")
