"""What the ids of folders and files begin with: never the same for two, always the same for one."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from libs.runtime.errors import InvalidInput
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.deleting import delete_collection
from services.retrieve.corpus.documents import Document
from services.retrieve.corpus.roots import PlacedRoot, Root, RootRequest, place_roots
from tests.fakes.stored_documents import put

A_DOCS, B_DOCS, C_DOCS = (RootRequest(f"/{owner}/docs", "docs") for owner in "abc")


def place(corpus: Corpus, *requests: RootRequest, collection: str = "default") -> list[PlacedRoot]:
    return list(corpus.write(place_roots, collection, requests).result().placed)


def prefixes(corpus: Corpus, *requests: RootRequest) -> list[str]:
    return [placement.root.prefix for placement in place(corpus, *requests)]


def test_two_folders_of_one_name_are_told_apart(corpus: Corpus) -> None:
    assert prefixes(corpus, A_DOCS) == ["docs"]
    assert prefixes(corpus, B_DOCS, C_DOCS) == ["docs~2", "docs~3"]


def test_a_folder_keeps_what_it_got(corpus: Corpus) -> None:
    (first,) = place(corpus, B_DOCS)
    place(corpus, A_DOCS)
    (again,) = place(corpus, B_DOCS)
    assert (first.added, again.added) == (True, False)
    assert first.root == again.root == Root("docs", "/b/docs")


def test_what_lies_in_a_root_is_that_roots(corpus: Corpus) -> None:
    place(corpus, A_DOCS)
    assert prefixes(corpus, RootRequest("/a/docs/inner", "inner"), RootRequest("/a/docs/x.md", "x.md")) == 2 * ["docs"]
    assert prefixes(corpus, RootRequest("/a/docs-of-ours", "docs-of-ours")) == ["docs-of-ours"]


def test_a_folder_above_a_root_is_a_root_of_its_own(corpus: Corpus) -> None:
    place(corpus, A_DOCS)
    placement = corpus.write(place_roots, "default", [RootRequest("/a", "a")]).result()
    assert placement.placed[0].root == Root("a", "/a")
    assert placement.roots == (Root("a", "/a"), Root("docs", "/a/docs"))
    assert prefixes(corpus, RootRequest("/a/docs/x.md", "x.md"), RootRequest("/a/y.md", "y.md")) == ["docs", "a"]


def test_a_given_name_holds_wherever_the_folder_lies(corpus: Corpus) -> None:
    assert prefixes(corpus, RootRequest("/a/docs", "handbook", named=True)) == ["handbook"]
    (root,) = place(corpus, RootRequest("/b/docs", "handbook", named=True))
    assert (root.root, root.added) == (Root("handbook", "/b/docs"), False)
    assert prefixes(corpus, B_DOCS, A_DOCS) == ["handbook", "docs"]


def test_a_given_name_may_be_the_one_that_a_folder_has(corpus: Corpus) -> None:
    place(corpus, A_DOCS)
    assert prefixes(corpus, RootRequest("/a/docs/inner", "docs", named=True)) == ["docs"]


def test_a_second_name_for_a_folder_is_refused(corpus: Corpus) -> None:
    place(corpus, A_DOCS)
    with pytest.raises(InvalidInput, match=r"lies in the root 'docs'"):
        place(corpus, B_DOCS, RootRequest("/a/docs/inner", "handbook", named=True))
    assert prefixes(corpus, C_DOCS) == ["docs~2"]  # nothing of the refused request was kept


def test_a_name_given_twice_is_refused(corpus: Corpus) -> None:
    requests = [RootRequest(f"/{owner}/docs", "handbook", named=True) for owner in "ab"]
    with pytest.raises(InvalidInput, match=r"roots\[1\]\.name"):
        place(corpus, *requests)


def test_documents_from_before_roots_were_kept_are_their_folders(corpus: Corpus) -> None:
    put(corpus, Document("docs/a.md", "A."))
    put(corpus, Document("x.md", "X."))
    (docs, note, other) = place(corpus, A_DOCS, RootRequest("/x.md", "x.md"), RootRequest("/doc", "doc"))
    assert [docs.root.prefix, note.root.prefix, other.root.prefix] == ["docs", "x.md", "doc"]
    assert [docs.adopted, note.adopted, other.adopted] == [True, True, False]


def test_a_numbered_beginning_that_documents_have_already_is_left_to_them(corpus: Corpus) -> None:
    put(corpus, Document("docs~2/a.md", "A."))
    assert prefixes(corpus, A_DOCS, B_DOCS) == ["docs", "docs~3"]


def test_collections_have_roots_of_their_own_and_lose_them_when_they_are_deleted(corpus: Corpus) -> None:
    place(corpus, A_DOCS)
    place(corpus, B_DOCS, collection="moon")
    assert corpus.write(delete_collection, "moon").result()
    (placement,) = place(corpus, C_DOCS, collection="moon")
    assert placement.root == Root("docs", "/c/docs")


def test_roots_are_there_after_a_restart(tmp_path: Path) -> None:
    for _ in range(2):
        with Corpus.open(tmp_path / "data") as corpus:
            assert prefixes(corpus, A_DOCS, B_DOCS) == ["docs", "docs~2"]


names = st.sampled_from(["a", "b", "docs"])
folders = st.lists(names, min_size=1, max_size=4).map(lambda parts: RootRequest(f"/{'/'.join(parts)}", parts[-1]))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(folders, min_size=1, max_size=12))
def test_no_two_roots_share_a_beginning_and_what_was_placed_stays(
    tmp_path_factory: pytest.TempPathFactory, requests: list[RootRequest]
) -> None:
    with Corpus.open(tmp_path_factory.mktemp("roots")) as corpus:
        first = prefixes(corpus, *requests)
        roots = corpus.write(place_roots, "default", requests).result().roots
        assert len({root.prefix for root in roots}) == len({root.location for root in roots}) == len(roots)
        assert prefixes(corpus, *requests) == first
