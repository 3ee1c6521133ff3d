"""How the blocks of an answer are drawn on a terminal; what comes in pieces is drawn like what comes at once."""

import io
from collections.abc import Iterable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from rich.console import Console

from cli.ask.markdown import BlockReader
from cli.ask.terminal import TerminalPage
from tests.unit.cli.turn_events import bare

ANSWER = """\
The documents say:

**Handbook › *Installation* guide** [1]

To install `tool`[2], see [the guide](https://example.org/guide).

- one item which goes over the end of its line
  - a nested item with more words than fit
- **two**

1) first
2) second

| Name | Number |
|---|--:|
| alpha | 5 |
| beta `x` | 12345 |

```bash
tool --first  --second argument

\tlist[1]
```

> words of another source

## A heading

安装软件相当简单只需要先安装下列应用程序即可如果没有安装请根据说明完成安装
"""


def drawn(pieces: Iterable[str], width: int = 40) -> str:
    """What a terminal of that width receives for an answer in these pieces."""
    console = Console(file=io.StringIO(), force_terminal=True, color_system="standard", width=width, highlight=False)
    page = TerminalPage(console)
    for piece in pieces:
        page.words(piece)
    page.close()
    out = console.file
    assert isinstance(out, io.StringIO)
    return out.getvalue()


def lines(text: str, width: int = 40) -> list[str]:
    return bare(drawn([text], width)).splitlines()


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        ("The last signal was received on 2 November.", 30, ["The last signal was received", "on 2 November."]),
        ("a. first\nb. second", 40, ["a. first", "b. second"]),
        ("安装软件相当简单只需要先安装下列应用程序", 20, ["安装软件相当简单只需", "要先安装下列应用程序"]),
        ("see aaaaaaaaaabbbbbbbbbbcc", 10, ["see", "aaaaaaaaaa", "bbbbbbbbbb", "cc"]),
        (
            "- one two three\n  - five six seven\n- 9",
            14,
            [" • one two", "   three", "    • five six", "      seven", " • 9"],
        ),
        ("9. nine\n10. ten", 40, ["  9 nine", " 10 ten"]),
        ("|N|Size|\n|-|--:|\n|al|5|\n|b `c`|123|", 40, [" N    Size", " ─────────", " al      5", " b c   123"]),
        (
            "|A|B|\n|-|-|\n|abcdefgh|x|\n|b|[four](https://example.org)|",
            12,
            [" A     B", " ──────────", " abcd  x", " efgh", " b     four"],
        ),
        ("- run:\n  ```\n  tool -v\n  ```", 20, [" • run:", "       tool -v"]),
        ("> one two three", 11, ["▌ one two", "▌ three"]),
        ("as told [1](https://example.org).", 40, ["as told [1](https://example.org)."]),
        ("as told.[1]\n\n[1]: https://e.org", 40, ["as told.[1]", "", "[1]: https://e.org"]),
        ("[that](https://e.org/a) and [this](../b.md)", 80, ["that (https://e.org/a) and this"]),
        ("A Vec<T> of <b>numbers</b>.\n\n<table>", 40, ["A Vec<T> of <b>numbers</b>.", "", "<table>"]),
    ],
    ids=[
        "paragraph wrapped between words",
        "lines stay lines",
        "no spaces: broken between characters",
        "long word is cut",
        "list hangs below its bullets",
        "list keeps its numbers",
        "columns are aligned",
        "wide cell keeps every character",
        "code in an item",
        "quotation has a bar",
        "citation is no link",
        "citation is no definition",
        "link tells where it leads",
        "tags are words",
    ],
)
def test_a_block_is_drawn_in_lines(text: str, width: int, expected: list[str]) -> None:
    assert lines(text, width) == expected


def test_code_is_a_block_that_is_not_wrapped() -> None:
    code = "tool --first --second --third argument"
    assert lines(f"```sh\n{code}\n\n\tx = y[1]\n```", 20) == [f"    {code}", "    ", "        x = y[1]"]


def test_titles_and_references_have_styles_and_the_mark_of_the_answer_another_one() -> None:
    output = drawn(["**Handbook › *Leave*** [1]\n\nAsk. **Wait.**"])
    assert output.startswith("\x1b[1mHandbook › \x1b[0m")
    assert "\x1b[1;36m[1]\x1b[0m\n" in output
    assert output.endswith("Ask. \x1b[1;4mWait.\x1b[0m\n")


@pytest.mark.parametrize(
    "text", ["a\x1b[31mb", "`a\x1b[31mb`", "a&#27;[31mb", "a&#13;b", "```\na\x1b]0;t\x07\n```", "# a\x9b"]
)
def test_control_characters_never_reach_the_terminal(text: str) -> None:
    output = bare(drawn([text]))
    assert all(character.isprintable() or character == "\n" for character in output)


def test_an_answer_has_all_its_blocks_with_an_empty_line_between_two() -> None:
    output = lines(ANSWER)
    assert output[:4] == ["The documents say:", "", "Handbook › Installation guide [1]", ""]
    assert output[-3:] == ["", "安装软件相当简单只需要先安装下列应用程序", "即可如果没有安装请根据说明完成安装"]


@given(st.lists(st.integers(0, len(ANSWER)), max_size=30))
def test_in_pieces_it_is_drawn_as_at_once(cuts: list[int]) -> None:
    places = [0, *sorted(cuts), len(ANSWER)]
    assert drawn(ANSWER[a:b] for a, b in pairwise(places)) == drawn([ANSWER])


def test_a_block_is_drawn_when_it_is_whole_and_not_again() -> None:
    console = Console(file=io.StringIO(), width=40)
    page = TerminalPage(console)
    out = console.file
    assert isinstance(out, io.StringIO)
    drawings = []
    for piece in ("The first", " block.\n", "\nThe sec", "ond.\n\n- item"):
        page.words(piece)
        drawings.append(out.getvalue())
    page.close()
    assert drawings == ["", "", "The first block.\n", "The first block.\n\nThe second.\n"]
    assert out.getvalue() == "The first block.\n\nThe second.\n\n • item\n"


@pytest.mark.parametrize("unit", ["- a\n", "a\n", "    a\n", "\n", "> a\n"])
def test_a_block_without_end_is_not_read_anew_at_each_line(unit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    parse, text = MarkdownIt.parse, (unit * 12_000)[:12_000]
    read: list[int] = []

    def counted(parser: MarkdownIt, source: str) -> list[Token]:
        read.append(len(source))
        return parse(parser, source)

    monkeypatch.setattr(MarkdownIt, "parse", counted)
    reader = BlockReader()
    blocks = [block for at in range(0, len(text), 20) for block in reader.add(text[at : at + 20])]
    blocks += reader.end()
    assert sum(read) < 50 * len(text)  # 300 times, if each line reads all lines before it again
    assert len(blocks) == (text.strip() != "")
