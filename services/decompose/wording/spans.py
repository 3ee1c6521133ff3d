"""Puts chosen words of the history into a turn, in stretches as they stand there."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import whitespace
from typing import Final

from services.decompose.wording.pointers import Pointer, find_pointer
from services.decompose.wording.words import Message, Word

_MOST_BETWEEN: Final = 2
"""Stop words within a stretch ("Bank of the West"). Chosen by hand."""
_SAME_STRETCH = re.compile(r"[\s\-/,'’\"&]*")
_ENDING = f"{whitespace}?.!"

_CORE: Final = 0.65
"""Share of the likeliest word's probability that a word needs to stand in place of a pointing word. By hand."""
_POSSESSIVE = re.compile(r"['’]s$")
_SUBJECT = re.compile(r"\b(?:I|you|we|they) $")
_ARTICLE = re.compile(r"\b(?i:(the|my|our|your)|an?) $")


@dataclass(frozen=True, slots=True)
class _Stretch:
    message: Message
    words: tuple[Word, ...]
    """Only the chosen ones."""

    @property
    def text(self) -> str:
        return self.message.text[self.words[0].start : self.words[-1].end]

    def stems(self) -> set[str]:
        return {word.stem for word in self.words}

    @property
    def is_name(self) -> bool:
        """Whether it ends in a name or number, which nothing else of the kind can be called."""
        return self.words[-1].is_name or self.words[-1].stem.isdecimal()

    @property
    def with_article(self) -> str:
        """Its text with the determiner before it, a definite one."""
        article = _ARTICLE.search(self.message.text, 0, self.words[0].start)
        return f"{(article[1] or 'the').lower()} {self.text}" if article else self.text

    def around_core(self, chosen: Mapping[str, float]) -> tuple["_Stretch", "_Stretch", "_Stretch"]:
        """What stands before the likeliest run of words, that run, and what stands after it."""
        least = _CORE * max(chosen[word.stem] for word in self.words)
        runs = [list[int]()]
        for place, word in enumerate(self.words):
            follows = bool(runs[-1]) and self._adjoins(place)
            of_name = word.is_name or word.stem.isdecimal() or self.words[place - 1].is_name
            belongs = chosen[word.stem] >= least or (follows and of_name)
            runs += [] if belongs and (follows or not runs[-1]) else [[]]
            if belongs:
                runs[-1].append(place)
        best = max(runs, key=lambda run: sum(chosen[self.words[place].stem] for place in run))
        # The verb of a question stays outside: `request` of `How do I request parental leave?`.
        is_verb = _SUBJECT.search(self.message.text, 0, self.words[best[0]].start) is not None
        first = best[0] + (len(best) > 1 and is_verb)
        parts = self.words[:first], self.words[first : best[-1] + 1], self.words[best[-1] + 1 :]
        before, core, after = (_Stretch(self.message, part) for part in parts)
        return before, core, after

    def _adjoins(self, place: int) -> bool:
        """Whether a word follows the one before at once, or both are of one name: `Bank of the West`."""
        before, word = self.words[place - 1], self.words[place]
        return word.start - before.end == 1 or (before.is_name and word.is_name)

    def trimmed(self, wanted: set[str]) -> "_Stretch":
        """From its first to its last wanted word."""
        places = [place for place, word in enumerate(self.words) if word.stem in wanted]
        return _Stretch(self.message, self.words[places[0] : places[-1] + 1])


def stretches(history: Sequence[Message], chosen: Mapping[str, float]) -> tuple[str, ...]:
    """The chosen stems as they stand in the history, each once, the likeliest stretch first."""
    return tuple(stretch.text for stretch in _cover(history, chosen))


def stand_alone(turn: str, history: Sequence[Message], chosen: Mapping[str, float]) -> str:
    """The turn with the chosen stems of the history; the likeliest ones in place of a pointing word, if any."""
    cover = _cover(history, chosen)
    pointer = find_pointer(turn) if cover else None
    if pointer is not None:
        before, core, after = cover[0].around_core(chosen)
        if not (pointer.is_noun and core.is_name):
            turn = _replaced(turn, pointer, core)
            cover[:1] = [part for part in (before, after) if part.words]
    if not cover:
        return turn
    body = turn.rstrip(_ENDING)
    return f"{body} ({', '.join(stretch.text for stretch in cover)}){turn[len(body) :]}"


def _cover(history: Sequence[Message], chosen: Mapping[str, float]) -> list[_Stretch]:
    """Stretches that hold each chosen stem once, by greedy choice: the likeliest first.

    Among equals the user's are preferred, the newest of them first.
    """
    with_any = [message for message in reversed(history) if not message.stems.isdisjoint(chosen)]
    messages = sorted(with_any, key=lambda message: not message.is_users)
    pool = [stretch for message in messages for stretch in _stretches(message, chosen)]
    missing, cover = set(chosen), list[tuple[float, _Stretch]]()
    while missing and pool:
        best = max(pool, key=lambda s: (len(s.stems() & missing), -len(s.words)))
        new = best.stems() & missing
        if not new:
            break
        cover.append((sum(chosen[stem] for stem in new), best.trimmed(missing)))
        missing -= new
    return [stretch for _, stretch in sorted(cover, key=lambda item: -item[0])]


def _stretches(message: Message, chosen: Mapping[str, float]) -> list[_Stretch]:
    """Chosen words of a message with few stop words and no end of a clause between them."""
    runs, between, end = [list[Word]()], 0, 0
    for word in message.words:
        is_other = between > _MOST_BETWEEN or (word.stem and word.stem not in chosen)
        if runs[-1] and (is_other or not _SAME_STRETCH.fullmatch(message.text, end, word.start)):
            runs.append([])
        if word.stem in chosen:
            runs[-1].append(word)
        between, end = 0 if word.stem else between + 1, word.end
    return [_Stretch(message, tuple(run)) for run in runs if run]


def _replaced(turn: str, pointer: Pointer, core: _Stretch) -> str:
    text = _POSSESSIVE.sub("", core.text if pointer.is_noun else core.with_article)
    if pointer.is_possessive:
        text += "'" if text.endswith("s") else "'s"
    if pointer.start == 0:
        text = text[0].upper() + text[1:]
    return turn[: pointer.start] + text + turn[pointer.end :]
