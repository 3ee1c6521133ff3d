"""Settings of the intent stage, read from the environment or a file when the stage opens."""

from pathlib import Path
from typing import Literal

from pydantic import Field

from libs.contracts.understanding import Category
from libs.engines.catalog import ENGINE_NAME
from libs.runtime.settings import AreaSettings


class IntentSettings(AreaSettings, area="intent"):
    """Which questions are refused, and when the stage asks back."""

    policy: Path | None = None
    """A policy file in the format of `services/intent/policy/policy.toml`, which replaces those of all languages."""
    refuse: tuple[Category, ...] | None = None
    """The categories to refuse, overriding the policy file; an empty list refuses nothing."""
    engine: Literal["auto", "llm", "rules"] = "auto"
    """Engine that understands and judges: `auto` uses the language model if one is configured, else the rules."""
    judge_engine: str = Field(default="auto", pattern=ENGINE_NAME)
    """Engine that judges a question for callers of `Judge`: `auto` is the one that understands; or the name of an
    engine of another package, which `auto` replaces if it fails."""
    ask_threshold: float = Field(default=1.0, ge=0)
    """Minimum ask score for asking back: how many words point to something that nobody named (on MTRAG-UN, 1 asks back
    on 1 % of the clear questions)."""
