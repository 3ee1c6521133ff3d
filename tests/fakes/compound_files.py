"""Compound files (MS-CFB), the container of Outlook's messages and of Office before 2007, with few small streams."""

import struct
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

Tree = Mapping[str, "bytes | Tree"]

PROPERTIES = "__properties_version1.0"
SECTOR, MINI = 512, 64
FREE, END, FAT, NONE = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD, 0xFFFFFFFF


def compound(tree: Tree) -> bytes:
    """A file with these streams, and storages of them, all of less than 4,096 bytes."""
    entries: list[bytes] = [b""]
    mini = bytearray()
    mini_fat: list[int] = []
    child = _add(tree, entries, mini, mini_fat)
    size = len(mini)
    data = bytes(mini).ljust(-(-size // SECTOR) * SECTOR, b"\0")
    mini_table = _padded(struct.pack(f"<{len(mini_fat)}I", *mini_fat), b"\xff")
    entries[0] = _entry("Root Entry", 5, child, 0 if data else END, size)
    directory = b"".join(entries).ljust(-(-len(entries) // 4) * SECTOR, b"\0")
    counts = [len(part) // SECTOR for part in (data, mini_table, directory)]
    starts = [sum(counts[:number]) for number in range(4)]
    chain = [sector for start, count in zip(starts, counts, strict=False) for sector in _chain(start, count)]
    fat = _padded(struct.pack(f"<{len(chain) + 1}I", *chain, FAT), b"\xff")
    assert len(fat) == SECTOR, "too many sectors for one table"
    header = struct.pack(
        "<8s16xHHHHH6xIIIIIIIIII", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 0x3E, 3, 0xFFFE, 9, 6,
        0, 1, starts[2], 0, 4096, starts[1] if mini_fat else END, counts[1], END, 0, starts[3],
    )  # fmt: skip
    return b"".join((header.ljust(SECTOR, b"\xff"), data, mini_table, directory, fat))


def message(
    subject: str,
    plain: str = "",
    html: str = "",
    attachments: Mapping[str, bytes | None] | None = None,
    headers: str = "",
    rich: bytes = b"",
) -> bytes:
    """A message of Outlook, sent by Ann on 5 March 2024 to Bob; an attachment without bytes is one that is embedded."""
    texts = {0x0037: subject, 0x1000: plain, 0x0C1A: "Ann Lee", 0x0C1F: "ann@example.org", 0x007D: headers}
    streams = dict(_properties({key: value for key, value in texts.items() if value}, html, 32))
    if rich:
        streams["__substg1.0_10090102"] = rich
        streams[PROPERTIES] += struct.pack("<III4x", 0x10090102, 6, len(rich))
    tree: dict[str, bytes | Tree] = dict(streams)
    tree["__recip_version1.0_#00000000"] = dict(_properties({0x3001: "Bob", 0x39FE: "bob@example.org"}, "", 8))
    for number, (name, data) in enumerate((attachments or {}).items()):
        numbers = [(0x37050003, 5)] if data is None else [(0x37050003, 1), (0x37010102, len(data))]
        streams = dict(_properties({0x3707: name}, "", 8, numbers))
        inner: Tree = {"__substg1.0_3701000D": {}} if data is None else {"__substg1.0_37010102": data}
        tree[f"__attach_version1.0_#{number:08X}"] = {**streams, **inner}
    return compound(tree)


def _properties(
    texts: Mapping[int, str], html: str, header: int, numbers: list[tuple[int, int]] | None = None
) -> Mapping[str, bytes]:
    streams = {f"__substg1.0_{key:04X}001F": text.encode("utf-16-le") for key, text in texts.items()}
    table = b"".join(struct.pack("<III4x", key << 16 | 0x1F, 6, len(text) * 2 + 2) for key, text in texts.items())
    table += b"".join(struct.pack("<III4x", tag, 6, value) for tag, value in numbers or ())
    if html:
        streams["__substg1.0_10130102"] = html.encode()
        table += struct.pack("<III4x", 0x10130102, 6, len(html.encode())) + struct.pack("<III4x", 0x3FDE0003, 6, 65001)
    if header == 32:
        ticks = (datetime(2024, 3, 5, 10, tzinfo=UTC) - datetime(1601, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
        table += struct.pack("<IIQ", 0x00390040, 6, ticks * 10)
    return {**streams, PROPERTIES: bytes(header) + table}


def _add(tree: Tree, entries: list[bytes], mini: bytearray, mini_fat: list[int]) -> int:
    """Add the entries of a storage as a chain of siblings; return the first one's number."""
    first = following = NONE
    for name, content in reversed(list(tree.items())):
        number = len(entries)
        entries.append(b"")
        if isinstance(content, bytes):
            start = len(mini) // MINI
            count = -(-len(content) // MINI)
            mini += content.ljust(count * MINI, b"\0")
            mini_fat += _chain(start, count)
            entries[number] = _entry(name, 2, NONE, start if count else END, len(content), following)
        else:
            entries[number] = _entry(name, 1, _add(content, entries, mini, mini_fat), 0, 0, following)
        first = following = number
    return first


def _entry(name: str, kind: int, child: int, start: int, size: int, right: int = NONE) -> bytes:
    encoded = name.encode("utf-16-le") + b"\0\0"
    fields = struct.pack("<HBBIII36xIQ", len(encoded), kind, 1, NONE, right, child, start, size)
    return encoded.ljust(64, b"\0") + fields


def _chain(start: int, count: int) -> list[int]:
    return [*range(start + 1, start + count), END] if count else []


def _padded(data: bytes, filler: bytes) -> bytes:
    return data.ljust(-(-len(data) // SECTOR) * SECTOR, filler)
