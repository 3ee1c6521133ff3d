"""A small full-text search over the sample corpus, read once: stands in for retrieval beside the answer stage."""

import math
import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from bench.passage_cutting import passages_of
from libs.contracts.evidence import EngineScores, Evidence, Passage, Reference
from libs.contracts.query import NodeSearch, SearchedTerm
from libs.contracts.stages.answer import WriteRequest
from libs.language.analysis import terms_of
from libs.text.tokens import content_stems
from services.retrieve.search.fusion import lexical_scale

CORPUS = Path(__file__).resolve().parent.parent / "samples" / "corpus"
_K1, _B = 1.2, 0.75  # BM25's usual values, Lucene's defaults


@dataclass(frozen=True)
class Index:
    """Passages with their stems (the title's among them)."""

    passages: tuple[Passage, ...]
    stems: tuple[Counter[str], ...]
    frequencies: Counter[str]
    terms: tuple[frozenset[str], ...] = ()
    """As they are searched by."""

    def request(self, question: str) -> WriteRequest:
        """What the answer stage would be asked."""
        counts = Counter(terms_of(question, "en"))
        terms = tuple(SearchedTerm(term, float(count), self._rarity(term)) for term, count in counts.items())
        return WriteRequest(question, references=self.search(question), searches=(NodeSearch("1", terms),))

    def _rarity(self, term: str) -> float:
        having = sum(term in terms for terms in self.terms)
        return math.log(1 + (len(self.terms) - having + 0.5) / (having + 0.5)) / math.log(2 + len(self.terms))

    def search(self, question: str, limit: int = 20) -> tuple[Reference, ...]:
        """The best passages by BM25 on the scale of retrieval's fused scores, numbered from 1."""
        stems = set(content_stems(question, language="en"))
        scores = [(self._score(stems, counts), number) for number, counts in enumerate(self.stems)]
        best = sorted((pair for pair in scores if pair[0] > 0), key=lambda pair: (-pair[0], pair[1]))[:limit]
        scale = lexical_scale(len(self.passages))
        return tuple(
            Reference(
                rank, Evidence(self.passages[number], EngineScores(lexical=score, fused=score * scale), rank=rank)
            )
            for rank, (score, number) in enumerate(best, start=1)
        )

    def _score(self, stems: set[str], counts: Counter[str]) -> float:
        length = sum(counts.values()) / 45  # stems of a passage of usual length (taste)
        return sum(
            math.log(1 + (len(self.stems) - self.frequencies[stem] + 0.5) / (self.frequencies[stem] + 0.5))
            * counts[stem]
            * (_K1 + 1)
            / (counts[stem] + _K1 * (1 - _B + _B * length))
            for stem in stems
            if counts[stem]
        )


@lru_cache(maxsize=1)
def sample_index() -> Index:
    """The index over the sample corpus."""
    passages = tuple(passage for file in sorted(CORPUS.glob("*.md")) for passage in _passages(file))
    stems = tuple(Counter(content_stems(f"{passage.title} {passage.text}", language="en")) for passage in passages)
    terms = tuple(frozenset(terms_of(f"{passage.title}\n{passage.text}", "en")) for passage in passages)
    return Index(passages, stems, Counter(stem for counts in stems for stem in counts), terms)


def _passages(file: Path) -> list[Passage]:
    _, head, text = file.read_text(encoding="utf-8").split("---\n", 2)
    title = re.search(r"^title: (.*)$", head, re.MULTILINE)
    date = re.search(r"^date: (.*)$", head, re.MULTILINE)
    return passages_of(file.stem, text, title[1] if title else "", date[1] if date else "", "corpus")
