"""The names of the stages, in the order of their ports after the gateway's."""

from typing import Final

STAGES: Final = ("intent", "decompose", "retrieve", "answer", "timeline")
