"""Prompts as files, so that they can be read, compared and replaced without code changes.

A prompt is a text file `NAME.txt` with sections `[system]`, `[user]` and `[assistant]`, each of which is one message.
`${name}` stands for a value, `$$` for a dollar sign. Substitution isn't recursive: a `$` within a value has no meaning.
A file of the same name in the user's folder replaces a built-in one.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import cast, get_args

from libs.llm.evidence import DATA_RULE, DataBlock
from libs.llm.messages import Message, Role

_SECTION = re.compile(r"^\[(\w+)\][ \t]*\n", re.MULTILINE)

PromptValue = str | int | float | DataBlock


class PromptError(Exception):
    """A prompt file is missing or invalid; the message names the file."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A chat with placeholders for values."""

    sections: tuple[tuple[Role, Template], ...]

    @property
    def places(self) -> frozenset[str]:
        """The names of its placeholders."""
        return frozenset(place for _, template in self.sections for place in template.get_identifiers())

    def messages(self, values: Mapping[str, PromptValue]) -> list[Message]:
        """The chat with its values; if a `DataBlock` is used, the system message explains what such a block is.

        Raises:
            KeyError: a value is missing.
        """
        texts = {name: v.render() if isinstance(v, DataBlock) else str(v) for name, v in values.items()}
        chat = [Message(role, template.substitute(texts).strip()) for role, template in self.sections]
        if not any(isinstance(values.get(name), DataBlock) for name in self.places):
            return chat
        if chat[0].role == "system":
            return [Message("system", f"{chat[0].content}\n\n{DATA_RULE}"), *chat[1:]]
        return [Message("system", DATA_RULE), *chat]


@dataclass(frozen=True, slots=True)
class PromptLibrary:
    """The prompts of a stage's folder; a file in the user's folder may replace each of them."""

    built_in: Path
    replaced_by: Path | None = None

    def load(self, name: str, places: frozenset[str] | set[str]) -> Prompt:
        """Read a prompt from the disk; call it at start, so that an invalid file is found then.

        Args:
            name: the file's name without `.txt`.
            places: the placeholders that the caller has values for; a file need not use all of them.

        Raises:
            PromptError: no such file, no section, an unknown section, a placeholder without a value.
        """
        path = self._path(name)
        try:
            prompt = Prompt(_sections(path.read_text(encoding="utf-8"), path))
            unknown = prompt.places - places
        except (OSError, UnicodeDecodeError, ValueError) as error:
            raise PromptError(f"{path}: {error}") from error
        if unknown:
            raise PromptError(f"{path}: unknown placeholders {', '.join(sorted(unknown))}; known: {sorted(places)}")
        return prompt

    def _path(self, name: str) -> Path:
        replacement = self.replaced_by / f"{name}.txt" if self.replaced_by else None
        return replacement if replacement and replacement.is_file() else self.built_in / f"{name}.txt"


def _sections(text: str, path: Path) -> tuple[tuple[Role, Template], ...]:
    parts = _SECTION.split(text)
    if len(parts) < 3 or parts[0].strip():  # what precedes the first section, its role, its content
        raise PromptError(f"{path}: must begin with a section such as [system]")
    sections = []
    for role, content in zip(parts[1::2], parts[2::2], strict=True):
        if role not in get_args(Role):
            raise PromptError(f"{path}: unknown section [{role}]")
        template = Template(content)
        if not template.is_valid():
            raise PromptError(f"{path}: a $ in [{role}] that is not a placeholder; write $$")
        sections.append((cast(Role, role), template))
    return tuple(sections)
