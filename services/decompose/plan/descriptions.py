"""Finds things that a question describes instead of naming: "the craft that first orbited Mars", "the smallest rover".

A description begins with the definite article, has a noun, and identifies one thing: by a word such as "first" or
"largest", or by a clause that contains a name.

In a language whose clauses follow the noun at once, a description has a noun of a known sort and ends before the verb
that the question still needs. Pure functions.
"""

from collections.abc import Iterator
from enum import Enum, auto

from libs.language.known import language_of
from libs.language.topics.clauses import RelativeClauses
from libs.language.topics.grammar import NounPhrases
from libs.language.topics.plans import DescriptionForms
from libs.text.tokens import is_pronoun, is_stop_word
from services.decompose.plan.awaited_verbs import AwaitedVerbReader
from services.decompose.plan.parts import Description
from services.decompose.plan.question_words import QuestionWords, begins_question
from services.decompose.plan.relative_clauses import RelativeClauseReader
from services.decompose.plan.roles import roles
from services.decompose.words.domain import Domain
from services.decompose.words.phrases import PhraseKind, find_phrases

_MAX_WORDS_BEFORE_NOUN = 4  # after its article (taste)


class _ClauseKind(Enum):
    """The clause that follows the noun of a description."""

    NONE = auto()
    PHRASE = auto()
    """ "of China on Mars"."""
    INFINITIVE = auto()
    """ "to orbit Mars"."""
    RELATIVE = auto()
    """ "that orbited Mars"."""
    PARTICIPLE = auto()
    """ "named after Cassini"."""
    POSSESSIVE = auto()
    """ "whose name is a word for dawn"."""


_IDENTIFYING = frozenset((_ClauseKind.RELATIVE, _ClauseKind.PARTICIPLE, _ClauseKind.POSSESSIVE))
"""Clauses that can identify a thing without a word such as "first"."""


class DescriptionReader:
    """Parses the descriptions of one text."""

    def __init__(self, question: QuestionWords) -> None:
        self._question = question
        self._words = question.words
        self._forms = question.forms
        self._grammar = question.grammar
        self._articles = NounPhrases.of(question.language).definite_articles

    def descriptions(self) -> Iterator[Description]:
        """Yield the descriptions, the first one first."""
        for index, word in enumerate(self._words):
            if word in self._articles and (description := self.read(index)):
                yield description

    def read(self, article: int) -> Description | None:
        """Return the description that begins with the article at an index; None if there is none."""
        question, noun = self._question, self._noun_after(article)
        if noun is None:
            return None
        is_unique = any(map(question.picks_one, self._words[article + 1 : noun]))
        clause = self._clause_after(noun)
        is_specific = clause in _IDENTIFYING if not is_unique else clause is not _ClauseKind.NONE
        end = AwaitedVerbReader(question, article)
        last = self._last(end, noun, clause) if is_specific else None
        if last is None or end.is_denied(last + 1) or not (is_unique or self._names_something(noun + 1, last)):
            return None
        question_of = self._order_question if is_unique else self._clause_question
        asks = question_of(article, noun, last, clause)
        return Description(question.tokens[article].start, question.tokens[last].end, asks, is_unique)

    def _noun_after(self, article: int) -> int | None:
        """The index of the head noun, the last known noun in a row with few words before it; None if there is none."""
        question = self._question
        for index in range(article + 1, min(article + 2 + _MAX_WORDS_BEFORE_NOUN, len(self._words))):
            if question.is_known_noun(index):
                while self._is_noun_too(index + 1):
                    index += 1
                return index
            word = self._words[index]
            is_function_word = is_stop_word(word, question.language) and word not in self._forms.order
            if is_function_word or not question.adjoins(index):
                return None
        return None

    def _is_noun_too(self, index: int) -> bool:
        return index < len(self._words) and self._question.adjoins(index) and self._question.is_known_noun(index)

    def _clause_after(self, noun: int) -> _ClauseKind:
        words, question, forms = [*self._words[noun + 1 : noun + 4], "", "", ""], self._question, self._forms
        if noun + 1 >= len(self._words) or not question.adjoins(noun + 1):
            return _ClauseKind.NONE
        if words[0] in forms.infinitive_marks and question.is_base(words[1]):
            return _ClauseKind.INFINITIVE
        if words[0] in forms.relatives and not is_pronoun(words[1], question.language):
            is_clause = question.is_finite(words[1]) or question.is_finite(words[2])
            return _ClauseKind.RELATIVE if is_clause else _ClauseKind.NONE
        if words[0] in forms.possessive_relatives:
            return _ClauseKind.POSSESSIVE if question.is_finite(words[2]) else _ClauseKind.NONE
        if question.is_past(words[0]) and words[1] in self._grammar.prepositions:
            return _ClauseKind.PARTICIPLE
        is_phrase = words[0] in self._grammar.prepositions and words[0] not in forms.time_prepositions
        return _ClauseKind.PHRASE if is_phrase else _ClauseKind.NONE

    def _last(self, end: AwaitedVerbReader, noun: int, clause: _ClauseKind) -> int | None:
        """The index of a description's last word; None if the verb that the question needs does not follow."""
        if clause is _ClauseKind.PARTICIPLE and end.takes_participle(noun + 2):
            return None
        return end.last(self._behind_own_verb(noun, clause))

    def _behind_own_verb(self, noun: int, clause: _ClauseKind) -> int:
        """The token after the words that open a clause and its verb: "that", "to", "whose name", and auxiliaries."""
        if clause is _ClauseKind.RELATIVE:
            verb = noun + 2 if self._question.is_finite(self._words[noun + 2]) else noun + 3
            return verb + (2 if self._words[verb] in self._grammar.auxiliaries else 1)
        if clause is _ClauseKind.POSSESSIVE:
            return noun + 4
        return noun + (3 if clause in (_ClauseKind.INFINITIVE, _ClauseKind.PARTICIPLE) else 2)

    def _names_something(self, first: int, last: int) -> bool:
        """Whether a clause contains a name, a date, or a word such as "first", so that it identifies one thing."""
        question = self._question
        picks = any(map(question.picks_one, self._words[first : last + 1]))
        phrases = find_phrases(question.span(first, last), language=question.language)
        return picks or any(phrase.kind is not PhraseKind.THING for phrase in phrases)

    def _order_question(self, article: int, noun: int, last: int, clause: _ClauseKind) -> str:
        """The question that looks up what a word such as "first" picks."""
        question = self._question
        rest = question.span(article, last)
        if clause is _ClauseKind.INFINITIVE and noun == article + 2:  # "the first craft to …": without the noun
            order = question.text[question.tokens[article].start : question.tokens[noun].start].strip()
            rest = f"{order} {question.span(noun + 1, last)}"
        return self._forms.order_question.format(noun=self._words[noun], verb=self._verb(noun), rest=rest)

    def _clause_question(self, article: int, noun: int, last: int, clause: _ClauseKind) -> str:
        """The question that looks the description up, in its own words."""
        forms, question = self._forms, self._question
        template, rest = forms.relative_question, question.span(noun + 1, last)
        if clause is _ClauseKind.PARTICIPLE:
            template = forms.participle_question
        elif clause is _ClauseKind.POSSESSIVE:
            template = forms.possessive_question
        else:
            rest = rest.split(" ", 1)[1]
        return template.format(noun=question.span(article + 1, noun).lower(), verb=self._verb(noun), rest=rest)

    def _verb(self, noun: int) -> str:
        return self._forms.were if self._question.is_plural(noun) else self._forms.was


def find_description(text: str, domain: Domain, language: str, bare: bool = False) -> Description | None:
    """Return the first description in a question, outermost; else the first role, such as "the founder of SpaceX".

    Returns None if the question asks for that thing itself, or describes nothing.

    Args:
        text: a question or, with `bare`, a part of one that may begin with the description.
        domain: the words of the documents' subject.
        language: ISO 639-1.
        bare: see `text`.
    """
    by_nouns = language_of(language).capitalises_nouns
    reader = RelativeClauseReader(text, domain, language) if by_nouns else _reader(text, domain, language)
    for description in reader.descriptions():
        if bare or _asks_of_it(text[: description.start], language):
            return description
    return None if bare else next(roles(text, domain, language), None)


def _reader(text: str, domain: Domain, language: str) -> DescriptionReader:
    return DescriptionReader(QuestionWords(text, domain, language))


def _asks_of_it(lead: str, language: str) -> bool:
    """Whether a lead begins a question ("from which place" included) that asks for something else than the thing."""
    asks_for_it = (forms.of(language).asks_for_it for forms in (DescriptionForms, RelativeClauses))
    return begins_question(lead, language) and not any(pattern.fullmatch(lead) for pattern in asks_for_it)
