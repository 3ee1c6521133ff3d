"""Make the table of near stems of a language: `python -m bench.fit near [--language en] [--out FILE]`.

Every whole word of the packaged model's vocabulary is embedded by itself. A stem's row lists the nearest other stems
by the cosine of their nearest words.
"""

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cli.view.output import tell
from libs.language.analysis import terms_of
from libs.language.known import language_of
from services.retrieve.embedding.opening import NoEncoder, open_encoder
from services.retrieve.embedding.packaged import PACKAGED, environment_models, packaged_folder

LEAST_COSINE: Final = 0.6
"""Of near stems; .65 found less of what strangers asked (`docs/explanation/learned.md`)."""
MOST: Final = 4
"""Stems in a row; 8 found no more."""
CANDIDATES: Final = 40
"""Nearest words that are read for a row; forms of one word have one stem (taste)."""
BATCH: Final = 512
THREADS: Final = 2
WORD: Final = re.compile(r"[a-z]{3,}")


def stems_by_word(vocabulary: Sequence[str], language: str) -> Mapping[str, str]:
    """The stem of each whole word of a tokenizer's vocabulary that is searched for."""
    stop_words = language_of(language).stop_words
    terms = {word: terms_of(word, language) for word in vocabulary if WORD.fullmatch(word) and word not in stop_words}
    return {word: stems[0] for word, stems in terms.items() if len(stems) == 1}


def rows(stems: Sequence[str], vectors: NDArray[np.float32]) -> Iterator[tuple[str, list[str]]]:
    """Each stem with its nearest ones.

    Args:
        stems: the stem of each word.
        vectors: unit vectors of the words, shape (words, width).
    """
    nearest: dict[str, dict[str, float]] = defaultdict(dict)
    for start in range(0, len(stems), BATCH):
        cosines = vectors[start : start + BATCH] @ vectors.T
        for row, stem in zip(cosines, stems[start:], strict=False):
            for at in np.argpartition(-row, min(CANDIDATES, len(row) - 1))[:CANDIDATES]:
                if row[at] >= LEAST_COSINE and stems[at] != stem:
                    nearest[stem][stems[at]] = max(nearest[stem].get(stems[at], 0.0), float(row[at]))
    for stem, cosine_by_stem in sorted(nearest.items()):
        yield stem, sorted(cosine_by_stem, key=lambda other: (-cosine_by_stem[other], other))[:MOST]


def main(arguments: Sequence[str]) -> int:
    """Embed the vocabulary and write the table."""
    parser = argparse.ArgumentParser(prog="bench.fit near", description="Make the table of near stems.")
    parser.add_argument("--language", default="en")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args(arguments)
    source = packaged_folder()
    if source is None:
        tell("Skipped: the packaged model is not installed.")
        return 0
    vocabulary = json.loads((source / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    stems = stems_by_word(vocabulary, options.language)
    encoder = open_encoder(PACKAGED, environment_models(), THREADS)
    if isinstance(encoder, NoEncoder):
        tell(f"Skipped: {encoder.reason}.")
        return 0
    words = list(stems)
    vectors = np.concatenate([encoder.encode(words[start : start + BATCH]) for start in range(0, len(words), BATCH)])
    lines = [f"{stem} | {' '.join(others)}" for stem, others in rows([stems[word] for word in words], vectors)]
    out = options.out or Path(str(files("libs.language") / "data" / options.language / "near_stems.txt"))
    head = "# Nearest stems by all-MiniLM-L6-v2's vectors of single words; made by `python -m bench.fit near`.\n"
    out.write_text(head + "\n".join(lines) + "\n", encoding="utf-8")
    tell(f"{len(lines):,} stems in {out}")
    return 0
