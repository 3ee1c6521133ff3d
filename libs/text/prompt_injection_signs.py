"""Signs of prompt injection: chat markers and template syntax, and the wording of all known languages.

A document in one language may carry an instruction in another, so the signs of all languages are looked for. A sign is
matched against one sentence or line, normalised by `libs.text.prompt_injection`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from libs.language.files import known_languages
from libs.language.topics.prompt_injection import PromptInjection

_LIST = re.compile(r"\{([a-z_]+)\}")


@dataclass(frozen=True, slots=True)
class Sign:
    """A pattern of an instruction, with cues that every match contains."""

    cues: tuple[tuple[str, ...], ...]
    """The pattern can match only if the lower-cased text has a cue of each group; the rarest group comes first."""
    pattern: re.Pattern[str]
    ends: re.Pattern[str] | None = None
    """For a mark that opens a region: the closing mark; None if the region extends to the end of the text."""


def _sign(cues: str, pattern: str, closing: str = "") -> Sign:
    """Create a sign; groups of cues are separated by `&`, the cues of a group by `|`."""
    ends = re.compile(closing, re.IGNORECASE) if closing else None
    groups = tuple(tuple(group.split("|")) for group in cues.split("&"))
    return Sign(groups, re.compile(pattern, re.IGNORECASE | re.MULTILINE), ends)


REGIONS: tuple[Sign, ...] = (
    _sign("<&im_start", r"<\|?im_start\|?>", r"<\|?im_end\|?>"),
    _sign("[|<&[inst]|<<sys", r"\[INST\]|<<SYS>>", r"\[/INST\]"),
    _sign("<&<item n", r"<item n\b[^>]*>", r"</item>"),
    _sign("<&<tool|<function", r"<(?:tool|function)_?calls?>", r"</(?:tool|function)_?calls?>"),
    _sign("<&</", r"^\W*</(?:item|data|context|documents?|sources?)>(?!\s*<)"),
    _sign("<&</item></data>", r"</item></data>"),
    _sign(
        "end of&source|document|context|evidence|data|passage|item",
        r"(?-i:\bEND OF (?:THE )?(?:SOURCES?|DOCUMENTS?|CONTEXT|EVIDENCE|DATA|PASSAGES?|ITEMS?)\b)",
    ),
    _sign(
        "#&##&system|instruction|assistant|response",
        r"(?:^|\s)#{2,6}\s*(?:system|instructions?|assistant|response)\s*:\s*$",
    ),
    _sign("[&[system]|[assistant]|[user]", r"^\[(?:system|assistant|user)\]\s*$"),
)
"""Marks that pretend that the document ends or that another speaker begins (lengths: taste)."""

MARKS: tuple[Sign, ...] = (
    _sign("<&<|", r"<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>"),
    _sign("_&tool_call|function_call", r"<?/?\"?(?:tool|function)_calls?\b[\">]"),
    _sign('"&"is_reject|"is_supply|"question_back|"verdict', r"\"(?:is_reject|is_supply|question_back|verdict)\"\s*:"),
    _sign('"&"role"', r"\"role\"\s*:\s*\"(?:system|assistant|tool)\"[^}]{0,40}\"content\""),
)
"""Templates and tool calls of chat models (lengths: taste)."""


@lru_cache(maxsize=1)
def all_signs() -> tuple[Sign, ...]:
    """Return the marks, and the wording of every language.

    Raises:
        LanguageDataError: a language's file is not valid.
    """
    return (*MARKS, *(sign for code in known_languages() for sign in _wording(PromptInjection.of(code))))


def _wording(topic: PromptInjection) -> Iterator[Sign]:
    for name, pattern in topic.signs.items():
        groups = topic.cues[name].split("&")
        cues = tuple(tuple(cue for text in group.split("|") for cue in _expand(text, topic)) for group in groups)
        yield Sign(cues, pattern)


def _expand(cue: str, topic: PromptInjection) -> Iterator[str]:
    """Yield the cue with each combination of words in place of `{list}`."""
    names = _LIST.findall(cue)
    template = _LIST.sub("{}", cue)
    for words in product(*(getattr(topic, name) for name in names)):
        yield template.format(*words)
