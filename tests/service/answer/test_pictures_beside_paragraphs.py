"""Pictures beside paragraphs on the wire: the answer stage, another process's models, the corpus's own pictures."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from libs.contracts.evidence import Evidence, Reference
from libs.contracts.wire.codec import to_message
from parley.answer.v1 import answer_pb2
from parley.context.v1 import answer_pb2 as context_answer_pb2
from parley.context.v1 import evidence_pb2
from services.answer.image_placement import matching
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.documents import Document, DocumentImage
from services.retrieve.corpus.reading import passages
from services.retrieve.corpus_access import CorpusAccess
from services.retrieve.embedding.batching import BatchingEmbedder
from services.retrieve.pictures.embedder import PictureEmbedder, open_picture_encoder
from services.retrieve.servicer_inference import InferenceServicer
from tests.fakes.running_server import running
from tests.fakes.scripted_llm import ScriptedLlm
from tests.fakes.stored_documents import put
from tests.fakes.tiny_clip import png, write_clip
from tests.fakes.word_encoder import WordEncoder
from tests.service.answer.conftest import answering
from tests.service.answer.steps_reading import written

QUESTION = "When did the lander touch Mars?"
TEXT = "The lander touched Mars on 2 December 1971. It fell silent after twenty seconds."
RED = DocumentImage(caption="A lander, seen from afar", width=640, height=480, data=png(255, 0, 0))
WHITE = DocumentImage(caption="The lander touched Mars in December", width=640, height=480, data=png(255, 255, 255))
LOGO = DocumentImage(caption="Logo: the lander touched Mars", width=640, height=480, data=png(0, 0, 255))
MARS_3 = Document("mars-3", TEXT, title="The lander Mars 3", images=(LOGO, WHITE, RED))
CAPTION, CLIP = context_answer_pb2.COMPARED_BY_CAPTION, context_answer_pb2.COMPARED_BY_CLIP


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with Corpus.open(tmp_path) as new_corpus:
        put(new_corpus, MARS_3)
        put(new_corpus, replace(MARS_3, document_id="secret", principals=("crew",)))
        yield new_corpus


@asynccontextmanager
async def models(corpus: Corpus, folder: Path, sees: bool = False) -> AsyncIterator[str]:
    """The address of a process with an embedder of words and, if it sees, a CLIP of colours."""
    embedder = BatchingEmbedder(WordEncoder())
    pictures = None
    if sees:
        write_clip(folder / "clip")
        encoder = open_picture_encoder("onnx:clip", folder, threads=1)
        assert encoder is not None
        pictures = PictureEmbedder(encoder)
    async with running(InferenceServicer(embedder, None, pictures, CorpusAccess(corpus))) as server:
        yield server.target
    embedder.close()
    if pictures is not None:
        pictures.close()


@pytest.fixture(autouse=True)
def clip_of_whole_cosines(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cosines of the CLIP of colours go from 0 to 1."""
    monkeypatch.setattr(matching, "CLIP_ZERO", 0.0)
    monkeypatch.setattr(matching, "CLIP_FULL", 1.0)


def request(corpus: Corpus, document: str = "mars-3", principals: tuple[str, ...] = ()) -> answer_pb2.WriteRequest:
    """The question with the document's passage as retrieval gives it."""
    passage_id = f"{document}#0"
    stored_passages = corpus.read(lambda connection: passages(connection, "default", [passage_id], principals))
    reference = to_message(Reference(1, Evidence(stored_passages[passage_id], rank=1)), evidence_pb2.Reference)
    return answer_pb2.WriteRequest(question=QUESTION, references=[reference], principals=principals)


async def test_after_the_text_the_picture_whose_caption_fits_stands_beside_its_paragraph(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with models(corpus, tmp_path) as address:
        monkeypatch.setenv("PARLEY_ANSWER_PICTURES_INFERENCE", address)
        async with answering() as stub:
            steps = await written(stub, request(corpus))
            whole = await stub.WriteOnce(answer_pb2.WriteOnceRequest(write=request(corpus)))
    kinds = [step.WhichOneof("step") for step in steps]
    assert kinds[-2:] == ["image", "result"]
    assert kinds.count("image") == 1
    image = steps[-2].image
    assert (image.image.image_id, image.document_id, image.paragraph) == ("mars-3/2", "mars-3", 2)
    assert image.compared_by == CAPTION
    assert 0.38 <= image.score <= 1
    assert image.scores.relevance > 0.1
    assert not image.scores.reranked
    assert image.reason
    assert list(steps[-1].result.answer.images) == list(whole.answer.images) == [image]


async def test_a_restricted_documents_pictures_are_looked_at_for_its_principals(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    crew_request = request(corpus, "secret", ("crew",))
    plain_request = answer_pb2.WriteRequest()
    plain_request.CopyFrom(crew_request)
    plain_request.ClearField("principals")
    async with models(corpus, tmp_path, sees=True) as address:
        monkeypatch.setenv("PARLEY_ANSWER_PICTURES_INFERENCE", address)
        async with answering() as stub:
            (image,) = (await written(stub, crew_request))[-1].result.answer.images
            (unseen,) = (await written(stub, plain_request))[-1].result.answer.images
    assert (image.image.image_id, image.compared_by) == ("secret/3", CLIP)
    assert (unseen.image.image_id, unseen.compared_by) == ("secret/2", CAPTION)


async def test_beside_what_a_language_model_wrote_too_but_not_beside_what_was_taken_back(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with models(corpus, tmp_path) as address, ScriptedLlm() as llm:
        monkeypatch.setenv("PARLEY_ANSWER_PICTURES_INFERENCE", address)
        monkeypatch.setenv("PARLEY_LLM_BASE_URL", llm.base_url)
        llm.reply("Its cook baked 12 loaves in May 1999. [1]\n\nThe lander touched Mars on 2 December 1971. [1]")
        async with answering() as stub:
            answer = (await written(stub, request(corpus)))[-1].result.answer
    assert answer.engine == "llm"
    assert answer.text == "The lander touched Mars on 2 December 1971.[1]"
    assert [(image.image.image_id, image.paragraph) for image in answer.images] == [("mars-3/2", 1)]
