"""Complete incomplete names in a question from the history, or from what a probe, a shallow search, found.

`Armstrong` becomes `Neil Armstrong` if exactly one such name occurs. `Apollo` becomes `Apollo 11` only if no other
Apollo occurs and no noun follows it in the question. If two full names fit, the word is left unchanged, with a note. A
word that occurs alone before any full name is a name itself (`Mars` before `Mars Express`) and is left without a note.

In languages where all nouns have capitals, a name is known by having no article: `Wann wurde Weber gewählt?` after `Die
Bürgermeisterin Anna Weber …`. There a word that occurs with an article, or alone before any full name, is left alone.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from libs.contracts.spans import Span
from libs.contracts.understanding import Grounded, GroundedKind
from libs.language.known import language_of
from libs.language.topics.anaphora import Agreement
from libs.language.topics.names import NameForms
from libs.text.mentions import Mention, MentionReader
from services.intent.capital_names import MAX_TEXTS, CapitalReader, ShortName
from services.intent.groundings import Grounding

_SHORTEST: Final = 3  # letters of a name that is looked up (taste)


@dataclass(frozen=True, slots=True)
class NounReader:
    """Reads names as the nouns without articles."""

    language: str

    def short_names(self, question: str) -> Iterator[ShortName]:
        """Yield single words that may be names."""
        for mention in self._mentions(question):
            is_word = " " not in mention.text and not mention.is_number and not mention.determiner
            if is_word and len(mention.text) >= _SHORTEST and not self._is_common(mention.text):
                yield ShortName(mention.text, mention.start, mention.end)

    def full_names(self, short: str, texts: Sequence[str]) -> tuple[str, ...]:
        """Return the full names that a short one may stand for, in order; none if it first occurs alone."""
        names: dict[str, None] = {}
        for text in texts[-MAX_TEXTS:]:
            for mention in self._mentions(text) if short in text else ():
                parts = mention.text.split()
                if short not in parts:
                    continue
                full_name = self._full_name(short, parts)
                if full_name is None and (not names or mention.determiner):
                    return ()
                if full_name:
                    names[full_name] = None
        return tuple(names)

    def _mentions(self, text: str) -> tuple[Mention, ...]:
        return MentionReader(self.language).read(text)

    def _full_name(self, short: str, parts: Sequence[str]) -> str | None:
        """Return a person's name that ends with the short one, or its number; None if it has no other part."""
        titles = Agreement.of(self.language).person_titles
        first = next((index for index, part in enumerate(parts) if part.lower().rstrip(".") not in titles), len(parts))
        names = parts[first:]
        is_longer = len(names) > 1 and not any(map(self._is_common, names))
        return " ".join(names) if is_longer and (names[-1] == short or names[-1].isdecimal()) else None

    def _is_common(self, word: str) -> bool:
        return NameForms.of(self.language).common_noun.fullmatch(word) is not None


_MAX_NAMES: Final = 8
"""Maximum number of short names looked up per question; each costs a pass over the history (taste)."""


def complete_names(
    question: str, history: Sequence[str], probe_texts: Sequence[str], language: str
) -> tuple[Grounding, ...]:
    """Return groundings that complete the names of a question, or say why one is ambiguous.

    Args:
        question: the standalone question.
        history: the earlier turns, oldest first.
        probe_texts: titles and texts from a probe; used only if the history does not mention the name.
        language: the question's language, ISO 639-1.
    """
    reader = NounReader(language) if language_of(language).capitalises_nouns else CapitalReader(language)
    groundings = []
    for short_name in islice(reader.short_names(question), _MAX_NAMES):
        source, full_names = "told so in the conversation", reader.full_names(short_name.text, history)
        if not full_names and (not any(short_name.text in text for text in history)):
            source, full_names = "found so in the corpus", reader.full_names(short_name.text, probe_texts)
        if full_names and (completion := _completion(question, short_name, full_names, source)):
            groundings.append(completion)
    return tuple(groundings)


def _completion(question: str, short_name: ShortName, full_names: Sequence[str], source: str) -> Grounding | None:
    span = Span(short_name.start, short_name.end)
    has_numbers = any(name.startswith(f"{short_name.text} ") for name in full_names)
    if has_numbers and not _stands_alone(question, short_name):
        return None
    if len(full_names) > 1:
        alternatives = " or ".join(f'"{name}"' for name in full_names[:3])
        return Grounding(
            Grounded(GroundedKind.ENTITY, short_name.text, span, "", f"left as it stands: it may be {alternatives}")
        )
    return Grounding(Grounded(GroundedKind.ENTITY, short_name.text, span, full_names[0], source), span, full_names[0])


def _stands_alone(question: str, short: ShortName) -> bool:
    """Whether no noun follows that would make it a category: `Apollo missions`, `Apollo program`."""
    return re.match(r"(?:['’]s)?\s*(?:[?.!,;]|\Z)", question[short.end :]) is not None
