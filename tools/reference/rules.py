"""The validation rules of a field, in words, numbers with ten digits at most (taste). Pure functions."""

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
    words = ["required"] if rules.required else []
    kind = rules.WhichOneof("type")
    return ", ".join(words + (_kind(kind, getattr(rules, kind)) if kind else []))


def _kind(kind: str, rules: Any) -> list[str]:
    """The rules for one type of value."""
    values = {descriptor.name: value for descriptor, value in rules.ListFields()}
    phrases = [_bounds(values, kind == "bytes", *names) for names in BOUNDS.values()]
    return [words for words in (*phrases, *_others(values)) if words]


def _bounds(values: Mapping[str, Any], is_bytes: bool, least: str, most: str, unit: str) -> str:
    unit_text = f" {'bytes' if is_bytes else unit}" if unit else ""
    if least in values and most in values:
        return f"{values[least]:,.10g} to {values[most]:,.10g}{unit_text}"
    if least in values:
        return f"at least {values[least]:,.10g}{_singular(unit_text) if values[least] == 1 else unit_text}"
    return f"at most {values[most]:,.10g}{unit_text}" if most in values else ""


def _singular(unit_text: str) -> str:
    return {" entries": " entry"}.get(unit_text, unit_text.removesuffix("s"))


def _others(values: Mapping[str, Any]) -> list[str]:
    pattern = values.get("pattern", "")
    words = ["not only white space" if pattern == NOT_BLANK else f"matches {code(pattern)}" if pattern else ""]
    words.append("finite" if values.get("finite") else "")
    words.append("not UNSPECIFIED" if 0 in values.get("not_in", ()) else "")
    items = values.get("items")
    if items is not None and (kind := items.WhichOneof("type")):
        words.append(f"each {', '.join(_kind(kind, getattr(items, kind)))}")
    return words
