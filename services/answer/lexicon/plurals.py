"""Plurals that the stemmer does not reduce to their singulars: `children` -> `child`."""

from collections.abc import Mapping
from functools import lru_cache

from libs.text.tokens import stem

_IRREGULAR = """
children/child men/man women/woman feet/foot teeth/tooth geese/goose mice/mouse wives/wife knives/knife wolves/wolf
halves/half shelves/shelf thieves/thief loaves/loaf calves/calf crises/crisis analyses/analysis hypotheses/hypothesis
diagnoses/diagnosis oases/oasis phenomena/phenomenon criteria/criterion bacteria/bacterium
"""
"""Without words that are also verbs or pronouns: `lives`, `leaves`, `these`."""


@lru_cache(maxsize=1)
def singular_stems() -> Mapping[str, str]:
    """Map the stem of each irregular plural to the stem of its singular, where they differ."""
    pairs = ((stem(plural), stem(single)) for plural, single in (pair.split("/") for pair in _IRREGULAR.split()))
    return {plural: single for plural, single in pairs if plural != single}
