"""The form that a language model fills in about a question.

The form is checked against the words of the question, the history and the probe. The model gets one chance to correct a
fault. Numbers that name no source are chosen by hand.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from libs.contracts.conversation import Speaker
from libs.contracts.understanding import Category
from libs.contracts.usage import Usage
from libs.language.detection import detect_language
from libs.llm.evidence import DataBlock
from libs.llm.forms import FormError, read_form
from libs.llm.messages import ChatModel
from libs.llm.prompts import Prompt
from libs.llm.structured import complete_form
from libs.text.tokens import content_words, words
from services.intent.by_model.translation import is_foreign_to, is_repeated, target_of, translation_fault
from services.intent.clarify import options
from services.intent.pointing import is_vague_phrase
from services.intent.policy.policies import Policies
from services.intent.question import Question

TASK: Final = "understand"
PROMPT: Final = (TASK, frozenset(("history", "topics", "question", "language")))
"""The prompt's name, and the placeholders that it may have."""
MAX_TOKENS: Final = 512  # of the reply (taste)
_MAX_TEXT: Final = 1000
"""Maximum characters of a message that the model sees."""
_MAX_MESSAGES: Final = 12
"""Six turns, the number that condensing reads in full."""
_MAX_TOPICS: Final = 12  # that the prompt lists (taste)

Kind = Literal[
    "none", "illegal", "harmful", "privacy", "ethical", "professional_consultation", "human_ai", "misinformation",
    "technical", "academic", "planning", "creative",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class FullName:
    """An incomplete name and the full name it stands for."""

    name: str
    full: str


@dataclass(frozen=True, slots=True)
class IntentForm:
    """The form that the model fills in; the prompt says what each field means.

    The first three or four fields decide whether the question can be answered as the rules understand it (`Gate`).
    """

    category: Kind
    unclear: str = ""
    names: tuple[FullName, ...] = ()
    language: str = ""
    offending: str = ""
    question_back: str = ""
    choices: tuple[str, ...] = ()
    event: str = ""
    translation: str = ""


FIRST: Final = frozenset(("category", "unclear", "names"))
"""The fields that decide whether the question passes, if its language is detected from its words."""


def category_of(kind: Kind) -> Category | None:
    """Return the policy's category for a kind; None for an ordinary question."""
    return None if kind == "none" else Category(kind.upper())


@dataclass(frozen=True, slots=True)
class IntentReader:
    """Reads questions with a model; stateless."""

    model: ChatModel
    prompt: Prompt
    policies: Policies

    async def read(
        self,
        question: Question,
        on_fault: Callable[[str], None],
        on_decision: Callable[[bool], None] = lambda passes: None,
    ) -> tuple[IntentForm, Usage]:
        """Return the model's form for a question, with the usage.

        Args:
            question: the question to read.
            on_fault: called with the fault of each rejected form.
            on_decision: called once with whether the question passes, as soon as the first form's fields decide it.
                Later fields or forms do not revoke a pass.

        Raises:
            LlmError: the model failed, or its second form was faulty too.
        """
        messages = self.prompt.messages(
            {
                "history": _conversation(question),
                "topics": DataBlock.of(options(question.probe)[:_MAX_TOPICS]),
                "question": DataBlock.of([question.standalone]),
                "language": target_of(question.standalone, question.languages),
            }
        )

        gate = Gate(self, question, on_decision)

        def fault(form: IntentForm) -> str | None:
            if error := self._fault(question, gate.with_deciding_fields(form)):
                on_fault(error)
            return error

        reading, usage = await complete_form(
            self.model, messages, IntentForm, task=TASK, max_tokens=MAX_TOKENS, check=fault, watch=gate.watch
        )
        return gate.with_deciding_fields(reading), usage

    def passes(self, question: Question, reading: IntentForm) -> bool:
        """Whether a question is not refused, not unclear, and searched in its own words."""
        category = category_of(reading.category)
        is_refused = self.policies.refuses(category)
        is_foreign = is_foreign_to(question.languages, question.standalone, reading.language)
        return not (is_refused or is_foreign or reading.names or is_unclear(question, reading))

    def _fault(self, question: Question, reading: IntentForm) -> str | None:
        return (
            self._offending_fault(question, reading)
            or _unclear_fault(question, reading)
            or _choices_fault(question, reading)
            or self._translation_fault(question, reading)
        )

    def _offending_fault(self, question: Question, reading: IntentForm) -> str | None:
        """Return a fault if a refusal does not quote the offending words of the question."""
        category = category_of(reading.category)
        if not self.policies.refuses(category):
            return None
        offending, language = reading.offending, question.language
        if content_words(offending, language) and _stands_in(offending, question.standalone, language):
            return None
        return f"offending: must be the words of the turn that make it {reading.category}, or category must be none"

    def _translation_fault(self, question: Question, reading: IntentForm) -> str | None:
        if not needs_translation(question, reading):
            return None
        return translation_fault(question.standalone, reading.translation, question.languages[0])


@dataclass(slots=True)
class Gate:
    """Decides from the first fields of a form whether its question passes."""

    reader: IntentReader
    question: Question
    on_decision: Callable[[bool], None]
    _passing_form: IntentForm | None = None
    _is_over: bool = False
    _deciding_fields: frozenset[str] = FIRST
    """The fields that decide."""

    def __post_init__(self) -> None:
        if detect_language(self.question.standalone) is None:
            self._deciding_fields = FIRST | {"language"}

    def watch(self, fields: Mapping[str, Any]) -> None:
        """Receive the complete fields, and decide once the deciding ones are among them."""
        if self._is_over or not fields.keys() >= self._deciding_fields:
            return
        self._is_over = True
        with suppress(FormError):  # the model will correct it; nothing is decided until then
            reading = read_form(IntentForm, json.dumps({name: fields[name] for name in self._deciding_fields}))
            passes = self.reader.passes(self.question, reading)
            self._passing_form = reading if passes else None
            self.on_decision(passes)

    def with_deciding_fields(self, reading: IntentForm) -> IntentForm:
        """Return a complete form, with the deciding fields of the form that passed, if any."""
        if self._passing_form is None:
            return reading
        deciding_values = {name: getattr(self._passing_form, name) for name in self._deciding_fields}
        return replace(reading, **deciding_values | {"unclear": "", "choices": ()})


def is_unclear(question: Question, reading: IntentForm) -> bool:
    """Whether the model found an unclear phrase in the question."""
    return is_vague_phrase(reading.unclear.strip(), question.standalone, question.language)


def needs_translation(question: Question, reading: IntentForm) -> bool:
    """Whether the translation is used: a question in one of the collection's languages needs none."""
    is_foreign = is_foreign_to(question.languages, question.standalone, reading.language)
    return is_foreign and not is_repeated(question.standalone, reading.translation)


def _unclear_fault(question: Question, reading: IntentForm) -> str | None:
    unclear, texts = reading.unclear.strip(), (question.standalone, question.text)
    is_copied = not unclear or any(_stands_in(unclear, text, question.language) for text in texts)
    return None if is_copied else "unclear: must be words of the turn, copied, or empty"


def _choices_fault(question: Question, reading: IntentForm) -> str | None:
    """Return a fault if a choice is not a topic of the probe: it could not be answered."""
    topic_keys = {topic.casefold() for topic in options(question.probe)}
    unknown = next((choice for choice in reading.choices if _one_line(choice).casefold() not in topic_keys), None)
    return (
        f'choices: "{unknown}" is none of the topics; copy topics, or leave it empty' if unknown is not None else None
    )


def _stands_in(phrase: str, text: str, language: str) -> bool:
    return f" {' '.join(words(phrase, language))} " in f" {' '.join(words(text, language))} "


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _conversation(question: Question) -> DataBlock:
    lines = [f"Before: {question.view.summary[:_MAX_TEXT]}"] if question.view.summary else []
    for message in question.view.messages[-_MAX_MESSAGES:]:
        speaker = "User" if message.speaker is Speaker.USER else "Agent"
        lines.append(f"{speaker}: {message.text[:_MAX_TEXT]}")
    return DataBlock.of(lines)
