"""The model: looks for the wanted facts in its prompt and writes the sentences that hold them."""

import random
import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from bench.corruptions import corrupted
from bench.oracle.wording import CODE, SHAPES, YES, code, reworded, yes
from evaluation.documents.questions import DocumentQuestion
from evaluation.documents.scoring import normal_form
from libs.text.sentences import split_sentences

ITEM: Final = re.compile(r"<item n=(\d+)>\n(.*?)\n</item>", re.DOTALL)
HEAD: Final = re.compile(r"\A(?:(?:Relevance|Source|Title): [^\n]*\n)*")
FACTS: Final = re.compile(r"(?:\nFact: [^\n]*)+\Z")
NOTHING: Final = "NO ANSWER"
MOST_LINES: Final = 4
"""Lines that may hold a fact together."""
CODE_LINE: Final = re.compile(r"^\s{4,}\S|[{};=]\s*$|^\s*[\w.-]+:\s*\S+$|^\$ ")


@dataclass(frozen=True, slots=True)
class Wanted:
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
    wanted: list[Wanted] = field(default_factory=list)
    """Of the newest answer."""
    shape: str = ""
    false: list[tuple[str, str]] = field(default_factory=list)
    """Kind and text of the sentences that were made false in it."""

    def answer(self, prompt: str) -> str:
        """What it writes."""
        assert self.question is not None
        self.false = []
        items = list(_items(prompt))
        self.wanted = list(_wanted(self.question, items))
        if not self.wanted:
            return NOTHING
        told = list({wanted.words: (reworded(wanted.words), wanted.number) for wanted in self.wanted}.values())
        if self.falsify:
            told = self._falsified(told, "\n".join(text for _, text in items))
        self.shape = self._shape()
        if self.shape == CODE:
            lines = dict.fromkeys(line for wanted in self.wanted for line in wanted.words.split("\n"))
            return code("\n".join(lines), self.wanted[0].number)
        return yes(told) if self.shape == YES else SHAPES[self.shape](told)

    def _shape(self) -> str:
        assert self.question is not None
        if self.question.kind == "yes-no":
            return YES
        lines = [line for wanted in self.wanted for line in wanted.words.split("\n")]
        if not self.falsify and all(CODE_LINE.search(line) for line in lines):
            return CODE
        names = sorted(SHAPES)
        return names[zlib.crc32(self.question.id.encode()) % len(names)]

    def _falsified(self, told: list[tuple[str, int]], sources: str) -> list[tuple[str, int]]:
        """The same with the first sentence that can be made false made so."""
        assert self.question is not None
        chance = random.Random(self.question.id)
        for place, (text, number) in enumerate(told):
            variants = list(corrupted(f"{text}.", sources, NAMES, chance))
            if variants:
                kind, false = chance.choice(variants)
                self.false.append((kind, false.rstrip(".")))
                return [*told[:place], (false.rstrip("."), number), *told[place + 1 :]]
        return told


NAMES: Final = ("Wellington", "Fairbanks", "Oakridge", "Peter Lindqvist", "Maria Okafor", "Northwind Institute")
"""Of nobody in the documents."""


def _items(prompt: str) -> Iterator[tuple[int, str]]:
    for number, text in ITEM.findall(prompt):
        yield int(number), FACTS.sub("", HEAD.sub("", text))


def _wanted(question: DocumentQuestion, items: Sequence[tuple[int, str]]) -> Iterator[Wanted]:
    """Each fact that stands in an item, by the fewest words that hold it."""
    for fact, group in enumerate(question.facts):
        holding = (
            Wanted(fact, unit, number)
            for number, text in items
            for unit in _units(text)
            if any(expression.search(normal_form(unit)) for expression in group)
        )
        if found := min(holding, key=lambda wanted: (wanted.words.count("\n"), wanted.number), default=None):
            yield found


def _units(text: str) -> Iterator[str]:
    """Sentences, then lines, then several lines together."""
    lines = [line for line in text.split("\n") if line.strip()]
    for line in lines:
        yield from (sentence.text for sentence in split_sentences(line))
    for count in range(1, MOST_LINES + 1):
        for start in range(len(lines) - count + 1):
            yield "\n".join(lines[start : start + count])
