"""Turns a ranked list into evidence: passages, groups, labels. Everything blocks; raises Unavailable for the corpus."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from libs.contracts.dates import TimeRange
from libs.contracts.evidence import Evidence, Passage, RankedPassage
from libs.language.known import ENGLISH
from libs.text.dates import find_dates
from libs.text.memoize import memoized
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.filtering import Seconds, seconds_of_date, seconds_of_range
from services.retrieve.corpus.reading import passage_ids_of_keys
from services.retrieve.search.grouping import DuplicateGroup, group_near_duplicates
from services.retrieve.search.ranked_list import Ranked, evidence_of, thresholds_of
from services.retrieve.search.ranking import RankingSettings
from services.retrieve.search.retrieval import Retrieval
from services.retrieve.sources.web import vectors_of

_GROUPED, _GROUPED_EACH = 100, 5
"""Candidates that are grouped: at least this many in all, and this many per requested result (taste).

Loading the vectors of all 1,500 (1,000 by words and 500 by meaning) takes longer than comparing them.
"""


@dataclass(frozen=True, slots=True)
class EvidenceBuilder:
    """Loads the passages of a ranked list from a corpus."""

    corpus: Corpus
    settings: RankingSettings
    near_duplicate: float | None
    """Least cosine of one; None without an embedder, then nothing is grouped."""

    def boost_passages(self, ranking: Ranked, retrieval: Retrieval, boost: TimeRange) -> Ranked:
        """The list with passages that match the requested time moved up, within the reranking depth."""
        period = seconds_of_range(boost)
        head = ranking.first(retrieval.ranking.depth.rerank)
        passages = self.passages(head.keys, retrieval)
        scores = ranking.scores.copy()
        for position, key in enumerate(head.keys.tolist()):
            if key in passages:
                scores[position] += self.settings.time_boost * belonging(passages[key], period)
        return ranking.sorted_by(scores)

    def ranking(self, ranking: Ranked, retrieval: Retrieval) -> tuple[RankedPassage, ...]:
        """The top passages, as many as requested."""
        head = ranking.first(retrieval.options.ranking)
        if not len(head):
            return ()
        keys = head.keys.tolist()
        ids = self.corpus.read(lambda connection: passage_ids_of_keys(connection, keys))
        ids |= {key: passage.passage_id for key, passage in retrieval.web.by_key.items()}
        scores_by_key = zip(keys, head.scores.tolist(), strict=True)
        return tuple(RankedPassage(ids[key], score) for key, score in scores_by_key if key in ids)

    def evidence(self, ranking: Ranked, retrieval: Retrieval) -> tuple[Evidence, ...]:
        """The top passages, labelled, with near duplicates grouped."""
        groups = self._groups(ranking, retrieval)
        positions = [at for group in groups for at in (group.head, *(member.position for member in group.duplicates))]
        passages = self.passages((ranking.keys[at] for at in positions), retrieval)
        return evidence_of(ranking, groups, passages, thresholds_of(ranking, self.settings))

    def passages(self, keys: Iterable[np.int64], retrieval: Retrieval) -> dict[int, Passage]:
        """Passages by their keys; those deleted in the meantime are left out."""
        return self.corpus.passages(map(int, keys)) | dict(retrieval.web.by_key)

    def _groups(self, ranking: Ranked, retrieval: Retrieval) -> Sequence[DuplicateGroup]:
        """Groups of the first candidates, where near duplicates cluster; of all if those are too few."""
        head = ranking.first(max(_GROUPED, _GROUPED_EACH * retrieval.ranking.depth.evidence))
        groups = self._groups_of(head, retrieval)
        is_enough = len(head) == len(ranking) or len(groups) >= retrieval.ranking.depth.evidence
        return groups if is_enough else self._groups_of(ranking, retrieval)

    def _groups_of(self, ranking: Ranked, retrieval: Retrieval) -> Sequence[DuplicateGroup]:
        limit = retrieval.ranking.depth.evidence
        vectors = vectors_of(ranking.keys, retrieval.engines.vectors(ranking.keys), retrieval.web)
        if vectors is None or self.near_duplicate is None:
            return [DuplicateGroup(position) for position in range(min(limit, len(ranking)))]
        return group_near_duplicates(vectors, self.near_duplicate, limit)


DATED, MENTIONED = 1.0, 0.7
"""How well a passage matches a range: its document is dated in it, or its text mentions a date in it (by hand)."""


def belonging(passage: Passage, period: Seconds) -> float:
    """How well a passage matches a time range, in [0, 1]."""
    if passage.date and seconds_of_date(passage.date).overlaps(period):
        return DATED
    stretches = _stretches(f"{passage.title}\n{passage.text}", passage.language or ENGLISH)
    return MENTIONED if any(stretch.overlaps(period) for stretch in stretches) else 0.0


@memoized(texts=2048, longest=4096)  # characters; passages have some 800 (taste)
def _stretches(text: str, language: str) -> tuple[Seconds, ...]:
    """The time ranges of the dates in a text."""
    return tuple(
        Seconds(seconds_of_date(str(mention.first)).first, seconds_of_date(str(mention.last)).last)
        for mention in find_dates(text, language=language)
    )
