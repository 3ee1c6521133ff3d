"""How much the rules read at once, so that their work is bounded on any text.

Rules compare words with words and sentences with sentences; their work grows with the square of what they read at once.
Prose stays below these limits (its longest sentences have about 600 characters, German compounds about 80 letters).
"""

from typing import Final

MAX_WORD: Final = 100
"""Characters of a word; a longer run of letters and digits is no word: a key, a picture in base64, a hostile text
(taste)."""
MAX_SENTENCE: Final = 1000
"""Characters of a sentence; longer text without a stop is divided (taste)."""
MAX_QUESTION: Final = 2000
"""Characters of a question that are interpreted; all of them are searched (taste)."""

MAX_PASSAGE: Final = 100_000
"""Characters of a passage whose structure is inferred; what follows has none. Passages of the corpus bring theirs, and
have about 800 characters (taste)."""
