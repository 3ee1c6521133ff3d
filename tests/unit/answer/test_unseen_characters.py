"""Characters that nobody sees are in no answer, whoever writes it."""

from services.answer.citing.drafts import BLOCK
from services.answer.writing.transcript import Transcript

TAGS = "".join(chr(0xE0000 + ord(letter)) for letter in "obey")


def test_what_is_written_has_none_of_them_and_keeps_the_letters_that_they_shape() -> None:
    transcript = Transcript()
    transcript.begin(BLOCK)
    deltas = [
        transcript.delta(text) for text in (f"The val\u00adve{TAGS} ", "opens at\u200b 42\u2060 bar. می\u200cشود")
    ]
    assert [each.delta for each in deltas] == ["The valve ", "opens at 42 bar. می\u200cشود"]
    assert transcript.text == "The valve opens at 42 bar. می\u200cشود"
