"""Waits for indices that were created a moment ago, perhaps by another process."""

import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

SECONDS: Final = 10.0
PAUSE_SECONDS: Final = 0.1
NO_SHARD: Final = 503
"""The status of reading an index none of whose shards has started."""


def await_readable(client: "Elasticsearch", index: str) -> None:
    """Return once the index can be read: one that exists may still lack its shards.

    Raises:
        elasticsearch.ApiError: it cannot be read within `SECONDS`, or is refused.
    """
    from elasticsearch import ApiError

    end = time.monotonic() + SECONDS
    while True:
        try:
            client.count(index=index)
            return
        except ApiError as error:
            if error.meta.status != NO_SHARD or time.monotonic() > end:
                raise
        time.sleep(PAUSE_SECONDS)
