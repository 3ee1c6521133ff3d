"""The time and size of pictures of the pages of PDFs: `python -m bench.page_pictures FILE…`.

The first page of each file, which may start the process that draws, is not counted.
"""

import asyncio
import sys
import time
from contextlib import closing
from pathlib import Path
from statistics import median

from libs.contracts.spans import Span
from services.retrieve.corpus.documents import Document
from services.retrieve.corpus.originals import Original
from services.retrieve.pages.pages import PagePictures


async def measure(files: list[Path]) -> str:
    """The figures of the files together."""
    times: list[float] = []
    sizes: list[float] = []
    with closing(PagePictures(lambda original: original.document.original)) as pictures:
        for file in files:
            original = Original(Document(file.name, original=file.read_bytes()), 0, file.name.encode())
            first = await pictures.picture(original, Span(), 1)
            for number in range(2, first.pages + 1):
                start = time.perf_counter()
                sizes.append(len((await pictures.picture(original, Span(), number)).data) / 1000)
                times.append((time.perf_counter() - start) * 1000)
    slowest, largest = max(times), max(sizes)
    return f"{len(sizes)} pages: median {median(times):.0f} ms, slowest {slowest:.0f} ms; largest {largest:.0f} kB\n"


if __name__ == "__main__":
    sys.stdout.write(asyncio.run(measure([Path(name) for name in sys.argv[1:]])))
