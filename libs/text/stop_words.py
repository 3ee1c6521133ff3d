"""English stop words: function words that say little about a text's topic."""
# ruff: noqa: SIM905 - a list of words reads best as words

PERSONAL_PRONOUNS = frozenset(
    """
    i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers
    herself it its itself they them their theirs themselves
    """.split()
)
THIRD_PERSON_PRONOUNS = frozenset(
    "he him his himself she her hers herself it its itself they them their theirs themselves".split()
)
"""Pronouns that refer to an antecedent."""

DEMONSTRATIVES = frozenset("this that these those there".split())
QUESTION_WORDS = frozenset("what which who whom whose when where why how".split())

STOP_WORDS = (
    PERSONAL_PRONOUNS
    | DEMONSTRATIVES
    | QUESTION_WORDS
    | frozenset(
        """
        a an the and or but nor so yet if because as until while than then too very also just only even still not no
        of at by for with about against between into through during before after above below to from up down in out on
        off over under again further once here all any both each few more most other some such own same
        is am are was were be been being isn't aren't wasn't weren't have has had having haven't hasn't hadn't do does
        did doing don't doesn't didn't can could can't cannot couldn't may might must shall should shouldn't will would
        won't wouldn't ought i'm you're he's she's it's we're they're i've you've we've they've i'd you'd he'd she'd
        we'd they'd i'll you'll he'll she'll we'll they'll that's who's what's here's there's when's where's why's how's
        let let's please tell us me
        """.split()
    )
)
"""Lower-cased, with the straight apostrophe."""
