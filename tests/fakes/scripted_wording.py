"""Taggers that take the words they are told to."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from libs.runtime.errors import ParleyError
from services.decompose.wording.service import Said, StandaloneWording


@dataclass
class ScriptedWording:
    """Takes those of these words that a turn lacks, and remembers what it was asked."""

    stretches: tuple[str, ...] = ()
    error: ParleyError | None = None
    asked: list[tuple[str, Sequence[Said]]] = field(default_factory=list)
    read_ahead: list[Sequence[Said]] = field(default_factory=list)

    async def word(self, turn: str, history: Sequence[Said]) -> StandaloneWording:
        """See `Wording`."""
        self.asked.append((turn, history))
        if self.error:
            raise self.error
        missing = tuple(stretch for stretch in self.stretches if stretch not in turn)
        text = f"{turn.rstrip('?')} ({', '.join(missing)})?" if missing else turn
        return StandaloneWording(text, text, missing, 0.7 if missing else 0.1, leaves_topic=False)

    async def read(self, said: Sequence[Said]) -> None:
        """See `Wording`."""
        self.read_ahead.append(said)
        if self.error:
            raise self.error

    def load(self) -> None:
        """Nothing to load."""


@dataclass(frozen=True)
class GivenWording:
    """Words every turn in the same way."""

    wording: StandaloneWording

    async def word(self, turn: str, history: Sequence[Said]) -> StandaloneWording:
        """See `Wording`."""
        return self.wording

    async def read(self, said: Sequence[Said]) -> None:
        """Nothing to read."""

    def load(self) -> None:
        """Nothing to load."""
