"""Exonyms: names that differ between languages, such as countries, months, days and common parts of names.

Countries, months and days come from Unicode's CLDR (through Babel). The rest is a short table for translations between
English, Spanish, French, German, Italian, Portuguese and Dutch.
"""

from functools import lru_cache
from typing import Final

from libs.text.fold import fold

_PARTS_OF_NAMES: Final = """
moon luna lune mond lua maan
earth tierra terre erde terra aarde
sun sol soleil sonne sole zon
world mundial mundo monde mondiale welt mondo wereld
war guerra guerre krieg weltkrieg oorlog wereldoorlog
sea mar mer meer mare zee
river rio fleuve fluss fiume rivier
lake lago lac see meer
mount mountain monte montagne berg
king rey roi koenig konig re rei koning
queen reina reine koenigin konigin regina rainha koningin
church iglesia eglise kirche chiesa igreja kerk
east este est osten leste oost oriente
west oeste ouest westen ovest occidente
south sur sud sueden suden sul zuid
first i primera primer primeira erste erster eerste premiere
second ii segunda segundo zweite zweiter tweede seconde
third iii tercera tercer terceira dritte dritter derde troisieme
new nueva nuevo nouvelle nouveau neu neue neuer nova novo nieuw
god dios dieu gott dio deus
christmas navidad noel weihnachten natale natal kerstmis
easter pascua paques ostern pasqua pascoa pasen
un onu
wall muro mur mauer
kingdom reino royaume koenigreich konigreich regno koninkrijk
english ingles anglais
french frances francais
german aleman allemand deutsch deutsche tedesco alemao duits
dutch holandes neerlandes neerlandais niederlaendisch olandese
"""


def are_exonyms(one: str, other: str) -> bool:
    """Whether two words may be the same part of a name in two languages (`Moon`, `Luna`)."""
    groups = _groups_of()
    return not groups.get(fold(one), frozenset()).isdisjoint(groups.get(fold(other), frozenset()))


def translated_names(
    question: str, language: str, translation: str, into: str
) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words of the question and of its translation that name the same country, month or day; folded."""
    said, told = f" {_spaced(question)} ", f" {_spaced(translation)} "
    pairs = [(name, other) for name, other in _names(language, into) if name in said and other in told]
    ours = frozenset(word for name, _ in pairs for word in name.split())
    theirs = frozenset(word for _, other in pairs for word in other.split())
    return ours, theirs


def _spaced(text: str) -> str:
    return " ".join("".join(c if c.isalnum() else " " for c in fold(text)).split())


@lru_cache(maxsize=1)
def _groups_of() -> dict[str, frozenset[int]]:
    groups: dict[str, frozenset[int]] = {}
    for number, line in enumerate(_PARTS_OF_NAMES.strip().splitlines()):
        for word in line.split():
            groups[word] = groups.get(word, frozenset()) | {number}
    return groups


@lru_cache(maxsize=32)
def _names(language: str, into: str) -> tuple[tuple[str, str], ...]:
    """Return pairs of names in both languages, padded with spaces; none for a language that CLDR does not have."""
    # Imported lazily: the import takes 50 ms, and most questions need no translation.
    from babel import Locale, UnknownLocaleError

    try:
        ours, theirs = Locale.parse(language), Locale.parse(into)
    except (UnknownLocaleError, ValueError):
        return ()
    pairs = [(name, theirs.territories.get(code)) for code, name in ours.territories.items()]
    for kind in ("months", "days"):
        own, others = getattr(ours, kind)["format"]["wide"], getattr(theirs, kind)["format"]["wide"]
        pairs += [(name, others.get(number)) for number, name in own.items()]
    return tuple((f" {_spaced(name)} ", f" {_spaced(other)} ") for name, other in pairs if other)
