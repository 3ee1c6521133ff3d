"""Settings of image placement, from the environment (PARLEY_ANSWER_PICTURES_...)."""

from pydantic import Field

from libs.runtime.settings import AreaSettings, Tuned


class ImagePlacementSettings(AreaSettings, area="answer_pictures"):
    """Whether pictures are placed, which process compares them, and how well they must fit."""

    enabled: bool = True
    """Whether pictures are placed at all."""
    inference: str = "127.0.0.1:50054"  # that stage's default port
    """Address of the process whose models compare (the retrieve stage); called only if there is a picture to place."""
    seconds: float = Field(default=3.0, gt=0, le=60)  # taste
    """Maximum time after the text until the pictures are placed; after that there are none, and that is reported. On
    two cores that ten other processes used too, it took .02 s for known texts and .3 to 1.6 s for new ones."""
    reranked_relevance: Tuned[float] = Field(default=0.3, ge=0, le=1)
    """Minimum relevance of a caption to the question by a reranker: that of the system that this one follows."""
    embedded_relevance: Tuned[float] = Field(default=0.1, ge=0, le=1)
    """Minimum cosine of caption and question without a reranker, for all-MiniLM-L6-v2. Set on 20 labelled questions
    over the samples: at .15 and at .2 right pictures are lost, and no more wrong ones are excluded."""
    min_score: Tuned[float] = Field(default=0.38, ge=0, le=1)
    """Minimum score of a picture beside a paragraph. Set on the same questions, each with its own pictures and with
    those of other worlds: from .38 on all wrong ones are excluded, above it right ones are lost (18 of 20; on 20 others
    18, and one wrong one)."""
