"""What can be set about Milvus. Without an address the embedded vector engine searches."""

from typing import Literal

from pydantic import Field, SecretStr

from libs.runtime.settings import AreaSettings


class MilvusSettings(AreaSettings, area="retrieve_milvus"):
    """Which Milvus holds the vectors, and how long it may take."""

    uri: str = Field(default="", pattern="^(https?://.+)?$")
    """Address of a Milvus or of a Zilliz cluster; empty: vectors are searched within this process."""
    token: SecretStr = SecretStr("")
    """An API key, or `user:password`; empty: the server asks for none."""
    database: str = ""
    """The database within the server; empty: its default one."""
    prefix: str = Field(default="parley", pattern="^[A-Za-z_][A-Za-z0-9_]{0,63}$")
    """The names of this program's collections begin so."""
    index: Literal["HNSW", "AUTOINDEX", "FLAT"] = "HNSW"
    """Kind of the vector index; Zilliz knows AUTOINDEX alone. Takes effect on collections that are made anew."""
    seconds: float = Field(default=3.0, gt=0, le=60)
    """Greatest time of a search; a later one takes no part. Milvus Lite takes .6 s over 20,000 passages."""
    write_seconds: float = Field(default=30.0, gt=0, le=600)
    """Greatest time of one batch of writes, of making a collection or of loading one."""
    patience_seconds: float = Field(default=3.0, gt=0, le=60)
    """How long a search waits until the server has taken in what was written; then it goes on without the server."""
    batch: int = Field(default=1000, ge=1, le=10_000)
    """Passages written at once; with 1,024 values each these are 4 MB, a server takes up to 64."""
