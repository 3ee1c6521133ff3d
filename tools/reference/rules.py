"""The validation rules of a field, in words."""

from collections.abc import Mapping
from typing import Any

from google.protobuf.descriptor_pb2 import FieldDescriptorProto

from buf.validate import validate_pb2
from tools.reference.markdown import code

BOUNDS: Mapping[str, tuple[str, str, str]] = {
    "characters": ("min_len", "max_len", "characters"),
    "bytes": ("min_bytes", "max_bytes", "bytes"),
    "entries": ("min_items", "max_items", "entries"),
    "pairs": ("min_pairs", "max_pairs", "pairs"),
    "values": ("gte", "lte", ""),
}
"""Names of a rule for the least and greatest number, and what is counted."""
NOT_BLANK = r"\S"


def rules_words(field: FieldDescriptorProto) -> str:
    """The rules of a field, such as "1 to 8,192 characters, not only white space"; empty without any."""
    extension: Any = validate_pb2.field
    if not field.options.HasExtension(extension):
        return ""
    rules: Any = field.options.Extensions[extension]
    said = ["required"] if rules.required else []
    kind = rules.WhichOneof("type")
    return ", ".join(said + (_kind(kind, getattr(rules, kind)) if kind else []))


def _kind(kind: str, rules: Any) -> list[str]:
    """The rules for one type of value."""
    given = {descriptor.name: value for descriptor, value in rules.ListFields()}
    said = [_bounds(given, kind == "bytes", *names) for names in BOUNDS.values()]
    return [words for words in (*said, *_others(given)) if words]


def _bounds(given: Mapping[str, Any], is_bytes: bool, least: str, most: str, unit: str) -> str:
    counted = f" {'bytes' if is_bytes else unit}" if unit else ""
    if least in given and most in given:
        return f"{given[least]:,.10g} to {given[most]:,.10g}{counted}"
    if least in given:
        return f"at least {given[least]:,.10g}{_singular(counted) if given[least] == 1 else counted}"
    return f"at most {given[most]:,.10g}{counted}" if most in given else ""


def _singular(counted: str) -> str:
    return {" entries": " entry"}.get(counted, counted.removesuffix("s"))


def _others(given: Mapping[str, Any]) -> list[str]:
    pattern = given.get("pattern", "")
    said = ["not only white space" if pattern == NOT_BLANK else f"matches {code(pattern)}" if pattern else ""]
    said.append("finite" if given.get("finite") else "")
    said.append("not UNSPECIFIED" if 0 in given.get("not_in", ()) else "")
    if "items" in given:
        items = given["items"]
        said.append(f"each {', '.join(_kind(items.WhichOneof('type'), getattr(items, items.WhichOneof('type'))))}")
    return said
