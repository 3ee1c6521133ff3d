"""The texts that a passage is embedded by: windows of a few sentences, each below the passage's title and headings.

A vector of one thought is closer to a question about it than a vector of a whole passage (docsqa: whole answers .886
against .857 for stand-alone questions, .823 against .806 in sessions).
"""

from collections.abc import Iterator, Sequence
from typing import Final

from libs.contracts.structure import Block, BlockKind
from libs.documents.rendering import plain_words
from libs.text.sentences import split_sentences
from services.retrieve.corpus.windows import MOST_WINDOWS

DEFAULT_WINDOW: Final = 400
"""Characters (`docsqa`: 400; the whole passage .02 less)."""


def windows_of(text: str, blocks: Sequence[Block], size: int = DEFAULT_WINDOW, *, language: str) -> list[str]:
    """The windows of a passage in plain words, 1 to 64, each of about `size` characters at most.

    Args:
        text: the passage's text.
        blocks: the passage's blocks.
        size: greatest length of a window, > 0; a passage up to a quarter longer is not cut.
        language: of the text, ISO 639-1.
    """
    plain_text = " ".join(plain_words(text).split())
    if len(plain_text) <= 1.25 * size:
        return [plain_text]
    windows: list[str] = []
    for sentence in _thoughts(text, blocks, size, language):
        if windows and len(windows[-1]) + 1 + len(sentence) <= size:
            windows[-1] = f"{windows[-1]} {sentence}"
        else:
            windows.append(sentence)
    return windows[:MOST_WINDOWS] or [plain_text]


def _thoughts(text: str, blocks: Sequence[Block], size: int, language: str) -> Iterator[str]:
    """Sentences, items, rows and lines of code in plain words; those that are too long in pieces."""
    for block in blocks:
        for piece in _pieces(text, block, language):
            words = " ".join(plain_words(piece).split())
            yield from (words[start : start + size] for start in range(0, len(words), size))


def _pieces(text: str, block: Block, language: str) -> Iterator[str]:
    if block.parts:
        if block.header is not None:
            yield block.header.of(text)
        yield from (part.span.of(text) for part in block.parts)
    elif block.kind is BlockKind.CODE:
        yield from block.span.of(text).split("\n")
    else:
        yield from (sentence.text for sentence in split_sentences(block.span.of(text), language, longest=None))
