"""Settings of the Elasticsearch and Milvus engines; without an address the embedded one is used. Lengths are taste."""

from typing import Literal

from pydantic import Field, SecretStr

from libs.runtime.settings import AreaSettings


class SearchElasticsearchSettings(AreaSettings, area="retrieve_elasticsearch"):
    """Which Elasticsearch server stores the passages, and whether a learned model weighs tokens."""

    url: str = ""
    """`http(s)://host:port`, several nodes of a cluster separated by commas; empty: none is used."""
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
    seconds: float = Field(default=3.0, gt=0, le=60)  # taste
    """Timeout of a search; a slower one is left out. Milvus Lite takes .6 s over 20,000 passages."""
