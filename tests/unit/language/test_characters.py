"""One form for what is searched and compared, and nothing unseen in what is shown."""

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


@pytest.mark.parametrize("text", [f"می{NON_JOINER}شود", f"क्{JOINER}ष", f"👩{JOINER}🔧", "❤\ufe0f", "plain"])
def test_what_shapes_the_sign_before_it_stays(text: str) -> None:
    assert without_unseen(text) == text
    assert len(without_ignorable(text)) <= len(text)
