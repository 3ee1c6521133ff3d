"""The answer stage: writes an answer, extracts short ones, verifies sentences and recommends follow-ups."""

from dataclasses import dataclass, field
from typing import Final, TypeAlias

from libs.contracts.answers import Answer, Citation, CitedSpan, PlacedImage, TextDelta
from libs.contracts.conversation import AnswerForm, ConversationView
from libs.contracts.evidence import Evidence, Passage, Reference, WholeSection
from libs.contracts.methods import StreamMethod, UnaryMethod
from libs.contracts.options import Budget, Length
from libs.contracts.query import NodeSearch, QueryGraph
from libs.contracts.understanding import RelatedEvent, Understanding
from libs.contracts.usage import Degraded, Progress, Usage


@dataclass(frozen=True, slots=True)
class WriteRequest:
    """Everything an answer is written from."""

    question: str
    graph: QueryGraph | None = None
    references: tuple[Reference, ...] = ()
    view: ConversationView = field(default_factory=ConversationView)
    understanding: Understanding | None = None
    language: str = ""
    """BCP 47; empty means the question's own."""
    length: Length | None = None
    """None means the stage's setting."""
    budget: Budget = field(default_factory=Budget)
    never_abstain: bool = False
    model: str = ""
    """The language model that writes; empty means the stage's own."""
    principals: tuple[str, ...] = ()
    """The requester's identities; they decide which pictures of restricted documents may be read."""
    searches: tuple[NodeSearch, ...] = ()
    """The search of each graph node; without it, term rarities are computed from the evidence."""
    follows_up: bool = False
    """Whether the question depends on the conversation or includes words from it."""
    turn: str = ""
    """The last turn in its original words, if the question may not be standalone yet."""
    follow_ups: int = 0
    """How many follow-ups to recommend."""
    without_images: bool = False
    """Whether to place no pictures."""
    form: AnswerForm | None = None
    """The form in which the view's latest answer is written again; None for a new answer."""
    tables: tuple[WholeSection, ...] = ()
    """The whole sections of the tables among the best references."""
    may_search_again: bool = False
    """Whether a language model that finds no answer may ask for another search (`SearchAgain`)."""


@dataclass(frozen=True, slots=True)
class NumberedPassage:
    """A passage that the text cites, with its reference number, from 1."""

    passage_id: str
    number: int


@dataclass(frozen=True, slots=True)
class Numbering:
    """The reference numbers of the text, in order; passages of one section share a number."""

    passages: tuple[NumberedPassage, ...] = ()


@dataclass(frozen=True, slots=True)
class FollowUps:
    """Questions to ask next, best first; they are not guaranteed to have an answer."""

    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SearchAgain:
    """The language model found no answer and asks for another search; the last step, in place of a result."""

    query: str
    usage: tuple[Usage, ...] = ()


@dataclass(frozen=True, slots=True)
class WriteResult:
    """The final answer; the last step."""

    answer: Answer
    usage: tuple[Usage, ...] = ()


WriteStep: TypeAlias = (
    Progress | Degraded | Numbering | Usage | TextDelta | Citation | PlacedImage | FollowUps | SearchAgain | WriteResult
)
"""A `Usage` step is the estimated usage of a language model call, sent before the model answers."""


@dataclass(frozen=True, slots=True)
class WriteOnceRequest:
    """An answer that is wanted as one response."""

    write: WriteRequest


@dataclass(frozen=True, slots=True)
class WriteOnceResponse:
    """The content of a stream of steps as one response."""

    answer: Answer
    usage: tuple[Usage, ...] = ()
    degraded: tuple[Degraded, ...] = ()


@dataclass(frozen=True, slots=True)
class ExtractRequest:
    """A sub-query with its evidence, best first."""

    question: str
    evidence: tuple[Evidence, ...] = ()
    budget: Budget = field(default_factory=Budget)
    """What remains of the turn's budget. With a limit on tokens or cost no language model is called."""


@dataclass(frozen=True, slots=True)
class ExtractResponse:
    """A short answer with its source and confidence (0 to 1)."""

    answer: str | None = None
    source: CitedSpan | None = None
    confidence: float = 0.0
    usage: tuple[Usage, ...] = ()
    degraded: tuple[Degraded, ...] = ()


@dataclass(frozen=True, slots=True)
class VerifyRequest:
    """Sentences with the passages that are claimed to support them."""

    sentences: tuple[str, ...] = ()
    passages: tuple[Passage, ...] = ()


@dataclass(frozen=True, slots=True)
class VerifyResponse:
    """A citation with a verdict for each sentence, in order."""

    citations: tuple[Citation, ...] = ()
    usage: tuple[Usage, ...] = ()
    degraded: tuple[Degraded, ...] = ()


@dataclass(frozen=True, slots=True)
class RecommendRequest:
    """The input for recommending follow-ups."""

    question: str
    evidence: tuple[Evidence, ...] = ()
    view: ConversationView = field(default_factory=ConversationView)
    answer: str = ""
    related_event: RelatedEvent | None = None
    """The named event that the question is about."""


@dataclass(frozen=True, slots=True)
class RecommendResponse:
    """Distinct questions to ask next, best first."""

    questions: tuple[str, ...] = ()
    usage: tuple[Usage, ...] = ()
    degraded: tuple[Degraded, ...] = ()


WRITE: Final[StreamMethod[WriteRequest, WriteStep]] = StreamMethod(
    "parley.answer.v1.AnswerService/Write",
    WriteRequest,
    {
        Progress: "state",
        Degraded: "degraded",
        Numbering: "numbering",
        Usage: "asked",
        TextDelta: "text",
        Citation: "citation",
        PlacedImage: "image",
        FollowUps: "follow_ups",
        SearchAgain: "search_again",
        WriteResult: "result",
    },
    deadline="write",
)
"""Writes an answer; the last step is `WriteResult`, or `SearchAgain` if the request allows it.

InvalidInput: the language model is not offered."""
WRITE_ONCE: Final = UnaryMethod(
    "parley.answer.v1.AnswerService/WriteOnce", WriteOnceRequest, WriteOnceResponse, deadline="write"
)
"""Writes an answer in one response; errors as with `WRITE`."""
EXTRACT: Final = UnaryMethod("parley.answer.v1.AnswerService/Extract", ExtractRequest, ExtractResponse)
"""Gives a short answer to a sub-query; without one, the response is empty."""
VERIFY: Final = UnaryMethod("parley.answer.v1.AnswerService/Verify", VerifyRequest, VerifyResponse, deadline="write")
"""Says for each sentence whether the passages support it."""
RECOMMEND: Final = UnaryMethod("parley.answer.v1.AnswerService/Recommend", RecommendRequest, RecommendResponse)
"""Recommends questions to ask next."""
METHODS: Final = (WRITE, WRITE_ONCE, EXTRACT, VERIFY, RECOMMEND)
