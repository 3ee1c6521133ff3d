"""Pictures stand beside the paragraphs that they show, in whole turns over the samples."""

import pytest

from parley.context.v1 import answer_pb2
from parley.gateway.v1 import event_pb2, gateway_pb2
from parley.retrieve.v1 import corpus_pb2
from tests.system.door import SAMPLES, Door, one

pytestmark = pytest.mark.xdist_group("suite")

PICTURES = SAMPLES / "corpus" / "pictures"
CREW = (("x-parley-principal", "mission-control"),)


def images(events: list[event_pb2.Event]) -> list[answer_pb2.PlacedImage]:
    return [event.image for event in events if event.HasField("image")]


def name_of(door: Door, image: answer_pb2.PlacedImage, metadata: tuple[tuple[str, str], ...] = ()) -> str:
    """The file that a picture's bytes stand in."""
    response = door.corpus.GetImage(corpus_pb2.GetImageRequest(image_id=image.image.image_id), metadata=metadata)
    assert response.image == image.image
    (name,) = [file.name for file in PICTURES.iterdir() if file.read_bytes() == response.data]
    return name


@pytest.mark.parametrize(
    ("question", "picture"),
    [
        ("What did Cassini discover at the moon Enceladus?", "ice-fountains.png"),
        ("What is a gravity assist?", "gravity-assist.png"),
        ("How did Curiosity land with the sky crane?", "sky-crane.png"),
    ],
)
def test_a_turn_names_a_picture_whose_bytes_can_be_fetched(door: Door, question: str, picture: str) -> None:
    events = door.ask(question)
    (image,) = [image for image in images(events) if name_of(door, image) == picture]
    assert image.compared_by == answer_pb2.COMPARED_BY_CAPTION
    assert 1 <= image.paragraph <= len(one(events, "text_end").text_end.text.split("\n\n"))
    assert image.image.entropy > 0


def test_a_restricted_documents_picture_is_for_its_principals(door: Door) -> None:
    request = gateway_pb2.AskRequest(question="Why was Mars Climate Orbiter lost?")
    events = [response.event for response in door.gateway.Ask(request, metadata=CREW)]
    (image,) = images(events)
    assert name_of(door, image, CREW) == "too-deep.png"
    without = [response.event for response in door.gateway.Ask(request)]
    assert all(placed_image.document_id != image.document_id for placed_image in images(without))
