"""Markdown, with its structure.

It may begin with a block of YAML between two lines `---`: title, url, date, source, principals, images (path or
url, caption, width, height); other keys become metadata. An empty title, url or date counts as absent. Pictures in the
text, `![caption](file)`, are included if they are in the note's folder and have a caption. Reading blocks.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, Final

from ingest.content import BrokenContent, Content
from ingest.detection.charsets import decoded
from ingest.documents import Omission, OmissionReason, ReadResult, SourceImage
from ingest.fields import document_of
from ingest.formats.markup import clean_markdown, comments_of
from ingest.formats.pictures import lying_below, picture, select_pictures
from ingest.titles import main_heading
from libs.documents.markdown import parse_markdown
from libs.documents.remains import Said

DEEPEST: Final = 20
"""Levels of values in front matter (taste); time grows with their square."""
FRONT_MATTER: Final = re.compile(r"\A---[ \t]*\n(.*?)\n---[ \t]*(?:\n|\Z)", re.DOTALL)
PICTURE: Final = re.compile(r"!\[([^\]\n]{1,1000})\]\(<?([^)>\s]{1,1000})>?(?:\s+\"[^\"\n]*\")?\)")
"""Lengths bound how far a bracket that is never closed is searched (taste)."""


def read(content: Content) -> Iterator[ReadResult]:
    """Yield one document, titled by its front matter, its main heading, or its file; errors as in `Reader`."""
    whole = decoded(content.read(), content.charset)
    block = FRONT_MATTER.match(whole.text)
    fields = _front_matter(block.group(1)) if block else {}
    source = whole.text[block.end() :] if block else whole.text
    body = clean_markdown(source)
    structure = parse_markdown(body)
    fields.setdefault("title", main_heading(structure) or content.title)
    document = document_of(content, content.document_id, body, fields)
    comments = comments_of(source)
    rest = Said((body, *comments)).phrases(source)
    hidden = (Omission.of(OmissionReason.HIDDEN, "", words) for words in (*comments, *dict.fromkeys(rest)))
    document = replace(document, structure=structure, omissions=(*document.omissions, *whole.omissions, *hidden))
    if document.images:  # the front matter lists them
        yield document
        return
    images, left_out = select_pictures(_pictures(content, source), content.bounds)
    yield replace(document, images=images, metadata={**document.metadata, **left_out})


def _pictures(content: Content, body: str) -> Iterator[SourceImage]:
    for caption, place in PICTURE.findall(body):
        if place.startswith(("http://", "https://")):
            yield SourceImage(caption, place)
        elif data := lying_below(content, place):
            yield picture(data, caption)


def _front_matter(block: str) -> dict[str, Any]:
    import yaml  # most files have no such block

    try:
        _refuse_expanding(yaml.parse(block, yaml.SafeLoader))
        fields = yaml.safe_load(block)
    except BrokenContent:
        raise
    except (yaml.YAMLError, ValueError):  # a date such as 2024-99-99 raises ValueError
        raise BrokenContent("begins with front matter that is not YAML") from None
    if fields is None:
        return {}
    if not isinstance(fields, dict):
        raise BrokenContent("begins with front matter that has no keys")
    return {str(key): value for key, value in fields.items()}


def _refuse_expanding(events: Iterable[Any]) -> None:
    """Refuse what takes far more time or memory than it has characters: aliases, and values within values."""
    import yaml

    depth = 0
    for event in events:
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if isinstance(event, yaml.AliasEvent):
            raise BrokenContent("begins with front matter that uses aliases")
        if depth > DEEPEST:
            raise BrokenContent(f"begins with front matter of more than {DEEPEST} levels")
