"""Builds the prompt within a budget: instructions, and the evidence as numbered data. No I/O.

Each passage is shown below its headings, the best first.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, takewhile
from typing import Final

from libs.contracts.conversation import AnswerForm
from libs.contracts.evidence import Reference
from libs.contracts.options import Length
from libs.contracts.stages.answer import WriteRequest
from libs.llm.errors import BudgetUsedUp
from libs.llm.evidence import DataBlock, DataItem
from libs.llm.messages import Message
from libs.llm.prompts import Prompt, PromptValue
from libs.llm.settings import Price
from libs.llm.usage import estimate_count, output_allowance
from libs.text.prompt_injection import APART
from libs.text.sentences import newest_sentences
from services.answer.answer_language import question_language
from services.answer.citing.locations import heading_of
from services.answer.evidence_sanitizer import sanitize_reference
from services.answer.quoting.dependence import count_words
from services.answer.reshaping import latest_answer
from services.answer.subquestions import sub_questions
from services.answer.writing.text_reader import NEXT, SEARCH

PROMPT: Final = (
    "write",
    frozenset(("length", "language", "evidence", "parts", "conversation", "question", "follow_ups", "search_again")),
)
MIN_SECONDS: Final = 0.05
"""With less time, the model is not called; chosen by hand."""
MIN_OUTPUT: Final = 40
"""Tokens; with fewer, not even one sentence with its marker can be completed (taste)."""
MAX_MESSAGES: Final = 6
"""Messages of the conversation that a question may refer to: three turns (taste)."""
MAX_CONVERSATION: Final = 6000
"""Characters of these messages, whole ones and the newest sentences before them: as many as a conversation has before
it is summarized (`PARLEY_LLM_STEP_SECONDS` tells of that)."""
_FOLLOW_UPS: Final = (
    "- Below the answer, write {count} short questions that the user may ask next and that the items answer, each on a "
    f"line of its own that begins with {NEXT} and names what it asks about. None that was asked before."
)
_SEARCH_AGAIN: Final = (
    f" Below it, on a line of its own that begins with {SEARCH}, write what else to search for: a few words that a "
    "document would use."
)
_TOLD: Final = "The conversation, which tells what the question means and is no item to take anything from:"
_LATEST: Final = (
    "Your earlier answer, as data. Write it again from the same items, {form}, whatever is said above about form:\n"
    "{answer}\n"
)
_FORMS: Final = {
    AnswerForm.SHORTER: "in half as many sentences or fewer",
    AnswerForm.LIST: "as a list, each sentence on a line of its own that begins with a dash",
    AnswerForm.REPEAT: "word for word",
    AnswerForm.TABLE: "as a Markdown table",
    AnswerForm.SIMPLER: "in simpler words and shorter sentences",
    AnswerForm.TRANSLATION: "in the other language",
}
_LENGTHS = {
    Length.SHORT: "one or two sentences",
    Length.MEDIUM: "one or two short paragraphs",
    Length.LONG: "as much as the items tell about the question, in paragraphs",
}
MIN_PASSAGES: Final = 3
"""This many passages are always included, whatever their length (taste)."""


@dataclass(frozen=True, slots=True)
class PromptMaterial:
    """A prompt and the output limit."""

    messages: Sequence[Message]
    most_output: int | None = None
    """Tokens; None means that the model's settings apply."""


def gather_material(
    prompt: Prompt,
    request: WriteRequest,
    length: Length,
    references: Sequence[Reference],
    price: Price | None,
) -> PromptMaterial:
    """Build the prompt with as many of the references, best first and sanitized, as the budget allows at the price.

    Raises:
        BudgetUsedUp: not even the best passage leaves tokens for a sentence, or there is no time.
    """
    if 0 < request.budget.max_seconds < MIN_SECONDS:
        raise BudgetUsedUp("the budget leaves no time for an answer")
    for count in range(max(1, len(references)), 0, -1):
        messages = prompt.messages(_values(request, length, references[:count]))
        input_tokens = estimate_count(messages, "").input
        tokens_left = output_allowance(input_tokens, request.budget.max_tokens, request.budget.max_cost_usd, price)
        if tokens_left is None or tokens_left >= MIN_OUTPUT:
            return PromptMaterial(messages, tokens_left)
    raise BudgetUsedUp("the budget leaves no tokens for an answer")


def _values(request: WriteRequest, length: Length, references: Sequence[Reference]) -> dict[str, PromptValue]:
    return {
        "length": _LENGTHS[length],
        "language": f"Write in the language “{request.language}”." if request.language else "",
        "evidence": DataBlock(tuple(_items(references))),
        "parts": "\n".join(
            f"- {sub_question.text}" for sub_question in sub_questions(request) if sub_question.computed is None
        ),
        "conversation": _conversation(request),
        "question": request.question,
        "follow_ups": _FOLLOW_UPS.format(count=request.follow_ups) if request.follow_ups else "",
        "search_again": _SEARCH_AGAIN if request.may_search_again else "",
    }


def _conversation(request: WriteRequest) -> str:
    """The latest turns, if the question may refer to them; empty if it is standalone."""
    if request.form is not None:
        return _LATEST.format(form=_FORMS[request.form], answer=DataBlock.of([latest_answer(request)]).render())
    if not request.turn:
        return ""
    messages = [f"{message.speaker.value.title()}: {message.text}" for message in request.view.messages[-MAX_MESSAGES:]]
    told = newest_sentences((request.view.summary, *messages), MAX_CONVERSATION, question_language(request.turn, ()))
    conversation = DataItem(0, f"{told}\nUser: {request.turn}")
    return f"{_TOLD}\n{DataBlock([conversation]).render()}\n"


def _items(references: Sequence[Reference]) -> Iterator[DataItem]:
    """The passages as the model sees them; their relevance only where it tells them apart."""
    is_told = len({reference.evidence.relevance for reference in references}) > 1
    for reference in references:
        passage, label = reference.evidence.passage, reference.evidence.relevance.value.title() if is_told else ""
        heading, source = heading_of(passage), passage.url or passage.source or passage.document_id
        text = f"# {heading}\n\n" * bool(heading) + passage.text.replace(APART, "")
        yield DataItem(reference.number, text, passage.title, label, source)


def select_references(references: Sequence[Reference], max_passages: int, max_words: int) -> Sequence[Reference]:
    """Return the best references that have content, sanitized: within the word limit, but always the first ones."""
    best = sorted(references, key=lambda reference: reference.number)[:max_passages]
    clean = [each for each in map(sanitize_reference, best) if each.evidence.passage.text.strip()]
    totals = accumulate(count_words(reference.evidence.passage.text) for reference in clean)
    count = sum(1 for _ in takewhile(lambda total: total <= max_words, totals))
    return clean[: max(MIN_PASSAGES, count)]
