"""Makes a `Message` of a text and what the embedding model says of its tokens."""

from collections.abc import Callable, Sequence
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from libs.inference.tokens import Tokens
from services.decompose.wording.words import Message, Word, split_words

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
    read = [
        (word, places) for word, places in zip(words, _tokens_of_words(words, tokens.offsets), strict=True) if places
    ]
    shares = np.zeros((len(read), len(tokens.ids)), np.float32)
    for share, (_, places) in zip(shares, read, strict=True):
        share[places] = 1 / len(places)
    states = shares @ tokens.states.reshape(len(tokens.ids), -1).astype(np.float32)
    rarest = [max(tokens.ids[place] for place in places) for _, places in read]
    return Message(
        text=text,
        is_users=is_users,
        words=tuple(word for word, _ in read),
        vectors=project(states.reshape(len(read), *tokens.states.shape[1:])),
        rarity=np.minimum(np.log1p(np.array(rarest, np.float32)), RAREST),
        pieces=np.array([len(places) for _, places in read], np.float32),
    )


def _tokens_of_words(words: Sequence[Word], offsets: Sequence[tuple[int, int]]) -> list[list[int]]:
    """For each word the indices of the tokens that overlap it."""
    present = [(index, start, end) for index, (start, end) in enumerate(offsets) if end > start]
    found: list[list[int]] = []
    place = 0
    for word in words:
        while place < len(present) and present[place][2] <= word.start:
            place += 1
        upto = place
        while upto < len(present) and present[upto][1] < word.end:
            upto += 1
        found.append([index for index, _, _ in present[place:upto]])
    return found
