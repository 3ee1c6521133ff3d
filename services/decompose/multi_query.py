"""A question searched in several wordings side by side: specific, in other words, wider.

The wordings come from a language model by one prompt each, or from the domain's lists, and then the turn's own words
are one of them (measured on MTRAG, nDCG@10: .419; without them and with the general domain's aspects .387; the last
turn alone .390). What a model writes is held to the standalone question by the likeness of their vectors, since new
words are its very purpose; a wording that is too far off, or that cannot be checked, is replaced by that of the rules,
and this is said. A question in a language that the embedding model may not know keeps its own words first, and its
rewordings are held to their own specific one.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol

from services.decompose.domain import Domain
from services.decompose.embedding import Embedder
from services.decompose.history import Window
from services.decompose.rule_variants import expanded, with_synonyms
from services.decompose.weighted import MAX_TEXT
from services.language.detection import detect_language
from services.language.known import ENGLISH
from services.llm.fallback import Chosen, with_fallback
from services.llm.usage import total_usage
from services.runtime.errors import ParleyError
from services.vocabulary.query import DecisionRecord, WeightedQuery, WeightedText
from services.vocabulary.usage import Degraded, Stage, Usage

MOST_VARIANTS = 8
"""The contract's greatest number of further wordings."""


class VariantKind(StrEnum):
    """A way of rewording."""

    STANDALONE = "standalone"
    """Specific, understood without the conversation."""
    SYNONYMS = "synonyms"
    """Precise terms and other words, the same meaning."""
    EXPANDED = "expanded"
    """With related aspects."""


@dataclass(frozen=True, slots=True)
class RewriteBounds:
    """Which wordings there are, what each counts, and how far one may go from the question."""

    kinds: tuple[VariantKind, ...] = tuple(VariantKind)
    weight_step: float = 0.05
    """The i-th wording weighs 1 - weight_step * (i - 1)."""
    least_likeness: float = 0.4
    """Least cosine of a wording and the standalone question. With MiniLM rewordings had .48 to .89, other matters below
    .1; questions for another facet of the same matter have up to .6 and are not told apart."""
    seconds: float = 5.0
    """Most time a language model may take."""


@dataclass(frozen=True, slots=True)
class Rewritten:
    """The query with its wordings."""

    query: WeightedQuery
    degraded: tuple[Degraded, ...] = ()
    usage: tuple[Usage, ...] = ()


class VariantWriter(Protocol):
    """A language model's rewordings."""

    async def write(self, kind: VariantKind, record: DecisionRecord, window: Window, used: list[Usage]) -> str:
        """One wording; `used` gets what each answer of the model took, also when none can be used.

        Raises:
            LlmError: the model failed, was too slow, or wrote nothing usable.
        """
        ...


@dataclass(frozen=True, slots=True)
class _Brought:
    """Rewordings that the caller brings, held to the question as a model's are."""

    wordings: Mapping[VariantKind, str]

    async def write(self, kind: VariantKind, record: DecisionRecord, window: Window, used: list[Usage]) -> str:
        """See `VariantWriter`; empty for a kind that none was brought for."""
        return self.wordings.get(kind, "").strip()


@dataclass(frozen=True, slots=True)
class _Written:
    """What a model wrote of each kind, what each kind took (written in vain, too), and why some are missing."""

    texts: Mapping[VariantKind, str]
    usage: tuple[Usage, ...]
    reasons: tuple[str, ...]


class Rewriter:
    """Rewords questions; `writer` is None where no language model is configured."""

    def __init__(self, domain: Domain, bounds: RewriteBounds, writer: VariantWriter | None = None) -> None:
        self._domain = domain
        self._bounds = bounds
        self._writer = writer

    async def rewrite(
        self, record: DecisionRecord, window: Window, embedder: Embedder | None, brought: Sequence[str] = ()
    ) -> Rewritten:
        """The wordings of a turn, the first its standalone question; those that are `brought` in the writer's place."""
        rules = await asyncio.to_thread(self._by_rules, record.standalone)
        writer = _Brought(dict(zip(self._bounds.kinds, brought, strict=False))) if brought else self._writer
        if writer is None:
            effect = "The question was reworded by rules: no language model is configured."
            query = self._query((*rules.values(), record.standalone, record.raw))
            return Rewritten(query, (Degraded(Stage.DECOMPOSE, "LLM_UNAVAILABLE", effect),))
        written = await self._write(writer, record, window)
        foreign = is_foreign(record.standalone)
        accepted, unlike = await self._alike(written.texts, record.standalone, embedder, foreign)
        wordings = [accepted.get(kind, rules.get(kind, "")) for kind in self._bounds.kinds]
        own = [record.standalone] if foreign or not any(wordings) else []
        reason = next(iter((*written.reasons, *unlike)), None)
        degraded = (self._said(reason, accepted),) if reason else ()
        return Rewritten(self._query((*own, *wordings)), degraded, written.usage)

    def _by_rules(self, question: str) -> dict[VariantKind, str]:
        ways = {
            VariantKind.STANDALONE: question,
            VariantKind.SYNONYMS: with_synonyms(question, self._domain),
            VariantKind.EXPANDED: expanded(question, self._domain) if self._domain.rules_expand else None,
        }
        return {kind: text for kind in self._bounds.kinds if (text := ways[kind])}

    async def _write(self, writer: VariantWriter, record: DecisionRecord, window: Window) -> _Written:
        """All kinds side by side."""

        async def nothing() -> None:
            return None

        used: dict[VariantKind, list[Usage]] = {kind: [] for kind in self._bounds.kinds}

        async def attempt(kind: VariantKind) -> Chosen[str | None]:
            return await with_fallback(
                lambda: writer.write(kind, record, window, used[kind]), nothing, seconds=self._bounds.seconds
            )

        chosen = await asyncio.gather(*(attempt(kind) for kind in self._bounds.kinds))
        return _Written(
            {kind: one.result for kind, one in zip(self._bounds.kinds, chosen, strict=True) if one.result},
            tuple(replace(total_usage(spent), task=f"rewrite_{kind}") for kind, spent in used.items() if spent),
            tuple(one.reason for one in chosen if one.reason),
        )

    async def _alike(
        self, texts: Mapping[VariantKind, str], question: str, embedder: Embedder | None, foreign: bool
    ) -> tuple[Mapping[VariantKind, str], tuple[str, ...]]:
        """The wordings that are near enough to the question, and why the others are not taken."""
        if not texts:
            return {}, ()
        if embedder is None:
            return {}, ("EMBEDDER_MISSING",)
        model = texts.get(VariantKind.STANDALONE, question) if foreign else question
        try:
            first, *others = await embedder.embed([model, *texts.values()])
        except ParleyError as error:
            return {}, (error.reason,)
        near = [float(first @ other) >= self._bounds.least_likeness for other in others]
        accepted = {kind: text for (kind, text), close in zip(texts.items(), near, strict=True) if close}
        return accepted, () if all(near) else ("LLM_UNUSABLE",)

    def _said(self, reason: str, accepted: Mapping[VariantKind, str]) -> Degraded:
        replaced = ", ".join(kind.value for kind in self._bounds.kinds if kind not in accepted)
        return Degraded(
            Stage.DECOMPOSE, reason, f"These wordings of the question are those of the rules, or missing: {replaced}."
        )

    def _query(self, wordings: Iterable[str]) -> WeightedQuery:
        """The first wording as the query's text, the others as its variants, each once."""
        by_words: dict[str, str] = {}
        for text in filter(None, wordings):
            by_words.setdefault(text.casefold(), text[:MAX_TEXT])
        distinct = list(by_words.values())
        variants = (
            WeightedText(text, weight)
            for place, text in enumerate(distinct[1 : MOST_VARIANTS + 1], start=1)
            if (weight := 1 - self._bounds.weight_step * place) > 0
        )
        return WeightedQuery(distinct[0], variants=tuple(variants))


def is_foreign(question: str) -> bool:
    """Whether a question is surely in another language than English, which the rules' wordings are in."""
    return detect_language(question) not in (None, ENGLISH)
