"""Where a description ends: before the verb that the question still needs, as in "did the craft … launch"."""

from enum import Enum, auto

from libs.language.topics.grammar import Grammar
from libs.text.tokens import is_stop_word
from services.decompose.plan.question_words import QuestionWords


class _AwaitedVerb(Enum):
    """The verb form that a question still needs after a description."""

    NONE = auto()
    BASE = auto()
    """ "did the craft … launch"."""
    PARTICIPLE = auto()
    """ "was the craft … launched"."""
    FINITE = auto()
    """ "before the craft … launched"."""


class AwaitedVerbReader:
    """Reads where the description ends that begins with a token."""

    def __init__(self, question: QuestionWords, article: int) -> None:
        """The description begins with the token `article`."""
        self._question = question
        self._words = question.words
        self._forms = question.forms
        self._grammar = question.grammar
        self._awaited = _awaited_before(question, article)

    def takes_participle(self, begin: int) -> bool:
        """Whether the question needs a participle and has none from a token on: "was the rover launched in 2003"."""
        return self._awaited is _AwaitedVerb.PARTICIPLE and not self._verb_from(begin)

    def last(self, begin: int) -> int | None:
        """The last token of the description; None if the verb that the question needs does not follow.

        Args:
            begin: the first token that may end it.
        """
        for index in range(begin, len(self._words)):
            if self._ends_before(index) and not self._is_adjective(index, begin):
                return index - 1
        return self._before_unknown_verb(begin) if self._awaited is _AwaitedVerb.BASE else len(self._words) - 1

    def is_denied(self, index: int) -> bool:
        """Whether the question negates a statement about the described thing, which sources usually state together.

        "Why could the second camera of Venera 9 not be used"; not within a description: "the craft that did not land".
        """
        if index >= len(self._words) or self._words[index] not in self._forms.negators:
            return False
        return self._words[index - 1] not in self._grammar.auxiliaries

    def _verb_from(self, begin: int) -> bool:
        return any(self._is_awaited(index) for index in range(begin, len(self._words)))

    def _ends_before(self, index: int) -> bool:
        question, word = self._question, self._words[index]
        if question.text[question.tokens[index - 1].end : question.tokens[index].start].strip(" '’-\"”"):
            return True
        if word in self._forms.conjunctions:
            following = self._words[index + 1] if index + 1 < len(self._words) else ""
            return word in self._forms.alternatives or self._opens_clause(following)
        if self._words[index - 1] in self._forms.relatives:
            return False
        is_end = word in self._forms.ends or word in self._grammar.auxiliaries or self.is_denied(index)
        return is_end or self._is_awaited(index)

    def _opens_clause(self, word: str) -> bool:
        grammar = self._grammar
        is_verb = word in grammar.do_support or word in grammar.be_forms
        return is_verb or word in grammar.determiners or word in grammar.wh_words

    def _is_adjective(self, index: int, begin: int) -> bool:
        """Whether a possible verb is an adjective: it follows the clause's own verb, and another verb comes later.

        "To send close pictures return".
        """
        return index == begin and self._is_awaited(index) and self._verb_from(index + 1)

    def _is_awaited(self, index: int) -> bool:
        word, before, awaited = self._words[index], self._words[index - 1], self._awaited
        is_capitalised = self._question.tokens[index].is_capitalised
        if is_capitalised or awaited is _AwaitedVerb.NONE or self._follows_determiner(index):
            return False
        if self._stands_before_noun(before):
            return False
        if before in self._grammar.adverbs and index > 1 and self._words[index - 2] in self._forms.relatives:
            return False
        if awaited is _AwaitedVerb.BASE:
            return self._question.is_base(word)
        is_third_person = awaited is _AwaitedVerb.FINITE and self._question.is_third_person(word)
        return self._question.is_past(word) or is_third_person

    def _stands_before_noun(self, word: str) -> bool:
        """Whether no verb of the question follows a word."""
        forms, grammar = self._forms, self._grammar
        is_joint = word in forms.conjunctions or word in forms.relatives or word in forms.infinitive_marks
        return is_joint or word in grammar.prepositions or word in grammar.auxiliaries

    def _follows_determiner(self, index: int) -> bool:
        """Whether a determiner requires a noun here: "the launch", but not "the farthest of all launch"."""
        is_partitive = index > 1 and self._words[index - 2] in self._forms.partitives
        return self._words[index - 1] in self._grammar.determiners and not is_partitive

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


def _awaited_before(question: QuestionWords, article: int) -> _AwaitedVerb:
    """The verb form that the question needs, by the word before a description."""
    grammar: Grammar = question.grammar
    before = question.words[article - 1] if article else ""
    if before in grammar.do_support:
        return _AwaitedVerb.BASE
    if before in grammar.be_forms or before in question.forms.have_forms:
        return _AwaitedVerb.PARTICIPLE
    if before in question.forms.subordinators:
        return _AwaitedVerb.FINITE
    return _AwaitedVerb.BASE if before in grammar.auxiliaries else _AwaitedVerb.NONE
