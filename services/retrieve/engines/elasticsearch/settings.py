"""What can be set about the Elasticsearch that searches. Without a URL the embedded full-text engine does."""

from pydantic import Field

from libs.elastic.settings import ElasticsearchSettings


class SearchElasticsearchSettings(ElasticsearchSettings, area="retrieve_elasticsearch"):
    """Which Elasticsearch holds the passages, and whether it weighs tokens by a learned model."""

    patience_seconds: float = Field(default=3.0, gt=0, le=60)
    """How long a search waits until the server has taken in what was written; then it goes on without the server."""
    sparse_endpoint: str = Field(default="", pattern=r"^[a-zA-Z0-9._-]{0,128}$")
    """An inference endpoint of the task sparse_embedding, such as `.elser-2-elasticsearch`; empty: BM25 alone scores.
    Passages are taken in as fast as it embeds them. A change makes the indices anew."""
    sparse_weight: float = Field(default=1.0, gt=0, le=100)
    """What the inner product of learned tokens counts beside BM25. Not measured: it belongs to the model."""
