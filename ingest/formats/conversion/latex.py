"""Converts LaTeX by pylatexenc, without reading other files; formulas stay as they are written.

Any text is LaTeX: what cannot be parsed is skipped, macros that are not known become their arguments.
"""

import re
from collections.abc import Callable
from html import escape
from typing import Any, Final

from pylatexenc import latex2text, latexwalker, macrospec

from ingest.formats.converted import page, unread

HEADINGS: Final = {
    **{"part": 1, "chapter": 1, "section": 2, "frametitle": 3, "subsection": 3, "subsubsection": 4},
    **{"paragraph": 5, "subparagraph": 6},
}
MACROS: Final = {
    **{name: f"<h{level}>{{0}}</h{level}><p>" for name, level in HEADINGS.items()},
    **{"and": ", ", "index": "", "maketitle": "", "today": ""},  # today is the day of whoever prints it
    **{
        "bibitem": "<li>[{0}] ",
        "footnote": " ({0})",
        "marginpar": " ({0})",
        "ref": "[{0}]",
        "url": "{0}",
        "\\": "<br>",
    },
    **{"caption": "<figcaption>{0}</figcaption>", "includegraphics": '<img src="{0}">'},
    **{"href": '<a href="{1}">{0}</a>', "multicolumn": "<colspan {1}>{0}", "multirow": "<rowspan {1}>{0}"},
}
"""How macros are written: `{0}` is the last argument, `{1}` the first."""
LABELLED: Final = (
    *("abstract", "corollary", "definition", "example", "lemma", "note", "proof", "proposition", "remark", "theorem"),
    *("tip", "warning"),
)
"""Environments whose name LaTeX prints before their content."""
ENVIRONMENTS: Final = {
    **{"itemize": "<ul>{0}</ul><p>", "enumerate": "<ol>{0}</ol><p>"},
    **dict.fromkeys(("figure", "figure*"), "<figure>{0}</figure><p>"),
    **dict.fromkeys(("quote", "quotation", "verse"), "<blockquote>{0}</blockquote><p>"),
    **{name: f'<p class="admonition-title">{name.capitalize()} {{1}}</p><p>{{0}}<p>' for name in LABELLED},
    "thebibliography": "<h2>References</h2><ul>{0}</ul><p>",
}
"""How environments are written: `{0}` is the content, `{1}` the argument."""
FORMULAS: Final = ("equation", "align", "gather", "multline", "eqnarray", "displaymath", "math", "flalign", "alignat")
TABLES: Final = {
    "tabular": "[{",
    "tabular*": "{[{",
    "tabularx": "{[{",
    "longtable": "[{",
    "tabulary": "{{",
    "array": "[{",
}
"""Environments of rows, with the shape of their arguments."""
_Write = Callable[[Any, Any], str]
_CODE: Final = re.compile(
    r"\\begin\{(?P<name>verbatim\*?|Verbatim|lstlisting|minted|alltt|comment)\}(?:\[[^\]]{0,1000}\])?"
    r"(?P<body>(?:[^\\]|\\(?!begin\{(?P=name)\}))*?)\\end\{(?P=name)\}"
)
_MARK: Final = "\ufdd0"
"""Stands for code while the rest is parsed; Unicode has no such character in text."""
_SHORT: Final = re.compile(r"\\(?:re)?newcommand\*?\s*\{?\\([A-Za-z]+)\}?\s*\{([^{}\\]{0,200})\}")
"""A macro without arguments that stands for words."""
_USED: Final = re.compile(r"\\([A-Za-z]+)(?:\{\})?")
_RULE: Final = re.compile(r"\\(?:cmidrule|cline|hhline)\s*(?:\([^)]{0,40}\)\s*)?\{[^{}]{0,200}\}")
_FALSE: Final = re.compile(r"\\iffalse\b.*?(?:\\(?:fi|else)\b|\Z)", re.DOTALL)
_BREAK: Final = re.compile(r"\n[ \t]*\n\s*")
_NAMED: Final = re.compile(rf"<span hidden>.*?</span>|<object>.*?</object>|{_MARK}\d+;", re.DOTALL)
"""Of what precedes a document all that is read."""
_SPAN: Final = re.compile(r"<td>\s*<(col|row)span (\d{1,3})>")


def to_html(source: str) -> str:
    """The document as HTML; its title and authors come first, as `\\maketitle` prints them."""
    writer = _Writer()
    html = writer.convert(source)
    writer.said = {name: " ".join(words.split()).replace(" , ", ", ") for name, words in writer.said.items()}
    title, author = (writer.said.get(name, "") for name in ("title", "author"))
    head = f"<h1>{title}</h1><p>{author}</p>" if title else ""
    plain_author = re.sub(r"<[^>]*>", " ", author).strip()
    return page(f"{head}<p>{html}", date=writer.said.get("date", ""), author=plain_author)


class _Writer(latex2text.LatexNodes2Text):  # type: ignore[misc]  # the library has no types
    """Writes the nodes of a document as HTML; tags that HTML closes by itself are left open."""

    def __init__(self) -> None:
        database = latex2text.get_default_latex_context_db()
        database.add_context_category("html", prepend=True, **_specs())
        super().__init__(database, math_mode="verbatim", keep_comments=True)
        self.said: dict[str, str] = {}
        """What the document says of itself: title, author, date."""
        self._asides: list[str] = []

    def convert(self, source: str) -> str:
        shorts = dict(_SHORT.findall(source))
        source = _USED.sub(lambda match: shorts.get(match[1], match[0]), _SHORT.sub("", source))
        source = _RULE.sub("", _FALSE.sub("", _CODE.sub(self._set_aside, source.replace(_MARK, ""))))
        nodes, _, _ = latexwalker.LatexWalker(source, latex_context=_parsed()).get_latex_nodes()
        bodies = [node for node in nodes if _name(node) == "document"]
        before = after = ""
        if bodies:
            at = nodes.index(bodies[0])
            before = "".join(_NAMED.findall(self.nodelist_to_text(nodes[:at])))
            after = unread("HIDDEN", "".join(node.latex_verbatim() for node in nodes[at + 1 :]))
            nodes = bodies[0].nodelist
        html = _SPAN.sub(r'<td \1span="\2">', f"{before}{self.nodelist_to_text(nodes)}{after}")
        return re.sub(rf"{_MARK}(\d+);", lambda match: self._asides[int(match[1])], html)

    def _set_aside(self, match: re.Match[str]) -> str:
        if match["name"] == "comment":
            return self._aside(unread("HIDDEN", match["body"]))
        body = re.sub(r"\A\{(\w+)\}", "", match["body"])  # the language of minted
        return self._aside(f"<pre>{escape(body)}</pre>")

    def _aside(self, html: str) -> str:
        self._asides.append(html)
        return f"{_MARK}{len(self._asides) - 1};"

    def chars_node_to_text(self, node: Any, textcol: int = 0) -> str:
        return _BREAK.sub("<p>", escape(node.chars))

    def comment_node_to_text(self, node: Any) -> str:
        return unread("HIDDEN", node.comment)

    def math_node_to_text(self, node: Any) -> str:
        source = escape(node.latex_verbatim())
        return source if node.displaytype == "inline" else f"<p>{source}<p>"

    def words(self, node: Any, position: int = -1) -> str:
        """The HTML of an argument of a macro, by default the last."""
        arguments = node.nodeargd.argnlist if node.nodeargd else []
        return self.nodelist_to_text([arguments[position]]) if arguments and arguments[position] else ""


def _name(node: Any) -> str:
    return str(getattr(node, "environmentname", ""))


def _macro(template: str) -> _Write:
    return lambda node, l2tobj: template.format(l2tobj.words(node), l2tobj.words(node, 0))


def _environment(template: str) -> _Write:
    return lambda node, l2tobj: template.format(l2tobj.nodelist_to_text(node.nodelist), l2tobj.words(node))


def _said(node: Any, l2tobj: Any) -> str:
    l2tobj.said[node.macroname] = l2tobj.words(node)
    return ""


def _item(node: Any, l2tobj: Any) -> str:
    term = l2tobj.words(node)
    return f"<dt>{term}<dd>" if term else "<li>"


def _description(node: Any, l2tobj: Any) -> str:
    return f"<dl>{l2tobj.nodelist_to_text(node.nodelist).replace('<li>', '<dd>')}</dl><p>"


def _table(node: Any, l2tobj: Any) -> str:
    return f"<table><tr><td>{l2tobj.nodelist_to_text(node.nodelist).replace('<br>', '<tr><td>')}</table>"


def _cite(node: Any, l2tobj: Any) -> str:
    """A reference with the page or chapter, which stands before its key."""
    words = (l2tobj.words(node, position) for position in (2, 0, 1))
    return f"[{', '.join(filter(None, words))}]"


def _formula(node: Any, l2tobj: Any) -> str:
    return f"<p>$${escape(''.join(inner.latex_verbatim() for inner in node.nodelist).strip())}$$<p>"


def _parsed() -> Any:
    """What the parser knows: macros and environments with the shapes of their arguments, beyond its own."""
    database = latexwalker.get_default_latex_context_db()
    macros = {"frametitle": "{", "href": "{{", "url": "{", "multirow": "{{{", "bibitem": "[{", "item": "["}
    macros |= {"marginpar": "[{", "index": "{", "caption": "[{", "cite": "[[{", "multicolumn": "{{{"}
    environments = {**TABLES, "thebibliography": "{", "minipage": "[{", "figure": "[", "figure*": "[", "table": "["}
    environments |= dict.fromkeys(LABELLED, "[")
    database.add_context_category(
        "html",
        prepend=True,
        macros=[macrospec.MacroSpec(name, shape) for name, shape in macros.items()],
        environments=[macrospec.EnvironmentSpec(name, shape) for name, shape in environments.items()],
    )
    return database


def _specs() -> dict[str, list[Any]]:
    """How each macro, environment and special character is written."""
    macros: dict[str, _Write] = {
        **{name: _macro(template) for name, template in MACROS.items()},
        **dict.fromkeys(("title", "author", "date"), _said),
        **dict.fromkeys(("input", "include"), lambda node, l2tobj: unread("OBJECT", node.latex_verbatim())),
        "cite": _cite,
        "item": _item,
        "verb": lambda node, l2tobj: f"<code>{escape(node.nodeargd.verbatim_text)}</code>",
    }
    environments: dict[str, _Write] = {
        **{name: _environment(template) for name, template in ENVIRONMENTS.items()},
        **{name + star: _formula for name in FORMULAS for star in ("", "*")},
        **dict.fromkeys(TABLES, _table),
        "description": _description,
    }
    specials = {"&": "<td>", "\n\n": "<p>"}
    return {
        "macros": [latex2text.MacroTextSpec(name, write) for name, write in macros.items()],
        "environments": [latex2text.EnvironmentTextSpec(name, write) for name, write in environments.items()],
        "specials": [latex2text.SpecialsTextSpec(sign, written) for sign, written in specials.items()],
    }
