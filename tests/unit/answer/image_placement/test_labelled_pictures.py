"""Pictures of the samples that may stand beside a paragraph; `python -m bench.picture_placement` measures the rest."""

from bench.picture_placement import candidates, pictures, read_cases

MARKS = {"archive-mark", "orbit-mark", "word-mark", "menu-sign", "rocket-sign", "page-strip"}
"""The logos, icons and the banner; here their names don't tell, as in the corpus, where an id is a number."""


def test_logos_icons_and_banners_never_come_into_question() -> None:
    everything = {note: [image for images in pictures().values() for image in images] for note in pictures()}
    cases = [case.showing(everything) for case in read_cases("unseen")]
    candidate_ids = {candidate.image.image_id for case in cases for candidate in candidates(case)}
    image_ids = {image.image_id for images in pictures().values() for image in images}
    assert image_ids >= MARKS
    assert candidate_ids == image_ids - MARKS
