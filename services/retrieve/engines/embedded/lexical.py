"""Full-text search over one collection: BM25 by tantivy, over terms from our own text analysis.

Derived from the corpus: `state.json` beside the index stores the last change that it has applied. It is written after
the index's own commit, so after a crash the index may be ahead of the file; applying the same changes again is
harmless. An index that is damaged, or of another corpus or layout, is discarded and rebuilt. Everything blocks.

Scores are Lucene's form of BM25 without the constant factor k1 + 1 that tantivy multiplies in: k1 1.2, and b about .3.
Tantivy's own b is .75, which penalizes long passages too much for questions (nDCG@10 of the benchmarks MTRAG: .443
against .447, MTRAG-UN: .666 against .673). With a filler of F terms in each passage b becomes .75 * a / (a + F), where
a is the mean length of the passages.
"""

import json
import shutil
import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
import tantivy
from numpy.typing import NDArray

from services.retrieve.corpus.feed import TextBatch, TextPassage
from services.retrieve.corpus.filtering import UNDATED, Access, Admission
from services.retrieve.engines.protocols import EngineDefaults, Hits
from services.retrieve.search.engine_queries import indexed_terms

LAYOUT = "5"
"""Change it whenever an older index becomes unreadable."""
FILLER_TERMS = 150
"""b is .3 for passages of 100 terms, .2 for 50, .45 for 225; from 100 to 300 filler terms it hardly matters (MTRAG)."""
FILLER = "\U00010600 " * FILLER_TERMS
"""A sign of an undeciphered script, so that nobody searches for it; a word in every passage scores nothing anyway."""
_SCALE = 2.2  # k1 + 1
_HEAP = 15_000_000  # bytes; the least that tantivy takes
MUST, SHOULD = tantivy.Occur.Must, tantivy.Occur.Should


class LexicalIndex(EngineDefaults):
    """One collection's index. Searches run concurrently with each other and with one writer."""

    def __init__(self, directory: Path, identity: str) -> None:
        """Open the index of a corpus's collection (`identity`) in a directory of its own, or create an empty one."""
        self._directory = directory
        self._identity = f"{LAYOUT}:{identity}"
        self._schema = _schema()
        self._writer: tantivy.IndexWriter | None = None
        self._writing = threading.Lock()
        self.sequence = self._stored_sequence()
        """The last change that is searchable."""
        self._index = self._open()
        self.followed = self.sequence
        """The last change that was applied; changes beyond `sequence` wait for `commit`."""

    def expanded(self, text: str, stems: Mapping[str, float]) -> Mapping[str, float]:
        """The stems unchanged."""
        return stems

    def follow(self, batch: TextBatch) -> None:
        """Apply a batch of changes; they are searchable after `commit`."""
        with self._writing:
            earlier = tantivy.Query.term_set_query(self._schema, "document", batch.documents)
            if batch.passages or self.followed > self.sequence or self._index.searcher().search(earlier, 1).hits:
                if self._writer is None:
                    self._writer = self._index.writer(_HEAP, 1)
                if self.followed:  # an empty index has nothing to delete
                    self._writer.delete_documents_by_query(earlier)
                for passage in batch.passages:
                    self._writer.add_document(_document(passage, self._body(passage)))
            self.followed = batch.through

    def commit(self) -> None:
        """Make applied changes searchable and durable; does nothing if there are none."""
        with self._writing:
            if self.followed == self.sequence:
                return
            if self._writer is not None:
                self._writer.commit()
            fresh = self._directory / "state.new"
            fresh.write_text(json.dumps({"identity": self._identity, "sequence": self.followed}))
            fresh.replace(self._directory / "state.json")
            self._index.reload()
            self.sequence = self.followed

    def close(self) -> None:
        """Commit, then wait for merges."""
        self.commit()
        with self._writing:
            if self._writer is not None:
                self._writer.wait_merging_threads()
                self._writer = None

    def destroy(self) -> None:
        """Close, and delete the files on disk."""
        self.close()
        shutil.rmtree(self._directory, ignore_errors=True)

    def document_frequencies(self, terms: Iterable[str], access: Access) -> Mapping[str, int]:
        """See LexicalEngine."""
        searcher = self._index.searcher()
        return {term: searcher.doc_freq("body", term) for term in terms}

    def search(self, terms: Mapping[str, float], limit: int, access: Access) -> Hits:
        """See SearchEngine."""
        searcher = self._index.searcher()
        if not terms or not searcher.num_docs:
            return Hits(np.zeros(0, np.int64), np.zeros(0), others=0.0)
        query = self._query(terms, self._conditions(self._admission(access)))
        return self._run(searcher, query, limit)

    def scores(self, terms: Mapping[str, float], keys: NDArray[np.int64], access: Access) -> NDArray[np.float64]:
        """See SearchEngine."""
        if not terms or not len(keys):
            return np.zeros(len(keys))
        # One query per key: a term set query uses an automaton, which takes three times as long (400 keys: 6 ms).
        key_queries = [
            tantivy.Query.term_query(self._schema, "key", key, index_option="basic") for key in keys.tolist()
        ]
        any_key = tantivy.Query.boolean_query([(SHOULD, query) for query in key_queries])
        hits = self._run(self._index.searcher(), self._query(terms, [any_key]), len(keys))
        scores_by_key = dict(zip(hits.keys.tolist(), hits.scores.tolist(), strict=True))
        return np.array([scores_by_key.get(key, 0.0) for key in keys.tolist()])

    def _run(self, searcher: tantivy.Searcher, query: tantivy.Query, limit: int) -> Hits:
        hits = searcher.search(query, limit, count=False).hits
        keys = searcher.fast_field_values("key", [address for _, address in hits])
        scores = np.array([score for score, _ in hits], np.float64) / _SCALE
        return Hits(np.array(keys, np.int64), scores, others=0.0 if len(hits) < limit else None)

    def _query(self, terms: Mapping[str, float], conditions: Sequence[tantivy.Query]) -> tantivy.Query:
        scoring_query = tantivy.Query.boolean_query(
            [(SHOULD, self._scored(term, weight)) for term, weight in terms.items()]
        )
        if not conditions:
            return scoring_query
        filter_clauses = [(MUST, tantivy.Query.const_score_query(condition, 0.0)) for condition in conditions]
        return tantivy.Query.boolean_query([(MUST, scoring_query), *filter_clauses])

    def _scored(self, term: str, weight: float) -> tantivy.Query:
        return tantivy.Query.boost_query(self._term(term), weight)

    def _term(self, term: str) -> tantivy.Query:
        return tantivy.Query.term_query(self._schema, "body", term, index_option="freq")

    def _body(self, passage: TextPassage) -> str:
        return f"{' '.join(indexed_terms(passage))} {FILLER}"

    def _admission(self, access: Access) -> Admission:
        return access.conditions

    def _conditions(self, admission: Admission) -> list[tantivy.Query]:
        conditions = [self._any_label(labels) for labels in admission.labels]
        if admission.seconds is not None:
            started_before = self._seconds("first_second", None, admission.seconds.last)
            ended_after = self._seconds("last_second", admission.seconds.first, None)
            in_period = tantivy.Query.boolean_query([(MUST, started_before), (MUST, ended_after)])
            undated_clause = [(SHOULD, self._any_label([UNDATED]))] if admission.undated else []
            conditions.append(tantivy.Query.boolean_query([(SHOULD, in_period), *undated_clause]))
        return conditions

    def _any_label(self, labels: Iterable[str]) -> tantivy.Query:
        return tantivy.Query.term_set_query(self._schema, "labels", sorted(labels))

    def _seconds(self, field: str, low: int | None, high: int | None) -> tantivy.Query:
        return tantivy.Query.range_query(self._schema, field, tantivy.FieldType.Integer, low, high)

    def _open(self) -> tantivy.Index:
        if not self.sequence:
            shutil.rmtree(self._directory, ignore_errors=True)
        (self._directory / "index").mkdir(parents=True, exist_ok=True)
        try:
            return self._open_index()
        except ValueError:  # damaged: derived data, so rebuild it
            self.sequence = 0
            shutil.rmtree(self._directory)
            (self._directory / "index").mkdir(parents=True)
            return self._open_index()

    def _open_index(self) -> tantivy.Index:
        index = tantivy.Index(self._schema, path=str(self._directory / "index"))
        terms = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
        index.register_tokenizer("terms", terms)
        index.config_reader("manual")
        index.reload()
        return index

    def _stored_sequence(self) -> int:
        try:
            state = json.loads((self._directory / "state.json").read_text())
        except (OSError, ValueError):
            return 0
        return int(state["sequence"]) if state.get("identity") == self._identity else 0


def idf(total: int, having: int) -> float:
    """Lucene's formula, never negative."""
    return float(np.log(1 + (max(0, total - having) + 0.5) / (having + 0.5)))  # BM25's


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("body", tokenizer_name="terms", index_option="freq")
    builder.add_text_field("labels", tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("key", indexed=True, fast=True)
    builder.add_unsigned_field("document", indexed=True)
    builder.add_integer_field("first_second", indexed=True, fast=True)
    builder.add_integer_field("last_second", indexed=True, fast=True)
    return builder.build()


def _document(passage: TextPassage, body: str) -> tantivy.Document:
    document = tantivy.Document()
    document.add_text("body", body)
    document.add_unsigned("key", passage.key)
    document.add_unsigned("document", passage.document)
    for label in passage.labels:
        document.add_text("labels", label)
    if passage.first_second is not None and passage.last_second is not None:
        document.add_integer("first_second", passage.first_second)
        document.add_integer("last_second", passage.last_second)
    return document
