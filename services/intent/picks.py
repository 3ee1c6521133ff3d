"""Recognise a choice among offered options, without a model: `the second one`, `yes`, the option's own words."""

from collections.abc import Sequence

from libs.language.known import language_of
from libs.language.topics.follow_ups import Picks
from libs.text.date_readings import ordinal_number
from libs.text.number_words import small_number
from libs.text.tokens import content_stems, words
from services.intent.unresolved import find_unresolved


def find_pick(turn: str, options: Sequence[str], language: str) -> str | None:
    """Return the option that a turn picks; None if it picks none, is ambiguous, or asks a new question.

    `Yes` picks the first option, which is the most likely.
    """
    if not options:
        return None
    picks = Picks.of(language)
    turn_words = [word for word in words(turn, language) if word not in picks.filling]
    if turn_words and all(word in picks.yes for word in turn_words):
        return options[0]
    if len(turn_words) == 1 and (position := _position(turn_words[0], len(options), language)):
        return options[position - 1]
    return _by_words(turn, options, language)


def _by_words(turn: str, options: Sequence[str], language: str) -> str | None:
    """Return the only option that has exactly the words of the turn, or else all of them; None if not unique."""
    turn_stems = {stem for stem in content_stems(turn, language) if stem not in Picks.of(language).filling}
    if not turn_stems:
        return None
    stems = [set(content_stems(choice, language)) for choice in options]
    exact = [choice for choice, option_stems in zip(options, stems, strict=True) if option_stems == turn_stems]
    partial = [choice for choice, option_stems in zip(options, stems, strict=True) if turn_stems <= option_stems]
    matches = exact or partial
    return matches[0] if len(matches) == 1 else None


def _position(word: str, count: int, language: str) -> int | None:
    picks = Picks.of(language)
    if word in picks.last:
        return count
    if word in picks.pair:
        return picks.pair[word] if count == 2 else None
    number = ordinal_number(word, language) or picks.letters.get(word) or small_number(word, language)
    return number if number and 1 <= number <= count else None


def merge(question: str, choice: str, language: str) -> str:
    """Return the unclear question with its unclear phrase replaced by the choice, else prefixed by the choice."""
    phrases = [phrase for phrase in find_unresolved(question, (), language) if not phrase.tells_a_part]
    if not phrases:
        return f"{choice}: {question}" if question else choice
    first = max(phrases, key=lambda phrase: phrase.weight)
    possessive = language_of(language).phrases.get("possessive", "{name}")
    replacement = possessive.format(name=choice) if first.possessive else choice
    return question[: first.span.start] + replacement + question[first.span.end :]
