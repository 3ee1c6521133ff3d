"""What only a site generator understands is taken out of Markdown; the author's words and code stay."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.formats.markup import clean_markdown


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("Made by {{ page.author }}{% include foot.html %}.", "Made by ."),
        ("{% raw %}As it is.{% endraw %}", "As it is."),
        ("One.<!-- two\nthree --> Four.", "One. Four."),
        ("# Moon {#moon}\n\nIt{:.big} circles.", "# Moon\n\nIt{:.big} circles."),
        ("Orbits\n{: .note }\n", "Orbits"),
        ("<div align='center'>Moon</div>\n<p>Tide</p>", "Moon\n\n\nTide"),
        ("a<br/>b", "a b"),
        ("Caf&eacute;&nbsp;&copy; &lt;b&gt;", "Café © `<b>`"),
        ("[[Moon|the moon]] and [[Mars]]", "the moon and Mars"),
        ("[![Build](https://x.org/b.svg)](https://x.org) Works.", "Works."),
        ("[![Build][badge]][builds] Works.\n\n[badge]: https://x.org/b.svg", "Works.\n\n[badge]: https://x.org/b.svg"),
        ("<a href='https://x.org'>\n\n![A probe](a.png)\n\n</a>", "![A probe](a.png)"),
        ("one\n\n\n\n\n\ntwo\n", "one\n\n\ntwo"),
    ],
)
def test_what_is_no_word_of_the_author_is_taken_out(source: str, text: str) -> None:
    assert clean_markdown(source).strip() == text


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("See [the guide](../guide.md#start).", "See the guide."),
        ("See [the site](https://example.org).", "See [the site](https://example.org)."),
        ("Write to [Ann](mailto:ann@example.org).", "Write to [Ann](mailto:ann@example.org)."),
        ('<a href="https://example.org">out</a>, <a href="/in">in</a>', "[out](https://example.org), in"),
        ("![A probe](probe.png)", "![A probe](probe.png)"),
    ],
)
def test_links_out_of_the_site_stay_and_those_within_it_become_their_words(source: str, text: str) -> None:
    assert clean_markdown(source) == text


def test_a_list_of_nothing_but_links_to_its_own_page_keeps_them_for_the_structure_to_know_it_by() -> None:
    source = "- [Start](#start)\n  - [`End`](#end)\n\nSee [the end](#end)."
    assert clean_markdown(source) == "- [Start](#start)\n  - [`End`](#end)\n\nSee the end."
    assert clean_markdown("- [Start](#start)\n- [End](#end) of it") == "- Start\n- End of it"


def test_a_link_by_reference_says_where_it_leads() -> None:
    source = "See [the site][s] and [within].\n\n[s]: https://example.org\n[within]: ../a.md"
    assert clean_markdown(source).startswith("See [the site](https://example.org) and [within].")


@pytest.mark.parametrize(
    "source",
    [
        '!!! warning "Mind"\n    It leaks.\n\n    Twice.\n\nAfter.',
        "::: warning Mind\nIt leaks.\n\nTwice.\n:::\n\nAfter.",
    ],
)
def test_an_admonition_begins_with_its_title(source: str) -> None:
    assert [line for line in clean_markdown(source).split("\n") if line] == ["**Mind:** It leaks.", "Twice.", "After."]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("> [!TIP]\n> Drink.", "> **Tip:** Drink."),
        ("> **Note**\n>\n> Drink.", "> **Note:** Drink."),
        ("> **Note** that one drinks.", "> **Note** that one drinks."),
        ("!!! warning\n    It leaks.", "**Warning:** It leaks."),
        (":::danger\nIt leaks.\n:::", "**Danger:** It leaks."),
        ('!!! tip "Thirsty?"\n    Drink.', "**Thirsty?** Drink."),
        (":::tip &nbsp;\nDrink.\n:::", "Drink."),
        ("!!! note\n    !!! tip\n        Drink.", "**Note:**\n\n\n**Tip:** Drink."),
        ("!!! note\n    - One.\n    - Two.", "**Note:**\n\n- One.\n- Two."),
        ("!!! note\n    ```\n    pip\n    ```", "**Note:**\n\n```\npip\n```"),
    ],
)
def test_without_a_title_it_begins_with_its_kind(source: str, text: str) -> None:
    assert clean_markdown(source).strip() == text


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("Users of &lt;realm&gt;", "Users of `<realm>`"),
        ("a &lt; b &amp; c", "a < b & c"),
        ("<pre><code class='language-sh'>run &lt;x&gt;</code></pre>", "```sh\nrun <x>\n```"),
        ("Set <code>&lt;a&gt;</code>.", "Set `<a>`."),
        ("<table><tr><th>A<th>B</tr><tr><td>1<td>2</tr></table>", "| A | B |\n| --- | --- |\n| 1 | 2 |"),
        ("<ul><li>a<ul><li>b</li></ul></li></ul>", "- a\n  - b"),
        ("<table> never closed", "never closed"),
        ('<h1 align="center">Moon</h1>', "# Moon"),
        (
            "<div>\n<h2>Moon</h2>\n\n  <div>\n    <h3>Far side</h3>\n    <p>\n    Seen by <a\n    href='x'>Luna</a>."
            "</p>\n  </div>\n</div>",
            "## Moon\n\n### Far side\n\nSeen by Luna.",
        ),
        ("<details>\n<summary>Moon</summary>\n\n- far\n- near\n</details>", "Moon\n\n- far\n- near"),
        ("<div>\n\n<div>\n\n*near*\n\n</div>\n\n<p>a\n    b</p>\n\n</div>", "*near*\n\n\na b"),
        ('<img src="a.png" alt="A probe">', "![A probe](a.png)"),
    ],
)
def test_raw_html_becomes_the_markdown_that_says_the_same(source: str, text: str) -> None:
    assert clean_markdown(source).strip() == text


@pytest.mark.parametrize(
    "code",
    [
        "```html\n<div>{{ name }}</div>\n<!-- here -->\n[a](b.md)\n```",
        "````md\n!!! note\n    Text.\n````",
        "~~~\n{% if wet %}\n```\n~~~",
        "Write `<div>{{ name }}</div>` or ``[`a`](b.md)``.",
    ],
)
def test_code_stays_as_it_is(code: str) -> None:
    assert clean_markdown(code) == code


def test_comparisons_and_types_are_no_tags() -> None:
    assert clean_markdown("a < b, c > d, and List<String> too") == "a < b, c > d, and List<String> too"


def test_characters_of_a_private_use_do_no_harm() -> None:
    assert clean_markdown("One `two` \ue0000\ue001 \ue0009\ue001three") == "One `two` 0\ue001 9\ue001three"


@given(st.text(alphabet="ab `~<>{}%![]()#:\n\ue000\ue0010", max_size=80))
def test_no_text_breaks_it(source: str) -> None:
    clean_markdown(source)
