"""Requests whose null fields are absent: many clients write every field that they know, the unset ones as null."""

from typing import Any

from pydantic import BaseModel, model_validator


class NullIsAbsent(BaseModel):
    """A request, or a part of one; a field that is null has its default, and is missing if it has none."""

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, fields: Any) -> Any:
        is_object = isinstance(fields, dict)
        return {name: value for name, value in fields.items() if value is not None} if is_object else fields
