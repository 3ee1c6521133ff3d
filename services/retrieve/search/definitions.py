"""What a question asks the meaning of (`What is X?`, `X?`), and the bonus of passages that tell it: `X is a …`. No I/O.

"What is Sentinel?" fits every passage of the page on Sentinel, and the first of them least, for it names it least. So
what opens a page or section named so is lifted, and what tells what the thing is.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from libs.contracts.evidence import Passage
from libs.language.files import known_languages
from libs.language.topics.questions import Definitions
from libs.text.memoize import memoized
from libs.text.tokens import content_stems, is_stop_word, tokenize
from services.retrieve.search.ranking import DefinitionBoosts

BARE: Final = 4
"""Most words of a question that is nothing but a thing, with an article at most: `Sentinel?` (taste)."""
_PARTS: Final = re.compile(r"\s[|·–—-]{1,2}\s|:\s")
"""Between a title and that of its book or site."""
_MARKS: Final = r"[ *_`\"'“”„«»()|#>+-]"
_ASIDE: Final = r"(?: ?\([^()\n]{1,200}\)| ?/[^/\n]{1,40}/| ?,[^,.\n]{1,100},)?"


@dataclass(frozen=True, slots=True)
class Thing:
    """What a question asks the meaning of."""

    stems: tuple[str, ...]
    """Its content words, at least one."""
    language: str


@memoized(texts=1024, longest=200)  # taste
def thing_asked(question: str, language: str) -> Thing | None:
    """What a question asks the meaning of, as a rule a name or a term; None for any other question.

    Short questions are often taken for another language, so the others are tried, too.
    """
    for each in (language, *known_languages()):
        if asked := Definitions.of(each).question.match(question):
            return _thing(asked["thing"], each)
    _, *words = tokenize(question) or (None,)
    is_bare = len(words) < BARE and not any(is_stop_word(word.text, language) for word in words)
    return _thing(question, language) if is_bare else None


def _thing(text: str, language: str) -> Thing | None:
    stems = tuple(content_stems(text, language))
    return Thing(stems, language) if stems else None


def share_named(thing: Thing, heading: str) -> float:
    """How much a title or heading names a thing, in [0, 1]: 1 for `X`, `What is X?` and `X | Site`, .5 for `X Y`.

    A thing of two words is named by its last one, too, by half: a `Parley session` by `Sessions`.
    """
    return max(_share(thing.stems, part, thing.language) for part in (heading, *_PARTS.split(heading)))


@lru_cache(maxsize=8192)  # taste
def _share(stems: tuple[str, ...], heading: str, language: str) -> float:
    asked = Definitions.of(language).question.match(heading)
    words = {
        word for word in content_stems(asked["thing"] if asked else heading, language) if any(map(str.isalpha, word))
    }
    named = set(stems)
    if stems[-1] in words and words < named:
        return len(words) / len(named)
    return len(named) / len(words) if named <= words else 0.0


def defines(thing: Thing, text: str) -> bool:
    """Whether a sentence of a text begins with a thing and tells what it is."""
    lower = text.lower()
    if not all(stem.removesuffix("i") in lower for stem in thing.stems):  # true of most, and far faster
        return False
    told = Definitions.of(thing.language).class_told
    return any(told.match(text, match.end()) for match in _beginnings(thing).finditer(text))


def _words(thing: Thing) -> str:
    """A pattern of the thing: its words in any form, with little words between them."""
    return r"\W{1,3}(?:\w{1,3}\W{1,3})?".join(rf"{re.escape(re.sub('i$', '', word))}\w{{0,5}}" for word in thing.stems)


@lru_cache(maxsize=256)  # taste
def _beginnings(thing: Thing) -> re.Pattern[str]:
    """A thing at the beginning of a sentence or line, with what may stand around it."""
    return re.compile(
        rf"(?i)(?:\A|(?<=\n)|(?<=[.!?:|,]\s)){_MARKS}{{0,6}}(?:\w{{1,4}}['’ ] ?)?{_MARKS}{{0,3}}"
        rf"{_words(thing)}{_MARKS}{{0,3}}{_ASIDE}{_MARKS}{{0,4}}(?:[:–—|](?=\s)|- )?"
    )


def bonuses(
    thing: Thing, passages: Sequence[Passage | None], before: Sequence[Passage | None], boosts: DefinitionBoosts
) -> NDArray[np.float64]:
    """What is added to the fused score of each passage; `before` has what precedes each in its document, if any."""
    return np.array([_bonus(thing, *each, boosts) for each in zip(passages, before, strict=True)], np.float64)


def _bonus(thing: Thing, passage: Passage | None, before: Passage | None, boosts: DefinitionBoosts) -> float:
    if passage is None:
        return 0.0
    opens_document = before is None or before.document_id != passage.document_id
    opens_section = opens_document or (before is not None and before.headings != passage.headings)
    title = share_named(thing, passage.title) if opens_document else 0.0
    heading = share_named(thing, passage.headings[-1]) if opens_section and passage.headings else 0.0
    return boosts.title * title + boosts.heading * heading + boosts.told * defines(thing, passage.text)
