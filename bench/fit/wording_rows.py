"""Follow-ups that people rewrote, and further ones made of the same conversations, as rows to fit the tagger to."""

import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from bench.labelled import read_lines
from libs.language.detection import detect_language
from services.decompose.wording.words import Word, split_words

REWRITE, OTHER_TOPIC = "rewrite", "other topic"
"""Kinds of made rows: a turn's rewrite in its place; a turn of another conversation."""
_ARTICLES = ("the", "a", "an", "my")
_PREPOSITIONS = ("of", "in", "for", "about", "on", "with", "to", "from", "at")


@dataclass(frozen=True, slots=True)
class Row:
    """A turn, what was said before, and how a person wrote it to stand alone."""

    source: str
    group: str
    """The conversation; rows of one are fitted to or judged, never both."""
    history: tuple[tuple[bool, str], ...]
    """(whether it is the user's, text), oldest first."""
    turn: str
    rewrite: str
    weight: float = 1.0
    others: frozenset[str] = field(default=frozenset())
    """Further conversations that it has texts of."""
    kind: str = "own"
    """How it was made, if it was."""

    @property
    def gold(self) -> frozenset[str]:
        """Stems that the rewrite has, the turn lacks and the history has."""
        said = frozenset[str]().union(*(stems(text) for _, text in self.history))
        return (stems(self.rewrite) - stems(self.turn)) & said

    @property
    def has_answers(self) -> bool:
        """Whether the history has any."""
        return any(not is_users for is_users, _ in self.history)


def stems(text: str) -> frozenset[str]:
    """Those of its content words."""
    return frozenset(word.stem for word in split_words(text) if word.stem)


def read_rows(path: Path, weight: float = 1.0) -> list[Row]:
    """The turns of a file that have a history and were rewritten, in English; one JSON object a line.

    Either `{source, conversation, history [{speaker, text}], last_turn, rewrite}` (in some files `conversation_id`, and
    no source), or the questions of conversations in order, `{corpus, conversation, question, standalone}`. What stands
    before the dot of `conversation` is its group: branches of one share their beginning.
    """
    rows = list(read_lines(path))
    if rows and "standalone" in rows[0]:
        rows = list(_of_questions(rows))
    name = path.name.split(".")[0]
    return [_row(row, name, weight) for row in rows if row["history"] and row["rewrite"]]


def _row(row: Mapping[str, Any], name: str, weight: float) -> Row:
    group = row["conversation"].split(".")[0] if "conversation" in row else row["conversation_id"]
    history = tuple((message["speaker"] == "user", message["text"]) for message in row["history"])
    return Row(row.get("source", name), group, history, row["last_turn"], row["rewrite"], weight)


def _of_questions(rows: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Each question after those before it."""
    asked: dict[str, list[str]] = {}
    for row in rows:
        group = f"{row['corpus']} {row['conversation']}"
        earlier = asked.setdefault(group, [])
        if row["kind"] != "chit-chat" and detect_language(" ".join((*earlier, row["standalone"]))) == "en":
            history = [{"speaker": "user", "text": text} for text in earlier]
            turn = {"last_turn": row["question"], "rewrite": row["standalone"]}
            yield {"conversation": group, "history": history, **turn}
        earlier.append(row["question"])


def folds(rows: Iterable[Row], count: int, seed: int) -> dict[str, int]:
    """The fold of each conversation; those of one source are dealt out evenly."""
    chance = random.Random(seed)
    by_source: dict[str, set[str]] = {}
    for row in rows:
        by_source.setdefault(row.source, set()).add(row.group)
    fold: dict[str, int] = {}
    for _, groups in sorted(by_source.items()):
        shuffled = sorted(groups - fold.keys())
        chance.shuffle(shuffled)
        fold.update({group: place % count for place, group in enumerate(shuffled)})
    return fold


def made_rows(rows: Sequence[Row], seed: int) -> list[Row]:
    """Rows with less, or nothing, to carry, or with another history. Their weights are chosen by hand."""
    chance = random.Random(seed)
    rewrites = {(row.group, row.turn): row.rewrite for row in rows}
    by_source: dict[str, list[Row]] = {}
    for row in rows:
        by_source.setdefault(row.source, []).append(row)
    made: list[Row] = []
    for row in rows:
        made.append(replace(row, turn=row.rewrite, weight=0.3 * row.weight, kind=REWRITE))
        made += _with_less(row, chance)
        spelled = tuple((user, rewrites.get((row.group, text), text)) for user, text in row.history)
        if spelled != row.history:
            made.append(replace(row, history=spelled, weight=0.5 * row.weight))
        made += _with_another(row, chance.choice([r for r in by_source[row.source] if r.group != row.group]), chance)
    return made


def _with_less(row: Row, chance: random.Random) -> Iterator[Row]:
    """The turn and its rewrite, each twice, without one stretch of words that the history has."""
    said = frozenset[str]().union(*(stems(text) for _, text in row.history))
    for text in sorted({row.rewrite, row.turn}) * 2:
        words = split_words(text)
        if stretches := list(_stretches(words, said)):
            turn = _without(text, words, chance.choice(stretches), chance)
            if len(turn.split()) > 1:
                yield replace(row, turn=turn, weight=0.4 * row.weight)


def _with_another(row: Row, other: Row, chance: random.Random) -> Iterator[Row]:
    """A change of topic, which needs nothing, and the same turn after another conversation."""
    others = frozenset({other.group})
    first = other.history[0][1] if chance.random() < 0.5 else other.rewrite
    yield replace(row, turn=first, rewrite=first, weight=0.3 * row.weight, others=others, kind=OTHER_TOPIC)
    has_answers = any(not is_users for is_users, _ in other.history)
    count = chance.choice((1, 2)) * (2 if has_answers else 1)
    yield replace(row, history=other.history[:count] + row.history, weight=0.5 * row.weight, others=others)


def _stretches(words: Sequence[Word], said: frozenset[str]) -> Iterator[tuple[int, int]]:
    """First and last index of neighbouring words that the history has."""
    start: int | None = None
    for index, word in enumerate((*words, None)):
        if word is not None and word.stem in said:
            start = index if start is None else start
        elif start is not None:
            yield start, index - 1
            start = None


def _without(text: str, words: Sequence[Word], stretch: tuple[int, int], chance: random.Random) -> str:
    """Replaces a stretch, with its article, by a pointing word or, after a preposition, often by nothing."""
    first, last = stretch
    end = words[last].end
    while first and words[first - 1].lower in _ARTICLES:
        first -= 1
    start = words[first].start
    is_plural = words[last].lower.endswith("s")
    draw = chance.random()
    if first and words[first - 1].lower in _PREPOSITIONS and draw < 0.5:
        start, pointer = words[first - 1].start, ""
    elif draw < 0.25:
        pointer = chance.choice(("that", "this", "this"))
    else:
        pointer = "them" if is_plural and start > 12 and chance.random() < 0.5 else "they" if is_plural else "it"
    if words[last].lower.endswith("'s"):
        pointer = "their" if is_plural else "its"
    return re.sub(r"\s+", " ", text[:start] + pointer + text[end:]).strip()
