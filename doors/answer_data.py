"""Citations and passages as JSON, the same at each door."""

from typing import Any

from parley.client.answers import Answer
from parley.client.values import Passage

Json = dict[str, Any]


def citations_of(answer: Answer) -> list[Json]:
    """The checked sentences, with the words that they rest on."""
    return [
        {
            "sentence": each.text,
            "verdict": str(each.verdict),
            "answers": each.answers,
            "spans": [
                {"number": span.number, "quote": span.quote, **(place_of(span.passage) if span.passage else {})}
                for span in each.spans
            ],
        }
        for each in answer.citations
    ]


def place_of(passage: Passage) -> Json:
    """Where a passage is from."""
    return {
        "passage_id": passage.passage_id,
        "document_id": passage.document_id,
        "collection": passage.collection,
        "title": passage.title,
        "url": passage.url,
    }
