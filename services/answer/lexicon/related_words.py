"""Words that tell the same in a question and in its answer: asked `how heavy`, a source says `mass` or `kilograms`.

General English only, by stems; nothing of any subject. A related word counts less than the word itself.
"""

from collections.abc import Mapping
from functools import lru_cache

from services.text.tokens import stem

_GROUPS = """
start begin commence open
end finish close stop conclude expire
launch liftoff lift blast depart start sent
land landing touchdown touch
arrive reach enter come came
discover find found detect discovery reveal identify
name call nickname title
build make construct develop design assemble built made manufacture
fly flew flight
carry transport take took bring brought
die death killed
born birth
buy purchase acquire bought acquisition
sell sale sold
cost price pay dollar euro expensive
big large size great diameter
small tiny little
heavy weigh weight mass kilogram tonne gram pound
tall high height metre altitude
deep depth
wide width broad across
long length last duration took lasted
far distance kilometre mile away
fast speed velocity quick
hot warm temperature degree heat
cold temperature degree
old age
crash impact strike struck smash hit
fail failure lose lost loss
success succeed successful
photograph picture image photo camera
first earliest
collect gather sample return bring brought
see saw observe show
say tell report state announce
measure reading measurement
cause reason because lead due
write wrote author written
win won victory
lead head leader chief director
choose select pick chose
require need must
allow permit let enable
help support assist
increase grow rise rose grew
decrease fall drop decline fell
live reside inhabitant population people
work job employ
study research investigate examine explore
search hunt seek look
orbit circle
pass past flyby fly flew
craft spacecraft probe ship vehicle
man person human people crew
travel drive journey distance cover
survive last lasted endure keep kept work
"""


_SAME_ROOT = 5
"""Two stems with so many first letters in common, and at most two more, have one root: `explos`, `explod`."""


def has_related(stem: str, stems: frozenset[str]) -> bool:
    """Whether one of the stems is related to this one, by the list or by its root."""
    if not related_stems().get(stem, frozenset()).isdisjoint(stems):
        return True
    if len(stem) <= _SAME_ROOT or not stem.isalpha():
        return False
    return stem[: max(_SAME_ROOT, len(stem) - 2)] in _beginnings(stems)


@lru_cache(maxsize=2048)
def _beginnings(stems: frozenset[str]) -> frozenset[str]:
    """What the stems begin with, from the shortest root on; a sentence is asked about several words."""
    return frozenset(stem[:length] for stem in stems for length in range(_SAME_ROOT, len(stem) + 1))


@lru_cache(maxsize=1)
def related_stems() -> Mapping[str, frozenset[str]]:
    """From a stem to those of its related words."""
    return groups_of(_GROUPS)


def groups_of(text: str) -> Mapping[str, frozenset[str]]:
    """From the stem of each word to those of the other words on its lines."""
    related: dict[str, set[str]] = {}
    for line in text.split("\n"):
        group = {stem(word) for word in line.split()}
        for member in group:
            related.setdefault(member, set()).update(group - {member})
    return {member: frozenset(others) for member, others in related.items()}
