"""The model: looks for the wanted facts in its prompt and writes the sentences that hold them. Does no I/O."""

import random
import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from bench.corruptions import corrupt
from bench.oracle.wording import CODE, SHAPES, YES, code, reword, yes
from evaluation.documents.questions import DocumentQuestion
from evaluation.documents.scoring import normal_form
from libs.text.sentences import split_sentences

ITEM: Final = re.compile(r"<item n=(\d+)>\n(.*?)\n</item>", re.DOTALL)
HEAD: Final = re.compile(r"\A(?:(?:Relevance|Source|Title): [^\n]*\n)*")
NOTHING: Final = "NO ANSWER"
MOST_LINES: Final = 4
"""Lines that may hold a fact together (taste)."""
CODE_LINE: Final = re.compile(r"^\s{4,}\S|[{};=]\s*$|^\s*[\w.-]+:\s*\S+$|^\$ ")  # four: Markdown's indent of code


@dataclass(frozen=True, slots=True)
class PromptFact:
    """A fact that stands in the prompt: its place among the question's facts, and the words that hold it."""

    fact: int
    words: str
    number: int
    """Of the item."""


@dataclass(slots=True)
class Reader:
    """Answers the question that it was told of; of the same prompt it makes the same answer."""

    falsify: bool = False
    question: DocumentQuestion | None = None
    facts: list[PromptFact] = field(default_factory=list)
    """Of the newest answer."""
    shape: str = ""
    false: list[tuple[str, str]] = field(default_factory=list)
    """Kind and text of the sentences that were made false in it."""

    def answer(self, prompt: str) -> str:
        """What it writes."""
        assert self.question is not None
        self.false = []
        items = list(_items(prompt))
        self.facts = list(_facts_in(self.question, items))
        if not self.facts:
            return NOTHING
        sentences = list({fact.words: (reword(fact.words), fact.number) for fact in self.facts}.values())
        if self.falsify:
            sentences = self._falsify(sentences, "\n".join(text for _, text in items))
        self.shape = self._shape()
        if self.shape == CODE:
            lines = dict.fromkeys(line for fact in self.facts for line in fact.words.split("\n"))
            return code("\n".join(lines), self.facts[0].number)
        return yes(sentences) if self.shape == YES else SHAPES[self.shape](sentences)

    def _shape(self) -> str:
        assert self.question is not None
        if self.question.kind == "yes-no":
            return YES
        lines = [line for fact in self.facts for line in fact.words.split("\n")]
        if not self.falsify and all(CODE_LINE.search(line) for line in lines):
            return CODE
        names = sorted(SHAPES)
        return names[zlib.crc32(self.question.id.encode()) % len(names)]

    def _falsify(self, sentences: list[tuple[str, int]], sources: str) -> list[tuple[str, int]]:
        """The same with the first sentence that can be made false made so."""
        assert self.question is not None
        chance = random.Random(self.question.id)
        for place, (text, number) in enumerate(sentences):
            variants = list(corrupt(f"{text}.", sources, NAMES, chance))
            if variants:
                kind, false = chance.choice(variants)
                self.false.append((kind, false.rstrip(".")))
                return [*sentences[:place], (false.rstrip("."), number), *sentences[place + 1 :]]
        return sentences


NAMES: Final = ("Wellington", "Fairbanks", "Oakridge", "Peter Lindqvist", "Maria Okafor", "Northwind Institute")
"""Of nobody in the documents."""


def _items(prompt: str) -> Iterator[tuple[int, str]]:
    for number, text in ITEM.findall(prompt):
        yield int(number), HEAD.sub("", text)


def _facts_in(question: DocumentQuestion, items: Sequence[tuple[int, str]]) -> Iterator[PromptFact]:
    """Each fact that stands in an item, by the fewest words that hold it."""
    for fact, group in enumerate(question.facts):
        holding = (
            PromptFact(fact, unit, number)
            for number, text in items
            for unit in _units(text)
            if any(expression.search(normal_form(unit)) for expression in group)
        )
        if shortest := min(
            holding, key=lambda candidate: (candidate.words.count("\n"), candidate.number), default=None
        ):
            yield shortest


def _units(text: str) -> Iterator[str]:
    """Sentences, then lines, then several lines together."""
    lines = [line for line in text.split("\n") if line.strip()]
    for line in lines:
        yield from (sentence.text for sentence in split_sentences(line, language="en"))
    for count in range(1, MOST_LINES + 1):
        for start in range(len(lines) - count + 1):
            yield "\n".join(lines[start : start + count])
