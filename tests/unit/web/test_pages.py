"""A page becomes words in blocks, a title, a date, and pictures with their captions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.web.iso_dates import iso_stamp
from libs.web.pages import NoPage, PagePicture, read_page

PAGE = """<?xml version="1.0" encoding="utf-8"?>
<html lang="en"><head><title>The lander | News</title>
<meta property="og:title" content="The lander"><meta property="article:published_time" content="2024-03-05T10:00:00Z">
<script>var x = "never";</script></head>
<body><nav><a href="/">Home</a></nav>
<article><h1>The lander</h1>
<p>Phoenix landed on <b>Mars</b>
 in 2008<br>and dug.</p>
<figure><img src="/arm.png" alt="An arm" width="40" height="30px">
<figcaption>The arm over the trench</figcaption></figure>
<img src="data:image/png;base64,AAAA" alt="A dot"><p hidden>unseen</p>
<h2>Depths</h2>
<table><tr><th>Sol</th><th>Depth</th></tr><tr><td>20</td><td>5 cm</td></tr><tr><td></td><td>6 cm</td></tr></table>
<ul><li>one</li><li><p>two</p></li></ul></article>
<footer>Copyright</footer></body></html>"""


def test_words_come_in_blocks_without_menus_and_scripts() -> None:
    assert read_page(PAGE).text == (
        "# The lander\n\nPhoenix landed on Mars in 2008\nand dug.\n\nThe arm over the trench\n\n## Depths\n\n"
        "| Sol | Depth |\n| --- | --- |\n| 20 | 5 cm |\n|  | 6 cm |\n\n- one\n- two"
    )


def test_what_stands_around_the_content_of_a_page_is_named() -> None:
    words = "Words of the page. " * 9
    page = read_page(
        f"<body><script>x()</script><header><p>Site</p></header><div><main><p>{words}</p></main><p>More</p></div></body>"
    )
    assert page.text == words.strip()
    assert page.left_out == (("FURNITURE", "Site"), ("FURNITURE", "More"))


def test_title_date_and_pictures_are_told() -> None:
    page = read_page(PAGE, "https://example.org/news/1")
    assert (page.title, page.date, page.language) == ("The lander", "2024-03-05T10:00:00Z", "en")
    assert page.pictures == (
        PagePicture("https://example.org/arm.png", "The arm over the trench", 40, 30),
        PagePicture("data:image/png;base64,AAAA", "A dot"),
    )


def test_the_main_text_leaves_teasers_out() -> None:
    words = "The craft worked in the cold for five months and then fell silent, as its makers had expected. "
    teasers = "".join(f'<div class="teaser"><a href="/{n}">Read this too {n}</a></div>' for n in range(30))
    page = f"<html><body><div id='side'>{teasers}</div><div><p>{words}</p><p>{words * 2}</p></div></body></html>"
    assert read_page(page, main=True).text == f"{words.strip()}\n\n{(words * 2).strip()}"
    assert "Read this too 7" in read_page(page).text


@pytest.mark.parametrize(
    "head",
    [
        '<meta name="DC.date" content="2024-03-05">',
        '<script type="application/ld+json">{"@type": "NewsArticle", "datePublished": "2024-03-05"}</script>',
        '<meta name="date" content="yesterday"><meta name="pubdate" content="2024-03-05">',
    ],
)
def test_a_date_is_taken_where_pages_state_it(head: str) -> None:
    assert read_page(f"<html><head>{head}</head><body><p>x</p></body></html>").date == "2024-03-05"


@pytest.mark.parametrize(
    ("raw_date", "date"),
    [
        ("2024", "2024"),
        ("2024-03", "2024-03"),
        ("2024-03-05T12:00:00+02:00", "2024-03-05T10:00:00Z"),
        ("2024-03-05 10:00:00.25", "2024-03-05T10:00:00Z"),
        ("Tue, 05 Mar 2024 10:00:00 GMT", "2024-03-05T10:00:00Z"),
        ("2024-13-01", ""),
        ("soon", ""),
        ("", ""),
    ],
)
def test_dates_have_one_form(raw_date: str, date: str) -> None:
    assert iso_stamp(raw_date) == date


@pytest.mark.parametrize(
    ("zone", "date"),
    [
        ("CEST", "2024-07-05T08:00:00Z"),
        ("JST", "2024-07-05T01:00:00Z"),
        ("NZDT", "2024-07-04T21:00:00Z"),  # of summer there, whatever the season here
        ("PDT", "2024-07-05T17:00:00Z"),
        ("GMT +0100", "2024-07-05T09:00:00Z"),
        ("GMT+1", "2024-07-05T09:00:00Z"),
        ("+01:00", "2024-07-05T09:00:00Z"),
        ("+0530 (IST)", "2024-07-05T04:30:00Z"),
    ],
)
def test_the_zone_of_a_moment_is_read_by_its_name(zone: str, date: str) -> None:
    assert iso_stamp(f"Fri, 05 Jul 2024 10:00:00 {zone}") == date


@pytest.mark.parametrize("zone", ["IST", "XYZ"])
def test_of_a_moment_in_a_zone_that_nobody_or_several_have_only_the_day_is_certain(zone: str) -> None:
    assert iso_stamp(f"Fri, 05 Jul 2024 10:00:00 {zone}") == "2024-07-05"


@pytest.mark.parametrize(
    "page",
    [
        '<div class="admonition warning"><p class="admonition-title">Warning</p><p>It leaks.</p></div><p>After.</p>',
        '<aside class="admonition"><p class="admonition-title">Warning:</p><p>It leaks.</p></aside><p>After.</p>',
        '<div class="markdown-alert"><p class="markdown-alert-title">Warning</p><p>It leaks.</p></div><p>After.</p>',
        '<div class="theme-admonition"><div class="admonitionHeading_x">Warning</div>It leaks.</div><p>After.</p>',
    ],
)
def test_an_admonition_begins_with_its_title(page: str) -> None:
    assert read_page(page).text == "**Warning:** It leaks.\n\nAfter."


def test_the_title_of_an_admonition_leads_its_list() -> None:
    page = '<div class="admonition"><p class="admonition-title">Mind!</p><ul><li>One</li><li>Two</li></ul></div>'
    assert read_page(page).text == "**Mind!**\n\n- One\n- Two"


def test_the_title_of_an_admonition_without_a_text_stands_alone() -> None:
    page = '<div class="admonition"><p class="admonition-title">Added in 3.5</p></div><p>After.</p>'
    assert read_page(page).text == "**Added in 3.5:**\n\nAfter."


@pytest.mark.parametrize("nothing", ["", "   ", "<!-- -->"])
def test_nothing_is_no_page(nothing: str) -> None:
    with pytest.raises(NoPage):
        read_page(nothing)


@given(st.text(max_size=300))
def test_no_text_breaks_the_reader(markup: str) -> None:
    try:
        page = read_page(markup, "https://example.org/")
    except NoPage:
        return
    assert "\0" not in page.text
