"""A made-up corpus of any size that behaves like a real one in what search costs: words by Zipf's law, topics, vectors.

Nearly half of the words of a passage are function words; of the others some belong to the passage's topic and the rest
are drawn by Zipf's law from the samples' words and, further down, made-up ones. A topic's centre is the embedding of
its words, so that a question of the topic's words is near it; its passages lie around it in few directions, as
embeddings of real texts do. The same size gives the same corpus.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from libs.language.known import ENGLISH, language_of

VOCABULARY = 60_000
TOPICS = 400
TOPIC_WORDS = 24
LEAST_TOPIC_RANK = 40
WORDS = 48
"""Of a passage; about 300 characters."""
FUNCTION_SHARE, TOPIC_SHARE = 0.42, 0.2
DIRECTIONS = 48
"""Dimensions in which passages of a topic differ; real sentence embeddings have some tens."""
SPREAD = 0.9
"""How far a passage is from its topic's centre, where the centre is 1 long."""

Embed = Callable[[Sequence[str]], NDArray[np.float32]]
_SYLLABLES = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "er", "il", "os")]


@dataclass(frozen=True, slots=True)
class World:
    """Everything that passages and questions are drawn from."""

    words: NDArray[np.str_]
    frequencies: NDArray[np.float64]
    """Of each word, adding up to 1."""
    topics: NDArray[np.int64]
    """Positions of words, shape (topics, words of a topic)."""
    centres: NDArray[np.float32]
    """Unit vectors, shape (topics, width)."""
    directions: NDArray[np.float32]
    """Shape (directions, width)."""


@dataclass(frozen=True, slots=True)
class Passages:
    """A stretch of passages."""

    texts: list[str]
    vectors: NDArray[np.float16]


def make_world(samples: Path, embed: Embed) -> World:
    """Words of the samples and made-up ones, topics of them, and where the topics lie."""
    chance = np.random.default_rng(1)
    words = _vocabulary(samples, chance)
    frequencies = 1 / (np.arange(len(words)) + 2.7)  # Mandelbrot's form of Zipf's law
    frequencies /= frequencies.sum()
    tail = frequencies[LEAST_TOPIC_RANK:] / frequencies[LEAST_TOPIC_RANK:].sum()
    topics = LEAST_TOPIC_RANK + chance.choice(len(tail), (TOPICS, TOPIC_WORDS), p=tail)
    centres = embed([" ".join(words[topic][:8]) for topic in topics])
    directions = chance.standard_normal((DIRECTIONS, centres.shape[1])).astype(np.float32)
    fading = 1 / np.sqrt(1 + np.arange(DIRECTIONS, dtype=np.float32))
    directions *= (SPREAD * fading / np.linalg.norm(fading))[:, None] / np.sqrt(centres.shape[1])
    return World(words, frequencies, topics, centres, directions)


def make_passages(world: World, count: int, slice_size: int = 10_000) -> Iterator[Passages]:
    """`count` passages, slice by slice."""
    chance = np.random.default_rng(count)
    for first in range(0, count, slice_size):
        size = min(slice_size, count - first)
        topics = chance.integers(len(world.topics), size=size)
        yield Passages(_texts(world, topics, chance), _vectors(world, topics, chance))


def make_questions(world: World, count: int, seed: int) -> list[str]:
    """Questions of three to six words of a topic, between function words."""
    chance = np.random.default_rng(seed)
    questions = []
    for topic in chance.integers(len(world.topics), size=count):
        words = chance.choice(world.topics[topic][:8], chance.integers(3, 7), replace=False)
        questions.append(f"what is the {' '.join(world.words[words])}?")
    return questions


def _vocabulary(samples: Path, chance: np.random.Generator) -> NDArray[np.str_]:
    """The samples' words by their frequency, then made-up ones."""
    text = " ".join(file.read_text(encoding="utf-8") for file in sorted(samples.glob("*.md")))
    frequencies = Counter(re.findall(r"[a-z]{3,}", text.lower()))
    stop_words = language_of(ENGLISH).stop_words
    real = [word for word, _ in frequencies.most_common() if word not in stop_words]
    syllable_words: dict[str, None] = {}
    while len(syllable_words) < VOCABULARY - len(real):
        syllable_words["".join(chance.choice(_SYLLABLES, chance.integers(2, 5)))] = None
    return np.array([*real, *syllable_words])


def _texts(world: World, topics: NDArray[np.int64], chance: np.random.Generator) -> list[str]:
    shape = (len(topics), WORDS)
    function_words = np.array(sorted(language_of(ENGLISH).stop_words))
    ids = chance.choice(len(world.words), shape, p=world.frequencies)
    of_topic = world.topics[topics[:, None], chance.integers(TOPIC_WORDS, size=shape)]
    kind = chance.random(shape)
    ids = np.where(kind < TOPIC_SHARE, of_topic, ids)
    words = np.where(kind > 1 - FUNCTION_SHARE, chance.choice(function_words, shape), world.words[ids])
    return [f"{' '.join(row)}." for row in words.tolist()]


def _vectors(world: World, topics: NDArray[np.int64], chance: np.random.Generator) -> NDArray[np.float16]:
    places = chance.standard_normal((len(topics), len(world.directions)), dtype=np.float32)
    vectors = world.centres[topics] + places @ world.directions
    unit: NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit.astype(np.float16)
