"""Several questions in one turn: `[question word] … and [question word] … it …`, or a sentence each.

Each becomes a question of its own. A pronoun in a later one is linked: `#1` in its place stands for the answer of the
first (`which probe reached Venus and when did it launch`), or what it names itself takes its place (`when did Luna 9
launch and who built it`). If something in a later question points to nothing that is known, the turn stays whole.
"""

from collections.abc import Sequence

from libs.language.topics.grammar import NounPhrases
from libs.language.topics.plans import JoinedQuestions
from libs.text.sentences import split_sentences
from libs.text.tokens import content_words, tokenize
from services.decompose.plan.antecedents import Antecedents
from services.decompose.plan.nodes import PlannedNode
from services.decompose.plan.sentences import body_of, small_first_letter
from services.decompose.words.domain import Domain
from services.decompose.words.question_words import QuestionWords, begins_question

_LEAST_WORDS = 3
"""Least length of a question that is one of several, with its question word."""


def split_questions(question: str, domain: Domain, language: str) -> tuple[PlannedNode, ...]:
    """Return the questions of a turn, each linked to those before it; none for a single question."""
    nodes: list[PlannedNode] = []
    antecedents: list[Antecedents] = []
    for number, text in enumerate(_questions(question, language), start=1):
        linked = _Linker(small_first_letter(text, language), antecedents, language).linked()
        if linked is None:
            return ()
        nodes.append(PlannedNode(str(number), linked))
        antecedents.append(Antecedents(linked, f"#{number}", domain, language))
    return tuple(nodes)


def _questions(turn: str, language: str) -> list[str]:
    """The questions of a turn if there are several, and nothing else; else empty."""
    forms = JoinedQuestions.of(language)
    sentences = (body_of(sentence.text, language) for sentence in split_sentences(turn, language))
    parts = [[text] if forms.indirect.match(text) else forms.joint.split(text) for text in filter(None, sentences)]
    questions = [text for texts in parts for text in texts]
    return questions if len(questions) > 1 and all(_asks(text, language) for text in questions) else []


def _asks(text: str, language: str) -> bool:
    is_long = len(tokenize(text)) >= _LEAST_WORDS and bool(content_words(text, language))
    return is_long and begins_question(text, language) and not JoinedQuestions.of(language).fragment.match(text)


class _Linker:
    """Puts what they stand for in place of the pronouns of one question."""

    def __init__(self, text: str, antecedents: Sequence[Antecedents], language: str) -> None:
        self._question = QuestionWords(text, language)
        self._antecedents = antecedents
        self._language = language
        self._forms = JoinedQuestions.of(language)

    def linked(self) -> str | None:
        """The question with the antecedents of its pronouns; None if one points to nothing."""
        question = self._question
        if not self._antecedents:
            return question.text
        if self._forms.pointing.search(question.text):  # "which one", "the two"
            return None
        text, taken = question.text, dict[frozenset[str], str]()
        replaced: list[tuple[int, str]] = []
        for index in range(len(question.words)):
            if words := self._place(index):
                replaced.append((index, words))
            if not (classes := self._classes(index)):
                continue
            candidates = (each.of(classes, frozenset(taken.values())) for each in self._antecedents)
            antecedent = taken.get(classes) or next(filter(None, candidates), None)
            if antecedent is None:
                return None
            taken[classes] = antecedent
            is_owner = self._is_possessive(index)
            replaced.append((index, self._forms.owner.format(name=antecedent) if is_owner else antecedent))
        for index, words in reversed(replaced):
            text = text[: question.tokens[index].start] + words + text[question.tokens[index].end :]
        return text

    def _place(self, index: int) -> str:
        """What takes the place of "there"; empty for other words, for `is there`, and where nothing is known."""
        words, auxiliaries = self._question.words, self._question.grammar.auxiliaries
        is_existential = not auxiliaries.isdisjoint(words[max(0, index - 1) : index + 2])
        if words[index] not in self._forms.place_adverbs or is_existential:
            return ""
        place = self._antecedents[0].place()
        return self._forms.place.format(name=place) if place else ""

    def _classes(self, index: int) -> frozenset[str]:
        """The classes of what a pronoun stands for; empty for other words and for one that stands for nothing."""
        question, word, token = self._question, self._question.words[index], self._question.tokens[index]
        if token.text in NounPhrases.of(self._language).capital_pronouns:
            return frozenset()
        ends_as_article = index == len(question.words) - 1 and word in question.grammar.articles  # "ab wann gilt die"
        pronouns = self._forms.determiners if ends_as_article else self._forms.pronouns
        return frozenset(pronouns.get(word, ()))

    def _is_possessive(self, index: int) -> bool:
        grammar, words = self._question.grammar, self._question.words
        if index + 1 >= len(words) or words[index] not in grammar.possessive_pronouns:
            return False
        return words[index + 1] not in grammar.prepositions | grammar.auxiliaries
