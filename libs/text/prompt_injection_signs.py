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
    """A pattern of an instruction, with cues of which every match contains one, in lower case."""

    cues: tuple[str, ...]
    pattern: re.Pattern[str]
    is_region: bool = False
    """Whether it begins a region that imitates another speaker, up to `ends` or the end of the text."""
    ends: re.Pattern[str] | None = None


@lru_cache(maxsize=1)
def all_signs() -> tuple[Sign, ...]:
    """Return the signs of every language.

    Raises:
        LanguageDataError: a language's file is not valid.
    """
    return tuple(sign for code in known_languages() for sign in _signs(PromptInjection.of(code)))


def _signs(topic: PromptInjection) -> Iterator[Sign]:
    for name, pattern in {**topic.signs, **topic.regions}.items():
        cues = tuple(cue for text in topic.cues[name].split("|") for cue in _expand(text, topic))
        yield Sign(cues, pattern, name in topic.regions, topic.ends.get(name))


def _expand(cue: str, topic: PromptInjection) -> Iterator[str]:
    """Yield the cue with each combination of words in place of `{list}`."""
    names = _LIST.findall(cue)
    template = _LIST.sub("{}", cue)
    for words in product(*(getattr(topic, name) for name in names)):
        yield template.format(*words)
