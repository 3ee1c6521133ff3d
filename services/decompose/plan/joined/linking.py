"""Links the pronouns of a question to the questions before it: `when did it launch` becomes `when did #1 launch`."""

from collections.abc import Iterator, Sequence

from libs.language.known import language_of
from libs.language.topics.anaphora import Agreement, AnaphoraForms
from libs.language.topics.follow_ups import JoinedQuestions
from libs.language.topics.grammar import Grammar, Inflection, NounPhrases
from services.decompose.plan.joined.antecedents import Antecedents, governed
from services.decompose.words.noun_groups import NounGroupReader
from services.decompose.words.phrases import find_phrases


class Linker:
    """Links the pronouns of one question to those before it."""

    def __init__(self, text: str, antecedents: Sequence[Antecedents], language: str) -> None:
        self._text = text
        self._antecedents = antecedents
        self._language = language
        self._grammar = Grammar.of(language)
        self._agreement = Agreement.of(language)
        self._forms = JoinedQuestions.of(language)
        self._nouns = NounGroupReader(text, language)
        self._tokens = self._nouns.tokens
        self._words = self._nouns.words

    def linked(self) -> str | None:
        """The question with the antecedent in place of each first pronoun; None if a pronoun points to nothing."""
        if not self._antecedents:
            return self._text
        if self._forms.pointing.search(self._text):  # "which one", "the two"
            return None
        text, taken = self._text, dict[frozenset[str], str]()
        replaced = [again for index in range(len(self._words)) if (again := self._named_again(index))]
        replaced += self._place()
        for index, classes in self._pronouns():
            antecedent = self._antecedent(classes, frozenset(taken.values()))
            if antecedent is None:
                return None
            taken[classes] = antecedent
            replaced.append(self._replacement(index, antecedent))
        for start, end, words in sorted(replaced, reverse=True):
            text = text[:start] + words + text[end:]
        return text

    def _place(self) -> list[tuple[int, int, str]]:
        """The span of a place adverb, and the place that it stands for; none if that is not clear."""
        adverbs = AnaphoraForms.of(self._language).place_adverbs | self._agreement.places
        places = [
            index for index, word in enumerate(self._words) if word in adverbs and not self._is_existential(index)
        ]
        place = self._antecedents[0].place() if places else None
        return [(self._tokens[places[0]].start, self._tokens[places[0]].end, place)] if place else []

    def _is_existential(self, index: int) -> bool:
        """Whether a place adverb stands for nothing: `is there`, `there is`."""
        neighbours = self._words[max(0, index - 1) : index + 2]
        return not self._grammar.auxiliaries.isdisjoint(neighbours)

    def _pronouns(self) -> Iterator[tuple[int, frozenset[str]]]:
        """The pronouns that point back, the first of each kind, with the classes of what they stand for."""
        seen: frozenset[str] = frozenset()
        for index in range(len(self._words)):
            classes = self._classes(index)
            is_again = not classes.isdisjoint(seen)  # "how old was she when she died"
            if classes and not is_again and not self._is_resolved_within(index):
                seen |= classes
                yield index, classes

    def _named_again(self, index: int) -> tuple[int, int, str] | None:
        """The span of `the mission`, which means the one spoken of, and what names it; None for other words."""
        noun = self._words[index + 1] if index + 1 < len(self._words) else ""
        is_definite = self._words[index] in NounPhrases.of(self._language).definite_articles
        following = self._words[index + 2] if index + 2 < len(self._words) else ""
        is_told = following in self._grammar.prepositions or following in AnaphoraForms.of(self._language).specifying
        if not (is_definite and noun) or not self._tokens[index + 1].text.islower() or is_told:
            return None
        named = next((text for each in self._antecedents if (text := each.of_noun(noun))), None)
        return (self._tokens[index].start, self._tokens[index + 1].end, named) if named else None

    def _classes(self, index: int) -> frozenset[str]:
        """The classes of what a pronoun stands for; empty for other words and for one that stands for nothing."""
        word, agreement = self._words[index], self._agreement
        is_polite = self._tokens[index].text in NounPhrases.of(self._language).capital_pronouns
        if is_polite or self._is_expletive(index):
            return frozenset()
        if language_of(self._language).capitalises_nouns:
            own = agreement.pronouns.get(word) or agreement.possessives.get(word) or self._article_classes(index)
            return frozenset(own)
        return frozenset(self._forms.pronouns.get(word, ()))

    def _article_classes(self, index: int) -> Sequence[str]:
        """The classes of an article that stands for a noun: `ab welcher Version gilt die`."""
        before = self._words[index - 1] if index else ""
        is_alone = self._nouns.group_at(index) is None and not self._text[: self._tokens[index].start].endswith(", ")
        is_pronoun = is_alone and before not in self._grammar.prepositions
        own = self._agreement.articles_as_pronouns.get(self._words[index], ())
        return own if is_pronoun and index == len(self._words) - 1 else ()

    def _is_expletive(self, index: int) -> bool:
        start = self._tokens[index].start
        for forms in (AnaphoraForms.of(self._language), self._agreement):
            if any(match.start() <= start < match.end() for match in forms.expletive.finditer(self._text)):
                return True
        return False

    def _is_resolved_within(self, index: int) -> bool:
        """Whether the question itself names what a possessive, or a pronoun of a later clause, may stand for."""
        is_own = self._is_possessive(index) or not self._grammar.clause_openers.isdisjoint(self._words[1:index])
        before = find_phrases(self._text[: self._tokens[index].start], language=self._language)
        return is_own and any(phrase.kind.is_name for phrase in before)

    def _is_possessive(self, index: int) -> bool:
        if index + 1 >= len(self._words) or self._words[index] not in self._grammar.possessive_pronouns:
            return False
        following, grammar = self._words[index + 1], self._grammar
        is_object_too = self._words[index] in AnaphoraForms.of(self._language).his_or_hers
        is_adverb = is_object_too and following in grammar.adverbs
        return not is_adverb and following not in grammar.prepositions | grammar.auxiliaries

    def _antecedent(self, classes: frozenset[str], taken: frozenset[str]) -> str | None:
        """What a pronoun stands for, in the first question before that has something of its classes."""
        candidates = (each.of(classes, taken) for each in self._antecedents)
        return next((candidate for candidate in candidates if candidate), None)

    def _replacement(self, index: int, antecedent: str) -> tuple[int, int, str]:
        """The span that an antecedent replaces, and the words in its place."""
        token = self._tokens[index]
        if not self._is_possessive(index):
            return token.start, token.end, antecedent
        if not language_of(self._language).capitalises_nouns:
            return token.start, token.end, f"{antecedent}{Inflection.of(self._language).possessive_marks[0]}"
        group = self._nouns.group_at(index)
        end = self._tokens[group.last if group else index].end
        article = self._agreement.possessive_articles[self._words[index]]
        owner = self._agreement.possessor.format(name=governed(antecedent, self._language))
        return token.start, end, f"{article} {self._text[token.end : end].strip()} {owner}"
