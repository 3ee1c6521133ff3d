"""reStructuredText, LaTeX and Rich Text: blocks are what they are, and what nobody sees is named."""

import pytest

from ingest.content import Content
from ingest.documents import OmissionReason, ParsedDocument
from ingest.readers import read
from libs.contracts.structure import BlockKind

RST = """
=============
Manual planted
=============

:Author: Author planted
:Date: 2024-03-05

.. comment planted

Para planted with :func:`role planted <pump.start>`, :ref:`~mod.planted`, ``literal planted`` and a note [1]_.

.. header:: header planted
.. footer:: footer planted

Valves planted
==============

.. warning::

   Warning planted.

.. admonition:: Own planted

   Inside planted.

.. versionchanged:: 3.5
   Change planted.

.. code-block:: sh
   :linenos:

   $ code planted

.. list-table:: Caption planted

   * - head planted
     - B
   * - cell planted
     - 2

- item planted

  - nested planted

Term planted
  Definition planted.

| line planted
| verse planted

    A quote planted.

    -- Attribution planted

.. figure:: a.png

   Figure planted.

   Legend planted.

.. raw:: html

   raw planted

.. [1] Note planted.
"""
LATEX = r"""
% comment planted
\documentclass{article}
\newcommand{\product}{Product planted}
\title{Title planted}
\author{Author planted}
\date{2024-03-05}
\begin{document}
\maketitle
\begin{abstract}Abstract planted.\end{abstract}
\section*{Section planted}
Para \textbf{bold planted} of \product{} with $formula_{planted}$, \cite[page planted]{key planted},
\href{https://example.org}{link planted} and a note.\footnote{Note planted.} \verb|verb planted|

\begin{itemize}
\item item planted
  \begin{enumerate}\item nested planted\end{enumerate}
\end{itemize}
\begin{description}\item[Term planted] Definition planted.\end{description}
\begin{table}
\caption{Caption planted}
\begin{tabularx}{10cm}{|c|c|}
\toprule
head planted & B \\ \cmidrule(lr){1-2}
cell planted & 2 \\
\multicolumn{2}{c}{wide planted} \\
\end{tabularx}
\end{table}
\begin{figure}\includegraphics{a.png}\caption{Figure planted}\end{figure}
\begin{equation} equation_planted \end{equation}
\begin{lstlisting}[language=C]
code_planted = 5; % remark planted
\end{lstlisting}
\begin{theorem}[Lee planted] Theorem planted.\end{theorem}
\begin{quote}Quote planted.\end{quote}
\input{file planted}
\begin{comment}
Unseen planted.
\end{comment}
\begin{thebibliography}{9}\bibitem{k} Source planted, 2020.\end{thebibliography}
\end{document}
"""
RTF = r"""{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fcharset0 Times;}}{\stylesheet{\s1\outlinelevel0 heading 1;}}
{\info{\title Title planted}{\author Author planted}{\creatim\yr2024\mo3\dy5\hr10}}
{\header\pard Header planted\par}{\footerl\pard Footer planted\par}
\pard\s1\outlinelevel0 Heading planted\par
\pard\plain Para planted \'93quoted\'94 \u8364?.{\footnote \pard Note planted.\par} {\v Hidden planted.}\par
\pard {\annotation Comment planted} \v toggled planted\v0  and {\deleted deleted planted}\par
\pard{\listtext\'b7\tab}item planted\par{\listtext\'b7\tab}second planted\par
{\listtext 1.\tab}number planted\par{\listtext 2.\tab}two\par
\trowd\cellx100\intbl head planted\cell B\cell\row
\trowd\cellx100\intbl cell planted\cell 2\cell\row
\pard {\field{\*\fldinst HYPERLINK "https://example.org"}{\fldrslt link planted}}\par
{\shp{\*\shpinst{\shptxt\pard Box planted.\par}}{\shprslt old}}
{\pict\pngblip 89504e47}{\object\objemb{\*\objdata 00}{\result Object planted}}
Last planted.\par}"""
FILES = {"a.rst": RST, "a.tex": LATEX, "a.rtf": RTF}


def document_of(name: str, source: str = "") -> ParsedDocument:
    (document,) = read(Content(name, name, name, data=(source or FILES[name]).encode()))
    assert isinstance(document, ParsedDocument), document
    return document


def kind_of(document: ParsedDocument, words: str) -> BlockKind:
    assert document.structure
    return next(block.kind for block in document.structure.blocks if words in block.span.of(document.text))


def headings(document: ParsedDocument) -> list[str]:
    assert document.structure
    return [section.heading for section in document.structure.sections[1:]]


@pytest.mark.parametrize("name", FILES)
def test_what_no_reader_sees_is_named_and_no_text(name: str) -> None:
    document = document_of(name)
    hidden = {
        "a.rst": [
            ("HIDDEN", "comment planted"),
            ("FURNITURE", "header planted footer planted"),
            ("OBJECT", "raw html raw planted"),
        ],
        "a.tex": [("HIDDEN", "comment planted"), ("HIDDEN", "Unseen planted."), ("OBJECT", r"\input{file planted}")],
        "a.rtf": [
            ("HIDDEN", "Hidden planted."),
            ("FURNITURE", "Header planted"),
            ("OBJECT", "Object planted"),
            ("PICTURE", "pict"),
        ],
    }
    named = [(omission.reason, omission.excerpt) for omission in document.omissions]
    for reason, words in hidden[name]:
        assert (OmissionReason[reason], words) in named
        assert not words or words not in document.text


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        (
            "a.rst",
            {
                "**Warning:** Warning planted.": BlockKind.PARAGRAPH,
                "**Own planted:** Inside planted.": BlockKind.PARAGRAPH,
                "**Changed in version 3.5:** Change planted.": BlockKind.PARAGRAPH,
                "[1] Note planted.": BlockKind.PARAGRAPH,
                "```\n$ code planted\n```": BlockKind.CODE,
                "Caption planted": BlockKind.CAPTION,
                "cell planted | 2": BlockKind.TABLE,
                "- item planted\n  - nested planted": BlockKind.LIST,
                "**Term planted**: Definition planted.": BlockKind.DEFINITION,
                "line planted\nverse planted": BlockKind.PARAGRAPH,
                "> A quote planted.": BlockKind.QUOTATION,
                "Figure planted.": BlockKind.CAPTION,
            },
        ),
        (
            "a.tex",
            {
                "**Abstract:** Abstract planted.": BlockKind.PARAGRAPH,
                "a note. (Note planted.)": BlockKind.PARAGRAPH,
                "- item planted\n  1. nested planted": BlockKind.LIST,
                "**Term planted**: Definition planted.": BlockKind.DEFINITION,
                "Caption planted": BlockKind.CAPTION,
                "| cell planted | 2 |": BlockKind.TABLE,
                "Figure planted": BlockKind.CAPTION,
                "$$equation_planted$$": BlockKind.PARAGRAPH,
                "code_planted = 5; % remark planted": BlockKind.CODE,
                "**Theorem Lee planted:** Theorem planted.": BlockKind.PARAGRAPH,
                "> Quote planted.": BlockKind.QUOTATION,
                "Source planted, 2020.": BlockKind.FURNITURE,
            },
        ),
        (
            "a.rtf",
            {
                "Para planted “quoted” €. (Note planted.)": BlockKind.PARAGRAPH,
                "- item planted\n- second planted": BlockKind.LIST,
                "1. number planted\n2. two": BlockKind.LIST,
                "| head planted | B |\n| --- | --- |\n| cell planted | 2 |": BlockKind.TABLE,
                "Box planted.": BlockKind.PARAGRAPH,
            },
        ),
    ],
)
def test_blocks_are_what_they_are(name: str, kinds: dict[str, BlockKind]) -> None:
    document = document_of(name)
    assert {words: kind_of(document, words) for words in kinds} == kinds


@pytest.mark.parametrize(
    ("name", "title", "sections"),
    [
        ("a.rst", "Manual planted", ["Manual planted", "Valves planted"]),
        ("a.tex", "Title planted", ["Title planted", "Section planted", "References"]),
        ("a.rtf", "Title planted", ["Heading planted"]),
    ],
)
def test_a_document_says_what_it_is_called_and_when_and_by_whom_it_was_written(
    name: str, title: str, sections: list[str]
) -> None:
    document = document_of(name)
    assert (document.title, headings(document), document.date) == (title, sections, "2024-03-05")
    assert document.metadata == {"author": "Author planted"}


@pytest.mark.parametrize(
    ("stated", "date", "unread"),
    [("March 5, 2024", "2024-03-05", []), (r"\today", "", []), ("Spring, soon", "", ["Spring, soon"])],
)
def test_a_date_is_read_as_it_is_written_and_none_is_invented(stated: str, date: str, unread: list[str]) -> None:
    document = document_of("a.tex", rf"\date{{{stated}}}\begin{{document}}Text.\end{{document}}")
    assert (document.date, [omission.excerpt for omission in document.omissions]) == (date, unread)


def test_the_words_of_a_directive_that_has_no_content_are_kept_apart() -> None:
    document = document_of("a.rst", ".. versionadded:: 3.5 The valve.\n\nAfter.\n")
    assert document.text == "**Added in version 3.5 The valve.**\n\nAfter."


def test_a_list_that_stands_indented_is_no_quotation() -> None:
    document = document_of("a.rst", "Steps:\n\n  1. Open.\n  2. Close.\n")
    assert kind_of(document, "1. Open.\n2. Close.") is BlockKind.LIST


@pytest.mark.parametrize("name", FILES)
def test_no_other_file_is_read(name: str) -> None:
    source = {
        "a.rst": ".. include:: /etc/passwd\n\n.. csv-table::\n   :file: /etc/passwd\n",
        "a.tex": r"\input{/etc/passwd}",
        "a.rtf": r"{\rtf1 {\field{\*\fldinst INCLUDETEXT /etc/passwd}}}",
    }
    assert "root:" not in document_of(name, f"{source[name]}\n\nText.").text
