"""Taggers that take the words they are told to."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from libs.runtime.errors import ParleyError
from services.decompose.wording.service import Said, StandaloneWording, WordingService
from services.decompose.wording.words import Message


@dataclass
class ScriptedWording(WordingService):
    """Takes those of these words that a turn lacks, and remembers what it was asked."""

    stretches: tuple[str, ...] = ()
    error: ParleyError | None = None
    asked: list[tuple[str, Sequence[Said]]] = field(default_factory=list)
    read_ahead: list[Sequence[Said]] = field(default_factory=list)

    async def word(self, turn: str, history: Sequence[Said]) -> StandaloneWording:
        """See `WordingService`."""
        self.asked.append((turn, history))
        if self.error:
            raise self.error
        missing = tuple(stretch for stretch in self.stretches if stretch not in turn)
        text = f"{turn.rstrip('?')} ({', '.join(missing)})?" if missing else turn
        return StandaloneWording(text, text, missing, 0.7 if missing else 0.1, leaves_topic=False)

    async def read(self, said: Sequence[Said]) -> list[Message]:
        """See `WordingService`."""
        self.read_ahead.append(said)
        if self.error:
            raise self.error
        return []

    def load(self) -> None:
        """Nothing to load."""


@dataclass(frozen=True)
class GivenWording(WordingService):
    """Words every turn in the same way."""

    wording: StandaloneWording

    async def word(self, turn: str, history: Sequence[Said]) -> StandaloneWording:
        """See `WordingService`."""
        return self.wording
