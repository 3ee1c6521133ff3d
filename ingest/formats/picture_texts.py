"""What the pictures of a document say, read by OCR and put below its own text. CPU work alone."""

import io
from dataclasses import replace
from statistics import fmean
from time import monotonic

from ingest.documents import OmissionReason, ParsedDocument, SourceImage
from ingest.formats.ocr import LEAST_SIDE, MAX_PICTURES, OcrLine, is_prose, ocr_metadata, read_picture
from libs.contracts.structure import Structure
from libs.documents.building import DocumentBuilder


def with_picture_texts(document: ParsedDocument, seconds: float) -> ParsedDocument:
    """A document with a paragraph for each picture that has text; those that are not read stay named."""
    deadline, builder = monotonic() + seconds, DocumentBuilder()
    builder.append(document.text, document.structure or Structure())
    omissions, confidences = list(document.omissions), dict[int, float]()
    for number, image in enumerate(document.images[:MAX_PICTURES], start=1):
        if lines := _lines(image) if monotonic() < deadline else []:
            builder.paragraph(" ".join(line.text for line in lines))
            confidences[number] = fmean(line.confidence for line in lines)
            named = [one for one in omissions if one.reason is OmissionReason.PICTURE and one.excerpt in image.caption]
            omissions = [one for one in omissions if one not in named[:1]]
    if not confidences or document.structure is None:
        return document
    text, structure = builder.build()
    metadata = {**document.metadata, **ocr_metadata("pictures", confidences)}
    return replace(document, text=text, structure=structure, metadata=metadata, omissions=tuple(omissions))


def _lines(image: SourceImage) -> list[OcrLine]:
    from PIL import Image

    try:
        is_ornament = 0 < min(image.width, image.height) < LEAST_SIDE
        lines = [] if is_ornament or not image.data else read_picture(Image.open(io.BytesIO(image.data)))
    except Exception:  # the library raises many kinds for a damaged picture
        return []
    return lines if is_prose(lines) else []
