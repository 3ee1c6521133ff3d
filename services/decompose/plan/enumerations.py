"""One thing asked about several names: "When did Viking 1 and Viking 2 land?" """

from libs.language.known import language_of
from libs.language.topics.grammar import NounPhrases
from libs.language.topics.plans import EnumerationForms
from services.decompose.plan.parts import Split
from services.decompose.plan.sentences import small_first_letter
from services.decompose.words.phrases import Phrase, PhraseKind, find_phrases

MAX_NAMES = 4  # in one enumeration that is divided (taste)


def split_enumeration(question: str, language: str) -> Split | None:
    """Return one sub-query per name if there are clearly several names of one kind; else None."""
    phrases, forms = find_phrases(question, language=language), EnumerationForms.of(language)
    group = _group(question, phrases, forms)
    if not group or forms.together.search(question):
        return None
    texts = [_text(question, phrase) for phrase in group]
    before, after = question[: group[0].end].removesuffix(texts[0]), question[group[-1].end :]
    names = ", ".join(f'"{text}"' for text in texts)
    texts = [small_first_letter(f"{_in_singular(before, forms)}{text}{after}", language) for text in texts]
    return Split.of(texts, f"it asks the same of {names}")


def _group(question: str, phrases: tuple[Phrase, ...], forms: EnumerationForms) -> list[Phrase]:
    """The first run of joined names of one kind that can't be a single name ("Johnson and Johnson"), or empty."""
    for index, first in enumerate(phrases):
        group = [first]
        for phrase in phrases[index + 1 :]:
            match = forms.joint.fullmatch(question[group[-1].end : phrase.start])
            if not match or not _alike(first, phrase):
                break
            group.append(phrase)
        is_complete = 1 < len(group) <= MAX_NAMES and _is_closed(question, group, forms)
        if is_complete and _are_several(question, group, forms):
            return group
    return []


def _text(question: str, phrase: Phrase) -> str:
    """A phrase as it stands in the question: a thing with its determiner, a name without."""
    if phrase.kind.is_name:
        return phrase.text
    start = question[: phrase.start].rstrip().lower().rindex(phrase.determiner)
    return question[start : phrase.end]


def _alike(first: Phrase, second: Phrase) -> bool:
    if first.kind is not second.kind or first.text.lower() == second.text.lower() or first.tail:
        return False
    if first.kind is PhraseKind.THING:
        return _is_definite_thing(first) and _is_definite_thing(second)
    return first.kind in {PhraseKind.NUMBERED, PhraseKind.PLACE} or (
        first.kind is PhraseKind.NAME and " " in first.text and " " in second.text
    )


def _is_definite_thing(phrase: Phrase) -> bool:
    """Whether a thing may be one of several by its article, where capitals do not tell a name from a thing."""
    is_definite = phrase.determiner in NounPhrases.of(phrase.language).definite_articles
    return is_definite and language_of(phrase.language).capitalises_nouns


def _is_closed(question: str, group: list[Phrase], forms: EnumerationForms) -> bool:
    """Whether "and" joins the last two: "A, B" alone may be "Paris, Texas"."""
    return forms.last_joint.search(question[group[-2].end : group[-1].start]) is not None


def _are_several(question: str, group: list[Phrase], forms: EnumerationForms) -> bool:
    """Whether a plural verb confirms several, if they have no number: "the Gaming and Amusement Corporation" is one."""
    plural = any(word in forms.singular_verbs for word in question[: group[0].start].lower().split())
    return plural or group[0].kind in {PhraseKind.NUMBERED, PhraseKind.PLACE}


def _in_singular(before: str, forms: EnumerationForms) -> str:
    """The words before the names with a singular verb: "when were" becomes "when was"."""
    return " ".join(forms.singular_verbs.get(word.lower(), word) for word in before.split(" "))
