"""Searches a question in three wordings side by side: specific, in other words, broader.

They come from a language model, from the caller, or from frames and word lists of the language (52 turns of MTRAG's
domain cloud, nDCG@10: .359; .344 with fragments of the question as its other wordings). One that is not the rules' is
checked by its embedding's similarity to the standalone question, because it is meant to use new words. One that is too
dissimilar, repeats another or cannot be checked is replaced by that of the rules, and this is reported as degraded. A
question in a language that the embedding model may not know keeps its own words first, and its rewordings are compared
with the standalone wording among them instead.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

from libs.contracts.query import DecisionRecord, WeightedQuery, WeightedText
from libs.contracts.usage import Degraded, Stage, Usage
from libs.inference.vectors import Embedder
from libs.language.analysis import terms_of
from libs.language.known import ENGLISH
from libs.llm.fallback import known, with_fallback
from libs.llm.usage import total_usage
from libs.runtime.errors import ParleyError
from libs.runtime.threads import in_thread
from services.decompose.history import HistoryWindow
from services.decompose.query.rewordings import CLOSENESS, VariantKind, reword
from services.decompose.query.weighted import MAX_TEXT
from services.decompose.words.domain import Domain, domain_in

WEIGHT_STEP: Final = 0.05
"""The i-th wording weighs 1 - WEIGHT_STEP * (i - 1): 1, .95 and .9 in the tutorial that the strategy follows."""
MIN_SIMILARITY: Final = 0.4
"""Minimum cosine of a model's wording and the standalone question. With MiniLM, rewordings have .48 to .89, other
topics below .1; questions about another facet of the same topic have up to .6 and can't be distinguished."""


@dataclass(frozen=True, slots=True)
class FormulatedQuery:
    """A query, its degradations, and its usage."""

    query: WeightedQuery
    degraded: tuple[Degraded, ...] = ()
    usage: tuple[Usage, ...] = ()


_Wordings: TypeAlias = Mapping[VariantKind, str]
VariantWriter: TypeAlias = Callable[[DecisionRecord, HistoryWindow, list[Usage]], Awaitable[_Wordings]]
"""Rewords a turn, such as by a language model; raises LlmError if the model writes nothing usable. The list receives
the usage of each response of the model, even if none can be used."""


@dataclass(frozen=True, slots=True)
class Rewriter:
    """Rewords questions; `writer` is None if no language model is configured."""

    domain: Domain
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
        by_rules = await in_thread(reword, record, window, domain_in(self.domain, language), language)
        texts: _Wordings = dict(zip(VariantKind, map(str.strip, rewordings), strict=False))
        reason, usages = None, list[Usage]()
        if self.writer is None:
            reason = None if texts else "LLM_UNAVAILABLE"
        elif not texts:
            writing = partial(self.writer, record, window, usages)
            outcome = await with_fallback(writing, lambda: known({}), seconds=self.seconds)
            texts, reason = outcome.result, outcome.reason
        accepted, rejection = await _accept(texts, record.question, language, embedder)
        original = record.question if accepted and language != ENGLISH else ""
        usage = (total_usage(usages),) if usages else ()
        return FormulatedQuery(
            _query({**by_rules, **accepted}, original), _degraded(reason or rejection, accepted), usage
        )


async def _accept(
    texts: _Wordings, question: str, language: str, embedder: Embedder | None
) -> tuple[_Wordings, str | None]:
    """The distinct wordings that are similar enough to the question, and the reason for the lack of others."""
    wanted, texts = len(texts), {kind: text for kind, text in texts.items() if text}
    if embedder is None or not texts:
        return {}, "EMBEDDER_MISSING" if texts else "LLM_UNUSABLE"
    model = question if language == ENGLISH else texts.get(VariantKind.STANDALONE, question)
    try:
        first, *vectors = await embedder.embed([model, *texts.values()])
    except ParleyError as error:
        return {}, error.reason
    accepted: dict[frozenset[str], tuple[VariantKind, str]] = {}
    for (kind, text), vector in zip(texts.items(), vectors, strict=True):
        if float(first @ vector) >= MIN_SIMILARITY:
            accepted.setdefault(frozenset(terms_of(text, language)), (kind, text))
    return dict(accepted.values()), None if len(accepted) == wanted else "LLM_UNUSABLE"


def _query(wordings: _Wordings, original: str) -> WeightedQuery:
    """The query with the first wording as its text and the others as variants; `original` stands before them."""
    closeness = {text: CLOSENESS[kind] for kind, text in reversed([*wordings.items()])}
    first, *others = dict.fromkeys(filter(None, (original, *wordings.values())))
    variants = (
        WeightedText(text[:MAX_TEXT], 1 - WEIGHT_STEP * place, closeness[text])
        for place, text in enumerate(others, start=1)
    )
    return WeightedQuery(first[:MAX_TEXT], variants=tuple(variants))


def _degraded(reason: str | None, accepted: _Wordings) -> tuple[Degraded, ...]:
    kinds = ", ".join(kind.value for kind in VariantKind if kind not in accepted)
    effect = f"These wordings of the question are those of the rules, or missing: {kinds}."
    return (Degraded(Stage.DECOMPOSE, reason, effect),) if reason else ()
