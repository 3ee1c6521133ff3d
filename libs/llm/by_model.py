"""One implementation of a task for each model that a request may name."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from libs.runtime.errors import InvalidInput

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ByModel(Generic[T]):
    """The implementation for requests that name no model, and one for each model that is offered."""

    default: T
    named: Mapping[str, T] = field(default_factory=dict)

    def of(self, model: str) -> T:
        """The implementation for a model; an empty name gives the stage's default.

        Raises:
            InvalidInput: the model is not offered.
        """
        if model and model not in self.named:
            raise InvalidInput("model", "The model is not offered: name one of PARLEY_LLM_MODEL and PARLEY_LLM_MODELS.")
        return self.named[model] if model else self.default
