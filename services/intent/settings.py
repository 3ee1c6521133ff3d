"""What can be set about understanding a question."""

from pathlib import Path
from typing import Literal

from pydantic import Field

from libs.contracts.understanding import Category
from libs.runtime.settings import AreaSettings


class IntentSettings(AreaSettings, area="intent"):
    """Which questions are refused, and when the suite asks back."""

    policy: Path | None = None
    """A policy file of the shape of `services/intent/policy.toml`, in its place."""
    refuse: tuple[Category, ...] | None = None
    """The categories to refuse, in place of what the policy file says; an empty list refuses nothing."""
    engine: Literal["auto", "llm", "rules"] = "auto"
    """Who understands and judges: `auto` asks the language model where one is configured, and else the rules."""
    llm_seconds: float = Field(default=5.0, gt=0)
    """Most time the language model may take for a question before the rules' result stands; keep it below the
    gateway's time for a stage."""
    collection_language: str = Field(default="en", pattern=r"^([a-z]{2})?$")
    """ISO 639-1 code of the language that the documents are in: a language model translates a question in another one;
    empty leaves every question in its own."""
    ask_threshold: float = Field(default=1.5, ge=0)
    """Least ask score of a question that is asked back (MTRAG-UN: 1.5 asks 3 % of the questions that are clear)."""
    resolved_confidence: float = Field(default=0.8, ge=0, le=1)
    """A question that was made to stand alone with at least this confidence is not asked back."""
    most_choices: int = Field(default=5, ge=2, le=5)
    """So many options are offered at most."""
