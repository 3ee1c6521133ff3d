"""Which language a short text is in, by its script and its little words; a guess, and None where it would be a toss-up.

A question has five to fifteen words, too few for statistics of letters, and enough for articles, question words and
prepositions: these are told apart by counting. Words that several languages have count for each of them.
"""

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

import regex

UNKNOWN: Final = "und"
"""ISO 639-2 for a language that can't be told: here, one that is surely none of those we know words of."""
_SCRIPTS: Final = (
    ("ja", regex.compile(r"[\p{Hiragana}\p{Katakana}]")),
    ("ko", regex.compile(r"\p{Hangul}")),
    ("zh", regex.compile(r"\p{Han}")),
    ("uk", regex.compile(r"[іїєґІЇЄҐ]")),
    ("ru", regex.compile(r"\p{Cyrillic}")),
    ("el", regex.compile(r"\p{Greek}{2}")),
    ("ar", regex.compile(r"\p{Arabic}")),
    ("he", regex.compile(r"\p{Hebrew}")),
    ("hi", regex.compile(r"\p{Devanagari}")),
    ("th", regex.compile(r"\p{Thai}")),
)
"""Scripts that tell the language, or its likeliest one; the first that has most of the letters."""
_WORDS: Final[Mapping[str, str]] = {
    "en": """the a an of and or to in on at for from with by about is are was were be been do does did has have had can
        could will would should may might what who whom whose which when where why how this that these those it its he
        she they we you i me my your our their his her not no there any some if than then as into over after before
        please tell give explain describe many much long far""",
    "es": """el la los las un una unos unas de del al y o en con por para sin sobre entre hasta desde es son fue fueron
        era ser está están hay ha han había qué que quién quiénes cuál cuáles cuándo cuánto cuánta cuántos cuántas dónde
        cómo como por se su sus lo le les mi mis tu me no sí más cuando este esta ese esa primero primera después antes
        puedo puede tiene tengo hizo llegó""",
    "fr": """le la les un une des de du d' l' et ou à au aux en dans sur avec pour par sans entre est sont était fut ont
        a-t-il a-t-elle été être qui que qu' quoi quel quelle quels quelles quand où comment pourquoi combien ce cette
        ces il elle ils elles on nous vous je mon ma mes son sa ses ne pas plus y c'est est-ce s'est s' n' après avant
        depuis quels""",
    "de": """der die das den dem des ein eine einen einem einer und oder in im am an auf mit für von vom zu zum zur bei
        aus nach über unter ist sind war waren wird wurde wurden hat haben kann können wer was wann wo warum wieso wie
        wieviel welche welcher welches wohin es er sie wir ihr ich mein meine sein nicht kein keine auch noch viele
        lange""",
    "it": """il lo la i gli le un uno una di del dello della dei degli delle e o a al alla ai in nel nella con per da
        dal dalla su sul sulla è sono era fu furono ha hanno che chi cosa quale quali quando dove come perché quanto
        quanti quante si non più mio mia suo sua io questo questa c'è cos'è qual l' d' dopo prima stato stata""",
    "pt": """o a os as um uma uns umas de do da dos das e ou em no na nos nas com por para pelo pela sem sobre é são foi
        foram era ser está há que quem qual quais quando onde como porque quanto quantos quantas se não mais meu minha
        seu sua eu isto este esta esse essa depois antes ao à teve""",
    "nl": """de het een en of in op aan met voor van naar bij uit over onder is zijn was waren werd wordt heeft hebben
        had kan kunnen wie wat wanneer waar waarom hoe welke hoeveel dit dat deze die ik je u hij zij wij mijn niet geen
        ook nog er te""",
    "pl": """i w we z ze na do od o po przez dla jest są był była było były być kto co kiedy gdzie dlaczego jak jaki
        jaka jakie który która które ile czy się nie tak to ten ta te mój moja jego jej ich""",
    "sv": """och i på av för med till från om är var har hade kan ska vem vad när var varför hur vilken vilket vilka
        den det de en ett som inte jag du han hon vi min mitt sin många""",
    "da": """og i på af for med til fra om er var har havde kan skal hvem hvad hvornår hvor hvorfor hvordan hvilken
        hvilket hvilke den det de en et som ikke jeg du han hun vi min mit sin mange""",
    "tr": """ve bir bu şu o ile için de da mi mı mu mü ne kim nasıl neden niçin nerede zaman hangi kaç var yok değil
        olan olarak en çok gibi daha sonra önce""",
}
_WORD = regex.compile(r"[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*['’]?")
_ELIDED = regex.compile(r"\A(?:[cdjlmnst]|qu)['’](?=\w)", regex.IGNORECASE)


def detect_language(text: str) -> str | None:
    """The language of a text as an ISO 639-1 code, `UNKNOWN` for a surely foreign one, None where it can't be told.

    Known by their words are English, Spanish, French, German, Italian, Portuguese, Dutch, Polish, Swedish, Danish and
    Turkish; by their script Chinese, Japanese, Korean, Russian, Ukrainian, Greek, Arabic, Hebrew, Hindi and Thai.
    """
    if (by_script := _by_script(text)) is not None:
        return by_script
    words = [form for match in _WORD.finditer(text) for form in _forms(match[0].lower().replace("’", "'"))]
    counts = Counter(language for word in words for language in _languages_of().get(word, ()))
    if text.lstrip().startswith("¿"):
        counts["es"] += 1
    best = counts.most_common(2)
    if not best:
        return UNKNOWN if any(ord(letter) > 0x7F for word in words for letter in word) and len(words) > 2 else None
    return best[0][0] if len(best) == 1 or best[0][1] > best[1][1] else None


def _by_script(text: str) -> str | None:
    letters = sum(map(str.isalpha, text))
    for language, script in _SCRIPTS:
        if script.search(text) and 2 * len(regex.findall(r"[^\p{Latin}\P{L}]", text)) > letters:
            return language
    return None


def _forms(word: str) -> tuple[str, ...]:
    """The word, and what an elision joins in it: `l'homme` is `l'` and `homme`."""
    elided = _ELIDED.match(word)
    return (word, elided[0], word[elided.end() :]) if elided else (word,)


@lru_cache(maxsize=1)
def _languages_of() -> Mapping[str, tuple[str, ...]]:
    index: dict[str, tuple[str, ...]] = {}
    for language, listed in _WORDS.items():
        for word in dict.fromkeys(listed.split()):
            index[word] = (*index.get(word, ()), language)
    return index
