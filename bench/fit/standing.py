"""Fit how far a sentence stands by itself: `python -m bench.fit standing FOLDER... [--write]`.

Each FOLDER is a corpus: pages of HTML, Markdown and text, in any languages. Sentences that open a section are told from
all others in paragraphs. Prints for each corpus, and weights fitted on the others, the area under the curve, and how
many later sentences score less than 5 % and 20 % of the opening ones do. `--write` stores weights fitted on all in
`standing.json`, of languages that other corpora tell (area > .5).
"""

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

import services.answer.quoting.standing as model
from bench.fit.softmax import Floats
from cli.view.output import tell_table
from libs.contracts.structure import BlockKind, Structure
from libs.documents.reading import structure_of
from libs.language.detection import detect_language
from libs.text.sentences import split_sentences
from libs.web.pages import read_page
from services.answer.quoting.dependence import unwrapped

COMMON, SHORT = 150, 5
"""How many words of a language count near a beginning, and up to which length a length counts (taste)."""
LEAST: Final = 8  # documents that a feature must occur in
L2, STEPS, RATE = 5.0, 150, 0.05
"""Penalty of the weights (20: the same), and steps and rate of Adam."""
SMALL: Final = 15  # hundredths; weights below are not stored
_MARKUP: Final = re.compile(r"[*_`\[\]#>]")


@dataclass(frozen=True, slots=True)
class Row:
    """A sentence of a corpus, and whether it opens a section."""

    corpus: str
    document: str
    language: str
    features: Sequence[str]
    opens: bool


def read_rows(folder: Path) -> Iterator[Row]:
    """The sentences of the paragraphs of a corpus, each wording once."""
    seen = set[str]()
    for file in sorted(folder.rglob("*")):
        if file.is_file() and (".htm" in file.name or file.suffix in (".md", ".txt")):
            raw = file.read_text(encoding="utf-8", errors="replace")
            page = read_page(raw) if ".htm" in file.name else None
            text, structure = (page.text, page.structure) if page else (raw, structure_of(raw))
            language = detect_language(text[:20_000]) or ""
            for sentence, opens in _sentences(text, structure, language):
                if sentence not in seen:
                    seen.add(sentence)
                    features = map(sys.intern, model.features(model.words_of(sentence)))
                    yield Row(folder.name, str(file), language, tuple(features), opens)


def _sentences(text: str, structure: Structure, language: str) -> Iterator[tuple[str, bool]]:
    """Yield the sentences of paragraphs, and whether they open a section."""
    section = -1
    for block in structure.blocks:
        opens, section = block.section != section, block.section
        if block.kind is BlockKind.PARAGRAPH:
            for sentence in split_sentences(unwrapped(block.span.of(text)), language):
                yield _MARKUP.sub("", sentence.text), opens
                opens = False


def fit(rows: Sequence[Row]) -> Mapping[str, Mapping[str, float]]:
    """The weights of each language."""
    languages = sorted({row.language for row in rows} - {""})
    return {language: _fit([row for row in rows if row.language == language]) for language in languages}


def _fit(rows: Sequence[Row]) -> Mapping[str, float]:
    """By penalized logistic regression, opening and later sentences alike in weight."""
    near = Counter(each[1:] for row in rows for each in row.features if each[0] == "~")
    common = {f"~{word}" for word, _ in near.most_common(COMMON)}
    common |= {f"#{length}" for length in range(1, SHORT)}
    told = [[each for each in row.features if each[0] not in "~#" or each in common] for row in rows]
    places_of = {(row.document, each) for row, of in zip(rows, told, strict=True) for each in of}
    documents = Counter(each for _, each in places_of)
    numbers = {each: number for number, each in enumerate(each for each, count in documents.items() if count >= LEAST)}
    columns = np.array([numbers[each] for of in told for each in of if each in numbers], dtype=int)
    lines = np.repeat(np.arange(len(rows)), [sum(each in numbers for each in of) for of in told])
    right, shares = np.array([row.opens for row in rows]), np.ones(len(rows))
    for kind in (right, ~right):
        shares[kind] *= len(rows) / 2 / max(shares[kind].sum(), 1e-9)
    weights = _descend(columns, lines, right.astype(float), shares, len(numbers))
    return dict(zip(numbers, weights.tolist(), strict=True))


def _descend(columns: NDArray[np.int_], lines: NDArray[np.int_], right: Floats, shares: Floats, count: int) -> Floats:
    weights, mean, square = np.zeros(count), np.zeros(count), np.zeros(count)
    for step in range(1, STEPS + 1):
        chance = 1 / (1 + np.exp(-np.bincount(lines, weights[columns], minlength=len(right))))
        slope = np.bincount(columns, (shares * (chance - right))[lines], minlength=count) + L2 * weights
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope**2
        weights = weights - RATE * mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.99**step)) + 1e-9)
    return weights


def figures(rows: Sequence[Row]) -> Iterator[tuple[str, ...]]:
    """For each corpus and language, scored by weights fitted on the other corpora."""
    for corpus in sorted({row.corpus for row in rows}):
        weights = fit([row for row in rows if row.corpus != corpus])
        for language in sorted({row.language for row in rows if row.corpus == corpus}):
            of = [row for row in rows if (row.corpus, row.language) == (corpus, language)]
            opening = np.sort([_score(row, weights) for row in of if row.opens])
            later = np.array([_score(row, weights) for row in of if not row.opens])
            if len(opening) > 40 and len(later) > 40:
                area = np.searchsorted(np.sort(later), opening).mean() / len(later)
                below = (f"{(later < np.quantile(opening, share)).mean():.2f}" for share in (0.05, 0.2))
                yield corpus, language, f"{len(opening)}", f"{len(later)}", f"{area:.2f}", *below


def _score(row: Row, weights: Mapping[str, Mapping[str, float]]) -> float:
    return sum(weights.get(row.language, {}).get(each, 0.0) for each in row.features)


def main(arguments: Sequence[str]) -> int:
    """Fit, print and write."""
    parser = argparse.ArgumentParser(prog="bench.fit standing", description="Fit how far a sentence stands by itself.")
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(arguments)
    rows = [row for folder in options.folders for row in read_rows(folder)]
    told = list(figures(rows))
    tell_table(("corpus", "language", "opening", "later", "area", "below 5 %", "below 20 %"), told)
    if options.write:
        tested = {language for _, language, _, _, area, *_ in told if float(area) > 0.5}
        _write(fit([row for row in rows if row.language in tested]), sorted({row.corpus for row in rows}), told)
    return 0


def _write(weights: Mapping[str, Mapping[str, float]], corpora: Sequence[str], told: Sequence[Sequence[str]]) -> None:
    stored = {language: _pruned(of) for language, of in weights.items()}
    about = {"fitted_by": "python -m bench.fit standing", "date": f"{datetime.now(UTC):%Y-%m-%d}", "corpora": corpora}
    content = json.dumps({**about, "left_out": told, "weights": stored}, ensure_ascii=False, separators=(",", ":"))
    Path(model.__file__).with_name(model.WEIGHTS).write_text(content + "\n", encoding="utf-8")


def _pruned(weights: Mapping[str, float]) -> Mapping[str, int]:
    """The weights in hundredths without the small ones."""
    hundredths = {each: round(100 * weight) for each, weight in weights.items()}
    return {each: weight for each, weight in hundredths.items() if abs(weight) >= SMALL}
