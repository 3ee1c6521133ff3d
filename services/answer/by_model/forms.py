"""What the tasks by a language model share: a form that it fills in, passages in a prompt, where quoted words stand."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from libs.contracts.answers import CitedSpan
from libs.contracts.evidence import Passage
from libs.contracts.spans import Span
from libs.contracts.usage import Usage
from libs.llm.evidence import DataBlock, DataItem
from libs.llm.messages import ChatModel
from libs.llm.prompts import Prompt, PromptValue
from libs.llm.structured import complete_form

MAX_QUOTE: Final = 500
"""Characters of a quote that are located; a longer one is cut (taste)."""
Form = TypeVar("Form")


@dataclass(frozen=True, slots=True)
class TaskModel:
    """A language model with the prompt of a task; stateless."""

    task: str
    chat: ChatModel
    prompt: Prompt

    async def fill_in(
        self,
        form: type[Form],
        values: Mapping[str, PromptValue],
        max_tokens: int,
        fault: Callable[[Form], str | None] = lambda _: None,
    ) -> tuple[Form, Usage]:
        """Return the form as the model fills it in, and the usage.

        Args:
            form: a dataclass.
            values: of the prompt's placeholders.
            max_tokens: of the reply.
            fault: what is wrong with a form; the model is asked once again then.

        Raises:
            LlmError: the model failed, or its form has a fault even when it is asked again.
        """
        messages = self.prompt.messages(values)
        return await complete_form(self.chat, messages, form, task=self.task, max_tokens=max_tokens, check=fault)


def evidence_block(passages: Sequence[Passage]) -> DataBlock:
    """Return sanitized passages as items numbered from 1."""
    return DataBlock(
        [DataItem(number, passage.text, passage.title) for number, passage in enumerate(passages, start=1)]
    )


def locate_quote(passages: Sequence[Passage], number: int, quote: str) -> CitedSpan | None:
    """Return where the words of a quote are in passage `number`, from 1, or None if they are not there.

    White space and letter case may differ.
    """
    words = quote[:MAX_QUOTE].split()
    if not words or not 1 <= number <= len(passages):
        return None
    passage = passages[number - 1]
    match = re.search(r"\s+".join(map(re.escape, words)), passage.text, re.IGNORECASE)
    return CitedSpan(0, passage.passage_id, Span(*match.span()), match[0]) if match else None
