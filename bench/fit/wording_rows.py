"""Follow-ups that people rewrote, and further ones made of the same conversations, as rows to fit the tagger to."""

import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.labelled import read_lines
from libs.language.detection import detect_language
from services.decompose.wording.words import Word, split_words

REWRITE, OTHER_TOPIC = "rewrite", "other topic"
"""Kinds of made rows: a turn's rewrite in its place; a turn of another conversation."""
NEAREST = 5
"""Conversations that are like another one."""
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


@lru_cache(maxsize=100_000)
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
    """Each question after those before it, and what the documents say to them."""
    said: dict[str, list[dict[str, str]]] = {}
    for row in rows:
        group = f"{row['corpus']} {row['conversation']}"
        earlier = said.setdefault(group, [])
        texts = " ".join(each["text"] for each in earlier)
        if row["kind"] != "chit-chat" and detect_language(f"{texts} {row['standalone']}") == "en":
            turn = {"last_turn": row["question"], "rewrite": row["standalone"]}
            yield {"conversation": group, "history": [*earlier], **turn}
        earlier.append({"speaker": "user", "text": row["question"]})
        if where := row.get("where"):
            earlier.append({"speaker": "agent", "text": where["quote"]})


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


def made_rows(rows: Sequence[Row], vector: Callable[[str], NDArray[np.float32]], seed: int) -> list[Row]:
    """Rows with less, or nothing, to carry, or with another history. Their weights are chosen by hand.

    `vector` is the unit vector of a text: of the other conversations, some are like the row's own.
    """
    chance = random.Random(seed)
    rewrites = {(row.group, row.turn): row.rewrite for row in rows}
    by_source: dict[str, list[Row]] = {}
    for row in rows:
        by_source.setdefault(row.source, []).append(row)
    near = {group: others for of in by_source.values() for group, others in _near(of, vector).items()}
    made: list[Row] = []
    for row in rows:
        made.append(replace(row, turn=row.rewrite, weight=0.3 * row.weight, kind=REWRITE))
        made += _with_less(row, chance)
        spelled = tuple((user, rewrites.get((row.group, text), text)) for user, text in row.history)
        if spelled != row.history:
            made.append(replace(row, history=spelled, weight=0.5 * row.weight))
        others = [other for other in by_source[row.source] if other.group != row.group]
        like = chance.sample(near[row.group], min(2, len(near[row.group])))
        made += [_changing_topic(row, other, chance) for other in (chance.choice(others), *like)]
        made.append(_after_another(row, chance.choice(others), chance))
    return made


def _near(rows: Sequence[Row], vector: Callable[[str], NDArray[np.float32]]) -> Mapping[str, Sequence[Row]]:
    """For each conversation of a source, the rows of those whose first questions are nearest to its own."""
    by_group: dict[str, list[Row]] = {}
    for row in rows:
        by_group.setdefault(row.group, []).append(row)
    firsts = np.stack([vector(of[0].history[0][1]) for of in by_group.values()])
    places, groups = np.argsort(-firsts @ firsts.T, axis=1), list(by_group)
    others = ([groups[place] for place in of if groups[place] != own] for own, of in zip(groups, places, strict=True))
    nearest = zip(groups, others, strict=True)
    return {own: [row for group in of[:NEAREST] for row in by_group[group]] for own, of in nearest}


def _with_less(row: Row, chance: random.Random) -> Iterator[Row]:
    """The turn and its rewrite, each twice, without one stretch of words that the history has."""
    said = frozenset[str]().union(*(stems(text) for _, text in row.history))
    for text in sorted({row.rewrite, row.turn}) * 2:
        words = split_words(text)
        if stretches := list(_stretches(words, said)):
            turn = _without(text, words, chance.choice(stretches), chance)
            if len(turn.split()) > 1:
                yield replace(row, turn=turn, weight=0.4 * row.weight)


def _changing_topic(row: Row, other: Row, chance: random.Random) -> Row:
    """A change of topic, which needs nothing."""
    turn = other.history[0][1] if chance.random() < 0.5 else other.rewrite
    others = frozenset({other.group})
    return replace(row, turn=turn, rewrite=turn, weight=0.3 * row.weight, others=others, kind=OTHER_TOPIC)


def _after_another(row: Row, other: Row, chance: random.Random) -> Row:
    """The same turn after another conversation."""
    has_answers = any(not is_users for is_users, _ in other.history)
    count = chance.choice((1, 2)) * (2 if has_answers else 1)
    history = other.history[:count] + row.history
    return replace(row, history=history, weight=0.5 * row.weight, others=frozenset({other.group}))


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
