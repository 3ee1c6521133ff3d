"""HTML as headings and blocks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.documents.structure import check_structure
from libs.web.pages import NoPage, WebPage, read_page


def page(body: str) -> WebPage:
    return read_page(f"<html><body>{body}</body></html>")


def blocks(body: str) -> list[tuple[str, str]]:
    """Each block's kind and words."""
    page_read = page(body)
    check_structure(page_read.structure, len(page_read.text))
    return [(block.kind.value, block.span.of(page_read.text)) for block in page_read.structure.blocks]


@pytest.mark.parametrize(
    ("body", "expected_blocks"),
    [
        ("<p>One\n two</p><p>Three</p>", [("PARAGRAPH", "One two"), ("PARAGRAPH", "Three")]),
        ("<div>One<br>two<div>Three</div></div>", [("PARAGRAPH", "One\ntwo"), ("PARAGRAPH", "Three")]),
        ("<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>", [("LIST", "- a\n  - b\n- c")]),
        ("<ol start='3'><li>a</li><li><p>b</p></li></ol>", [("LIST", "3. a\n4. b")]),
        ("<pre><code class='language-sh'># run\nmake</code></pre>", [("CODE", "```sh\n# run\nmake\n```")]),
        ("<p>Call <code>stop()</code> now</p>", [("PARAGRAPH", "Call `stop()` now")]),
        ("<blockquote><p>One</p><p>Two</p></blockquote>", [("QUOTATION", "> One\n> Two")]),
        ("<dl><dt>Tide</dt><dd>A wave</dd><dt>Moon</dt></dl>", [("DEFINITION", "- **Tide**: A wave\n- Moon")]),
        ("<figure><img src='a'><figcaption>A probe</figcaption></figure>", [("CAPTION", "A probe")]),
        (
            "<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>",
            [("TABLE", "| A | B |\n| --- | --- |\n| 1 | 2 |")],
        ),
        ("<table><tr><td><p>Words</p></td></tr></table>", [("PARAGRAPH", "Words")]),
        ("<ul><li><h2>Moon</h2><p>Words</p></li></ul>", [("PARAGRAPH", "Words")]),
        ("<p hidden>No</p><p style='display: none'>No</p><p>Yes</p>", [("PARAGRAPH", "Yes")]),
        (
            "<nav><a>Menu</a></nav><p>Yes</p><footer>End</footer>",
            [("FURNITURE", "Menu"), ("PARAGRAPH", "Yes"), ("FURNITURE", "End")],
        ),
        (
            "<table><tr><th rowspan=2>A</th><th colspan=2>B</th></tr><tr><th>C</th><th>D</th></tr>"
            "<tr><td rowspan=2>1</td><td>2</td><td>3</td></tr><tr><td>4</td><td>5</td></tr></table>",
            [("TABLE", "| A | B C | B D |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n| 1 | 4 | 5 |")],
        ),
        (
            "<table><caption>T</caption><tr><td>A<td>B<tr><td><ul><li>1<li>2</ul><td>3</table>",
            [("CAPTION", "T"), ("TABLE", "| A | B |\n| --- | --- |\n| 1 2 | 3 |")],
        ),
        ("<p>It is <math alttext='x^2'><mi>x</mi></math>.</p>", [("PARAGRAPH", "It is $x^2$.")]),
        ("<blockquote>One<p>Two</p><footer>Ann</footer></blockquote>", [("QUOTATION", "> One\n> Two\n> Ann")]),
    ],
)
def test_elements_are_blocks(body: str, expected_blocks: list[tuple[str, str]]) -> None:
    assert blocks(body) == expected_blocks


def test_headings_are_sections_without_their_anchors() -> None:
    structure = page("<h1>Moon<a href='#moon'>¶</a></h1><p>One</p><h3>Tides #</h3><p>Two</p>").structure
    assert [structure.headings(block.section) for block in structure.blocks] == [("Moon",), ("Moon", "Tides")]


def test_code_within_an_item_follows_the_list() -> None:
    body = "<ol><li>Open<pre>open()</pre></li><li>Wait</li></ol>"
    assert blocks(body) == [("LIST", "1. Open\n2. Wait"), ("CODE", "```\nopen()\n```")]


def test_the_part_that_a_page_marks_as_its_own_is_read_alone() -> None:
    words = "Words of the page. " * 9
    assert page(f"<p>Teaser</p><main><p>{words}</p></main>").text == words.strip()
    assert page(f"<p>{words}</p><main><p>Little</p></main>").text == f"{words.strip()}\n\nLittle"


TAGS = st.sampled_from(
    ["p", "div", "ul", "ol", "li", "h2", "table", "tr", "td", "pre", "code", "dl", "dt", "dd", "b", "q"]
)
MARKUP = st.recursive(
    st.text(alphabet="ab #|-*`\n", max_size=6),
    lambda inner: st.tuples(TAGS, st.lists(inner, max_size=3)).map(lambda e: f"<{e[0]}>{''.join(e[1])}</{e[0]}>"),
    max_leaves=12,
)


@given(MARKUP)
def test_whatever_stands_in_whatever_the_structure_fits_the_text(markup: str) -> None:
    try:
        page_read = page(markup)
    except NoPage:
        return
    check_structure(page_read.structure, len(page_read.text))


def test_a_list_of_links_within_the_page_is_furniture() -> None:
    inward = "<ul><li><a href='#start'>Start</a><ul><li><a href='#end'>End</a></li></ul></li></ul>"
    assert blocks(inward) == [("FURNITURE", "- Start\n  - End")]
    assert blocks(inward.replace("#end", "end.html"))[0][0] == "LIST"
    assert blocks(inward.replace("End</a>", "End</a> of all"))[0][0] == "LIST"
