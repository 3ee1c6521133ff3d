"""Reads descriptions in a language whose clauses end with their verb: `die Schule, die Anna Berger leitete`.

The clause may stand apart from its noun, after the verb of the question. It is asked for with its verb in second place:
`welche Schule leitete Anna Berger`. So is a thing that a word such as `erste` picks: `der erste Bürgermeister von Ulm`.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from libs.language.files import word_table
from libs.language.topics.anaphora import Agreement
from libs.language.topics.clauses import RelativeClauses
from libs.language.topics.grammar import NounPhrases
from libs.language.topics.names import NameForms
from services.decompose.plan.parts import Description
from services.decompose.words.domain import Domain
from services.decompose.words.noun_groups import NounGroup, NounGroupReader
from services.decompose.words.phrases import PhraseKind, find_phrases

_CLAUSE_END = re.compile(r"[,;:?!]|(?<=[^\W\d_]{3})\.\s|\Z")
"""A full stop after one or two letters or digits is that of an abbreviation or ordinal."""
_MAX_WORDS_BETWEEN = 3
"""Maximum words between a noun and its clause: the verb of the question (taste)."""


class RelativeClauseReader:
    """Reads the descriptions of one text."""

    def __init__(self, text: str, domain: Domain, language: str) -> None:
        self._text = text
        self._domain = domain
        self._language = language
        self._forms = RelativeClauses.of(language)
        self._agreement = Agreement.of(language)
        self._titles = NameForms.of(language).titles
        self._articles = NounPhrases.of(language).definite_articles | self._forms.fused_articles.keys()
        self._nouns = NounGroupReader(text, language)

    def descriptions(self) -> Iterator[Description]:
        """Yield the descriptions, first those by a clause."""
        for match in self._forms.opening.finditer(self._text):
            if description := self._by_clause(match):
                yield description
        for group in self._nouns.groups():
            if description := self._by_pick(group) or self._by_role(group):
                yield description

    def _by_clause(self, opening: re.Match[str]) -> Description | None:
        end = _CLAUSE_END.search(self._text, opening.end())
        assert end is not None  # the end of the text matches
        clause = self._text[opening.end() : end.start()].strip()
        group = self._antecedent(opening)
        if group is None or not self._is_specific(clause):
            return None
        rest, verb = clause.rsplit(" ", 1)
        preposition = f"{opening['preposition']} " if opening["preposition"] else ""
        determiner = self._forms.question_determiners[opening["pronoun"]]
        noun = self._nouns.span(group.first + 1, group.last)
        asks = self._forms.clause_question.format(
            determiner=f"{preposition}{determiner}", noun=noun, verb=verb, rest=rest
        )
        closing = end.end() if end[0] == "," else end.start()
        return self._description(group, asks, is_unique=False, clause=(opening.start(), closing))

    def _by_pick(self, group: NounGroup) -> Description | None:
        """ "Der erste Bürgermeister von Ulm": a noun of a known sort, picked by an adjective, with an attribute."""
        words, has_attribute = self._nouns.words, group.last > group.noun_end
        is_picked = any(self._forms.picks.fullmatch(word) for word in words[group.first + 1 : group.noun])
        noun = words[group.noun]
        is_person = noun in self._titles
        is_known = is_person or noun.endswith(tuple(self._domain.described))
        if not (is_picked and has_attribute and is_known) or self._nouns.depends(group.first):
            return None
        template = self._forms.who if is_person else self._forms.what
        return self._description(group, template.format(text=self._nouns.span(group.first, group.last)), is_unique=True)

    def _by_role(self, group: NounGroup) -> Description | None:
        """ "Der Direktor der Schule": a role that one person or thing has in another."""
        role, nouns = self._nouns.words[group.noun_end], self._nouns
        if group.determiner not in self._articles or role not in self._domain.unique_roles:
            return None
        has_preposition = nouns.words[group.noun_end + 1 : group.noun_end + 2] == [self._forms.owner_preposition]
        owner = nouns.group_at(group.noun_end + 1 + has_preposition)
        if owner is None or not (has_preposition or nouns.depends(owner.first)):
            return None
        last = owner.last if owner.determiner else owner.noun_end  # a name has no attributes: "von Ann Ray im Amt"
        template = self._forms.what if role in self._forms.thing_roles else self._forms.who
        whole = NounGroup(group.first, group.noun, group.noun_end, last, group.determiner)
        asks = template.format(text=nouns.span(group.noun, last))
        return self._description(whole, asks, is_unique=False)

    def _description(
        self, group: NounGroup, asks: str, is_unique: bool, clause: tuple[int, int] | None = None
    ) -> Description:
        tokens, determiner = self._nouns.tokens, group.determiner
        stand_in = "{}"
        if determiner in self._forms.fused_articles:
            stand_in = f"{self._forms.fused_articles[determiner]} {{}}"
        elif self._nouns.depends(group.first):
            stand_in = self._agreement.possessor.format(name="{}")
        return Description(tokens[group.first].start, tokens[group.last].end, asks, is_unique, stand_in, clause)

    def _antecedent(self, opening: re.Match[str]) -> NounGroup | None:
        """The last definite noun before a clause that agrees with its pronoun, with at most a verb between."""
        classes = self._classes(opening["pronoun"], bool(opening["preposition"]))
        before = [group for group in self._nouns.groups() if self._nouns.tokens[group.last].end <= opening.start()]
        for group in reversed(before):
            is_near = self._is_near(group, opening.start())
            if is_near and group.determiner in self._articles and not classes.isdisjoint(self._nouns.classes(group)):
                return group
        return None

    def _is_near(self, group: NounGroup, position: int) -> bool:
        between = [token for token in self._nouns.tokens[group.last + 1 :] if token.start < position]
        return len(between) <= _MAX_WORDS_BETWEEN and all(token.text.islower() for token in between)

    def _classes(self, pronoun: str, is_oblique: bool) -> frozenset[str]:
        """The classes of agreement of a relative pronoun."""
        if is_oblique and pronoun in self._forms.oblique_classes:
            return frozenset(self._forms.oblique_classes[pronoun])
        own = self._agreement.articles_as_pronouns.get(pronoun) or self._agreement.determiners.get(pronoun, ())
        return frozenset(own)

    def _is_specific(self, clause: str) -> bool:
        """Whether words after a relative pronoun are a clause with a finite verb that names something."""
        words = clause.split()
        if len(words) < 2 or not self._is_finite(words[-1]) or words[-2].lower() in self._forms.infinitive_marks:
            return False
        lower = [word.lower() for word in words]
        if self._is_list(lower) or not self._forms.personal_pronouns.isdisjoint(lower):
            return False
        phrases = find_phrases(clause, language=self._language)
        return any(phrase.kind is not PhraseKind.THING for phrase in phrases) or self._picks(lower)

    def _picks(self, words: list[str]) -> bool:
        return any(self._forms.picks.fullmatch(word) for word in words)

    def _is_list(self, words: list[str]) -> bool:
        """Whether the words are further members of a list: `…, der Turm und die Brücke gebaut`."""
        conjunctions, articles = self._forms.conjunctions, self._articles
        return any(word in conjunctions and following in articles for word, following in pairwise(words))

    def _is_finite(self, word: str) -> bool:
        """Whether the last word of a clause is a finite verb: no noun, participle or infinitive."""
        is_known = word in _past_forms(self._language) or self._forms.finite_verb.fullmatch(word) is not None
        return word.islower() and (is_known or self._agreement.nonfinite_verb.fullmatch(word) is None)


@lru_cache(maxsize=16)  # taste
def _past_forms(language: str) -> frozenset[str]:
    """The past forms of the known verbs, without participles."""
    return frozenset(form for row in word_table("verbs", language) if len(row) > 1 for form in row[1])
