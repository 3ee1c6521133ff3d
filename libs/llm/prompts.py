"""Prompts as files, so that they can be read, compared and replaced without touching code.

A prompt is a text file `NAME.txt` of sections `[system]`, `[user]` and `[assistant]`, each beginning a message.
`${name}` stands for a value, `$$` for a dollar sign. Values are put in once: a `$` within them means nothing. A file of
the same name in the user's folder replaces a built-in one.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Self, cast, get_args

from libs.llm.evidence import DATA_RULE, DataBlock
from libs.llm.messages import Message, Role

_SECTION = re.compile(r"^\[(\w+)\][ \t]*\n", re.MULTILINE)

PromptValue = str | int | float | DataBlock


class PromptError(Exception):
    """A prompt file is missing or wrong; names the file."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A chat with places for values."""

    name: str
    sections: tuple[tuple[Role, Template], ...]
    places: frozenset[str]
    """The names of the values it wants."""

    @classmethod
    def of(cls, name: str, sections: tuple[tuple[Role, Template], ...]) -> Self:
        """The prompt made of these sections."""
        return cls(name, sections, frozenset(place for _, said in sections for place in said.get_identifiers()))

    def says(self, words: str) -> bool:
        """Whether these words stand in it."""
        return any(words in said.template for _, said in self.sections)

    def messages(self, values: Mapping[str, PromptValue]) -> list[Message]:
        """The chat with its values; with a `DataBlock` among them, the system message says what such a block is.

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
    """The prompts of a stage's folder, each of which a file in the user's folder may replace."""

    built_in: Path
    replaced_by: Path | None = None

    def load(self, name: str, places: frozenset[str] | set[str]) -> Prompt:
        """Read a prompt; to be done at start, so that a broken file is found then.

        Args:
            name: of the file, without `.txt`.
            places: the values the caller can give; a file may leave some out.

        Raises:
            PromptError: no such file, no section, an unknown section, a place that no value is given for.
        """
        path = self._path(name)
        try:
            prompt = Prompt.of(name, _sections(path.read_text(encoding="utf-8"), path))
            unknown = prompt.places - places
        except (OSError, UnicodeDecodeError, ValueError) as error:
            raise PromptError(f"{path}: {error}") from error
        if unknown:
            raise PromptError(f"{path}: no value is given for {', '.join(sorted(unknown))}; known: {sorted(places)}")
        return prompt

    def _path(self, name: str) -> Path:
        replaced = self.replaced_by / f"{name}.txt" if self.replaced_by else None
        return replaced if replaced and replaced.is_file() else self.built_in / f"{name}.txt"


def _sections(text: str, path: Path) -> tuple[tuple[Role, Template], ...]:
    parts = _SECTION.split(text)
    if len(parts) < 3 or parts[0].strip():
        raise PromptError(f"{path}: must begin with a section such as [system]")
    sections = []
    for role, content in zip(parts[1::2], parts[2::2], strict=True):
        if role not in get_args(Role):
            raise PromptError(f"{path}: unknown section [{role}]")
        template = Template(content)
        if not template.is_valid():
            raise PromptError(f"{path}: a $ in [{role}] that is no place; write $$")
        sections.append((cast(Role, role), template))
    return tuple(sections)
