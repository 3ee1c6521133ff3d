"""What has been said of an answer so far: numbers its paragraphs and sentences, and keeps the text that holds."""

from dataclasses import dataclass, field

from services.vocabulary.answers import Citation, TextDelta, Triplet, Verdict


@dataclass(frozen=True, slots=True)
class _Said:
    paragraph: int
    text: str
    citation: Citation | None


@dataclass(slots=True)
class Transcript:
    """Paragraphs and sentences are counted from 1, sentences over the whole answer.

    All deltas joined give the text as it was streamed; a sentence's first delta brings the space before it.
    """

    paragraph: int = 0
    sentence: int = 0
    is_open: bool = False
    """Whether a sentence has begun and not ended."""
    given: tuple[Triplet, ...] = ()
    """What a language model was given beside the evidence."""
    _gap: str = ""
    _said: list[_Said] = field(default_factory=list)

    def begin(self, new_paragraph: bool) -> None:
        """The next deltas belong to a new sentence, maybe of a new paragraph."""
        first = self.sentence == 0
        self._gap = "" if first else "\n\n" if new_paragraph else " "
        self.paragraph += first or new_paragraph
        self.sentence += 1
        self.is_open = True

    def delta(self, text: str) -> TextDelta:
        """A piece of the sentence that has begun."""
        gap, self._gap = self._gap, ""
        return TextDelta(self.paragraph, self.sentence, gap + text)

    def end(self, text: str, citation: Citation | None = None) -> None:
        """The sentence as it was sent, markers included, and what checking it gave."""
        self.is_open = False
        self._said.append(_Said(self.paragraph, text, citation))

    @property
    def citations(self) -> tuple[Citation, ...]:
        """One for each sentence that was checked."""
        return tuple(said.citation for said in self._said if said.citation)

    @property
    def has_support(self) -> bool:
        """Whether a sentence stands that its sources bear out."""
        return any(citation.verdict is not Verdict.WITHDRAWN for citation in self.citations)

    @property
    def text(self) -> str:
        """What holds: without what was withdrawn, with replacements in their places."""
        return "\n\n".join(" ".join(text for text, _ in sentences) for sentences in self.paragraphs)

    @property
    def paragraphs(self) -> list[list[tuple[str, Citation | None]]]:
        """What holds, sentence by sentence with what it cites; paragraphs of which nothing holds are gone."""
        paragraphs: dict[int, list[tuple[str, Citation | None]]] = {}
        for said in self._said:
            replaced = said.citation.replacement if said.citation else None
            text = said.text if replaced is None else replaced
            if text:
                paragraphs.setdefault(said.paragraph, []).append((text, said.citation))
        return list(paragraphs.values())
