"""Decides whether a picture is worth showing: not tiny, not a strip, not a decoration, not nearly plain.

The image bytes are not read: the corpus measures them at ingestion, and a reference carries size and entropy.
"""

import re

from libs.contracts.evidence import ImageReference

MIN_SIDE = 250
"""Minimum width and height, in pixels (taste)."""
GREATEST_RATIO = 3.0
"""Largest ratio of the longer side to the shorter one; banners and rules exceed it (taste)."""
MIN_ENTROPY = 2.3
"""Minimum entropy in bits, as the corpus measures it. Sample illustrations have at least 2.4, logos at most 2.2
(measured)."""
_DECORATION = re.compile(
    r"(?i)(?<![a-z])(?:logo|icon|favicon|avatar|banner|button|sprite|spacer|badge|emblem|watermark|placeholder)s?(?![a-z])"
)


def is_good(image: ImageReference) -> bool:
    """Whether an image is large enough, not a strip, not named as a decoration and, if measured, not plain."""
    shorter, longer = sorted((image.width, image.height))
    description = f"{image.caption} {image.image_id} {image.url}"
    has_good_shape = shorter >= MIN_SIDE and longer <= GREATEST_RATIO * shorter
    return has_good_shape and not _is_plain(image) and not _DECORATION.search(description)


def _is_plain(image: ImageReference) -> bool:
    return image.entropy is not None and image.entropy < MIN_ENTROPY
