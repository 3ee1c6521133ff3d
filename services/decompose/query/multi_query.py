"""Searches a question in several wordings side by side: specific, synonymous, expanded.

The wordings come from a language model, with one prompt each, or from the domain's word lists. In the latter case the
turn's own words are one of them (measured on MTRAG, nDCG@10: .419; without them and with the general domain's aspects
.387; the last turn alone .390). A model's wording is checked by its embedding's similarity to the standalone question,
because it is meant to use new words. A wording that is too dissimilar, repeats another or cannot be checked is replaced
by that of the rules, and this is reported as degraded. A question in a language that the embedding model may not know
keeps its own words first, and its rewordings are compared with the model's standalone wording instead.

In every case there are as many wordings as kinds, and no two are searched by the same words. Missing ones are filled up
with the question plus the conversation's topic, and with its parts. A question with a single term has fewer.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain, islice
from typing import Final, TypeAlias

from libs.contracts.query import DecisionRecord, WeightedQuery, WeightedText
from libs.contracts.usage import Degraded, Stage, Usage
from libs.inference.vectors import Embedder
from libs.language.known import ENGLISH
from libs.llm.fallback import EngineResult, known, with_fallback
from libs.llm.usage import total_usage
from libs.runtime.errors import ParleyError
from libs.runtime.threads import in_thread
from services.decompose.history import HistoryWindow
from services.decompose.query.rule_variants import (
    QuestionWording,
    distinct_wordings,
    further_wordings,
    with_focus,
    with_synonyms,
)
from services.decompose.query.weighted import MAX_TEXT
from services.decompose.words.domain import Domain, domain_in

MAX_VARIANTS: Final = 8
"""The contract's maximum number of additional wordings."""
WEIGHT_STEP: Final = 0.05
"""The i-th wording weighs 1 - WEIGHT_STEP * (i - 1): 1, .95 and .9 in the tutorial that the strategy follows."""
MIN_SIMILARITY: Final = 0.4
"""Minimum cosine of a model's wording and the standalone question. With MiniLM, rewordings have .48 to .89, other
topics below .1; questions about another facet of the same topic have up to .6 and can't be distinguished."""


class VariantKind(StrEnum):
    """A way of rewording."""

    STANDALONE = "standalone"
    """Specific, and understandable without the conversation."""
    SYNONYMS = "synonyms"
    """Precise terms and synonyms, with the same meaning."""
    EXPANDED = "expanded"
    """With related aspects."""


@dataclass(frozen=True, slots=True)
class FormulatedQuery:
    """A query, its degradations, and its usage."""

    query: WeightedQuery
    degraded: tuple[Degraded, ...] = ()
    usage: tuple[Usage, ...] = ()


VariantWriter: TypeAlias = Callable[[VariantKind, DecisionRecord, HistoryWindow, list[Usage]], Awaitable[str]]
"""Writes one wording of a turn, such as by a language model; raises LlmError if the model writes nothing usable. The
list receives the usage of each response of the model, even if none can be used."""


@dataclass(frozen=True, slots=True)
class _ModelVariants:
    """A model's wording of each kind, the usage of each (discarded ones included), and why some are missing."""

    texts: Mapping[VariantKind, str]
    usage: tuple[Usage, ...]
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _RewriteRequest:
    """A turn to reword."""

    record: DecisionRecord
    window: HistoryWindow
    language: str
    domain: Domain
    """The words of the documents' subject in that language."""

    @property
    def is_foreign(self) -> bool:
        """Whether it is in a language other than English, so that the embedding model may not know it."""
        return self.language != ENGLISH


@dataclass(frozen=True, slots=True)
class Rewriter:
    """Rewords questions; `writer` is None if no language model is configured."""

    domain: Domain
    kinds: tuple[VariantKind, ...] = tuple(VariantKind)
    seconds: float = 5.0
    """Timeout of the language model (taste)."""
    writer: VariantWriter | None = None

    async def rewrite(
        self,
        record: DecisionRecord,
        window: HistoryWindow,
        language: str,
        embedder: Embedder | None,
        rewordings: Sequence[str] = (),
    ) -> FormulatedQuery:
        """Return the wordings of a turn in a language; the caller's `rewordings` take the place of the writer's."""
        request = _RewriteRequest(record, window, language, domain_in(self.domain, language))
        rule_wordings = await in_thread(self._by_rules, request)
        by_rules = (*rule_wordings.values(), record.standalone, record.raw)
        write = self._by_caller(rewordings) if rewordings else self.writer
        if write is None:
            effect = "The question was reworded by rules: no language model is configured."
            query = await in_thread(self._query, by_rules, request)
            return FormulatedQuery(query, (Degraded(Stage.DECOMPOSE, "LLM_UNAVAILABLE", effect),))
        variants = await self._write(write, record, window)
        accepted, rejections = await self._accept_similar(variants.texts, request, embedder)
        wordings = [accepted.get(kind, rule_wordings.get(kind, "")) for kind in self.kinds] if accepted else by_rules
        originals = [record.standalone] if request.is_foreign else []
        reason = next(iter((*variants.reasons, *rejections)), None)
        degraded = (self._degradation(reason, accepted),) if reason else ()
        query = await in_thread(self._query, (*originals, *wordings), request)
        return FormulatedQuery(query, degraded, variants.usage)

    def _by_caller(self, rewordings: Sequence[str]) -> VariantWriter:
        """The caller's own rewordings, which are checked against the question like a model's."""
        wordings = dict(zip(self.kinds, rewordings, strict=False))
        return lambda kind, *_: known(wordings.get(kind, "").strip())

    def _by_rules(self, request: _RewriteRequest) -> dict[VariantKind, str]:
        question, domain, language = request.record.standalone, request.domain, request.language
        ways = {
            VariantKind.STANDALONE: question,
            VariantKind.SYNONYMS: with_synonyms(question, domain, language),
            VariantKind.EXPANDED: with_focus(question, domain, language) if domain.rules_expand else None,
        }
        return {kind: text for kind in self.kinds if (text := ways[kind])}

    async def _write(self, write: VariantWriter, record: DecisionRecord, window: HistoryWindow) -> _ModelVariants:
        """Write all kinds concurrently."""
        usages: dict[VariantKind, list[Usage]] = {kind: [] for kind in self.kinds}

        async def attempt(kind: VariantKind) -> EngineResult[str | None]:
            return await with_fallback(
                lambda: write(kind, record, window, usages[kind]), lambda: known(None), seconds=self.seconds
            )

        outcomes = await asyncio.gather(*(attempt(kind) for kind in self.kinds))
        return _ModelVariants(
            {kind: outcome.result for kind, outcome in zip(self.kinds, outcomes, strict=True) if outcome.result},
            tuple(
                replace(total_usage(responses), task=f"rewrite_{kind}")
                for kind, responses in usages.items()
                if responses
            ),
            tuple(outcome.reason for outcome in outcomes if outcome.reason),
        )

    async def _accept_similar(
        self, texts: Mapping[VariantKind, str], request: _RewriteRequest, embedder: Embedder | None
    ) -> tuple[Mapping[VariantKind, str], tuple[str, ...]]:
        """The distinct wordings that are similar enough to the question, and the reasons for rejecting the others."""
        if not texts:
            return {}, ()
        if embedder is None:
            return {}, ("EMBEDDER_MISSING",)
        question = request.record.standalone
        model = texts.get(VariantKind.STANDALONE, question) if request.is_foreign else question
        try:
            first, *vectors = await embedder.embed([model, *texts.values()])
        except ParleyError as error:
            return {}, (error.reason,)
        near = [float(first @ vector) >= MIN_SIMILARITY for vector in vectors]
        close = {kind: text for (kind, text), is_near in zip(texts.items(), near, strict=True) if is_near}
        accepted = _distinct(close, request.language)
        return accepted, () if len(accepted) == len(texts) else ("LLM_UNUSABLE",)

    def _degradation(self, reason: str, accepted: Mapping[VariantKind, str]) -> Degraded:
        kinds = ", ".join(kind.value for kind in self.kinds if kind not in accepted)
        return Degraded(
            Stage.DECOMPOSE, reason, f"These wordings of the question are those of the rules, or missing: {kinds}."
        )

    def _query(self, wordings: Iterable[str], request: _RewriteRequest) -> WeightedQuery:
        """The query with the first wording as its text and the others as variants, filled up to the number of kinds."""
        distinct = list(distinct_wordings((QuestionWording(text) for text in wordings if text), request.language))
        extra = further_wordings(request.record, request.window, request.domain, request.language)
        count = max(len(distinct), len(self.kinds))
        first, *others = islice(distinct_wordings(chain(distinct, extra), request.language), count)
        variants = (
            WeightedText(wording.text[:MAX_TEXT], weight)
            for place, wording in enumerate(others[:MAX_VARIANTS], start=1)
            if (weight := (1 - WEIGHT_STEP * place) * wording.counts) > 0
        )
        return WeightedQuery(first.text[:MAX_TEXT], variants=tuple(variants))


def _distinct(texts: Mapping[VariantKind, str], language: str) -> Mapping[VariantKind, str]:
    """The wordings without those that are searched by the same words as an earlier one."""
    kinds = {texts[kind]: kind for kind in reversed(list(texts))}
    return {
        kinds[wording.text]: wording.text
        for wording in distinct_wordings(map(QuestionWording, texts.values()), language)
    }
