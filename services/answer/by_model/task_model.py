"""A language model with the prompt of a task besides writing."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from libs.contracts.usage import Usage
from libs.llm.messages import ChatModel
from libs.llm.prompts import Prompt, PromptValue
from libs.llm.structured import complete_form

Form = TypeVar("Form")


@dataclass(frozen=True, slots=True)
class TaskModel:
    """Fills in forms; stateless."""

    task: str
    chat: ChatModel
    prompt: Prompt

    async def fill_in(
        self, form: type[Form], values: Mapping[str, PromptValue], max_tokens: int, fault: Callable[[Form], str | None]
    ) -> tuple[Form, Usage]:
        """Return the form, a dataclass, as the model fills it in, and the usage.

        The model is asked once again if there is a fault in a form.

        Raises:
            LlmError: the model failed, or its form has a fault even when it is asked again.
        """
        messages = self.prompt.messages(values)
        return await complete_form(self.chat, messages, form, task=self.task, max_tokens=max_tokens, check=fault)
