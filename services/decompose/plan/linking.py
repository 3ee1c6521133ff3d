"""Links the pronouns of a question to the questions before it: `when did it launch` becomes `when did #1 launch`."""

from collections.abc import Iterator, Sequence

from libs.language.topics.grammar import Grammar, NounPhrases
from libs.language.topics.plans import JoinedQuestions
from libs.language.topics.questions import PointingWords
from libs.text.names import find_names
from libs.text.tokens import tokenize
from services.decompose.plan.antecedents import Antecedents


class Linker:
    """Links the pronouns of one question to those before it."""

    def __init__(self, text: str, antecedents: Sequence[Antecedents], language: str) -> None:
        self._text = text
        self._antecedents = antecedents
        self._language = language
        self._grammar = Grammar.of(language)
        self._forms = JoinedQuestions.of(language)
        self._nouns = NounPhrases.of(language)
        self._tokens = tokenize(text)
        self._words = [token.text.lower() for token in self._tokens]

    def linked(self) -> str | None:
        """The question with the antecedent in place of each first pronoun; None if a pronoun points to nothing."""
        if not self._antecedents:
            return self._text
        if self._forms.pointing.search(self._text):  # "which one", "the two"
            return None
        text, taken = self._text, dict[frozenset[str], str]()
        replaced = list(self._place())
        for index, classes in self._pronouns():
            candidates = (each.of(classes, frozenset(taken.values())) for each in self._antecedents)
            antecedent = next((candidate for candidate in candidates if candidate), None)
            if antecedent is None:
                return None
            taken[classes] = antecedent
            words = self._forms.owner.format(name=antecedent) if self._is_possessive(index) else antecedent
            replaced.append((self._tokens[index].start, self._tokens[index].end, words))
        for start, end, words in sorted(replaced, reverse=True):
            text = text[:start] + words + text[end:]
        return text

    def _place(self) -> Iterator[tuple[int, int, str]]:
        """The span of a place adverb, and the place that it stands for: not of `is there`, `there is`."""
        for index, word in enumerate(self._words):
            neighbours = self._words[max(0, index - 1) : index + 2]
            if word in self._forms.place_adverbs and self._grammar.auxiliaries.isdisjoint(neighbours):
                if place := self._antecedents[0].place():
                    yield self._tokens[index].start, self._tokens[index].end, self._forms.place.format(name=place)
                return

    def _pronouns(self) -> Iterator[tuple[int, frozenset[str]]]:
        """The pronouns that point back, the first of each kind, with the classes of what they stand for."""
        seen: frozenset[str] = frozenset()
        for index in range(len(self._words)):
            classes = self._classes(index)
            is_again = not classes.isdisjoint(seen)  # "how old was she when she died"
            if classes and not is_again:
                seen |= classes
                yield index, classes

    def _classes(self, index: int) -> frozenset[str]:
        """The classes of what a pronoun stands for; empty for other words and for one that stands for nothing."""
        word, start = self._words[index], self._tokens[index].start
        matches = PointingWords.of(self._language).expletive.finditer(self._text)
        is_polite = self._tokens[index].text in self._nouns.capital_pronouns
        if self._is_possessive(index) and find_names(self._text[:start], self._language):
            return frozenset()  # of the thing that the question itself names: "when did Rosetta reach its comet"
        if is_polite or any(match.start() <= start < match.end() for match in matches):
            return frozenset()
        ends_as_article = index == len(self._words) - 1 and word in self._grammar.articles  # "ab wann gilt die"
        pronouns = self._forms.determiners if ends_as_article else self._forms.pronouns
        return frozenset(pronouns.get(word, ()))

    def _is_possessive(self, index: int) -> bool:
        grammar = self._grammar
        if index + 1 >= len(self._words) or self._words[index] not in grammar.possessive_pronouns:
            return False
        return self._words[index + 1] not in grammar.prepositions | grammar.auxiliaries
