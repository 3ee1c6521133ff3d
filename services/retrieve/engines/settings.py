"""Settings of the Elasticsearch full-text engine. Without a URL the embedded engine is used."""

from typing import Literal

from pydantic import Field, SecretStr

from libs.elastic.settings import ElasticsearchSettings
from libs.runtime.settings import AreaSettings


class SearchElasticsearchSettings(ElasticsearchSettings, area="retrieve_elasticsearch"):
    """Which Elasticsearch server stores the passages, and whether a learned model weighs tokens."""

    patience_seconds: float = Field(default=3.0, gt=0, le=60)
    """How long a search waits for the server to apply pending writes; then it continues without the server."""
    sparse_endpoint: str = Field(default="", pattern=r"^[a-zA-Z0-9._-]{0,128}$")
    """An inference endpoint of the task sparse_embedding, such as `.elser-2-elasticsearch`; empty: BM25 alone scores.

    Its throughput limits the speed of ingest. A change recreates the indices.
    """


class MilvusSettings(AreaSettings, area="retrieve_milvus"):
    """Which Milvus server stores the vectors, and its timeouts."""

    uri: str = Field(default="", pattern="^(https?://.+)?$")
    """Address of a Milvus server or a Zilliz cluster; empty: vectors are searched in this process."""
    token: SecretStr = SecretStr("")
    """An API key, or `user:password`; empty if the server requires none."""
    database: str = ""
    """The database on the server; empty for the default one."""
    prefix: str = Field(default="parley", pattern="^[A-Za-z_][A-Za-z0-9_]{0,63}$")
    """Prefix of the collection names of this program."""
    index: Literal["HNSW", "AUTOINDEX", "FLAT"] = "HNSW"
    """Type of the vector index; Zilliz supports only AUTOINDEX. Applies to newly created collections."""
    seconds: float = Field(default=3.0, gt=0, le=60)
    """Timeout of a search; a slower one is left out. Milvus Lite takes .6 s over 20,000 passages."""
    write_seconds: float = Field(default=30.0, gt=0, le=600)
    """Timeout of one batch of writes, and of creating or loading a collection."""
    patience_seconds: float = Field(default=3.0, gt=0, le=60)
    """How long a search waits for the server to apply pending writes; then it continues without the server."""
