"""Word families for kinds of events: a question about landings also matches a touchdown."""

from collections.abc import Mapping
from functools import lru_cache

from libs.text.tokens import stem

_FAMILIES = """
land landing touchdown touch descent descend rest bounce
launch lift liftoff start depart departure blast
crash impact smash hit strike collide collision wreck
fly flight flew hover
orbit circle encircle
die death dead kill fatal funeral
bear birth
found founding establish establishment create creation open
win winner victory defeat beat champion
elect election vote ballot poll
fight battle war attack invade invasion offensive siege combat
sign treaty agreement agree accord pact
discover discovery find detect detection observe
invent invention patent design
publish publication print issue release
build construction construct erect complete
marry marriage wedding wed
end finish cease stop close closure
begin beginning start open
lose loss contact silent silence fail failure
return splash splashdown capsule
explode explosion blast bomb
arrest detain charge trial convict sentence
resign resignation quit dismiss appoint
"""


@lru_cache(maxsize=65_536)
def of_one_family(first: str, second: str) -> bool:
    """Whether two stems belong to one kind of event, or one is a prefix of the other (`land`, `lander`)."""
    shorter, longer = sorted((first, second), key=len)
    if len(shorter) >= 4 and len(longer) - len(shorter) <= 2 and longer.startswith(shorter):
        return True
    return not _families_of().get(shorter, frozenset()).isdisjoint(_families_of().get(longer, frozenset()))


@lru_cache(maxsize=1)
def _families_of() -> Mapping[str, frozenset[int]]:
    families: dict[str, frozenset[int]] = {}
    for number, family in enumerate(_FAMILIES.strip().splitlines()):
        for word in family.split():
            families[stem(word)] = families.get(stem(word), frozenset()) | {number}
    return families
