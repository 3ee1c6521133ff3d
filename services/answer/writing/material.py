"""What the language model is given: instructions, the evidence as numbered data, the facts in it, within a budget."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, takewhile
from typing import Final

from libs.contracts.answers import Triplet
from libs.contracts.evidence import Reference
from libs.llm.budget import output_allowance
from libs.llm.errors import BudgetUsedUp
from libs.llm.evidence import DataBlock, DataItem
from libs.llm.messages import Message
from libs.llm.prompts import Prompt, PromptValue
from libs.llm.settings import Price
from libs.llm.usage import estimate_count
from libs.text.prompt_injection import APART
from services.answer.lexicon.vague_words import vague_stems
from services.answer.lexicon.words import stems_of
from services.answer.places import placed
from services.answer.quoting.units import count_words
from services.answer.requests import Length, WriteRequest
from services.answer.subquestions import sub_questions
from services.answer.triplets import read_triplets
from services.answer.writing.next_questions import MARK

PLACES = frozenset({"length", "language", "evidence", "parts", "conversation", "question", "follow_ups"})
"""What the prompt `write` may ask for."""
LEAST_SECONDS = 0.05
"""A model that has less time is not asked."""
LEAST_PASSAGES: Final = 3
"""Are given whatever their length."""
LEAST_OUTPUT = 40
"""Tokens; with fewer no sentence with its marker comes to its end."""
MOST_WITH_TRIPLETS = 3
"""Passages, the best first, whose triplets are read: an answer stands on these (of 2,614 citations for MTRAG's tasks
95 % are of the first three), and reading costs .4 ms each before the first word."""
MOST_MESSAGES: Final = 6
"""Of the conversation that a question may lean on: three turns."""
MOST_SAID: Final = 600
"""Characters of each of them."""
_FOLLOW_UPS: Final = (
    "- Below the answer, write {count} short questions that the user may ask next and that the items answer, each on a "
    f"line of its own that begins with {MARK} and names what it asks about. None that was asked before."
)
_TOLD: Final = "The conversation, which tells what the question means and is no item to take anything from:"
_LENGTHS = {
    Length.SHORT: "one or two sentences",
    Length.MEDIUM: "one or two short paragraphs",
    Length.LONG: "as much as the items tell about the question, in paragraphs",
}


@dataclass(frozen=True, slots=True)
class Given:
    """How much of the evidence a model is given."""

    passages: int
    """Most passages, the best first."""
    words: int
    """Most words of them together."""
    triplets: int = 0
    """Most triplets of a passage that stand beside it."""

    def bounded(self, references: Sequence[Reference]) -> Sequence[Reference]:
        """Those that the words allow, and always the best ones."""
        totals = accumulate(count_words(reference.evidence.passage.text) for reference in references)
        within = sum(1 for _ in takewhile(lambda total: total <= self.words, totals))
        return references[: max(LEAST_PASSAGES, within)]


@dataclass(frozen=True, slots=True)
class Material:
    """A chat, what of the evidence is in it, and how much may be written."""

    messages: Sequence[Message]
    references: Sequence[Reference]
    triplets: Sequence[Triplet] = ()
    """Those that stand beside the evidence."""
    most_output: int | None = None
    """Tokens; None leaves it to the model's settings."""


def gather_material(
    prompt: Prompt,
    request: WriteRequest,
    length: Length,
    references: Sequence[Reference],
    price: Price | None,
    most_triplets: int = 0,
) -> Material:
    """The material with as many passages, the best first, as the request's budget allows; triplets are the first to go.

    Args:
        prompt: with the places in `PLACES`.
        request: question, plan, language, budget.
        length: of the answer.
        references: the best first, orders set apart.
        price: of the model, None for unknown.
        most_triplets: of each passage that are given beside it.

    Raises:
        BudgetUsedUp: not even the best passage leaves tokens for a sentence, or there is no time.
    """
    if 0 < request.budget.max_seconds < LEAST_SECONDS:
        raise BudgetUsedUp("the budget leaves no time for an answer")
    about = _words_asked(request)
    for given, count in _ever_less(references, most_triplets):
        best = given[:MOST_WITH_TRIPLETS] if count else ()
        triplets = {r.number: read_triplets(r.evidence.passage, count, about) for r in best}
        messages = prompt.messages(_values(request, length, given, triplets))
        asked = estimate_count(messages, "").input
        left = output_allowance(asked, request.budget.max_tokens, request.budget.max_cost_usd, price)
        if left is None or left >= LEAST_OUTPUT:
            return Material(messages, given, [each for read in triplets.values() for each in read], left)
    raise BudgetUsedUp("the budget leaves no tokens for an answer")


def _words_asked(request: WriteRequest) -> frozenset[str]:
    """The stems that tell which of a passage's facts are wanted."""
    asked = (request.question, *(sub.text for sub in sub_questions(request)))
    return frozenset(stem for text in asked for stem in stems_of(text)) - vague_stems()


def _ever_less(references: Sequence[Reference], triplets: int) -> Iterator[tuple[Sequence[Reference], int]]:
    if triplets:
        yield references, triplets
    for count in range(len(references), 0, -1):
        yield references[:count], 0


def _values(
    request: WriteRequest,
    length: Length,
    references: Sequence[Reference],
    triplets: Mapping[int, Sequence[Triplet]],
) -> dict[str, PromptValue]:
    return {
        "length": _LENGTHS[length],
        "language": f"Write in the language “{request.language}”." if request.language else "",
        "evidence": DataBlock([_item(reference, triplets.get(reference.number, ())) for reference in references]),
        "parts": "\n".join(f"- {sub.text}" for sub in sub_questions(request) if sub.computed is None),
        "conversation": _conversation(request),
        "question": request.question,
        "follow_ups": _FOLLOW_UPS.format(count=request.follow_ups) if request.follow_ups else "",
    }


def _conversation(request: WriteRequest) -> str:
    """The newest turns, where the question may lean on them; empty where it stands alone."""
    if not request.turn:
        return ""
    said = [f"{m.speaker.value.title()}: {m.text[:MOST_SAID]}" for m in request.view.messages[-MOST_MESSAGES:]]
    text = "\n".join((*said, f"User: {request.turn}"))
    return f"{_TOLD}\n{DataBlock([DataItem(0, text)]).render()}\n"


def _item(reference: Reference, triplets: Sequence[Triplet]) -> DataItem:
    """A passage as the model sees it: its number, how relevant it is, where it comes from, what it says."""
    passage = reference.evidence.passage
    source = passage.url or passage.source or passage.document_id
    text = passage.text.replace(APART, "")
    label = reference.evidence.relevance.value.title()
    facts = [f"{triplet.subject} | {triplet.relation} | {triplet.object}" for triplet in triplets]
    return DataItem(reference.number, text, placed(passage).title, label, source, facts)
