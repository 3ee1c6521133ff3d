"""Any number of passages with vectors, made up: words drawn by a fixed seed, vectors near a few hundred centres."""

import json
import random
from pathlib import Path

import numpy as np

WIDTH = 384  # of the packaged embedder's vectors
CENTRES = 300  # taste, as all numbers below
SUBJECTS = "probe orbiter lander rover telescope antenna booster capsule module balloon".split()  # noqa: SIM905
PLACES = "Mercury Venus Mars Jupiter Saturn Uranus Neptune Ceres Vesta Titan Europa Io".split()  # noqa: SIM905
DEEDS = "photographed measured orbited crossed mapped sampled approached circled studied left".split()  # noqa: SIM905


def write_passages(folder: Path, count: int) -> tuple[Path, Path]:
    """`passages.jsonl` and `passages.npy` (float16) of `count` passages; the same for the same count."""
    chance = random.Random(count)
    lines, vectors = folder / "passages.jsonl", folder / "passages.npy"
    with lines.open("w", encoding="utf-8") as out:
        for number in range(count):
            out.write(json.dumps(_passage(chance, number)) + "\n")
    np.save(vectors, unit_vectors(count))
    return lines, vectors


def unit_vectors(count: int) -> np.ndarray:
    """Shape (count, 384), float16, each about of length 1."""
    generator = np.random.default_rng(count)
    centres = generator.standard_normal((CENTRES, WIDTH), dtype=np.float32)
    rows = centres[generator.integers(CENTRES, size=count)]
    rows += 0.8 * generator.standard_normal((count, WIDTH), dtype=np.float32)
    unit: np.ndarray = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit.astype(np.float16)


def _passage(chance: random.Random, number: int) -> dict[str, str]:
    sentences = [
        f"In {chance.randint(1960, 2025)} the {chance.choice(SUBJECTS)} {chance.choice(SUBJECTS)}-{number % 400} "
        f"{chance.choice(DEEDS)} {chance.choice(PLACES)} for {chance.randint(2, 900)} days."
        for _ in range(4)
    ]
    return {"id": f"p{number}", "title": f"Report {number}", "text": " ".join(sentences)}
