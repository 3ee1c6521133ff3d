"""The window of what is sent and not yet acknowledged."""

from queue import Queue
from threading import Thread

from cli.ingest.sending import SendWindow


def test_a_window_lets_one_through_and_then_as_many_as_it_is_wide() -> None:
    window = SendWindow(documents=2)
    entries: Queue[int] = Queue()

    def sender() -> None:
        for number in range(9):
            if window.enter(1):
                entries.put(number)

    thread = Thread(target=sender, daemon=True)
    thread.start()
    assert entries.get(timeout=5) == 0
    assert entries.empty()
    window.leave()
    assert [entries.get(timeout=5), entries.get(timeout=5)] == [1, 2]
    window.leave()
    assert entries.get(timeout=5) == 3
    window.close()
    thread.join(5)
    assert entries.empty()
    assert not thread.is_alive()


def test_a_window_takes_a_document_that_is_larger_than_itself_alone() -> None:
    window = SendWindow(size=10)
    assert window.enter(50)
    window.leave()
    assert window.enter(8)
    window.close()
    assert not window.enter(1)
