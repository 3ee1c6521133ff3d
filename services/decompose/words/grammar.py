"""English function words by their role in a question, and verbs with their forms. Words are lower-cased."""
# ruff: noqa: SIM905 - word lists are easier to read as strings

from functools import lru_cache

AUXILIARIES = frozenset(
    """
    is are am was were be been being do does did has have had can could will would shall should may might must
    isn't aren't wasn't weren't don't doesn't didn't hasn't haven't hadn't can't couldn't won't wouldn't shouldn't
    what's who's where's when's how's it's that's there's
    """.split()
)
DO_SUPPORT = frozenset("do does did don't doesn't didn't".split())
BE_FORMS = frozenset("is are was were isn't aren't wasn't weren't what's who's where's when's how's".split())
WH_WORDS = frozenset("what which who whom whose when where why how what's who's where's when's how's".split())
ARTICLES = frozenset("a an the".split())
DEMONSTRATIVES = frozenset("this that these those".split())
POSSESSIVES = frozenset("my our your his her its their".split())
QUANTIFIERS = frozenset("some any all each every both no another other".split())
DETERMINERS = ARTICLES | DEMONSTRATIVES | POSSESSIVES | QUANTIFIERS
PREPOSITIONS = frozenset(
    "of in on at to for from with by about into near during after before under over between against without on "
    "within through around since until till per among toward towards across via outside inside onto".split()
)
SPEAKERS = frozenset("i we you one someone anyone people".split())
CLAUSE_OPENERS = frozenset(
    "and but or if when because while although though unless since that which who whom where whether so until".split()
)
"""Words that may begin another clause within a sentence."""

IT = frozenset("it its itself".split())
THEY = frozenset("they them their theirs themselves".split())
HE_SHE = frozenset("he him his himself she her hers herself".split())
POSSESSIVE_PRONOUNS = frozenset("its their theirs his her hers".split())

ADVERBS = frozenset(
    "long much many often far old big soon well long fast first last also too instead ever really actually exactly "
    "currently originally apart usually else again still already early late today tomorrow yesterday now right".split()
)
"""Words that do not begin a noun phrase."""
QUALITIES = frozenset(
    "high heavy tall large small little deep wide broad thick thin narrow strong weak hot cold warm bright dark loud "
    "quiet light hard easy difficult simple complex cheap expensive costly common rare safe dangerous important likely "
    "accurate fast quick slow young new close near short low poor rich popular good bad serious different similar long "
    "sensitive severe stable sure certain widespread frequent healthy clean dirty dense".split()
)
"""Adjectives whose degree "how" asks for."""
_QUALITY_ENDINGS = ("able", "ible", "ful", "ous", "ive")
PERSON_TITLES = frozenset(
    "president king queen author director founder inventor commander captain astronaut pilot scientist writer singer "
    "actor actress artist minister manager lawyer doctor teacher engineer player coach man woman person".split()
)
DEICTIC_TIMES = frozenset(
    "year week month morning evening afternoon night summer winter spring autumn fall century decade season quarter "
    "weekend day days years weeks months semester".split()
)
"""After "this" or "these", they are resolved by the calendar, not by the conversation."""

MONTHS = frozenset("january february march april may june july august september october november december".split())
UNITS = frozenset(
    "km miles mile meters metres feet percent dollars euros hours minutes days weeks months years".split()
)

BASE_VERBS = frozenset(
    """
    accept add affect allow appear apply arrive ask avoid base be bear become begin belong break bring build burn buy
    calculate call cancel capture carry cause change charge check choose claim clean close collect come compare compete
    complete conduct configure connect consider contain continue control convert cook cost cover crash create damage
    decide declare defeat define delete deliver deploy depend describe design destroy develop die differ direct discover
    do donate download drink drive drop earn eat elect enable end enter establish exist expect expire explain explode
    explore export fail fall feel file fill find finish fix flow fly follow forget form found fund gain get give go
    govern grow handle happen have head hear help hire hit hold host import improve include increase influence inhabit
    inherit install introduce invade invent invest invite issue join jump keep kill know land last launch lead learn
    leave lend lie like list live look lose love made make manage manufacture marry matter mean measure meet merge mine
    move name need occur offer open operate orbit order organise organize originate owe own pay perform plan play point
    prepare prevent process produce pronounce protect prove provide publish pull purchase push put qualify raise reach
    read receive recommend record recover reduce refund register release remain remove renew rent repair replace report
    request require reset restore result retire return reveal rise run save say see sell send serve set share show
    sign sing sit sleep speak spend spread stand start stay stop store study submit subscribe succeed suffer support
    survive switch take talk teach tell test think track trade train transfer translate travel treat try turn understand
    update upgrade use visit vote wait walk want watch wear weigh win wish withdraw work worry write
    """.split()
)
_IRREGULAR_FORMS = {
    "began": "begin", "begun": "begin", "bore": "bear", "born": "bear", "bought": "buy", "broke": "break",
    "broken": "break", "brought": "bring", "built": "build", "came": "come", "chose": "choose", "chosen": "choose",
    "became": "become", "did": "do", "done": "do", "drew": "draw", "drove": "drive", "driven": "drive", "ate": "eat",
    "eaten": "eat", "fell": "fall", "fallen": "fall", "felt": "feel", "flew": "fly", "flown": "fly", "forgot": "forget",
    "gave": "give", "given": "give", "got": "get", "gone": "go", "grew": "grow", "grown": "grow", "had": "have",
    "has": "have", "heard": "hear", "held": "hold", "kept": "keep", "knew": "know", "known": "know", "led": "lead",
    "left": "leave", "lost": "lose", "meant": "mean", "met": "meet", "paid": "pay", "ran": "run", "rose": "rise",
    "risen": "rise", "said": "say", "sang": "sing", "sat": "sit", "saw": "see", "seen": "see", "sent": "send",
    "shown": "show", "slept": "sleep", "sold": "sell", "spent": "spend", "spoke": "speak", "stood": "stand",
    "taken": "take", "taught": "teach", "thought": "think", "told": "tell", "took": "take", "understood": "understand",
    "went": "go", "won": "win", "wore": "wear", "written": "write", "wrote": "write", "dying": "die", "lying": "lie",
}  # fmt: skip
IMPERATIVES = frozenset(
    "list compare describe explain tell show give find name define summarise summarize calculate translate write "
    "help recommend suggest contrast outline".split()
)
PARTICIPLES = frozenset(form for form, base in _IRREGULAR_FORMS.items() if form not in {base, "has", "did", "had"})


def is_quality(word: str) -> bool:
    """Whether a lower-cased word is a gradable adjective."""
    return word in QUALITIES or word.endswith(_QUALITY_ENDINGS)


@lru_cache(maxsize=8192)
def base_form(word: str) -> str | None:
    """Return the base form of a known verb, from any of its forms; None for other words."""
    if word in BASE_VERBS:
        return word
    if word in _IRREGULAR_FORMS:
        return _IRREGULAR_FORMS[word]
    return next((base for base in _candidates(word) if base in BASE_VERBS), None)


def is_past_form(word: str) -> bool:
    """Whether a word is a past tense or past participle of a known verb: `landed`, `built`, `won`."""
    base = base_form(word)
    return base is not None and base != word and (word.endswith("ed") or word in PARTICIPLES)


def _candidates(word: str) -> list[str]:
    """Possible base forms of a regular form: launches, tries, stopped, moving."""
    forms = []
    for ending in ("ing", "ed", "es", "s", "d"):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            root = word[: -len(ending)]
            forms += [root, root + "e"] + ([root[:-1]] if root[-1:] == root[-2:-1] else [])
            if root.endswith("i"):
                forms.append(root[:-1] + "y")
    return forms
