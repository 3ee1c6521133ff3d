"""The words of a question, and which of them are verbs."""

from functools import lru_cache

from libs.language.topics.clauses import ClauseParts
from libs.language.topics.grammar import Grammar, Inflection
from libs.text.tokens import stem, tokenize


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

    def span(self, first: int, last: int) -> str:
        """The text from one token to another, inclusive."""
        return self.text[self.tokens[first].start : self.tokens[last].end]

    def is_verb(self, index: int) -> bool:
        """Whether a token may be a full verb, by its form and the words before it."""
        word, grammar = self.words[index], self.grammar
        if not index or self.words[index - 1] in grammar.determiners | grammar.prepositions:
            return False
        is_base_form = self._first_helper < index and word in grammar.base_verbs
        return word not in grammar.auxiliaries and (is_base_form or is_finite(word, self.language))

    @property
    def begins_question(self) -> bool:
        """Whether the text begins as a question does: with a question word, after a preposition or not, or a verb."""
        grammar, (first, second, *_) = self.grammar, [*self.words[:2], "", ""]
        copula_marks = Inflection.of(self.language).copula_marks
        is_verb = first in grammar.auxiliaries and not first.endswith(copula_marks)  # "that's"
        return first in grammar.wh_words or is_verb or (first in grammar.prepositions and second in grammar.wh_words)


def is_past_form(word: str, language: str) -> bool:
    """Whether a lower-cased word is a past tense or past participle of a known verb: `landed`, `built`, `won`."""
    grammar = Grammar.of(language)
    is_irregular = word in grammar.irregular_forms and word not in grammar.auxiliaries
    return is_irregular or (word.endswith(Inflection.of(language).past_endings) and _is_inflected(word, language))


def is_finite(word: str, language: str) -> bool:
    """Whether a lower-cased word in verb position is a finite verb: a known one, or by its ending."""
    is_third_person = word.endswith(ClauseParts.of(language).present_ending) and _is_inflected(word, language)
    is_known = word in Grammar.of(language).auxiliaries or is_past_form(word, language)
    return is_known or is_third_person or word.endswith(Inflection.of(language).past_endings)


def _is_inflected(word: str, language: str) -> bool:
    """Whether a word is another form than the base form of a known verb."""
    return word not in Grammar.of(language).base_verbs and stem(word, language) in _verb_stems(language)


@lru_cache(maxsize=64)  # taste
def _verb_stems(language: str) -> frozenset[str]:
    return frozenset(stem(verb, language) for verb in Grammar.of(language).base_verbs)
