"""Finds things that a question describes instead of naming: "the craft that first orbited Mars", "the smallest rover".

A description begins with the definite article, has a noun, and identifies one thing: by a word such as "first" or
"largest", by a role ("the founder of SpaceX"), or by a clause that contains a name. It ends before the verb that the
question still needs. In a language whose clauses end with their verb, `relative_clauses` finds them. Pure functions.
"""

from collections.abc import Iterator
from enum import Enum, auto

from libs.language.known import language_of
from libs.language.topics.clauses import RelativeClauses
from libs.language.topics.grammar import NounPhrases
from libs.language.topics.plans import DescriptionForms
from libs.text.tokens import is_pronoun, is_stop_word
from services.decompose.plan.parts import Description
from services.decompose.plan.question_words import QuestionWords, VerbForm, begins_question
from services.decompose.plan.relative_clauses import RelativeClauseReader
from services.decompose.words.domain import Domain
from services.decompose.words.phrases import PhraseKind, find_phrases

_MAX_WORDS_BEFORE_NOUN = 4  # after its article (taste)


class _ClauseKind(Enum):
    """The clause that follows the noun of a description, and the words from the noun to behind the clause's verb."""

    NONE = auto()
    PHRASE = auto()
    """ "of China on Mars"."""
    INFINITIVE = auto()
    """ "to orbit Mars"."""
    RELATIVE = auto()
    """ "that orbited Mars"."""
    PLACE = auto()
    """ "where the treaty was signed"."""
    PARTICIPLE = auto()
    """ "named after Cassini"."""
    POSSESSIVE = auto()
    """ "whose name is a word for dawn"."""


_IDENTIFYING = frozenset((_ClauseKind.RELATIVE, _ClauseKind.PLACE, _ClauseKind.PARTICIPLE, _ClauseKind.POSSESSIVE))
"""Clauses that can identify a thing without a word such as "first"."""


def find_description(text: str, domain: Domain, language: str, bare: bool = False) -> Description | None:
    """Return the first description in a question, outermost.

    Returns None if the question asks for that thing itself, or describes nothing.

    Args:
        text: a question or, with `bare`, a part of one that may begin with the description.
        domain: the words of the documents' subject.
        language: ISO 639-1.
        bare: see `text`.
    """
    by_nouns = language_of(language).capitalises_nouns
    reader = RelativeClauseReader(text, domain, language) if by_nouns else DescriptionReader(text, domain, language)
    for description in reader.descriptions():
        if bare or _asks_of_it(text[: description.start], language):
            return description
    return None


def _asks_of_it(lead: str, language: str) -> bool:
    """Whether a lead begins a question ("from which place" included) that asks for something else than the thing."""
    asks_for_it = (forms.of(language).asks_for_it for forms in (DescriptionForms, RelativeClauses))
    return begins_question(lead, language) and not any(pattern.fullmatch(lead) for pattern in asks_for_it)


class DescriptionReader:
    """Parses the descriptions of one text."""

    def __init__(self, text: str, domain: Domain, language: str) -> None:
        self._question = QuestionWords(text, domain, language)
        self._words = self._question.words
        self._forms = self._question.forms
        self._grammar = self._question.grammar
        self._articles = NounPhrases.of(language).definite_articles

    def descriptions(self) -> Iterator[Description]:
        """Yield the descriptions, the first one first."""
        for index, word in enumerate(self._words):
            if word in self._articles and (description := self._read(index)):
                yield description

    def _read(self, article: int) -> Description | None:
        """The description that begins with the article at an index; None if there is none."""
        question, noun = self._question, self._noun_after(article)
        if noun is None:
            return None
        is_unique = any(map(question.picks_one, self._words[article + 1 : noun]))
        clause, awaited = self._clause_after(noun), question.awaited_before(article)
        is_role = self._is_role(article, noun)
        is_specific = is_role or (clause is not _ClauseKind.NONE if is_unique else clause in _IDENTIFYING)
        last = self._last(noun, clause, awaited) if is_specific else None
        if last is None or self._is_denied(last + 1) or not (is_unique or self._names_something(noun + 1, last)):
            return None
        asks = self._fill(self._template(noun, clause, is_unique, is_role), article, noun, last, clause)
        return Description(question.tokens[article].start, question.tokens[last].end, asks, is_unique)

    def _is_role(self, article: int, noun: int) -> bool:
        """Whether an article begins a role in something: `the founder of`; not `Ann Ray, the founder of`."""
        has_owner = self._words[noun + 1 : noun + 2] == [self._forms.owner_preposition]
        return has_owner and self._question.is_role(article + 1, noun) and self._question.adjoins(article)

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
            if self._is_noun_by_clause(index):
                return index
        return None

    def _is_noun_by_clause(self, index: int) -> bool:
        """Whether a word is a noun because a relative clause follows: `library that`, but not `case that`."""
        word, is_lower = self._words[index], self._question.tokens[index].text.islower()
        is_other = word in self._forms.nouns_of_statements or word in self._grammar.adverbs
        return is_lower and not is_other and self._clause_after(index) in {_ClauseKind.RELATIVE, _ClauseKind.PLACE}

    def _is_noun_too(self, index: int) -> bool:
        return index < len(self._words) and self._question.adjoins(index) and self._question.is_known_noun(index)

    def _clause_after(self, noun: int) -> _ClauseKind:
        words, question, forms = [*self._words[noun + 1 : noun + 4], "", "", ""], self._question, self._forms
        if noun + 1 >= len(self._words) or not question.adjoins(noun + 1):
            return _ClauseKind.NONE
        first, prepositions = words[0], self._grammar.prepositions
        finite = question.is_finite(words[1]) or question.is_finite(words[2])
        is_name = noun + 2 < len(self._words) and question.tokens[noun + 2].is_capitalised
        kinds = {
            _ClauseKind.INFINITIVE: first in forms.infinitive_marks and question.is_base(words[1]),
            _ClauseKind.RELATIVE: first in forms.relatives and finite and not is_pronoun(words[1], question.language),
            _ClauseKind.PLACE: first in forms.place_relatives and (words[1] in self._articles or is_name),
            _ClauseKind.POSSESSIVE: first in forms.possessive_relatives and question.is_finite(words[2]),
            _ClauseKind.PARTICIPLE: question.is_past(first) and words[1] in prepositions,
            _ClauseKind.PHRASE: first in prepositions and first not in forms.time_prepositions,
        }
        return next((kind for kind, applies in kinds.items() if applies), _ClauseKind.NONE)

    def _last(self, noun: int, clause: _ClauseKind, awaited: VerbForm) -> int | None:
        """The index of a description's last word; None if the verb that the question needs does not follow."""
        begin = self._behind_own_verb(noun, clause)
        is_participle = clause is _ClauseKind.PARTICIPLE and awaited is VerbForm.PARTICIPLE
        if is_participle and not self._verb_from(noun + 2, awaited):  # "was the rover launched in 2003"
            return None
        for index in range(begin, len(self._words)):
            is_adjective = index == begin and self._question.is_verb(index, awaited)  # "to send close pictures return"
            if self._ends_before(index, awaited) and not (is_adjective and self._verb_from(index + 1, awaited)):
                return index - 1
        return self._before_unknown_verb(begin) if awaited is VerbForm.BASE else len(self._words) - 1

    def _behind_own_verb(self, noun: int, clause: _ClauseKind) -> int:
        """The token after the words that open a clause and its verb: "that", "to", "whose name", and auxiliaries."""
        if clause is _ClauseKind.RELATIVE:
            verb = noun + 2 if self._question.is_finite(self._words[noun + 2]) else noun + 3
            return verb + (2 if self._words[verb] in self._grammar.auxiliaries else 1)
        if clause is _ClauseKind.PLACE:
            verbs = (at for at in range(noun + 3, len(self._words)) if self._question.is_finite(self._words[at]))
            verb = next(verbs, noun + 3)
            return verb + (2 if verb < len(self._words) and self._words[verb] in self._grammar.auxiliaries else 1)
        if clause is _ClauseKind.POSSESSIVE:
            return noun + 4
        return noun + (3 if clause in (_ClauseKind.INFINITIVE, _ClauseKind.PARTICIPLE) else 2)

    def _verb_from(self, begin: int, awaited: VerbForm) -> bool:
        return any(self._question.is_verb(index, awaited) for index in range(begin, len(self._words)))

    def _ends_before(self, index: int, awaited: VerbForm) -> bool:
        question, word = self._question, self._words[index]
        if question.text[question.tokens[index - 1].end : question.tokens[index].start].strip(" '’-\"”"):
            return True
        if word in self._forms.conjunctions:
            following = self._words[index + 1] if index + 1 < len(self._words) else ""
            return word in self._forms.alternatives or self._opens_clause(following)
        if self._words[index - 1] in self._forms.relatives:
            return False
        is_dated = awaited is VerbForm.NONE and index + 1 < len(self._words) and question.tokens[index + 1].is_number
        is_end = (word in self._forms.ends and not is_dated) or word in self._grammar.auxiliaries
        is_end = is_end or self._is_denied(index)
        return is_end or question.is_verb(index, awaited)

    def _opens_clause(self, word: str) -> bool:
        grammar = self._grammar
        is_verb = word in grammar.do_support or word in grammar.be_forms
        return is_verb or word in grammar.determiners or word in grammar.wh_words

    def _is_denied(self, index: int) -> bool:
        """Whether the question negates a statement about the described thing, which sources usually state together.

        "Why could the second camera of Venera 9 not be used"; not within a description: "the craft that did not land".
        """
        if index >= len(self._words) or self._words[index] not in self._forms.negators:
            return False
        return self._words[index - 1] not in self._grammar.auxiliaries

    def _before_unknown_verb(self, begin: int) -> int | None:
        """The index before a lower-case word after a name, taken as the verb if no known verb is found; else None."""
        question, grammar = self._question, self._grammar
        for index in range(len(self._words) - 1, begin, -1):
            token, before = question.tokens[index], question.tokens[index - 1]
            is_plain = token.text.islower() and not is_stop_word(token.text, question.language)
            is_other = token.text in grammar.prepositions or token.text in grammar.adverbs
            if is_plain and not is_other and (before.is_capitalised or before.is_number):
                return index - 1
        return None

    def _names_something(self, first: int, last: int) -> bool:
        """Whether a clause contains a name, a date, or a word such as "first", so that it identifies one thing."""
        question = self._question
        picks = any(map(question.picks_one, self._words[first : last + 1]))
        phrases = find_phrases(question.span(first, last), language=question.language)
        return picks or any(phrase.kind is not PhraseKind.THING for phrase in phrases)

    def _template(self, noun: int, clause: _ClauseKind, is_unique: bool, is_role: bool) -> str:
        """The form of the question that looks a description up."""
        forms = self._forms
        if is_unique:
            return forms.order_question
        if is_role:
            return forms.thing_question if self._words[noun] in forms.thing_roles else forms.person_question
        templates = {
            _ClauseKind.PARTICIPLE: forms.participle_question,
            _ClauseKind.POSSESSIVE: forms.possessive_question,
            _ClauseKind.PLACE: forms.place_question,
        }
        return templates.get(clause, forms.relative_question)

    def _fill(self, template: str, article: int, noun: int, last: int, clause: _ClauseKind) -> str:
        """The question that looks a description up, mostly in its own words."""
        question, text = self._question, self._question.span(article, last)
        rest = question.span(noun + (2 if clause in {_ClauseKind.RELATIVE, _ClauseKind.PLACE} else 1), last)
        if clause is _ClauseKind.INFINITIVE and noun == article + 2:  # "the first craft to …": without the noun
            text = f"{question.span(article, noun - 1)} {rest}"
        verb = self._forms.were if question.is_plural(noun) else self._forms.was
        nouns = question.span(article + 1, noun).lower()
        return template.format(head=self._words[noun], noun=nouns, verb=verb, text=text, rest=rest)
