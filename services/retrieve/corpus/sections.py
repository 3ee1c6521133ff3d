"""Reads the whole sections that passages belong to. Each statement blocks, on a connection of its thread."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Final

from libs.contracts.evidence import Passage, WholeSection
from services.retrieve.corpus.databases.database import Connection
from services.retrieve.corpus.permissions import marks
from services.retrieve.corpus.places import places_of_passages
from services.retrieve.corpus.reading import passages_of_section, visible_documents

MOST_PASSAGES: Final = 5_000
"""Passages of a section that are read at most; a data set has one for each row (70 ms; taste)."""
MOST_CHARACTERS: Final = 2_000_000
"""Characters that are read of a section: with their places they fit into one message of 8 MiB (taste)."""


def sections_of_passages(
    connection: Connection, collection: str, passage_ids: Sequence[str], principals: Sequence[str]
) -> Iterator[WholeSection]:
    """Yield the sections of those of these passages that the principals may see, each once."""
    places = places_of_passages(connection, collection, passage_ids, principals)
    keys = [places[passage_id].key for passage_id in passage_ids if passage_id in places]
    rows = connection.execute(f"SELECT id, document, section FROM passages WHERE id IN ({marks(keys)})", keys)
    sections = {key: (document, section) for key, document, section in rows}
    for document, section in dict.fromkeys(sections[key] for key in keys):
        passages = passages_of_section(connection, document, section, MOST_PASSAGES + 1)
        fitting = _fitting(passages)
        # A file too large for one document is parted: `id`, `id#2`, … (`ingest.parts`).
        document_id = passages[0].document_id
        further_id = f"{document_id.partition('#')[0]}#2"
        is_parted = bool(visible_documents(connection, collection, [further_id], principals))
        yield WholeSection(fitting, is_parted or len(fitting) < len(passages))


def _fitting(passages: Sequence[Passage]) -> tuple[Passage, ...]:
    lengths = accumulate(len(passage.text) for passage in passages)
    return tuple(
        replace(passage, metadata={})
        for passage, length in zip(passages[:MOST_PASSAGES], lengths, strict=False)
        if length <= MOST_CHARACTERS
    )
