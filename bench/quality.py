"""All quick labelled sets in one table: `python -m bench.quality` (`make quality`).

Sets that need no suite come first, then those that ask one over the samples. A figure that falls says where to look;
the bench of its set lists the cases. None of them is a specification: those are under tests/.
"""

import sys

from bench import (
    asking_back,
    model_sentences,
    picture_placement,
    policy,
    quoted_answers,
    rewrites,
    sample_answers,
    steps,
    two_hops,
    verification,
)
from bench.labelled import Figure, show
from bench.samples import suite_over_samples


def figures() -> list[Figure]:
    """Of all sets."""
    with suite_over_samples() as suite:
        return figures_of(suite.address)


def figures_of(address: str) -> list[Figure]:
    """Of all sets, with a suite that holds the samples in its default collection."""
    by_themselves = (verification, model_sentences, quoted_answers, picture_placement, policy, steps, rewrites)
    figures = [figure for module in by_themselves for figure in module.figures()]
    for module in (sample_answers, two_hops, asking_back):
        figures += module.quality(address)
    return figures


def main() -> int:
    """Measure and print."""
    show("Labelled sets", figures())
    return 0


if __name__ == "__main__":
    sys.exit(main())
