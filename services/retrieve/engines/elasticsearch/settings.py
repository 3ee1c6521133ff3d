"""Settings of the Elasticsearch full-text engine. Without a URL the embedded engine is used."""

from pydantic import Field

from libs.elastic.settings import ElasticsearchSettings


class SearchElasticsearchSettings(ElasticsearchSettings, area="retrieve_elasticsearch"):
    """Which Elasticsearch server stores the passages, and whether a learned model weighs tokens."""

    patience_seconds: float = Field(default=3.0, gt=0, le=60)
    """How long a search waits for the server to apply pending writes; then it continues without the server."""
    sparse_endpoint: str = Field(default="", pattern=r"^[a-zA-Z0-9._-]{0,128}$")
    """An inference endpoint of the task sparse_embedding, such as `.elser-2-elasticsearch`; empty: BM25 alone scores.

    Its throughput limits the speed of ingest. A change recreates the indices.
    """
    sparse_weight: float = Field(default=1.0, gt=0, le=100)
    """Weight of the learned tokens' inner product relative to BM25. Not measured: it depends on the model."""
