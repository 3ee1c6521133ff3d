"""Patterns of a language: regular expressions whose matching takes linear time on any text.

Every repeat has an upper bound, so one attempt at a position reads a bounded number of characters. Strangers write
these patterns, and hostile documents are read with them. An automaton such as RE2 would give the same guarantee, but
its `\\b` and `\\w` know only ASCII: `\\büber` never matches, and `\\bno\\b` matches within `noël` (google-re2 1.1).
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

NEVER: Final = r"(?!)"
"""Matches nothing: a list without words."""
MAX_WAYS: Final = 5_000
"""Maximum product of the bounds of nested repeats: `(?:\\w{1,40} ){0,3}` has 120 (taste)."""
_REFERENCE: Final = re.compile(r"\{([a-z_]+(?:\.[a-z_]+)?)\}")
_LINE_BREAK: Final = re.compile(r"\s*\n\s*")
_TOKENS: Final = re.compile(
    r"(?P<escape>\\.)|(?P<class>\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\])|(?P<open>\((?:\?P<\w+>)?)|(?P<close>\))"
    r"|(?P<repeat>\{(?P<low>\d*),?(?P<high>\d*)\}|[*+?])(?P<mode>[+?]?)|(?P<other>.)",
    re.DOTALL,
)


class PatternError(ValueError):
    """A pattern cannot be used; the message says why."""


def compile_pattern(source: str, resolve: Callable[[str], str]) -> re.Pattern[str]:
    """Compile a pattern of a language file.

    Line breaks with the white space around them are dropped, so that a long pattern can be written on several lines.

    Args:
        source: the pattern; `{name}` stands for another list or pattern.
        resolve: returns the pattern of a name.

    Raises:
        PatternError: a repeat has no upper bound, the nested bounds multiply too far, or the syntax is wrong.
    """
    plain = _LINE_BREAK.sub("", source.strip())
    expansion = _REFERENCE.sub(lambda reference: resolve(reference[1]), plain)
    check_bounded(expansion)
    try:
        return re.compile(expansion)
    except re.error as error:
        raise PatternError(f"{error} in {plain!r}") from error


def any_of(phrases: Iterable[str]) -> str:
    """A pattern of literal phrases, longest first, in which a space matches any white space; `NEVER` without phrases.

    It has no word boundaries. White space has at most eight characters (taste).
    """
    longest_first = sorted(set(phrases), key=lambda phrase: (-len(phrase), phrase))
    return f"(?:{'|'.join(map(_literal, longest_first)) or NEVER})"


def _literal(phrase: str) -> str:
    return r"\s{1,8}".join(map(re.escape, phrase.split()))


def check_bounded(pattern: str) -> None:
    """Check that matching takes linear time.

    Raises:
        PatternError: a repeat has no upper bound, or nested bounds multiply beyond `MAX_WAYS`.
    """
    if (ways := _ways(_TOKENS.finditer(pattern))) > MAX_WAYS:
        raise PatternError(f"nested repeats of up to {ways} rounds in {pattern!r}; at most {MAX_WAYS} are allowed")


def _ways(tokens: Iterator[re.Match[str]]) -> int:
    """The largest product of nested bounds up to the end of the current group."""
    most = last = 1
    for token in tokens:
        if token["close"]:
            break
        if token["repeat"]:
            last *= _bound(token)
        else:
            last = _ways(tokens) if token["open"] else 1
        most = max(most, last)
    return most


def _bound(token: re.Match[str]) -> int:
    repeat = token["repeat"]
    if repeat == "?":
        return 1
    if repeat in "*+" or not (token["high"] or "," not in repeat):
        raise PatternError(f"{repeat!r} has no upper bound in {token.string!r}; write {{0,40}} or the like")
    return int(token["high"] or token["low"])
