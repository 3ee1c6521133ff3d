"""Several questions in one turn: `[question word] … and [question word] … it …`, or a sentence each.

Each becomes a question of its own. A pronoun in a later one is linked: `#1` in its place stands for the answer of the
first (`which probe reached Venus and when did it launch`), or what it names itself takes its place (`when did Luna 9
launch and who built it`). If something in a later question points to nothing that is known, the turn stays whole.
"""

from collections.abc import Collection, Sequence

from libs.contracts.query import QueryNode
from libs.language.topics.grammar import NounPhrases
from libs.language.topics.plans import JoinedQuestions
from libs.language.topics.questions import PointingWords
from libs.text.names import find_names
from libs.text.sentences import split_sentences
from libs.text.tokens import content_words
from services.decompose.condense.tidy import body_of
from services.decompose.plan.antecedents import PLACE, Antecedent, AntecedentReader
from services.decompose.words.domain import Domain
from services.decompose.words.question_words import QuestionWords


def split_questions(question: str, domain: Domain, language: str) -> tuple[QueryNode, ...]:
    """Return the questions of a turn, each linked to those before it; none for a single question."""
    nodes: list[QueryNode] = []
    antecedents: list[Antecedent] = []
    for number, text in enumerate(_questions(question, language), start=1):
        linked = _Linker(text[:1].lower() + text[1:], antecedents, language).linked()
        if linked is None:
            return ()
        nodes.append(QueryNode(str(number), linked))
        antecedents += AntecedentReader(linked, domain, language).antecedents(f"#{number}")
    return tuple(nodes)


def _questions(turn: str, language: str) -> list[str]:
    """The questions of a turn if there are several, and nothing else; else empty."""
    forms = JoinedQuestions.of(language)
    sentences = (body_of(sentence.text, language) for sentence in split_sentences(turn, language))
    parts = [[text] if forms.indirect.match(text) else forms.joint.split(text) for text in filter(None, sentences)]
    questions = [text for texts in parts for text in texts]
    return questions if len(questions) > 1 and all(_asks(text, language) for text in questions) else []


def _asks(text: str, language: str) -> bool:
    is_fragment = JoinedQuestions.of(language).fragment.match(text) is not None
    return QuestionWords(text, language).begins_question and not is_fragment and bool(content_words(text, language))


class _Linker:
    """Puts what they stand for in place of the pronouns of one question."""

    def __init__(self, text: str, antecedents: Sequence[Antecedent], language: str) -> None:
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
        text, end, taken = "", 0, dict[frozenset[str], str]()
        for index, token in enumerate(question.tokens):
            classes, form = self._read(index)
            antecedent = taken.get(classes) or self._agreeing(classes, taken.values())
            if antecedent is not None:
                taken[classes] = antecedent
                text, end = text + question.text[end : token.start] + form.format(name=antecedent), token.end
            elif classes and classes != {PLACE}:
                return None
        return text + question.text[end:]

    def _agreeing(self, classes: frozenset[str], taken: Collection[str]) -> str | None:
        """What a pronoun of some classes stands for; None if nothing that isn't `taken` agrees with it."""
        agreeing = (text for text, known in self._antecedents if not classes.isdisjoint(known) and text not in taken)
        return next(agreeing, None)

    def _read(self, index: int) -> tuple[frozenset[str], str]:
        """The classes of what a word stands for, none if it stands for nothing, and the form of what replaces it."""
        question, forms = self._question, self._forms
        word, following = question.words[index], [*question.words[index + 1 : index + 2], ""][0]
        if self._points_nowhere(index):
            return frozenset(), ""
        ends_as_article = not following and word in question.grammar.articles  # "ab wann gilt die"
        classes = frozenset((forms.determiners if ends_as_article else forms.pronouns).get(word, ()))
        if word not in question.grammar.possessive_pronouns or following in {*self._no_nouns, ""}:
            return classes, forms.place if PLACE in classes else "{name}"
        is_own = bool(find_names(question.text[: question.tokens[index].start], self._language))
        return frozenset() if is_own else classes, forms.owner  # "when did Rosetta reach its comet"

    def _points_nowhere(self, index: int) -> bool:
        """Whether a pronoun is a polite form, or one as in "how long does it take" or "is there"."""
        token, words = self._question.tokens[index], self._question.words
        if PLACE in self._forms.pronouns.get(words[index], ()):
            return not self._question.grammar.auxiliaries.isdisjoint(words[max(0, index - 1) : index + 2])
        expletives = PointingWords.of(self._language).expletive.finditer(self._question.text)
        is_polite = token.text in NounPhrases.of(self._language).capital_pronouns
        return is_polite or any(match.start() <= token.start < match.end() for match in expletives)
