"""Makes files of their parts, for composed ones: each format's container."""

import base64
import json
import re
from collections.abc import Callable, Mapping
from typing import Final

from tests.fakes.compound_files import message
from tests.fakes.office_files import packed

Parts = Mapping[str, str]
RELATIONS: Final = "http://schemas.openxmlformats.org/package/2006/relationships"
_STREAM: Final = re.compile("⟦(.*?)⟧", re.DOTALL)


def packed_as(kind: str, parts: Parts) -> bytes:
    """The file of a kind; one without a container has a single part without a name."""
    return _CONTAINERS.get(kind, _zip if "" not in parts else _text)(parts)


def _text(parts: Parts) -> bytes:
    return parts[""].encode()


def _zip(parts: Parts) -> bytes:
    """Lists of relations are given their element."""
    return packed(
        {
            name: f'<Relationships xmlns="{RELATIONS}">{text}</Relationships>' if name.endswith(".rels") else text
            for name, text in parts.items()
        }
    )


def _book(parts: Parts) -> bytes:
    """Excel keeps texts apart from cells, other programs within them; here each second text is kept apart."""
    texts: list[str] = []

    def shared(match: re.Match[str]) -> str:
        texts.append(f"<si>{match[1]}</si>")
        return f't="s"><v>{len(texts) - 1}</v>' if len(texts) % 2 else match[0]

    moved = {name: re.sub(r't="inlineStr"><is>(.*?)</is>', shared, text) for name, text in parts.items()}
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    return _zip(moved | {"xl/sharedStrings.xml": f'<sst xmlns="{main}">{"".join(texts)}</sst>'})


def _open_document(parts: Parts) -> bytes:
    """Forms stand above the text."""
    forms = f"<office:forms>{parts.get('forms', '')}</office:forms>"
    return _zip({name: text.replace("<office:forms/>", forms, 1) for name, text in parts.items() if name != "forms"})


def _mail(parts: Parts) -> bytes:
    """`⟦…⟧` is the main part of a docx, in base64."""
    return _STREAM.sub(
        lambda match: base64.encodebytes(packed({"word/document.xml": match[1]})).decode(), parts[""]
    ).encode()


def _message(parts: Parts) -> bytes:
    return message(parts["subject"], parts["plain"], parts["page"], {"a.txt": parts["attached"].encode()})


def _notebook(parts: Parts) -> bytes:
    cells = json.loads(f"[{parts['cells'].rstrip(',')}]")
    return json.dumps({"nbformat": 4, "metadata": {"title": parts["title"]}, "cells": cells}).encode()


def _pdf(parts: Parts) -> bytes:
    """Give each object its place; `⟦…⟧` is a stream, and `@page@` the part `page`."""
    bodies = "".join(text for name, text in sorted(parts.items()) if name.startswith("objects"))
    bodies = re.sub(r"@(\w+)@", lambda match: parts.get(match[1], ""), bodies)
    bodies = _STREAM.sub(lambda match: f"/Length {len(match[1])} >>\nstream\n{match[1]}\nendstream", bodies)
    data, places = b"%PDF-1.7\n", dict[int, int]()
    for number, body in re.findall(r"(\d+) 0 obj(.*?)endobj", bodies, re.DOTALL):
        places[int(number)] = len(data)
        data += f"{number} 0 obj{body}endobj\n".encode("cp1252")
    table = "".join(f"{number} 1\n{place:010} 00000 n \n" for number, place in sorted(places.items()))
    trailer = f"trailer << /Size {max(places) + 1} /Root 1 0 R /Info 6 0 R >>\nstartxref\n{len(data)}\n%%EOF\n"
    return data + f"xref\n0 1\n0000000000 65535 f \n{table}{trailer}".encode()


_CONTAINERS: Final[dict[str, Callable[[Parts], bytes]]] = {
    "xlsx": _book,
    **dict.fromkeys(("odt", "ods", "odp"), _open_document),
    "eml": _mail,
    "msg": _message,
    "ipynb": _notebook,
    "pdf": _pdf,
}
