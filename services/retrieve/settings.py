"""Settings of retrieval, from the environment (PARLEY_RETRIEVE_...). Bounds, and defaults without source, are taste."""

import os
from dataclasses import fields
from pathlib import Path
from typing import Final

from pydantic import Field, SecretStr

from libs.contracts.options import Fusion
from libs.runtime.settings import AreaSettings, HeaderKey, Tuned
from services.retrieve.embedding.embedder import Habits, ModelProfile, Pooling
from services.retrieve.embedding.packaged import ModelPrecision
from services.retrieve.indexing.passages import DEFAULT_SIZE
from services.retrieve.indexing.preparing import Preparation
from services.retrieve.search.ranking import RankingSettings

_RANKING = RankingSettings()


MAX_THREADS: Final = 64  # taste


class RetrieveSettings(AreaSettings, area="retrieve"):
    """Where the corpus is stored, how it is cut and embedded, and how results are ranked."""

    data: Path = Path(".parley")
    """Folder that holds corpus.db, data derived from it, and models; created if missing."""
    embedder: Tuned[str] = "auto"
    """Which model embeds texts.

    `auto`: the packaged all-MiniLM-L6-v2 if its package is installed, else none; `none`; `multilingual-e5-small` (the
    extra `multilingual`); `onnx:FOLDER` or a folder alone: its name in `data`/models, or a path, with model.onnx and
    tokenizer.json as Hugging Face exports them; `sentence-transformers:NAME` or `flag:NAME` (FlagEmbedding; both need
    the extra `neural`): a name of the hub or a folder; `http(s)://HOST/embed` (Text Embeddings Inference) or
    `http(s)://HOST/v1/embeddings#MODEL` (OpenAI's).
    """
    embedder_api_key: HeaderKey = SecretStr("")
    """API key for the embedding server."""
    embedder_precision: ModelPrecision = ModelPrecision.INT8
    """Precision of the packaged model's weights, `int8` or `float32`; vectors of both are compatible.

    A query takes 3 ms with int8 and 8 ms with float32, with equal quality: over 1,115 questions of MTRAG nDCG@10 is
    .432 and .433, R@10 .546 both.
    """
    embedder_pooling: Pooling | None = None
    """How the model of a folder pools token vectors, `mean` or `cls` (bge); by default as its files say, else `mean`.

    A collection's vectors are of one pooling; an overridden one becomes part of its model's name. The packaged model
    takes neither this nor the two settings below.
    """
    embedder_query_prefix: str | None = None
    """Prefix of a query; by default as the model's files say.

    Models like e5 need `query: ` here and `passage: ` below, English ones like bge need `Represent this sentence for
    searching relevant passages: ` here.
    """
    embedder_passage_prefix: str | None = None
    """Prefix of a passage; by default as the model's files say."""
    embedder_threads: int = Field(default=0, ge=0, le=MAX_THREADS)
    """Cores that embedding and reranking may use; 0 for all that the process may use."""
    near_duplicate: Tuned[float] = Field(default=_RANKING.near_duplicate, gt=0, le=1)
    """Least cosine of a near duplicate, whose facts and words are compared, too."""
    reranker: Tuned[str] = "none"
    """Which model reranks.

    `none`: the fused order is final; `onnx:FOLDER` or a folder alone: a cross-encoder with model.onnx and
    tokenizer.json; `cross-encoder:NAME` (sentence-transformers) or `flag:NAME` (FlagEmbedding; both need the extra
    `neural`); `http(s)://HOST/rerank` (Text Embeddings Inference) or `http(s)://HOST/v1/rerank#MODEL` (Cohere's).
    """
    reranker_api_key: HeaderKey = SecretStr("")
    """API key for the reranking server."""
    pictures: Tuned[str] = "none"
    """Which model embeds pictures.

    `none`; `onnx:FOLDER` or a folder alone: a CLIP with vision_model.onnx, text_model.onnx and tokenizer.json, as
    Hugging Face exports it; `clip:NAME` (transformers, of the extra `neural`).
    """
    passage_size: Tuned[int] = Field(default=DEFAULT_SIZE, ge=100, le=8192)  # taste
    """Greatest length of a passage, in characters; a passage never crosses a section boundary."""
    original_mb: int = Field(default=8, ge=0, le=8)
    """Largest PDF that is stored with its document, in MB, so that cited pages can be shown; 0 stores none."""
    language: str = "en"
    """ISO 639-1 language of texts whose own language cannot be detected."""
    lexical_depth: Tuned[int] = Field(default=_RANKING.lexical_depth, ge=1, le=10_000)  # taste
    """Candidates of the full-text engine."""
    vector_depth: Tuned[int] = Field(default=_RANKING.vector_depth, ge=1, le=10_000)  # taste
    """Candidates of the vector engine."""
    rerank_depth: Tuned[int] = Field(default=_RANKING.rerank_depth, ge=1, le=1000)  # taste
    """Candidates whose order a reranker, or the time that a question names, may change."""
    rerank_seconds: float = Field(default=_RANKING.rerank_seconds, gt=0, le=600)  # taste
    """Timeout of the reranker; after it the fused order is final."""
    evidence: Tuned[int] = Field(default=_RANKING.evidence, ge=1, le=150)  # taste
    """Number of results if a request does not specify one."""
    fusion: Tuned[Fusion] = _RANKING.fusion
    """How the scores of both engines are fused: SUM, RRF or MIN_MAX (MTRAG nDCG@10: .447, .412, .435)."""
    lexical_weight: Tuned[float] = Field(default=_RANKING.lexical_weight, ge=0)
    """Weight of the full-text score, multiplied by its measured weight; other embedding models may need another."""
    variant_depth: Tuned[int] = Field(default=_RANKING.variant_depth, ge=1, le=10_000)
    """Candidates of each engine for each wording, if a query has several (the strategy MULTI_QUERY).

    More candidates improve recall: with rule-based rewordings nDCG@10 on MTRAG's fiqa is .270 at 5 and .287 at 100.
    """
    variant_cosine: Tuned[float] = Field(default=_RANKING.variant_cosine, ge=-1, le=1)
    """Least cosine of a vector match for a wording, if a query has several."""
    variant_evidence: Tuned[int] = Field(default=_RANKING.variant_evidence, ge=1, le=150)  # taste
    """Number of results for a query with several wordings, if a request does not specify one."""

    @property
    def threads(self) -> int:
        """Cores that models use on this machine."""
        if self.embedder_threads:
            return self.embedder_threads
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        return min(cores, MAX_THREADS)

    @property
    def ranking(self) -> RankingSettings:
        """The settings in the form that the retriever takes."""
        names = {field.name for field in fields(RankingSettings)} & set(type(self).model_fields)
        return RankingSettings(**{name: getattr(self, name) for name in names})

    @property
    def embedder_habits(self) -> Habits:
        """The settings in the form that the embedder takes."""
        return Habits(self.embedder_pooling, self.embedder_query_prefix, self.embedder_passage_prefix)

    def preparation(self, profile: ModelProfile | None) -> Preparation:
        """The settings in the form that the ingester takes."""
        return Preparation(self.passage_size, profile=profile, original_mb=self.original_mb, language=self.language)
