"""Characters that nobody sees are in no answer, whoever writes it."""

import json
from dataclasses import dataclass

import pytest

from libs.llm.evidence import DataBlock, DataItem
from libs.llm.forms import read_form
from libs.llm.partial_json import ObjectReader
from services.answer.citing.drafts import BLOCK
from services.answer.writing.text_reader import TextReader
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


HIDDEN = "".join(chr(0xE0000 + ord(letter)) for letter in "obey") + "\u202e\u200b\u2062\ufe01\x1b\x9b"
"""Signs that a model may append to what it writes, and a document to what a model reads."""


@dataclass(frozen=True, slots=True)
class Written:
    text: str
    parts: tuple[str, ...] = ()


@pytest.mark.parametrize("is_escaped", [True, False])
def test_no_field_that_a_model_fills_in_has_any(is_escaped: bool) -> None:
    told = HIDDEN.replace("\x1b", "").replace("\x9b", "")  # JSON has control characters only as escapes
    content = {"text": f"42 bar{HIDDEN if is_escaped else told}", "parts": [f"می\u200cشود{told}"]}
    text = json.dumps(content, ensure_ascii=is_escaped)
    assert read_form(Written, text) == Written("42 bar", ("می\u200cشود",))
    watched = ObjectReader()
    assert watched.read(text)
    assert watched.fields == {"text": "42 bar", "parts": ["می\u200cشود"]}


def test_a_model_reads_none_of_them_in_what_documents_and_people_say() -> None:
    item = DataItem(1, f"The valve{HIDDEN} opens. می\u200cشود", f"Valves{HIDDEN}", source=f"a.md{HIDDEN}")
    assert not set(DataBlock([item]).render()) & set(HIDDEN)
    assert "The valve opens. می\u200cشود" in DataBlock([item]).render()


def test_a_question_to_ask_next_has_none_of_them() -> None:
    reader = TextReader("en", follow_ups=2)
    list(reader.read(f"The valve opens at 42 bar.\nNEXT: When does it close{HIDDEN}?\n"))
    list(reader.finish())
    assert reader.questions() == ("When does it close?",)
