"""Things of one kind that exclude each other: `basalt` is not `granite`, an `engineer` not a `journalist`.

Unlike the synonyms of `related_words`, the words on one line occur in the same places but mean different things; words
between two bars mean the same. General English only, by stems; a word with several senses is left out unless the line
makes its sense clear.
"""

from collections.abc import Mapping
from functools import lru_cache

from services.answer.lexicon.words import stems_of

_KINDS = """
hydrogen | helium | nitrogen | oxygen | argon | neon | krypton | xenon | methane | ammonia | chlorine | fluorine | ozone
dioxide | monoxide | peroxide
uranium | plutonium | polonium | thorium | radium | potassium | sodium | calcium | lithium | caesium
iron steel | copper | gold | silver | lead | tin | zinc | nickel | aluminium aluminum | titanium | platinum | tungsten |
    mercury | bronze | brass
silica | sulphur sulfur | carbon | silicon | phosphorus
perchlorate | sulphate sulfate | nitrate | carbonate | phosphate | chloride
basalt | granite | limestone | sandstone | marble | slate | chalk
cloth fabric | leather | cardboard | wood wooden | glass | rubber | plastic | ceramic | concrete | paper
wool woollen | cotton | silk | linen | nylon
camera | laser | microscope | telescope | radar | spectrometer | seismometer | magnetometer | thermometer | barometer
engineer | journalist reporter | doctor physician | lawyer attorney | teacher | farmer | soldier | priest | nurse |
    painter | musician | chemist | biologist | geologist | astronomer
king | queen | emperor | president | mayor | governor | senator | ambassador
father | mother | brother | sister | son | daughter | uncle | aunt | grandfather | grandmother | nephew | niece
husband | wife
potato | tomato | wheat | rice | barley | maize | cotton | apple | grape | banana
dog | cat | horse | cow | sheep | goat | pig | rabbit | monkey | mouse | rat
comet | asteroid | galaxy | nebula | planet
newton | joule | watt | volt | ampere | pascal
red | blue | green | yellow | purple | orange
temperature | pressure | humidity
river | mountain | desert | island
monday | tuesday | wednesday | thursday | friday | saturday | sunday
winter | spring | summer | autumn
breakfast | lunch | dinner
truck | bicycle | aeroplane airplane aircraft | ship | train | helicopter
"""


@lru_cache(maxsize=1)
def siblings() -> Mapping[str, frozenset[str]]:
    """Map a stem to those of the other things of its kind."""
    siblings_by_stem: dict[str, frozenset[str]] = {}
    for line in _KINDS.strip().replace("|\n", "|").splitlines():
        things = [frozenset(stems_of(thing)) for thing in line.split("|")]
        all_stems = frozenset().union(*things)
        for thing in things:
            for stem in thing:
                siblings_by_stem[stem] = siblings_by_stem.get(stem, frozenset()) | (all_stems - thing)
    return siblings_by_stem
