"""Takes greetings, thanks and approval off a turn; what is left is what the turn is about.

A courtesy consists of courtesy phrases, and of statements whose content words all belong to a small vocabulary of the
language (`thanks, that worked`). Whatever names something else, or asks, is left: `great, now the weight of it`. A
phrase without a mark after it is taken off only before words that begin another clause: `ok what …`, not `great wall`.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import regex

from libs.contracts.conversation import Courtesy
from libs.language.files import known_languages
from libs.language.known import language_of
from libs.language.topics.grammar import NounPhrases
from libs.language.topics.turns import TurnForms
from libs.language.turns.wordings import content_of, phrase_at, phrase_pattern, words_of

LONGEST: Final = 120
"""Maximum length of a courtesy, in characters (taste)."""
MAX_COURTESIES: Final = 8
"""Maximum courtesies before the matter that are taken off (taste)."""
_ASKS: Final = regex.compile(r"[?？؟]")
_MARKS: Final = regex.compile(r"[\s.!?,;:…。！，、–—-]*")
_MARK: Final = regex.compile(r"\s*(?:[.!?,;:…。！，、–—\n]|-\s|\Z)")
_MARKS_BEFORE: Final = tuple(".!?,;…–—-")
_CLAUSE: Final = regex.compile(r"[^.!,;:…。！，、\n–—]+")


@dataclass(frozen=True, slots=True)
class Stripped:
    """A turn without the courtesies around it."""

    text: str
    """What is left; empty if the turn is nothing but courtesy."""
    courtesy: Courtesy | None = None
    denies: bool = False
    """Whether a denial stood before the rest: `no, …`."""
    complains: bool = False
    """Whether it says that the answer missed: `that is not what I asked`."""


@lru_cache(maxsize=2048)  # taste
def strip_courtesies(turn: str, language: str) -> Stripped:
    """Take the courtesies before and behind the matter of a turn off it."""
    return _Reader(turn, language).read()


def asks(turn: str) -> bool:
    """Whether a turn has a question mark and is not a greeting such as `How are you?`."""
    if not _ASKS.search(turn):
        return False
    words = " ".join(words_of(turn))
    return not any(words.endswith(greeting) for code in known_languages() for greeting in language_of(code).greetings)


class _Reader:
    """Reads one turn in one language."""

    def __init__(self, turn: str, language: str) -> None:
        self._turn = turn
        self._code = language
        self._words = language_of(language)
        self._forms = TurnForms.of(language)
        self._kinds = {
            Courtesy.THANKS: self._words.thanks,
            Courtesy.GREETING: self._words.greetings,
            Courtesy.APPROVAL: (*self._words.approvals, *self._forms.corrections),
        }
        self._found: set[Courtesy] = set()
        self._denies = self._complains = False

    def read(self) -> Stripped:
        position = _MARKS.match(self._turn).end()
        for _ in range(MAX_COURTESIES):
            if (end := self._end_of_courtesy(position)) == position:
                break
            position = _MARKS.match(self._turn, end).end()
        rest = self._without_closing(self._turn[position:].strip())
        courtesy = next((kind for kind in self._kinds if kind in self._found), None)
        return Stripped(rest, courtesy, self._denies, self._complains)

    def _end_of_courtesy(self, position: int) -> int:
        """The end of the phrase or statement of courtesy at a position; `position` if there is none."""
        kind, end = self._longest_phrase(position)
        if kind is not None and self._may_end(end):
            self._found.add(kind)
            said = " ".join(words_of(self._turn[position:end]))
            self._denies = self._denies or said in self._words.denials or said in self._forms.corrections
            return end
        return self._end_of_statement(position)

    def _longest_phrase(self, position: int) -> tuple[Courtesy | None, int]:
        ends = {kind: phrase_at(self._turn, phrases, position) for kind, phrases in self._kinds.items()}
        kind = max(ends, key=lambda each: ends[each])
        return (kind, ends[kind]) if ends[kind] > position else (None, position)

    def _may_end(self, end: int) -> bool:
        """Whether a phrase stands for itself: before a mark, another courtesy, or words that begin a clause."""
        if _MARK.match(self._turn, end):
            return True
        following = _MARKS.match(self._turn, end).end()
        if self._longest_phrase(following)[0] is not None or self._end_of_statement(following, begun=True) > following:
            return True
        return not self._forms.after_courtesy.isdisjoint(words_of(self._turn[following : following + 40])[:1])

    def _end_of_statement(self, position: int, begun: bool = False) -> int:
        """The end of a clause of the courtesies' own words; `position` if the clause there says anything else."""
        clause = _CLAUSE.match(self._turn, position)
        if clause is None or len(clause[0]) > LONGEST or _ASKS.search(clause[0]):
            return position
        words, content = words_of(clause[0]), content_of(clause[0], self._code)
        praises = len(words) > 1 and bool(content) and self._words.praise_words.issuperset(content)
        if not (self._found or begun or praises) or not self._is_small_talk(words, content):
            return position
        if praises and not begun:
            self._found.add(Courtesy.THANKS)
        negated = not self._forms.negations.isdisjoint(words) or any(word.endswith("n't") for word in words)
        if negated and not begun:
            self._complains = True
        return int(clause.end())

    def _is_small_talk(self, words: list[str], content: list[str]) -> bool:
        """Whether a clause has only words of courtesy, some of them no stop words."""
        others = set(words) - set(content)
        names_thing = bool(others) and NounPhrases.of(self._code).definite_articles.issuperset(others)
        return bool(content) and self._words.courtesy_words.issuperset(content) and not names_thing

    def _without_closing(self, rest: str) -> str:
        """The rest without thanks behind it: `the weight, thanks`."""
        thanks = phrase_pattern(self._words.thanks).finditer(rest)
        closing = next((match for match in thanks if not rest[match.end() :].strip(" .!…")), None)
        before = rest[: closing.start()].rstrip() if closing else ""
        return before.rstrip(" ,;–—-") if before.endswith(_MARKS_BEFORE) else rest
