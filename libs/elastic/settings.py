"""How an Elasticsearch server is reached, for every area of settings that knows one."""

from pathlib import Path

from pydantic import Field, SecretStr

from libs.runtime.settings import AreaSettings


class ElasticsearchSettings(AreaSettings):
    """The base of areas whose process may use an Elasticsearch server; without a URL it uses none."""

    url: str = ""
    """`http(s)://host:port`, several nodes of a cluster separated by commas; empty: none is used."""
    api_key: SecretStr | None = None
    """An API key in its encoded form."""
    username: str = ""
    """For basic authentication, where there is no API key."""
    password: SecretStr | None = None
    """Belongs to the username."""
    ca_certs: Path | None = None
    """A file of certificate authorities that the server's certificate is checked against; None: the usual ones."""
    prefix: str = Field(default="parley", pattern=r"^[a-z][a-z0-9_]{0,31}$")
    """What the names of all indices begin with; two suites may share a server under different ones."""
    seconds: float = Field(default=2.0, gt=0, le=60)
    """Greatest time of a request that somebody waits for."""
    connections: int = Field(default=16, ge=1, le=256)
    """Connections kept open to each node."""
    shards: int = Field(default=1, ge=1, le=64)
    """Primary shards of a new index; Elastic advises 10 to 50 GB a shard, which is some ten million passages."""
    replicas: str = Field(default="0-1", pattern=r"^\d{1,2}-(\d{1,2}|all)$")
    """Copies of each shard, from as few to as many as there are nodes for."""
