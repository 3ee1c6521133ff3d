"""What the extra `neural` loads, on models of few random weights that are made here; skips without the extra."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from services.retrieve.embedding.embedder import UnusableModel
from services.retrieve.embedding.opening import NoEncoder, open_encoder
from services.retrieve.pictures.embedder import open_picture_encoder
from services.retrieve.pictures.pixels import read_recipe
from services.retrieve.reranking import open_scorer
from tests.fakes.tiny_bert import HEADS, INNER, LAYERS, PLACES, WIDTH, WORDS, write_tokenizer
from tests.fakes.tiny_clip import png

torch: Any = pytest.importorskip("torch")
transformers: Any = pytest.importorskip("transformers")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(300),
    pytest.mark.filterwarnings("ignore"),  # of libraries that are not ours
    pytest.mark.usefixtures("offline"),
]

TEXTS = ["the probe landed on the moon", "mars", "the moon"]
PAIRS = [("probe on the moon", text) for text in TEXTS]


@pytest.fixture(scope="module")
def offline() -> Iterator[None]:
    """Nothing is looked for on the hub."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "HF_HUB_OFFLINE", "1")
        yield


def config(**more: Any) -> Any:
    return transformers.BertConfig(
        vocab_size=len(WORDS),
        hidden_size=WIDTH,
        num_hidden_layers=LAYERS,
        num_attention_heads=HEADS,
        intermediate_size=INNER,
        max_position_embeddings=PLACES,
        **more,
    )


def tokenizer(folder: Path) -> Any:
    write_tokenizer(folder)
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_file=str(folder / "tokenizer.json"),
        model_max_length=PLACES,
        **{f"{kind}_token": f"[{kind.upper()}]" for kind in ("pad", "unk", "cls", "sep")},
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
    )
    fast.save_pretrained(folder)
    return fast


@pytest.fixture(scope="module")
def encoder_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tiny-encoder")
    torch.manual_seed(1)
    transformers.BertModel(config()).save_pretrained(folder)
    tokenizer(folder)
    return folder


@pytest.fixture(scope="module")
def reranker_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tiny-reranker")
    torch.manual_seed(2)
    model = transformers.BertForSequenceClassification(config(num_labels=1))
    torch.nn.init.normal_(model.classifier.weight, std=2.0)
    model.save_pretrained(folder)
    tokenizer(folder)
    return folder


def by_hand(folder: Path, pairs: list[tuple[str, str]]) -> list[float]:
    """The model's own probabilities, one pair after the other."""
    model = transformers.AutoModelForSequenceClassification.from_pretrained(folder).eval()
    fast = transformers.AutoTokenizer.from_pretrained(folder)
    with torch.no_grad():
        logits = [model(**fast(*pair, return_tensors="pt")).logits[0, 0] for pair in pairs]
    return [float(torch.sigmoid(logit)) for logit in logits]


@pytest.mark.parametrize("backend", ["cross-encoder", "flag"])
def test_a_reranker_of_the_extra_gives_the_models_probabilities(backend: str, reranker_folder: Path) -> None:
    scorer = open_scorer(f"{backend}:{reranker_folder}", Path("nowhere"), threads=1)
    assert scorer is not None
    assert scorer.name == reranker_folder.name
    expected = by_hand(reranker_folder, PAIRS)
    assert len(set(expected)) == len(PAIRS)
    assert scorer.score(PAIRS) == pytest.approx(expected, abs=1e-5)
    assert scorer.score(PAIRS[:1]) == pytest.approx(expected[:1], abs=1e-5)


def pooled(folder: Path, texts: list[str], first: bool) -> np.ndarray[Any, Any]:
    """Unit vectors by hand: of the first token, or the mean of all."""
    model = transformers.AutoModel.from_pretrained(folder).eval()
    fast = transformers.AutoTokenizer.from_pretrained(folder)
    with torch.no_grad():
        token_states = [model(**fast(text, return_tensors="pt")).last_hidden_state[0].numpy() for text in texts]
    vectors = np.stack([states[0] if first else states.mean(axis=0) for states in token_states])
    unit: np.ndarray[Any, Any] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit


@pytest.mark.parametrize(("backend", "first"), [("sentence-transformers", False), ("flag", True)])
def test_an_embedder_of_the_extra_gives_its_unit_vectors(backend: str, first: bool, encoder_folder: Path) -> None:
    encoder = open_encoder(f"{backend}:{encoder_folder}", Path("nowhere"), threads=1)
    assert not isinstance(encoder, NoEncoder)
    assert (encoder.profile.name, encoder.profile.width) == (encoder_folder.name, WIDTH)
    assert encoder.encode(TEXTS) == pytest.approx(pooled(encoder_folder, TEXTS, first), abs=1e-5)


@pytest.fixture(scope="module")
def clip_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tiny-clip")
    torch.manual_seed(3)
    sizes = {"hidden_size": WIDTH, "intermediate_size": INNER, "num_hidden_layers": 1, "num_attention_heads": HEADS}
    words = {"vocab_size": len(WORDS), "max_position_embeddings": PLACES, "eos_token_id": WORDS.index("[SEP]")}
    clip_config = transformers.CLIPConfig(
        text_config={**sizes, **words},
        vision_config={**sizes, "image_size": 16, "patch_size": 8},
        projection_dim=6,
    )
    transformers.CLIPModel(clip_config).save_pretrained(folder)
    transformers.CLIPImageProcessor(size={"shortest_edge": 16}, crop_size=16).save_pretrained(folder)
    tokenizer(folder)
    return folder


def test_a_clip_of_the_extra_gives_the_models_unit_vectors(clip_folder: Path) -> None:
    encoder = open_picture_encoder(f"clip:{clip_folder}", Path("nowhere"), threads=1)
    assert encoder is not None
    pixels = [encoder.prepared(png(*colour)) for colour in ((255, 0, 0), (0, 0, 255))]
    model = transformers.CLIPModel.from_pretrained(clip_folder).eval()
    fast = transformers.AutoTokenizer.from_pretrained(clip_folder)
    inputs = fast(TEXTS, padding=True, return_tensors="pt")
    with torch.no_grad():
        whole = model(
            input_ids=inputs["input_ids"],
            attention_mask=inputs["attention_mask"],
            pixel_values=torch.from_numpy(np.stack(pixels)),
        )
    assert encoder.pictures(pixels) == pytest.approx(whole.image_embeds.numpy(), abs=1e-5)
    assert encoder.texts(TEXTS) == pytest.approx(whole.text_embeds.numpy(), abs=1e-5)
    assert encoder.texts(TEXTS).shape == (len(TEXTS), 6)


def test_our_own_preparing_of_pictures_agrees_with_the_libraries(clip_folder: Path) -> None:
    ours = read_recipe(clip_folder).pixels(png(40, 90, 200, size=(40, 25)))
    encoder = open_picture_encoder(f"clip:{clip_folder}", Path("nowhere"), threads=1)
    assert encoder is not None
    assert ours == pytest.approx(encoder.prepared(png(40, 90, 200, size=(40, 25))), abs=1e-4)


@pytest.mark.parametrize(
    ("backend", "opened"),
    [
        ("cross-encoder", open_scorer),
        ("flag", open_scorer),
        ("sentence-transformers", open_encoder),
        ("flag", open_encoder),
        ("clip", open_picture_encoder),
    ],
)
def test_a_model_that_is_not_there_is_refused(backend: str, opened: Any, tmp_path: Path) -> None:
    with pytest.raises(UnusableModel, match="cannot load"):
        opened(f"{backend}:{tmp_path / 'nowhere'}", tmp_path, threads=1)
