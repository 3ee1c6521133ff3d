"""Reference numbers of a text: one per section of a document, in order of first citation."""

from libs.contracts.evidence import Passage, Section
from libs.contracts.stages.answer import NumberedPassage, Numbering


class SectionNumbers:
    """Assigns each section a number on its first citation, from 1, without gaps."""

    def __init__(self) -> None:
        self._sections: dict[Section, int] = {}
        self._passages: dict[str, int] = {}

    def number_of(self, passage: Passage) -> int:
        """Return the number of a passage's section, assigning one if needed."""
        number = self._sections.setdefault(passage.section, len(self._sections) + 1)
        self._passages.setdefault(passage.passage_id, number)
        return number

    @property
    def numbering(self) -> Numbering:
        """All passages cited so far, ordered by number."""
        by_number = sorted(self._passages.items(), key=lambda item: item[1])
        return Numbering(tuple(NumberedPassage(passage_id, number) for passage_id, number in by_number))
