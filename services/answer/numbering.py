"""The numbers that a text cites by: one a section of a document, in the order in which the text cites them."""

from libs.contracts.evidence import Passage, Section
from services.answer.steps import NumberedPassage, Numbering


class SectionNumbers:
    """Gives each section its number when it is first cited, from 1, without gaps."""

    def __init__(self) -> None:
        self._sections: dict[Section, int] = {}
        self._passages: dict[str, int] = {}

    def number_of(self, passage: Passage) -> int:
        """The number of the section that a passage stands in."""
        number = self._sections.setdefault(passage.section, len(self._sections) + 1)
        self._passages.setdefault(passage.passage_id, number)
        return number

    @property
    def numbering(self) -> Numbering:
        """All that were cited so far, in the order of their numbers."""
        ordered = sorted(self._passages.items(), key=lambda item: item[1])
        return Numbering(tuple(NumberedPassage(passage_id, number) for passage_id, number in ordered))
