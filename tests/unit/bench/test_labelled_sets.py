"""The benches of labelled sets: how their figures are shown."""

import io

from rich.console import Console

from bench.labelled import Figure, report


def test_the_figures_of_one_set_share_a_row() -> None:
    out = io.StringIO()
    figures = [Figure("moons", 4, "right", 3), Figure("moons", 4, "held back", 0), Figure("none", 0, "right", 0)]
    report(Console(file=out, width=80), "Sets", figures)
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in out.getvalue().splitlines() if "│" in line]
    assert rows == [["moons", "4", "75.0% right"], ["", "", "0.0% held back"], ["none", "0", "0.0% right"]]
