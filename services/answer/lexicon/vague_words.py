"""Words of a question that describe the kind of answer rather than its subject."""
# ruff: noqa: SIM905 - a list of words reads best as words

from functools import lru_cache

from libs.text.tokens import stem

_VAGUE = """
happen tell describe explain know name kind type sort year date day month time give list find many much thing place
mean country city person people number amount long far high deep tall wide heavy big large old fast hot cold often
take exactly actually course event timeline chronology overview summary summarise summarize history story compare
comparison difference please get use mission programme program project latest newest news recent update currently today
"""
_DECISIVE = """
first second third fourth last final only largest smallest longest shortest highest lowest oldest youngest newest
fastest heaviest strongest most least record best worst main
"""
_ORDINAL = "first second third fourth last final only most least"
_BEFORE_COUNTS = "first last top next past since until around roughly nearly almost least year years day days within"
LEANING = frozenset("it they he she this these those that its their his her such then there both".split())
"""A sentence that begins with one of these refers to the text before it."""


@lru_cache(maxsize=1)
def vague_stems() -> frozenset[str]:
    """Return the stems of words such as `happen`, `year`, `long`."""
    return frozenset(stem(word) for word in _VAGUE.split())


@lru_cache(maxsize=1)
def decisive_stems() -> frozenset[str]:
    """Return the stems of words that select one of many: `first`, `only`, `largest`."""
    return frozenset(stem(word) for word in _DECISIVE.split())


@lru_cache(maxsize=1)
def superlative_stems() -> frozenset[str]:
    """Return the stems of words that compare all of a kind: `largest`, not `first`."""
    return decisive_stems() - {stem(word) for word in _ORDINAL.split()}


@lru_cache(maxsize=1)
def stems_before_counts() -> frozenset[str]:
    """Return the stems of words that precede a count and are not part of a name: `first 7`."""
    return frozenset(stem(word) for word in _BEFORE_COUNTS.split())
