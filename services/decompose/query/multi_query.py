"""Searches a question in three wordings side by side: specific, in other words, broader.

They come from a language model, from the caller, or from frames and word lists of the language (52 turns of MTRAG's
domain cloud, nDCG@10: .359; .344 with fragments of the question as its other wordings). One that is not the rules' is
checked by its embedding's similarity to the standalone question, because it is meant to use new words. One that is too
dissimilar, repeats another or cannot be checked is replaced by that of the rules, and this is reported as degraded. A
question in a language that the embedding model may not know keeps its own words first, and its rewordings are compared
with the standalone wording among them instead.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Final, TypeAlias

from libs.contracts.query import DecisionRecord, WeightedQuery, WeightedText
from libs.contracts.stages.decompose import Condensed
from libs.contracts.usage import Degraded, Stage, Usage
from libs.inference.vectors import Embedder
from libs.language.analysis import terms_of
from libs.language.known import ENGLISH
from libs.llm.evidence import DataBlock
from libs.llm.fallback import known, with_fallback
from libs.llm.messages import ChatModel
from libs.llm.prompts import Prompt
from libs.llm.structured import complete_form
from libs.llm.usage import total_usage
from libs.runtime.errors import ParleyError
from libs.runtime.threads import in_thread
from services.decompose.condense.llm import Summarizer, conversation_block
from services.decompose.condense.tidy import as_question
from services.decompose.history import HistoryWindow
from services.decompose.query.rewordings import CLOSENESS, VariantKind, reword
from services.decompose.words.domain import Domain, domain_in

TASK: Final = "rewrite"
"""Runs at temperature .3 unless the settings differ, because several different wordings are wanted."""
PROMPT: Final = (TASK, frozenset(("domain", "matter", "language", "vocabulary", "focus", "history", "question")))
"""The prompt's name, and the placeholders that it may have."""
MAX_TOKENS: Final = 512
"""Three questions, the last of a sentence or two (taste)."""
_MAX_VOCABULARY: Final = 60
"""Maximum terms that a prompt shows with their synonyms (taste)."""
MAX_TEXT: Final = 8192
"""The contract's maximum length of the main text and of a term."""
WEIGHT_STEP: Final = 0.05
"""The i-th wording weighs 1 - WEIGHT_STEP * (i - 1): 1, .95 and .9 in the tutorial that the strategy follows."""
MIN_SIMILARITY: Final = 0.4
"""Minimum cosine of a model's wording and the standalone question. With MiniLM, rewordings have .48 to .89, other
topics below .1; questions about another facet of the same topic have up to .6 and can't be distinguished."""


_Wordings: TypeAlias = Mapping[VariantKind, str]


@dataclass(frozen=True, slots=True)
class RewordedForm:
    """The form that the model fills in, a field for each `VariantKind`."""

    standalone: str = ""
    synonyms: str = ""
    expanded: str = ""


@dataclass(frozen=True, slots=True)
class LlmRewording:
    """Rewords questions by a language model, in all ways in one request."""

    model: ChatModel
    prompt: Prompt
    summarizer: Summarizer

    async def reword(
        self, record: DecisionRecord, window: HistoryWindow, domain: Domain, usages: list[Usage]
    ) -> _Wordings:
        """Return the wording of each kind, empty where the model wrote none; raises LlmError.

        `usages` receives the usage of each response of the model, even if none can be used.
        """
        terms = list(domain.synonyms.items())[:_MAX_VOCABULARY]
        messages = self.prompt.messages(
            {
                "domain": domain.name,
                "matter": domain.matter,
                "language": domain.language,
                "vocabulary": "; ".join(f"{term}: {', '.join(synonyms)}" for term, synonyms in terms),
                "focus": ", ".join(domain.focus),
                "history": conversation_block(await self.summarizer.shorten(window, usages)),
                "question": DataBlock.of([record.question]),
            }
        )
        model = self.model.tallied(usages)
        form, _ = await complete_form(model, messages, RewordedForm, task=TASK, max_tokens=MAX_TOKENS)
        return {VariantKind(kind): as_question(text) for kind, text in asdict(form).items()}


@dataclass(frozen=True, slots=True)
class Rewriter:
    """Rewords questions; `llm` is None if no language model is asked."""

    domain: Domain
    seconds: float = 5.0
    """Timeout of the language model (taste)."""
    llm: LlmRewording | None = None

    async def rewrite(
        self,
        record: DecisionRecord,
        window: HistoryWindow,
        language: str,
        embedder: Embedder | None,
        rewordings: Sequence[str] = (),
    ) -> Condensed:
        """Add the wordings of a turn in a language; the caller's `rewordings` take the place of the model's."""
        by_rules = await in_thread(reword, record, window, domain_in(self.domain, language), language)
        texts: _Wordings = dict(zip(VariantKind, map(str.strip, rewordings), strict=False))
        reason, usages = None, list[Usage]()
        if self.llm is None:
            reason = None if texts else "LLM_UNAVAILABLE"
        elif not texts:
            writing = partial(self.llm.reword, record, window, self.domain, usages)
            outcome = await with_fallback(writing, lambda: known({}), seconds=self.seconds)
            texts, reason = outcome.result, outcome.reason
        accepted, rejection = await _accept(texts, record.question, language, embedder)
        original = record.question if accepted and language != ENGLISH else ""
        query = _query({**by_rules, **accepted}, original)
        usage = (total_usage(usages),) if usages else ()
        return Condensed(replace(record, query=query), _degraded(reason or rejection, accepted), usage)


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
