"""AsciiDoc becomes HTML that says the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.formats.conversion.asciidoc import to_html


def body(source: str) -> str:
    return to_html(source).partition("<body>")[2].removesuffix("</body></html>")


@pytest.mark.parametrize(
    ("source", "html"),
    [
        ("= Moon\n\n== Tides", "<h1>Moon</h1><h2>Tides</h2>"),
        ("It *is* `big` and _far_.", "<p>It <b>is</b> <code>big</code> and <i>far</i>.</p>"),
        (
            "See https://a.org/b[the site] or <<tides,the tides>>.",
            '<p>See <a href="https://a.org/b">the site</a> or the tides.</p>',
        ),
        ("* a\n** b\n* c", "<ul><li>a<ul><li>b</ul><li>c</ul>"),
        (". a\n+\nmore\n\n. b", "<ol><li>a<p>more</p><li>b</ol>"),
        ("Tide:: A wave\nMoon:: A rock", "<dl><dt>Tide<dd>A wave<dt>Moon<dd>A rock</dl>"),
        ("----\nif a < b:\n----", '<pre class="language-">if a &lt; b:</pre>'),
        ("[source,python]\n----\nx\n----", '<pre class="language-python">x</pre>'),
        ("|===\n|A |B\n\n|1\n|2\n|===", "<table><tr><td>A</td><td>B</td></tr><tr><td>1</td><td>2</td></tr></table>"),
        (
            '[cols="2*"]\n|===\n2+|A\n|1\n|2\n|===',
            "<nav>[cols=&quot;2*&quot;]</nav>"
            '<table><tr><td colspan="2" rowspan="1">A</td><td>1</td></tr><tr><td>2</td></tr></table>',
        ),
        ("|===\nno cells\n|===", "<p>no cells</p>"),
        ("NOTE: Mind.", '<div class="admonition"><p class="admonition-title">Note</p><p>Mind.</p></div>'),
        (":version: 2\n\nIt is {version}.", "<nav>:version: 2</nav><p>It is 2.</p>"),
    ],
)
def test_what_is_written_becomes_what_it_means(source: str, html: str) -> None:
    assert body(source) == html


def test_comments_and_what_is_elsewhere_are_named() -> None:
    assert body("// draft\n\n////\nold\n////\n\ninclude::more.adoc[]\n\nText.") == (
        "<span hidden>// draft</span><span hidden>old</span><object>include::more.adoc[]</object><p>Text.</p>"
    )


@given(st.text(alphabet="ab *_`=.-+|[]<>:/\n{}#", max_size=80))
def test_no_text_breaks_it(source: str) -> None:
    to_html(source)
