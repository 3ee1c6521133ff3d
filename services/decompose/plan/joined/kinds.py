"""Kinds of nouns where order tells the subject: things, persons and several, for `it`, `she` and `they`."""

from typing import Final

from libs.language.topics.follow_ups import JoinedQuestions
from libs.language.topics.grammar import Grammar
from libs.language.topics.plans import DescriptionForms
from libs.text.tokens import tokenize
from services.decompose.words.domain import Domain, is_among, singular

THING: Final = "thing"
PERSON: Final = "person"
PLURAL: Final = "plural"
ANY: Final = frozenset((THING, PERSON, PLURAL))


class NounKinds:
    """Tells the kind of a noun by the words of a domain and a language."""

    def __init__(self, domain: Domain, language: str) -> None:
        self._domain = domain
        self._language = language
        self._forms = JoinedQuestions.of(language)
        self._grammar = Grammar.of(language)

    def classes_of(self, text: str) -> frozenset[str]:
        """The classes of a noun, or of a phrase by its head."""
        head, forms, language = self.head(text), self._forms, self._language
        one = singular(head, language)
        if head != one and head not in DescriptionForms.of(language).singular_nouns:
            return frozenset((PLURAL,))
        if one in self._grammar.person_titles or one in forms.persons:
            return frozenset((PERSON, PLURAL))
        if one in forms.collectives:
            return frozenset((THING, PLURAL))
        is_agent = one.endswith(forms.person_endings) and not is_among(one, self._domain.classes, language)
        may_be_person = is_agent or is_among(one, self._domain.unique_roles, language)
        return frozenset((THING, PERSON)) if may_be_person else frozenset((THING,))

    def is_attribute(self, text: str) -> bool:
        """Whether words are an attribute of something else: `the price of the AX-220`."""
        head, domain = self.head(text), self._domain
        is_role = is_among(head, domain.unique_roles, self._language)
        return not is_role and is_among(head, domain.facets | domain.relations, self._language)

    def head(self, text: str) -> str:
        """The head noun of a phrase, lower-cased: the last word before a preposition or clause."""
        words = [token.text.lower() for token in tokenize(text)]
        ends = self._grammar.prepositions | self._grammar.clause_openers
        end = next((index for index, word in enumerate(words) if index and word in ends), len(words))
        return words[end - 1] if words else ""
