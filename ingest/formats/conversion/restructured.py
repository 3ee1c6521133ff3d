"""Converts reStructuredText by docutils; of what only Sphinx knows, directives and roles, the content is kept.

Any text is reStructuredText: what docutils cannot parse stays as it is. No other file is read or written.
"""

import re
from collections.abc import Callable, Sequence
from textwrap import dedent
from typing import Any, Final

from docutils import nodes
from docutils.core import publish_doctree, publish_from_doctree

from ingest.formats.converted import page, unread
from libs.web.unread import LeftOut

SETTINGS: Final = {
    "_disable_config": True,
    "file_insertion_enabled": False,
    "halt_level": 6,  # no message has this level
    "line_length_limit": 1_000_000_000,
    "math_output": "LaTeX",
    "output_encoding": "unicode",
    "raw_enabled": True,
    "report_level": 5,
    "stylesheet_path": None,
    "syntax_highlight": "none",
    "warning_stream": False,
}
LABELS: Final = {
    "deprecated": "Deprecated since version",
    "seealso": "See also",
    "todo": "To do",
    "versionadded": "Added in version",
    "versionchanged": "Changed in version",
}
"""The words that Sphinx puts before the content of a directive."""
CODE: Final = frozenset({"code", "code-block", "ipython", "prompt", "sourcecode", "testcode", "testoutput"})
CONDITIONS: Final = frozenset({"grid", "ifconfig", "only"})
"""Directives whose arguments are no words."""
_LEFT_OUT: Final[dict[str, LeftOut]] = {
    **dict.fromkeys(("include", "literalinclude", "raw"), "OBJECT"),
    **dict.fromkeys(("currentmodule", "highlight", "index", "module", "py:currentmodule", "py:module"), "HIDDEN"),
    "toctree": "FURNITURE",
}
_DIRECTIVE: Final = re.compile(r"\.\.[ ]+(?P<name>[\w:+.-]+)::[ \t]*(?P<rest>[^\n]*)\n?(?P<body>.*)", re.DOTALL)
_OPTIONS: Final = re.compile(r"\A\s*(?::[\w-]+:[^\n]*(?:\n|\Z))+")
_ROLE: Final = re.compile(r"(?::[\w:+.-]+:)?`[!~]?(?P<words>[^`<]*?)(?:\s*<(?P<target>[^`<>]*)>)?`(?::[\w:+.-]+:)?")


def to_html(source: str) -> str:
    """The document as HTML."""
    document = _parse(source)
    stated = _take_docinfo(document)
    _resolve_messages(document)
    _simplify(document)
    html = publish_from_doctree(document, writer="html5", settings_overrides=SETTINGS)
    start, end = html.index(">", html.index("<body")) + 1, html.rindex("</body>")  # the head calls it by its source
    body = re.sub(r"<(/?)aside\b", r"<\1div", html[start:end])
    date, author = (stated.pop(name, "") for name in ("date", "author"))
    return page(body + "".join(unread("FURNITURE", words) for words in stated.values()), "", date, author)


def _parse(source: str) -> Any:
    return publish_doctree(source, settings_overrides={**SETTINGS, "raw_enabled": False})


def _take_docinfo(document: Any) -> dict[str, str]:
    """Remove the fields above the text: author, date and the like."""
    metadata = {}
    for info in list(document.findall(nodes.docinfo)):
        for entry in info.children:
            name, value = entry.children if entry.tagname == "field" else (nodes.Text(entry.tagname), entry)
            metadata[name.astext().lower()] = " ".join(value.astext().split())
        info.parent.remove(info)
    return {name: value for name, value in metadata.items() if value}


def _unread(reason: LeftOut, words: str) -> Any:
    return nodes.raw("", unread(reason, words), format="html")


def _resolve_messages(document: Any) -> None:
    """Put the content of what docutils could not read in place of its messages."""
    for problem in list(document.findall(nodes.problematic)):
        problem.parent.replace(problem, nodes.Text(_ROLE.sub(_role_words, problem.astext())))
    for message in list(document.findall(nodes.system_message)):
        sources = [block.astext() for block in message.findall(nodes.literal_block)]
        message.parent.replace(message, [node for source in sources for node in _content(source)])


def _role_words(match: re.Match[str]) -> str:
    """The words of a role: `:func:` and `start <pump.start>` become "start", `~pump.start` becomes "start"."""
    words = match["words"] or match["target"] or ""
    return words.rpartition(".")[2] if "~" in match[0][: match.start("words") - match.start()] else words


def _content(source: str) -> Sequence[Any]:
    """The content of a directive that docutils does not know, or not with these options."""
    match = _DIRECTIVE.fullmatch(source)
    if match is None:
        return [nodes.literal_block("", source)]
    name, arguments, body = match["name"], match["rest"], _OPTIONS.sub("", dedent(match["body"]))
    if (reason := _LEFT_OUT.get(name)) is not None:
        return [_unread(reason, f"{name} {arguments} {body}")]
    if name in CODE:
        return [nodes.literal_block("", body.strip("\n"), classes=["code", arguments])]
    document = _parse(body)
    _resolve_messages(document)
    if name in LABELS:
        title = nodes.title("", f"{LABELS[name]} {arguments if name != 'seealso' else ''}".strip())
        return [nodes.admonition("", title, *document.children)]
    has_words = arguments.strip() and name not in CONDITIONS
    return [*([nodes.paragraph("", arguments)] if has_words else []), *document.children]


def _simplify(document: Any) -> None:
    """Replace nodes for which HTML has nothing alike: notes below the text, lines of a verse."""
    for kind, simple in _SIMPLER.items():
        for node in list(document.findall(kind)):
            node.parent.replace(node, simple(node))


def _note(node: Any) -> Sequence[Any]:
    """A foot note as paragraphs, the first with its mark."""
    label, *rest = node.children
    mark = nodes.Text(f"[{label.astext()}] ")
    return [nodes.paragraph("", "", mark, *rest[0].children), *rest[1:]] if rest else [nodes.paragraph("", "", mark)]


def _unquoted(node: Any) -> Any:
    """A quotation, or what only stands indented, as lists often do."""
    quotes = all(isinstance(child, nodes.paragraph | nodes.attribution) for child in node.children)
    return node if quotes else node.children


def _verse(node: Any) -> Any:
    lines = [
        piece for line in node.findall(nodes.line) for piece in (*line.children, nodes.raw("", "<br>", format="html"))
    ]
    return nodes.paragraph("", "", *lines)


def _code(node: Any) -> Any:
    node["classes"] = ["code", *(f"language-{name}" for name in node["classes"] if name not in ("", "code"))]
    return node


_SIMPLER: Final[dict[Any, Callable[[Any], Any]]] = {
    nodes.comment: lambda node: _unread("HIDDEN", node.astext()),
    nodes.decoration: lambda node: _unread("FURNITURE", node.astext()),
    nodes.footnote: _note,
    nodes.citation: _note,
    nodes.line_block: _verse,
    nodes.block_quote: _unquoted,
    nodes.literal: _code,
    nodes.literal_block: _code,
}
