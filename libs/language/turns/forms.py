"""Recognises a wish for another form of the latest answer: `shorter, please`, `as a list`, `in German`.

Such a turn consists of a marker and of words about answers; whatever names something else asks about that.
"""

from libs.contracts.conversation import AnswerForm
from libs.language.known import language_of
from libs.language.topics.turns import TurnForms
from libs.language.turns.wordings import content_of, words_of


def find_form(text: str, language: str) -> tuple[AnswerForm, str] | None:
    """Return the form that a text wants, and the language of a translation; None if it wants something else."""
    wishes = TurnForms.of(language)
    words = words_of(text)
    if not words or words[0] in wishes.about_things:
        return None
    if (match := wishes.translation.search(text)) and _is_all(text, match.span(), language):
        name = (match["language"] or match["other"] or "").lower()
        return AnswerForm.TRANSLATION, wishes.languages[name] if name else language
    for name, marker in wishes.form_markers.items():
        if (match := marker.search(text)) and _is_all(text, match.span(), language):
            return AnswerForm(name.upper()), ""
    return None


def _is_all(text: str, span: tuple[int, int], language: str) -> bool:
    """Whether a text has no other content beside its marker than words about answers."""
    others = content_of(f"{text[: span[0]]} {text[span[1] :]}", language)
    courtesies = {word for phrase in language_of(language).approvals for word in words_of(phrase)}
    return (TurnForms.of(language).form_words | courtesies).issuperset(others)
