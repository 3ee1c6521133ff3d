"""A real Elasticsearch and Milvus Lite's server on this machine, until Ctrl-C; prints the settings that choose them.

They are those of the tests: `make integration` fetches them. What they hold is deleted at the end.
"""

import signal
import sys
from contextlib import closing
from types import FrameType

from tests.integration.elasticsearch.process import ElasticsearchProcess
from tests.integration.milvus.process import MilvusProcess


def main() -> None:
    """Start both, print, wait."""
    signal.signal(signal.SIGTERM, _interrupt)
    with closing(ElasticsearchProcess()) as elasticsearch, closing(MilvusProcess()) as milvus:
        try:
            elasticsearch.start()
            milvus.start()
            sys.stdout.write(f"export PARLEY_RETRIEVE_ELASTICSEARCH_URL={elasticsearch.url}\n")
            sys.stdout.write(f"export PARLEY_GATEWAY_ELASTICSEARCH_URL={elasticsearch.url}\n")
            sys.stdout.write(f"export PARLEY_RETRIEVE_MILVUS_URI={milvus.uri}\n")
            sys.stdout.flush()
            signal.pause()
        except KeyboardInterrupt:
            pass


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    main()
