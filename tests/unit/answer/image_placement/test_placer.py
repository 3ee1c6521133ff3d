"""Pictures beside paragraphs: which are taken, where they stand, what is said of them, and what may fail."""

from dataclasses import replace

import pytest

from libs.contracts.answers import ComparedBy, PlacedImage
from libs.contracts.evidence import Evidence, ImageReference, Passage, Reference
from libs.contracts.usage import Degraded
from libs.runtime.errors import FailedPrecondition, Unavailable
from services.answer.image_placement.matching import CitedParagraph
from services.answer.image_placement.placer import ImagePlacer
from services.answer.image_placement.settings import ImagePlacementSettings
from tests.fakes.scripted_models import ScriptedModels

QUESTION = "rover lander mars"
ROVER = ImageReference("notes/rover", "rover wheels", width=640, height=480, entropy=4.0)
LANDER = ImageReference("notes/lander", "lander legs", width=640, height=480, entropy=4.0)
NEBULA = ImageReference("notes/nebula", "nebula orion", width=640, height=480, entropy=4.0)
LEAST_RELEVANCE = 0.3


def reference(number: int, document: str, text: str, *images: ImageReference, title: str = "") -> Reference:
    passage = Passage(f"{document}#{number}", document, text, title=title, images=images)
    return Reference(number, Evidence(passage))


def paragraph(number: int, text: str, *passages: str) -> CitedParagraph:
    return CitedParagraph(number, text, frozenset(passages))


NOTES = reference(1, "notes", "rover drives lander stands", ROVER, LANDER, NEBULA, title="mars notes")
DRIVES = paragraph(1, "the rover drives on wheels", "notes#1")
STANDS = paragraph(2, "the lander stands on legs", "notes#1")


async def place(
    models: ScriptedModels,
    paragraphs: tuple[CitedParagraph, ...] = (DRIVES, STANDS),
    references: tuple[Reference, ...] = (NOTES,),
    min_score: float = 0.3,
) -> list[PlacedImage]:
    """The pictures, where nothing fails."""
    settings = ImagePlacementSettings(embedded_relevance=LEAST_RELEVANCE, min_score=min_score, seconds=5)
    placed = await ImagePlacer(models, settings).place(QUESTION, paragraphs, references)
    images = [each for each in placed if isinstance(each, PlacedImage)]
    assert len(images) == len(placed)
    return images


async def failure(models: ScriptedModels, seconds: float = 5.0, left: float = 5.0) -> str:
    """Why there are no pictures."""
    settings = ImagePlacementSettings(seconds=seconds)
    (report,) = await ImagePlacer(models, settings).place(QUESTION, (DRIVES,), (NOTES,), seconds=left)
    assert isinstance(report, Degraded)
    return report.reason


def image_ids(images: list[PlacedImage]) -> dict[int, str]:
    return {image.paragraph: image.image.image_id for image in images}


async def test_each_paragraph_gets_the_picture_whose_caption_tells_the_same() -> None:
    assert image_ids(await place(ScriptedModels())) == {1: "notes/rover", 2: "notes/lander"}


async def test_a_placed_picture_tells_its_scores_its_source_and_that_its_caption_stood_in() -> None:
    (image,) = await place(ScriptedModels(), (DRIVES,))
    assert (image.document_id, image.image, image.compared_by) == ("notes", ROVER, ComparedBy.CAPTION)
    scores = image.scores
    mean = 0.85 * scores.picture + 0.05 * scores.title + 0.1 * scores.text
    assert image.score == pytest.approx(mean)
    assert scores.picture > scores.text > scores.title == 0
    assert scores.relevance >= LEAST_RELEVANCE
    assert not scores.reranked
    assert "caption fits the paragraph" in image.reason
    assert "“mars notes”" in image.reason


async def test_a_long_paragraph_is_told_by_the_sentence_that_is_nearest_and_not_by_words_from_all_of_them() -> None:
    scattered_picture = replace(NEBULA, caption="wheels stands drives legs dust sand rover sky")
    match = replace(ROVER, caption="rover climbs hill")
    text = (
        "The rover climbs a hill. Its wheels turn. It stands. It drives on. Legs, dust and sand are there. So is sky."
    )
    notes = reference(1, "notes", text, scattered_picture, match, title="mars notes")
    images = await place(ScriptedModels(), (paragraph(1, text, "notes#1"),), (notes,), min_score=0.1)
    assert image_ids(images) == {1: "notes/rover"}


async def test_with_a_model_of_pictures_what_they_show_counts_and_not_what_is_written_below() -> None:
    swapped_captions = {"notes/rover": "lander legs stands", "notes/lander": "rover wheels drives"}
    images = await place(ScriptedModels(looks=swapped_captions))
    assert image_ids(images) == {1: "notes/lander", 2: "notes/rover"}
    assert {image.compared_by for image in images} == {ComparedBy.CLIP}
    assert "picture fits the paragraph" in images[0].reason


async def test_a_picture_that_the_model_cannot_look_at_is_compared_by_its_caption() -> None:
    images = await place(ScriptedModels(looks={"notes/rover": "rover wheels drives"}))
    comparisons = {image.image.image_id: image.compared_by for image in images}
    assert comparisons == {"notes/rover": ComparedBy.CLIP, "notes/lander": ComparedBy.CAPTION}


async def test_with_a_reranker_the_relevance_is_its_own() -> None:
    says = {(QUESTION, "rover wheels"): 0.31, (QUESTION, "lander legs"): 0.29}
    (image,) = await place(ScriptedModels(reranks=says))
    assert image.image == ROVER
    assert (image.scores.relevance, image.scores.reranked) == (0.31, True)


async def test_a_picture_of_something_else_than_the_question_is_placed_nowhere() -> None:
    only_nebula = reference(1, "notes", "rover drives", NEBULA)
    assert await place(ScriptedModels(), references=(only_nebula,)) == []


async def test_a_paragraph_that_no_picture_shows_well_enough_stands_alone() -> None:
    assert image_ids(await place(ScriptedModels(), min_score=0.99)) == {}


async def test_only_documents_that_the_answer_cites_show_pictures() -> None:
    other = reference(2, "other", "rover drives lander stands", LANDER)
    notes = reference(1, "notes", "rover drives", ROVER)
    assert image_ids(await place(ScriptedModels(), references=(notes, other))) == {1: "notes/rover"}


async def test_the_same_picture_of_two_documents_stands_once_beside_the_nearer_one() -> None:
    again = replace(ROVER, image_id="more/rover")
    more = reference(2, "more", DRIVES.text, again, title="the rover drives")
    few = reference(1, "notes", "lander stands", ROVER)
    both = replace(STANDS, passages=frozenset({"notes#1", "more#2"}))
    images = await place(ScriptedModels(), (DRIVES, both), (few, more), min_score=0.05)
    assert image_ids(images) == {1: "more/rover"}


@pytest.mark.parametrize(
    "unfit",
    [
        replace(ROVER, caption=""),
        replace(ROVER, caption="logo rover wheels"),
        replace(ROVER, image_id="notes/icon"),
        replace(ROVER, width=64, height=64),
        replace(ROVER, width=2000),
        replace(ROVER, entropy=0.8),
    ],
)
async def test_without_a_fit_picture_nobody_is_asked(unfit: ImageReference) -> None:
    models = ScriptedModels()
    assert await place(models, references=(reference(1, "notes", "rover drives", unfit),)) == []
    assert models.calls == []


async def test_where_no_caption_fits_the_question_nothing_is_compared() -> None:
    models = ScriptedModels()
    await place(models, references=(reference(1, "notes", "rover", NEBULA),))
    assert models.calls == ["rerank", "embed"]


async def test_an_answer_without_citations_has_no_pictures() -> None:
    models = ScriptedModels()
    assert await place(models, paragraphs=()) == []
    assert await place(models, paragraphs=(paragraph(1, "the rover drives"),)) == []
    assert models.calls == []


async def test_what_fails_leaves_the_answer_without_pictures_and_says_why() -> None:
    assert await failure(ScriptedModels(failure=Unavailable("MODEL_FAILED", "the model failed"))) == "MODEL_FAILED"
    assert await failure(ScriptedModels(failure=FailedPrecondition("EMBEDDER_MISSING", ""))) == "EMBEDDER_MISSING"
    assert await failure(ScriptedModels(seconds=5), seconds=0.01) == "DEADLINE_EXCEEDED"
    assert await failure(ScriptedModels(seconds=5), left=0.01) == "DEADLINE_EXCEEDED"
