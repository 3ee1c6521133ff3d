"""Parses Markdown (CommonMark, tables, definition lists, footnotes) to a structure with spans in the source.

markdown-it-py gives the lines of each block. Inline markup matters only for headings, which become plain text. Any text
is Markdown, so nothing is raised. No I/O but the languages' headings of bibliographies, read once.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin

from libs.contracts.spans import Span
from libs.contracts.structure import Block, BlockKind, Part, Section, Structure
from libs.documents.bibliographies import mark_bibliographies
from libs.documents.lines import Lines
from libs.documents.structure import sections_of

_KINDS: Final = {
    "paragraph_open": BlockKind.PARAGRAPH,
    "bullet_list_open": BlockKind.LIST,
    "ordered_list_open": BlockKind.LIST,
    "table_open": BlockKind.TABLE,
    "fence": BlockKind.CODE,
    "code_block": BlockKind.CODE,
    "blockquote_open": BlockKind.QUOTATION,
    "dl_open": BlockKind.DEFINITION,
    "html_block": BlockKind.PARAGRAPH,
}
_CELLS: Final = frozenset({"th_open", "th_close", "td_open", "td_close"})
_WORDS: Final = re.compile(r"(?:[^\W_]|[ .,;/-])*")
"""A heading without any markup, as most are: a document may have a million."""
_ANCHOR: Final = re.compile(r"(?:(?<![ \t])[ \t]++)?\{[:#.][^{}\n]*\}[ \t]*\Z")
"""`{#teleport}`, `{: .no_toc }` at the end of a heading."""
_LINKED_ITEM: Final = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+(?:\[[^\]]*\]\(#[^)]*\)[\s,|/·]*)+\Z")
_CAPTION: Final = re.compile(r"\A\s*(?:!\[[^\]]*\]\([^)]*\)\s*)+\Z")


def parse_markdown(text: str) -> Structure:
    """The structure of a Markdown text."""
    reader = _MarkdownReader(Lines.of(text))
    for tokens in _top_level(text):
        reader.read(tokens)
    return reader.structure()


def plain_heading(text: str) -> str:
    """The plain text of a heading, without markup, anchors and pictures; links keep their text."""
    if _WORDS.fullmatch(text):
        return " ".join(text.split())
    tokens = _parser().parseInline(_ANCHOR.sub("", text))
    return " ".join(_words_of(tokens[0].children or ()).split()) if tokens else ""


class _MarkdownReader:
    """Reads the blocks of one text from their tokens."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._headings: list[Section] = []
        self._blocks: list[Block] = []

    def read(self, tokens: Sequence[Token]) -> None:
        """Read the next blocks from all their tokens."""
        position = 0
        while position < len(tokens):
            end = _end_of(tokens, position)
            self._read_block(tokens[position:end])
            position = end

    def structure(self) -> Structure:
        """Return the sections and blocks."""
        structure = Structure(sections_of(self._headings), tuple(self._blocks))
        return mark_bibliographies(structure, self._lines.text)

    def _read_block(self, tokens: Sequence[Token]) -> None:
        """Read a top-level block from its tokens."""
        token = tokens[0]
        if token.type == "heading_open":
            heading = plain_heading(tokens[1].content)
            if heading:
                self._headings.append(Section(heading, int(token.tag[1:]), start=self._span(token).start))
            return
        kind = _KINDS.get(token.type)
        if token.type == "footnote_reference_open":
            self._read_footnote(tokens)
        elif kind is not None and token.map is not None:
            self._add(kind, token, tokens)

    def _read_footnote(self, tokens: Sequence[Token]) -> None:
        """Add a footnote as one block at its place in the source, whatever it contains."""
        lines = [line for token in tokens for line in token.map or ()]
        if lines:
            span = self._lines.span(min(lines), max(lines))
            self._blocks.append(Block(BlockKind.PARAGRAPH, span, len(self._headings)))

    def _add(self, kind: BlockKind, token: Token, tokens: Sequence[Token]) -> None:
        span = self._span(token)
        if span.start >= span.end or (self._blocks and span.start < self._blocks[-1].span.end):
            return
        text = span.of(self._lines.text)
        parts: tuple[Part, ...] = ()
        header = None
        if kind is BlockKind.LIST:
            # A list and its item are a level each.
            parts = self._parts(tokens, "list_item_open", span)
            if _is_navigation(text, parts):
                kind = BlockKind.FURNITURE
        elif kind is BlockKind.TABLE:
            header, parts = self._rows(tokens, span)
        elif kind is BlockKind.DEFINITION:
            parts = self._parts(tokens, "dt_open", span)
        elif kind is BlockKind.PARAGRAPH and _CAPTION.match(text):
            kind = BlockKind.CAPTION
        self._blocks.append(Block(kind, span, len(self._headings), parts, header))

    def _parts(self, tokens: Sequence[Token], opening: str, within: Span) -> tuple[Part, ...]:
        """The list items or terms; each ends where the next one, of any depth, begins."""
        starts = [(token.map[0], token.level // 2) for token in tokens if token.type == opening and token.map]
        return tuple(self._lines.parts([(self._lines.start(line), depth) for line, depth in starts], within))

    def _rows(self, tokens: Sequence[Token], within: Span) -> tuple[Span | None, tuple[Part, ...]]:
        lines = [token.map[0] for token in tokens if token.type == "tr_open" and token.map]
        spans = [self._lines.span(line, line + 1) for line in lines]
        spans = [span for span in spans if within.start <= span.start < span.end <= within.end]
        if not spans:
            return None, ()
        # The header includes the line of dashes below it.
        below = self._lines.span(lines[0] + 1, lines[0] + 2)
        header = Span(spans[0].start, below.end if below.end <= within.end else spans[0].end)
        return header, tuple(Part(span) for span in spans[1:] if span.start >= header.end)

    def _span(self, token: Token) -> Span:
        first, last = token.map or (0, 0)
        return self._lines.span(first, last)


def _end_of(tokens: Sequence[Token], position: int) -> int:
    """The position after the token that closes the one at `position`."""
    if tokens[position].nesting != 1:
        return position + 1
    level = tokens[position].level
    end = position + 1
    while end < len(tokens) and not (tokens[end].nesting == -1 and tokens[end].level == level):
        end += 1
    return end + 1


def _is_navigation(text: str, parts: Sequence[Part]) -> bool:
    """Whether a list is a table of contents: only links to places on the same page."""
    items = [part.span for part in parts]
    start = items[0].start if items else 0
    offset = start - (len(text) - len(text.lstrip())) if items else 0
    texts = [text[span.start - offset : span.end - offset] for span in items]
    return len(texts) > 1 and all(_LINKED_ITEM.match(item) for item in texts)


def _words_of(tokens: Sequence[Token]) -> str:
    words: list[str] = []
    for token in tokens:
        if token.type in ("text", "code_inline"):
            words.append(token.content)
        elif token.type in ("softbreak", "hardbreak"):
            words.append(" ")
        elif token.type == "image":
            continue
        elif token.children:
            words.append(_words_of(token.children))
    return "".join(words)


class _Kept(list[Token]):
    """Tokens without those within the rows of tables, which nobody reads and which may be millions."""

    _is_in_cell = False

    def append(self, token: Token) -> None:
        """Add a token."""
        is_of_cell = token.type in _CELLS
        if not (is_of_cell or self._is_in_cell or token.type == "tr_close"):
            super().append(token)
        if is_of_cell:
            self._is_in_cell = token.nesting > 0


def _top_level(text: str) -> Iterator[Sequence[Token]]:
    """The tokens of one top-level block after another, so that those of all never take memory at once."""
    parser = _parser()
    state = StateBlock(text.replace("\r\n", "\n").replace("\r", "\n"), parser, {}, _Kept())
    rules = parser.block.ruler.getRules("")
    while (line := state.skipEmptyLines(state.line)) < state.lineMax:
        state.line = line
        next(rule for rule in rules if rule(state, line, state.lineMax, False))  # the last one, a paragraph, always is
        yield state.tokens
        state.tokens.clear()


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    """The parser, shared by all threads: parsing is stateless. Footnotes keep their place in the source."""
    return MarkdownIt("commonmark").enable("table").use(deflist_plugin).use(footnote_plugin).disable("footnote_tail")
