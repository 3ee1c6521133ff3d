"""The steps of building a timeline, with the field names of the stage's contract."""

from dataclasses import dataclass
from typing import TypeAlias

from libs.contracts.timeline import Timeline
from libs.contracts.usage import Degraded, Progress, Usage


@dataclass(frozen=True, slots=True)
class Built:
    """The timeline; the last step."""

    timeline: Timeline
    usage: tuple[Usage, ...] = ()


Step: TypeAlias = Progress | Degraded | Built
