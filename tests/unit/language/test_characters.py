"""One form for what is searched and compared, and nothing unseen in what is shown."""

from itertools import cycle

import pytest

from libs.language.analysis import terms_of
from libs.language.characters import without_ignorable, without_unseen
from libs.text.tokens import words

SOFT, ZERO_WIDTH, JOINER, NON_JOINER = "\u00ad", "\u200b", "\u200d", "\u200c"
TAGS = "".join(chr(0xE0000 + ord(letter)) for letter in "hidden")


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        (f"Wort{SOFT}trennung", "Worttrennung"),
        (f"zero{ZERO_WIDTH}width", "zerowidth"),
        (f"val{TAGS}ve", "valve"),
        ("٢٠٢٤", "2024"),
        ("२०२४", "2024"),
        ("۱۲.۳.۱", "12.3.1"),
        ("Ｐｕｍｐ", "Pump"),
        ("ﬁle", "file"),
        ("ﾊﾞﾙﾌﾞ", "バルブ"),
        ("کتاب", "كتاب"),
        (f"می{NON_JOINER}شود", "ميشود"),
        ("हिन्दी", "हिंदी"),
        ("हिँदी", "हिंदी"),
    ],
)
@pytest.mark.parametrize("language", ["en", "de", ""])
def test_a_term_is_the_same_in_each_of_its_spellings(written: str, plain: str, language: str) -> None:
    assert terms_of(written, language) == terms_of(plain, language)


@pytest.mark.parametrize(("written", "plain"), [("٢٠٢٤", "2024"), ("Ｐｕｍｐ", "pump"), ("کتاب", "كتاب")])
def test_what_is_checked_is_compared_in_the_same_form(written: str, plain: str) -> None:
    assert words(f"{written[:1]}{SOFT}{written[1:]}", "en") == (plain,)


def test_a_fraction_and_a_power_are_no_longer_numbers() -> None:
    assert words("2½ m²", "en") == ("2½", "m²")


def test_nothing_that_nobody_sees_is_shown() -> None:
    text = f"Wort{SOFT}trennung, zero{ZERO_WIDTH}width, Zo{JOINER}e{TAGS}, \u202eleft\u202c."
    assert without_unseen(text) == "Worttrennung, zerowidth, Zoe, left."
    assert without_unseen("❤\ufe0f" + "\ufe01" * 40) == "❤\ufe0f"


def hidden(signs: str) -> list[str]:
    """Places where signs could carry what only a machine reads: behind words, between letters, one each, many."""
    letters = "valveمیकष字❤1"
    between = "".join(letter + sign for letter, sign in zip("The valve", cycle(signs), strict=False))
    return [f"valve{signs}", f"{signs}valve", between, *(f"{letter}{signs * 3}" for letter in letters)]


@pytest.mark.parametrize(
    "signs",
    [
        pytest.param(TAGS, id="tags"),
        pytest.param("".join(map(chr, range(0xE0100, 0xE01F0))), id="ideographic selectors"),
        pytest.param("".join(map(chr, range(0xFE00, 0xFE10))), id="selectors"),
        pytest.param(f"{JOINER}{NON_JOINER}{NON_JOINER}{JOINER}", id="joiners"),
        pytest.param("\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069", id="directions"),
        pytest.param("\u2060\u2061\u2062\u2063\u2064\u206a\u206f", id="operators"),
        pytest.param("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\ufeff\U0001d173", id="fillers"),
        pytest.param("\u180b\u180c\u180d\u180e\u180f", id="Mongolian selectors"),
        pytest.param("\ufff9\ufffa\ufffb", id="annotations"),
        pytest.param("\U00013430\U00013439\U0001343f", id="joiners of hieroglyphs"),
        pytest.param("\x00\x08\x1b\x1f\x7f\x80\x9b\x9f", id="controls"),
        pytest.param("\ufdd0\ufffe\uffff\U0001fffe\U000e0080\U000e0fff", id="no characters"),
    ],
)
def test_at_most_one_of_them_stays_at_a_letter_that_it_may_shape(signs: str) -> None:
    for text in hidden(signs):
        left = [sign for sign in without_unseen(text) if sign in signs]
        assert len(left) <= sum(letter in "میकष字❤" for letter in text), repr(text)
    assert without_unseen(f"The valve{signs} opens. {signs}") == "The valve opens. "


@pytest.mark.parametrize(
    "text",
    [
        *(
            f"می{NON_JOINER}شود",
            f"क्{JOINER}ष",
            f"👩{JOINER}🔧",
            "❤\ufe0f",
            "plain",
            f"क्{NON_JOINER}ष",
            "葛\U000e0100城",
        ),
        *(
            f"👩🏽{JOINER}🔬",
            f"❤\ufe0f{JOINER}🔥",
            f"🏳\ufe0f{JOINER}⚧\ufe0f",
            "1\ufe0f\u20e3",
            "☺\ufe0e",
            "≨\ufe00",
            "ᠠ\u180b",
        ),
        *(f"හ්{JOINER}ර", f"ന്{JOINER}", "a\tb\r\nc\fd", "שָׁלוֹם", "ไม่", "\u200a\u3000", "ক্\u200cষ"),
    ],
)
def test_what_shapes_the_sign_before_it_stays(text: str) -> None:
    assert without_unseen(text) == text
    assert len(without_ignorable(text)) <= len(text)
