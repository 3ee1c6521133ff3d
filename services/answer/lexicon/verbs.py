"""Past forms of verbs and their base forms: `landed` -> `Where did … land?`, `driven` -> `drive`.

A list, not rules: an unlisted form makes no question, rather than a wrong one.
"""

from collections.abc import Mapping
from functools import lru_cache

from libs.text.tokens import stem

_REGULAR = """
abandon announce appear appoint approach approve arrive ask assemble attack attempt award begin bring build call cancel
capture carry catch cause celebrate change choose circle claim close collect come compare complete conclude confirm
connect conquer contain contribute cool cover crash create cross dedicate defeat deliver demonstrate describe design
destroy detect determine develop die dig discover drill drive drop elect employ enable end enter establish examine
experience explode explore explain fail fall find finish fire fly follow form found gain gather get give grow happen
help hit improve increase inspire install introduce invade invent join kill land last launch lead learn leave lift list
locate look lose make map mark marry measure meet merge move name need notice observe occupy occur offer open operate
orbit organise organize orient overtake own paint pass perform photograph plan play produce prove provide publish pull
purchase push reach realise realize receive recognise recognize record recover reduce refuse release remain replace
report require rescue return reveal rise roll ruin run sail see sell send separate serve show sign sink split
splash stand start stay stop strike study succeed suffer supply support survive switch take teach tell test think
touch transform transmit travel treat turn undock unite use visit vote walk want warn weigh win withdraw work write
"""
_IRREGULAR = """
began/begin brought/bring built/build caught/catch chose/choose came/come dug/dig drove/drive fell/fall found/find
flew/fly got/get gave/give grew/grow hit/hit led/lead learnt/learn left/leave lost/lose made/make met/meet
overtook/overtake ran/run rose/rise saw/see sold/sell sent/send showed/show sank/sink split/split stood/stand
struck/strike taught/teach took/take told/tell thought/think won/win withdrew/withdraw wrote/write
"""
_PARTICIPLES = """
begun/begin broken/break broke/break chosen/choose driven/drive fallen/fall flown/fly forgotten/forget frozen/freeze
given/give gone/go went/go grown/grow held/hold hidden/hide kept/keep knew/know known/know risen/rise ridden/ride
said/say seen/see shaken/shake shone/shine shown/show spent/spend spoken/speak spoke/speak stuck/stick sunk/sink
swum/swim taken/take thrown/throw threw/throw woken/wake woke/wake worn/wear written/write bought/buy paid/pay laid/lay
died/die dying/die
"""
_NOUNS_TOO = frozenset({"left", "saw", "found", "rose", "felt", "bore", "ground", "wound", "split", "stuck"})
_DOUBLING = frozenset({"drop", "map", "plan", "stop"})


@lru_cache(maxsize=1)
def base_forms() -> Mapping[str, str]:
    """Map each past form to its base form."""
    irregular = dict(pair.split("/") for pair in _IRREGULAR.split())
    bases = set(irregular.values())
    regular = {_past(verb): verb for verb in _REGULAR.split() if verb not in bases or verb == "show"}
    return regular | irregular


@lru_cache(maxsize=1)
def irregular_stems() -> Mapping[str, str]:
    """Map the stem of each irregular form to the stem of its base form, without forms that are also nouns."""
    pairs = (pair.split("/") for pair in (_IRREGULAR + _PARTICIPLES).split())
    return {stem(form): stem(base) for form, base in pairs if form not in _NOUNS_TOO and stem(form) != stem(base)}


def _past(verb: str) -> str:
    if verb.endswith("e"):
        return f"{verb}d"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return f"{verb[:-1]}ied"
    return f"{verb}{verb[-1]}ed" if verb in _DOUBLING else f"{verb}ed"
