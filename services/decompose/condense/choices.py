"""Picking an option of a clarifying question: "the second one", "yes", or the option's own words."""

from collections.abc import Sequence

from libs.language.topics.follow_ups import Dialogue
from libs.text.calendar_words import ordinal_number
from libs.text.tokens import content_stems, words
from services.decompose.condense.ellipsis import body_of


def pick_option(turn: str, options: Sequence[str], language: str) -> str | None:
    """Return the offered option that a turn picks; None if it picks none or is ambiguous."""
    dialogue = Dialogue.of(language)
    content = [word for word in words(turn, language) if word not in dialogue.option_words]
    if len(content) == 1 and (position := _position(content[0], len(options), language)) is not None:
        return options[position]
    if len(content) == 1 and content[0] in dialogue.acceptances:
        return options[0] if len(options) == 1 else None
    stems = set(content_stems(body_of(turn, language), language))
    matching = [option for option in options if stems and stems <= set(content_stems(option, language))]
    exact = [option for option in options if stems and stems == set(content_stems(option, language))]
    matches = exact or matching
    return matches[0] if len(matches) == 1 else None


def _position(word: str, count: int, language: str) -> int | None:
    """The index of an option by its number, letter or ordinal; None if there is none."""
    place = Dialogue.of(language).option_places.get(word)
    number = int(word) if word.isdecimal() else ordinal_number(word, language) or place
    if number == -1:
        return count - 1 if count else None
    return number - 1 if number and number <= count else None
