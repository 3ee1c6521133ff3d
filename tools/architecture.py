"""Draws the rooms of the code and the way of a question: `python -m tools.architecture` (`make reference`).

The first picture shows which room imports which, read from the code. The second one shows the calls of a turn; that
each is an RPC of the contracts is tested. Both are SVG, readable in light and dark mode, and load nothing.
"""

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
IMAGES: Final = ROOT / "docs" / "images"
STAGES: Final = ("intent", "decompose", "retrieve", "answer", "timeline")
ROOMS: Final = ("cli", "evaluation", "doors", "ingest", "gateway", *(f"services/{stage}" for stage in STAGES))
CELL: Final = 26
"""Height and width of a cell of the matrix, in pixels."""
LABEL: Final = 150
"""Width of the rooms' names, in pixels."""
HEAD: Final = 130
"""Height of the column names, in pixels."""
STYLE: Final = (
    "text{font:13px system-ui,sans-serif;fill:#333;paint-order:stroke;stroke:#fff;stroke-width:4px}"
    ".line{stroke:#999;fill:none}.dot{fill:#3f51b5}"
    ".box{fill:none;stroke:#666}.call{stroke:#3f51b5;fill:none}.number{font-weight:600;fill:#3f51b5}"
    "@media(prefers-color-scheme:dark){text{fill:#ddd;stroke:#1e2129}.dot{fill:#9fa8da}.box{stroke:#aaa}"
    ".call{stroke:#9fa8da}.number{fill:#9fa8da}}"
)


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a turn: the stage, its RPC, and what comes of it."""

    stage: str
    rpc: str
    result: str


CALLS: Final = (
    Call("decompose", "Condense", "the question, understandable without the conversation"),
    Call("intent", "Understand", "refused, asked back, or grounded in time and place"),
    Call("decompose", "Decompose", "a graph of sub-queries"),
    Call("retrieve", "DetectRange", "where to search: everywhere, or the news"),
    Call("retrieve", "Retrieve", "evidence for each sub-query"),
    Call("answer", "Extract", "a short answer that a later sub-query needs"),
    Call("answer", "Write", "text, sentence by sentence, with citations"),
    Call("timeline", "Build", "dated events, beside the writing"),
    Call("answer", "Recommend", "questions that may come next"),
)
"""The calls of a turn, in their order."""


def room_of(path: Path) -> str:
    """The room of a module: its top folder, or the folder below `services` and `libs`."""
    parts = path.parts
    return "/".join(parts[: 2 if parts[0] in ("services", "libs") else 1])


def imports(root: Path = ROOT) -> Mapping[str, frozenset[str]]:
    """For each room and library, those that its modules import."""
    edges: dict[str, set[str]] = defaultdict(set)
    for folder in ("cli", "evaluation", "doors", "ingest", "gateway", "services", "libs"):
        for path in sorted((root / folder).rglob("*.py")):
            room = room_of(path.relative_to(root))
            for module in _imported_modules(ast.parse(path.read_text(encoding="utf-8"))):
                target = room_of(Path(*module.split(".")))
                if (root / target).is_dir() and target != room:
                    edges[room].add(target)
    return {room: frozenset(targets) for room, targets in edges.items()}


def _imported_modules(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def layers(edges: Mapping[str, frozenset[str]], rooms: Sequence[str]) -> list[str]:
    """The rooms in an order in which each stands before those that it imports, where there is such an order."""
    depths: dict[str, int] = {}

    def depth(room: str, path: frozenset[str]) -> int:
        if room not in depths:
            below = (target for target in edges.get(room, ()) if target in rooms and target not in path)
            depths[room] = 1 + max((depth(target, path | {room}) for target in sorted(below)), default=0)
        return depths[room]

    return sorted(rooms, key=lambda room: (-depth(room, frozenset((room,))), rooms.index(room)))


def rooms_picture(edges: Mapping[str, frozenset[str]]) -> str:
    """A matrix: a dot where the room of the row imports that of the column."""
    libraries = layers(edges, sorted(room for room in edges.keys() | _targets(edges) if room.startswith("libs/")))
    rows = [*layers(edges, ROOMS), *libraries]
    columns = [*(room for room in rows[: len(ROOMS)] if room in _targets(edges)), *libraries]
    names = [_column_name(name, place) for place, name in enumerate(columns)]
    lines = (_row(place, room, columns, edges.get(room, frozenset())) for place, room in enumerate(rows))
    body = [part for line in lines for part in line]
    height = HEAD + CELL * len(rows) + 10
    return _svg(LABEL + CELL * len(columns) + 90, height, "Which room imports which", [*names, *body])


def _targets(edges: Mapping[str, frozenset[str]]) -> set[str]:
    return {target for targets in edges.values() for target in targets}


def _column_name(name: str, place: int) -> str:
    x = LABEL + CELL * place + CELL // 2
    return f'<text transform="translate({x},{HEAD - 8}) rotate(-50)">{escape(name)}</text>'


def _row(place: int, room: str, columns: Sequence[str], targets: frozenset[str]) -> Iterator[str]:
    y = HEAD + CELL * place + CELL // 2
    yield f'<path class="line" opacity=".35" d="M{LABEL},{y}h{CELL * len(columns)}"/>'
    yield f'<text x="{LABEL - 10}" y="{y + 4}" text-anchor="end">{escape(room)}</text>'
    for column, name in enumerate(columns):
        if name in targets:
            yield f'<circle class="dot" cx="{LABEL + CELL * column + CELL // 2}" cy="{y}" r="6"/>'


def question_picture(calls: Sequence[Call] = CALLS) -> str:
    """The gateway on the left, the stages beside it, and the calls of a turn from top to bottom."""
    lanes = {name: 90 + 150 * place for place, name in enumerate(("gateway", *STAGES))}
    bottom = 70 + 52 * len(calls)
    heads = [
        f'<rect class="box" x="{x - 55}" y="12" width="110" height="30" rx="5"/>'
        f'<text x="{x}" y="32" text-anchor="middle">{name}</text><path class="line" d="M{x},42V{bottom}"/>'
        for name, x in lanes.items()
    ]
    arrows = [_arrow(number, call, lanes) for number, call in enumerate(calls, start=1)]
    return _svg(920, bottom + 12, "The calls of a turn", [*heads, *arrows])


def _arrow(number: int, call: Call, lanes: Mapping[str, int]) -> str:
    start, end, y = lanes["gateway"], lanes[call.stage], 30 + 52 * number
    label = f'<tspan class="number">{number}</tspan> {call.rpc}: {escape(call.result)}'
    return (
        f'<path class="call" d="M{start},{y}H{end - 6}"/><path class="dot" d="M{end},{y}l-9,-4v8z"/>'
        f'<text x="{start + 8}" y="{y - 7}">{label}</text>'
    )


def _svg(width: int, height: int, title: str, parts: Sequence[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">'
    return "\n".join([head, f"<title>{title}</title>", f"<style>{STYLE}</style>", *parts, "</svg>", ""])


def pictures() -> Mapping[str, str]:
    """The pictures by file name."""
    return {"rooms.svg": rooms_picture(imports()), "question.svg": question_picture()}


def main() -> int:
    """Write the pictures."""
    for name, picture in pictures().items():
        (IMAGES / name).write_text(picture, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
