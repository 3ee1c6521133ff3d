"""Settings for condensing and planning, read from the environment or a file when the stage opens."""

from pathlib import Path
from typing import Literal

from pydantic import Field

from libs.engines.catalog import ENGINE_NAME
from libs.runtime.settings import AreaSettings, Tuned
from services.decompose.query.context import SENTENCES, TRADE_OFF


class DecomposeSettings(AreaSettings, area="decompose"):
    """How a follow-up becomes a query, and with which domain words."""

    strategy: Tuned[Literal["LAST_TURN", "LADDER", "WEIGHTED", "MMR", "MULTI_QUERY", "LLM"]] = "WEIGHTED"
    """What goes to retrieval if the request names no strategy; the standalone question is always produced."""
    engine: str = Field(default="auto", pattern=ENGINE_NAME)
    """What condenses a turn: `auto` uses the language model if one is configured, otherwise the rules; `llm`, `rules`,
    or the name of an engine of another package, which `auto` replaces if it fails."""
    domain: Tuned[Path | None] = None
    """A domain file in the format of `libs/language/data/en/domains/general.toml`, or the bare name of one beside
    it (`maternal_health`) or in the folder `en/domains` of PARLEY_LANGUAGE_DATA."""

    inference: str = "127.0.0.1:50054"
    """Address of the process that computes embeddings (the retrieve stage); used only by MMR and MULTI_QUERY."""
    mmr_sentences: Tuned[int] = Field(default=SENTENCES, ge=1, le=50)  # taste
    """MMR: number of history sentences to select."""
    mmr_trade_off: Tuned[float] = Field(default=TRADE_OFF, ge=0, le=1)
    """MMR: lambda, the weight of similarity to the question against dissimilarity to sentences already selected."""

    plan_engine: str = Field(default="auto", pattern=ENGINE_NAME)
    """What plans sub-queries: `auto` uses the language model if one is configured, otherwise the rules; `llm`, `rules`,
    or the name of an engine of another package, which `auto` replaces if it fails."""
