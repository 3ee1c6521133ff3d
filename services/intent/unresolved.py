"""Find phrases of a question without a named antecedent, which make it unclear, from its words alone.

The weights were measured on MTRAG-UN's development tasks (UNDERSPECIFIED against the rest). A demonstrative with a noun
(`that mission`) weighs 1.5. `The` with lower-case nouns whose head was not mentioned (`the deadline`) weighs 1, counted
once per question. A personal pronoun without history weighs 1.5. A pronoun or definite that the conversation may
resolve weighs .25, because some stay unresolved. The area under the ROC curve is .82 against ANSWERABLE and .81 against
all others (one half of the conversations .86, the other .78). A score of 1.5 or more is reached by 37 % of the unclear
questions, 4 % of the others, and 3 % of the answerable turns of MTRAG itself. The cosine distance between the question
and the latest answer adds less than .01, so no embedding is used. Numbers that name no source are chosen by hand.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from libs.contracts.spans import Span
from libs.language.known import language_of
from libs.language.topics.anaphora import Agreement
from libs.language.topics.questions import UnclearPhrases
from libs.text.anaphora import AnaphoraFinder, AnaphoraKind
from libs.text.mentions import MentionReader
from libs.text.tokens import Token, is_stop_word, is_third_person_pronoun, stem, tokenize, words

DEMONSTRATIVE: Final = 1.5
DEFINITE: Final = 1.0
PRONOUN: Final = 1.5
"""What `that probe`, `the probe` and `it` add to the ask score, without a word that they may refer to. Chosen by hand
beside the threshold of 1.5: the first and last ask back by themselves, a definite only with another hint."""
RESOLVABLE: Final = 0.25
"""For a pronoun if there is history, and a definite whose head the history mentions."""
NAMED_WITHIN: Final = 3
"""After this many content words, a pronoun refers to one of them (MTRAG-UN: the same area)."""
MAX_UNCLEAR: Final = 6
"""In words; a longer phrase does not refer to something unnamed (as the next two, by hand)."""
_MAX_RUN: Final = 4
"""Words of a noun after its determiner that are read; the rest does not tell what is meant."""
_MAX_WORDS: Final = 200
"""Words of a question that are examined; the rest of a longer one is ignored."""


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A phrase that needs an antecedent and may not have one."""

    phrase: str
    span: Span
    weight: float
    possessive: bool = False
    """Whether it is a possessive: `its`, `their`."""
    tells_a_part: bool = False
    """Whether it names a part of the unnamed thing (`the deadline`), not the thing itself."""

    @property
    def demonstrative_noun(self) -> str:
        """The noun of a demonstrative (`that mission`); empty for other phrases."""
        return "" if self.tells_a_part or " " not in self.phrase else self.phrase.split()[-1]


def find_unresolved(question: str, history: Sequence[str], language: str) -> tuple[Unresolved, ...]:
    """Return the unresolved phrases of a question, in order.

    Args:
        question: the last turn, in its original words.
        history: the earlier turns; empty for a first turn.
        language: the question's language, ISO 639-1.
    """
    if Agreement.of(language).pronouns:
        return tuple(_by_agreement(question, language, RESOLVABLE if history else PRONOUN))
    return tuple(_PhraseFinder(question, "\n".join(history).lower(), language).phrases())


def _by_agreement(question: str, language: str, weight: float) -> Iterator[Unresolved]:
    """Yield what refers to something that the question does not name, in a language of agreement."""
    mentions = MentionReader(language).read(question)
    for anaphora in AnaphoraFinder(language).find(question, mentions):
        if anaphora.reference in (AnaphoraKind.PRONOUN, AnaphoraKind.POSSESSIVE, AnaphoraKind.DEMONSTRATIVE):
            end = (
                anaphora.noun.end
                if anaphora.noun and anaphora.reference is AnaphoraKind.DEMONSTRATIVE
                else anaphora.end
            )
            span = Span(anaphora.start, end)
            possessive = anaphora.reference is AnaphoraKind.POSSESSIVE
            yield Unresolved(span.of(question), span, weight, possessive)


def ask_score(unresolved: Sequence[Unresolved]) -> float:
    """Return how unclear a question is; several definites count once, because they often explain each other."""
    parts = [phrase.weight for phrase in unresolved if phrase.tells_a_part]
    return sum(phrase.weight for phrase in unresolved if not phrase.tells_a_part) + max(parts, default=0.0)


class _PhraseFinder:
    """Finds phrases that need an antecedent by demonstratives, articles and pronouns."""

    def __init__(self, question: str, history_text: str, language: str) -> None:
        self._question = question
        self._history_text = history_text
        self._language = language
        self._words = UnclearPhrases.of(language)
        self._tokens = tokenize(question)

    def phrases(self) -> Iterator[Unresolved]:
        """Each phrase, in order."""
        for position, token in enumerate(self._tokens[:_MAX_WORDS]):
            word = token.text.lower()
            if word in self._words.demonstratives:
                yield from self._demonstrative(position)
            elif word == self._words.definite:
                yield from self._definite(position)
            elif is_third_person_pronoun(word, self._language):
                yield from self._pronoun(position, RESOLVABLE if self._history_text else PRONOUN)

    def _demonstrative(self, position: int) -> Iterator[Unresolved]:
        tokens, words = self._tokens, self._words
        word = tokens[position].text.lower()
        if word == words.conjunction and position and tokens[position - 1].text.lower() not in words.before_conjunction:
            return
        nouns = self._noun_run(position + 1)
        is_clause = word in words.singular_demonstratives and nouns and words.third_person_form.search(nouns[0].text)
        if nouns and (self._is_verb(position, nouns) or is_clause):
            return
        earlier_stems = {stem(token.text, self._language) for token in tokens[:position]}
        if nouns and not any(stem(noun.text, self._language) in earlier_stems for noun in nouns):
            yield _phrase_over(self._question, tokens[position], nouns[-1], DEMONSTRATIVE)

    def _is_verb(self, position: int, nouns: Sequence[Token]) -> bool:
        """Whether the only word after `does that` is its verb: no other verb follows."""
        tokens, words = self._tokens, self._words
        following = tokens[position + 1 + len(nouns) :][:1]
        asked_act = any(token.text.lower() in words.auxiliaries for token in tokens[max(0, position - 1) : position])
        return asked_act and len(nouns) == 1 and all(token.text.lower() in words.after_verb for token in following)

    def _definite(self, position: int) -> Iterator[Unresolved]:
        nouns = self._noun_run(position + 1)
        if not nouns or any(not noun.text.islower() for noun in nouns):
            return
        first, head = nouns[0].text, nouns[-1].text
        if first in self._words.unique or first.endswith(self._words.superlative):
            return
        weight = RESOLVABLE if has_word_with_stem(head, self._history_text, self._language) else DEFINITE
        yield _phrase_over(self._question, self._tokens[position], nouns[-1], weight, tells_a_part=True)

    def _pronoun(self, position: int, weight: float) -> Iterator[Unresolved]:
        token, words = self._tokens[position], self._words
        expletives = words.expletive.finditer(self._question) if token.text.lower() == words.neuter else iter(())
        if any(match.start() <= token.start < match.end() for match in expletives):
            return
        possessive = token.text.lower() in words.possessives
        is_ahead = words.ahead_of_subject.search(self._question, 0, token.start)
        if possessive and is_ahead and words.owner_follows.match(self._question, token.end):
            return
        if not self._is_named_before(position):
            yield Unresolved(token.text, Span(token.start, token.end), weight, possessive)

    def _is_named_before(self, position: int) -> bool:
        """Whether the question names something before a pronoun: a name, much content, or an earlier clause."""
        earlier = [token for token in self._tokens[:position] if not is_stop_word(token.text, self._language)]
        if len(earlier) >= NAMED_WITHIN:
            return True
        has_name = any(token.is_capitalised for token in earlier if token.start != self._tokens[0].start)
        boundary = self._words.boundary.search(self._question, 0, self._tokens[position].start)
        return has_name or (boundary is not None and bool(earlier))

    def _noun_run(self, start: int) -> list[Token]:
        """Return adjacent content words up to a function word, without verb forms at the end."""
        run: list[Token] = []
        asked_act = any(token.text.lower() in self._words.auxiliaries for token in self._tokens[: start - 1])
        for token in self._tokens[start : start + _MAX_RUN]:
            if is_stop_word(token.text, self._language) or (run and token.start != run[-1].end + 1):
                break
            if asked_act and token.text.lower() in self._words.acts:
                break
            run.append(token)
        while run and self._words.verb_form.search(run[-1].text):
            run.pop()
        return run


def is_vague_phrase(unclear: str, question: str, language: str) -> bool:
    """Whether words may be an unclear phrase: short, not the whole question, and without a name or number."""
    phrase_length, question_length = len(words(unclear, language)), len(words(question, language))
    tells_names = not language_of(language).capitalises_nouns
    has_name = re.search(r"\d", unclear) or (tells_names and re.search(r"(?<!\A)\b[A-Z]", unclear))
    return 0 < phrase_length <= MAX_UNCLEAR and phrase_length < question_length and not has_name


def has_word_with_stem(head: str, text: str, language: str) -> bool:
    """Whether a lower-case text has a word with the same stem as `head`."""
    beginning = stem(head, language).rstrip("iy") or head
    return beginning in text and re.search(rf"\b{re.escape(beginning)}", text) is not None


def _phrase_over(question: str, first: Token, last: Token, weight: float, tells_a_part: bool = False) -> Unresolved:
    span = Span(first.start, last.end)
    return Unresolved(span.of(question), span, weight, tells_a_part=tells_a_part)
