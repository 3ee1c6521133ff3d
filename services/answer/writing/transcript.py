"""What has been said of an answer so far: numbers its paragraphs and sentences, and keeps the text that holds."""

from dataclasses import dataclass, field, replace

from libs.contracts.answers import Citation, CitedSpan, TextDelta, Triplet, Verdict
from services.answer.drafts import BLOCK, SPACE
from services.answer.numbering import SectionNumbers


@dataclass(frozen=True, slots=True)
class _Said:
    sentence: int
    paragraph: int
    gap: str
    text: str
    citation: Citation | None


@dataclass(slots=True)
class Transcript:
    """Paragraphs (what empty lines part) and sentences are counted from 1, sentences over the whole answer.

    All deltas joined give the text as it was streamed; a sentence's first delta brings what parts it from the one
    before.
    """

    paragraph: int = 0
    sentence: int = 0
    is_open: bool = False
    """Whether a sentence has begun and not ended."""
    unanswered: bool = False
    """Whether a language model read the evidence and found no answer in it."""
    given: tuple[Triplet, ...] = ()
    """What a language model was given beside the evidence."""
    follow_ups: tuple[str, ...] = ()
    """What a language model says may be asked next."""
    numbers: SectionNumbers = field(default_factory=SectionNumbers)
    """What is cited by which number."""
    _parting: str = SPACE
    _gap: str = ""
    _said: list[_Said] = field(default_factory=list)

    def begin(self, gap: str) -> None:
        """The next deltas belong to a new sentence; `gap` parts it from the one before."""
        first = self.sentence == 0
        self._parting, self._gap = gap, "" if first else gap
        self.paragraph += first or gap == BLOCK
        self.sentence += 1
        self.is_open = True

    def delta(self, text: str) -> TextDelta:
        """A piece of the sentence that has begun."""
        gap, self._gap = self._gap, ""
        return TextDelta(self.paragraph, self.sentence, gap + text)

    def end(self, text: str, citation: Citation | None = None) -> None:
        """The sentence as it was sent, markers included, and what checking it gave."""
        self.is_open = False
        self._said.append(_Said(self.sentence, self.paragraph, self._parting, text, citation))

    def settle(self, citation: Citation) -> None:
        """The verdict on a sentence that ended before and was judged only now."""
        self._said = [
            replace(said, citation=citation) if said.sentence == citation.sentence else said for said in self._said
        ]

    @property
    def citations(self) -> tuple[Citation, ...]:
        """One for each sentence that was checked."""
        return tuple(said.citation for said in self._said if said.citation)

    @property
    def has_support(self) -> bool:
        """Whether a sentence stands that its sources bear out."""
        return any(citation.verdict is not Verdict.WITHDRAWN for citation in self.citations)

    @property
    def lost_its_answer(self) -> bool:
        """Whether the first sentence, which is to answer, was withdrawn, and further ones stand."""
        return self.has_support and self.citations[0].verdict is Verdict.WITHDRAWN

    @property
    def standing_on(self) -> tuple[CitedSpan, ...]:
        """What is cited by what stands."""
        standing = (citation for citation in self.citations if citation.verdict is not Verdict.WITHDRAWN)
        return tuple(span for citation in standing for span in citation.references)

    @property
    def text(self) -> str:
        """What holds: without what was withdrawn, with replacements in their places."""
        return BLOCK.join(_joined(said) for said in self._holding().values())

    @property
    def paragraphs(self) -> list[list[tuple[str, Citation | None]]]:
        """What holds, sentence by sentence with what it cites; paragraphs of which nothing holds are gone."""
        return [[(said.text, said.citation) for said in paragraph] for paragraph in self._holding().values()]

    def _holding(self) -> dict[int, list[_Said]]:
        paragraphs: dict[int, list[_Said]] = {}
        for said in self._said:
            replaced = said.citation.replacement if said.citation else None
            text = said.text if replaced is None else replaced
            if text:
                paragraphs.setdefault(said.paragraph, []).append(replace(said, text=text))
        return paragraphs


def _joined(paragraph: list[_Said]) -> str:
    first, *others = paragraph
    return first.text + "".join(said.gap + said.text for said in others)
