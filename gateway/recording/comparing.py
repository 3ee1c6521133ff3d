"""Compares two answers of a stage field by field, in JSON's values. Pure functions.

Steps of a stream are told apart by kind, since several kinds may come in any order. Pieces of a sentence are joined,
since a language model's stream may be cut anywhere. Numbers that name no source are chosen by hand.
"""

import hashlib
import json
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import takewhile, zip_longest
from typing import Any, Final

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from libs.contracts.wire.methods import STEP
from parley.gateway.v1 import replay_pb2

VOLATILE_FIELDS: Final = frozenset({"milliseconds"})
"""Fields that differ between two runs of the same code, by name in any message: only times, since the stages make no
ids by chance."""
TOLERANCE: Final = 1e-5
"""Relative difference below which two numbers are equal: embedding models compute in single precision, and their last
bits depend on which texts are computed together."""
MAX_VALUE_CHARACTERS: Final = 160
"""Length at which a value in a difference is cut."""
LEAD_CHARACTERS: Final = 40
"""Characters that are shown before the first difference of two texts."""


def content_of(responses: Sequence[Message]) -> dict[str, Any]:
    """Return the fields of a unary response; of a stream its steps by kind: `citation`, `citation[1]`, `text[4]`."""
    content: dict[str, Any] = {}
    counts: Counter[str] = Counter()
    for response in responses:
        fields = MessageToDict(response, preserving_proto_field_name=True, always_print_fields_with_no_presence=True)
        if STEP not in response.DESCRIPTOR.oneofs_by_name:
            return _stable(fields)  # type: ignore[no-any-return]
        for kind, step in fields.items():
            if kind == "text":
                name = f"text[{step['sentence']}]"
                content[name] = content.get(name, "") + step["delta"]
            else:
                content[f"{kind}[{counts[kind]}]" if counts[kind] else kind] = _stable(step)
                counts[kind] += 1
    return content


def digest(responses: Sequence[Message]) -> str:
    """Return a hash that is equal for equal answers."""
    return hashlib.sha256(json.dumps(content_of(responses)).encode()).hexdigest()


def _stable(value: Any) -> Any:
    """Return a value without the volatile fields in it."""
    if isinstance(value, dict):
        return {name: _stable(item) for name, item in value.items() if name not in VOLATILE_FIELDS}
    return [_stable(item) for item in value] if isinstance(value, list) else value


def differences(recorded: Any, replayed: Any, path: str = "") -> Iterator[replay_pb2.Difference]:
    """Yield the places where two contents differ, the first place first."""
    if isinstance(recorded, dict) and isinstance(replayed, dict):
        for name in dict.fromkeys((*recorded, *replayed)):
            yield from differences(recorded.get(name), replayed.get(name), f"{path}.{name}" if path else name)
    elif isinstance(recorded, list) and isinstance(replayed, list):
        for place, (one, other) in enumerate(zip_longest(recorded, replayed)):
            yield from differences(one, other, f"{path}[{place}]")
    elif isinstance(recorded, float) and isinstance(replayed, float):
        if not math.isclose(recorded, replayed, rel_tol=TOLERANCE, abs_tol=TOLERANCE):
            yield _difference(path, _text(recorded), _text(replayed))
    elif recorded != replayed:
        yield _difference(path, _text(recorded), _text(replayed))


def _difference(path: str, recorded: str, replayed: str) -> replay_pb2.Difference:
    """Return a difference with both values shortened around the place where they begin to differ."""
    common = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(recorded, replayed, strict=False))))
    start = max(0, common - LEAD_CHARACTERS)
    return replay_pb2.Difference(
        path=path, recorded_value=_excerpt(recorded, start), replayed_value=_excerpt(replayed, start)
    )


def _text(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _excerpt(text: str, start: int) -> str:
    piece = text[start : start + MAX_VALUE_CHARACTERS]
    return f"{'…' if start else ''}{piece}{'…' if start + MAX_VALUE_CHARACTERS < len(text) else ''}"
