"""Removes a hidden session from Elasticsearch, with the texts that no other turn names.

No transaction spans documents, so the order matters. A writer stores its turn first and its texts afterwards. A removal
reads the versions of the texts first, then searches for other turns that name them, and deletes only texts of those
versions. So a turn that the search did not see writes its texts later, and they stay.

The search looks into the sessions first and then into the turns, as the newest turn of a session moves from there to
here. What an interrupted removal leaves is removed by the next one: the session's document goes last.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from gateway.store.elastic.indices import Indices
from gateway.store.elastic.session_documents import turn_key

TURNS_AT_ONCE: Final = 50
"""Turns whose texts are searched for at once; each names some dozen."""


class ElasticsearchRemoval:
    """Removes sessions; all calls block."""

    def __init__(self, indices: Indices) -> None:
        self._indices = indices

    def remove(self, session_id: str) -> None:
        """See SessionStore.remove."""
        document = self._indices.get("sessions", session_id)
        if document is None or not document.source["hidden"]:
            return
        session = document.source
        for first in range(1, session["position"], TURNS_AT_ONCE):
            last = min(first + TURNS_AT_ONCE, session["position"])
            keys = [turn_key(session["key"], position) for position in range(first, last)]
            rows = self._indices.get_all("turns", keys, ["digests"])
            self._remove_texts(session["key"], [digest for row in rows for digest in row.source["digests"]])
            self._indices.delete("turns", keys)
        self._remove_texts(session["key"], session["digests"])
        self._indices.delete_as_read("sessions", [document])  # another gateway may have removed it first

    def _remove_texts(self, key: str, digests: Iterable[str]) -> None:
        """Delete the texts that no turn names but those of the session with this key."""
        names = list(dict.fromkeys(digests))
        if not names:
            return
        texts = self._indices.get_all("texts", names, fields=False)
        named = self._named_elsewhere("sessions", key, names) | self._named_elsewhere("turns", key, names)
        self._indices.delete_as_read("texts", [text for text in texts if text.key not in named])

    def _named_elsewhere(self, kind: str, key: str, digests: Sequence[str]) -> set[str]:
        self._indices.refresh(kind)
        query = {"bool": {"filter": {"terms": {"digests": digests}}, "must_not": {"term": {"key": key}}}}
        names = {"terms": {"field": "digests", "include": digests, "size": len(digests)}}
        response = self._indices.search(kind, query=query, size=0, aggregations={"names": names})
        return {bucket["key"] for bucket in response["aggregations"]["names"]["buckets"]}
