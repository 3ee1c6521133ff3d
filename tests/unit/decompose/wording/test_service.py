"""Each message is read once, whoever asks first."""

from collections.abc import Sequence

import numpy as np

from libs.inference.tokens import Tokens
from services.decompose.wording.service import WordingService
from services.decompose.wording.tagger import STATE_LAYERS
from services.decompose.wording.words import split_words

QUESTION, ANSWER, TURN = (True, "When did Viking 1 land?"), (False, "It landed in 1976."), "Who built it?"


class CountingReader:
    """Reads each word as one token, and remembers the texts."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    async def read(self, texts: Sequence[str]) -> list[Tokens]:
        self.texts += texts
        return [self._tokens(text) for text in texts]

    def _tokens(self, text: str) -> Tokens:
        offsets = [(word.start, word.end) for word in split_words(text)]
        return Tokens([7] * len(offsets), offsets, np.ones((len(offsets), len(STATE_LAYERS), 384), np.float16))


async def test_what_is_read_ahead_is_not_read_with_the_turn() -> None:
    ahead, alone = CountingReader(), CountingReader()
    service = WordingService(ahead)
    await service.read([QUESTION, ANSWER])
    assert ahead.texts == [QUESTION[1], ANSWER[1]]
    wording = await service.word(TURN, [QUESTION, ANSWER])
    assert ahead.texts[2:] == [TURN]
    assert wording == await WordingService(alone).word(TURN, [QUESTION, ANSWER])
    assert alone.texts == [QUESTION[1], ANSWER[1], TURN]
