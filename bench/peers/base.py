"""The common material: passages, their vectors, and turns of recorded conversations. Needs numpy alone."""

import gzip
import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

SETS = ("mtrag_human", "mtragun")
DOMAINS = ("clapnq", "cloud", "fiqa", "govt")
FEWEST, MOST = 2, 12
"""Messages of a history (taste)."""
SEED = 20  # any


@dataclass(frozen=True, slots=True)
class Turn:
    """A question in its conversation: (speaker, text) with the speakers "user" and "agent", the oldest first."""

    history: tuple[tuple[str, str], ...]
    question: str
    judged: tuple[str, ...]
    """Ids of the passages that answer it; none where nobody looked or nothing does."""
    rewrite: str = ""
    """How it stands alone, by the benchmark; empty where that is not told."""


@dataclass(frozen=True, slots=True)
class Base:
    """A folder with `passages.jsonl` {id, title, text}, `vectors.npy` (rows in order, float16) and `turns.json`."""

    folder: Path

    @property
    def passages(self) -> Path:
        """One a line."""
        return self.folder / "passages.jsonl"

    @property
    def vectors(self) -> Path:
        """One a row."""
        return self.folder / "vectors.npy"

    def documents(self) -> list[dict[str, str]]:
        """All passages."""
        return [json.loads(line) for line in self.passages.read_text(encoding="utf-8").splitlines()]

    def turns(self) -> list[Turn]:
        """All turns."""
        lines = json.loads((self.folder / "turns.json").read_text(encoding="utf-8"))
        return [
            Turn(
                tuple((speaker, text) for speaker, text in turn["history"]),
                turn["question"],
                tuple(turn["judged"]),
                turn["rewrite"],
            )
            for turn in lines
        ]


def judged_turns(mtrag: Path, fits: Callable[[Turn], bool]) -> list[Turn]:
    """The turns of the main set that fit: judged ones, in conversations that are neither new nor long."""
    turns = (turn for turn in all_turns(mtrag, SETS[:1]) if turn.judged and FEWEST <= len(turn.history) <= MOST)
    return [turn for turn in turns if fits(turn)]


def prepare(mtrag: Path, folder: Path, count: int, turns: Sequence[Turn]) -> Base:
    """Write the material: `count` passages, the judged ones among them, and the turns, shuffled."""
    base = Base(folder)
    passages, vectors = _passages(mtrag)
    places = _choose(passages, {name for turn in turns for name in turn.judged}, count)
    ids = {passages[place]["id"] for place in places}
    turns = [turn for turn in turns if ids.issuperset(turn.judged)]
    random.Random(SEED).shuffle(turns)
    folder.mkdir(parents=True, exist_ok=True)
    base.passages.write_text("".join(json.dumps(passages[place]) + "\n" for place in places), encoding="utf-8")
    np.save(base.vectors, vectors[places])
    (folder / "turns.json").write_text(json.dumps([asdict(turn) for turn in turns]), encoding="utf-8")
    return base


def _passages(mtrag: Path) -> tuple[list[dict[str, str]], Any]:
    rows, vectors = [], []
    for domain in DOMAINS:
        rows += [
            {"id": row["id"], "title": row["title"], "text": row["text"]}
            for row in _lines(mtrag / f"{domain}.passages.jsonl.gz")
        ]
        vectors.append(np.load(mtrag / f"{domain}.minilm.f16.npy"))
    return rows, np.concatenate(vectors)


def all_turns(mtrag: Path, sets: Sequence[str] = SETS) -> Iterator[Turn]:
    """The turns of the development split, set by set."""
    for name in sets:
        for domain in DOMAINS:
            for task in _lines(mtrag / f"{domain}.{name}.tasks.jsonl.gz"):
                history = tuple((message["speaker"], message["text"]) for message in task["history"])
                yield Turn(history, task["last_turn"], tuple(task["qrels"]), task.get("rewrite") or "")


def _choose(passages: list[dict[str, str]], judged_ids: set[str], count: int) -> list[int]:
    """Places of the judged passages and of others drawn by chance; none without words."""
    places = [place for place, passage in enumerate(passages) if passage["text"].strip()]
    chance = random.Random(SEED)
    chance.shuffle(places)
    places.sort(key=lambda place: passages[place]["id"] not in judged_ids)
    selection = places[:count]
    chance.shuffle(selection)
    return selection


def _lines(file: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)
