"""Full-text search where not everybody may see every passage: scores tell nothing of what the caller may not see.

Restricted passages have an index of their own, so that they do not move the statistics of public ones. Its own count
for nothing: a word is as rare as it is among what the caller may see, and lengths, which hardly matter, are left out.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
import tantivy
from numpy.typing import NDArray

from services.retrieve.corpus.feed import TextBatch, TextPassage
from services.retrieve.corpus.filtering import RESTRICTED, Access, Admission
from services.retrieve.engines.embedded.lexical import MUST, SHOULD, LexicalIndex, idf
from services.retrieve.engines.protocols import Hits
from services.retrieve.search.engine_queries import indexed_terms

Weights = Mapping[str, float]
GAINS: Final = (1.0, 0.375, 0.196)
"""What the first three times add that a passage has a word: BM25 with k1 1.2 at the mean length, times k1 + 1."""
UNIT: Final = 2.0**-14
"""Of the scores of words: sums below 1,024 are exact, in whatever order the index adds them up."""


class RestrictedIndex(LexicalIndex):
    """The passages that not everybody may see. A term's weight includes its rarity."""

    def document_frequencies(self, terms: Iterable[str], access: Access) -> Mapping[str, int]:
        """See LexicalEngine."""
        return {term: self.count(self._term(f"1{term}"), access) for term in terms}

    def count(self, query: tantivy.Query, access: Access) -> int:
        """Number of passages that match, of those that the principals may see."""
        searcher = self._index.searcher()
        if not (access.principals and searcher.num_docs):
            return 0
        permitted = self._conditions(self._admission(Access(principals=access.principals)))
        matching = tantivy.Query.boolean_query([(MUST, each) for each in (query, *permitted)])
        return int(searcher.search(matching, 1).count)  # type: ignore[attr-defined]  # the stub lacks it

    def _admission(self, access: Access) -> Admission:
        return access.admission(any_restricted=True)

    def _body(self, passage: TextPassage) -> str:
        """The terms, each behind how often it has occurred by then, as far as that counts."""
        counts, words = Counter[str](), list[str]()
        for term in indexed_terms(passage):
            counts[term] += 1
            words += [f"{counts[term]}{term}"] if counts[term] <= len(GAINS) else []
        return " ".join(words)

    def _scored(self, term: str, weight: float) -> tantivy.Query:
        gains = [(self._term(f"{time}{term}"), weight * gain) for time, gain in enumerate(GAINS, start=1)]
        scored = [tantivy.Query.const_score_query(query, round(score / UNIT) * UNIT) for query, score in gains]
        return tantivy.Query.boolean_query([(SHOULD, query) for query in scored])


class ReadersIndex(LexicalIndex):
    """One collection's index: this one of public passages, and beside it that of restricted ones."""

    def __init__(self, directory: Path, identity: str) -> None:
        super().__init__(directory, identity)
        self._restricted = RestrictedIndex(directory / "restricted", identity)
        if self._restricted.sequence < self.sequence:  # it was damaged: build both anew
            self.sequence = self.followed = 0
            self._index = self._open()
            self._restricted = RestrictedIndex(directory / "restricted", identity)

    def follow(self, batch: TextBatch) -> None:
        """Apply a batch of changes to both; the restricted ones are never behind."""
        restricted = tuple(passage for passage in batch.passages if RESTRICTED in passage.labels)
        public = tuple(passage for passage in batch.passages if RESTRICTED not in passage.labels)
        self._restricted.follow(replace(batch, passages=restricted))
        super().follow(replace(batch, passages=public))

    def commit(self) -> None:
        """Make applied changes searchable and durable."""
        self._restricted.commit()
        super().commit()

    def close(self) -> None:
        """Close both."""
        self._restricted.close()
        super().close()

    def document_frequencies(self, terms: Iterable[str], access: Access) -> Mapping[str, int]:
        """See LexicalEngine."""
        public = Counter(super().document_frequencies(terms, access))
        return public + Counter(self._restricted.document_frequencies(public, access))

    def search(self, terms: Weights, limit: int, access: Access) -> Hits:
        """See SearchEngine."""
        public, restricted = self._weights(terms, access)
        found, more = super().search(public, limit, access), self._restricted.search(restricted, limit, access)
        if not len(more.keys):
            return found
        keys, scores = np.concatenate([found.keys, more.keys]), np.concatenate([found.scores, more.scores])
        best = np.argsort(-scores, kind="stable")[:limit]
        return Hits(keys[best], scores[best], others=0.0 if len(keys) < limit else None)

    def scores(self, terms: Weights, keys: NDArray[np.int64], access: Access) -> NDArray[np.float64]:
        """See SearchEngine."""
        public, restricted = self._weights(terms, access)
        return super().scores(public, keys, access) + self._restricted.scores(restricted, keys, access)

    def _weights(self, terms: Weights, access: Access) -> tuple[Weights, Weights]:
        """The weights of terms in each index, so that a word is as rare as among all that the caller may see."""
        passages, restricted = (
            self._index.searcher().num_docs,
            self._restricted.count(tantivy.Query.all_query(), access),
        )
        if not restricted:
            return terms, {}
        public, seen = super().document_frequencies(terms, access), self.document_frequencies(terms, access)
        whole = {term: weight * idf(passages + restricted, seen.get(term, 0)) for term, weight in terms.items()}
        return {term: weight / idf(passages, public[term]) for term, weight in whole.items()}, whole
