"""Words a turn by the tagger, from what the embedding model reads of the conversation."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from libs.inference.tokens import Tokens
from libs.runtime.threads import in_thread_unless
from services.decompose.wording.choosing import choose, surest
from services.decompose.wording.inputs import read_inputs
from services.decompose.wording.pointers import names_antecedent
from services.decompose.wording.reading import TokenReader, read_message
from services.decompose.wording.spans import stand_alone, stretches
from services.decompose.wording.tagger import Tagger, read_weights
from services.decompose.wording.words import Message

WEIGHTS: Final = Path(__file__).parent / "weights.npz"
CACHED_MESSAGES: Final = 512
"""Messages whose words stay read: about 30 MB for answers of 300 words. By hand, some 40 conversations."""
LONGEST: Final = 2000
"""Characters that are read of a question; the embedding model reads about as many (384 tokens)."""
LONGEST_ANSWER: Final = 400
"""Of an answer. Of the words that people carried on, 93 % stand there or in a question, 99 % in 1,000 characters, whose
reading takes 20 ms more (444 turns after answers, TREC iKAT and CAsT)."""
FEW: Final = 3
"""Messages that are projected on the event loop, in .2 to .7 ms each."""

Said = tuple[bool, str]
"""Whether the user said it, and the text."""


@dataclass(frozen=True, slots=True)
class StandaloneWording:
    """What a turn takes from its history."""

    text: str
    """The turn that stands alone."""
    sure_text: str
    """The same with only those words that it surely needs."""
    stretches: tuple[str, ...]
    """What was taken, as it stands in the history; empty if the turn needs nothing."""
    need: float
    """Probability that the turn needs anything."""
    leaves_topic: bool
    """Whether it is about something else than the history."""


class WordingService:
    """Reads each message once, and keeps the newest; knows nothing of conversations."""

    def __init__(self, reader: TokenReader, weights: Path = WEIGHTS) -> None:
        self._reader = reader
        self._weights = weights
        self._messages: dict[Said, Message] = {}

    @cached_property
    def _tagger(self) -> Tagger:
        return Tagger(read_weights(self._weights))

    def load(self) -> None:
        """Load the weights, blocking; otherwise the first wording does."""
        _ = self._tagger

    async def word(self, turn: str, history: Sequence[Said]) -> StandaloneWording:
        """Word a turn by what was said before it, oldest first.

        Raises:
            ParleyError: the words could not be read.
        """
        *messages, last = await self.read([*history, (True, turn)])
        needed = self._tagger(read_inputs(last, messages))
        chosen = choose(needed, messages)
        sure = {} if names_antecedent(last, messages) else surest(needed, chosen)
        return StandaloneWording(
            stand_alone(turn, messages, chosen),
            stand_alone(turn, messages, sure),
            stretches(messages, chosen),
            needed.need,
            needed.leaves_topic,
        )

    async def read(self, said: Sequence[Said]) -> list[Message]:
        """The messages; those not in the cache are read in one request. Raises as `word`."""
        known = {each: self._messages[each] for each in said if each in self._messages}
        missing = list(dict.fromkeys(each for each in said if each not in known))
        if missing:
            tokens = await self._reader.read(
                [text[: LONGEST if is_users else LONGEST_ANSWER] for is_users, text in missing]
            )
            known |= await in_thread_unless(len(missing) <= FEW, self._project, missing, tokens)
        self._keep(known)
        return [known[each] for each in said]

    def _project(self, said: Sequence[Said], tokens: Sequence[Tokens]) -> dict[Said, Message]:
        project = self._tagger.project
        return {
            (is_users, text): read_message(text, is_users, each, project)
            for (is_users, text), each in zip(said, tokens, strict=True)
        }

    def _keep(self, messages: dict[Said, Message]) -> None:
        others = {said: message for said, message in self._messages.items() if said not in messages}
        self._messages = dict([*others.items(), *messages.items()][-CACHED_MESSAGES:])
