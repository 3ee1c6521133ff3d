"""What stands ready for each model that a request may ask for by name."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from libs.runtime.errors import InvalidInput

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ByModel(Generic[T]):
    """Who does a task where a request names no model, and who does it by each name that is offered."""

    own: T
    named: Mapping[str, T] = field(default_factory=dict)

    def of(self, model: str) -> T:
        """Who does it; an empty name is the stage's own way.

        Raises:
            InvalidInput: the model is not offered.
        """
        if model and model not in self.named:
            raise InvalidInput("model", "The model is not offered.")
        return self.named[model] if model else self.own
