"""Several questions in one turn: `[question word] … and [question word] … it …`, or a sentence each.

Each becomes a question of its own. A pronoun in a later one is linked: `#1` in its place stands for the answer of the
first (`which probe reached Venus and when did it launch`), or what it names itself takes its place (`when did Luna 9
launch and who built it`). If something in a later question points to nothing that is known, the turn stays whole.
"""

from collections.abc import Sequence

from libs.contracts.query import QueryNode
from libs.language.topics.grammar import NounPhrases
from libs.language.topics.plans import JoinedQuestions
from libs.language.topics.questions import PointingWords
from libs.text.names import find_names
from libs.text.sentences import split_sentences
from libs.text.tokens import content_words
from services.decompose.plan.antecedents import PLACE, Antecedents
from services.decompose.plan.sentences import body_of, small_first_letter
from services.decompose.words.domain import Domain
from services.decompose.words.question_words import QuestionWords, begins_question


def split_questions(question: str, domain: Domain, language: str) -> tuple[QueryNode, ...]:
    """Return the questions of a turn, each linked to those before it; none for a single question."""
    nodes: list[QueryNode] = []
    antecedents: list[Antecedents] = []
    for number, text in enumerate(_questions(question, language), start=1):
        linked = _Linker(small_first_letter(text, language), antecedents, language).linked()
        if linked is None:
            return ()
        nodes.append(QueryNode(str(number), linked))
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
    is_question = begins_question(text, language) and not JoinedQuestions.of(language).fragment.match(text)
    return is_question and bool(content_words(text, language))


class _Linker:
    """Puts what they stand for in place of the pronouns of one question."""

    def __init__(self, text: str, antecedents: Sequence[Antecedents], language: str) -> None:
        self._question = QuestionWords(text, language)
        self._antecedents = antecedents
        self._language = language
        self._forms = JoinedQuestions.of(language)
        self._no_nouns = self._question.grammar.prepositions | self._question.grammar.auxiliaries

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
            classes, form = self._read(index)
            if not classes:
                continue
            candidates = (each.of(classes, frozenset(taken.values())) for each in self._antecedents)
            antecedent = taken.get(classes) or next(filter(None, candidates), None)
            if antecedent is None and classes != {PLACE}:
                return None
            if antecedent is not None:
                taken[classes] = antecedent
                replaced.append((index, form.format(name=antecedent)))
        for index, words in reversed(replaced):
            text = text[: question.tokens[index].start] + words + text[question.tokens[index].end :]
        return text

    def _read(self, index: int) -> tuple[frozenset[str], str]:
        """The classes of what a word stands for, none if it stands for nothing, and the form of what replaces it."""
        words, forms, grammar = self._question.words, self._forms, self._question.grammar
        word, following = words[index], words[index + 1 : index + 2]
        if word in forms.place_adverbs:
            is_existential = not grammar.auxiliaries.isdisjoint([*words[max(0, index - 1) : index], *following])
            return frozenset() if is_existential else frozenset((PLACE,)), forms.place
        if self._points_nowhere(index):
            return frozenset(), ""
        ends_as_article = not following and word in grammar.articles  # "ab wann gilt die"
        classes = frozenset((forms.determiners if ends_as_article else forms.pronouns).get(word, ()))
        if not self._is_owner(index):
            return classes, "{name}"
        is_own = bool(find_names(self._question.text[: self._question.tokens[index].start], self._language))
        return frozenset() if is_own else classes, forms.owner  # "when did Rosetta reach its comet"

    def _is_owner(self, index: int) -> bool:
        words = self._question.words
        following = words[index + 1] if index + 1 < len(words) else ""
        is_possessive = words[index] in self._question.grammar.possessive_pronouns
        return is_possessive and following not in {*self._no_nouns, ""}

    def _points_nowhere(self, index: int) -> bool:
        """Whether a pronoun is a polite form, or "it" of "how long does it take"."""
        token = self._question.tokens[index]
        expletives = PointingWords.of(self._language).expletive.finditer(self._question.text)
        is_polite = token.text in NounPhrases.of(self._language).capital_pronouns
        return is_polite or any(match.start() <= token.start < match.end() for match in expletives)
