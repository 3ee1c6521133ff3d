"""What the check of sentences catches and lets stand over the committed pairs; see `bench.verification`."""

import json
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from libs.contracts.answers import Verdict
from services.answer.verification.verify import Checker
from services.answer.verification.windows import Source
from tests.unit.answer.sample_search import sample_index

KINDS = ("number", "date", "unit", "name", "negation", "source")
"""What a corruption changes; the fixture has the order of things (`order`, `role`) besides, which is harder to see."""


def rows(name: str) -> Iterator[dict[str, Any]]:
    lines = Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines()
    return (json.loads(line) for line in lines)


@lru_cache(maxsize=3)
def verdicts(part: str = "") -> dict[str, Counter[Verdict]]:
    """Verdicts on the corrupted pairs by kind, on true sentences by what they are; `_2` and `_3` for blind sets."""
    counts: dict[str, Counter[Verdict]] = {}
    checkers: dict[str, Checker] = {}
    for row in (*rows(f"corrupted_pairs{part}.jsonl"), *rows(f"true_sentences{part}.jsonl")):
        source = row["source"]
        if source not in checkers:
            passages = [Source(passage) for passage in sample_index().passages if passage.document_id == source]
            checkers[source] = Checker(passages)
        key = row.get("kind") or f"true {row['made_from']}"
        counts.setdefault(key, Counter())[checkers[source].check(row["sentence"]).verdict] += 1
    return counts


def share(keys: tuple[str, ...], verdict: Verdict, part: str = "") -> float:
    counts: Counter[Verdict] = sum((verdicts(part)[key] for key in keys), Counter())
    return counts[verdict] / counts.total()


def test_the_pairs_are_many_and_most_are_no_quotes() -> None:
    pairs = [row for row in rows("corrupted_pairs.jsonl") if row["kind"] in KINDS]
    assert len(pairs) >= 300
    assert 2 * sum(row["made_from"] == "paraphrase" for row in pairs) >= len(pairs)


def test_corrupted_sentences_are_withdrawn() -> None:
    assert share(KINDS, Verdict.WITHDRAWN) >= 0.95


def test_corrupted_sentences_in_another_style_are_mostly_withdrawn() -> None:
    assert share(KINDS, Verdict.WITHDRAWN, "_2") >= 0.91
    assert share(KINDS, Verdict.VERIFIED, "_2") <= 0.07


def test_denials_and_names_turned_round_in_a_third_style_seldom_look_supported() -> None:
    both = ("negation", "name")
    assert share(both, Verdict.WITHDRAWN, "_3") >= 0.57
    assert share(both, Verdict.VERIFIED, "_3") <= 0.1


@pytest.mark.parametrize("kind", [*KINDS, "order"])
def test_no_kind_of_corruption_is_overlooked(kind: str) -> None:
    assert share((kind,), Verdict.WITHDRAWN) >= 0.75


def test_quotes_are_verified() -> None:
    assert share(("true quote",), Verdict.VERIFIED) >= 0.99


def test_most_true_paraphrases_stand() -> None:
    assert share(("true paraphrase",), Verdict.WITHDRAWN) <= 0.14
    assert share(("true paraphrase",), Verdict.WITHDRAWN, "_2") <= 0.15
    assert share(("true paraphrase",), Verdict.WITHDRAWN, "_3") <= 0.175
