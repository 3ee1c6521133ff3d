"""What the readers find of three hundred composed files, a running suite stores and finds by its words."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ingest.documents import ParsedDocument
from libs.contracts.structure import BlockKind
from libs.documents.rendering import plain_words
from parley.retrieve.v1 import corpus_pb2, retrieve_pb2
from tests.fakes.composer import KINDS, Composer
from tests.system.door import Door, ingest
from tests.unit.ingest.structures import read_bytes

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("suite"), pytest.mark.timeout(1800)]

FILES = 16
"""Of each kind."""


def searched(name: str, data: bytes) -> str:
    """The text of all blocks that are searched: not menus, nor what runs over all pages."""
    return "\n".join(
        plain_words(block.span.of(document.text))
        for document in read_bytes(name, data)
        if isinstance(document, ParsedDocument) and document.structure
        for block in document.structure.blocks
        if block.kind is not BlockKind.FURNITURE
    )


@pytest.fixture(scope="module")
def sentences(door: Door, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The sentences that the readers have found in the files, which are ingested."""
    folder = tmp_path_factory.mktemp("planted")
    found = []
    for number, kind in enumerate(KINDS, start=1):
        composer = Composer(kind, number)
        for count in range(FILES):
            path: Path = folder / f"{kind}{count}.{kind}"
            path.write_bytes(composer.compose())
            text = searched(path.name, path.read_bytes())
            found += [sentence for sentence in composer.sentences if sentence in text]
    ingest(door.port, str(folder), "--collection", "planted")
    return found


def test_each_sentence_that_was_read_is_found(door: Door, sentences: list[str]) -> None:
    def is_lost(sentence: str) -> bool:
        options = retrieve_pb2.RetrieveOptions(collection="planted")
        request = corpus_pb2.SearchRequest(query=sentence.split()[0], options=options)
        evidence = door.corpus.Search(request, timeout=60).evidence
        return not any(sentence in " ".join(plain_words(one.passage.text).split()) for one in evidence)

    with ThreadPoolExecutor(8) as threads:
        lost = [sentence for sentence, is_so in zip(sentences, threads.map(is_lost, sentences), strict=True) if is_so]
    assert len(sentences) > 3000
    assert lost == [], "\n".join(lost)
