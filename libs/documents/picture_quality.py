"""Whether a picture shows something: not tiny, no strip, not called a decoration, not as good as plain.

Bytes are not looked at: the corpus measured them when they came in, and a reference tells size and entropy.
"""

import re

from libs.contracts.evidence import ImageReference

LEAST_SIDE = 250
"""Pixels, of width and of height."""
GREATEST_RATIO = 3.0
"""Of the longer side to the shorter one; beyond are banners and rules."""
LEAST_ENTROPY = 2.3
"""Bits, as the corpus measures them. The emptiest illustration of the samples has 2.4, their richest logo 2.2."""
_DECORATION = re.compile(
    r"(?i)(?<![a-z])(?:logo|icon|favicon|avatar|banner|button|sprite|spacer|badge|emblem|watermark|placeholder)s?(?![a-z])"
)


def is_good(image: ImageReference) -> bool:
    """Whether it is large enough, no strip, not called a decoration and, where that was measured, not empty."""
    shorter, longer = sorted((image.width, image.height))
    named = f"{image.caption} {image.image_id} {image.url}"
    shaped = shorter >= LEAST_SIDE and longer <= GREATEST_RATIO * shorter
    return shaped and not _is_plain(image) and not _DECORATION.search(named)


def _is_plain(image: ImageReference) -> bool:
    return image.entropy is not None and image.entropy < LEAST_ENTROPY
