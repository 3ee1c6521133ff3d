"""Settings for access to an Elasticsearch server, read from PARLEY_ELASTICSEARCH_* variables."""

from pathlib import Path

from pydantic import Field, SecretStr

from libs.runtime.settings import AreaSettings, HeaderKey


class ElasticsearchSettings(AreaSettings, area="elasticsearch"):
    """How a gateway or retrieve process uses the Elasticsearch whose URL is set for it."""

    api_key: HeaderKey | None = None
    """An API key in its encoded form."""
    username: str = ""
    """User for basic authentication, if there is no API key."""
    password: SecretStr | None = None
    """Password of that user."""
    ca_certs: Path | None = None
    """File of certificate authorities to verify the server's certificate; None: the default ones."""
    prefix: str = Field(default="parley", pattern=r"^[a-z][a-z0-9_]{0,31}$")  # length: taste
    """Prefix of all index names; two suites may share a server with different prefixes."""
    seconds: float = Field(default=2.0, gt=0, le=60)  # taste
    """Timeout of a request that a user waits for."""
    shards: int = Field(default=1, ge=1, le=64)  # taste
    """Primary shards of a new index; Elastic advises 10 to 50 GB a shard, which is some ten million passages."""
    replicas: str = Field(default="0-1", pattern=r"^\d{1,2}-(\d{1,2}|all)$")  # as Elasticsearch writes it
    """Range of copies of each shard, least and most; the number of nodes limits how many exist."""
