"""Turns a ranked list into evidence: passages, groups, labels. Everything blocks; raises Unavailable for the corpus."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from libs.contracts.dates import TimeRange
from libs.contracts.evidence import Evidence, Passage, RankedPassage
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.reading import passage_ids_of_keys
from services.retrieve.search import versions
from services.retrieve.search.definitions import Thing, bonuses
from services.retrieve.search.exact_names import exact_first
from services.retrieve.search.grouping import (
    DuplicateGroup,
    GroupMember,
    group_near_duplicates,
    say_the_same,
)
from services.retrieve.search.in_time import READ, fit_of
from services.retrieve.search.ranked_list import Ranked, evidence_of, thresholds_of
from services.retrieve.search.ranking import RankingSettings
from services.retrieve.search.retrieval import Retrieval
from services.retrieve.search.versions import side_by_side
from services.retrieve.sources.web import vectors_of

_DEFINITIONS = 200
"""Candidates that are read for a definition (taste)."""
_GROUPED, _GROUPED_EACH = 100, 5
"""Candidates that are grouped: at least this many in all, and this many per requested result (taste).

Loading the vectors of all 1,500 (1,000 by words and 500 by meaning) takes longer than comparing them.
"""


@dataclass(frozen=True, slots=True)
class EvidenceBuilder:
    """Loads the passages of a ranked list from a corpus."""

    corpus: Corpus
    settings: RankingSettings

    def lift_in_time(self, ranking: Ranked, retrieval: Retrieval, wanted: TimeRange) -> Ranked:
        """The list with the passages that tell of a time lifted, with their scores; that there are none is reported."""
        head = ranking.first(READ)
        passages = self.passages(head.keys, retrieval)
        fit, degraded = fit_of([passages.get(key) for key in head.keys.tolist()], wanted)
        retrieval.omissions.extend([degraded] if degraded else [])
        levels = np.zeros(len(ranking))
        levels[: len(head)] = fit
        return ranking.ordered(np.lexsort((ranking.keys, -(ranking.scores + self.settings.time_boost * levels))))

    def with_definitions_first(self, ranking: Ranked, retrieval: Retrieval, thing: Thing) -> Ranked:
        """The list with what tells what a thing is lifted; as before, its best score is that of the best passage."""
        keys = ranking.first(_DEFINITIONS).keys
        passages = self.passages((*keys, *(keys - 1)), retrieval)
        each, before = ([passages.get(key) for key in (keys - back).tolist()] for back in (0, 1))
        scores = ranking.scores.copy()
        scores[: len(keys)] += bonuses(thing, each, before, self.settings.definitions)
        return ranking.sorted_by(scores + (ranking.scores[:1] - scores.max(initial=-np.inf)))

    def in_order_of_names(self, ranking: Ranked, retrieval: Retrieval) -> Ranked:
        """The list with exact names before longer ones, and the versions of a document together."""
        keys, question = ranking.first(versions.READ).keys, retrieval.query.text
        by_key, now = self.passages(keys, retrieval), retrieval.options.now or datetime.now(UTC)
        passages = [by_key.get(key) for key in keys.tolist()]
        exact = exact_first(passages, question)
        order = [exact[at] for at in side_by_side([passages[at] for at in exact], question, now)]
        return ranking.ordered(np.array([*order, *range(len(keys), len(ranking))], np.int64))

    def ranking(self, ranking: Ranked, retrieval: Retrieval) -> tuple[RankedPassage, ...]:
        """The top passages, as many as requested."""
        head = ranking.first(retrieval.options.ranking)
        if not len(head):
            return ()
        ids = self.corpus.read(passage_ids_of_keys, head.keys.tolist())
        ids |= {key: passage.passage_id for key, passage in retrieval.web.by_key.items()}
        scores_by_key = zip(head.keys.tolist(), head.scores.tolist(), strict=True)
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
        limit, near = retrieval.ranking.depth.evidence, self.settings.near_duplicate
        vectors = vectors_of(ranking.keys, retrieval.engines.vectors(ranking.keys), retrieval.web)
        if vectors is None:
            return [DuplicateGroup(position) for position in range(min(limit, len(ranking)))]

        def same(head: int, similar: Sequence[GroupMember]) -> Sequence[GroupMember]:
            keys = ranking.keys[[head, *(member.position for member in similar)]]
            passages = self.passages(keys, retrieval)
            best, *others = (passages.get(key) for key in keys.tolist())
            pairs = zip(similar, others, strict=True)
            return [each for each, p in pairs if best and p and say_the_same(best, p)]

        return group_near_duplicates(vectors, near, limit, same)
