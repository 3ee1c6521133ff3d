"""Splits several questions in one turn, carrying the subject over: "When did Viking 1 launch and who built it?"."""

from libs.contracts.query import Decision
from libs.language.topics.follow_ups import JoinedQuestions
from libs.language.topics.grammar import Grammar
from libs.text.sentences import split_sentences
from libs.text.tokens import content_words, tokenize
from services.decompose.condense.ellipsis import body_of, has_verb
from services.decompose.condense.ladder import Condenser
from services.decompose.condense.tidy import tidy
from services.decompose.history import Exchange, HistoryWindow
from services.decompose.plan.parts import Split


def split_questions(question: str, condenser: Condenser, language: str) -> Split | None:
    """Return the questions of a turn, each condensed with those before it; None for a single question."""
    questions = _sentences(question, language) or _conjoined_questions(body_of(question, language), language)
    if len(questions) < 2:
        return None
    standalone: list[str] = []
    for text in questions:
        window = HistoryWindow(tuple(Exchange(before) for before in standalone))
        record = condenser.condense(text, window, language=language)
        if record.decision is Decision.CLARIFY:
            return None
        standalone.append(tidy(record.standalone, language))
    return Split.side_by_side(standalone, f"it asks {len(standalone)} questions")


def _sentences(question: str, language: str) -> list[str]:
    """The sentences of a turn if there are several and all are questions, each split further; else empty."""
    sentences = [sentence.text for sentence in split_sentences(question, language)]
    if len(sentences) < 2 or not all(_asks(sentence, language) for sentence in sentences):
        return []
    parts = [_conjoined_questions(body_of(sentence, language), language) or [sentence] for sentence in sentences]
    return [text for texts in parts for text in texts]


def _conjoined_questions(question: str, language: str) -> list[str]:
    """Split "when and where did it land" or "when did it launch and who built it"; empty for a single question."""
    forms = JoinedQuestions.of(language)
    if match := forms.two_words.fullmatch(question):
        words = (match["one"], match["other"])
        return [forms.question_of_two_words.format(word=word, rest=match["rest"]) for word in words]
    if forms.indirect.match(question):
        return []
    parts = forms.joint.split(question)
    return parts if len(parts) > 1 and all(_asks(part, language) for part in parts) else []


def _asks(text: str, language: str) -> bool:
    """Whether a text is a question with a verb and content words."""
    grammar = Grammar.of(language)
    first, second, *_ = [*(token.text.lower() for token in tokenize(body_of(text, language))[:2]), "", ""]
    opens_late = first in JoinedQuestions.of(language).openers and second in grammar.wh_words
    is_question = first in grammar.wh_words or first in grammar.auxiliaries or opens_late
    return is_question and has_verb(text, language) and bool(content_words(text, language))
