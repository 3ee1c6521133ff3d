"""Turns that leave out what the conversation provides: "what about damaged items?", "why?", "in Europe?"."""

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Final

import regex

from libs.text.tokens import content_words, tokenize
from services.decompose.words.grammar import (
    AUXILIARIES,
    IMPERATIVES,
    PREPOSITIONS,
    QUANTIFIERS,
    SPEAKERS,
    WH_WORDS,
)
from services.decompose.words.phrases import find_phrases
from services.decompose.words.verbs import find_verbs


class Gap(Enum):
    """The kind of ellipsis."""

    CASE = "asks about another case"
    QUESTION_WORD = "is a question word alone"
    MORE = "asks for more"
    CHOICE = "chooses between things that it does not name"
    HYPOTHESIS = "asks what follows if"
    FRAGMENT = "is a fragment"


@dataclass(frozen=True, slots=True)
class Ellipsis:
    """An elliptic turn; `fragment` is its own content, without "what about" and the final punctuation."""

    gap: Gap
    fragment: str


MAX_FRAGMENT_WORDS: Final = 2
"""Maximum content words of a fragment, a turn without a verb; a longer one is a keyword query."""

_LEADS = (
    r"and|but|so|or|ok|okay|well|also|then|hm+|thanks|thank\syou|great|got\sit|i\ssee|right|yes|yeah|no|btw|by\sthe\sway|"
    r"please|sorry|good|nice|cool|sure|interesting|omg|oh|wow|oops|ugh|lol|haha|hi|hello|hey|bye|alright"
)
_LEAD = regex.compile(rf"^\s*(?:(?:{_LEADS})\b[\s,.!:;–-]*)+", regex.IGNORECASE)
_CASE = regex.compile(
    r"(?:(?:what|how)(?:'s|’s)?\s+about|what\s+of"
    r"|(?:is\s+(?:it|that)\s+)?(?:the\s+)?(?P<same>same)(?:\s+thing|\s+question)?\s+(?:for|with))\s+(?P<fragment>.+)",
    regex.IGNORECASE | regex.DOTALL,
)
_QUESTION_WORD = regex.compile(
    r"(?:why|how|when|where|who|what|which)(?:\s+(?:not|so|come|exactly|then))?"
    r"|how\s+(?:much|many|long|far|often|big|old|soon|tall|fast|high|deep|heavy)"
    r"|since\s+when|until\s+when|by\s+whom|by\s+when|for\s+how\s+long|what\s+for",
    regex.IGNORECASE,
)
_MORE = regex.compile(
    r"(?:(?:can|could|would)\s+you\s+)?(?:please\s+)?(?:"
    r"tell\s+me\s+more|say\s+more|(?:any\s+|some\s+|give\s+me\s+)?more(?:\s+(?:details?|info|information|examples))?"
    r"|go\s+on|continue|elaborate|(?:any|give\s+me|some)\s+(?:details|examples|others)|explain(?:\s+(?:more|further))?"
    r"|(?:what|who|anything|where)\s+else|for\s+example|like\s+what|such\s+as(?:\s+what)?"
    r"|are\s+there\s+(?:any\s+)?(?:others|more))(?:\s+please)?(?:\s+(?:about|on)\s+(?:it|that|this|them))?",
    regex.IGNORECASE,
)
_CHOICE = regex.compile(
    r"which(?:\s+ones?|\s+of\s+(?:them|these|those|the\s+two))?\s+(?P<next>\S+)(?P<rest>.*)", regex.IGNORECASE
)
_WHAT_IF = regex.compile(r"what\s+if\s+(?P<fragment>.+)", regex.IGNORECASE | regex.DOTALL)


def body_of(turn: str) -> str:
    """Return the turn without lead-ins such as "and" or "thanks" or final punctuation; empty for a courtesy."""
    rest: str = _LEAD.sub("", turn.strip())
    return rest.strip().rstrip("?!. …").strip()


@lru_cache(maxsize=2048)
def find_ellipsis(turn: str) -> Ellipsis | None:
    """Return the ellipsis of a turn; None if the turn asks a complete question."""
    body = body_of(turn)
    if case := _CASE.fullmatch(body):
        fragment = case["fragment"].strip()
        return Ellipsis(Gap.CASE, f"for {fragment}" if case["same"] else fragment)
    if _QUESTION_WORD.fullmatch(body):
        return Ellipsis(Gap.QUESTION_WORD, body)
    if _MORE.fullmatch(body):
        return Ellipsis(Gap.MORE, body)
    if _is_choice(body):
        return Ellipsis(Gap.CHOICE, body)
    hypothesis = _WHAT_IF.fullmatch(body)
    if hypothesis and len(content_words(hypothesis["fragment"])) <= 2 * MAX_FRAGMENT_WORDS:
        return Ellipsis(Gap.HYPOTHESIS, hypothesis["fragment"].strip())
    return Ellipsis(Gap.FRAGMENT, body) if body and _is_fragment(body) else None


def has_verb(text: str) -> bool:
    """Whether a text has a verb or a subject such as "I", or begins with an imperative."""
    tokens = tokenize(text)
    lower_words = [token.text.lower() for token in tokens]
    if any(word in AUXILIARIES or word in SPEAKERS for word in lower_words) or (
        lower_words and lower_words[0] in IMPERATIVES
    ):
        return True
    name_phrases = [phrase for phrase in find_phrases(text) if phrase.kind.is_name]
    names = frozenset(i for i, t in enumerate(tokens) if any(name.start <= t.start < name.end for name in name_phrases))
    return any(index for index in find_verbs(tokens, names))


def _is_choice(body: str) -> bool:
    """ "Which is larger", "which one came first": no noun after "which", and no options named."""
    choice = _CHOICE.fullmatch(body)
    if not choice or not (choice["next"].lower() in AUXILIARIES or has_verb(f"it {choice['next']}")):
        return False
    return not any(phrase.kind.is_name for phrase in find_phrases(choice["rest"])) and " or " not in choice["rest"]


def _is_fragment(body: str) -> bool:
    words = [token.text.lower() for token in tokenize(body)]
    if not words or words[0] in WH_WORDS or has_verb(body):
        return False
    content = content_words(body)
    begins_with_preposition = words[0] in PREPOSITIONS
    if begins_with_preposition:
        return len(content) <= 2 * MAX_FRAGMENT_WORDS
    inner = [word for word in words[1:] if word in PREPOSITIONS or word in {"vs", "or", "and"}]
    numbers = sum(token.is_number for token in tokenize(body))
    return len(content) - numbers <= MAX_FRAGMENT_WORDS and not inner and (bool(content) or words[0] in QUANTIFIERS)
