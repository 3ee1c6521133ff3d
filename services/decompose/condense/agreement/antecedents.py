"""The nouns and names of a conversation as antecedents, most salient first."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from libs.language.calendar_names import month_names
from libs.language.topics.agreement import Agreement
from libs.text.mentions import (
    Classes,
    Mention,
    MentionReader,
    classes_of,
    classes_of_nouns,
)
from libs.text.tokens import tokenize
from services.decompose.condense.topic import DECAY
from services.decompose.history import HistoryWindow

_OBLIQUE = 0.6
"""Weight of a noun after a preposition or as an attribute: the subject tends to remain the topic."""
_NAMED_BY_ANSWER = 0.2
_ANSWERS_WHO = 3.0
"""For the first person that the answer to a question for a person names."""
_UNKNOWN = 0.5
"""Weight of a noun whose classes are unknown."""
_READ_OF_ANSWER = 800
"""Characters of an answer that are read."""


@dataclass(frozen=True, slots=True)
class Antecedent:
    """A mention of the conversation; `turn` is the position of its exchange in the window."""

    mention: Mention
    salience: float
    turn: int


@dataclass(frozen=True)
class AgreementReading:
    """A conversation in one language: its questions, standalone, and its nouns."""

    window: HistoryWindow
    questions: tuple[str, ...]
    language: str

    @property
    def frame(self) -> str:
        """The previous question."""
        return self.questions[-1]

    @cached_property
    def antecedents(self) -> tuple[Antecedent, ...]:
        """All possible antecedents, most salient first; numbers are none."""
        items = (item for turn in range(len(self.questions)) for item in self._of_turn(turn))
        return tuple(sorted(items, key=lambda item: -item.salience))

    @cached_property
    def nouns(self) -> Mapping[str, Classes]:
        """The classes of the conversation's nouns."""
        answers = [exchange.answer[:_READ_OF_ANSWER] for exchange in self.window.exchanges]
        return classes_of_nouns(
            mention for text in (*self.questions, *answers) for mention in MentionReader(self.language).read(text)
        )

    def fitting(self, classes: Classes) -> tuple[Antecedent, ...]:
        """The antecedents that agree, most salient first; those of unknown classes count less."""
        if not classes:
            return self.antecedents
        known = [(item, classes_of(item.mention, self.nouns)) for item in self.antecedents]
        fitting = [
            replace(item, salience=item.salience * (1.0 if own or item.mention.is_person else _UNKNOWN))
            for item, own in known
            if not own or own & classes
        ]
        return tuple(sorted(fitting, key=lambda item: -item.salience))

    def _of_turn(self, turn: int) -> Iterator[Antecedent]:
        decay = DECAY ** (len(self.questions) - 1 - turn)
        reader = MentionReader(self.language)
        times = month_names(self.language) | Agreement.of(self.language).no_antecedents
        for mention in reader.read(self.questions[turn]):
            if not (mention.is_number or mention.head in times):
                oblique = mention.preposition or mention.is_attribute
                yield Antecedent(mention, decay * (_OBLIQUE if oblique else 1.0), turn)
        mentions = reader.read(self.window.exchanges[turn].answer[:_READ_OF_ANSWER])
        persons = [mention for mention in mentions if mention.is_person]
        if persons and self._asks_person(self.questions[turn]):
            yield Antecedent(persons[0], decay * _ANSWERS_WHO, turn)
        yield from (Antecedent(person, decay * _NAMED_BY_ANSWER, turn) for person in persons[1:])

    def _asks_person(self, question: str) -> bool:
        first = next((token.text.lower() for token in tokenize(question)), "")
        return first in Agreement.of(self.language).asks_person
