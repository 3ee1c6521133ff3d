"""Draw risk against coverage as an SVG picture that is readable in light and dark mode."""

from collections.abc import Iterator, Sequence
from html import escape
from math import ceil
from typing import Final

from evaluation.abstaining import RiskCoverage

WIDTH, HEIGHT = 720, 440
LEFT, RIGHT, TOP, BOTTOM = 64, 24, 44, 52
_STYLES: Final = ("ours", "theirs")
_GRID: Final = 5
"""Steps of the grid on each axis."""
_CSS: Final = (
    "text{font:13px sans-serif;fill:#222}.title{font-size:15px;font-weight:600}line{stroke:#ccc}"
    "polyline{fill:none;stroke-width:2.2}.ours{stroke:#0b6bcb}.theirs{stroke:#c2410c;stroke-dasharray:6 4}"
    "rect{fill:#fff}@media(prefers-color-scheme:dark){text{fill:#eee}line{stroke:#555}rect{fill:#181818}"
    ".ours{stroke:#6cb6ff}.theirs{stroke:#ff9d66}}"
)


def draw_curves(title: str, curves: Sequence[RiskCoverage]) -> str:
    """Return the picture as text.

    Args:
        title: the title of the picture.
        curves: one or two, each with at least one task; the first is drawn solid, the second dashed.
    """
    top = max(ceil(10 * max(risk for curve in curves for risk in curve.risks) - 1e-9), 1) / 10
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">',
        f'<style>{_CSS}</style><rect width="{WIDTH}" height="{HEIGHT}"/>',
        _text(LEFT, 24, title, "title"),
        *_grid(top),
        *(_line(curve, style, top) for curve, style in zip(curves, _STYLES, strict=False)),
        *_legend(curves),
        "</svg>",
    ]
    return "\n".join(parts)


def _grid(top: float) -> Iterator[str]:
    for step in range(_GRID + 1):
        share = step / _GRID
        x, y = _x(share), _y(share * top, top)
        yield f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}"/>'
        yield _text(LEFT - 8, y + 4, f"{100 * share * top:.0f} %", anchor="end")
        yield _text(x, HEIGHT - BOTTOM + 20, f"{100 * share:.0f} %", anchor="middle")
    yield _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, "coverage: tasks answered, the surest first", anchor="middle")
    yield _text(LEFT, TOP - 6, "risk: of those answered, without an answer")


def _line(curve: RiskCoverage, style: str, top: float) -> str:
    count = len(curve.risks)
    points = " ".join(f"{_x(n / count):.1f},{_y(risk, top):.1f}" for n, risk in enumerate(curve.risks, start=1))
    return f'<polyline class="{style}" points="{points}"/>'


def _legend(curves: Sequence[RiskCoverage]) -> Iterator[str]:
    for place, (curve, style) in enumerate(zip(curves, _STYLES, strict=False)):
        y = HEIGHT - BOTTOM - 18 - 20 * (len(curves) - 1 - place)
        x = WIDTH - RIGHT - 300
        yield f'<polyline class="{style}" points="{x},{y - 4} {x + 32},{y - 4}"/>'
        yield _text(x + 40, y, f"{curve.score}: area {curve.area:.3f}, AUROC {curve.auroc:.3f}")


def _text(x: float, y: float, words: str, style: str = "", anchor: str = "start") -> str:
    css = f' class="{style}"' if style else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{css}>{escape(words)}</text>'


def _x(coverage: float) -> float:
    return LEFT + coverage * (WIDTH - LEFT - RIGHT)


def _y(risk: float, top: float) -> float:
    return HEIGHT - BOTTOM - risk / top * (HEIGHT - TOP - BOTTOM)
