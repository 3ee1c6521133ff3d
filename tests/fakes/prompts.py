"""The built-in prompts of the stages."""

from pathlib import Path

import services
from libs.llm.prompts import PromptLibrary


def prompts_of(stage: str) -> PromptLibrary:
    """The prompts of a stage, none of them replaced."""
    return PromptLibrary(Path(services.__path__[0]) / stage / "prompts")


ANSWER, DECOMPOSE, INTENT, TIMELINE = map(prompts_of, ("answer", "decompose", "intent", "timeline"))
