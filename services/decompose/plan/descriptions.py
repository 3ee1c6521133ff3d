"""Finds things that a question describes instead of naming: "the craft that first orbited Mars", "the smallest rover".

A description begins with the definite article, has a noun, and identifies one thing: by a word such as "first" or
"largest", by a role ("the founder of SpaceX"), or by a clause that contains a name. It ends before the verb that the
question still needs. Pure functions.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from libs.contracts.options import Scene
from libs.graph.plan_graph import MAX_NODES
from libs.language.topics.grammar import NounPhrases
from libs.text.tokens import is_pronoun, is_stop_word
from services.decompose.plan.question_words import QuestionWords, VerbForm, begins_question
from services.decompose.words.domain import Domain, singular
from services.decompose.words.phrases import PhraseKind, find_phrases

_MAX_WORDS_BEFORE_NOUN = 4  # after its article (taste)
_NEEDS_ORDER: Final = ("infinitive", "phrase")
"""What identifies a thing only with a word such as "first"."""
_STAND_IN: Final = "Xx {number}"
"""Reads like a name with a number, so that all other rules take a described thing for one."""


@dataclass(frozen=True, slots=True)
class _Description:
    """A description, `text[start:end]`, and the question that looks it up."""

    start: int
    end: int
    asks: str
    is_unique: bool
    """Whether a word such as "first" identifies it."""


def take_descriptions(
    text: str, domain: Domain, language: str, unique_only: bool = False, taken: int = 0
) -> tuple[str, Mapping[str, str]]:
    """Return a question with stand-ins for what it describes, and the questions that look these up, by stand-in.

    A description within another is looked up only if it is unique: documents may use the same words. `taken` is the
    number of stand-ins that are in use besides.
    """
    lookups: dict[str, str] = {}
    while (number := taken + len(lookups) + 1) < MAX_NODES[Scene.GENERAL]:
        found = _Reader(QuestionWords(text, domain, language)).first()
        if found is None or (unique_only and not found.is_unique):
            break
        stand_in = _STAND_IN.format(number=number)
        asks, within = take_descriptions(found.asks, domain, language, unique_only=True, taken=number)
        lookups |= {stand_in: asks, **within}
        text = text[: found.start] + stand_in + text[found.end :]
    return text, lookups


class _Reader:
    """Parses the descriptions of one question."""

    def __init__(self, question: QuestionWords) -> None:
        self._question = question
        self._words = question.words
        self._forms = question.forms
        self._grammar = question.grammar

    def first(self) -> _Description | None:
        """The first description; None if the question asks for that thing itself, or has none."""
        question = self._question
        for index, word in enumerate(self._words):
            lead = question.text[: question.tokens[index].start]
            if word in NounPhrases.of(question.language).definite_articles and begins_question(lead, question.language):
                is_asked_for = self._forms.asks_for_it.search(lead) is not None
                if not is_asked_for and (description := self._read(index)):
                    return description
        return None

    def _read(self, article: int) -> _Description | None:
        question, noun = self._question, self._noun_after(article)
        if noun is None:
            return None
        is_unique = any(map(question.picks_one, self._words[article + 1 : noun]))
        clause = self._clause_after(noun, is_role=question.adjoins(article) and article + 1 == noun)
        if not clause or (clause in _NEEDS_ORDER and not is_unique):
            return None
        last = self._last(noun, clause, question.awaited_before(article))
        if last is None or not (is_unique or self._names_something(noun + 1, last)):
            return None
        asks = self._question_for("order" if is_unique else clause, article, noun, last)
        return _Description(question.tokens[article].start, question.tokens[last].end, asks, is_unique)

    def _noun_after(self, article: int) -> int | None:
        """The head noun, known or before a clause, with few words before it."""
        question = self._question
        for index in range(article + 1, min(article + 2 + _MAX_WORDS_BEFORE_NOUN, len(self._words))):
            if question.is_known_noun(index):
                return index
            word = self._words[index]
            is_function_word = is_stop_word(word, question.language) and word not in self._forms.order
            if is_function_word or not question.adjoins(index):
                return None
            is_other = word in self._forms.nouns_of_statements or word in self._grammar.adverbs
            if not is_other and self._clause_after(index) in self._forms.relatives.values():
                return index
        return None

    def _clause_after(self, noun: int, is_role: bool = False) -> str:
        """The kind of clause that follows a noun; empty if none does."""
        first, second, third = [*self._words[noun + 1 : noun + 4], "", "", ""][:3]
        question, forms, grammar = self._question, self._forms, self._grammar
        if not question.adjoins(noun + 1):
            return ""
        relative = dict(forms.relatives).get(first, "")
        is_finite = question.is_finite(second) or question.is_finite(third) or relative == "place"
        is_owned = is_role and first == forms.owner_preposition and self._words[noun] in question.domain.unique_roles
        kinds = {
            "infinitive": first == forms.infinitive_mark and question.is_base(second),
            relative: relative and is_finite and not is_pronoun(second, question.language),
            "participle": question.is_verb(noun + 1, VerbForm.PAST),
            "thing_role" if self._words[noun] in forms.thing_roles else "role": is_owned,
            "phrase": first in grammar.prepositions,
        }
        return next((kind for kind, applies in kinds.items() if applies), "")

    def _last(self, noun: int, clause: str, awaited: VerbForm) -> int | None:
        """The index of a description's last word; None if the verb that the question needs does not follow."""
        begin, size = self._behind_own_verb(noun, clause), len(self._words)
        ends = [index for index in range(begin, size) if self._ends_before(index, awaited)]
        verbs = [index for index in range(begin, size) if self._question.is_verb(index, awaited)]
        if ends[:1] == [begin] and len(verbs) > 1:  # "to send close pictures return"
            del ends[0]
        if clause == "participle" and awaited is VerbForm.PAST and not verbs:  # "was the rover launched in 2003"
            return None
        is_denied = bool(ends) and self._words[ends[0]] in self._forms.negators  # sources then state it together
        return None if is_denied else ends[0] - 1 if ends else size - 1

    def _behind_own_verb(self, noun: int, clause: str) -> int:
        """The token after the words that open a clause and its verb: "that", "to", and auxiliaries."""
        if clause not in self._forms.relatives.values():
            return noun + (3 if clause in {"infinitive", "participle"} else 2)
        rest = range(noun + 2, len(self._words))
        verb = next((index for index in rest if self._question.is_finite(self._words[index])), noun + 2)
        return verb + (2 if self._words[verb : verb + 1] and self._words[verb] in self._grammar.auxiliaries else 1)

    def _ends_before(self, index: int, awaited: VerbForm) -> bool:
        question, word, forms, grammar = self._question, self._words[index], self._forms, self._grammar
        following = self._words[index + 1] if index + 1 < len(self._words) else ""
        if word in forms.conjunctions or not question.adjoins(index):
            return True
        if self._words[index - 1] in forms.relatives:
            return False
        is_dated = awaited is VerbForm.NONE and following[:1].isdigit()  # "since 0.15.0"
        is_compared = word in question.domain.adjectives and word not in forms.order
        is_end = (word in forms.ends and not is_dated) or word in grammar.auxiliaries | forms.negators
        return is_end or is_compared or question.is_verb(index, awaited)

    def _names_something(self, first: int, last: int) -> bool:
        """Whether a clause contains a name, a date, or a word such as "first", so that it identifies one thing."""
        question = self._question
        phrases = find_phrases(question.span(first, last), language=question.language)
        is_picked = any(map(question.picks_one, self._words[first : last + 1]))
        return is_picked or any(phrase.kind is not PhraseKind.THING for phrase in phrases)

    def _question_for(self, kind: str, article: int, noun: int, last: int) -> str:
        """The question that looks a description up, mostly in its own words."""
        question, forms, head = self._question, self._forms, self._words[noun]
        text = question.span(article, last)
        rest = question.span(noun + (2 if kind in {"relative", "place"} else 1), last)
        if self._words[noun + 1] == forms.infinitive_mark and noun == article + 2:  # "the first craft to …"
            text = f"{question.span(article, noun - 1)} {rest}"
        verb = forms.were if singular(head, question.language) != head else forms.was
        nouns = question.span(article + 1, noun).lower()
        return forms.questions[kind].format(head=head, noun=nouns, verb=verb, text=text, rest=rest)
