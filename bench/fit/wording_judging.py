"""How near wordings come to those of people."""

from collections.abc import Sequence

from bench.fit.wording_rows import Row, stems
from services.decompose.wording.tagger import Needed


def judged(rows: Sequence[tuple[Row, str]]) -> str:
    """Of rows and their wordings, the carried words: recall, precision, F1, share of turns without an error.

    "needless" is the share of turns that needed none and got some; "words" is F1 of all content words, mean over turns.
    """
    right = wrong = missed = exact = needless = none = 0
    overlap = 0.0
    for row, text in rows:
        said = frozenset[str]().union(*(stems(said) for _, said in row.history))
        gold, got = row.gold, (stems(text) - stems(row.turn)) & said
        right, wrong, missed = right + len(gold & got), wrong + len(got - gold), missed + len(gold - got)
        exact += gold == got
        none += not gold
        needless += bool(got) and not gold
        a, b = stems(row.rewrite), stems(text)
        overlap += 2 * len(a & b) / (len(a) + len(b)) if a or b else 1.0
    precision, recall = right / max(right + wrong, 1), right / max(right + missed, 1)
    f1 = 2 * precision * recall / max(precision + recall, 1e-9)
    return (
        f"recall {recall:.3f} precision {precision:.3f} F1 {f1:.3f} exact {exact / len(rows):.3f} "
        f"needless {needless / max(none, 1):.3f} words {overlap / len(rows):.3f} n {len(rows)}"
    )


def judged_topics(needs: Sequence[Needed], rows: Sequence[tuple[Row, str]]) -> str:
    """How many turns were changed, and how many were taken for another topic: of all, and of those that need words."""
    leaving = [needed.leaves_topic for needed in needs]
    needing = [leaves for leaves, (row, _) in zip(leaving, rows, strict=True) if row.gold]
    changed = sum(text != row.turn for row, text in rows)
    return (
        f"changed {changed / len(rows):.3f} other topic {sum(leaving) / len(rows):.3f} "
        f"(of those that need words {sum(needing) / max(len(needing), 1):.3f}) n {len(rows)}"
    )
