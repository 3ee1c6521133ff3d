"""Messages as an embedding model with one-valued vectors would read them, for tests."""

import numpy as np

from services.decompose.wording.words import Message, split_words


def message(text: str, *, is_users: bool = True, width: int = 1) -> Message:
    """A message whose vectors are zero and whose words are equally common."""
    words = split_words(text)
    ones = np.ones(len(words), np.float32)
    return Message(text, is_users, words, np.zeros((len(words), width), np.float32), ones, ones)


def answer(text: str) -> Message:
    """A message of the agent."""
    return message(text, is_users=False)
