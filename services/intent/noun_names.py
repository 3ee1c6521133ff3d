"""Short and full names by their articles, in languages where all nouns have capitals.

A name has no article: `Wann wurde Weber gewählt?` after `Die Bürgermeisterin Anna Weber …`. A word that occurs with an
article, or alone before any full name, is not completed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from libs.language.topics.anaphora import Agreement
from libs.language.topics.names import NameForms
from libs.text.mentions import Mention, MentionReader
from services.intent.capital_names import MOST_TEXTS
from services.intent.short_name import ShortName

_SHORTEST: Final = 3


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
        for text in texts[-MOST_TEXTS:]:
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
