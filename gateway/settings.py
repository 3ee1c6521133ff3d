"""Settings of the gateway, read from PARLEY_GATEWAY_* variables when its process starts."""

from pathlib import Path

from pydantic import Field

from libs.runtime.settings import AreaSettings


class GatewaySettings(AreaSettings, area="gateway"):
    """Addresses of the stages, limits of a turn, and storage of conversations."""

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
    """Folder of sessions.db and events.db; created if missing."""
    elasticsearch_url: str = ""
    """The Elasticsearch that stores conversations shared by several gateways: `http(s)://host:port`, several nodes of a
    cluster separated by commas; empty: sessions.db is used."""
    stage_seconds: float = Field(default=10.0, gt=0)  # taste
    """Timeout in seconds of a call to a stage that does not stream text, of one sub-query, and of the timeline, which
    is then left out and reported as degraded."""
    write_seconds: float = Field(default=60.0, gt=0)  # taste
    """Timeout in seconds of writing the answer."""
    references: int = Field(default=16, ge=1, le=150)  # the contract's limit
    """Maximum number of references for an answer. Of the facts that questions in sessions over ten corpora want, a
    language model's prompt has .935 with 12, .954 with 16 and .958 with 20."""
    require_intent: bool = True
    """Fail a turn with UNAVAILABLE if the intent stage cannot be reached, since nothing then says whether the question
    must be refused or is unclear. `false`: such a turn is answered unjudged, with a `degraded` event."""
    search_ahead: bool = True
    """Prefetch the search for the condensed question while it is still being understood and planned. If a language
    model condenses it, the rules' query is searched while the model runs. Most turns need exactly that search and get
    it sooner; for the others it is cancelled. Switch this off if searches are expensive."""
    speculate: bool = True
    """Let a language model start writing from the rules' wording while the question is still being processed. The first
    words arrive one round trip sooner, at the cost of discarded answers. A request may override this; requests with a
    budget are never answered speculatively."""
    keep_sessions_days: float = Field(default=0.0, ge=0)
    """How many days a session is kept after its latest turn; 0 means for ever. It is then deleted for good."""
    keep_sessions: int = Field(default=0, ge=0)
    """How many sessions are kept, those of all users together; beyond it the least recently used ones are deleted. 0
    means all."""
    resume_seconds: float = Field(default=300.0, gt=0)  # taste
    """How long after its end a turn can be resumed. Its events take some 10 KB until then."""
    lease_seconds: float = Field(default=5.0, gt=0.5)  # taste, both
    """After how much silence of a gateway another one takes its turns over, if their clients resume them. Longer than
    the clocks of the gateways differ."""
    record: bool = False
    """Record every turn: store what its stages were sent and what they answered, so that `parley replay` can run it
    again. Otherwise only turns whose request asks for it are recorded."""
