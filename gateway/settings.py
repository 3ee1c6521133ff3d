"""Settings of the gateway."""

from pathlib import Path

from pydantic import Field

from libs.elastic.settings import ElasticsearchSettings
from libs.runtime.settings import AreaSettings


class GatewaySettings(AreaSettings, area="gateway"):
    """Where the stages are, what a turn may take, where conversations are kept."""

    intent: str = ""
    """Address of the intent stage; empty means the gateway's port + 1 on its host."""
    decompose: str = ""
    """Address of the decompose stage; empty means the gateway's port + 2 on its host."""
    retrieve: str = ""
    """Address of the retrieve stage; empty means the gateway's port + 3 on its host."""
    answer: str = ""
    """Address of the answer stage; empty means the gateway's port + 4 on its host."""
    timeline: str = ""
    """Address of the timeline stage; empty means the gateway's port + 5 on its host."""
    data: Path = Path(".parley")
    """Folder that holds sessions.db; made when missing."""
    stage_seconds: float = Field(default=10.0, gt=0)
    """Greatest time of a call to a stage that does not stream text."""
    node_seconds: float = Field(default=10.0, gt=0)
    """Greatest time of one sub-query."""
    write_seconds: float = Field(default=60.0, gt=0)
    """Greatest time of writing the answer."""
    timeline_seconds: float = Field(default=10.0, gt=0)
    """Greatest time of the timeline; a later one is left out, and said."""
    references: int = Field(default=12, ge=1, le=150)
    """Greatest number of references an answer is written from; txtai, LlamaIndex and LangChain write from 4 to 10."""
    timeline_evidence: int = Field(default=30, ge=1, le=150)
    """Passages a sub-query that a timeline is built from."""
    probe_score: float = Field(default=1.5, ge=0)
    """Least ask_score of a question whose possible topics are looked for before it is asked back; keep it at or below
    the intent stage's own threshold."""
    search_ahead: bool = True
    """Search for the condensed question while it is still being understood and planned, and, where a language model
    condenses, what will be searched whatever it says, or what stands alone already, while it is asked: most turns want
    that very search, and have it sooner; of the others it is given up (off where a search is dear)."""
    speculate: bool = True
    """Let a language model begin to write while the question is still being read, on the rules' words: the first words
    come one round trip sooner, and what is written in vain is paid for. A request may say otherwise; one with a budget
    is not speculated on."""
    recommendations: int = Field(default=3, ge=0, le=6)
    """Greatest number of follow-ups proposed."""
    keep_questions_seconds: float = Field(default=3600.0, gt=0)
    """How long a question of phase 1 waits for phase 2, and an answer for a retry with its request_id."""


class SharedStoreSettings(ElasticsearchSettings, area="gateway_elasticsearch"):
    """The Elasticsearch that keeps conversations where several gateways share them; without a URL sessions.db does."""
