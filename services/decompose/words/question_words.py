"""The words of a question, and which of them are verbs."""

from libs.language.topics.grammar import Grammar, Inflection
from libs.text.tokens import tokenize
from services.decompose.words.grammar import is_finite


class QuestionWords:
    """The tokens of a text in a language; `words` are lower-cased."""

    def __init__(self, text: str, language: str) -> None:
        self.text = text
        self.language = language
        self.tokens = tokenize(text)
        self.words = [token.text.lower().replace("’", "'") for token in self.tokens]
        self.grammar = Grammar.of(language)
        helpers = self.grammar.auxiliaries - self.grammar.be_forms
        self._first_helper = next((at for at, word in enumerate(self.words) if word in helpers), len(self.words))

    def adjoins(self, index: int) -> bool:
        """Whether a token exists and only white space separates it from the one before it."""
        within = 0 < index < len(self.tokens)
        return within and not self.text[self.tokens[index - 1].end : self.tokens[index].start].strip()

    def span(self, first: int, last: int) -> str:
        """The text from one token to another, inclusive."""
        return self.text[self.tokens[first].start : self.tokens[last].end]

    def is_verb(self, index: int) -> bool:
        """Whether a token may be a full verb, by its form and the words before it."""
        word, grammar = self.words[index], self.grammar
        if not index or self.words[index - 1] in grammar.determiners | grammar.prepositions:
            return False
        if word in grammar.auxiliaries:
            return False
        is_helped = self._first_helper < index
        return is_finite(word, self.language) or (is_helped and word in grammar.base_verbs)


def begins_question(text: str, language: str) -> bool:
    """Whether a text begins as a question does: with a question word, after a preposition or not, or a verb."""
    grammar, tokens = Grammar.of(language), tokenize(text)[:2]
    first, second, *_ = [*(token.text.lower().replace("’", "'") for token in tokens), "", ""]
    is_verb = first in grammar.auxiliaries and not first.endswith(Inflection.of(language).copula_marks)  # "that's"
    return first in grammar.wh_words or is_verb or (first in grammar.prepositions and second in grammar.wh_words)
