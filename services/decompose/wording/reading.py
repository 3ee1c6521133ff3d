"""Makes a `Message` of a text and what the embedding model says of its tokens."""

from collections.abc import Callable, Sequence
from itertools import compress
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from libs.inference.tokens import Tokens
from services.decompose.wording.words import Message, split_words

Floats = NDArray[np.float32]
RAREST: Final = 10.4
"""Greatest logarithm of a token's number: BERT's vocabulary has 30,522, the last of them hardly words."""


class TokenReader(Protocol):
    """The embedding model that the tagger is fitted to, in another process."""

    async def read(self, texts: Sequence[str]) -> list[Tokens]:
        """Return the tokens of each text, with the states of those layers that the tagger takes.

        Raises:
            ParleyError: there is no such model, or it does not respond in time.
        """
        ...


def read_message(text: str, is_users: bool, tokens: Tokens, project: Callable[[Floats], Floats]) -> Message:
    """A word's vector is projected from the mean of its tokens; words past the model's limit are left out."""
    words = split_words(text)
    word_starts, word_ends = np.array([(word.start, word.end) for word in words], np.int64).reshape(-1, 2).T[..., None]
    starts, ends = np.array(tokens.offsets, np.int64).reshape(-1, 2).T
    overlap = (starts < word_ends) & (word_starts < ends) & (starts < ends)  # a row per word
    is_read = overlap.any(axis=1)
    overlap = overlap[is_read]
    pieces = overlap.sum(axis=1, dtype=np.float32)
    states = (overlap / pieces[:, None]) @ tokens.states.reshape(len(tokens.ids), -1).astype(np.float32)
    rarest = (overlap * np.array(tokens.ids)).max(axis=1, initial=0)
    return Message(
        text=text,
        is_users=is_users,
        words=tuple(compress(words, is_read)),
        vectors=project(states.reshape(len(pieces), *tokens.states.shape[1:])),
        rarity=np.minimum(np.log1p(rarest, dtype=np.float32), RAREST),
        pieces=pieces,
    )
