"""Puts chosen words of the history into a turn, in stretches as they stand there."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from services.decompose.wording.words import Message, Word, split_words

_MOST_BETWEEN: Final = 2
"""Stop words within a stretch ("Bank of the West"). Chosen by hand."""
_SAME_STRETCH = re.compile(r"[\s\-/,'’\"&]*")
_ENDING = re.compile(r"[\s?.!]*$")

_PERSONS = frozenset({"it", "they", "them", "he", "she", "him"})
_OWNERS = frozenset({"its", "their", "his", "her"})
_DEMONSTRATIVES = frozenset({"this", "that", "these", "those"})
_BE_HAVE_DO = frozenset({"is", "are", "was", "were", "been", "be", "do", "does", "did", "has", "have", "had"})
_VERBS = _BE_HAVE_DO | {"can", "could", "will", "would", "should", "may", "might", "must"}
_AFTER_NOUN = _VERBS | {"and", "or", "for", "in", "on", "to", "with", "from", "by", "at", "as"}
_NOT_BEFORE_ONE = frozenset({"this", "that", "which", "no", "the"})


@dataclass(frozen=True, slots=True)
class _Stretch:
    message: Message
    words: tuple[Word, ...]
    """Only the chosen ones."""
    recency: int
    """0 for the message that is preferred among equals."""

    @property
    def text(self) -> str:
        return self.message.text[self.words[0].start : self.words[-1].end]

    def stems(self) -> set[str]:
        return {word.stem for word in self.words}

    def trimmed(self, wanted: set[str]) -> "_Stretch":
        """From its first to its last wanted word."""
        places = [place for place, word in enumerate(self.words) if word.stem in wanted]
        return _Stretch(self.message, self.words[places[0] : places[-1] + 1], self.recency)


@dataclass(frozen=True, slots=True)
class _Pointer:
    """A pointing word of the turn."""

    start: int
    end: int
    is_possessive: bool


def stretches(history: Sequence[Message], chosen: Mapping[str, float]) -> tuple[str, ...]:
    """The chosen stems as they stand in the history, each once, the likeliest stretch first."""
    return tuple(stretch.text for stretch in _cover(history, chosen))


def stand_alone(turn: str, history: Sequence[Message], chosen: Mapping[str, float]) -> str:
    """The turn with the chosen stems of the history; the likeliest stretch in place of a pointing word, if any."""
    missing = list(stretches(history, chosen))
    if missing and (pointer := _find_pointer(turn)) is not None:
        turn = _replaced(turn, pointer, missing.pop(0))
    if not missing:
        return turn
    end = _ENDING.search(turn)
    place = end.start() if end else len(turn)
    return f"{turn[:place]} ({', '.join(missing)}){turn[place:]}"


def _cover(history: Sequence[Message], chosen: Mapping[str, float]) -> list[_Stretch]:
    """Stretches that hold each chosen stem once, by greedy choice: the likeliest first."""
    by_speaker = [[m for m in reversed(history) if m.is_users is is_users] for is_users in (True, False)]
    messages = enumerate(message for part in by_speaker for message in part)
    pool = [stretch for recency, message in messages for stretch in _stretches(message, chosen, recency)]
    missing, cover = set(chosen), list[tuple[float, _Stretch]]()
    while missing and pool:
        best = max(pool, key=lambda s: (len(s.stems() & missing), -len(s.words), -s.recency))
        new = best.stems() & missing
        if not new:
            break
        cover.append((sum(chosen[stem] for stem in new), best.trimmed(missing)))
        missing -= new
    return [stretch for _, stretch in sorted(cover, key=lambda item: -item[0])]


def _stretches(message: Message, chosen: Mapping[str, float], recency: int) -> Iterator[_Stretch]:
    """Chosen words of a message with few stop words and no end of a clause between them."""
    current: list[Word] = []
    between, end = 0, 0
    for word in message.words:
        joins = bool(current) and _SAME_STRETCH.fullmatch(message.text[end : word.start]) is not None
        end = word.end
        if word.stem in chosen:
            if current and not (joins and between <= _MOST_BETWEEN):
                yield _Stretch(message, tuple(current), recency)
                current = []
            current.append(word)
            between = 0
        elif joins and not word.stem:
            between += 1
        elif current:
            yield _Stretch(message, tuple(current), recency)
            current = []
    if current:
        yield _Stretch(message, tuple(current), recency)


def _find_pointer(turn: str) -> _Pointer | None:
    """The first pointing word that a name or noun can replace."""
    words = split_words(turn)
    for place, word in enumerate(words):
        before = words[place - 1] if place else None
        after = words[place + 1] if place + 1 < len(words) else None
        if after is not None and turn[word.end : after.start].strip():
            after = None
        if word.lower in _OWNERS and after is not None and (after.stem or word.lower != "her"):
            return _Pointer(word.start, word.end, is_possessive=True)
        if word.lower in _PERSONS or word.lower == "her" or _is_noun(before, word, after):
            return _Pointer(word.start, word.end, is_possessive=False)
    return None


def _is_noun(before: Word | None, word: Word, after: Word | None) -> bool:
    """Whether "one" or "that" stands for a noun, rather than being a number, article or conjunction."""
    if word.lower in ("one", "ones"):
        return before is None or before.lower not in _NOT_BEFORE_ONE
    if word.lower not in _DEMONSTRATIVES or (after is not None and after.lower not in _AFTER_NOUN):
        return False
    opens_clause = word.lower == "that" and after is not None and after.lower in _VERBS
    return not (opens_clause and before is not None and before.stem)


def _replaced(turn: str, pointer: _Pointer, text: str) -> str:
    if pointer.is_possessive:
        text += "'" if text.endswith("s") else "'s"
    if pointer.start == 0:
        text = text[0].upper() + text[1:]
    return turn[: pointer.start] + text + turn[pointer.end :]
