"""Tries the pages of a PDF in another process: one of 3 KB may draw 10^11 forms, and nothing in pdfium stops.

It costs 2 % of the time that a file takes. Numbers without a source: by hand.
"""

import os
import resource
import signal
from contextlib import suppress
from typing import Final, NoReturn

import pypdfium2 as pdfium

from ingest.content import BrokenContent, Content
from ingest.formats.pdf.file import open_pdf
from libs.runtime.isolation import address_space

MEMORY: Final = 1024**3  # bytes that pdfium may take for a page and its text
SECONDS: Final = 10.0  # of a processor, for a page
MAX_LEFT_OUT: Final = 3  # pages of a file; one with more is not read
TOO_LARGE: Final = "has pages that take too much memory or time"


def pages_too_large(content: Content) -> set[int]:
    """The numbers of the pages, from 1, that take too much memory or time; BrokenContent if they are too many."""
    left_out, tried = set[int](), 0
    while len(left_out) <= MAX_LEFT_OUT:
        done, told = os.pipe()
        if not (child := os.fork()):
            _try(content, tried, told)
        os.close(told)
        with os.fdopen(done, "rb") as pipe:
            tried += len(pipe.read())  # until the child ends, however it does
        if not os.waitpid(child, 0)[1]:
            return left_out
        tried += 1
        left_out.add(tried)
    raise BrokenContent(TOO_LARGE)


def _try(content: Content, tried: int, told: int) -> NoReturn:
    """Load the pages after those that were tried, and tell each by a byte; what is wrong with them is found later."""
    try:
        resource.setrlimit(resource.RLIMIT_AS, (address_space() + MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
        with suppress(pdfium.PdfiumError, BrokenContent), content.open() as stream, open_pdf(stream) as document:
            for number in range(tried, len(document)):
                signal.setitimer(signal.ITIMER_PROF, SECONDS)  # its signal ends this process
                with suppress(pdfium.PdfiumError):
                    document[number].get_textpage().count_chars()
                os.write(told, b".")
        os._exit(0)
    finally:
        os._exit(1)
